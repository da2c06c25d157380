// Owns the case of a loop in a program that has others: the work of the loop case, after forty different loops over other
// components ran in the same process. Adapters must never make these from one text: V8 would take them for one loop.
import loop from './loop.js'

const OTHERS = 40
const ROWS = 64
const RUNS = 400

export default {
  ...loop,
  name: 'loop-after-forty',
  title: 'Loop, as above, after forty different loops ran in the process',
  sizes: [1_000, 100_000],
}

/** What the k-th other loop adds in each run: its text has the number, so that each loop is a function of its own. */
const stepOf = (k) => k + 0.5

/**
 * The ways of the case: those of the loop, after the other loops.
 *
 * @param {Record<string, (size: number) => object>} ways
 * @param {(rows: number, k: number, step: number) => { run(): void, total(): number }} createOther makes the k-th other
 *   loop over so many entities, which adds `step` to a component of each, 0 at the start; `total()` is the sum of all
 */
export const waysAfterForty = (ways, createOther) => ({
  'loop-after-forty': Object.fromEntries(
    Object.entries(ways).map(([name, createLoop]) => [
      name,
      (size) => createAfterForty(size, createLoop, createOther),
    ]),
  ),
})

async function createAfterForty(size, createLoop, createOther) {
  for (let k = 0; k < OTHERS; k++) {
    const { run, total } = createOther(ROWS, k, stepOf(k))
    for (let count = 0; count < RUNS; count++) run()
    const wanted = stepOf(k) * ROWS * RUNS
    if (total() !== wanted) throw new Error(`other loop ${k} came to ${total()}, should be ${wanted}`)
  }
  return createLoop(size)
}
