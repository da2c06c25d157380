// Owns the proof that a run of the benchmark loses nothing when it is stopped: what was measured is in the journal, however
// the run ended, and one that goes on comes to the same table.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { Journal } from '../../bench/journal.js'
import { measureAll } from '../../bench/measuring.js'
import { plan } from '../../bench/plan.js'
import { resultsOf } from '../../bench/results.js'
import { readResults } from '../../bench/resultsFile.js'

const folder = mkdtempSync(join(tmpdir(), 'strata-journal-'))
afterAll(() => rmSync(folder, { recursive: true }))

const header = { date: '2026-01-01', origin: {}, choice: { cases: ['loop'] } }
const quiet = { line() {}, show() {}, clear() {} }
const offers = [
  { library: 'raw', label: 'by hand', ways: { loop: ['arrays'] } },
  { library: 'strata', label: 'strata-ecs', ways: { loop: ['views', 'each'] } },
]
const works = [{ name: 'loop', title: 'Loop', sizes: [10, 100] }]
const REPEATS = 3

/** What a row comes to depends on the row and the repeat alone; one process of all is not steady at first. */
function createMachine() {
  const turns = new Map()
  const asked = []
  return {
    asked,
    async isolate({ size, library, way }) {
      const name = `${size} ${library} ${way}`
      const turn = turns.get(name) ?? 0
      turns.set(name, turn + 1)
      asked.push(name)
      return reportOf(name, turn)
    },
    /** As if the turns that a journal has had been taken here. */
    skip: (name) => turns.set(name, (turns.get(name) ?? 0) + 1),
  }
}

const reportOf = (name, turn) => ({
  checksum: 1,
  nanoseconds: name.length * 100 + turn,
  least: name.length * 90,
  calibration: 50,
  steady: !(name === '10 strata each' && turn === 1),
  runs: turn + 1,
})

/** Runs all that is planned until `stopAfter` rows were measured; the table as plain data. */
async function runAll(journal, machine, stopAfter = Infinity) {
  const stopper = new AbortController()
  const planned = plan(offers, { cases: works })
  const isolate = async (job) => {
    if (machine.asked.length === stopAfter) stopper.abort()
    if (stopper.signal.aborted) throw Object.assign(new Error('SIGINT'), { name: 'AbortError' })
    return machine.isolate(job)
  }
  const options = { repeats: REPEATS, milliseconds: 1 }
  await measureAll(planned.jobs, options, { isolate, progress: quiet, signal: stopper.signal, journal })
  const { rows, refused } = resultsOf(planned, options, { machine: {} })
  return { rows, refused }
}

describe('a run that goes on', () => {
  it.each([0, 1, 5, 8, 17, 18])(
    'comes to the same table after it was stopped at row %i',
    async (stopAfter) => {
      const path = join(folder, `stopped-${stopAfter}.jsonl`)
      const whole = createMachine()
      const wanted = await runAll(undefined, whole)
      expect(whole.asked).toHaveLength(6 * REPEATS + 1)

      const first = createMachine()
      await runAll(Journal.begin(path, header).journal, first, stopAfter)
      expect(first.asked).toHaveLength(stopAfter)

      const second = createMachine()
      for (const name of first.asked) second.skip(name)
      const journal = Journal.resume(path)
      expect(journal.count).toBe(stopAfter)
      expect(journal.header).toEqual(header)
      expect(await runAll(journal, second)).toEqual(wanted)
      expect(second.asked).toHaveLength(6 * REPEATS + 1 - stopAfter)
    },
  )

  it('keeps an error, and does not try again what was wrong', async () => {
    const path = join(folder, 'wrong.jsonl')
    const machine = createMachine()
    const broken = {
      ...machine,
      async isolate(job) {
        if (job.way === 'each') throw new RangeError('wrong result')
        return machine.isolate(job)
      },
    }
    const wanted = await runAll(Journal.begin(path, header).journal, broken)
    expect(wanted.refused).toHaveLength(2)
    const nobody = { asked: [], isolate: () => expect.unreachable() }
    expect(await runAll(Journal.resume(path), nobody)).toEqual(wanted)
  })

  it('measures again what was half written', async () => {
    const path = join(folder, 'half.jsonl')
    await runAll(Journal.begin(path, header).journal, createMachine(), 4)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.slice(0, -9))
    expect(Journal.resume(path).count).toBe(3)
    expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true)
  })

  it('is refused where there is none, or something else', () => {
    expect(() => Journal.resume(join(folder, 'nothing.jsonl'))).toThrow('no run to go on with')
    const other = join(folder, 'other.jsonl')
    writeFileSync(other, '{"name": "strata-ecs"}\n')
    expect(() => Journal.resume(other)).toThrow('no journal of this benchmark')
  })
})

