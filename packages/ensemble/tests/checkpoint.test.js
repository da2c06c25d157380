// Shows that a checkpoint comes back as it was kept, and that a torn, damaged or foreign one is ignored.

import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  checkpointPath,
  decodeCheckpoint,
  encodeCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from '../src/checkpoint.ts'
import { Rows } from '../src/columns.ts'
import { partsIn, scratch } from './support/ensemble.js'

/** Keys of two runs. */
const [K, L] = ['0123456789abcdef'.repeat(2), 'f'.repeat(32)]

const kinds = { day: 'u16', x: 'f64', note: 'text', open: 'bool' }
function checkpoint(count = 3, save = Uint8Array.of(1, 2, 3)) {
  const rows = new Rows(kinds)
  for (let day = 0; day < count; day++) rows.add({ day, x: day / 3, note: `day ${day}`, open: day % 2 === 0 })
  return { key: K, rows, state: { day: 3, names: ['a'] }, save }
}

it.each([0, 1, 63, 64, 65])('%i saved rows are restored', (count) => {
  const kept = checkpoint(count)
  expect(decodeCheckpoint(encodeCheckpoint(kept), K, kinds)).toEqual(kept)
})

it('a world and a state may be left out', () => {
  const kept = { ...checkpoint(), save: undefined, state: undefined }
  expect(decodeCheckpoint(encodeCheckpoint(kept), K, kinds)).toEqual(kept)
})

it('a file that is torn or damaged anywhere, or belongs to another run, is not a checkpoint', () => {
  const bytes = encodeCheckpoint(checkpoint())
  expect(decodeCheckpoint(bytes, L, kinds)).toBeUndefined()
  expect(decodeCheckpoint(undefined, K, kinds)).toBeUndefined()
  for (let at = 0; at < bytes.length; at += 7) {
    expect(decodeCheckpoint(bytes.subarray(0, at), K, kinds)).toBeUndefined()
    const damaged = Uint8Array.from(bytes)
    damaged[at] ^= 1
    expect(decodeCheckpoint(damaged, K, kinds)).toBeUndefined()
  }
})

it('the next one replaces the one before, in one file a run', () => {
  const folder = scratch()
  expect(readCheckpoint(folder, K)).toBeUndefined()
  writeCheckpoint(folder, K, Uint8Array.of(1))
  writeCheckpoint(folder, K, Uint8Array.of(2))
  writeFileSync(checkpointPath(folder, L), 'other')
  expect([...readCheckpoint(folder, K)]).toEqual([2])
  expect(partsIn(folder).sort()).toEqual([`${K}.checkpoint`, `${L}.checkpoint`])
})

it('the state is restored as it was, including what JSON cannot hold', () => {
  const circle = { name: 'c' }
  Object.assign(circle, { self: circle })
  const state = {
    nan: NaN,
    zero: -0,
    infinite: -Infinity,
    values: Float64Array.of(1, NaN),
    bytes: new Uint8Array([1, 2, 3]).subarray(1),
    map: new Map([[1, new Set(['a'])]]),
    date: new Date(5),
    big: 2n ** 70n,
    none: undefined,
    circle,
  }
  const back = decodeCheckpoint(encodeCheckpoint({ ...checkpoint(), state }), K, kinds)
  expect(back.state).toStrictEqual(state)
  expect(Object.is(back.state.zero, -0)).toBe(true)
})

class Walker {
  x = 1
}

it.each([
  ['a function', { go: () => 1 }],
  ['an object of a class', { walker: new Walker() }],
  ['a symbol', { s: Symbol('s') }],
  ['a promise', Promise.resolve(1)],
])('a state with %s is refused, because it could not be restored', (_, state) => {
  expect(() => encodeCheckpoint({ ...checkpoint(), state })).toThrow(
    expect.objectContaining({ code: 'BAD_CHECKPOINT', message: expect.stringContaining('cannot be kept') }),
  )
})

it.each([
  '../../outside/pwned',
  '',
  'k',
  `${K}0`,
  K.toUpperCase(),
  `${K}/..`,
  undefined,
  { toString: () => K },
])('the key %j is refused, so no file is written or read outside the folder', (key) => {
  const refused = expect.objectContaining({ code: 'BAD_CHECKPOINT' })
  const folder = scratch()
  expect(() => writeCheckpoint(folder, key, Uint8Array.of(1))).toThrow(refused)
  expect(() => readCheckpoint(folder, key)).toThrow(refused)
  expect(partsIn(folder)).toEqual([])
})
