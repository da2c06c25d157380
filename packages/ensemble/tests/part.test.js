// Shows that a part file is a stream for any Arrow library, and that a torn or damaged one gives whole batches or nothing.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { Rows, recordBatchOf, schemaOf } from '../src/columns.ts'
import { PartReader, PartWriter } from '../src/part.ts'
import { cases, generator } from './support/attacks.js'
import { partsIn, scratch } from './support/ensemble.js'

const kinds = { a: 'f64', b: 'text' }
function batch(from, count) {
  const rows = new Rows(kinds)
  for (let i = from; i < from + count; i++) rows.add({ a: i, b: `row ${i}` })
  return recordBatchOf(schemaOf(kinds), rows)
}

/** A part of two batches, and what reads it. */
function written() {
  const folder = scratch()
  const part = new PartWriter(folder, 'a.arrow')
  const places = [part.append(batch(0, 2)), part.append(batch(2, 1))]
  const read = () => {
    const reader = new PartReader(folder, kinds)
    const values = places.map((place) => {
      const found = reader.batchOf(place)
      return found && [...found].map((row) => row.toJSON().a)
    })
    reader.close()
    return values
  }
  return { folder, part, places, read }
}

describe('a part', () => {
  it('is a stream for any Arrow library, and has each batch at its stated place', () => {
    const { part, places, read } = written()
    expect(read()).toEqual([[0, 1], [2]])
    part.close()
    expect(read()).toEqual([[0, 1], [2]])
    expect(tableFromIPC(readFileSync(part.path)).numRows).toBe(3)
    expect(places[1].from).toBe(places[0].from + places[0].bytes)
    expect(places[0]).toMatchObject({ part: 'a.arrow', sha: expect.stringMatching(/^[0-9a-f]{32}$/) })
  })

  it('without rows has no file', () => {
    const folder = scratch()
    new PartWriter(folder, 'a.arrow').close()
    expect(partsIn(folder)).toEqual([])
  })

  it('that is torn anywhere has the earlier batches', () => {
    const { part, places, read } = written()
    const bytes = readFileSync(part.path)
    const whole = ({ from, bytes: length }) => from + length
    for (let length = 0; length < bytes.length; length++) {
      writeFileSync(part.path, bytes.subarray(0, length))
      expect(read()).toEqual([length < whole(places[0]) ? undefined : [0, 1], undefined])
    }
  })

  it('never gives other values, and never reads on for ever, whatever bits are flipped or zeroed', () => {
    const { part, places, read } = written()
    const bytes = readFileSync(part.path)
    const { below } = generator(44)
    let count = 0
    const attack = (change, from, to) => {
      const damaged = Buffer.from(bytes)
      change(damaged)
      writeFileSync(part.path, damaged)
      const isHit = ({ from: first, bytes: length }) =>
        from < first + length && to > first && !damaged.equals(bytes)
      expect(read()).toEqual([isHit(places[0]) ? undefined : [0, 1], isHit(places[1]) ? undefined : [2]])
      count++
    }
    for (let i = 0; i < cases(600); i++) {
      const at = below(bytes.length)
      attack((damaged) => (damaged[at] ^= 1 << below(8)), at, at + 1)
    }
    // Where the bytes are zeros anyway, nothing is damaged: from the first to the last that is not.
    for (let at = 0; at + 64 <= bytes.length; at += 8) {
      const piece = bytes.subarray(at, at + 64)
      const first = piece.findIndex((byte) => byte !== 0)
      const last = piece.findLastIndex((byte) => byte !== 0)
      const spans = places.some(({ from }) => from > at + first && from <= at + last)
      if (!spans) attack((damaged) => damaged.fill(0, at, at + 64), at + first, at + last + 1)
    }
    console.log(`${count} attacks on a part`)
    expect(count).toBeGreaterThan(400)
  })

  it('is never searched outside its folder', () => {
    const { folder, places } = written()
    const reader = new PartReader(join(folder, 'parts'), kinds)
    for (const part of [
      '../a.arrow',
      'a.arrow/../../a.arrow',
      '/etc/passwd',
      '',
      undefined,
      5,
      'none.arrow',
      '.arrow',
    ]) {
      expect(reader.batchOf({ ...places[0], part })).toBeUndefined()
    }
  })

  it('that is a folder has no batches', () => {
    const { places } = written()
    const other = scratch()
    mkdirSync(join(other, 'a.arrow'))
    const reader = new PartReader(other, kinds)
    expect(reader.batchOf(places[0])).toBeUndefined()
  })

  it('that exists is never overwritten', () => {
    const folder = scratch()
    writeFileSync(join(folder, 'a.arrow'), 'mine')
    expect(() => new PartWriter(folder, 'a.arrow').append(batch(0, 1))).toThrow(
      expect.objectContaining({ code: 'CANNOT_WRITE' }),
    )
    expect(readFileSync(join(folder, 'a.arrow'), 'utf8')).toBe('mine')
  })

  it('accepts nothing after a failed write', () => {
    const folder = scratch()
    writeFileSync(join(folder, 'a.arrow'), 'mine')
    const part = new PartWriter(folder, 'a.arrow')
    for (let i = 0; i < 2; i++) {
      expect(() => part.append(batch(0, 1))).toThrow(expect.objectContaining({ code: 'CANNOT_WRITE' }))
    }
  })
})
