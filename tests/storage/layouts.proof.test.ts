// Shows how rows lie in chunks, seen from outside: columns are aligned and apart, as many rows fit as can, and the first and the
// last row of a chunk are rows like any other.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  spawnMany,
  tag,
  u16,
  u32,
  u8,
  vec,
  LimitError,
  type Entity,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { testWorld } from '../support/world'
import { STORED } from '../support/storages'

const CHUNK_BYTES = 16384
const SMALL_CHUNK_BYTES = 1024
const LARGE_CHUNK_BYTES = 32768
const TICK_BYTES = 8
const COLUMN_ALIGNMENT = 16

type AnyField = any

const BYTES: Record<string, number> = { u8: 1, i16: 2, u16: 2, u32: 4, f32: 4, f64: 8 }

function widthOf(field: AnyField): number {
  return (BYTES[field.kind] as number) * field.length
}

/** The most rows that fit, by trying every number. */
function rowsThatFit(widths: readonly number[], bytes: number, components: number): number {
  const aligned = (size: number) => Math.ceil(size / COLUMN_ALIGNMENT) * COLUMN_ALIGNMENT
  let rows = 0
  const fits = (n: number) =>
    [4, ...widths].reduce((sum, width) => sum + aligned(n * width), 0) + components * TICK_BYTES <= bytes
  // Padding makes no number fit that is larger than one that does not: each column only grows.
  while (rows < 4096 && fits(rows + 1)) rows++
  return rows
}

/** Makes `count` rows, fills every column with a pattern of its own, then reads all of them. */
function writeAndReadPatterns(schema: Record<string, AnyField>, count: number): number[] {
  const world = testWorld()
  const Sample = component('Sample', schema)
  const query = world.query(Sample)
  spawnMany(world, count, [Sample])
  const names = Object.keys(schema)
  const pattern = (row: number, k: number) => (row * 7 + k * 31) % 127
  const chunks: number[] = []
  for (const chunk of query) {
    chunks.push(chunk.end)
    const columns = chunk.write(Sample) as Record<string, Uint8Array>
    names.forEach((name, k) => {
      expect(columns[name]?.byteOffset).toSatisfy((offset: number) => offset % COLUMN_ALIGNMENT === 0)
      const length = chunk.end * schema[name].length
      for (let i = 0; i < length; i++) (columns[name] as Uint8Array)[i] = pattern(i, k)
    })
  }
  for (const chunk of query) {
    const columns = chunk.read(Sample) as Record<string, Uint8Array>
    names.forEach((name, k) => {
      const length = chunk.end * schema[name].length
      for (let i = 0; i < length; i++)
        if (columns[name]?.[i] !== pattern(i, k)) throw new Error(`${name}[${i}] was overwritten`)
    })
    for (let row = 0; row < chunk.end; row++) expect(world.has(chunk.entities[row], Sample)).toBe(true)
  }
  checkInvariants(world)
  return chunks
}

describe('columns of one chunk', () => {
  it.each<[string, Record<string, AnyField>]>([
    ['of 1, 12, 8 and 4 bytes', { a: u8, b: vec(u32, 3), c: f64, d: f32 }],
    ['of every kind', { i8, u8, i16, u16, i32, u32, f32, f64, bool, entity }],
    ['of odd widths', { a: vec(u8, 3), b: u16, c: vec(u8, 7), d: u8, e: vec(i16, 5), f: vec(u8, 33) }],
    ['of a matrix', { m: vec(f32, 16) }],
    ['of wide rows', { m: vec(f64, 500), n: u8 }],
  ])('%s are aligned and do not overlap', (_, schema) => {
    writeAndReadPatterns(schema, 3000)
  })

  it('of any widths are aligned, do not overlap, and are as long as possible', () => {
    const fieldOf = fc
      .tuple(fc.constantFrom<AnyField>(u8, i16, u16, u32, f32, f64), fc.constantFrom(0, 0, 2, 3, 5, 17, 60))
      .map(([field, length]) => (length === 0 ? field : vec(field, length)))
    const property = fc.property(fc.array(fieldOf, { minLength: 1, maxLength: 12 }), (fields) => {
      const schema = Object.fromEntries(fields.map((field, i) => [`f${i}`, field]))
      const widths = fields.map(widthOf)
      const small = rowsThatFit(widths, SMALL_CHUNK_BYTES, 1)
      const full = rowsThatFit(widths, CHUNK_BYTES, 1)
      const large = rowsThatFit(widths, LARGE_CHUNK_BYTES, 1)
      // Four chunks before the first large one, which is one only if it holds half as much again.
      const four = small > 0 ? [small, full, full, full] : [full, full, full, full]
      const next = large >= full + Math.floor(full / 2) ? large : full
      const chunks = writeAndReadPatterns(schema, four.reduce((sum, rows) => sum + rows) + next + 1)
      expect(chunks).toEqual([...four, next, 1])
    })
    fc.assert(property, { seed: 16, numRuns: proofLength(120), endOnFailure: true })
  })

  it('of an archetype of many components leave room for all change ticks', () => {
    const kinds = Array.from({ length: 100 }, (_, i) => component(`C${i}`, { a: u8, b: f64 }))
    const world = testWorld()
    const entity = world.spawn(...kinds.map((kind, i) => kind({ a: i, b: i / 2 })))
    for (const [i, kind] of kinds.entries()) expect(world.get(entity, kind)).toEqual({ a: i, b: i / 2 })
    spawnMany(world, 50, kinds)
    world.advanceTick()
    for (const chunk of world.query(kinds[99] as (typeof kinds)[number]))
      chunk.write(kinds[99] as (typeof kinds)[number]).a.fill(255)
    for (const [i, kind] of kinds.slice(0, 99).entries())
      expect(world.get(entity, kind)).toEqual({ a: i, b: i / 2 })
    checkInvariants(world)
  })
})

