// Shows what a run finds around it in its thread: a console that writes to the log, and in a strict run neither a clock nor
// random numbers.

import crypto from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { captureConsole, forbidChance, strictly } from '../src/surroundings.ts'

const { exit, reallyExit } = /** @type {any} */ (process)
const before = { ...console }
afterEach(() => {
  Object.assign(process, { exit, reallyExit })
  Object.assign(console, before)
})

it('the console writes lines, formatted as a console does', () => {
  const lines = []
  captureConsole((line) => lines.push(line))
  console.log('%s is %d', 'a', 5)
  console.error({ b: 1 })
  console.warn('two\nlines')
  expect(lines).toEqual(['a is 5', '{ b: 1 }', 'two\nlines'])
})

it('the end of the process is an error', () => {
  captureConsole(() => {})
  expect(() => process.exit(0)).toThrow('throw an error instead')
})

describe('a strict run', () => {
  let undo
  beforeEach(() => (undo = forbidChance()))
  afterEach(() => undo())

  it.each([
    ['Math.random', () => Math.random()],
    ['Date.now', () => Date.now()],
    ['new Date()', () => new Date()],
    ['Date()', () => Date()],
    ['performance.now', () => performance.now()],
    ['performance.now', () => Object.getPrototypeOf(performance).now.call(performance)],
    ['performance.mark', () => performance.mark('a')],
    ['process.hrtime', () => process.hrtime()],
    ['process.hrtime.bigint', () => process.hrtime.bigint()],
    ['process.uptime', () => process.uptime()],
    ['process.cpuUsage', () => process.cpuUsage()],
    ['process.memoryUsage', () => process.memoryUsage()],
    ['crypto.randomUUID', () => crypto.randomUUID()],
    ['crypto.randomBytes', () => crypto.randomBytes(4)],
    ['crypto.randomInt', () => crypto.randomInt(4)],
    ['crypto.randomFillSync', () => crypto.randomFillSync(new Uint8Array(4))],
    ['crypto.getRandomValues', () => globalThis.crypto.getRandomValues(new Uint8Array(4))],
    ['crypto.randomUUID', () => globalThis.crypto.randomUUID()],
    ['crypto.getRandomValues', () => crypto.webcrypto.getRandomValues(new Uint8Array(4))],
    ['crypto.generateKeyPairSync', () => crypto.generateKeyPairSync('ed25519')],
  ])('may not call %s', async (name, body) => {
    await expect(strictly(async () => body())).rejects.toThrow(`${name} was called in a strict run`)
    body()
  })

  it('may not call earlier references to them, nor named imports', async () => {
    const { random } = Math
    const { now } = Date
    const named = await import('node:crypto')
    for (const body of [random, now, named.randomUUID]) {
      await expect(strictly(async () => body())).rejects.toThrow('was called in a strict run')
      body()
    }
  })

  it('may use explicit dates, which are dates', async () => {
    expect(await strictly(async () => new Date(5).getTime())).toBe(5)
    const date = await strictly(async () => new Date(2020, 1, 2))
    expect(date).toBeInstanceOf(Date)
    expect(Object.prototype.toString.call(date)).toBe('[object Date]')
  })

  it('is no longer strict when it fails', async () => {
    await expect(strictly(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(Math.random()).toBeLessThan(1)
  })
})

it('forbidden functions are restored', () => {
  const before = [Math.random, Date, Date.now, crypto.randomUUID, process.hrtime, process.hrtime.bigint]
  forbidChance()()
  expect([Math.random, Date, Date.now, crypto.randomUUID, process.hrtime, process.hrtime.bigint]).toEqual(
    before,
  )
  expect(Object.hasOwn(performance, 'now')).toBe(false)
})
