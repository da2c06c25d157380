// Owns what the server of the site answers.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersFrom } from '../../site/answer.js'

const folder = mkdtempSync(join(tmpdir(), 'strata-site-'))
let server
let address

beforeAll(async () => {
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'index.html'), 'front')
  writeFileSync(join(folder, 'docs/index.html'), 'guide')
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
  it('answers with files, and leads to them from elsewhere', async () => {
    expect(await seen('/ecs/')).toEqual([200, 'front'])
    expect(await seen('/ecs/docs/index.html')).toEqual([200, 'guide'])
    expect((await ask('/')).headers.get('location')).toBe('/ecs/')
  })

  it('answers 404 with the page for what is not there, with the same headers', async () => {
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
})
