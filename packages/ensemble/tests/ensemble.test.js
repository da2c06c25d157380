// Shows that a call of an ensemble does what is missing and nothing twice, with the same results from one thread, from two, and
// in pieces.

import { cpSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EnsembleError, range, readResults, runEnsemble } from '../src/index.ts'
import { pathsIn, readState } from '../src/folder.ts'
import { moduleOf, partsIn, run, scratch, start, until } from './support/ensemble.js'

const grid = { step: [1, 2, 3] }
const rowsOf = (out) =>
  readResults(out)
    .table.toArray()
    .map((row) => row.toJSON())
const doneIn = (out) => readState(out).doneCount

describe('an ensemble', () => {
  it('runs what is missing, and nothing twice', async () => {
    const out = scratch()
    const first = await runEnsemble(moduleOf('walk'), {
      seeds: range(10),
      grid: { step: [1, 2] },
      out,
      threads: 2,
    })
    expect(first).toEqual({
      total: 20,
      done: 20,
      alreadyDone: 0,
      missing: 0,
      failedCount: 0,
      failed: [],
      elsewhere: 0,
      differing: undefined,
      remarks: [],
    })
    const second = await runEnsemble(moduleOf('walk'), { seeds: range(12), grid, out, threads: 2 })
    expect(second).toEqual({
      total: 36,
      done: 36,
      alreadyDone: 20,
      missing: 0,
      failedCount: 0,
      failed: [],
      elsewhere: 0,
      differing: undefined,
      remarks: [],
    })
    expect(await runEnsemble(moduleOf('walk'), { seeds: range(12), grid, out })).toMatchObject({
      alreadyDone: 36,
    })
    const { journals } = pathsIn(out)
    expect(partsIn(journals)).toHaveLength(2)
    expect(rowsOf(out)).toHaveLength(36)
  })

  it('has the same results from one thread, from two, and in pieces', async () => {
    const [one, two, pieces] = [scratch(), scratch(), scratch()]
    await runEnsemble(moduleOf('walk'), { seeds: range(50), grid, out: one, threads: 1 })
    await runEnsemble(moduleOf('walk'), { seeds: range(50), grid, out: two, threads: 2 })
    for (const step of [3, 1, 2])
      await runEnsemble(moduleOf('walk'), { seeds: range(50), grid: { step: [step] }, out: pieces })
    expect(rowsOf(two)).toEqual(rowsOf(one))
    expect(rowsOf(pieces)).toEqual(rowsOf(one))
  })

  it('runs again what a part has lost', async () => {
    const out = scratch()
    await runEnsemble(moduleOf('walk'), { seeds: range(40), out, threads: 2 })
    const before = rowsOf(out)
    const { parts } = pathsIn(out)
    rmSync(join(parts, partsIn(parts)[0]))
    expect(doneIn(out)).toBeLessThan(40)
    expect(await runEnsemble(moduleOf('walk'), { seeds: range(40), out })).toMatchObject({ done: 40 })
    expect(rowsOf(out)).toEqual(before)
  })

  it('lists failed runs with everything known about them, and retries them in the next call', async () => {
    const out = scratch()
    const { failed, done } = await runEnsemble(moduleOf('trouble'), {
      seeds: [4],
      grid: { trouble: ['none', 'throw'] },
      out,
      retries: 1,
    })
    expect(done).toBe(1)
    expect(failed).toMatchObject([
      {
        index: 4,
        parameters: { trouble: 'throw' },
        attempts: 2,
        failed: { message: 'the walker left the map', log: 'about to throw, number 4\n' },
      },
    ])
    expect(readResults(out).failed).toEqual(JSON.parse(JSON.stringify(failed)))
    expect(
      await runEnsemble(moduleOf('trouble'), { seeds: [4], grid: { trouble: ['throw'] }, out }),
    ).toMatchObject({
      failed: [{ index: 4 }],
    })
  })

  it('reports its progress', async () => {
    const seen = []
    await runEnsemble(moduleOf('walk'), {
      seeds: range(30),
      out: scratch(),
      onProgress: (progress) => seen.push(progress),
    })
    expect(seen.at(-1)).toEqual({ total: 30, done: 30, failed: 0, running: 0, underWay: 0, began: 0 })
    expect(seen.every(({ done }, i) => i === 0 || done >= seen[i - 1].done)).toBe(true)
  })

  it('removes the checkpoints of a program that was killed right after their runs were done', async () => {
    const out = scratch()
    const options = { seeds: range(2), out }
    await runEnsemble(moduleOf('walk'), options)
    const [{ key }] = readResults(out).runs
    const { checkpoints } = pathsIn(out)
    const other = 'f'.repeat(32)
    for (const name of [key, other]) writeFileSync(join(checkpoints, `${name}.checkpoint`), '')
    await runEnsemble(moduleOf('walk'), options)
    expect(partsIn(checkpoints)).toEqual([`${other}.checkpoint`])
  })

  it('starts nothing if it was cancelled before', async () => {
    const options = { seeds: range(3), out: scratch(), finish: AbortSignal.abort() }
    expect(await runEnsemble(moduleOf('walk'), options)).toEqual({
      total: 3,
      done: 0,
      alreadyDone: 0,
      missing: 3,
      failedCount: 0,
      failed: [],
      elsewhere: 0,
      differing: undefined,
      remarks: [],
    })
  })

  it.each([
    [{ out: '' }, 'out'],
    [{ out: undefined }, 'out'],
    [{ threads: 0 }, 'threads'],
    [{ retries: -1 }, 'retries'],
    [{ limitSeconds: 0 }, 'limitSeconds'],
    [{ seeds: [] }, 'no seeds'],
    [{ grid: { nothing: [1] } }, 'nothing'],
  ])('refuses %j, and creates no folder', async (wrong, word) => {
    const out = join(scratch(), 'runs')
    const error = await runEnsemble(moduleOf('walk'), { out, ...wrong }).catch((reason) => reason)
    expect(error).toBeInstanceOf(EnsembleError)
    expect(error).toMatchObject({ code: 'BAD_OPTION', message: expect.stringContaining(word) })
    expect(partsIn(out)).toEqual([])
  })
})

