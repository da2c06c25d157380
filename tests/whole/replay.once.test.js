// Shows that the examples are deterministic, and go back to what they were: each is run, taken back and run again, in Node, in
// Chromium and in the shells of two other engines, and all of them come to the same digests.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutBrowser } from '../../scripts/browser-tests.js'
import { launchBrowser } from '../../scripts/browser.js'
import { findShell, SHELLS } from '../../scripts/shells.js'
import { bundle, citiesAsNumbers, REVIVE, SHIMS } from './replay/bundle.js'

const NAMES = ['colony', 'swarm', 'epidemic']
const root = fileURLToPath(new URL('../..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'strata-replay-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** What Node found, by example. */
const found = {}
let script
let cities
beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/build.js', '--alone', 'epidemic'], { cwd: root, stdio: 'ignore' })
  cities = citiesAsNumbers()
  script = await bundle()
  const { replay } = new Function(`${script}\nreturn Replay`)()
  const input = new Function(`return ${REVIVE}`)()(cities)
  for (const name of NAMES) found[name] = replay(name, input)
})

describe('in Node', () => {
  it.each(NAMES)('The %s comes to the same after it was taken back', (name) => {
    const { first, second, different } = found[name]
    expect(second).toEqual(first)
    expect(first.length).toBe(10)
    expect(different).toBe(10)
  })
})

describe.skipIf(withoutBrowser)('in Chromium', () => {
  it('Every example comes to what it came to in Node', async () => {
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      await page.addScriptTag({ content: `${script}\nglobalThis.Replay = Replay` })
      const inChromium = await page.evaluate(
        ([names, input, revive]) => {
          const revived = new Function(`return ${revive}`)()(input)
          return Object.fromEntries(names.map((name) => [name, globalThis.Replay.replay(name, revived)]))
        },
        [NAMES, cities, REVIVE],
      )
      expect(inChromium).toEqual(found)
    } finally {
      await browser.close()
    }
  })
})

describe.each(Object.keys(SHELLS))('in %s', (engine) => {
  const shell = findShell(engine)
  it.skipIf(shell === undefined)(
    shell === undefined
      ? `${SHELLS[engine].program} is not installed: ${SHELLS[engine].install}`
      : 'Every example comes to what it came to in Node',
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
