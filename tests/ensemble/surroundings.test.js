// Owns the promises of ensemble/src/surroundings.js.

import { afterEach, describe, expect, it } from 'vitest'
import { captureConsole, strictly } from '../../ensemble/src/surroundings.js'

const { exit } = process
const before = { ...console }
afterEach(() => {
  process.exit = exit
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
  it.each([
    ['Math.random', () => Math.random()],
    ['Date.now', () => Date.now()],
    ['new Date()', () => new Date()],
  ])('may not call %s', async (name, body) => {
    await expect(strictly(async () => body())).rejects.toThrow(`${name} was called in a strict run`)
  })

  it('may use dates that it names', async () => {
    expect(await strictly(async () => new Date(5).getTime())).toBe(5)
  })

  it('gives everything back, also when it fails', async () => {
    const { random } = Math
    const { Date: date } = globalThis
    await expect(strictly(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(Math.random).toBe(random)
    expect(globalThis.Date).toBe(date)
  })
})
