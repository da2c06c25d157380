// Owns the command that serves the built site until it is interrupted. It must never open a browser: the address is enough.

import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import sirv from 'sirv'
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

/** Answers with the files of the site, and with its page for what is not there. */
function answer() {
  const files = sirv(SITE, {
    setHeaders(response) {
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
    },
  })
  return (request, response) => {
    if (!request.url.startsWith(BASE)) return void response.writeHead(302, { Location: BASE }).end()
    request.url = request.url.slice(BASE.length - 1)
    files(request, response, () => {
      response.statusCode = 404
      request.url = '/404.html'
      files(request, response)
    })
  }
}

function listen(port) {
  const server = createServer(answer())
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
