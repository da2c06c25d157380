import strataKernels from 'strata-ecs/vite'
import { pageConfig } from '../pageConfig.js'

const about = 'A scene graph of 100,000 bodies, carried by one kernel call and hung on other parents by hand'
export default pageConfig('orrery', { about, theme: 'dark', plugins: [strataKernels()] })
