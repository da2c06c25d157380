// Shows that no value is displayed or exported as another one: hostile numbers and texts go through runs, quantiles, charts and
// exports, and are compared with what they were.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readParquet } from 'parquet-wasm'
import { drawCharts, drawPicture, nameOf } from '../src/charts.ts'
import { FORMATS } from '../src/export.ts'
import { range, runEnsemble } from '../src/index.ts'
import { writeReport } from '../src/report.ts'
import { openResults } from '../src/results.ts'
import { LEVELS, summarise } from '../src/summary.ts'
import { writeSummary } from '../src/tables.ts'
import { withoutBrowser } from '../../../scripts/browser-tests.js'
import { launchBrowser } from '../../../scripts/browser.js'
import { scratch } from './support/ensemble.js'

const NUMBERS = [0, -0, 1, -1, 0.1, 1 / 3, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-300, 1e21, 2 ** 53, 2 ** 53 + 2, 1e285, -1e285, 1e300, Number.MAX_VALUE, -Number.MAX_VALUE, NaN, Infinity, -Infinity] // prettier-ignore
const TEXTS = ['', ' ', ' a', 'a ', ',', '"', '""', "'", 'a, b', 'a"b', '\n', '\r', '\r\n', '\t', '\0', '\x1b[31m', '\x7f', '\x85', '\u2028', '\uffff', '\ufffe', '\u202e', '😀', 'e\u0301', '=1+1', '+1', '-1', '@SUM(A1)', '<script>alert(1)</script>', ']]>', '&amp;', '</text>', '${a}', '\\', '\\n', 'null', 'undefined', 'NaN', 'true', '__proto__', 'constructor', '0.123456789', 'x="0.123456789"', 'a b', 'x'.repeat(3000)] // prettier-ignore
const RATES = [0, -1, 0.012, 0.014, 1e-300, 1e285, 5e-324, 123456.789]
const SEEDS = 3
const DAYS = 3
const COLUMNS = ['day', 'x', 'f', 't', 'b', 'n', 'constructor']
const NAMES = ['index', 'rate', 'place', 'valueOf', ...COLUMNS]

/** A value as JavaScript, which knows more numbers than JSON. */
const written = (value) =>
  typeof value === 'string' ? JSON.stringify(value) : Object.is(value, -0) ? '-0' : String(value)
const list = (values) => `[${values.map(written).join(', ')}]`

/** What is in a row follows from the index, the parameters and the day, so that a run and the test find the same. */
const MODULE = `
const numbers = ${list(NUMBERS)}
const texts = ${list(TEXTS)}
export function rowOf(index, rate, place, day) {
  const at = index * 31 + day * 7 + place.length + Math.round(Math.abs(Math.log10(Math.abs(rate) + 1e-9)) * 13)
  const x = numbers[at % numbers.length]
  const fits = Math.abs(x) < 3e38 || !Number.isFinite(x)
  const f = Math.fround(fits ? x : 0.1)
  return { day, x, f, t: texts[(at * 5) % texts.length], b: at % 2 === 0, n: (at * 2654435761) | 0, constructor: x }
}
export default {
  parameters: { rate: 1, place: 'here', valueOf: true },
  columns: { day: 'u8', x: 'f64', f: 'f32', t: 'text', b: 'bool', n: 'i32', constructor: 'f64' },
  axis: 'day',
  *run({ index, parameters: { rate, place } }) {
    for (let day = 0; day < ${DAYS}; day++) yield rowOf(index, rate, place, day)
  },
}`

const sorted = (values) => [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/** An ensemble of these parameters, and its rows as they must be, in the order of exports. */
async function ensembleOf(rates, places) {
  const folder = scratch()
  const module = join(folder, 'hostile.run.js')
  const out = join(folder, 'out')
  writeFileSync(module, MODULE)
  const { rowOf } = await import(/* @vite-ignore */ pathToFileURL(module).href)
  const grid = { rate: rates, place: places }
  const { failed } = await runEnsemble(module, { seeds: range(SEEDS), grid, out, threads: 1 })
  expect(failed).toEqual([])
  const rows = []
  for (const rate of sorted(rates))
    for (const place of sorted(places))
      for (const index of range(SEEDS))
        for (const day of range(DAYS))
          rows.push({ index, rate, place, valueOf: true, ...rowOf(index, rate, place, day) })
  return { out, rows }
}

async function exported(out, format) {
  const path = join(scratch(), 'all')
  await FORMATS[format](openResults(out), path)
  return readFileSync(path)
}

/** Counts the cells that are what they must be; the first that is not fails. */
function compare(found, rows, readCell = (value) => value) {
  expect(found).toHaveLength(rows.length)
  let cells = 0
  rows.forEach((row, i) => {
    for (const name of NAMES) {
      const value = readCell(found[i][name], row[name])
      if (!Object.is(value, row[name])) expect({ row: i, name, value }).toBe(row[name])
      cells++
    }
  })
  return cells
}

function rowsOf(table) {
  const columns = table.schema.fields.map(({ name }) => [name, table.getChild(name)])
  return range(table.numRows).map((i) =>
    Object.fromEntries(columns.map(([name, column]) => [name, column.get(i)])),
  )
}

/** The cells of a CSV, line by line, as RFC 4180 has them. */
function cellsOf(text) {
  const lines = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n\r]*))(,|\n)/g)) {
    lines.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '\n') lines.push([])
  }
  return lines.slice(0, -1)
}

