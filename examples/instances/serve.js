// The command: builds the page and serves it. See examples/servePage.js.
import { servePage } from '../servePage.js'

await servePage(import.meta.url, 'instances', 'the page of instances', 4180)
