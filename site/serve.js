// Owns the command that serves the built site until it is interrupted. It must never open a browser: the address is enough.

import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { answersFrom } from './answer.js'
import { BASE, SITE } from './places.js'
import { HEADERS } from './policy.js'

const HELP = `Serves the site that npm run site:build has built.

  node site/serve.js [options]

  --port N      serve there, or on the next free one; default 4177
  --host        serve to the whole network, for a phone
  --help        this text

build/site can be put on any static server. If it does not lie at the root there, build it with the name of its folder:
SITE_BASE=/strata-ecs/ npm run site:build
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4177' },
    host: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

function listen(port) {
  const server = createServer(answersFrom(SITE, BASE, HEADERS))
  server.on('error', (error) => {
    if (error.code !== 'EADDRINUSE') throw error
    listen(port + 1)
  })
  server.listen(port, values.host ? undefined : '127.0.0.1', () =>
    console.log(`The site is at http://localhost:${port}${BASE}`),
  )
}

if (values.help) process.stdout.write(HELP)
else listen(Number(values.port))
