// Owns the proof that the cases of the benchmark ask what they say: references that no idle library meets, values that no
// rounding changes, and a warm-up and a plan that keep what they promise.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { tagsOf } from '../../bench/cases/fragmentation.js'
import mixedFrame, {
  hasData,
  hasPosition,
  hasVelocity,
  healthAfter,
  isCharacter,
  statusAfter,
} from '../../bench/cases/frame.js'
import { cases } from '../../bench/cases/index.js'
import { invert } from '../../bench/cases/matrix.js'
import { RARE, TAGS, choiceOf } from '../../bench/cases/queries.js'
import { matrixOf, rustCases } from '../../bench/cases/rust.js'
import set from '../../bench/cases/set.js'
import { kernelsAreCompiled } from '../../bench/offers.js'
import { scaleOf, valuesOf } from '../../bench/quantities.js'
import { warmUp } from '../../bench/warmUp.js'

const caseOf = (name) => cases.find((work) => work.name === name)

describe('the list of cases', () => {
  it('has every name once, and sizes that grow', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
    for (const { sizes } of cases) expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
  })

  it('has a figure for every case', () => {
    const row = {
      nanoseconds: [4_000_000],
      memory: [{ before: { heap: 0, external: 1 }, after: { heap: 2 ** 20, external: 2 ** 21 + 1 } }],
    }
    expect(cases.map((work) => scaleOf({ unit: 'entity', ...work }))).toContain('ms')
    expect(valuesOf(caseOf('loop'), row, 1_000)).toEqual([4_000])
    expect(valuesOf(caseOf('startup'), row, 1)).toEqual([4])
    expect(valuesOf(caseOf('memory'), row, 1_000)).toEqual([3])
  })
})

describe('the references', () => {
  const changing = [
    'loop',
    'set',
    'set-three',
    'garbage',
    'query-new',
    'query-rare',
    'fragmented-100',
    'heavy_compute',
    'schedule',
    'mixed-frame',
  ]

  it.each(changing)('of %s change from run to run', (name) => {
    const work = caseOf(name)
    const size = Math.min(...work.sizes, 1_000)
    expect(work.reference(size, 1)).not.toEqual(work.reference(size, 0))
    expect(work.reference(size, 2)).not.toEqual(work.reference(size, 1))
  })

  it('of set have another value for every entity', () => {
    expect(new Set(set.reference(1_000, 3)).size).toBe(1_000)
  })

  it('have no whole numbers where V8 would take them for something else than floats', () => {
    const valuesOf = (name) => caseOf(name).reference(64, 3)
    const fractions = (values) => values.filter((value) => !Number.isInteger(value)).length
    expect(fractions(valuesOf('loop'))).toBeGreaterThan(64)
    for (const name of ['set', 'set-three', 'spawn-values', 'add-values', 'add-remove']) {
      expect(fractions(valuesOf(name))).toBeGreaterThanOrEqual(64 / 2)
    }
  })

  it('refuse more runs than f32 can count, which no measuring reaches', () => {
    for (const name of ['loop', 'set-three']) {
      const work = caseOf(name)
      const most = work.mostRuns(1_000)
      const values = work.reference(1_000, most)
      expect(values.every((value) => Object.is(Math.fround(value), value))).toBe(true)
      expect(() => work.reference(1_000, most + 1)).toThrow(RangeError)
    }
  })

  it('refuse more runs than f32 can count', () => {
    expect(() => set.reference(1_000, 2 ** 24)).toThrow(RangeError)
    expect(() => mixedFrame.reference(1, 2 ** 20)).toThrow(RangeError)
  })
})

describe('the matrix', () => {
  const product = (a, b) =>
    Array.from({ length: 16 }, (_, k) =>
      [0, 1, 2, 3].reduce((sum, j) => sum + a[j * 4 + (k % 4)] * b[Math.floor(k / 4) * 4 + j], 0),
    )

  /** No sum on the way to the inverse is greater: of three products of an element and a minor, or of six of two minors. */
  function greatestStep(m) {
    const minor = (first, a, b) =>
      Math.abs(m[first + a] * m[first + 4 + b]) + Math.abs(m[first + 4 + a] * m[first + b])
    const minorsFrom = (first) =>
      [0, 1, 2].flatMap((a) => [1, 2, 3].filter((b) => b > a).map((b) => minor(first, a, b)))
    const [upper, lower] = [minorsFrom(0), minorsFrom(8)]
    const determinant = upper.reduce((sum, value, k) => sum + value * lower[5 - k], 0)
    return Math.max(determinant, 3 * Math.max(...m.map(Math.abs)) * Math.max(...upper, ...lower))
  }

  it('times its inverse is one', () => {
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    const m = [2, 3, 5, 7, 1, 0, 4, 2, 8, 1, 1, 3, 0, 6, 2, 5]
    const inverse = [...m]
    invert(inverse, 0)
    product(m, inverse).forEach((value, k) => expect(value).toBeCloseTo(identity[k], 12))
    product(inverse, m).forEach((value, k) => expect(value).toBeCloseTo(identity[k], 12))
  })

  it('is inverted in its place only', () => {
    const numbers = [9, ...matrixOf(3), 9]
    invert(numbers, 1)
    expect([numbers[0], numbers[17]]).toEqual([9, 9])
    expect(numbers.slice(1, 17)).not.toEqual(matrixOf(3))
  })

  it('of every entity is exact in f32: rounding each operation changes nothing', () => {
    for (let i = 0; i < 210; i++) {
      const doubles = matrixOf(i)
      const floats = Float32Array.from(doubles)
      for (let turn = 0; turn < 3; turn++) {
        invert(doubles, 0)
        invert(floats, 0)
        expect(Array.from(floats)).toEqual(doubles.map((value) => value + 0))
        expect(doubles.every(Number.isInteger)).toBe(true)
        expect(greatestStep(doubles)).toBeLessThan(2 ** 24)
      }
    }
  })
})

