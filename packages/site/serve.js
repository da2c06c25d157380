// Owns the command that serves the built site until it is interrupted. It must never open a browser: the address is enough.

import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { reasonNotToListen, refuse, serverCommand } from '../../scripts/server-command.js'
import { answersFrom } from './answer.js'
import { BASE, SITE } from './places.js'
import { HEADERS } from './policy.js'

const HELP = `Serves the site that npm run build -w packages/site has built.

  node packages/site/serve.js [options]

  --port N      serve there, or on the next free one; default 4177
  --host        serve to the whole network, for a phone
  --help        this text

build/site can be put on any static server. If it does not lie at the root there, build it with the name of its folder:
SITE_BASE=/strata-ecs/ npm run build -w packages/site
`

const command = serverCommand({}, 4177, HELP)

function listen(port) {
  const server = createServer(answersFrom(SITE, BASE, HEADERS))
  server.on('error', (error) => {
    if (error.code === 'EADDRINUSE' && port < 65_535) listen(port + 1)
    else refuse(reasonNotToListen(error, command.port))
  })
  server.listen(port, command.host ? undefined : '127.0.0.1', () =>
    console.log(`The site is at http://localhost:${port}${BASE}`),
  )
}

if (command !== undefined) {
  if (existsSync(join(SITE, '404.html'))) listen(command.port)
  else refuse('There is no site in build/site: build it with npm run build -w packages/site.')
}
