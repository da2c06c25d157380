import { pageConfig } from '../pageConfig.js'

const about = 'A crew that works by itself, and a page of React that shows it'
export default pageConfig('panel', { about, script: 'main.tsx' })
