// Shows that the tables of the documentation are as prettier would write them, have every published row, and that nothing around
// their marks changes.

import { readFileSync } from 'node:fs'
import { format } from 'prettier'
import { expect, it } from 'vitest'
import { cases } from '../../bench/cases/index.js'
import { LIBRARIES, plan } from '../../bench/plan.js'
import { groupsOf } from '../../bench/results.js'
import { linesOf } from '../../bench/table.js'
import { SHOWN, refreshEngines, refreshTables } from '../../bench/tables.js'

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8')
const node = { processor: 'A <CPU>', cores: 2, memory: 2 ** 33, platform: 'linux', node: 'v20.1.0', v8: '1' }
const figures = { least: [1_000_000], steady: [true], garbage: [{ bytes: 3, outside: 1, collections: 0 }] }

/** Every row that there is, a million nanoseconds each, or three for each of our own. */
const results = {
  date: '2026-01-02T03:04:05.000Z',
  machine: node,
  packages: { bitecs: '0.4.0' },
  options: { repeats: 3, milliseconds: 150 },
  cases: cases.map(({ name, title, unit, quantity }) => ({ name, title, unit, quantity })),
  rows: plan({ cases, libraries: Object.keys(LIBRARIES) }).jobs.map(({ work, ...row }) => ({
    ...{ ...row, case: work.name, version: '1.2.3', ...figures },
    nanoseconds: [row.library === 'strata' ? 3e6 : 1e6],
  })),
  refused: [],
}

it('are refreshed in the pages that have them: every cell except those of rows that are left out', async () => {
  for (const path of ['../../README.md', '../../docs/benchmarks.md', '../../bench/study.md']) {
    const page = read(path)
    const fresh = refreshTables(page, results)
    expect(refreshTables(fresh, results)).toBe(fresh)
    const outside = (text) => text.split(/<!-- bench:[\w:]*start -->[\s\S]*?<!-- bench:[\w:]*end -->/)
    expect(outside(fresh)).toEqual(outside(page))
    const options = { ...JSON.parse(read('../../.prettierrc.json')), parser: 'markdown' }
    expect(await format(fresh, options)).toBe(fresh)
  }
  const summary = refreshTables('<!-- bench:summary:start --><!-- bench:summary:end -->', results)
  const rows = summary.split('\n').filter((line) => line.startsWith('|'))
  expect(rows).toHaveLength(13)
  expect(rows[2]).toMatch(
    /^\| `world.add` and `world.remove` of one component +\| +1,000 \| +1,000 \| +\*\*3,000/,
  )
  // koota at 100,000, piecs over 10,000 archetypes, raw at the start.
  expect(summary.match(/\| +(?=\|)/g)).toHaveLength(4)
})

it('have a pair of columns for each engine, the newest Node first and a browser last', () => {
  const page = '<!-- bench:engines:start --><!-- bench:engines:end -->'
  const browser = { browser: 'Chromium 150', cores: 2, platform: 'Linux', resolution: 0.005 }
  const runs = [browser, node, { ...node, node: 'v24.0.0' }]
  const [header] = refreshEngines(page, runs.map((machine) => ({ ...results, machine }))).match(/\|.*\|/) // prettier-ignore
  expect(header).toMatch(/raw, Node 24\.0\.0 .* raw, Node 20\.1\.0 .* raw, Chromium 150/)
})

it('name the mark that matches nothing or has no end', () => {
  expect(() => refreshTables('<!-- bench:what:start -->', results)).toThrow('bench:what:')
  expect(() => refreshTables('<!-- bench:start -->', results)).toThrow('has no end')
})

it('of the terminal have as many cells in each line, and say what is measured of garbage', () => {
  const groups = groupsOf(results)
  for (const group of groups) expect(new Set(linesOf(group).map((line) => line.length)).size).toBe(1)
  const garbage = groups.find(({ work }) => work.name === 'garbage')
  expect(linesOf(garbage)[1].slice(2, 4)).toEqual(['4.00', '0'])
})

it('show ways that are measured: a way that was renamed leaves no blank cell', () => {
  const ours = new Map(cases.map(({ name, ways }) => [name, Object.keys(ways.strata)]))
  const missing = SHOWN.filter(({ cases: names, way }) => !names.some((name) => ours.get(name).includes(way)))
  expect(SHOWN.length).toBeGreaterThan(10)
  expect(missing).toEqual([])
})
