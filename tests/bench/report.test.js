// Owns the proof of the benchmark's report: the page stands alone and holds every row, the tables of the documentation
// are those that prettier would write, and nothing around their marks changes.

import { readFileSync } from 'node:fs'
import { format } from 'prettier'
import { describe, expect, it } from 'vitest'
import { cases } from '../../bench/cases/index.js'
import { pageOf } from '../../bench/report/page.js'
import { LIBRARIES, plan } from '../../bench/plan.js'
import { SUMMARY } from '../../bench/report/summary.js'
import { refreshEngines, refreshTables } from '../../bench/report/tables.js'

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8')

const row = (work, library, way, nanoseconds) => ({
  case: work.name,
  size: 1_000,
  library,
  label: library === 'strata' ? 'strata-ecs' : library,
  version: '1.0.0',
  way,
  nanoseconds,
  least: nanoseconds.map((value) => value * 0.9),
  steady: [true, true, false],
  runs: [500, 500, 500],
  collections: [0, 1, 2],
  memory: [
    {
      before: { heap: 0, external: 0, resident: 2 ** 26 },
      after: { heap: 2 ** 20, external: 2 ** 25, resident: 2 ** 26 + 2 ** 22 },
    },
  ],
  garbage: [{ bytes: 3, outside: 1, collections: 0 }],
  statistics: library === 'strata' ? [{ used: 2 ** 21, reserved: 2 ** 25 }] : [],
})

const results = {
  date: '2026-01-02T03:04:05.000Z',
  machine: {
    processor: 'Some <CPU>',
    cores: 2,
    memory: 2 ** 33,
    platform: 'linux x64',
    node: 'v20.1.0',
    v8: '11.3',
  },
  packages: { bitecs: '0.4.0' },
  options: { repeats: 3, milliseconds: 150, whole: true },
  cases: cases.map(({ name, title, unit, units, quantity }) => ({ name, title, unit, units, quantity })),
  libraries: [{ library: 'strata', label: 'strata-ecs', version: '1.0.0', uses: 'Queries | kernels.' }],
  rows: cases.flatMap((work) => [
    row(work, 'strata', 'spawn(C({...})), p.x[i] * 2', [3_000, 2_000, 4_000]),
    row(work, 'strata', 'in <bulk> </script>', [1_000, 1_100, 900]),
    row(work, 'raw', 'arrays', [500, 500, 500]),
  ]),
  refused: [
    {
      case: 'loop',
      size: 1_000,
      library: 'liar',
      label: 'liar',
      way: 'idle',
      error: 'Error: wrong result after 1 runs',
    },
  ],
}

