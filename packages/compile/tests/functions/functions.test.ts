// Shows that sin, cos, exp, rsqrt and random give the same bits for one number, for lanes and in JavaScript, how accurate they
// are, and how even random numbers are.

import { beforeAll, describe, expect, it } from 'vitest'
import { cos, exp, random, randomFloat, rsqrt, sin } from '../../src/functions/functions'
import { compile, instantiate } from '../../../../tests/support/compiled'

const NAMES = ['rsqrt', 'sin', 'cos', 'exp'] as const
type Name = (typeof NAMES)[number]
const TWINS: Record<Name, (x: number) => number> = { rsqrt, sin, cos, exp }

// Reads f32 from page 1 on, writes what the function gives for each: the number's, then the lanes'.
const SOURCE = [
  `import { ${NAMES.flatMap((name) => [name, `${name}Lanes`]).join(', ')} } from './assembly/kernel'`,
  `import { random, randomFloat, randomLanes, randomFloatLanes } from './assembly/kernel'`,
  ...NAMES.map(
    (name) => `
export function ${name}All(input: usize, output: usize, count: i32): void {
  for (let i = 0; i < count; i++) store<f32>(output + (i << 2), ${name}(load<f32>(input + (i << 2))))
}
export function ${name}AllLanes(input: usize, output: usize, count: i32): void {
  for (let i = 0; i < count; i += 4) v128.store(output + (i << 2), ${name}Lanes(v128.load(input + (i << 2))))
}`,
  ),
  `
export function randomAll(input: usize, output: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const key = load<u32>(input + (i << 3)), counter = load<u32>(input + (i << 3), 4)
    store<u32>(output + (i << 3), random(key, counter))
    store<f32>(output + (i << 3), randomFloat(key, counter), 4)
  }
}
export function randomAllLanes(input: usize, output: usize, count: i32): void {
  for (let i = 0; i < count; i += 4) {
    const a = v128.load(input + (i << 3)), b = v128.load(input + (i << 3), 16)
    const keys = v128.shuffle<u32>(a, b, 0, 2, 4, 6), counters = v128.shuffle<u32>(a, b, 1, 3, 5, 7)
    const whole = randomLanes(keys, counters), floats = randomFloatLanes(keys, counters)
    v128.store(output + (i << 3), v128.shuffle<u32>(whole, floats, 0, 4, 1, 5))
    v128.store(output + (i << 3), v128.shuffle<u32>(whole, floats, 2, 6, 3, 7), 16)
  }
}`,
].join('\n')

type Pass = (input: number, output: number, count: number) => void
type Exports = Record<`${Name}All` | `${Name}AllLanes` | 'randomAll' | 'randomAllLanes', Pass>
const INPUT = 0x10000
const OUTPUT = 0x80000
const AT_ONCE = 0x10000

let memory: WebAssembly.Memory
let wasm: Exports

beforeAll(async () => {
  ;({ memory, exports: wasm } = instantiate<Exports>(await compile(SOURCE)))
})

/** What a pass gives for these 32-bit words, as words. */
function pass(run: Pass, words: Uint32Array, wordsEach: number): Uint32Array {
  const result = new Uint32Array(words.length)
  const heap = new Uint32Array(memory.buffer)
  for (let at = 0; at < words.length; at += AT_ONCE) {
    const part = words.subarray(at, at + AT_ONCE)
    heap.set(part, INPUT >> 2)
    run(INPUT, OUTPUT, part.length / wordsEach)
    result.set(heap.subarray(OUTPUT >> 2, (OUTPUT >> 2) + part.length), at)
  }
  return result
}

const scratch = new DataView(new ArrayBuffer(4))
const bitsOf = (value: number): number => (scratch.setFloat32(0, value), scratch.getUint32(0))

/** Floats whose bits are spread over all of them (each exponent, both signs, NaN), then the special ones, then a sweep. */
function inputs(low: number, high: number): Uint32Array {
  const specials = [0, -0, 1, -1, Infinity, -Infinity, NaN, 1.17549435e-38, 1.4e-45, -1.4e-45, 3.4028235e38]
  const edges = [
    8192,
    12867.9,
    100000,
    2 ** 22,
    2 ** 23,
    2 ** 31,
    2 ** 33,
    88.72283,
    88.8,
    -87.33655,
    -103.9,
    -104,
  ]
  const list = [...specials, ...edges, ...edges.map((x) => -x)]
  const words = new Uint32Array(400_000)
  for (let i = 0; i < 150_000; i++) words[i] = random(7, i)
  list.forEach((x, i) => (words[150_000 + i] = bitsOf(x)))
  const swept = 150_000 + list.length
  for (let i = swept; i < words.length; i++) {
    words[i] = bitsOf(low + ((high - low) * (i - swept)) / (words.length - swept - 1))
  }
  return words
}

