// Measures in a browser without a hand on it: opens the page there, presses start, and writes what the page would save.
//
//   node bench/page/measure.js firefox results.json              the rows of the tables
//   node bench/page/measure.js webkit results.json case=get      what the page's address would say
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { preview } from 'vite'
import { openEngine } from '../../scripts/engines.js'
import { missing } from '../libraries.js'
import { fail } from '../options.js'
import { buildPage, served } from './build.js'

/** Longer than the slowest engine takes for the tables. */
const LONGEST = 3_600_000

const [engine, file, query = 'summary'] = process.argv.slice(2)
if (!['chromium', 'firefox', 'webkit'].includes(engine) || file === undefined)
  fail('Say where and what for: node bench/page/measure.js chromium|firefox|webkit RESULTS.json [QUERY]')
const reason = missing()
if (reason) fail(reason)

const folder = mkdtempSync(join(tmpdir(), 'strata-bench-page-'))
await buildPage(folder)
const server = await preview(served(folder, 0))
const browser = await openEngine(engine)
try {
  const page = await browser.open(`${server.resolvedUrls.local[0]}?${query}`)
  const started = () => {
    const start = document.getElementById('start')
    if (start.disabled) return false
    start.click()
    return true
  }
  await page.waitFor(started)
  await page.waitFor(() => globalThis.measured !== undefined, { timeout: LONGEST })
  const results = await page.evaluate(() => globalThis.measured)
  // It calls itself Safari, of a version that Safari never had.
  if (engine === 'webkit') results.machine.browser = `WebKitGTK ${browser.version}`
  writeFileSync(file, JSON.stringify(results, undefined, 2))
  const { rows, refused } = results
  console.log(`${results.machine.browser}: ${rows.length} rows in ${file}; wrong results: ${refused.length}.`)
  if (refused.length > 0) process.exitCode = 1
} finally {
  await browser.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
