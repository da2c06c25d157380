// Shows that the programs of the guides that run with a seed make independent runs of neighbouring seeds.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { blocksOf, scriptOf } from '../../scripts/programs.js'
import { PAGES, read, root } from '../support/documentation.js'

/** Inside the repository the package finds itself by its own name. */
const scratch = mkdtempSync(join(root, 'build/seeds-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const SEEDS = 60
/** The correlation of neighbours in 60 independent results is beyond it once in a thousand times. */
const MOST = 0.4

const makesNumbers = ({ language, code }) => /^[jt]s$/.test(language) && /\brandom(?:Float)?\(/.test(code)
const programs = PAGES.flatMap((page) => blocksOf(read(page)).map((block) => ({ ...block, page }))).filter(
  (block) => makesNumbers(block) && /\bseed\b/.test(block.code),
)

/** A program of a page as a module that exports how it comes from a seed to a result. */
async function moduleOf(program, result) {
  const script = scriptOf(program)
    // Any run is a plain object: the package of ensembles need not be installed.
    .replace("import { defineRun } from 'strata-ensemble'", 'const defineRun = (run) => run')
    .replace('export default', 'const run =')
    .replace(/^console\.log\(.*$/gm, '')
  const file = join(scratch, `${programs.indexOf(program)}.mjs`)
  writeFileSync(file, `import { sumOf } from 'strata-ecs'\n${script}\nexport const result = ${result}\n`)
  return import(/* @vite-ignore */ file)
}

/** How a seed leads to a number, for the programs by what stands in them. */
const RESULTS = {
  'function walk(': '(seed) => walk(seed, 40)',
  'function step(world': `(seed) => {
    const world = createWorld()
    spawnMany(world, 100, [Walker])
    for (let frame = 0; frame < 40; frame++) step(world, seed, frame)
    const sum = sumOf(world.query(Walker), Walker, 'x')
    world.dispose()
    return sum
  }`,
  'defineRun(': `(seed) =>
    [...run.run({ seed, parameters: run.parameters, progress() {} })].at(-1).mean`,
}

const wayOf = ({ code }) => Object.keys(RESULTS).find((text) => code.includes(text))

function correlationOfNeighbours(results) {
  const mean = results.reduce((a, b) => a + b) / results.length
  const off = results.map((result) => result - mean)
  const products = off.slice(1).map((each, i) => each * off[i])
  return products.reduce((a, b) => a + b) / off.reduce((sum, each) => sum + each * each, 0)
}

describe('the programs of the pages that are given a seed', () => {
  it('are exactly the programs whose results are compared here', () => {
    expect(programs.map(wayOf).sort()).toEqual(Object.keys(RESULTS).sort())
  })

  it.each(programs)('make independent runs of neighbouring seeds: $page, line $line', async (program) => {
    const { result } = await moduleOf(program, RESULTS[wayOf(program)])
    const results = Array.from({ length: SEEDS }, (_, seed) => result(seed))
    expect(new Set(results).size).toBe(SEEDS)
    expect(Math.abs(correlationOfNeighbours(results))).toBeLessThan(MOST)
  })
})
