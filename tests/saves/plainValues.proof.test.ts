// Shows that the values of resources in a save are read as they were written, and that none is dropped.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plain, revived } from '../../bindings/saves/plainValues'
import { proofLength } from '../support/proofs'

const throughJSON = (value: unknown) => revived(JSON.parse(JSON.stringify(plain(value, 'it'))) as unknown)

it('Values that JSON lacks are restored: NaN, infinities, -0, bigints, undefined, lists of numbers', () => {
  const values = [
    NaN,
    Infinity,
    -Infinity,
    -0,
    0,
    2 ** 53 + 2,
    2n ** 64n - 1n,
    -1n,
    undefined,
    null,
    '',
    true,
  ]
  for (const value of [
    ...values,
    values,
    { values },
    Uint8Array.of(1, 2),
    Float64Array.of(NaN, -0, 0.1),
    BigUint64Array.of(2n ** 64n - 1n),
    new Uint8ClampedArray(0),
    Object.create(null) as object,
  ]) {
    const back = throughJSON(value)
    expect(back).toEqual(value === Object(value) && Object.getPrototypeOf(value) === null ? {} : value)
    expect(Object.is(back, value) || typeof value === 'object').toBe(true)
  }
})

it('Keys that have a meaning elsewhere are plain keys', () => {
  const tricky = JSON.parse(
    '{ "$": "NaN", "__proto__": { "a": 1 }, "constructor": [], "toString": { "$": 1 } }',
  ) as object
  const back = throughJSON(tricky) as object
  expect(Object.keys(back)).toEqual(Object.keys(tricky))
  expect(JSON.stringify(back)).toBe(JSON.stringify(tricky))
  expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
})

it('Random values are restored', () => {
  const any = fc.anything({ withBigInt: true, withTypedArray: true, withNullPrototype: false, maxDepth: 4 })
  const property = fc.property(any, (value) => {
    let written: unknown
    try {
      written = plain(value, 'it')
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_VALUE' })
      return
    }
    expect(revived(JSON.parse(JSON.stringify(written)) as unknown)).toStrictEqual(value)
  })
  fc.assert(property, { seed: 5, numRuns: proofLength(2000) })
})

it('A list with holes is restored with undefined', () => {
  expect(throughJSON([1, , 2])).toEqual([1, undefined, 2])
})

it('Unknown marks are refused', () => {
  for (const value of [
    { $: 5 },
    { $: 'Date' },
    { $: 'bigint', value: '1e5' },
    { $: 'bigint' },
    { $: 'object', entries: [['a']].map(() => [5, 5]) },
    { $: 'object' },
    { $: 'Uint8Array', values: ['1'] },
    { $: 'Uint8Array', values: [{ $: 'bigint', value: '1' }] },
    { $: 'BigInt64Array', values: [1] },
    { $: 'Float64Array' },
  ])
    expect(() => revived(value)).toThrow(expect.objectContaining({ code: 'SAVE_REFUSED' }))
})

it('Values that are nested too deep are refused in both directions, and overflow no stack', () => {
  let deep: unknown = 1
  for (let i = 0; i < 100_000; i++) deep = [deep]
  expect(() => plain(deep, 'it')).toThrow('200 levels')
  expect(() => revived(deep)).toThrow(expect.objectContaining({ code: 'SAVE_REFUSED' }))
})
