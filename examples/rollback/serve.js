// Owns the command: builds the page and serves it until it is interrupted.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, preview } from 'vite'

const PORT = 4175

const HELP = `Builds the page of the rollback example and serves it. Needs the built library: npm run build.

  node examples/rollback/serve.js [options]

  --port N      serve there, or on the next free one; default ${PORT}
  --host        serve to the whole network, for a phone
  --no-build    serve what is there
  --folder F    build it in this folder; default build/rollback
  --help        this text

The folder can be put on any static server.
`

/** With these the page is isolated from others, and its clock has finer steps: a rollback takes fractions of a millisecond. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

const configFile = fileURLToPath(new URL('vite.config.js', import.meta.url))

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: String(PORT) },
    host: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
    folder: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  process.stdout.write(HELP)
} else {
  const { port, host, folder } = values
  const page = { configFile, ...(folder && { build: { outDir: resolve(folder) } }) }
  if (!values['no-build']) await build({ ...page, logLevel: 'warn' })
  const server = await preview({ ...page, preview: { port: Number(port), host, headers: ISOLATION } })
  const { local, network } = server.resolvedUrls
  for (const address of [...local, ...network]) console.log(`The match is at ${address}`)
}