function readCell(text, like) {
  if (typeof like === 'number') return Number(text)
  return typeof like === 'boolean' ? text === 'true' : text
}

describe('hostile values', () => {
  it('are restored from Arrow, Parquet and CSV as they were, to the last bit', async () => {
    const { out, rows } = await ensembleOf(RATES, TEXTS)
    const arrow = compare(rowsOf(tableFromIPC(await exported(out, 'arrow'))), rows)
    const bytes = readParquet(await exported(out, 'parquet')).intoIPCStream()
    const parquet = compare(rowsOf(tableFromIPC(bytes)), rows)
    const [head, ...lines] = cellsOf((await exported(out, 'csv')).toString())
    const read = lines.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i]])))
    const csv = compare(read, rows, readCell)
    console.log(`${arrow} cells in Arrow, ${parquet} in Parquet, ${csv} in CSV`)
    expect(rows).toHaveLength(RATES.length * TEXTS.length * SEEDS * DAYS)
    expect(arrow + parquet + csv).toBe(3 * rows.length * NAMES.length)
  })

  it('have quantiles among them, and NaN only if it is inevitable', async () => {
    const { out, rows } = await ensembleOf(RATES, TEXTS)
    const { groups } = summarise(openResults(out))
    expect(groups).toHaveLength(RATES.length * TEXTS.length)
    let quantiles = 0
    for (const { parameters, last } of groups) {
      const mine = rows.filter((row) => row.rate === parameters.rate && row.place === parameters.place)
      const values = sorted(
        mine.filter(({ day, x }) => day === DAYS - 1 && !Number.isNaN(x)).map(({ x }) => x),
      )
      LEVELS.forEach((level, i) => {
        const place = ((values.length - 1) * Math.round(level * 100)) / 100
        const [low, high] = [values[Math.floor(place)], values[Math.ceil(place)]]
        const found = last.x.quantiles[i]
        const isNone = low === undefined || (low === -Infinity && high === Infinity)
        const isRight = isNone ? Number.isNaN(found) : found >= low && found <= high
        if (!isRight) expect({ values, level, found }).toBe('among the values')
        quantiles++
      })
    }
    expect(quantiles).toBe(groups.length * LEVELS.length)
  })

  it('have a name each, which a terminal shows on one line', async () => {
    const names = TEXTS.map((place) => nameOf({ place }))
    expect(new Set(names).size).toBe(TEXTS.length)
    for (const name of names) expect(name).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
    const { out } = await ensembleOf([1], TEXTS)
    const text = writeSummary(summarise(openResults(out)))
    for (const name of names) expect(text).toContain(`  ${name} `)
  })

  it.skipIf(withoutBrowser)(
    'are in charts and pages that a browser accepts as well-formed, under their whole names',
    async () => {
      const browser = await launchBrowser()
      onTestFinished(() => browser.close())
      const page = await browser.newPage()
      let names = 0
      for (let first = 0; first < TEXTS.length; first += 20) {
        const places = TEXTS.slice(first, first + 20)
        const { out } = await ensembleOf([0.012, 0.014], places)
        const summary = summarise(openResults(out))
        const choice = { most: 20, values: { rate: [0.014] } }
        const charts = await drawCharts(summary, choice)
        const svgs = [...charts.map(({ svg }) => svg), await drawPicture(summary, undefined, choice)]
        const seen = await page.evaluate(`(${JSON.stringify(svgs)}).map((text) => {
          const { documentElement: root } = new DOMParser().parseFromString(text, 'image/svg+xml')
          return {
            error: root.querySelector('parsererror')?.textContent ?? 'none',
            strange: root.querySelectorAll('script, img, [onerror]').length,
            titles: [...root.querySelectorAll('g > title')].map(({ textContent }) => textContent),
          }
        })`)
        const expected = sorted(places).map((place) => nameOf({ rate: 0.014, place }))
        for (const { error, strange } of seen) expect([error, strange]).toEqual(['none', 0])
        expect(seen[0].titles).toEqual(expected)
        for (const svg of svgs) expect(svg.replaceAll(/>[^<]*</g, '><')).not.toMatch(/NaN|Infinity|undefined/)
        await page.setContent(await writeReport(summary, choice))
        expect(await page.evaluate('document.scripts.length')).toBe(0)
        const cells = await page.evaluate(
          `[...document.querySelectorAll('td:first-child')].map(({ textContent }) => textContent)`,
        )
        for (const name of expected) expect(cells).toContain(name)
        names += expected.length
      }
      expect(names).toBe(TEXTS.length)
    },
  )
})
