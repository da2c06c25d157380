// The command: builds the page and serves it. See examples/servePage.js.
import { servePage } from '../servePage.js'

// React for users, also where a test runner builds the page.
process.env.NODE_ENV = 'production'
await servePage(import.meta.url, 'panel', 'the panel', 4178)
