// Owns the proxy through which WebKit loads pages: it puts a script first in each of them, which notes what went wrong there,
// because WebKit's driver reports neither what a console is told nor which errors nobody caught.

import { createServer, request } from 'node:http'
import { connect } from 'node:net'

const PLACE = '/.listening.js'

/** Errors of the page's scripts, of what it loads, and of its console, as texts in `globalThis.complaintsHeard`. */
const SCRIPT = `(() => {
  const heard = (globalThis.complaintsHeard = [])
  addEventListener('error', ({ error, message, target }) => {
    heard.push(message === undefined ? 'not loaded: ' + (target.src ?? target.href) : String(error ?? message))
  }, true)
  addEventListener('unhandledrejection', ({ reason }) => heard.push('not caught: ' + reason))
  addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) => {
    heard.push('refused: ' + blockedURI + ' by ' + violatedDirective)
  })
  const { error } = console
  console.error = (...words) => {
    heard.push(words.map(String).join(' '))
    error.apply(console, words)
  }
})()`

/** Starts it on a free port of this machine. `close` ends it, and what is still open. */
export async function startListeningProxy() {
  const sockets = new Set()
  const server = createServer(pass)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('connect', tunnel)
  server.on('upgrade', passUpgrade)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${server.address().port}`,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function pass(incoming, outgoing) {
  const { method, url, headers } = incoming
  if (new URL(url).pathname === PLACE) {
    // A page that is isolated from others takes nothing from places that do not say so.
    outgoing.writeHead(200, {
      'Content-Type': 'text/javascript',
      'Cross-Origin-Resource-Policy': 'same-origin',
    })
    return outgoing.end(SCRIPT)
  }
  const passed = request(
    url,
    { method, headers: { ...headers, 'accept-encoding': 'identity' } },
    (answer) => {
      if (/^text\/html/.test(answer.headers['content-type'] ?? '') && answer.statusCode === 200)
        return passPage(answer, outgoing)
      outgoing.writeHead(answer.statusCode, answer.headers)
      return answer.pipe(outgoing)
    },
  )
  passed.on('error', () => outgoing.destroy())
  outgoing.on('close', () => passed.destroy())
  return incoming.pipe(passed)
}

async function passPage(answer, outgoing) {
  const parts = []
  for await (const part of answer) parts.push(part)
  const page = Buffer.concat(parts).toString()
  const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers
  outgoing.writeHead(200, headers)
  outgoing.end(page.replace(/^\s*(<!doctype[^>]*>)?/i, `$1<script src="${PLACE}"></script>`))
}

/** Sockets of the web: the page asks for a way through. */
function tunnel({ url }, client) {
  const { hostname, port } = new URL(`http://${url}`)
  const socket = connect(Number(port || 80), hostname, () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    client.pipe(socket).pipe(client)
  })
  socket.on('error', () => client.destroy())
  client.on('error', () => socket.destroy())
}

function passUpgrade({ method, url, rawHeaders }, client) {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port || 80), hostname, () => {
    const lines = [`${method} ${pathname}${search} HTTP/1.1`]
    for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    client.pipe(socket).pipe(client)
  })
  socket.on('error', () => client.destroy())
  client.on('error', () => socket.destroy())
}
