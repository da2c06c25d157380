// Shows how accurate the exponentials of examples/epidemic and the draws made of them are, and that kernels and JavaScript give
// the same bits.

import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { component, createKernel, createWorld, f64, kernelRuntime, spawnMany, u32 } from 'strata-ecs'
import { compileKernels } from 'strata-ecs/kernel-compiler'
import { binomial, chanceOf } from './epidemic/binomial.js'
import { exp, expm1, log } from './epidemic/exponential.js'
import { dayKey, uniform } from '../../examples/epidemic/random.js'

const key = dayKey(5, 6, 7)
const between = (low, high, count) =>
  Array.from({ length: count }, (_, draw) => low + (high - low) * uniform(key, draw))
/** As many small numbers as large ones. */
const powersOfTen = (low, high, count) => between(low, high, count).map((power) => 10 ** power)

const EXPONENTS = [
  ...[0, -0, 700, -700, 1, -1, Math.LN2, -Math.LN2, Math.LN2 / 2, -Math.LN2 / 2],
  ...between(-700, 700, 20_000),
  ...between(-2, 2, 20_000),
  ...powersOfTen(-300, 0, 5000),
  ...powersOfTen(-300, 0, 5000).map((x) => -x),
]
const POSITIVES = [
  ...[1, 2, 0.5, Math.SQRT2, Math.SQRT1_2, Number.MAX_VALUE, 2.2250738585072014e-308],
  ...between(0.6, 1.6, 20_000),
  ...powersOfTen(-307, 308, 20_000),
]

describe('the exponentials', () => {
  it.each([
    { name: 'exp', own: exp, builtin: Math.exp, numbers: EXPONENTS, units: 2 },
    { name: 'expm1', own: expm1, builtin: Math.expm1, numbers: EXPONENTS, units: 3 },
    { name: 'log', own: log, builtin: Math.log, numbers: POSITIVES, units: 2 },
  ])(
    '$name is at most $units units in the last place from that of Math',
    ({ own, builtin, numbers, units }) => {
      const worst = numbers.reduce((most, x) => Math.max(most, unitsApart(own(x), builtin(x))), 0)
      expect(worst).toBeLessThanOrEqual(units)
    },
  )

  it('are exact where the result is', () => {
    expect([exp(0), expm1(0), log(1)]).toEqual([1, 0, 0])
  })
})

/** How many numbers two of the same sign are apart. */
function unitsApart(a, b) {
  if (a === b) return 0 // 0 and -0 differ in their bits.
  const bits = new BigInt64Array(Float64Array.of(a, b).buffer)
  return Math.abs(Number(bits[0] - bits[1]))
}

const PROBES = `
import { Column, ReadonlyColumn, Rows } from 'strata-ecs/kernel'
import { binomial, chanceOf } from '../../examples/epidemic/kernels/binomial'
import { exp, expm1, log } from '../../examples/epidemic/kernels/exponential'
import { keyOfCity, keyOfDay, uniform } from '../../examples/epidemic/kernels/random'

export function exponentials(rows: Rows, x: ReadonlyColumn<f64>, a: Column<f64>, b: Column<f64>): void {
  for (let row = rows.start; row < rows.end; row++) {
    a[row] = exp(x[row])
    b[row] = expm1(x[row])
  }
}

export function logarithms(rows: Rows, x: ReadonlyColumn<f64>, a: Column<f64>): void {
  for (let row = rows.start; row < rows.end; row++) a[row] = log(x[row])
}

export function chances(rows: Rows, n: ReadonlyColumn<u32>, a: Column<f64>, seed: u32, day: u32): void {
  for (let row = rows.start; row < rows.end; row++) a[row] = uniform(keyOfCity(keyOfDay(seed, day), n[row]), n[row])
}

export function draws(
  rows: Rows, n: ReadonlyColumn<u32>, x: ReadonlyColumn<f64>, b: ReadonlyColumn<f64>, a: Column<f64>
): void {
  for (let row = rows.start; row < rows.end; row++) a[row] = binomial(f64(n[row]), x[row], chanceOf(x[row]), b[row])
}
`

