// Shows that of ten thousand short runs by four worker processes, with two workers and Redis killed on the way, every result is
// there once and equal to that of one machine.

import { describe, expect, it } from 'vitest'
import { range, readResults, runEnsemble } from '../src/index.ts'
import { moduleOf, scratch, start, startRedis, until, withoutRedis } from './support/ensemble.js'

const SEEDS = 5000
const grid = { step: [1, 2] }

describe.skipIf(withoutRedis)('ten thousand runs by a queue', () => {
  it('are all executed once, though two of four workers and Redis are killed on the way', async () => {
    const redis = await startRedis()
    const [alone, out] = [scratch(), scratch()]
    await runEnsemble(moduleOf('walk'), { seeds: range(SEEDS), grid, out: alone })
    const words = ['work', moduleOf('walk'), '--queue', redis.url, '--threads', 1, '--lock', 3]
    const workers = range(4).map(() => start(words))
    let done = 0
    const ended = runEnsemble(moduleOf('walk'), {
      seeds: range(SEEDS),
      grid,
      out,
      queue: { url: redis.url, patienceSeconds: 60 },
      onProgress: (progress) => (done = progress.done),
    })
    await until(() => done > 1000)
    workers[0].child.kill('SIGKILL')
    await until(() => done > 2500)
    await redis.kill()
    await redis.start()
    const afterRedis = done
    await until(() => done > afterRedis + 1000)
    workers[1].child.kill('SIGKILL')
    expect(await ended).toEqual({
      total: 2 * SEEDS,
      done: 2 * SEEDS,
      alreadyDone: 0,
      missing: 0,
      failedCount: 0,
      failed: [],
      elsewhere: 0,
      differing: undefined,
      remarks: [],
    })

    const [found, expected] = [readResults(out), readResults(alone)]
    expect(found.table.numRows).toBe(2 * SEEDS)
    for (const { name } of expected.table.schema.fields) {
      expect([...found.table.getChild(name)]).toEqual([...expected.table.getChild(name)])
    }
    const keys = found.runs.map(({ key }) => key)
    expect(new Set(keys).size).toBe(2 * SEEDS)
  })
})