describe('results of two texts', () => {
  /** A module whose runs all return the same value. */
  function moduleWith(value, folder) {
    const path = join(folder, 'mix.run.mjs')
    writeFileSync(path, `export default { columns: { v: 'f64' }, run: () => ({ v: ${value} }) }`)
    return path
  }
  const valuesIn = (out) => rowsOf(out).map(({ v }) => v)
  const remarksIn = (out) => readResults(out).remarks

  it('are not mixed if the description of the folder is lost and the module was changed', async () => {
    const folder = scratch()
    const out = join(folder, 'runs')
    await runEnsemble(moduleWith(1, folder), { seeds: range(5), out })
    rmSync(pathsIn(out).description)
    const second = await runEnsemble(moduleWith(2, folder), { seeds: range(5), out })
    expect(second).toMatchObject({
      done: 5,
      alreadyDone: 0,
      remarks: [expect.stringContaining('5 runs in this folder')],
    })
    expect(valuesIn(out)).toEqual([2, 2, 2, 2, 2])
    rmSync(pathsIn(out).description)
    expect(await runEnsemble(moduleWith(1, folder), { seeds: range(5), out })).toMatchObject({
      alreadyDone: 5,
    })
    expect(valuesIn(out)).toEqual([1, 1, 1, 1, 1])
  })

  it('are not mixed if folders of two machines are copied together', async () => {
    const folder = scratch()
    const [one, two] = [join(folder, 'one'), join(folder, 'two')]
    await runEnsemble(moduleWith(2, folder), { seeds: range(3), out: one })
    await runEnsemble(moduleWith(3, folder), { seeds: range(3), out: two })
    for (const name of ['parts', 'journals']) cpSync(join(two, name), join(one, name), { recursive: true })
    expect(valuesIn(one)).toEqual([2, 2, 2])
    expect(remarksIn(one)).toEqual([expect.stringContaining('3 runs in this folder are of another text')])
  })

  it('are refused in one folder if two programs start in it at once', async () => {
    const out = join(scratch(), 'runs')
    const modules = [1, 2].map((value) => moduleWith(value, scratch()))
    const outcomes = await Promise.allSettled(
      modules.map((module) => runEnsemble(module, { seeds: range(3), out })),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(new Set(valuesIn(out)).size).toBe(1)
  })
})

it('a thousand failed runs with long logs leave a folder that is read quickly', async () => {
  const folder = scratch()
  const path = join(folder, 'logs.run.mjs')
  writeFileSync(
    path,
    `export default { columns: { v: 'f64' }, run: ({ index }) => {
      if (index < 10) return { v: index }
      console.log('\\x1b[31mstep \\x1b[0m'.repeat(4000))
      throw new Error('diverged')
    } }`,
  )
  const out = join(folder, 'runs')
  const outcome = await runEnsemble(path, { seeds: range(1510), out, retries: 0 })
  expect(outcome).toMatchObject({ done: 10, failedCount: 1500 })
  expect(outcome.failed).toHaveLength(1000)
  const [journal] = partsIn(pathsIn(out).journals)
  expect(statSync(join(pathsIn(out).journals, journal)).size).toBeLessThan(1500 * 16_000)
  const { runs, failed, failedCount } = readResults(out)
  expect([runs.length, failed.length, failedCount]).toEqual([10, 1000, 1500])
  expect(failed[0]).toMatchObject({ index: 10, failed: { message: 'diverged' } })
})

describe('a program that is killed in the middle', () => {
  const words = (out) => ['run', moduleOf('walk'), '--seeds', '0..4999', '--set', 'step=1,2', '--out', out]

  it('loses no finished work, and the results are the same after continuing', async () => {
    const whole = scratch()
    await run([...words(whole), '--threads', 1])
    const out = scratch()
    for (const share of [1, 2]) {
      const { child, ended } = start([...words(out), '--threads', 2])
      await until(() => partsIn(pathsIn(out).journals).length === share && doneIn(out) > share * 20)
      child.kill('SIGKILL')
      await ended
    }
    const kept = doneIn(out)
    expect(kept).toBeLessThan(10000)
    expect((await run([...words(out), '--threads', 2])).output).toContain(
      `10000 of 10000 runs are done, ${kept} of them before.`,
    )
    expect(rowsOf(out)).toEqual(rowsOf(whole))
  })

  it('continues in the middle of a long run, from its checkpoint', async () => {
    const out = scratch()
    const gate = join(scratch(), 'gate')
    const words = [
      'run',
      moduleOf('days'),
      '--seeds',
      '0..1',
      '--set',
      'waitOnDay=5',
      '--set',
      `gate=${gate}`,
      '--out',
      out,
      '--threads',
      1,
    ]
    const { child, ended } = start(words)
    await until(() => partsIn(join(gate, '..')).includes('gate.waiting'))
    child.kill('SIGKILL')
    await ended
    expect(doneIn(out)).toBe(0)
    writeFileSync(gate, '')
    expect((await run(words)).code).toBe(0)
    expect(existsSync(`${gate}.resumed`)).toBe(true)
    const days = rowsOf(out)
    expect(days.filter(({ index }) => index === 0).map(({ day }) => day)).toEqual(range(10, 1))
    const undisturbed = scratch()
    await runEnsemble(moduleOf('days'), { seeds: range(2), out: undisturbed })
    const figures = (rows) =>
      rows
        .map(({ index, day, distance }) => [index, day, distance])
        .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    expect(figures(days)).toEqual(figures(rowsOf(undisturbed)))
    expect(partsIn(pathsIn(out).checkpoints)).toEqual([])
  })
})