/** A NaN may have any payload: engines are free in that. */
const canonical = (words: Uint32Array): Uint32Array =>
  words.map((word) => ((word & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : word))

describe.each([
  ['rsqrt', 0, 100],
  ['sin', -8192, 8192],
  ['cos', -20, 20],
  ['exp', -110, 95],
] as const)('%s', (name, low, high) => {
  it('gives the same bits for a single number, for lanes and in JavaScript', () => {
    const words = inputs(low, high)
    const floats = new Float32Array(words.buffer)
    const one = canonical(pass(wasm[`${name}All`], words, 1))
    const lanes = canonical(pass(wasm[`${name}AllLanes`], words, 1))
    const twin = canonical(new Uint32Array(Float32Array.from(floats, TWINS[name]).buffer))
    const differs = words.findIndex((_, i) => one[i] !== lanes[i] || one[i] !== twin[i])
    expect(differs < 0 ? 'none' : [floats[differs], one[differs], lanes[differs], twin[differs]]).toBe('none')
  })

  it('rounds what it is given to f32 first', () => {
    for (const x of [0.1, 1 / 3, 2.7]) expect(TWINS[name](x)).toBe(TWINS[name](Math.fround(x)))
  })
})

/** The greatest `error(x)` over evenly spaced f32. */
function greatest(low: number, high: number, count: number, error: (x: number) => number): number {
  let most = 0
  for (let i = 0; i <= count; i++) most = Math.max(most, error(Math.fround(low + ((high - low) * i) / count)))
  return most
}

describe('errors', () => {
  it.each([
    ['sin', sin, Math.sin],
    ['cos', cos, Math.cos],
  ] as const)(
    '%s is within 1e-7 of the true value for |x| <= 12,800, and never leaves [-1, 1]',
    (_, near, exact) => {
      const error = (x: number): number => Math.abs(near(x) - exact(x))
      expect(greatest(-12_800, 12_800, 3_000_000, error)).toBeLessThan(1e-7)
      expect(greatest(-30_000, 30_000, 300_000, error)).toBeLessThan(1e-3)
      expect(greatest(-1e5, 1e5, 300_000, error)).toBeLessThan(4e-3)
      expect(greatest(-4, 4, 1_000_000, error)).toBeLessThan(1e-7)
      expect(greatest(-4, 4, 1_000_000, (x) => Math.abs(near(x)))).toBeLessThanOrEqual(1)
      // Far out the value means nothing, but the bound holds.
      expect(greatest(-3e38, 3e38, 500_000, (x) => Math.abs(near(x)))).toBeLessThanOrEqual(1)
      expect(near(Infinity)).toBeNaN()
      expect(near(-Infinity)).toBeNaN()
      expect(near(NaN)).toBeNaN()
    },
  )

  it('sin is exact for small numbers; both zeros give 0', () => {
    expect(sin(-0)).toBe(0)
    expect(sin(0)).toBe(0)
    for (const x of [1e-5, -1e-10, 1.4e-45]) expect(sin(x)).toBe(Math.fround(x))
    expect(cos(0)).toBe(1)
  })

  it('exp is within 1e-7, relative, where the result is a normal number', () => {
    const error = (x: number): number => Math.abs(exp(x) / Math.exp(x) - 1)
    expect(greatest(-87.3, 88.7, 4_000_000, error)).toBeLessThan(1e-7)
    expect(greatest(-1, 1, 1_000_000, error)).toBeLessThan(1e-7)
  })

  it('exp underflows and overflows as it should', () => {
    expect(exp(0)).toBe(1)
    expect(exp(-0)).toBe(1)
    for (const x of [88.8, 1000, Infinity]) expect(exp(x)).toBe(Infinity)
    for (const x of [-104, -1000, -Infinity]) expect(exp(x)).toBe(0)
    expect(exp(NaN)).toBeNaN()
    // Between the least normal number and nothing: within one of the smallest steps there are.
    expect(greatest(-104, -87.3, 200_000, (x) => Math.abs(exp(x) - Math.exp(x)))).toBeLessThan(1.5e-45)
  })

  it('rsqrt is within 1.2e-7, relative', () => {
    const error = (x: number): number => Math.abs(rsqrt(x) * Math.sqrt(x) - 1)
    expect(greatest(1e-3, 100, 2_000_000, error)).toBeLessThan(1.2e-7)
    expect(greatest(1e30, 3e38, 200_000, error)).toBeLessThan(1.2e-7)
    expect([rsqrt(0), rsqrt(-0), rsqrt(Infinity), rsqrt(-1)]).toEqual([Infinity, -Infinity, 0, NaN])
  })
})

describe('random', () => {
  it('gives the same bits for a single number, for lanes and in JavaScript', () => {
    const words = new Uint32Array(400_000)
    for (let i = 0; i < words.length; i++) words[i] = i % 3 === 0 ? i : random(i, 3)
    words.set([0, 0, 0xffffffff, 0xffffffff, 0, 0xffffffff, 0xffffffff, 0])
    const one = pass(wasm.randomAll, words, 2)
    const lanes = pass(wasm.randomAllLanes, words, 2)
    const twin = new Uint32Array(words.length)
    for (let i = 0; i < words.length; i += 2) {
      twin[i] = random(words[i]!, words[i + 1]!)
      twin[i + 1] = bitsOf(randomFloat(words[i]!, words[i + 1]!))
    }
    expect(one.findIndex((word, i) => word !== lanes[i] || word !== twin[i])).toBe(-1)
  })

  it('takes its arguments modulo 2^32', () => {
    expect(random(-1, 5)).toBe(random(0xffffffff, 5))
    expect(random(5, 2 ** 32 + 7)).toBe(random(5, 7))
  })

  it('floats are from 0 up to and excluding 1, with the mean and the variance of a uniform distribution', () => {
    const count = 1_000_000
    let [sum, squares, least, most] = [0, 0, 1, 0]
    for (let i = 0; i < count; i++) {
      const x = randomFloat(42, i)
      sum += x
      squares += (x - 0.5) ** 2
      least = Math.min(least, x)
      most = Math.max(most, x)
    }
    expect(least).toBeGreaterThanOrEqual(0)
    expect(most).toBeLessThan(1)
    expect(most).toBeGreaterThan(0.999)
    // Four standard deviations of the mean are 0.0012.
    expect(Math.abs(sum / count - 0.5)).toBeLessThan(0.0012)
    expect(Math.abs(squares / count - 1 / 12)).toBeLessThan(0.0004)
  })

  /** How often each bit of `value(i)` is set, at most so far from half of `count`, in standard deviations. */
  const worstBit = (count: number, value: (i: number) => number): number => {
    const set = new Array<number>(32).fill(0)
    for (let i = 0; i < count; i++) {
      const bits = value(i)
      for (let bit = 0; bit < 32; bit++) set[bit]! += (bits >>> bit) & 1
    }
    return Math.max(...set.map((n) => Math.abs(n - count / 2) / (Math.sqrt(count) / 2)))
  }

  // Each is 32 tests of even chances: 5 standard deviations happen by accident once in 50,000.
  it.each<[string, (i: number) => number]>([
    ['of one key', (i) => random(1, i)],
    ['of one counter', (i) => random(i, 1)],
    ['of neighbouring counters, compared', (i) => random(9, i) ^ random(9, i + 1)],
    ['of neighbouring keys, compared', (i) => random(i, 9) ^ random(i + 1, 9)],
    ['of counters that differ in the highest bit', (i) => random(9, i) ^ random(9, i + 0x80000000)],
    ['of keys that differ in the highest bit', (i) => random(i, 9) ^ random(i + 0x80000000, 9)],
    ['of exchanged arguments', (i) => random(i, i + 1000) ^ random(i + 1000, i)],
    ['along the diagonal', (i) => random(i, i)],
  ])('bits are even: %s', (_, value) => {
    expect(worstBit(200_000, value)).toBeLessThan(5)
  })

  it('one changed bit of an argument changes half of the result, wherever it is', () => {
    for (let bit = 0; bit < 32; bit++) {
      expect(worstBit(20_000, (i) => random(i, 5) ^ random(i ^ (1 << bit), 5))).toBeLessThan(5.5)
      expect(worstBit(20_000, (i) => random(5, i) ^ random(5, i ^ (1 << bit)))).toBeLessThan(5.5)
    }
  })

  it('values in a grid of keys and counters fill 256 cells evenly', () => {
    const cells = new Array<number>(256).fill(0)
    for (let key = 0; key < 512; key++) {
      for (let counter = 0; counter < 512; counter++) cells[random(key, counter) >>> 24]! += 1
    }
    const square = cells.reduce((sum, n) => sum + (n - 1024) ** 2 / 1024, 0)
    // Chi-square with 255 degrees of freedom: mean 255, standard deviation 22.6.
    expect(square).toBeGreaterThan(255 - 5 * 22.6)
    expect(square).toBeLessThan(255 + 5 * 22.6)
  })

  it('one key never gives a number twice for nearby counters', () => {
    expect(new Set(Array.from({ length: 300_000 }, (_, i) => random(3, i))).size).toBe(300_000)
  })
})
