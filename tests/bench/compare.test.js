// Shows what the comparison of two results calls slower, what it takes for noise, and how the command ends.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { compareResults, gotSlower } from '../../bench/compare.js'

const STEADY = [100, 101, 102, 99, 98]
const scaled = (times, factor) => times.map((time) => time * factor)
const row = (nanoseconds, library = 'strata', version = '1.0.0') => ({
  ...{ case: 'loop', size: 1_000, library, label: library, version, way: 'per call', nanoseconds },
  least: nanoseconds,
})
const file = {
  date: '2026-01-01',
  machine: { node: 'v20' },
  cases: [{ name: 'loop', title: 'Loop' }],
  refused: [],
}
const results = (...rows) => ({ ...file, rows })
const verdictOf = (before, after) => compareResults(results(row(before)), results(row(after))).rows[0].verdict

it.each([
  ['slower', STEADY, scaled(STEADY, 1.2)],
  ['faster', STEADY, scaled(STEADY, 0.8)],
  ['equal, by 5 % or less', [100, 100, 100], [105, 105, 105]],
  ['equal, one repeat reaches into the others', [100, 100, 100, 100, 151], [150, 150, 150, 150, 150]],
  ['equal, the other way round', [100, 100, 100, 100, 100], [150, 150, 99, 150, 150]],
  ['too few repeats', [100, 100], [300, 300, 300]],
])('calls a row %s', (said, before, after) => {
  expect(verdictOf(before, after)).toBe(said.split(',')[0])
})

it('removes the drift of the machine, by rows of others in the same version', () => {
  const older = results(row(STEADY), row(STEADY, 'raw'), row(STEADY, 'bitecs'))
  const slow = scaled(STEADY, 1.5)
  const alike = compareResults(older, results(row(slow), row(slow, 'raw'), row(slow, 'bitecs')))
  expect(alike.drift).toBeCloseTo(1.5, 9)
  expect(alike.rows.map(({ verdict }) => verdict)).toEqual(['equal', 'equal', 'equal'])
  const fast = scaled(STEADY, 0.7)
  const stayed = compareResults(older, results(row(STEADY), row(fast, 'raw'), row(fast, 'bitecs')))
  expect(stayed.rows[0].verdict).toBe('slower')
  expect(gotSlower(stayed)).toBe(true)
  expect(compareResults(older, results(row(slow), row(fast, 'bitecs', '2.0.0'))).drift).toBe(1)
})

it('ends with 1 when strata-ecs got slower, with 0 when others did, and refuses files without results', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-compare-'))
  const write = (name, content) => {
    writeFileSync(join(folder, name), JSON.stringify(content))
    return join(folder, name)
  }
  const command = fileURLToPath(new URL('../../bench/run.js', import.meta.url))
  const run = (older, newer) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, '--compare', older, newer], { encoding: 'utf8' }) // prettier-ignore
    return [status, stdout + stderr]
  }
  const older = write('older.json', results(row(STEADY), row(STEADY, 'bitecs'), row(STEADY, 'raw')))
  const ours = write('ours.json', results(row(scaled(STEADY, 2)), row(STEADY, 'bitecs'), row(STEADY, 'raw')))
  const twice = row(scaled(STEADY, 2), 'bitecs')
  const theirs = write('theirs.json', results(row(STEADY), twice, row(STEADY, 'raw'), row(STEADY, 'koota')))
  expect(run(older, ours)).toEqual([1, expect.stringMatching(/slower:\n +loop 1,000 +strata: per call +x 2/)])
  expect(run(older, theirs)[0]).toBe(0)
  expect(run(write('other.json', { rows: 1 }), ours)[1]).toContain(
    'other.json cannot be read: it holds no results',
  )
  rmSync(folder, { recursive: true })
})