describe('the page', () => {
  const page = pageOf(results, { style: 'p {}', script: 'draw("</script>")', charts: 'charts()' })

  it('needs nothing from elsewhere', () => {
    expect(page).not.toMatch(/(?:src|href)=|@import|url\(/)
  })

  it('has a section for each case and a row for each way, the fastest first', () => {
    expect(page.match(/<section class="group"/g)).toHaveLength(cases.length)
    const loop = /<section class="group"[^>]* data-case="loop"[\s\S]*?<\/section>/.exec(page)[0]
    const rows = [...loop.matchAll(/<tr data-library="(\w+)">(.*?)<\/tr>/g)]
    expect(rows.map(([, library]) => library)).toEqual(['raw', 'strata', 'strata'])
    const cells = [...rows[2][2].matchAll(/<td.*?>(.*?)<\/td>/g)].map((match) => match[1])
    expect(cells.slice(2)).toEqual(['3.00', '1.80', '-33..+33 %', '6.00', '2.0', '1.0', '32.0'])
  })

  it('shows memory, where a case is about it, with what the library says itself', () => {
    const section = /<section class="group"[^>]* data-case="memory"[\s\S]*?<\/section>/.exec(page)[0]
    const textsOf = (html) => [...html.matchAll(/<t[dh].*?>(.*?)<\/t[dh]>/g)].map((match) => match[1])
    const header = textsOf(/<thead>.*?<\/thead>/.exec(section)[0])
    expect(header.slice(2)).toEqual(['MB', 'spread', 'x raw', 'heap MB', 'external MB', 'by its own count MB', 'resident MB', 'ns/entity']) // prettier-ignore
    const rows = [...section.matchAll(/<tr data-library="(\w+)">(.*?)<\/tr>/g)].map(([, library, cells]) => [
      library,
      ...textsOf(cells).slice(2),
    ])
    expect(rows).toContainEqual(['strata', '33.0', '0..+0 %', '1.00', '1.0', '32.0', '2.0', '4.0', '1.00'])
    expect(rows).toContainEqual(['raw', '33.0', '0..+0 %', '1.00', '1.0', '32.0', '', '4.0', '0.50'])
    expect(section).toContain('1,000 entities, MB</p>')
  })

  it('marks a figure whose clock wandered, and gives no ratio', () => {
    const rows = results.rows.map((one) => ({ ...one, steady: [true, false, false] }))
    const wandered = pageOf({ ...results, rows }, { style: '', script: '', charts: '' })
    const loop = /<section class="group"[^>]* data-case="loop"[\s\S]*?<\/section>/.exec(wandered)[0]
    expect(loop).toContain('<td class="number">3.00 ?</td>')
    expect(loop).toContain('<td class="number">?</td>')
  })

  it('says where there is no row, and why', () => {
    expect(page).toContain('No row for liar, idle: Error: wrong result after 1 runs')
  })

  it('keeps names from becoming markup', () => {
    expect(page).toContain('in &lt;bulk&gt; &lt;/script&gt;')
    expect(page).toContain('Some &lt;CPU&gt;')
    expect(page.match(/<\/script>/g)).toHaveLength(3)
  })

  it('carries the figures of its charts', () => {
    const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)[1]
    const { groups } = JSON.parse(data)
    expect(groups[0].rows[2]).toMatchObject({ library: 'strata', median: 3, least: 2, most: 4, repeats: 3 })
    const scales = Object.fromEntries(groups.map(({ name, scale }) => [name, scale]))
    expect(scales).toMatchObject({ loop: 'ns/entity', startup: 'ms', memory: 'MB' })
  })

  it('takes files from before memory, collections and titles were noted', () => {
    const { rows, machine, options, date } = results
    const plain = ({ runs: _, collections: __, memory: ___, ...one }) => one
    const old = { cases: [{ name: 'loop', title: 'loop' }], libraries: [], refused: [] }
    const loop = rows.filter((one) => one.case === 'loop').map(plain)
    const text = pageOf({ ...old, machine, options, date, rows: loop }, { style: '', script: '', charts: '' })
    expect(text.match(/<tr data-library/g)).toHaveLength(3)
    expect(text).not.toMatch(/NaN|undefined/)
  })
})

describe('what is said of the machine', () => {
  const said = (load) => {
    const text = '<!-- bench:machine:start --><!-- bench:machine:end -->'
    return refreshTables(text, { ...results, load })
  }

  it('has the load, and a warning when there was other work', () => {
    expect(said({ before: 0.2, after: 1.1 })).toContain('0.2 before the run, 1.1 at its end.\n')
    expect(said({ before: 1.5, after: 1.1 })).toContain('had other work')
    expect(said({ before: 0.2, after: 4 })).toContain('had other work')
    expect(said(undefined)).not.toContain('wanted a core')
  })
})

describe.each([
  ['README.md', read('../../README.md')],
  ['docs/benchmarks.md', read('../../docs/benchmarks.md')],
  ['the file of all rows', read('../../bench/report/allRows.md')],
])('the tables of %s', (_, page) => {
  it('are laid out as prettier would', async () => {
    const refreshed = refreshTables(page, results)
    const { overrides, ...style } = JSON.parse(read('../../.prettierrc.json'))
    const formatted = await format(refreshed, { ...style, ...overrides[0].options, parser: 'markdown' })
    expect(refreshed).toBe(formatted)
  })

  it('leave what stands around them as it is, and are the same when written twice', () => {
    const withoutTables = (text) =>
      text.replace(/(<!-- bench:([\w-]+:)?start -->)[\s\S]*?(<!-- bench:\2end -->)/g, '$1$3')
    const refreshed = refreshTables(page, results)
    expect(refreshed).not.toBe(page)
    expect(withoutTables(refreshed)).toBe(withoutTables(page))
    expect(refreshTables(refreshed, results)).toBe(refreshed)
  })
})

