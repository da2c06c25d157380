// Owns the proof of the benchmark's guard: what it calls slower, what it takes for noise, and how the command ends.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { compareResults, formatComparison, gotSlower } from '../../bench/compare.js'

const STEADY = [100, 101, 102, 99, 98]
const scaled = (times, factor) => times.map((time) => time * factor)
const row = (nanoseconds, library = 'strata', way = 'per call', version = '1.0.0') => {
  return { case: 'loop', size: 1_000, library, label: library, version, way, nanoseconds }
}
const results = (...rows) => ({ date: '2026-01-01', machine: { node: 'v20' }, rows })
const verdictOf = (before, after) => compareResults(results(row(before)), results(row(after))).rows[0].verdict

describe('the verdict on a row', () => {
  it('is slower or faster when the spreads do not touch and the medians differ by more than 5 %', () => {
    expect(verdictOf(STEADY, scaled(STEADY, 1.2))).toBe('slower')
    expect(verdictOf(STEADY, scaled(STEADY, 0.8))).toBe('faster')
  })

  it('is equal when the medians differ by 5 % or less, however steady the repeats are', () => {
    expect(verdictOf([100, 100, 100], [104, 104, 104])).toBe('equal')
    expect(verdictOf([100, 100, 100], [105, 105, 105])).toBe('equal')
    expect(verdictOf([100, 100, 100], [106, 106, 106])).toBe('slower')
  })

  it('is equal when one repeat of either file reaches into the spread of the other', () => {
    expect(verdictOf([100, 100, 100, 100, 151], [150, 150, 150, 150, 150])).toBe('equal')
    expect(verdictOf([100, 100, 100, 100, 100], [150, 150, 99, 150, 150])).toBe('equal')
    expect(verdictOf([100, 100, 100, 100, 149], [150, 150, 150, 150, 150])).toBe('slower')
  })

  it('says the opposite when the files change places', () => {
    const noisy = [90, 130, 104, 99, 125]
    for (const other of [scaled(noisy, 1.5), scaled(noisy, 1.04), scaled(noisy, 1.3)]) {
      const opposite = { slower: 'faster', faster: 'slower', equal: 'equal' }
      expect(verdictOf(other, noisy)).toBe(opposite[verdictOf(noisy, other)])
    }
  })

  it('is not given for fewer than three repeats', () => {
    expect(verdictOf([100, 100], [300, 300, 300])).toBe('too few repeats')
    expect(verdictOf([100, 100, 100], [300])).toBe('too few repeats')
  })
})

describe('the drift of the machine', () => {
  const older = results(row(STEADY), row(STEADY, 'raw'), row(STEADY, 'bitecs'))

  it('is taken out: all rows alike slower are not slower', () => {
    const slower = scaled(STEADY, 1.5)
    const compared = compareResults(older, results(row(slower), row(slower, 'raw'), row(slower, 'bitecs')))
    expect(compared.drift).toBeCloseTo(1.5, 9)
    expect(compared.rows.map(({ verdict }) => verdict)).toEqual(['equal', 'equal', 'equal'])
  })

  it('shows a row that stayed while the machine became faster', () => {
    const faster = scaled(STEADY, 0.7)
    const compared = compareResults(older, results(row(STEADY), row(faster, 'raw'), row(faster, 'bitecs')))
    expect(compared.rows[0].verdict).toBe('slower')
    expect(gotSlower(compared)).toBe(true)
  })

  it('is not read from libraries whose version changed, nor from strata-ecs', () => {
    const newer = results(row(scaled(STEADY, 2)), row(scaled(STEADY, 3), 'bitecs', 'per call', '2.0.0'))
    expect(compareResults(older, newer).drift).toBe(1)
  })
})

