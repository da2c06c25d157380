// Shows what a thread does with its task, and what happens when a run fails, hangs or breaks its thread.

import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readBatches } from '../src/part.ts'
import { seedOf } from '../src/plan.ts'
import { Threads } from '../src/threads.ts'
import { moduleOf, scratch, until } from './support/ensemble.js'

const HOW = { limitSeconds: 60, strict: false }

function threadsOf(name, options = {}) {
  const threads = new Threads({ href: pathToFileURL(moduleOf(name)).href, threads: 1, ...options })
  onTestFinished(() => threads.destroy())
  return threads
}

const runOf = (key, parameters, index = 0) => ({ key, index, seed: seedOf(index), parameters })
const trouble = (key, kind) => runOf(key, { trouble: kind })
const rowsOf = ({ batch }) =>
  readBatches(Buffer.concat(batch)).flatMap((one) => [...one].map((row) => row.toJSON()))

describe('a thread', () => {
  it('executes the runs of a task, and returns their rows if it has no folder', async () => {
    const threads = threadsOf('walk')
    const parameters = { step: 1, steps: 5, name: 'a' }
    const result = await threads.execute([runOf('k', parameters), runOf('l', parameters, 1)], HOW)
    expect(result.outcomes).toMatchObject([
      { key: 'k', rows: 1, at: 0 },
      { key: 'l', rows: 1, at: 1 },
    ])
    expect(result.undone).toEqual([])
    expect(rowsOf(result)).toMatchObject([
      { key: 'k', index: 0, seed: seedOf(0), ...parameters, note: 'a ✓' },
      { key: 'l', index: 1, seed: seedOf(1), ...parameters },
    ])
  })

  it('continues after a run that fails, and reports what it threw, from where, and what it logged', async () => {
    const threads = threadsOf('trouble')
    const { outcomes } = await threads.execute([trouble('k', 'throw'), trouble('l', 'none')], HOW)
    expect(outcomes[0].failed).toEqual({
      code: undefined,
      message: 'the walker left the map',
      stack: expect.stringMatching(/RangeError: the walker left the map\n.*trouble\.run\.js/),
      log: 'about to throw, number 0\n',
    })
    expect(outcomes[1]).toMatchObject({ key: 'l', rows: 1 })
  })

  it('treats rows that do not fit, and the end of the process, as failures', async () => {
    const threads = threadsOf('trouble')
    const { outcomes } = await threads.execute(
      [trouble('k', 'row'), trouble('l', 'column'), trouble('m', 'exit')],
      HOW,
    )
    expect(outcomes.map(({ failed }) => failed.message)).toEqual([
      `The column 'value' is f64, which cannot hold 'many'.`,
      `The row has 'other', which is no column: declare it in columns.`,
      'A run called process.exit: throw an error instead.',
    ])
  })

  it('denies random numbers and the clock only to strict runs', async () => {
    const threads = threadsOf('trouble')
    const runs = ['random', 'clock', 'date', 'givenDate'].map((kind) => trouble(kind, kind))
    const { outcomes } = await threads.execute(runs, { ...HOW, strict: true })
    expect(outcomes.map(({ failed }) => failed?.message.split(' ')[0])).toEqual([
      'Math.random',
      'Date.now',
      'new',
      undefined,
    ])
    const loose = await threads.execute(runs, HOW)
    expect(loose.outcomes.map(({ failed }) => failed)).toEqual([undefined, undefined, undefined, undefined])
  })

  it('that hangs is ended after the limit; its log is kept, and the other runs of its task are undone', async () => {
    const threads = threadsOf('trouble')
    await threads.execute([trouble('first', 'none')], HOW)
    const runs = [trouble('k', 'none'), trouble('l', 'hang'), trouble('m', 'none')]
    const { outcomes, undone } = await threads.execute(runs, { ...HOW, limitSeconds: 0.5 })
    expect(outcomes).toMatchObject([
      {
        key: 'l',
        failed: {
          code: 'TIME_LIMIT',
          message: 'It was ended after 0.5 s, at 0 %.',
          log: 'about to hang, number 0\n',
        },
      },
    ])
    expect(undone).toEqual([runs[0], runs[2]])
    expect((await threads.execute([trouble('n', 'none')], HOW)).outcomes).toMatchObject([
      { key: 'n', rows: 1 },
    ])
  })

  it('that is broken by a run is replaced, and the run says by what', async () => {
    const threads = threadsOf('trouble')
    const { outcomes } = await threads.execute([trouble('k', 'late')], HOW)
    expect(outcomes).toMatchObject([{ key: 'k', failed: { code: 'THREAD_LOST' } }])
    expect(outcomes[0].failed.message).toMatch(/too late/)
    expect((await threads.execute([trouble('l', 'none')], HOW)).outcomes).toMatchObject([
      { key: 'l', rows: 1 },
    ])
  })

  it('that is stopped leaves its runs undone', async () => {
    const threads = threadsOf('trouble')
    const runs = [trouble('k', 'hang')]
    const ended = threads.execute(runs, HOW)
    await until(() => [...threads.busy].some(({ slot }) => slot.current === 0))
    threads.stopNow()
    expect(await ended).toEqual({ outcomes: [], undone: runs })
  })

  it('sends checkpoints if no folder has them, and continues from one', async () => {
    const threads = threadsOf('days')
    const run = runOf('k', { days: 3, waitOnDay: 0, gate: '' })
    const kept = []
    const keep = (key, bytes) => kept.push([key, bytes])
    const whole = await threads.execute([run], { ...HOW, keep })
    await until(() => kept.length === 3)
    expect(kept.map(([key]) => key)).toEqual(['k', 'k', 'k'])
    const rest = await threads.execute([run], { ...HOW, keep: () => {}, resume: kept[0][1] })
    expect(rowsOf(rest)).toEqual(rowsOf(whole))
    expect(rest.outcomes).toMatchObject([{ rows: 3, keptSome: true }])
  })
})

it('a module that cannot be loaded is an error with its code, not a failed run', async () => {
  const threads = new Threads({ href: pathToFileURL(`${scratch()}/none.js`).href, threads: 1 })
  onTestFinished(() => threads.destroy())
  await expect(threads.execute([trouble('k', 'none')], HOW)).rejects.toThrow(
    expect.objectContaining({ code: 'NO_MODULE' }),
  )
})

it('rows go to one part for each thread if a folder exists', async () => {
  const parts = scratch()
  const threads = threadsOf('walk', { threads: 2, parts, writer: 'w' })
  const parameters = { step: 1, steps: 5, name: 'a' }
  const results = await Promise.all(['k', 'l'].map((key) => threads.execute([runOf(key, parameters)], HOW)))
  const names = results.map(({ outcomes }) => outcomes[0].part)
  expect(names.every((name) => /^w-\d+-\d+\.arrow$/.test(name))).toBe(true)
  expect(results.every(({ batch }) => batch === undefined)).toBe(true)
})
