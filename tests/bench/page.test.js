// Owns the proof that the benchmark's page works in a real browser: every way has a time whose result was right, a wrong
// result has none, a run can be stopped, and the saved file is one that the command reads. It must never judge a time.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareResults } from '../../bench/compare.js'
import { cases } from '../../bench/cases/index.js'
import { readOffer } from '../../bench/offers.js'
import { LIBRARIES_IN_PAGE } from '../../bench/plan.js'
import { describeMachine, describeRun } from '../../bench/report/figures.js'
import { pageOf } from '../../bench/report/page.js'
import { readResults } from '../../bench/resultsFile.js'
import { launchBrowser } from '../../scripts/browser.js'

const COMMAND = fileURLToPath(new URL('../../bench/page/run.js', import.meta.url))
const CHOSEN = ['raw', 'strata', 'bitecs']
const LOOP = `?case=loop&size=1000&milliseconds=20&${CHOSEN.map((name) => `library=${name}`).join('&')}`

const folder = mkdtempSync(join(tmpdir(), 'strata-bench-page-'))
let server
let address
let browser

beforeAll(async () => {
  ;[address, browser] = await Promise.all([serve(), launchBrowser()])
})

afterAll(async () => {
  await browser?.close()
  server?.kill()
  rmSync(folder, { recursive: true })
})

/** The command itself, until it says where the page is. */
function serve() {
  server = spawn(process.execPath, [COMMAND, '--port', '4190', '--folder', join(folder, 'page')])
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr.on('data', (text) => (said += text))
    server.stdout.on('data', (text) => {
      said += text
      const found = /The page is at (\S+)/.exec(said)
      if (found) resolve(found[1])
    })
    server.on('exit', () => reject(new Error(said)))
  })
}

/** The page, ready to start; `complaints` collects what went wrong in it. */
async function open(query, { reference, ...options } = {}) {
  const context = await browser.newContext(options)
  // A machine that is busy with other tests is slow.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const complaints = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('requestfailed', (request) => complaints.push(request.url()))
  if (reference) await page.route('**/assets/worker*.js', reference)
  await page.goto(address + query)
  await page.waitForSelector('#start:enabled')
  return { page, complaints, close: () => context.close() }
}

async function run(page) {
  await page.click('#start')
  await page.waitForSelector('body:not([data-running]) #start:enabled')
}

/** What the tables show: library, way, and the time or the reason why there is none. */
const rowsOf = (page) =>
  page.$$eval('section[data-case] tbody tr', (rows) =>
    rows.map((row) => ({
      library: row.dataset.library,
      way: row.dataset.way,
      time: row.querySelector('.time')?.textContent,
      refusal: row.querySelector('[colspan]')?.textContent,
    })),
  )

const waysOf = (library) => readOffer(library).ways.loop.map((way) => `${library}: ${way}`)