describe('the comparison', () => {
  it('calls strata-ecs slower only for rows of its own', () => {
    const older = results(row(STEADY), row(STEADY, 'a'), row(STEADY, 'b'), row(STEADY, 'raw'))
    const newer = results(row(STEADY), row(scaled(STEADY, 2), 'a'), row(STEADY, 'b'), row(STEADY, 'raw'))
    const compared = compareResults(older, newer)
    expect(compared.rows.map(({ verdict }) => verdict)).toEqual(['equal', 'slower', 'equal', 'equal'])
    expect(gotSlower(compared)).toBe(false)
  })

  it('tells rows by case, size, library and way, and lists those that only one file has', () => {
    const older = results(row(STEADY), row(STEADY, 'strata', 'in bulk'))
    const newer = results(row(STEADY), { ...row(STEADY), size: 100_000 })
    const compared = compareResults(older, newer)
    expect(compared.rows).toHaveLength(1)
    expect(compared.gone.map(({ way }) => way)).toEqual(['in bulk'])
    expect(compared.added.map(({ size }) => size)).toEqual([100_000])
  })

  it('compares memory where a case is about it, and takes no drift out', () => {
    const held = (megabytes) => ({
      before: { heap: 0, external: 0 },
      after: { heap: megabytes * 2 ** 20, external: 0 },
    })
    const withMemory = (times, ...megabytes) => ({
      ...row(times),
      case: 'memory',
      memory: megabytes.map(held),
    })
    const file = (factor, ...megabytes) => ({
      ...results(row(scaled(STEADY, factor), 'raw'), withMemory(scaled(STEADY, factor), ...megabytes)),
      cases: [{ name: 'loop' }, { name: 'memory', quantity: 'memory' }],
    })
    const older = file(1, 10, 10, 10)
    const more = file(2, 12, 12, 12)
    const compared = compareResults(older, more)
    expect(compared.drift).toBeCloseTo(2, 9)
    expect(compared.rows.map(({ verdict }) => verdict)).toEqual(['equal', 'slower'])
    expect(formatComparison(compared, older, more)).toMatch(/memory 1,000 .* x 1\.20 +10\.0 -> 12\.0 MB/)
    expect(compareResults(older, file(0.5, 10, 10, 10)).rows[1].verdict).toBe('equal')
  })

  it('has no verdict where the clock of either file wandered, and takes no drift from it', () => {
    const wandering = (one) => ({ ...one, steady: [false, false, true, false, true] })
    const older = results(row(STEADY), row(STEADY, 'raw'))
    const newer = results(wandering(row(scaled(STEADY, 2))), wandering(row(scaled(STEADY, 3), 'raw')))
    const compared = compareResults(older, newer)
    expect(compared.drift).toBe(1)
    expect(compared.rows.map(({ verdict }) => verdict)).toEqual(['clock wandered', 'clock wandered'])
    expect(gotSlower(compared)).toBe(false)
    expect(formatComparison(compared, older, newer)).toContain('clock wandered:')
    expect(compareResults(newer, older).rows[0].verdict).toBe('clock wandered')
  })

  it('warns when the machine had other work during a run', () => {
    const quiet = { ...results(row(STEADY)), machine: { cores: 2 }, load: { before: 0.1, after: 1.2 } }
    const busy = { ...quiet, load: { before: 6, after: 7 } }
    const text = (older, newer) => formatComparison(compareResults(older, newer), older, newer)
    expect(text(quiet, quiet)).not.toContain('CAREFUL')
    expect(text(quiet, busy)).toContain('CAREFUL: the machine had other work')
  })

  it('warns when the machines differ', () => {
    const older = results(row(STEADY))
    const newer = { ...older, machine: { node: 'v24' } }
    const text = formatComparison(compareResults(older, newer), older, newer)
    expect(text).toContain('CAREFUL: node was v20, is v24.')
    expect(formatComparison(compareResults(older, older), older, older)).not.toContain('CAREFUL')
  })
})

describe('the command with two files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-compare-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (name, text) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const whole = {
    machine: { processor: 'A', node: 'v20' },
    cases: [{ name: 'loop', title: 'Loop' }],
    libraries: [],
    refused: [],
  }
  const older = file('old.json', JSON.stringify({ ...results(row(STEADY)), ...whole }))
  const newer = file('new.json', JSON.stringify({ ...results(row(scaled(STEADY, 1.3))), ...whole }))
  const first = file(
    'first.json',
    JSON.stringify({
      ...results({ ...row(STEADY), library: 'strata-ecs', label: undefined }),
      machine: whole.machine,
    }),
  )
  const other = file('other.json', '{"name": "strata-ecs"}')

  function compare(...args) {
    const command = fileURLToPath(new URL('../../bench/run.js', import.meta.url))
    return new Promise((resolve) => {
      execFile(process.execPath, [command, ...args], (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, stdout, stderr })
      })
    })
  }

  it('times nothing, names what got slower and ends with 1', async () => {
    const { code, stdout, stderr } = await compare('--compare', older, newer)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/slower:\n +loop 1,000 +strata: per call +x 1\.30/)
    expect(code).toBe(1)
  })

  it('ends with 0 when nothing got slower', async () => {
    const { code, stdout } = await compare('--compare', newer, older)
    expect(stdout).toContain('faster:')
    expect(code).toBe(0)
  })

  it('reads the first files, which had labels for names', async () => {
    const { code, stdout } = await compare('--compare', first, newer)
    expect(stdout).toContain('1 rows compared, 0 of them equal')
    expect(code).toBe(1)
  })

  it('refuses files that are none of its own, and says which', async () => {
    const missing = await compare('--compare', join(folder, 'none.json'), newer)
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('none.json cannot be read')])
    const foreign = await compare('--compare', other, newer)
    expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining('holds no results')])
  })

  it('refuses to compare what --quick does not time', async () => {
    const { code, stderr } = await compare('--quick', '--compare', older)
    expect([code, stderr]).toEqual([1, expect.stringContaining('--quick times nothing')])
  })
})
