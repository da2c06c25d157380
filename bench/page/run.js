// Owns the command: builds the page and serves it until it is interrupted. It must never open a browser: the address is
// enough.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { missing } from '../offers.js'
import { fail } from '../options.js'
import { LIBRARIES } from '../plan.js'

const FOLDER = fileURLToPath(new URL('../../build/bench-page', import.meta.url))
const PORT = 4173

const HELP = `Builds the benchmark's page for browsers and serves it.

  node bench/page/run.js [options]

  --port N        serve there, or on the next free one; default ${PORT}
  --folder PATH   where the files go; default build/bench-page
  --no-build      serve what is there
  --help          this text

The folder can be put on any static server; with the headers Cross-Origin-Opener-Policy: same-origin and
Cross-Origin-Embedder-Policy: require-corp the page's clock has finer steps.
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: String(PORT) },
    folder: { type: 'string', default: FOLDER },
    'no-build': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  process.stdout.write(HELP)
} else {
  const reason = missing({ libraries: LIBRARIES })
  if (reason) fail(reason)
  // Not before: Vite is one of what may be missing.
  const { buildPage, servePage } = await import('./build.js')
  if (!values['no-build']) await buildPage(values.folder)
  console.log(`The page is at ${await servePage(values.folder, Number(values.port))}`)
}