describe('what is written down', () => {
  it('comes back from text and from f32 as it was', () => {
    const values = rustCases.find(({ name }) => name === 'serialize_text').reference(1_000)
    expect(Array.from(Float32Array.from(values))).toEqual(values)
    expect(JSON.parse(JSON.stringify(values))).toEqual(values)
    expect(values).toHaveLength(25_000)
  })
})

describe('the queries for the rare entity', () => {
  const tags = Array.from({ length: TAGS }, (_, bit) => bit)

  it('differ, and ask for nothing that it has not', () => {
    const own = new Set(tagsOf(RARE, tags))
    const asked = new Set()
    for (let n = 1; n <= 5_000; n++) {
      const { present, absent } = choiceOf(n, tags)
      expect(present.every((tag) => own.has(tag))).toBe(true)
      expect(absent.some((tag) => own.has(tag))).toBe(false)
      asked.add(`${present} ${absent}`)
    }
    expect(asked.size).toBe(5_000)
  })

  it('end before one comes twice', () => {
    expect(() => choiceOf(2 ** TAGS, tags)).toThrow(RangeError)
  })
})

describe('the mixed frame', () => {
  it('has sixteen kinds of entities', () => {
    const kinds = new Set()
    for (let i = 0; i < 2_002; i++)
      kinds.add([hasPosition, hasVelocity, hasData, isCharacter].map((has) => has(i)).join())
    expect(kinds.size).toBe(16)
  })

  it('lets characters spawn, live, die and come back', () => {
    let [hp, status] = [0, 0]
    const course = []
    for (let frame = 0; frame < 6; frame++) {
      const healthy = healthAfter(hp, 5, status)
      status = statusAfter(hp, status)
      hp = Math.max(healthy - 3, 0)
      course.push([status, hp])
    }
    expect(course).toEqual([[1, 0], [0, 2], [2, 0], [1, 0], [0, 2], [2, 0]]) // prettier-ignore
  })

  it('draws a picture that is not empty', () => {
    const picture = mixedFrame.reference(1_000, 3).slice(10_000)
    expect(picture).toHaveLength(320 * 240)
    expect(picture.filter((cell) => cell !== 0).length).toBeGreaterThan(200)
  })
})

describe('the warm-up', () => {
  afterEach(() => vi.restoreAllMocks())

  it('counts the time of the runs, not of what stands before them', async () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const takes = (milliseconds) => () => void (now += milliseconds)
    expect(await warmUp(10, takes(1), takes(4))).toBe(10)
    expect(await warmUp(10, takes(1), undefined)).toBe(10)
    expect(await warmUp(10, takes(50), takes(4))).toBe(1)
    // Ten times the budget at most: 100 ms for runs of 20 ms each, 1 of which counts.
    expect(await warmUp(10, takes(1), takes(19))).toBe(5)
  })

  it('waits for a run that is a promise', async () => {
    let open = 0
    let most = 0
    const run = async () => {
      most = Math.max(most, ++open)
      await null
      open--
    }
    await warmUp(1, run, undefined)
    expect([most, open]).toEqual([1, 0])
  })
})

describe('what has to be done first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-kernels-'))
  const [sources, compiled] = [join(folder, 'sources'), join(folder, 'compiled')]
  const write = (path, seconds) => {
    writeFileSync(path, '')
    utimesSync(path, seconds, seconds)
  }

  it('is to compile kernels, when one is missing or older than its source', () => {
    mkdirSync(sources)
    mkdirSync(compiled)
    write(join(sources, 'one.kernel.ts'), 100)
    write(join(sources, 'two.kernel.ts'), 100)
    write(join(sources, 'tsconfig.json'), 100)
    write(join(compiled, 'one.kernel.js'), 200)
    expect(kernelsAreCompiled(sources, compiled)).toBe(false)
    write(join(compiled, 'two.kernel.js'), 50)
    expect(kernelsAreCompiled(sources, compiled)).toBe(false)
    write(join(compiled, 'two.kernel.js'), 100)
    expect(kernelsAreCompiled(sources, compiled)).toBe(true)
    rmSync(folder, { recursive: true })
  })
})
