// The command: builds the page and serves it. See examples/servePage.js.
import { servePage } from '../servePage.js'

await servePage(import.meta.url, 'rollback', 'the match', 4175)
