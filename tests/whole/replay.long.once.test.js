// Shows that the examples are deterministic, and go back to what they were: each is run, taken back and run again, in Node, in
// the browsers of three engines and in the shells of two, and all of them come to the same digests. Random scripts are carried out in
// Node and in the browsers, and come to the same bytes, orders and sums.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesHere } from '../../scripts/browser-tests.js'
import { openEngine } from '../../scripts/engines.js'
import { findShell, SHELLS } from '../../scripts/shells.js'
import { serveFolder } from '../loading/site.js'
import { steps } from '../support/script/session'
import { bundle, citiesAsNumbers, REVIVE, SHIMS } from './replay/bundle.js'

const NAMES = ['colony', 'swarm', 'epidemic']
/** How many random scripts are carried out everywhere: of those drawn, the first that leave a world with entities. */
const SCRIPT_COUNT = 6
const FEWEST_ENTITIES = 10
const root = fileURLToPath(new URL('../..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'strata-replay-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** What Node found, by example. */
const found = {}
let script
let random
let cities
/** Each a list of steps and the seed of what they draw. */
let scripts
/** What each random script comes to in Node. */
let carriedOut
beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/build.js', '--alone', 'epidemic'], { cwd: root, stdio: 'ignore' })
  cities = citiesAsNumbers()
  script = await bundle()
  const { replay } = new Function(`${script}\nreturn Replay`)()
  const input = new Function(`return ${REVIVE}`)()(cities)
  for (const name of NAMES) found[name] = replay(name, input)
  random = await bundle('script.ts', 'Random')
  const { carryOut } = new Function(`${random}\nreturn Random`)()
  // Scripts that came to nothing would be the same everywhere, and any may end with a step that clears its world.
  const drawn = fc
    .sample(steps(600, 600), { numRuns: 4 * SCRIPT_COUNT, seed: 4711 })
    .map((script, seed) => ({ script: [script, seed], result: carryOut(script, seed) }))
    .filter(({ result }) => result.entities > FEWEST_ENTITIES)
    .slice(0, SCRIPT_COUNT)
  scripts = drawn.map(({ script }) => script)
  carriedOut = drawn.map(({ result }) => result)
})

describe('in Node', () => {
  it.each(NAMES)('The %s has the same result after it was taken back', (name) => {
    const { first, second, different } = found[name]
    expect(second).toEqual(first)
    expect(first.length).toBe(10)
    expect(different).toBe(10)
  })

  it('Random scripts have different results', () => {
    expect(new Set(carriedOut.map(({ digest }) => digest)).size).toBe(SCRIPT_COUNT)
  })
})

describe.each(enginesHere)('in %s', (engine) => {
  let browser
  let site
  let page
  beforeAll(async () => {
    const folder = join(scratch, engine)
    mkdirSync(folder)
    writeFileSync(
      join(folder, 'scripts.js'),
      `${script}\n${random}\nObject.assign(globalThis, { Replay, Random })`,
    )
    writeFileSync(
      join(folder, 'index.html'),
      '<!doctype html><title>Replays</title><script src="scripts.js"></script>',
    )
    site = await serveFolder(folder)
    browser = await openEngine(engine)
    page = await browser.open(site.url)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  it('Every example has the result that it has in Node', async () => {
    const inEngine = await page.evaluate(
      ([names, input, revive]) => {
        const revived = new Function(`return ${revive}`)()(input)
        return Object.fromEntries(names.map((name) => [name, globalThis.Replay.replay(name, revived)]))
      },
      [NAMES, cities, REVIVE],
    )
    expect(inEngine).toEqual(found)
    expect(await page.complaints()).toEqual([])
  })

  it('Random scripts have the same bytes, orders and sums', async () => {
    const inEngine = await page.evaluate(
      (all) => all.map((script) => globalThis.Random.carryOut(...script)),
      scripts,
    )
    expect(inEngine).toEqual(carriedOut)
  })
})

describe.each(Object.keys(SHELLS))('in %s', (engine) => {
  const shell = findShell(engine)
  it.skipIf(shell === undefined)(
    shell === undefined
      ? `${SHELLS[engine].program} is not installed: ${SHELLS[engine].install}`
      : 'Every example has the result that it has in Node',
    () => {
      const file = join(scratch, `${engine}.js`)
      const last = `
        const revived = (${REVIVE})(${JSON.stringify(cities)})
        for (const name of ${JSON.stringify(NAMES)}) print('@' + JSON.stringify([name, Replay.replay(name, revived)]))`
      writeFileSync(file, `${SHIMS}\n${script}\n${last}`)
      const output = execFileSync(shell, [file], { encoding: 'utf8', maxBuffer: 2 ** 26 })
      const lines = output.split('\n').filter((line) => line.startsWith('@'))
      expect(Object.fromEntries(lines.map((line) => JSON.parse(line.slice(1))))).toEqual(found)
    },
  )
})
