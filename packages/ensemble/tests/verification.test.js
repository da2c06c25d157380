// Shows that runs done twice are compared to the bit, and that a model that is not deterministic is reported.

import { expect, it } from 'vitest'
import { Rows } from '../src/columns.ts'
import { range, runEnsemble } from '../src/index.ts'
import { differenceOf, everyHundredth } from '../src/verification.ts'
import { moduleOf, run, scratch } from './support/ensemble.js'

it.each([
  [0, []],
  [1, [0, 100, 200]],
  [100, range(300)],
])('of %i in a hundred, the first one is verified, and then every one that is due', (percent, expected) => {
  const isDue = everyHundredth(percent)
  expect(range(300).filter(() => isDue())).toEqual(expected)
})

const rowsOf = (...values) => {
  const rows = new Rows({ v: 'f64' })
  for (const v of values) rows.add({ v })
  return rows
}

it('equal rows are equal to the bit', () => {
  expect(differenceOf(rowsOf(1, NaN, -0), rowsOf(1, NaN, -0))).toBeUndefined()
  expect(differenceOf(rowsOf(-0), rowsOf(0))).toBe("'v' was -0, then 0")
  expect(differenceOf(rowsOf(1, 2), rowsOf(1, 3))).toBe("'v' was 2, then 3")
  expect(differenceOf(rowsOf(1, 2), rowsOf(1))).toBe('2 rows, then 1')
})

it('a model that is not deterministic is found, in a sentence, and with code 1', async () => {
  const words = ['run', moduleOf('trouble'), '--seeds', '0..4', '--set', 'trouble=random', '--out', scratch()]
  const { code, errors, output } = await run(words)
  expect(errors).toMatch(
    /1 run gave other results when done a second time, the first of them seed 0 \(\d+\), trouble random: 'value' was 0\.\d+, then 0\.\d+\. So the model is not deterministic.*--strict/,
  )
  expect(output).toContain('5 of 5 runs are done.')
  expect(code).toBe(1)
})

it('as many runs as requested are executed twice, and a deterministic model gives the same results', async () => {
  const options = { seeds: range(10), grid: { trouble: ['random'] } }
  const count = async (verify) =>
    (await runEnsemble(moduleOf('trouble'), { ...options, verify, out: scratch() })).differing?.count
  expect(await count(0)).toBeUndefined()
  expect(await count(50)).toBe(5)
  expect(await count(100)).toBe(10)
  const walk = await runEnsemble(moduleOf('walk'), { seeds: range(20), verify: 100, out: scratch() })
  expect(walk).toMatchObject({ done: 20, differing: undefined })
})

it('if the chosen run fails, the next one is verified in its place', async () => {
  const grid = { trouble: ['throw', 'random'] }
  const options = { seeds: range(2), grid, threads: 1, retries: 0, verify: 1, out: scratch() }
  const outcome = await runEnsemble(moduleOf('trouble'), options)
  expect(outcome).toMatchObject({ done: 2, failedCount: 2, differing: { count: 1 } })
})
