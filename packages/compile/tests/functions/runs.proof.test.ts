// Shows that the walk over a mask of rows gives the runs of a plain loop, and that each argument is read where it lies.

import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { compile, instantiate } from '../../../../tests/support/compiled'
import { proofLength } from '../../../../tests/support/proofs'

// The walk as an entry function does it: a kernel that is given its runs, here one that lists them.
const SOURCE = `
import { Rows } from './assembly/kernel'
import { blockBytes, columnOf, firstBlock, maskOf, numberOf, rowsOf } from './assembly/kernel/arguments'
import { nextRun } from './assembly/kernel/runs'

export function list(block: usize): u32 {
  const rows = changetype<Rows>(<usize>rowsOf(block))
  const output = changetype<usize>(columnOf<Rows>(block, 0))
  let count: u32 = 0
  let run = nextRun(maskOf(block), rows.start, rows.end)
  while (run != 0) {
    store<u32>(output + (count++ << 2), run)
    run = nextRun(maskOf(block), run >> 16, rows.end)
  }
  return count
}

export function sum(address: usize): f64 {
  const block = firstBlock(address, 4) + blockBytes(2)
  return (
    <f64>numberOf<f32>(address, 0) + numberOf<f64>(address, 1) + <f64>numberOf<i32>(address, 2) +
    <f64>numberOf<u32>(address, 3) + <f64>rowsOf(block) + <f64>maskOf(block) +
    <f64>changetype<usize>(columnOf<Rows>(block, 0)) + <f64>changetype<usize>(columnOf<Rows>(block, 1))
  )
}
`

interface Exports {
  list(block: number): number
  sum(address: number): number
}
type Run = [start: number, end: number]

const BLOCK = 0x10000
const MASK = 0x20000
const OUTPUT = 0x40000

let memory: WebAssembly.Memory
let wasm: Exports

beforeAll(async () => {
  ;({ memory, exports: wasm } = instantiate<Exports>(await compile(SOURCE)))
})

/** The runs of set bits from start to end, by the kernel library. Bits behind the last row are set: none may be read. */
function walk(bits: boolean[], start: number, end: number): Run[] {
  const words = new Uint32Array(memory.buffer)
  words.fill(0xffffffff, MASK >> 2, (MASK >> 2) + 2048 + 2)
  bits.forEach((bit, row) => {
    if (!bit) words[(MASK >> 2) + (row >> 5)]! &= ~(1 << (row & 31))
  })
  words.set([start | (end << 16), MASK, OUTPUT], BLOCK >> 2)
  const count = wasm.list(BLOCK)
  return Array.from(words.subarray(OUTPUT >> 2, (OUTPUT >> 2) + count), (run): Run => [
    run & 0xffff,
    run >>> 16,
  ])
}

/** The same, row by row. */
function plainly(bits: boolean[], start: number, end: number): Run[] {
  const runs: Run[] = []
  for (let row = start; row < end; row++) {
    if (!bits[row]) continue
    const last = runs[runs.length - 1]
    if (last?.[1] === row) last[1] = row + 1
    else runs.push([row, row + 1])
  }
  return runs
}

const SIZES = [0, 1, 2, 63, 64, 65, 127, 128, 129, 4095, 65_535]

it.each(SIZES)('%i rows: all, none, every second, the first, the last', (size) => {
  const masks = [
    () => true,
    () => false,
    (row: number) => row % 2 === 0,
    (row: number) => row === 0,
    (row: number) => row === size - 1,
    (row: number) => row % 64 !== 63,
    (row: number) => row % 64 === 0,
  ]
  for (const mask of masks) {
    const bits = Array.from({ length: size }, (_, row) => mask(row))
    expect(walk(bits, 0, size)).toEqual(plainly(bits, 0, size))
  }
})

it('any mask, from any row to any row, gives the runs of a plain loop', () => {
  const run = fc.tuple(
    fc.boolean(),
    fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 200 })),
  )
  const window = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  fc.assert(
    fc.property(fc.array(run, { maxLength: 60 }), window, (lengths, [from, to]) => {
      const bits = lengths.flatMap(([bit, length]) => new Array<boolean>(length).fill(bit))
      const start = Math.floor(Math.min(from, to) * bits.length)
      const end = Math.floor(Math.max(from, to) * bits.length)
      expect(walk(bits, start, end)).toEqual(plainly(bits, start, end))
      expect(walk(bits, 0, bits.length)).toEqual(plainly(bits, 0, bits.length))
    }),
    { numRuns: proofLength(500) },
  )
})

it('each argument is read at its place: numbers, then blocks', () => {
  const view = new DataView(memory.buffer, BLOCK)
  view.setFloat32(0, 0.25, true)
  view.setFloat64(8, 1e9, true)
  view.setInt32(16, -40, true)
  view.setUint32(24, 4_000_000_000, true)
  // Behind the numbers and a first block of 16 bytes.
  ;[1, 2, 300, 5000].forEach((word, i) => view.setUint32(48 + 4 * i, word, true))
  expect(wasm.sum(BLOCK)).toBe(0.25 + 1e9 - 40 + 4_000_000_000 + 1 + 2 + 300 + 5000)
})
