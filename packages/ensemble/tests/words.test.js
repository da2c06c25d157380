// Shows what words of the command line mean: seeds, values of parameters, groups of charts.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameOf } from '../src/charts.ts'
import { readChoice, readGrid, readSeeds } from '../src/words.ts'

const parameters = { r0: 2.5, days: 60, start: 'London', closed: false }
const refused = (sentence) =>
  expect.objectContaining({ code: 'BAD_OPTION', message: expect.stringContaining(sentence) })

describe('words of the command line', () => {
  it('name seeds one by one and in ranges', () => {
    expect(readSeeds(['3,5, 10..12'])).toEqual([3, 5, 10, 11, 12])
    expect(readSeeds(['0..0'])).toEqual([0])
  })

  it.each(['', 'a', '1..', '5..3', '-1', '1.5'])('name no seeds by %j', (text) => {
    expect(() => readSeeds([text])).toThrow(refused('names no seeds'))
  })

  it('all name seeds, if they are several', () => {
    expect(readSeeds(['0..3', '5'])).toEqual([0, 1, 2, 3, 5])
  })

  it.each([
    ['0..4294967295', 'at most 10,000,000 runs'],
    ['0..9999999,10000000', 'at most 10,000,000 runs'],
    ['99999999999999999999', 'from 0 to 4294967295'],
    ['0..999999999999', 'from 0 to 4294967295'],
    ['9'.repeat(400), 'from 0 to 4294967295'],
  ])('name too many seeds, or too high ones, by %j', (text, sentence) => {
    expect(() => readSeeds([text])).toThrow(refused(sentence))
  })

  it('all set values, if several name one parameter', () => {
    const grid = readGrid(['r0=1', 'start=Lima', ' r0 =2,3', 'start="Rio"'], parameters)
    expect(grid).toEqual({ r0: [1, 2, 3], start: ['Lima', 'Rio'] })
  })

  it('set texts with commas, quotes, spaces and nothing in them, in quotes', () => {
    expect(readGrid(['start="Paris, France",Rio, "a \\"b\\" " ,,in "the" middle'], parameters)).toEqual({
      start: ['Paris, France', 'Rio', 'a "b" ', '', 'in "the" middle'],
    })
  })

  it.each(['"', '"Paris, France', '"a"b', '"\\x"', '"a\nb"'])('set no text by %j', (text) => {
    expect(() => readGrid([`start=${text}`], parameters)).toThrow(refused('write it as in JSON'))
  })

  it('set any list of texts, as in JSON and as the names of groups show them', () => {
    let cases = 0
    const texts = fc.array(
      fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[", \\a\n]*$/)),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    fc.assert(
      fc.property(texts, (list) => {
        cases++
        const shown = list.map((text) => nameOf({ '': text }).slice(1))
        for (const written of [list.map((text) => JSON.stringify(text)), shown]) {
          expect(readGrid([`start=${written.join(',')}`], parameters)).toEqual({ start: list })
        }
      }),
      { seed: 43, numRuns: 2000 },
    )
    expect(cases).toBe(2000)
  })

  it.each(['constructor', 'toString', '__proto__'])('reject a parameter %s', (name) => {
    expect(Object.entries(readGrid([`${name}=1`], parameters))).toEqual([[name, ['1']]])
    const own = JSON.parse(`{ "${name}": 1 }`)
    expect(Object.entries(readGrid([`${name}=1`], own))).toEqual([[name, [1]]])
  })

  it('set numbers, texts and booleans, depending on the parameter', () => {
    expect(readGrid(['r0=1.5, 2e0,-3', 'start=Lima,Rio', 'closed=true,false'], parameters)).toEqual({
      r0: [1.5, 2, -3],
      start: ['Lima', 'Rio'],
      closed: [true, false],
    })
  })

  it('and groups of charts are read from texts, by number or by their values', () => {
    expect(readChoice([], parameters)).toEqual({ values: {} })
    expect(readChoice(['8', 'r0=1,2', 'start=Lima'], parameters)).toEqual({
      most: 8,
      values: { r0: [1, 2], start: ['Lima'] },
    })
    expect(readChoice(['8', 'r0=1', '8', 'r0=2'], parameters)).toEqual({ most: 8, values: { r0: [1, 2] } })
    expect(() => readChoice(['0'], parameters)).toThrow(refused('at least one group'))
    expect(() => readChoice(['8', '9'], parameters)).toThrow(refused('not 8 and 9'))
  })

  it.each(['r0', 'r0=', 'r0=a', 'r0=1,,2', 'r0=1e999', 'r0=Infinity', 'r0="1"', '=1', 'closed=1', 'closed='])(
    'set nothing by %j',
    (text) => {
      expect(() => readGrid([text], parameters)).toThrow(expect.objectContaining({ code: 'BAD_OPTION' }))
    },
  )
})
