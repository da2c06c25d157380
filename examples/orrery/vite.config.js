import strataKernels from 'strata-ecs/rollup'
import { pageConfig } from '../pageConfig.js'

export default pageConfig('orrery', [strataKernels()])
