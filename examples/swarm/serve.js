// Owns the command: builds the page and serves it until it is interrupted. It must never open a browser: the address is
// enough.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, preview } from 'vite'

const PORT = 4174

const HELP = `Builds the page of the swarm and serves it. Needs the built library: npm run build.

  node examples/swarm/serve.js [options]

  --port N      serve there, or on the next free one; default ${PORT}
  --host        serve to the whole network, for a phone
  --no-build    serve what is there
  --help        this text

The folder, build/swarm, can be put on any static server.
`

/** With these a page is isolated from others, and its clock has finer steps: what a system took is told apart. */
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
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  process.stdout.write(HELP)
} else {
  if (!values['no-build']) await build({ configFile, logLevel: 'warn' })
  const { port, host } = values
  const server = await preview({ configFile, preview: { port: Number(port), host, headers: ISOLATION } })
  const { local, network } = server.resolvedUrls
  for (const address of [...local, ...network]) console.log(`The swarm is at ${address}`)
}
