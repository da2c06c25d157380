// Owns the proof that the figures the project set itself are read off the results as they stand, missed ones included.

import { describe, expect, it } from 'vitest'
import { measuredAims } from '../../bench/aims.js'

const row = (name, library, way, size, nanoseconds) => ({
  case: name,
  library,
  label: library,
  way,
  size,
  nanoseconds,
})

const results = (rows, { whole = false, facts } = {}) => ({ rows, facts, options: { whole } })
const aimOf = (found, work) => measuredAims(found).find((aim) => aim.work === work)

describe('an aim', () => {
  it('is a ratio to hand-written loops, repeat by repeat', () => {
    const rows = [
      row('loop', 'raw', 'arrays as parameters', 1_000, [100, 200, 400]),
      row('loop', 'strata', 'each', 1_000, [250, 480, 1_000]),
      row('loop', 'strata', 'each', 100_000, [1, 1, 1]),
    ]
    expect(aimOf(results(rows), 'each with cursors').figures).toEqual([
      { of: '1,000', text: '2.50 x', reached: true },
    ])
    rows[1].nanoseconds[0] = 260
    expect(aimOf(results(rows), 'each with cursors').figures[0]).toMatchObject({ reached: true })
    rows[1].nanoseconds[1] = 510
    expect(aimOf(results(rows), 'each with cursors').figures[0]).toMatchObject({ reached: false })
  })

  it('has a limit of its own where a size needs one', () => {
    const rows = [100_000, 1_000_000].flatMap((size) => [
      row('loop', 'raw', 'arrays as parameters', size, [100]),
      row('loop', 'strata', 'kernel', size, [30]),
    ])
    const { figures } = aimOf(results(rows), 'kernel with SIMD over chunks')
    expect(figures.map(({ reached }) => reached)).toEqual([false, true])
  })

  it('is set beside the fastest way of any peer, neither raw code nor a baseline', () => {
    const rows = [
      row('add_remove', 'strata', 'per call', 1_000, [30]),
      row('add_remove', 'raw', 'sparse set', 1_000, [1]),
      row('add_remove', 'baselines', 'objects', 1_000, [2]),
      row('add_remove', 'slow', 'per call', 1_000, [90]),
      row('add_remove', 'quick', 'per call', 1_000, [60]),
      row('add_remove', 'quick', 'per call', 100_000, [1]),
    ]
    const work = 'add_remove, one call for an entity, beside the fastest peer'
    expect(aimOf(results(rows), work).figures).toEqual([
      { of: 'add_remove 1,000', text: '2.00 x as fast as quick', reached: true },
    ])
  })

  it('counts what is held and what the world says of itself, in MB of a million bytes', () => {
    const memory = [{ before: { heap: 5e5, external: 1e6 }, after: { heap: 1e6, external: 5e6 } }]
    const statistics = [{ used: 3.8e6, reserved: 4e6 }]
    const rows = [100_000, 1_000_000].map((size) => ({
      ...row('memory', 'strata', 'spawnMany', size, [1]),
      memory,
      statistics,
    }))
    expect(aimOf(results(rows), 'memory of 100,000 entities with 4 x f32').figures).toEqual([
      { of: 'spawnMany: held', text: '4.50 MB', reached: false },
      { of: 'spawnMany: by its own count', text: '3.80 MB', reached: true },
    ])
  })

  it('counts the bytes and the collections of a frame', () => {
    const garbage = { quiet: { bytes: 0.4, collections: 0 }, loud: { bytes: 0, collections: 2 } }
    const { figures } = measuredAims(results([], { facts: { bundle: 20_481, garbage } }))[0]
    expect(figures).toEqual([
      { of: 'quiet', text: '0.40 bytes', reached: true },
      { of: 'loud', text: '2 collections', reached: false },
    ])
    const [{ text, reached }] = measuredAims(results([], { facts: { bundle: 20_481 } }))[0].figures
    expect([text, reached]).toEqual(['20.0 KiB', false])
  })
})

describe('the list', () => {
  it('shows only what a partial run can tell of', () => {
    expect(measuredAims(results([]))).toEqual([])
  })

  it('is whole after a run of all cases, with what was not measured', () => {
    const aims = measuredAims(results([], { whole: true }))
    expect(aims.length).toBeGreaterThan(10)
    for (const { figures } of aims)
      expect(figures).toEqual([{ of: '', text: 'not measured', reached: false }])
  })
})
