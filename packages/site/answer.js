// Owns what the server of the site answers: files as they are, the page for what is not there, and nothing but reading. No request
// must ever end the server.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sirv from 'sirv'

/** The one kind of range that is answered with a part: any other may be ignored, and sirv throws at one that ends before it begins. */
function isRange(text) {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(text) ?? []
  // sirv takes an end of 0 for none.
  return first !== undefined && (last === '' || (Number(last) > 0 && Number(first) <= Number(last)))
}

/**
 * A listener for requests.
 *
 * @param folder the built site
 * @param base its address on the server, with a slash at both ends
 * @param headers that every file has
 */
export function answersFrom(folder, base, headers) {
  const files = sirv(folder, {
    setHeaders(response) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    },
  })
  const missing = readFileSync(join(folder, '404.html'))
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    if (!request.url.startsWith(base)) return void response.writeHead(302, { Location: base }).end()
    request.url = request.url.slice(base.length - 1)
    if (!isRange(request.headers.range ?? '')) delete request.headers.range
    // A file can vanish between the look for it and its reading, when the site is built once more.
    response.on('pipe', (file) => file.on('error', () => response.destroy()))
    // sirv answers 200 whatever it sends: the page for what is not there is sent without it.
    files(request, response, () => {
      response.writeHead(404, {
        ...headers,
        'Content-Type': 'text/html;charset=utf-8',
        'Content-Length': missing.length,
      })
      response.end(request.method === 'HEAD' ? undefined : missing)
    })
  }
}
