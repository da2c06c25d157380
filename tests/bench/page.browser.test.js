// Shows that the page works in a real browser: right results have a time, wrong ones do not, a run can be stopped, and the
// command reads the saved file.

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cases } from '../../bench/cases/index.js'
import { parseResults } from '../../bench/results.js'
import { describeMachine } from '../../bench/tables.js'
import { launchBrowser } from '../../scripts/browser.js'

const COMMAND = fileURLToPath(new URL('../../bench/page/build.js', import.meta.url))
let server, address, browser

beforeAll(async () => {
  server = spawn(process.execPath, [COMMAND, '--port', '4190'])
  browser = await launchBrowser()
  for await (const text of server.stdout) {
    address = /The page is at (\S+)/.exec(text)?.[1]
    if (address) break
  }
})
afterAll(async () => {
  await browser?.close()
  server?.kill()
})

/** The page, ready to start; `complaints` collects what went wrong in it. */
async function open(query, script) {
  const page = await browser.newPage()
  // A machine that is busy with other tests is slow.
  page.setDefaultTimeout(120_000)
  const complaints = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  if (script) await page.route('**/assets/*.js', script)
  await page.goto(address + query)
  await page.waitForSelector('#start:enabled')
  return { page, complaints }
}

async function run(page) {
  await page.click('#start')
  await page.waitForSelector('body:not([data-running]) #start:enabled')
}

it('has a time for every way of every chosen library, and saves what the command reads', async () => {
  const CHOSEN = ['raw', 'strata', 'bitecs']
  const libraries = CHOSEN.map((name) => `&library=${name}`).join('')
  const { page, complaints } = await open(`?case=loop&size=1000&milliseconds=20${libraries}`)
  await run(page)
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')])
  const results = parseResults(readFileSync(await download.path(), 'utf8'))
  const { ways } = cases.find(({ name }) => name === 'loop')
  expect(results.rows.map(({ way }) => way)).toEqual(CHOSEN.flatMap((library) => Object.keys(ways[library])))
  for (const { nanoseconds, steady } of results.rows)
    expect([nanoseconds[0] > 0, steady.length]).toEqual([true, 3])
  expect(results.refused).toEqual([])
  expect(await page.locator('table[data-case=loop] tr').count()).toBe(results.rows.length + 1)
  expect(describeMachine(results)).toMatch(
    /^Chromium \d+ on Linux, \d+ virtual cores, a clock in steps of \d+ µs$/,
  )
  expect(complaints).toEqual([])
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
  await page.close()
})

it('runs compiled loops beside kernels', async () => {
  const names = ['compiled-bounce', 'compiled-matrix-vector']
  const chosen = names.map((name) => `&case=${name}`).join('')
  const { page, complaints } = await open(`?size=1000&milliseconds=20&repeats=1&library=strata${chosen}`)
  await run(page)
  for (const name of names) {
    const { strata } = cases.find((work) => work.name === name).ways
    expect(await page.locator(`table[data-case=${name}] tr`).count()).toBe(Object.keys(strata).length + 1)
  }
  expect(await page.textContent('#said')).toBe('Done: right results: 8, wrong ones: 0.')
  expect(complaints).toEqual([])
  await page.close()
})

it('shows an error and no time where the result is not the reference’s', async () => {
  const { page } = await open('?case=loop&size=1000&library=raw&library=bitecs&repeats=1', async (route) => {
    const response = await route.fetch()
    const source = await response.text()
    await route.fulfill({ response, body: source.replaceAll(/start \+ runs \* velocity/g, '1 + $&') })
  })
  await run(page)
  const refused = await page.locator('tr.refused').allTextContents()
  expect(refused).toHaveLength(2)
  for (const text of refused) expect(text).toContain('No time. Error: wrong result after 1 runs: value 0')
  expect(await page.textContent('#said')).toBe('Done: right results: 0, wrong ones: 2.')
  await page.close()
})

it('stops at once, and keeps what it had', async () => {
  const { page } = await open('?case=loop&size=1000&library=raw&repeats=9&milliseconds=500')
  await page.click('#start')
  await page.waitForSelector('table[data-case] tr:nth-child(2)')
  await page.click('#stop')
  await page.waitForSelector('body:not([data-running])', { timeout: 5_000 })
  expect(await page.textContent('#said')).toMatch(/^Stopped: right results: \d, wrong ones: 0\.$/)
  expect(await page.isEnabled('#save')).toBe(true)
  await page.close()
})

const MEASURE = fileURLToPath(new URL('../../bench/page/measure.js', import.meta.url))
const measure = (...words) => spawnSync(process.execPath, [MEASURE, ...words], { encoding: 'utf8' })

it('is opened and started by a command, which writes what the page would save', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'bench-page-')), 'results.json')
  const { stdout, status } = measure(
    'chromium',
    file,
    'case=get&library=raw&size=1000&repeats=1&milliseconds=1',
  )
  expect(stdout).toMatch(/^Chromium \d+: 1 rows in .*results\.json; wrong results: 0\.$/m)
  expect(status).toBe(0)
  const { rows, machine } = parseResults(readFileSync(file, 'utf8'))
  expect(rows.map(({ case: name, way }) => [name, way])).toEqual([['get', 'row by id']])
  expect(machine.browser).toMatch(/^Chromium \d+$/)
})

it('is not opened in an unknown browser', () => {
  const { stderr, status } = measure('netscape', 'results.json')
  expect(stderr).toContain('node bench/page/measure.js chromium|firefox|webkit RESULTS.json')
  expect(status).toBe(1)
})