describe('the rows of a chunk', () => {
  it('are fewer by one if padding makes the first guess too large', () => {
    // 16,384 bytes over rows of 5 bytes guess 3,276 rows; aligned columns and a tick need a little more.
    const fits = rowsThatFit([1], CHUNK_BYTES, 1)
    expect(fits).toBeGreaterThan(3200)
    expect(writeAndReadPatterns({ a: u8 }, 5000)).toEqual([
      rowsThatFit([1], SMALL_CHUNK_BYTES, 1),
      fits,
      5000 - fits - rowsThatFit([1], SMALL_CHUNK_BYTES, 1),
    ])
  })

  it('are at most 4,096 without columns, the most that a location can name', () => {
    const world = testWorld()
    const Mark = tag('Mark')
    spawnMany(world, 9000, [Mark])
    const ends = [...world.query(Mark)].length
    expect(ends).toBe(4)
    checkInvariants(world)
  })

  for (const storage of ['table', 'sparse', 'stable'] as const) {
    const Sample = component('Sample', { x: f32, y: u16 }, { storage: STORED[storage] })
    // A pool's row carries a link beside the entity.
    const widths = storage === 'table' ? [4, 2] : [4, 4, 2]
    const small = rowsThatFit(widths, SMALL_CHUNK_BYTES, 1)
    const full = rowsThatFit(widths, CHUNK_BYTES, 1)
    const large = rowsThatFit(widths, LARGE_CHUNK_BYTES, 1)
    const boundaries = [
      small,
      small + full,
      small + 3 * full,
      small + 3 * full + large,
      small + 3 * full + 2 * large,
    ]
    for (const count of [1, ...boundaries.flatMap((rows) => [rows - 1, rows, rows + 1])]) {
      it(`keep their values when a ${storage} component has ${count}, one less and one more`, () => {
        const world = testWorld()
        const handles = Array.from({ length: count }, (_, i) => world.spawn(Sample({ x: i, y: i % 65536 })))
        const expectAll = (list: readonly Entity[]) => {
          checkInvariants(world)
          for (const handle of list) expect(world.get(handle, Sample)?.x).toBe(handles.indexOf(handle))
        }
        expectAll([handles[0], handles[count - 1]])
        handles.push(world.spawn(Sample({ x: count, y: 1 })))
        expectAll(handles.slice(-3))
        // The row behind the boundary fills the hole at the front.
        world.destroy(handles[0])
        expectAll(handles.slice(-3).filter((handle) => world.isAlive(handle)))
        world.destroy(handles[handles.length - 1])
        expectAll(handles.slice(1, -1).slice(-3))
        expect(world.query(Sample).count).toBe(count - 1)
      })
    }
  }
})

describe('a row', () => {
  const exactly = { a: vec(u8, 4080), b: vec(u8, 4080), c: vec(u8, 4080), d: vec(u8, 4080), e: vec(u8, 32) }

  for (const storage of ['table', 'sparse', 'stable'] as const) {
    it(`that is a byte too large for a chunk is refused by name and size (${storage}), without any loss`, () => {
      const TooLarge = component('TooLarge', { ...exactly, e: vec(u8, 33) }, { storage: STORED[storage] })
      const world = testWorld()
      const attempt = () => world.spawn(TooLarge)
      expect(attempt).toThrow(LimitError)
      expect(attempt).toThrow(
        storage === 'table'
          ? /takes 16392 bytes\. Of that, TooLarge takes 16376 bytes/
          : /TooLarge takes 16408 bytes a row/,
      )
      const { bytesUsed } = world.stats()
      for (let i = 0; i < 200; i++) expect(attempt).toThrow(LimitError)
      expect(world.stats()).toMatchObject({ entities: 0, chunks: 0, bytesUsed })
      const witness = world.spawn()
      expect(() => world.add(witness, TooLarge)).toThrow(/TooLarge takes/)
      expect(() => world.set(witness, TooLarge, { e: new Uint8Array(33) })).toThrow(/TooLarge takes/)
      expect(() => spawnMany(world, 3, [TooLarge])).toThrow(/TooLarge takes/)
      expect(world.has(witness, TooLarge)).toBe(false)
      expect(world.stats().entities).toBe(1)
      checkInvariants(world)
    })
  }

  it('of several components that only fit separately is refused, and the entity keeps what it has', () => {
    const Half = component('Half', { a: vec(u8, 4095), b: vec(u8, 4095) })
    const Rest = component('Rest', { a: vec(u8, 4095), b: vec(u8, 4095) })
    const world = testWorld()
    const entity = world.spawn(Half({ a: new Array(4095).fill(3) }))
    expect(() => world.add(entity, Rest)).toThrow(LimitError)
    expect(world.has(entity, Rest)).toBe(false)
    expect(world.get(entity, Half)?.a[4094]).toBe(3)
    expect(() => addMany(world.query(Half), Rest)).toThrow(LimitError)
    checkInvariants(world)
  })
})
