// Shows what the server of the site answers.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersFrom } from '../answer.js'

const folder = mkdtempSync(join(tmpdir(), 'strata-site-'))
let server
let address

beforeAll(async () => {
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'index.html'), 'front')
  writeFileSync(join(folder, 'docs/index.html'), 'guide')
  writeFileSync(join(folder, 'gone.html'), 'here')
  writeFileSync(join(folder, '404.html'), 'nothing here')
  server = createServer(answersFrom(folder, '/ecs/', { 'Content-Security-Policy': "default-src 'self'" }))
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${server.address().port}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const ask = (path, method = 'GET') => globalThis.fetch(address + path, { method, redirect: 'manual' })
const seen = async (path, method) => {
  const response = await ask(path, method)
  return [response.status, await response.text()]
}

describe('the server of the site', () => {
  it('answers with files, and redirects to them from elsewhere', async () => {
    expect(await seen('/ecs/')).toEqual([200, 'front'])
    expect(await seen('/ecs/docs/index.html')).toEqual([200, 'guide'])
    expect((await ask('/')).headers.get('location')).toBe('/ecs/')
  })

  it('answers 404 with the page for missing files, with the same headers', async () => {
    expect(await seen('/ecs/nowhere.html')).toEqual([404, 'nothing here'])
    expect(await seen('/ecs/../../etc/passwd')).not.toContain(200)
    const { status, headers } = await ask('/ecs/nowhere.html', 'HEAD')
    expect([status, headers.get('content-security-policy'), headers.get('content-type')]).toEqual([
      404,
      "default-src 'self'",
      'text/html;charset=utf-8',
    ])
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    const { status, headers } = await ask('/ecs/', method)
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it.each([
    ['bytes=1-3', 206, 'ron'],
    ['bytes=2-', 206, 'ont'],
    ['bytes=9-', 416, ''],
    ['bytes=5-1', 200, 'front'],
    ['bytes=-2', 200, 'front'],
    ['bytes=0-1,3-4', 200, 'front'],
    ['bytes=a-b', 200, 'front'],
    ['rows=1-2', 200, 'front'],
    ['', 200, 'front'],
  ])('answers the range %j with %i', async (range, status, text) => {
    const response = await globalThis.fetch(`${address}/ecs/index.html`, { headers: { range } })
    expect([response.status, await response.text()]).toEqual([status, text])
  })

  it('ends an answer, and goes on, when a file has disappeared since it was listed', async () => {
    rmSync(join(folder, 'gone.html'))
    await expect(ask('/ecs/gone.html').then((response) => response.text())).rejects.toThrow()
    expect(await seen('/ecs/')).toEqual([200, 'front'])
  })

  it('survives whatever is sent to it', async () => {
    const requests = fc.sample(rawRequest, { numRuns: 400, seed: 43 })
    let answered = 0
    for (const request of requests) if (/^HTTP\/1\.1 \d{3} /.test(await answerTo(request))) answered++
    console.log(`${requests.length} requests, ${answered} of them answered`)
    expect(requests).toHaveLength(400)
    expect(answered).toBeGreaterThan(300)
    expect(await seen('/ecs/')).toEqual([200, 'front'])
  })
})

const anyOf = fc.constantFrom
const path = fc.oneof(
  anyOf(
    '/ecs/',
    '/ecs/index.html',
    '/ecs',
    '/',
    '//',
    '*',
    '/ecs/..',
    '/ecs/%2e%2e/',
    '/ecs/%',
    '/ecs/%00',
    '/ecs/%ff',
  ),
  anyOf(
    '/ecs/docs',
    '/ecs/docs/',
    '/ecs/?a=%',
    '/ecs/#',
    'http://elsewhere/ecs/',
    '/ecs/index.html/',
    '/ecs/\\..',
  ),
  fc.string({ maxLength: 30 }).map((text) => `/ecs/${text.replace(/[\r\n ]/g, '')}`),
)
const number = fc.oneof(
  anyOf('', '-', '0', '4', '5', '-1', '1e9', 'NaN', '9'.repeat(400)),
  fc.integer().map(String),
)
const header = fc.oneof(
  fc
    .tuple(anyOf('bytes', 'Bytes', 'rows', ''), number, number)
    .map(([unit, a, b]) => `Range: ${unit}=${a}-${b}`),
  fc.string({ maxLength: 20 }).map((text) => `Range: ${text.replace(/[\r\n]/g, '')}`),
  anyOf(
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
    'Upgrade: websocket',
    'Expect: 100-continue',
    'If-None-Match: *',
    ':',
    'Host:',
  ),
)
const rawRequest = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: anyOf('GET', 'HEAD') },
      { weight: 1, arbitrary: anyOf('POST', 'OPTIONS', 'get', 'X', '') },
    ),
    path,
    fc.array(header, { maxLength: 3 }),
  )
  .map(([method, path, headers]) =>
    [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'),
  )

/** What comes back until the connection ends. */
function answerTo(request) {
  return new Promise((done) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () => socket.end(request))
    let answer = ''
    socket.on('data', (text) => (answer += text))
    socket.on('error', () => {})
    socket.on('close', () => done(answer))
  })
}