describe('a run', () => {
  let rows, complaints, results, isolated

  beforeAll(async () => {
    const { page, close, ...opened } = await open(LOOP)
    complaints = opened.complaints
    await run(page)
    rows = await rowsOf(page)
    isolated = await page.evaluate(() => crossOriginIsolated)
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')])
    const path = join(folder, 'results.json')
    await download.saveAs(path)
    results = readResults(path)
    await close()
  })

  it('has a time for every way of every chosen library, the fastest first', () => {
    const names = rows.map(({ library, way }) => `${library}: ${way}`)
    expect(names.toSorted()).toEqual(CHOSEN.flatMap(waysOf).toSorted())
    // A question mark says that the machine was not at full speed.
    const times = rows.map(({ time }) => Number(time.replaceAll(',', '').replace(' ?', '')))
    expect(times.every((time) => time > 0)).toBe(true)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it('complains of nothing, in a page that is isolated', () => {
    expect(complaints).toEqual([])
    expect(isolated).toBe(true)
  })

  it('is saved as the command writes results: three workers a row, equal checksums', () => {
    expect(results.refused).toEqual([])
    expect(results.rows).toHaveLength(rows.length)
    for (const row of results.rows) {
      expect(row.steady).toHaveLength(3)
      expect(row.runs.every((runs) => runs >= 5)).toBe(true)
    }
    expect(new Set(results.rows.map(({ checksum }) => checksum)).size).toBe(1)
  })

  it('is read by the report and by the comparison', () => {
    expect(describeMachine(results)).toMatch(
      /^Chromium \d+ on Linux, \d+ virtual cores, a clock in steps of \d+ µs$/,
    )
    expect(describeRun(results)).toContain('3 workers for each row')
    const once = { ...results, options: { ...results.options, repeats: 1 } }
    expect(describeRun(once)).toContain(', one worker for each row')
    const report = pageOf(results, { style: '', script: '', charts: '' })
    expect(report).toContain('ran in workers of its own, 3 of them')
    // Tables of the documentation are Node's.
    expect(results.options.whole).toBe(false)
    expect(compareResults(results, results).rows).toHaveLength(rows.length)
  })
})

it('shows an error and no time where the result is not the reference’s', async () => {
  let broken = 0
  const { page, close } = await open('?case=loop&size=1000&library=raw&library=bitecs&repeats=1', {
    async reference(route) {
      const response = await route.fetch()
      const source = await response.text()
      const wrong = source.replace(/ \+ runs \* velocityX\S*\(i\)/, (sum) => ` + 1${sum}`)
      if (wrong !== source) broken++
      await route.fulfill({ response, body: wrong })
    },
  })
  await run(page)
  const rows = await rowsOf(page)
  expect(broken).toBeGreaterThan(0)
  expect(rows).toHaveLength(['raw', 'bitecs'].flatMap(waysOf).length)
  for (const { time, refusal } of rows) {
    expect(time).toBeUndefined()
    expect(refusal).toContain('wrong result after 1 runs: value 0')
  }
  expect(await page.textContent('#said')).toContain('0 rows have right results')
  await close()
})

it('stops at once, by keyboard, and keeps what it had', async () => {
  const { page, complaints, close } = await open(
    '?case=loop&size=1000&library=raw&repeats=9&milliseconds=500',
  )
  await page.focus('#start')
  await page.keyboard.press('Enter')
  await page.waitForSelector('section[data-case] .time')
  // Stop has the focus now.
  await page.keyboard.press('Enter')
  await page.waitForSelector('body:not([data-running])', { timeout: 5_000 })
  expect(await page.textContent('#said')).toMatch(/^Stopped: \d rows? ha(?:s|ve) right results\.$/)
  expect(await page.isEnabled('#save')).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

it('offers every library and every case but those about a process, on a phone as well', async () => {
  const { page, close } = await open('', { viewport: { width: 390, height: 844 } })
  const offered = (name) => page.$$eval(`[name=${name}]`, (boxes) => boxes.map(({ value }) => value))
  expect(await offered('library')).toEqual(LIBRARIES_IN_PAGE)
  expect(await offered('case')).toEqual(
    cases.filter(({ once, frames }) => !once && !frames).map(({ name }) => name),
  )
  expect(await page.textContent('#left-out')).toContain('startup')
  expect(await page.textContent('#said')).toMatch(/^\d+ rows, about \d+ s\.$/)
  // Nothing is wider than the screen, with all cases shown.
  await page.click('#cases summary')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await close()
})

it('follows the choice, also when nothing is left of it', async () => {
  const { page, close } = await open('')
  await page.selectOption('[name=preset]', 'everything')
  const everything = await page.textContent('#said')
  await page.click('#cases summary')
  await page.click('[data-check=none]')
  expect(await page.isDisabled('#start')).toBe(true)
  await page.check('[name=case][value=toggle]')
  expect(await page.isEnabled('#start')).toBe(true)
  expect(await page.textContent('#said')).not.toBe(everything)
  expect(await page.inputValue('[name=preset]')).toBe('own choice')
  expect(new URL(page.url()).searchParams.getAll('case')).toEqual(['toggle'])
  await close()
})
