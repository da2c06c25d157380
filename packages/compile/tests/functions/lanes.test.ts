// Shows that every lane function does to four rows at a time what plain code does to one after the other, to the last bit.

import { beforeAll, describe, expect, it } from 'vitest'
import { random } from '../../src/functions/functions'
import { compile, instantiate } from '../../../../tests/support/compiled'

const WIDTHS = { i8: 1, u8: 1, i16: 2, u16: 2, i32: 4, u32: 4, f32: 4, bool: 1 } as const
type Type = keyof typeof WIDTHS
const TYPES = Object.keys(WIDTHS) as Type[]
const PAIRS = TYPES.flatMap((from) => TYPES.map((to) => [from, to] as const))
const LENGTHS = [2, 3, 16] as const

// Each lane function beside the plain code that it must equal. Row 1 is the first, so that no address is a whole vector's.
const SOURCE = `
import {
  Column, ReadonlyColumn, Vec2Column, Vec3Column, Vec16Column, loadLanes, storeLanes, storeLanesWhere, gatherLanes,
  scatterLanes, scatterLanesWhere, splatLanes, rampLanes, convertLanes, cutLanes, sumLanes, minLanes,
  maxLanes,
} from './assembly/kernel'
${PAIRS.map(
  ([from, to]) => `
export function ${from}To_${to}(a: ReadonlyColumn<${from}>, b: Column<${to}>): void {
  for (let i = 1; i < ROWS; i++) b[i] = <${to}>a[i]
}
export function ${from}To_${to}Lanes(a: ReadonlyColumn<${from}>, b: Column<${to}>): void {
  for (let i = 1; i < ROWS; i += 4) storeLanes<${to}>(b, i, convertLanes<${from}, ${to}>(loadLanes<${from}>(a, i)))
}`,
).join('')}
${TYPES.map(
  (type) => `
export function ${type}Where(a: ReadonlyColumn<${type}>, b: Column<${type}>): void {
  for (let i = 1; i < ROWS; i++) if (i % 3 == 0) b[i] = a[i]
}
export function ${type}WhereLanes(a: ReadonlyColumn<${type}>, b: Column<${type}>): void {
  for (let i = 1; i < ROWS; i += 4) storeLanesWhere<${type}>(b, i, thirds(i), loadLanes<${type}>(a, i))
}
export function ${type}Splat(a: ReadonlyColumn<${type}>, b: Column<${type}>): void {
  for (let i = 1; i < ROWS; i++) b[i] = a[7]
}
export function ${type}SplatLanes(a: ReadonlyColumn<${type}>, b: Column<${type}>): void {
  for (let i = 1; i < ROWS; i += 4) storeLanes<${type}>(b, i, splatLanes<${type}>(a[7]))
}
${LENGTHS.map(
  (length) => `
export function ${type}Vec${length}(a: Vec${length}Column<${type}>, b: Vec${length}Column<${type}>): void {
  for (let i = 1; i < ROWS; i++) {
    b[i][1] = a[i][0]
    if (i % 3 == 0) b[i][0] = a[i][1]
  }
}
export function ${type}Vec${length}Lanes(a: Vec${length}Column<${type}>, b: Vec${length}Column<${type}>): void {
  for (let i = 1; i < ROWS; i += 4) {
    scatterLanes<${type}>(b[i], ${length}, 1, gatherLanes<${type}>(a[i], ${length}, 0))
    scatterLanesWhere<${type}>(b[i], ${length}, 0, thirds(i), gatherLanes<${type}>(a[i], ${length}, 1))
  }
}`,
).join('')}`,
).join('')}
${['i8', 'u8', 'i16', 'u16']
  .map(
    (type) => `
export function ${type}Wraps(a: ReadonlyColumn<${type}>, b: Column<i32>): void {
  for (let i = 1; i < ROWS; i++) { const sum: ${type} = a[i] + 100 * <${type}>i; b[i] = <i32>sum }
}
export function ${type}WrapsLanes(a: ReadonlyColumn<${type}>, b: Column<i32>): void {
  for (let i = 1; i < ROWS; i += 4) {
    const sum = i32x4.add(loadLanes<${type}>(a, i), i32x4.mul(i32x4.splat(100), rampLanes(i)))
    storeLanes<i32>(b, i, cutLanes<${type}>(sum))
  }
}`,
  )
  .join('')}
${['i32', 'u32', 'f32']
  .map(
    (type) => `
export function ${type}Reduce(a: ReadonlyColumn<${type}>, b: Column<${type}>): void {
  for (let i = 1; i < ROWS; i += 4) {
    b[i] = a[i] + a[i + 1] + (a[i + 2] + a[i + 3])
    b[i + 1] = min(min(a[i], a[i + 1]), min(a[i + 2], a[i + 3]))
    b[i + 2] = max(max(a[i], a[i + 1]), max(a[i + 2], a[i + 3]))
  }
}
export function ${type}ReduceLanes(a: ReadonlyColumn<${type}>, b: Column<${type}>): void {
  for (let i = 1; i < ROWS; i += 4) {
    const x = loadLanes<${type}>(a, i)
    b[i] = sumLanes<${type}>(x)
    b[i + 1] = minLanes<${type}>(x)
    b[i + 2] = maxLanes<${type}>(x)
  }
}`,
  )
  .join('')}
function thirds(i: i32): v128 {
  return i32x4(i % 3 == 0 ? -1 : 0, (i + 1) % 3 == 0 ? -1 : 0, (i + 2) % 3 == 0 ? -1 : 0, (i + 3) % 3 == 0 ? -1 : 0)
}
const ROWS: i32 = 2001
`

