// Owns the promises of ensemble/src/checkpoint.js.

import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  checkpointPath,
  decodeCheckpoint,
  encodeCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from '../../ensemble/src/checkpoint.js'
import { Rows } from '../../ensemble/src/columns.js'
import { partsIn, scratch } from '../support/ensemble.js'

const kinds = { day: 'u16', x: 'f64', note: 'text', open: 'bool' }
function checkpoint(count = 3, save = Uint8Array.of(1, 2, 3)) {
  const rows = new Rows(kinds)
  for (let day = 0; day < count; day++) rows.add({ day, x: day / 3, note: `day ${day}`, open: day % 2 === 0 })
  return { key: 'k', rows, state: { day: 3, names: ['a'] }, save }
}

it.each([0, 1, 63, 64, 65])('what is kept of %i rows comes back', (count) => {
  const kept = checkpoint(count)
  expect(decodeCheckpoint(encodeCheckpoint(kept), 'k', kinds)).toEqual(kept)
})

it('a world and a state may be left out', () => {
  const kept = { ...checkpoint(), save: undefined, state: undefined }
  expect(decodeCheckpoint(encodeCheckpoint(kept), 'k', kinds)).toEqual(kept)
})

it('what is torn or damaged anywhere, or is of another run, is none', () => {
  const bytes = encodeCheckpoint(checkpoint())
  expect(decodeCheckpoint(bytes, 'l', kinds)).toBeUndefined()
  expect(decodeCheckpoint(undefined, 'k', kinds)).toBeUndefined()
  for (let at = 0; at < bytes.length; at += 7) {
    expect(decodeCheckpoint(bytes.subarray(0, at), 'k', kinds)).toBeUndefined()
    const damaged = Uint8Array.from(bytes)
    damaged[at] ^= 1
    expect(decodeCheckpoint(damaged, 'k', kinds)).toBeUndefined()
  }
})

it('the next one takes the place of the one before, in one file a run', () => {
  const folder = scratch()
  expect(readCheckpoint(folder, 'k')).toBeUndefined()
  writeCheckpoint(folder, 'k', Uint8Array.of(1))
  writeCheckpoint(folder, 'k', Uint8Array.of(2))
  writeFileSync(checkpointPath(folder, 'l'), 'other')
  expect([...readCheckpoint(folder, 'k')]).toEqual([2])
  expect(partsIn(folder).sort()).toEqual(['k.checkpoint', 'l.checkpoint'])
})