it('a new run sets aside what a stopped one has left', () => {
  const path = join(folder, 'aside.jsonl')
  expect(Journal.begin(path, { ...header, date: 'first' }).aside).toBe(undefined)
  const { aside, journal } = Journal.begin(path, { ...header, date: 'second' })
  expect(Journal.resume(aside).header.date).toBe('first')
  journal.remove()
  expect(existsSync(path)).toBe(false)
})

describe('the command', () => {
  const RUN = fileURLToPath(new URL('../../bench/run.js', import.meta.url))
  const CHOICE = ['--case', 'get', '--case', 'sorted', '--size', '1000', '--library', 'raw']
  const TIMING = ['--repeats', '4', '--milliseconds', '20']

  function start(...args) {
    const child = spawn(process.execPath, [RUN, ...args])
    const said = { out: '', err: '' }
    child.stdout.on('data', (text) => (said.out += text))
    child.stderr.on('data', (text) => (said.err += text))
    const ended = new Promise((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, ...said }))
    })
    return { child, ended }
  }

  const linesOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(1, -1) : [])

  /** Stops a run by a signal as soon as some figures are there, then goes on. */
  async function stopAndResume(signal) {
    const out = join(folder, signal)
    const journal = join(out, 'running.jsonl')
    const { child, ended } = start(...CHOICE, ...TIMING, '--out', out)
    while (linesOf(journal).length < 3) await wait(5)
    child.kill(signal)
    const stopped = await ended
    const kept = linesOf(journal).map((line) => JSON.parse(line))
    expect(existsSync(join(out, 'latest.json'))).toBe(false)
    const resumed = await start('--resume', '--out', out).ended
    return { stopped, kept, resumed, results: readResults(join(out, 'latest.json')), journal }
  }

  it.each(['SIGINT', 'SIGKILL'])('goes on after %s with what was measured', async (signal) => {
    const { stopped, kept, resumed, results, journal } = await stopAndResume(signal)
    if (signal === 'SIGINT') {
      expect(stopped.code).toBe(130)
      expect(stopped.out).toContain('hand-written arrays')
      expect(stopped.err).toContain('--resume goes on')
    } else expect(stopped.signal).toBe('SIGKILL')
    expect(kept.length).toBeGreaterThanOrEqual(3)

    expect([resumed.code, resumed.err]).toEqual([
      0,
      expect.stringContaining(`${kept.length} figures are there`),
    ])
    expect(resumed.out).toContain('Get: one field by handle')
    expect(results.rows.map((row) => [row.case, row.way, row.steady.length])).toEqual([
      ['get', 'row by id', 4],
      ['sorted', 'radix sort', 4],
    ])
    for (const { key, report } of kept.filter(({ report }) => report.steady)) {
      const [name, , , , repeat] = JSON.parse(key)
      const row = results.rows.find((one) => one.case === name)
      // The clock of the whole run scales times; the number of runs is as it was, unless it asked for some once more.
      if (!resumed.err.includes('once more')) expect(row.runs[repeat]).toBe(report.runs)
    }
    expect(existsSync(journal)).toBe(false)
  })

  it('refuses to go on with another choice, or with nothing', async () => {
    const other = await start('--resume', '--case', 'get').ended
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('leave out')])
    const nothing = await start('--resume', '--out', join(folder, 'empty')).ended
    expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining('no run to go on with')])
  })

  it('refuses to go on with what another build has measured', async () => {
    const out = join(folder, 'foreign')
    const choice = { cases: ['get'], libraries: ['raw'], repeats: 1, milliseconds: 1, whole: false }
    Journal.begin(join(out, 'running.jsonl'), { date: '2026', origin: { digest: 'other' }, choice })
    const { code, err } = await start('--resume', '--out', out).ended
    expect([code, err]).toEqual([1, expect.stringContaining('is not what it was')])
  })
})
