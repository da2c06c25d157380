// Shows where scripts/redis.js looks for a server, and what it does if it finds no server.

import { expect, it } from 'vitest'
import { installRedis, presentRedis } from '../../scripts/redis.js'

/** A machine with some files; `ran` has the programs that were started, `installs` is there after them. */
function machine({ files = [], environment = {}, isRoot = true, installs, fails } = {}) {
  const ran = []
  return {
    ran,
    environment,
    isRoot,
    exists: (path) => files.includes(path),
    run: (...words) => {
      ran.push(words.join(' '))
      if (fails) throw new Error(fails)
      if (installs) files.push(installs)
    },
  }
}

const DEBIAN = ['/etc/debian_version', '/usr/bin/apt-get']

it('a server is found by REDIS_SERVER, in a usual place, and in PATH', () => {
  expect(presentRedis(machine({ environment: { REDIS_SERVER: '/a/b' } }))).toBe('/a/b')
  expect(presentRedis(machine({ files: ['/usr/bin/redis-server'] }))).toBe('/usr/bin/redis-server')
  expect(presentRedis(machine({ files: ['/c/redis-server'], environment: { PATH: '/d:/c' } }))).toBe(
    '/c/redis-server',
  )
  expect(presentRedis(machine())).toBeUndefined()
})

it('nothing is installed if a server exists', () => {
  const system = machine({ files: [...DEBIAN, '/usr/bin/redis-server'] })
  expect(installRedis(system)).toBe('Redis: /usr/bin/redis-server')
  expect(system.ran).toEqual([])
})

it('on Debian as root one is installed', () => {
  const system = machine({ files: [...DEBIAN], installs: '/usr/bin/redis-server' })
  expect(installRedis(system)).toBe('Redis: /usr/bin/redis-server')
  expect(system.ran.map((line) => line.split(' ')[1])).toEqual(['update', 'install'])
  expect(system.ran[1]).toMatch(/ redis-server$/)
})

it.each([
  ['no root', { files: DEBIAN, isRoot: false }],
  ['another system', {}],
  ['a failing apt-get', { files: DEBIAN, fails: 'no network' }],
])('with %s the run reports that tests are left out, and why', (_, options) => {
  const sentence = installRedis(machine(options))
  expect(sentence).toMatch(/^There is no redis-server here, so tests of queues are left out/)
  if (options.fails) expect(sentence).toContain('no network')
})
