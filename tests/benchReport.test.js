// Owns the proof of the benchmark's report: the page stands alone and holds every row, the tables of the documentation
// are those that prettier would write, and nothing around their marks changes.

import { readFileSync } from 'node:fs'
import { format } from 'prettier'
import { describe, expect, it } from 'vitest'
import { cases } from '../bench/cases/index.js'
import { pageOf } from '../bench/report/page.js'
import { refreshTables } from '../bench/report/tables.js'

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8')

const row = (work, library, way, nanoseconds) => ({
  case: work.name,
  size: 1_000,
  library,
  label: library === 'strata' ? 'strata-ecs' : library,
  version: '1.0.0',
  way,
  nanoseconds,
  runs: [500, 500, 500],
  collections: [0, 1, 2],
  memory: [
    {
      before: { heap: 0, external: 0, resident: 2 ** 26 },
      after: { heap: 2 ** 20, external: 2 ** 25, resident: 2 ** 26 + 2 ** 22 },
    },
  ],
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
    expect(cells.slice(2)).toEqual(['3.00', '-33..+33 %', '6.00', '2.0', '1.0', '32.0'])
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

describe('the tables of the documentation', () => {
  const page = read('../docs/benchmarks.md')

  it('are laid out as prettier would', async () => {
    const refreshed = refreshTables(page, results)
    const { overrides, ...style } = JSON.parse(read('../.prettierrc.json'))
    const formatted = await format(refreshed, { ...style, ...overrides[0].options, parser: 'markdown' })
    expect(refreshed).toBe(formatted)
  })

  it('leave what stands around them as it is, and are the same when written twice', () => {
    const withoutTables = (text) =>
      text.replace(/(<!-- bench:([\w-]+):start -->)[\s\S]*?(<!-- bench:\2:end -->)/g, '$1$3')
    const refreshed = refreshTables(page, results)
    expect(withoutTables(refreshed)).toBe(withoutTables(page))
    expect(refreshTables(refreshed, results)).toBe(refreshed)
  })

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