type Pass = (a: number, b: number) => void
const A = 0x10000
const B = 0x50000
const SIZE = 0x40000

let memory: WebAssembly.Memory
let wasm: Record<string, Pass>

beforeAll(async () => {
  ;({ memory, exports: wasm } = instantiate<Record<string, Pass>>(await compile(SOURCE)))
})

const SPECIALS = [
  0, -0, 0.5, -0.5, 1, -1, 1.9, -1.9, 127, 128, 255, 256, 300.7, -129, 32768, 65535.5, 65536, 1e9, -1e9,
]
const FAR = [
  2 ** 31,
  2 ** 31 - 128,
  -(2 ** 31),
  -(2 ** 31) - 256,
  2 ** 32,
  1e20,
  -1e20,
  Infinity,
  -Infinity,
  NaN,
]

/** A column of this type: random bits, and for floats all that is special and numbers of a middle size. */
function fill(type: Type): void {
  const words = new Uint32Array(memory.buffer, A, SIZE >> 2)
  words.forEach((_, i) => (words[i] = random(11, i)))
  if (type === 'bool')
    new Uint8Array(memory.buffer, A, SIZE).forEach((byte, i, bytes) => (bytes[i] = byte & 1))
  if (type !== 'f32') return
  const floats = new Float32Array(memory.buffer, A, SIZE >> 2)
  floats.forEach(
    (_, i) => (floats[i] = i % 5 === 0 ? floats[i]! : ((random(12, i) | 0) / 2 ** 31) * 10 ** (i % 11)),
  )
  floats.set([...SPECIALS, ...FAR], 8)
}

/** What lies at B before a pass: a byte that no pass leaves everywhere, but what a bool can be where one is kept. */
const before = (name: string): number => (/^bool[WVU]/.test(name) ? 0 : 7)

/** The bytes that a pass leaves at B. */
function outcome(name: string): Uint8Array {
  const bytes = new Uint8Array(memory.buffer, B, SIZE)
  bytes.fill(before(name))
  expect(wasm[name], name).toBeTypeOf('function')
  wasm[name]!(A, B)
  return bytes.slice()
}

function expectEqual(plain: string, lanes: string): void {
  const [a, b] = [outcome(plain), outcome(lanes)]
  const differs = a.findIndex((byte, i) => byte !== b[i])
  expect(differs < 0 ? 'equal' : `byte ${differs}: ${a[differs]}, in lanes ${b[differs]}`).toBe('equal')
  // The test sees what it should: something was written.
  expect(a.some((byte) => byte !== before(plain))).toBe(true)
}

describe('four rows at a time equal four times one row, to the last bit', () => {
  it.each(PAIRS)('%s converted to %s, including all special values', (from, to) => {
    fill(from)
    expectEqual(`${from}To_${to}`, `${from}To_${to}Lanes`)
  })

  it.each(TYPES)('%s stored under a mask, and one value in all lanes', (type) => {
    fill(type)
    expectEqual(`${type}Where`, `${type}WhereLanes`)
    expectEqual(`${type}Splat`, `${type}SplatLanes`)
  })

  it.each(TYPES.flatMap((type) => LENGTHS.map((length) => [type, length] as const)))(
    'vec of %s, %i a row: gathered, scattered, scattered under a mask',
    (type, length) => {
      fill(type)
      expectEqual(`${type}Vec${length}`, `${type}Vec${length}Lanes`)
    },
  )

  it.each(['i8', 'u8', 'i16', 'u16'])('%s wraps in the same way', (type) => {
    fill(type as Type)
    expectEqual(`${type}Wraps`, `${type}WrapsLanes`)
  })

  it.each(['i32', 'u32'])('sum, min and max of %s', (type) => {
    fill(type as Type)
    expectEqual(`${type}Reduce`, `${type}ReduceLanes`)
  })

  it('sum, min and max of f32', () => {
    // Without NaN, whose bits are free.
    const floats = new Float32Array(memory.buffer, A, SIZE >> 2)
    floats.forEach((_, i) => (floats[i] = (random(13, i) | 0) / 2 ** 25))
    expectEqual('f32Reduce', 'f32ReduceLanes')
  })
})

it('f64 has no lanes, and the compiler says so', async () => {
  const source = `import { Column, loadLanes } from './assembly/kernel'
export function no(a: Column<f64>): f32 { return f32x4.extract_lane(loadLanes<f64>(a, 0), 0) }`
  await expect(compile(source)).rejects.toThrow(/f64 has no lanes/)
})
