import { pageConfig } from '../pageConfig.js'

const about = '40,000 bodies drawn with three.js, of which only those that are awake are uploaded'
export default pageConfig('instances', { about, theme: 'dark' })
