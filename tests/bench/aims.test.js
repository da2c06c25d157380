// Owns the proof that the figures the project set itself are read off the results as they stand, missed ones included, and
// that nothing is concluded where the clock wandered.

import { describe, expect, it } from 'vitest'
import { measuredAims, verdictOf } from '../../bench/aims.js'

const row = (name, library, way, size, nanoseconds) => ({
  case: name,
  library,
  label: library,
  way,
  size,
  nanoseconds,
})

const results = (rows, { whole = false, facts } = {}) => ({ rows, facts, options: { whole } })
const aimOf = (found, work) => measuredAims(found).find((aim) => aim.work.startsWith(work))

describe('an aim', () => {
  it('is a ratio to hand-written loops, repeat by repeat', () => {
    const rows = [
      row('loop', 'raw', 'arrays as parameters', 1_000, [100, 200, 400]),
      row('loop', 'raw', 'arrays as constants', 1_000, [50, 100, 200]),
      row('loop', 'strata', 'each', 1_000, [150, 280, 600]),
      row('loop', 'strata', 'each', 100_000, [1, 1, 1]),
    ]
    expect(aimOf(results(rows), 'each').figures).toEqual([
      { of: 'loop 1,000', text: '1.50 x', reached: true },
    ])
    rows[2].nanoseconds[0] = 170
    expect(aimOf(results(rows), 'each').figures[0]).toMatchObject({ reached: true })
    rows[2].nanoseconds[1] = 310
    expect(aimOf(results(rows), 'each').figures[0]).toMatchObject({ reached: false })
  })

  it('has no verdict where the clock of a row wandered', () => {
    const rows = [
      row('loop', 'raw', 'arrays as parameters', 1_000, [100, 100, 100]),
      { ...row('loop', 'strata', 'each', 1_000, [100, 100, 100]), steady: [true, false, false] },
    ]
    const [figure] = aimOf(results(rows), 'each').figures
    expect(figure).toEqual({ of: 'loop 1,000', text: '1.00 x', reached: undefined })
    expect(verdictOf(figure)).toBe('no verdict, the clock wandered')
    rows[1].steady[1] = true
    expect(verdictOf(aimOf(results(rows), 'each').figures[0])).toBe('reached')
  })

  it('has a limit of its own where a size needs one', () => {
    const rows = [1_000, 100_000].flatMap((size) => [
      row('loop', 'c', 'restrict', size, [100]),
      row('loop', 'strata', 'kernel', size, [120]),
    ])
    const { figures } = aimOf(results(rows), 'kernel beside C')
    expect(figures.map(({ reached }) => reached)).toEqual([true, false])
  })

  it('is set beside the fastest way of any peer, neither raw code nor a baseline', () => {
    const rows = [
      row('packed_5', 'strata', 'kernel', 1_000, [30]),
      row('packed_5', 'raw', 'arrays', 1_000, [1]),
      row('packed_5', 'c', 'arrays', 1_000, [1]),
      row('packed_5', 'baselines', 'objects', 1_000, [2]),
      row('packed_5', 'slow', 'per call', 1_000, [90]),
      row('packed_5', 'quick', 'per call', 1_000, [60]),
      row('packed_5', 'quick', 'per call', 100_000, [1]),
    ]
    expect(aimOf(results(rows), 'noctjs loops: our kernel').figures).toEqual([
      { of: 'packed_5 1,000', text: '2.00 x as fast as quick', reached: true },
    ])
  })

  it('of a single call is judged by what piecs takes for an add and a remove, on any machine', () => {
    const rows = [
      row('add-remove', 'piecs', 'add/removeComponent', 1_000, [76_000]),
      row('add-remove', 'piecs', 'transformEntity', 1_000, [90_000]),
      row('has', 'strata', 'by call', 1_000, [28_000]),
      row('has', 'strata', 'by call', 100_000, [9_000_000]),
    ]
    const { figures } = aimOf(results(rows), 'has')
    expect(figures).toEqual([{ of: 'has 1,000, at most 0.37', text: '0.37 x', reached: true }])
    rows[2].nanoseconds[0] = 28_100
    expect(aimOf(results(rows), 'has').figures[0].reached).toBe(false)
  })

  it('sets values in a call beside the same call without them', () => {
    const rows = [
      row('spawn-values', 'strata', 'by call', 1_000, [240]),
      row('spawn-values', 'strata', 'by accessor', 1_000, [1]),
      row('spawn-bare', 'strata', 'by call', 1_000, [100]),
    ]
    expect(aimOf(results(rows), 'spawn with values').figures).toEqual([
      { of: '1,000', text: '2.40 x', reached: true },
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
    expect(aimOf(results(rows), 'memory of 100,000 entities').figures).toEqual([
      { of: 'spawnMany: held', text: '4.50 MB', reached: false },
      { of: 'spawnMany: by its own count', text: '3.80 MB', reached: true },
    ])
  })

  it('counts the bytes and the collections of a frame, in the process that left most', () => {
    const left = (way, ...garbage) => ({ ...row('garbage', 'strata', way, 10_000, [1]), garbage })
    const one = (bytes, collections = 0) => ({ bytes, outside: 0, collections })
    const rows = [
      left('chunk loop, views', one(0.4), one(0)),
      left('chunk loop, expert path', one(0), one(16)),
      left('chunk loop + 100 x spawn and destroy', one(0), one(0, 2)),
      left('the same with values: spawn(C({...}), C)', one(800)),
    ]
    expect(aimOf(results(rows), 'garbage of a frame').figures).toEqual([
      { of: 'chunk loop, views', text: '0.40 bytes', reached: true },
      { of: 'chunk loop, expert path', text: '16.00 bytes', reached: false },
      { of: 'chunk loop + 100 x spawn and destroy', text: '2 collections', reached: false },
    ])
  })

  it('of a whole program is the form that people write, beside plain objects', () => {
    const rows = [
      row('parts-program', 'baselines', 'game objects', 1_000, [100]),
      row('parts-program', 'baselines', 'sparse sets', 1_000, [10]),
      row('parts-program', 'strata', 'table, one spawn with values', 1_000, [80]),
      row('parts-program', 'strata', 'table, in bulk', 1_000, [1]),
    ]
    expect(aimOf(results(rows), "the seeds' table").figures).toEqual([
      { of: 'parts-program 1,000', text: '1.25 x as fast as objects', reached: true },
    ])
  })
})

describe('the list', () => {
  it('shows only what a partial run can tell of', () => {
    expect(measuredAims(results([]))).toEqual([])
  })

  it('is whole after a run of all cases, with what was not measured', () => {
    const aims = measuredAims(results([], { whole: true }))
    expect(aims.length).toBeGreaterThan(20)
    for (const { figures } of aims)
      expect(figures).toEqual([{ of: '', text: 'not measured', reached: false }])
  })
})
