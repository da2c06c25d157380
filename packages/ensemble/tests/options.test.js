// Shows what each option of the command line takes and refuses.

import { describe, expect, it } from 'vitest'
import { listed, once, seconds, titles, wholeNumber } from '../src/options.ts'

describe('the value of an option', () => {
  it('includes all occurrences, if it is a list', () => {
    expect(listed('b', listed('a', []))).toEqual(['a', 'b'])
    expect(titles('x by day', titles('y, z over r0'))).toEqual(['y', ' z over r0', 'x by day'])
  })

  it('may be a title of a chart with commas in its note', () => {
    const noted = 'x by day (6 of 9 groups, without infinite values)'
    expect(titles(`${noted},x over r0`)).toEqual([noted, 'x over r0'])
  })

  it('may be given only once in a call', () => {
    const read = once((text) => text.toUpperCase())
    expect(read('a')).toBe('A')
    expect(() => read('a')).toThrow(`It was 'a' before: say it once.`)
    expect(once()('a')).toBe('a')
  })

  it.each(['1', '07', '1024'])('is a whole number: %s', (text) => {
    expect(wholeNumber(1, 1024)(text)).toBe(Number(text))
  })

  it.each(['0', '1025', '-1', '1.0', '1e2', '', ' 1', '9'.repeat(400)])(
    'is not a whole number: %j',
    (text) => {
      expect(() => wholeNumber(1, 1024)(text)).toThrow('It takes a whole number from 1 to 1024.')
    },
  )

  it.each(['0.001', '1', '60', '1e3'])('is a number of seconds: %s', (text) => {
    expect(seconds()(text)).toBe(Number(text))
  })

  it.each(['0', '-1', 'Infinity', '1e999', '', ' ', 'NaN', '1 s'])(
    'is not a number of seconds: %j',
    (text) => {
      expect(() => seconds()(text)).toThrow('It takes a number of seconds above 0.')
    },
  )

  it('may have a maximum time', () => {
    expect(seconds(10)('10')).toBe(10)
    expect(() => seconds(10)('10.1')).toThrow('at most 10')
  })
})
