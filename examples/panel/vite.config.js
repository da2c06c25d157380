import { pageConfig } from '../pageConfig.js'

export default pageConfig('panel')
