// Shows that the executor of one machine does each run once, retries failed ones, and ends runs that hang.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { localExecutor } from '../src/local.ts'
import { range, seedOf } from '../src/plan.ts'
import { batchesIn, moduleOf, partsIn, scratch, until } from './support/ensemble.js'

/** An executor, and the entries that it reported. */
function executorOf(name, options = {}) {
  const folder = scratch()
  const parts = join(folder, 'parts')
  const checkpoints = join(folder, 'checkpoints')
  mkdirSync(parts)
  mkdirSync(checkpoints)
  const href = pathToFileURL(moduleOf(name)).href
  const fixed = { href, parts, checkpoints, writer: 'w', strict: false }
  const executor = localExecutor({ ...fixed, threads: 2, limitSeconds: 60, retries: 0, ...options })
  onTestFinished(() => executor.close())
  const entries = []
  const execute = (runs) => executor.execute(runs, { report: (some) => entries.push(...some) })
  return { executor, entries, execute, parts, checkpoints, folder }
}

const keyOf = (index) => String(index).padStart(32, '0')
const runs = (count, parameters) =>
  range(count).map((index) => ({ key: keyOf(index), index, seed: seedOf(index), parameters }))
const walk = { step: 1, steps: 5, name: 'a' }

describe('the executor of one machine', () => {
  it.each([1, 2, 3, 63, 64, 65, 500])('executes each of %i runs once', async (count) => {
    const { entries, execute, parts } = executorOf('walk')
    await execute(runs(count, walk))
    expect(entries.map(({ index }) => index).sort((a, b) => a - b)).toEqual(range(count))
    const keys = partsIn(parts).flatMap((name) =>
      batchesIn(join(parts, name)).flatMap((batch) => [...batch.getChild('key')]),
    )
    expect(keys.sort()).toEqual(
      runs(count)
        .map(({ key }) => key)
        .sort(),
    )
  })

  it('retries a failed run as often as requested, and then reports it', async () => {
    const { entries, execute } = executorOf('trouble', { retries: 2 })
    await execute(runs(1, { trouble: 'throw' }))
    expect(entries).toMatchObject([
      { key: keyOf(0), attempts: 3, failed: { message: 'the walker left the map' } },
    ])
  })

  it('ends a run that hangs, and completes the others', async () => {
    const { entries, execute } = executorOf('trouble', { threads: 1, limitSeconds: 0.5 })
    const [first, second, third] = runs(3, { trouble: 'none' })
    await execute([first, { ...second, parameters: { trouble: 'hang' } }, third])
    expect(entries.map(({ key, failed }) => [key, failed?.code]).sort()).toEqual([
      [keyOf(0), undefined],
      [keyOf(1), 'TIME_LIMIT'],
      [keyOf(2), undefined],
    ])
  })

  it('starts no further run when it is to finish', async () => {
    const { executor, entries, execute } = executorOf('walk', { threads: 1 })
    const all = execute(runs(5000, walk))
    await until(() => entries.length > 0)
    executor.finish()
    await all
    expect(entries.length).toBeLessThan(5000)
  })

  it('stops a long run at its next checkpoint when it is to finish', async () => {
    const { executor, execute, entries, folder, checkpoints } = executorOf('days', { threads: 1 })
    const gate = join(folder, 'gate')
    const all = execute(runs(1, { days: 10, waitOnDay: 3, gate }))
    await until(() => partsIn(folder).includes('gate.waiting'))
    executor.finish()
    mkdirSync(gate)
    await all
    expect(entries).toEqual([])
    expect(partsIn(checkpoints)).toEqual([`${keyOf(0)}.checkpoint`])
  })

  it('deletes the checkpoint of a finished run', async () => {
    const { execute, entries, checkpoints } = executorOf('days')
    await execute(runs(3, { days: 3, waitOnDay: 0, gate: '' }))
    expect(entries.map(({ rows }) => rows)).toEqual([3, 3, 3])
    expect(partsIn(checkpoints)).toEqual([])
  })

  it('stops at once on request, wherever the runs are', async () => {
    const { executor, entries, execute } = executorOf('trouble')
    const all = execute(runs(4, { trouble: 'hang' }))
    await until(() => executor.progress().length === 2)
    executor.stop()
    await all
    expect(entries).toEqual([])
  })
})