describe('the file of all rows', () => {
  const text = refreshTables(read('../../bench/report/allRows.md'), results)

  it('has a heading for each case and a line for each row', () => {
    const [, everyRow] = text.split('<!-- bench:cases:start -->')
    expect(everyRow.match(/^### /gm)).toHaveLength(cases.length)
    expect(everyRow.match(/^\| strata-ecs 1\.0\.0 /gm)).toHaveLength(2 * cases.length)
  })

  it('is kept out of the repository, unlike the summary', () => {
    expect(read('../../.gitignore').split('\n')).toContain('bench/results/')
    expect(read('../../bench/report/index.js')).toContain("'../results/benchmarks.md'")
    expect(read('../../docs/benchmarks.md').split('\n').length).toBeLessThan(150)
  })
})

describe('the short table', () => {
  const loop = cases.find(({ name }) => name === 'loop')
  const startup = cases.find(({ name }) => name === 'startup')
  const get = cases.find(({ name }) => name === 'get')
  const set = cases.find(({ name }) => name === 'set')
  const measured = (work, size, library, way, perEntity, version = '2.1.3') => ({
    ...row(work, library, way, [perEntity * size]),
    size,
    version,
  })
  const found = {
    ...results,
    rows: [
      measured(loop, 100_000, 'raw', 'arrays as constants', 1),
      measured(loop, 100_000, 'raw', 'arrays as parameters', 4),
      measured(loop, 100_000, 'strata', 'chunk views, columns as locals', 5),
      measured(loop, 100_000, 'strata', 'each', 6),
      measured(loop, 100_000, 'strata', 'kernel', 0.5),
      measured(loop, 100_000, 'piecs', 'quick', 7),
      measured(loop, 100_000, 'piecs', 'slow', 70),
      measured(loop, 1_000, 'piecs', 'quick', 1),
      measured(get, 100_000, 'strata', 'world.get', 300),
      measured(set, 100_000, 'strata', 'world.set', 200),
      measured(startup, 1, 'strata', 'createWorld', 25e6),
    ],
  }
  const cellsOf = (page) =>
    refreshTables(page, found)
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.slice(2, -2).split(/ *\| */))
  const first = cellsOf('<!-- bench:start --><!-- bench:end -->')
  const all = cellsOf('<!-- bench:summary:start --><!-- bench:summary:end -->')
  const lineOf = (lines, work) => lines.find(([text]) => text.startsWith(work))

  it('has six rows in the README and ten on the page, in one order', () => {
    expect(first).toHaveLength(1 + 1 + 6)
    expect(all).toHaveLength(1 + 1 + 10)
    expect(all.slice(2, 8).map(([work]) => work)).toEqual(first.slice(2).map(([work]) => work))
  })

  it('shows our named ways, and the fastest way of every library that was measured', () => {
    expect(first[0].map((text) => text.trim())).toEqual([
      'work',
      'entities',
      'raw',
      'strata-ecs',
      'piecs 2.1',
    ])
    expect(lineOf(first, 'a loop').slice(1)).toEqual(['100,000', '4.00', '**6.00** `each`, **5.00** chunks', '7.00']) // prettier-ignore
    expect(lineOf(first, 'the same loop')[3]).toBe('**0.50**')
  })

  it('shows two figures where a row is about two cases', () => {
    expect(lineOf(first, '`world.get`')[3]).toBe('**300** / **200**')
  })

  it('keeps a row that was not measured, and names a unit other than nanoseconds', () => {
    expect(lineOf(first, '`world.spawn`').slice(2)).toEqual(['', '', ''])
    expect(lineOf(all, 'import')[3]).toBe('**25.0 ms**')
  })

  it('names the processor, the host and the day in the README', () => {
    const text = refreshTables('<!-- bench:start --><!-- bench:end -->', found)
    expect(text).toContain('Measured on Some \\<CPU>, Node 20.1.0, 2026-01-02; every')
  })

  it('names what must be measured for it, and nothing else', () => {
    expect(LIBRARIES).toEqual(expect.arrayContaining(SUMMARY.libraries))
    const ways = Object.fromEntries(cases.map(({ name }) => [name, ['arrays as parameters']]))
    const offers = SUMMARY.libraries.map((library) => ({ library, label: library, version: '1.0', ways }))
    const chosen = cases.filter(({ name }) => Object.hasOwn(SUMMARY.sizes, name))
    const { jobs } = plan(offers, { cases: chosen, sizes: SUMMARY.sizes })
    const peers = jobs.filter(({ library }) => library === 'piecs')
    expect(peers.map(({ work, size }) => `${work.name} ${size}`).toSorted()).toEqual(
      'add-remove 1000,add-remove 100000,fragmented-10000 10000,get 100000,loop 100000,set 100000,spawn-kill 10000,spawn-kill 100000,startup 1'.split(','), // prettier-ignore
    )
    const rows = jobs.map(({ work, size, library, way }) => measured(work, size, library, way, 1))
    const table = refreshTables('<!-- bench:summary:start --><!-- bench:summary:end -->', { ...found, rows })
    const lines = table.split('\n').filter((line) => line.startsWith('| '))
    expect(lines).toHaveLength(1 + 1 + 10)
    for (const line of lines) {
      const [work, entities, raw, , ...others] = line.slice(2, -2).split(/ *\| */)
      expect([work, entities, raw, ...others]).not.toContain('')
    }
  })

  it('has other engines side by side', () => {
    const browser = { ...found, machine: { browser: 'Chromium 200', platform: 'Linux', cores: 2, resolution: 0.005 } } // prettier-ignore
    const text = refreshEngines('a <!-- bench:engines:start --><!-- bench:engines:end --> b', [found, browser]) // prettier-ignore
    const lines = text.split('\n').filter((line) => line.startsWith('| '))
    const cells = lines.map((line) => line.slice(2, -2).split(/ *\| */))
    expect(cells[0].map((cell) => cell.trim()).slice(2)).toEqual(['raw, Node 20.1.0', 'strata-ecs', 'raw, Chromium 200', 'strata-ecs']) // prettier-ignore
    expect(cells).toHaveLength(1 + 1 + 6)
    expect(lineOf(cells, 'the same loop').slice(2)).toEqual(['4.00', '**0.50**', '4.00', '**0.50**'])
    expect(text).toContain(
      'Chromium 200 on Linux, 2 virtual cores, a clock in steps of 5 µs; 2026-01-02, 3 workers',
    )
  })

  it('has the newest Node first, in whatever order the files are named', () => {
    const browser = { ...found, machine: { browser: 'Chromium 200', platform: 'Linux', cores: 2, resolution: 0.005 } } // prettier-ignore
    const newer = { ...found, machine: { ...found.machine, node: 'v24.1.0' } }
    const text = refreshEngines('<!-- bench:engines:start --><!-- bench:engines:end -->', [found, browser, newer]) // prettier-ignore
    expect(text.match(/raw, [\w .]+\d/g)).toEqual([
      'raw, Node 24.1.0',
      'raw, Node 20.1.0',
      'raw, Chromium 200',
    ])
  })

  it('has a figure of ours in every row of the committed page', () => {
    const page = read('../../docs/benchmarks.md')
    const [, table] = /<!-- bench:summary:start -->([\s\S]*)<!-- bench:summary:end -->/.exec(page)
    const lines = table.trim().split('\n').slice(2)
    expect(lines).toHaveLength(10)
    for (const line of lines) expect(line).toMatch(/\*\*[\d.,]+/)
  })
})

describe('the tables', () => {
  it('can stand anywhere under the name of a case', () => {
    const text = refreshTables('before <!-- bench:loop:start --> old <!-- bench:loop:end --> after', results)
    expect(text).toMatch(/^before <!-- bench:loop:start -->\n\n1,000 entities:\n\n\| library/)
    expect(text).toMatch(/<!-- bench:loop:end --> after$/)
    expect(text).not.toContain('old')
  })

  it('show the fastest and the slowest of strata-ecs in the overview', () => {
    const text = refreshTables('<!-- bench:overview:start --><!-- bench:overview:end -->', results)
    expect(text).toMatch(/\| loop +\| 1,000 \| +1\.00 to 3\.00 \| +0\.50 \|/)
    expect(text).toMatch(/\| memory, MB +\| 1,000 \| +33\.0/)
  })

  it('are refused for a mark without an end and for an unknown name', () => {
    expect(() => refreshTables('<!-- bench:loop:start -->', results)).toThrow('has no end')
    expect(() => refreshTables('<!-- bench:lop:start --><!-- bench:lop:end -->', results)).toThrow(
      'bench:lop',
    )
  })
})
