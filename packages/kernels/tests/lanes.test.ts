// Shows what the compiler makes of a kernel over Lanes: vector instructions, the same results as row by row, and a refusal at its
// place for what cannot run in lanes.

import { beforeAll, describe, expect, test } from 'vitest'
import { KernelSourceError } from '../src'
import { compileText, twinsOf } from './support/laneSource'

const ARGUMENTS = 65536
const EMPTY: Record<string, number> = { least: Infinity, most: -Infinity }

/** An address of a column, or a number. */
type Given = number | { f32: number } | { f64: number } | { u32: number }

interface Kernels {
  memory: WebAssembly.Memory
  run(name: string, start: number, end: number, given: Given[]): number | undefined
  text: string
}

/** Compiles a source and runs its kernels, one block of arguments a call. */
async function kernelsOf(source: string): Promise<Kernels> {
  const { bytes, text } = await compileText(source)
  const memory = new WebAssembly.Memory({ initial: 4 })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes as BufferSource), {
    env: { memory },
  })
  const run: Kernels['run'] = (name, start, end, given) => {
    const view = new DataView(memory.buffer)
    const columns = given.filter((one) => typeof one === 'number')
    const numbers = given.filter((one) => typeof one !== 'number')
    for (const [k, number] of numbers.entries()) {
      const at = ARGUMENTS + 8 * k
      if ('f32' in number) view.setFloat32(at, number.f32, true)
      else if ('f64' in number) view.setFloat64(at, number.f64, true)
      else view.setUint32(at, number.u32, true)
    }
    const block = ARGUMENTS + 8 * numbers.length
    view.setUint32(block, start | (end << 16), true)
    view.setUint32(block + 4, 0, true)
    for (const [k, address] of columns.entries()) view.setUint32(block + 8 + 4 * k, address, true)
    const kernel = exports[name] as (address: number, count: number, result: number) => number | undefined
    return kernel(ARGUMENTS, 1, EMPTY[name] ?? 0)
  }
  return { memory, run, text }
}

const IMPORT = `import { Column, Count, Entities, Lanes, Max, Min, ReadonlyColumn, Rows, Sum, Vec3Column, random, sin } from 'strata-ecs/kernel'
`
const X = 0x20000
const Y = 0x21000
const Z = 0x22000

/** The text of one function of a module. */
function functionText(module: string, name: string): string {
  const start = module.indexOf(` (func $${name} `)
  return module.slice(start, module.indexOf('\n )', start))
}

describe('the code made from a loop', () => {
  let kernels: Kernels
  beforeAll(async () => {
    kernels = await kernelsOf(`${IMPORT}
export function move(rows: Lanes, px: Column<f32>, py: Column<f32>, pz: Column<f32>, vx: ReadonlyColumn<f32>,
                     vy: ReadonlyColumn<f32>, vz: ReadonlyColumn<f32>, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) {
    px[i] += vx[i] * dt
    py[i] += vy[i] * dt
    pz[i] += vz[i] * dt
  }
}
`)
  })

  test('adding scaled columns is loads, multiplications, additions and stores of vectors, and one splat', () => {
    const text = functionText(kernels.text, '__entry/__entry0')
    const vector = text.match(/\b(?:v128|[fi]\d+x\d+)\.\w+/g)!
    const counts = Object.fromEntries(
      [...new Set(vector)].map((name) => [name, vector.filter((other) => other === name).length]),
    )
    expect(counts).toEqual({
      'f32x4.splat': 1,
      'v128.load': 6,
      'f32x4.mul': 3,
      'f32x4.add': 3,
      'v128.store': 3,
    })
  })

  test('rows before and after the run stay as they are, whatever its length', () => {
    const columns = [0, 1, 2, 3, 4, 5].map((k) => new Float32Array(kernels.memory.buffer, X + k * 0x400, 32))
    for (let length = 0; length < 13; length++) {
      for (const [k, column] of columns.entries()) column.fill(k + 1)
      const slots = columns.map((column) => column.byteOffset)
      kernels.run('move', 3, 3 + length, [...slots, { f32: 0.5 }])
      const wanted = new Float32Array(32).fill(1).fill(3, 3, 3 + length)
      expect(columns[0]).toEqual(wanted)
    }
  })
})

