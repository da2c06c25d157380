// Shows that a world is the same to the last bit in Node and in a browser: ten thousand ticks, then every byte of linear memory.

import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { rollup } from 'rollup'
import { afterAll, beforeAll, expect, it } from 'vitest'
import strataKernels from '../../dist/rollup.js'
import { withoutBrowser } from '../../scripts/browser-tests.js'
import { launchBrowser } from '../../scripts/browser.js'

const ROOT = resolve(import.meta.dirname, '../..')
const TICKS = 10_000
const SEED = 20_261_121

let browser
let program = ''

/** The package as it is built, under its own names. */
const ownPackage = {
  name: 'own-package',
  resolveId: (id) =>
    ({ 'strata-ecs': join(ROOT, 'dist/index.js'), 'strata-ecs/kernel': join(ROOT, 'dist/kernel.js') })[id],
}

beforeAll(async () => {
  const input = join(ROOT, 'tests/scenario/scenario.js')
  const bundle = await rollup({ input, plugins: [ownPackage, strataKernels()] })
  const { output } = await bundle.generate({ format: 'es' })
  program = output[0].code.replace(/^export \{.*\};?\s*$/m, '')
  if (!withoutBrowser) browser = await launchBrowser()
})

afterAll(() => browser?.close())

function runInNode(ticks, seed) {
  const script = `${program}\nconsole.log(JSON.stringify(runScenario(${ticks}, ${seed})))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-'], {
    input: script,
    encoding: 'utf8',
  })
  return JSON.parse(output)
}

async function runInBrowser(ticks, seed) {
  const page = await browser.newPage()
  try {
    const failure = new Promise((_, reject) => page.on('pageerror', reject))
    await page.addScriptTag({ type: 'module', content: `${program}\nglobalThis.runScenario = runScenario` })
    await Promise.race([failure, page.waitForFunction(() => globalThis.runScenario !== undefined)])
    return await page.evaluate(([ticks, seed]) => globalThis.runScenario(ticks, seed), [ticks, seed])
  } finally {
    await page.close()
  }
}

it.skipIf(withoutBrowser)('ten thousand ticks end with the same bytes in Node and in Chromium', async () => {
  const inNode = runInNode(TICKS, SEED)
  expect(inNode.entities).toBeGreaterThan(1_000)
  expect(inNode.archetypes).toBeGreaterThan(6)
  expect(await runInBrowser(TICKS, SEED)).toEqual(inNode)
})

it('another seed, or one tick less, ends with other bytes', () => {
  const { checksum } = runInNode(200, SEED)
  expect(runInNode(200, SEED).checksum).toBe(checksum)
  expect(runInNode(200, SEED + 1).checksum).not.toBe(checksum)
  expect(runInNode(199, SEED).checksum).not.toBe(checksum)
})