describe('their twins in the kernels', async () => {
  const kernels = await compileProbes()
  const Probe = component('Probe', { n: u32, x: f64, a: f64, b: f64 })

  /** What a kernel leaves in columns a and b, for rows with these values. */
  function probe(name, bound, scalars, rows) {
    const world = createWorld()
    const kernel = createKernel(
      world,
      kernels[name],
      Object.fromEntries(bound.map((field) => [field, [Probe, field]])),
    )
    let next = 0
    spawnMany(world, rows.length, [Probe], (chunk) => {
      const columns = chunk.write(Probe)
      for (let row = chunk.start; row < chunk.end; row++, next++) {
        for (const field in rows[next]) columns[field][row] = rows[next][field]
      }
    })
    const probes = world.query(Probe)
    probes.run(kernel, scalars)
    const results = { a: [], b: [] }
    for (const chunk of probes) {
      const { a, b } = chunk.read(Probe)
      results.a.push(...a.subarray(chunk.start, chunk.end))
      results.b.push(...b.subarray(chunk.start, chunk.end))
    }
    world.dispose()
    return results
  }

  it('give the same exponentials to the last bit', () => {
    const rows = EXPONENTS.map((x) => ({ x }))
    const { a, b } = probe('exponentials', ['x', 'a', 'b'], undefined, rows)
    expect(firstUnequal(a, EXPONENTS.map(exp))).toBe(-1)
    expect(firstUnequal(b, EXPONENTS.map(expm1))).toBe(-1)
  })

  it('give the same logarithms to the last bit', () => {
    const rows = POSITIVES.map((x) => ({ x }))
    const { a } = probe('logarithms', ['x', 'a'], undefined, rows)
    expect(firstUnequal(a, POSITIVES.map(log))).toBe(-1)
  })

  it('give the same chance to every city, day and draw', () => {
    const numbers = [0, 1, 135_232, 0x7fffffff, 0xffffffff, ...between(0, 2 ** 32, 5000).map(Math.floor)]
    const rows = numbers.map((n) => ({ n }))
    const { a } = probe('chances', ['n', 'a'], { seed: 0xdeadbeef, day: 365 }, rows)
    expect(
      firstUnequal(
        a,
        numbers.map((n) => uniform(dayKey(0xdeadbeef, n, 365), n)),
      ),
    ).toBe(-1)
  })

  it('draw the same numbers of people, few and many, in the middle and in both tails', () => {
    const rows = [1, 2, 40, 5000, 5_000_000, 0xffffffff].flatMap((n) =>
      [0, 1e-9, 1 / 2000, 0.2, 0.4, 6].flatMap((x) =>
        [1e-10, 0.001, 0.999, 1 - 1e-10, ...between(0, 1, 100)].map((b) => ({ n, x, b })),
      ),
    )
    const { a } = probe('draws', ['n', 'x', 'b', 'a'], undefined, rows)
    const drawn = rows.map(({ n, x, b }) => binomial(n, x, chanceOf(x), b))
    expect(new Set(drawn).size).toBeGreaterThan(500)
    expect(firstUnequal(a, drawn)).toBe(-1)
  })
})

it('draws whole numbers of people around the expected mean, small and large', () => {
  for (const [people, hazard] of [
    [3, 0.2],
    [40, 0.3],
    [5_000_000, 0.01],
  ]) {
    const draws = Array.from({ length: 20_000 }, (_, day) =>
      binomial(people, hazard, chanceOf(hazard), uniform(dayKey(1, 2, day), 0)),
    )
    const mean = draws.reduce((total, count) => total + count, 0) / draws.length
    expect(draws.every((count) => Number.isInteger(count) && count >= 0 && count <= people)).toBe(true)
    expect(mean / (people * -Math.expm1(-hazard))).toBeCloseTo(1, 1)
  }
})

async function compileProbes() {
  mkdirSync('build/probes', { recursive: true })
  writeFileSync('build/probes/exponential.kernel.ts', PROBES)
  const { kernels } = await compileKernels('build/probes/exponential.kernel.ts')
  return Object.fromEntries(kernels.map((kernel) => [kernel.kernel, { ...kernel, runtime: kernelRuntime }]))
}

/** Index of the first number with other bits than its counterpart; -1 when there is none. */
function firstUnequal(numbers, others) {
  if (numbers.length !== others.length) return 0
  return numbers.findIndex((number, index) => !Object.is(number, others[index]))
}