test('a block of an if that no lane enters is not run', () => {
  const text = twinsOf(`${IMPORT}
export function f(rows: Lanes, x: Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) if (x[i] > 1) x[i] = sin(x[i])
}`)
  expect(text).toMatch(/if \(v128\.any_true\(\w+\)\) \{\n\s+__library\.storeLanesWhere<f32>/)
})

test('a value that is the same for all rows is computed once, before the loop', () => {
  const text = twinsOf(`${IMPORT}
const SCALE: f32 = 3
export function f(rows: Lanes, x: Column<f32>, dt: f32): void {
  const half = dt * 0.5
  for (let i = rows.start; i < rows.end; i++) {
    const step = half * SCALE
    x[i] = x[i] * step + step
  }
}`)
  const loop = text.slice(text.indexOf('for ('), text.indexOf('export function'))
  expect(loop).not.toMatch(/splat|half|SCALE/)
})

test('a kernel over Rows has no twin', () => {
  expect(
    twinsOf(
      `${IMPORT}export function f(rows: Rows, x: Column<f32>): void { for (let i = rows.start; i < rows.end; i++) x[i] = 0 }`,
    ),
  ).toBe('')
})

describe('reductions', () => {
  let kernels: Kernels
  beforeAll(async () => {
    kernels = await kernelsOf(`${IMPORT}
export function total(rows: Lanes, x: ReadonlyColumn<f32>): Sum<f32> {
  let sum: f32 = 0
  for (let i = rows.start; i < rows.end; i++) sum += x[i]
  return sum
}
export function positive(rows: Lanes, x: ReadonlyColumn<f32>): Count {
  let count: u32 = 0
  for (let i = rows.start; i < rows.end; i++) {
    if (x[i] <= 0) continue
    count++
  }
  return count
}
export function least(rows: Lanes, x: ReadonlyColumn<f32>): Min<f32> {
  let least: f32 = Infinity
  for (let i = rows.start; i < rows.end; i++) least = min(least, x[i])
  return least
}
export function most(rows: Lanes, x: ReadonlyColumn<f32>, y: ReadonlyColumn<f32>): Max<f32> {
  let most: f32 = -Infinity
  for (let i = rows.start; i < rows.end; i++) most = max(x[i], most)
  for (let i = rows.start; i < rows.end; i++) if (y[i] != 0) most = max(most, y[i])
  return most
}`)
  })

  test('lanes are joined, together with the remaining rows', () => {
    const x = new Float32Array(kernels.memory.buffer, X, 32)
    const y = new Float32Array(kernels.memory.buffer, Y, 32)
    for (let k = 0; k < 32; k++) {
      x[k] = ((k * 7) % 13) - 4
      y[k] = k === 9 ? 100 : 0
    }
    for (let length = 0; length < 14; length++) {
      const part = [...x.subarray(2, 2 + length)]
      const sum = part.reduce((a, b) => a + b, 0)
      expect(kernels.run('total', 2, 2 + length, [X])).toBe(sum)
      expect(kernels.run('positive', 2, 2 + length, [X])).toBe(part.filter((value) => value > 0).length)
      expect(kernels.run('least', 2, 2 + length, [X])).toBe(Math.min(...part))
      expect(kernels.run('most', 2, 2 + length, [X, Y])).toBe(Math.max(...part, length > 7 ? 100 : -Infinity))
    }
  })

  test('a single NaN makes the minimum and the maximum NaN', () => {
    const x = new Float32Array(kernels.memory.buffer, X, 32).fill(1)
    x[6] = NaN
    expect(kernels.run('least', 0, 13, [X])).toBeNaN()
    expect(kernels.run('most', 0, 13, [X, Y])).toBeNaN()
  })
})

test('several loops, variables between them and conditions around them work in sequence', async () => {
  const kernels = await kernelsOf(`${IMPORT}
export function f(rows: Lanes, x: Column<f32>, y: Column<f32>, z: Column<i32>, k: f32, twice: bool): void {
  let scale = k
  for (let i = rows.start; i < rows.end; i++) x[i] *= scale
  scale = scale + 1
  if (twice) {
    for (let row = rows.start; row < rows.end; ++row) {
      y[row] = x[row] + scale
    }
  } else {
    for (let i: i32 = rows.start; i != rows.end; i += 1) z[i] = i
  }
}`)
  const at = (address: number): Float32Array => new Float32Array(kernels.memory.buffer, address, 8)
  at(X).fill(2)
  kernels.run('f', 0, 7, [X, Y, Z, { f32: 3 }, { u32: 1 }])
  expect([...at(X)]).toEqual([6, 6, 6, 6, 6, 6, 6, 2])
  expect([...at(Y)]).toEqual([10, 10, 10, 10, 10, 10, 10, 0])
  kernels.run('f', 1, 7, [X, Y, Z, { f32: 3 }, { u32: 0 }])
  expect([...new Int32Array(kernels.memory.buffer, Z, 8)]).toEqual([0, 1, 2, 3, 4, 5, 6, 0])
})

test('a scalar of f64 is cast before it is combined with the rows', async () => {
  const kernels = await kernelsOf(`${IMPORT}
export function f(rows: Lanes, x: Column<f32>, dt: f64): void {
  for (let i = rows.start; i < rows.end; i++) x[i] += <f32>(dt * 0.5)
}`)
  kernels.run('f', 0, 6, [X, { f64: 3 }])
  expect([...new Float32Array(kernels.memory.buffer, X, 8)]).toEqual([1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 0, 0])
})

/** A kernel whose loop has one line, the fourth of the source. */
const inLoop = (line: string, top = ''): string => `${IMPORT}${top}
export function f(rows: Lanes, x: Column<f32>, n: Column<i32>, c: ReadonlyColumn<f32>, d: Column<f64>, p: Vec3Column<f32>, k: f32, m: i32): void {
  let sum: f32 = 0; let wide: f64 = 0; for (let i = rows.start; i < rows.end; i++) {
${line}
}}`

describe('code that cannot run in lanes is refused at its place', () => {
  const refusals: [what: string, line: string, at: string, message: RegExp][] = [
    ['an inner loop', 'for (let j = 0; j < 3; j++) x[i] += 1', 'for', /take `Rows`/],
    ['a while loop', 'while (x[i] > 1) x[i] -= 1', 'while', /take `Rows`/],
    ['a switch', 'switch (n[i]) { default: x[i] = 1 }', 'switch', /`if` and `else`/],
    ['break', 'if (x[i] > 1) break', 'break', /`continue`/],
    ['return', 'if (x[i] > 1) return', 'return', /`continue`/],
    ['division of integers', 'n[i] = n[i] / 3', 'n[i] / 3', /no division of integers/],
    ['the rest of integers', 'n[i] %= m', 'n[i] %= m', /no division of integers/],
    ['the rest of floats', 'x[i] %= 2', 'x[i] %= 2', /no `%` of f32/],
    ['a power', 'x[i] = x[i] ** 2', 'x[i] ** 2', /operator/],
    ['another row', 'x[i] = x[i + 1]', 'i + 1', /at the row of the loop/],
    ['a fixed row', 'x[i] = x[0]', '0', /at the row of the loop/],
    ['a row written elsewhere', 'x[n[i]] = 1', 'n[i]', /at the row of the loop/],
    ['a column of f64', 'd[i] = 1', 'd', /f32/],
    ['a number of f64', 'x[i] = 0.1 < x[i] ? 1 : 2', 'x[i]', /`f32\(0.5\)`/],
    ['a cast to f64', 'x[i] = <f32>(<f64>x[i] * 0.1)', '<f64>x[i]', /32 bits/],
    ['a cast of an integer to bool', 'x[i] = <bool>n[i] ? 1 : 2', '<bool>n[i]', /`x != 0`/],
    ['a call of something unknown', 'x[i] = Mathf.tan(x[i])', 'Mathf.tan', /cannot be called in lanes/],
    ['an operation on an i32 and an f32', 'x[i] = x[i] * n[i]', 'x[i] * n[i]', /cast one of them/],
    ['a comma', 'x[i] = 1, n[i] = 2', 'x[i] = 1, n[i] = 2', /Make each a statement/],
    ['a missing cast', 'x[i] = n[i]', 'n[i]', /Cast it: `f32\(x\)`/],
    ['writing to a column that is only read', 'c[i] = 1', 'c[i]', /ReadonlyColumn/],
    ['a column as a value', 'x[i] = c', 'c', /Write `c\[i\]`/],
    ['a vec without its second index', 'x[i] = p[i]', 'p[i]', /`p\[i\]\[0\]`/],
    ['a second index beyond the vec', 'x[i] = p[i][3]', '3', /at most 2/],
    ['a second index that differs', 'x[i] = p[i][n[i]]', 'n[i]', /same for all rows/],
    ['a second index of a plain column', 'x[i] = c[i][0]', 'c[i][0]', /one value a row/],
    ['an assignment inside of an expression', 'x[i] = sum = 1', 'sum = 1', /statement of its own/],
    ['counting inside of an expression', 'x[i] = n[i]++', 'n[i]++', /statement of its own/],
    ['a statement without effect', 'x[i] + 1', 'x[i] + 1', /no effect/],
    ['changing the row', 'i += 2', 'i += 2', /counts 'i'/],
    ['the run itself', 'n[i] = rows.start', 'rows.start', /head of a loop/],
    ['an accumulator read', 'sum += 1; x[i] = sum', 'sum\n', /not known while the loop runs/],
    ['another use of an accumulator', 'sum *= x[i]', 'sum *= x[i]', /all rows share it/],
    ['two ways to accumulate', 'sum += 1; sum = min(sum, x[i])', 'sum = min(sum, x[i])', /two variables/],
    ['an accumulator of f64', 'wide += x[i]', 'wide += x[i]', /f32, i32 and u32/],
    ['a name that there is not', 'x[i] = y', 'y', /no 'y'/],
  ]
  test.each(refusals)('%s', (_, line, at, message) => {
    const error = errorOf(() => twinsOf(inLoop(line)))
    expect(error.problems).toHaveLength(1)
    const [problem] = error.problems
    const column = `${line}\n`.lastIndexOf(at) + 1
    expect({ line: problem!.line, column: problem!.column }).toEqual({ line: 5, column })
    expect(problem!.message).toMatch(message)
  })

  test.each<[what: string, body: string, message: RegExp]>([
    ['no loop over the rows', 'x[0] = 1', /loop over all rows/],
    [
      'a loop of another form',
      'for (let i = rows.end - 1; i >= rows.start; i--) x[i] = 1',
      /loop over all rows/,
    ],
    [
      'a column outside of the loop',
      'for (let i = rows.start; i < rows.end; i++) x[i] = 1; x[0] = 2',
      /outside of one/,
    ],
    [
      'the number of rows',
      'const n = rows.end - rows.start; for (let i = rows.start; i < rows.end; i++) x[i] = <f32>n',
      /heads of loops/,
    ],
    [
      'a loop around the loop',
      'for (let j = 0; j < 2; j++) for (let i = rows.start; i < rows.end; i++) x[i] += 1',
      /inside of another loop/,
    ],
    [
      'an accumulated number in a later loop',
      'let s: f32 = 0; for (let i = rows.start; i < rows.end; i++) s += x[i]; for (let i = rows.start; i < rows.end; i++) x[i] = s',
      /earlier loop accumulated/,
    ],
  ])('%s', (_, body, message) => {
    const source = `${IMPORT}export function f(rows: Lanes, x: Column<f32>): void { ${body} }`
    expect(errorOf(() => twinsOf(source)).problems[0]!.message).toMatch(message)
  })

  test('every kernel of the file is reported once', () => {
    const kernel = (name: string): string =>
      `export function ${name}(rows: Lanes, n: Column<i32>): void { for (let i = rows.start; i < rows.end; i++) n[i] /= 2 }\n`
    const error = errorOf(() => twinsOf(IMPORT + kernel('a') + kernel('b')))
    expect(error.problems.map(({ line }) => line)).toEqual([2, 3])
  })

  test('a helper that calls itself, or divides, is refused where it does', () => {
    const top = 'function g(v: f32): f32 { return v > 1 ? g(v - 1) : v }'
    expect(errorOf(() => twinsOf(inLoop('x[i] = g(x[i])', top))).problems[0]).toMatchObject({
      line: 2,
      column: top.indexOf('g(v - 1)') + 1,
    })
    const half = 'function half(v: i32): i32 { return v / 2 }'
    expect(errorOf(() => twinsOf(inLoop('n[i] = half(n[i])', half))).problems[0]).toMatchObject({
      line: 2,
      column: half.indexOf('v / 2') + 1,
    })
  })
})

function errorOf(run: () => unknown): KernelSourceError {
  try {
    run()
  } catch (error) {
    if (error instanceof KernelSourceError) return error
    throw error
  }
  throw new Error('Nothing was refused.')
}
