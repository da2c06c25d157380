// Owns the plan: which runs there are for seeds and parameters, their seeds and their keys. A run's key and seed depend on
// nothing but the source, its parameters and its index.

import { createHash } from 'node:crypto'
import { random } from 'strata-ecs/kernel'
import { shown } from './columns.js'
import { EnsembleError } from './errors.js'
import { checkCount, checkIndex, checkValues } from './limits.js'

/** The key of the sequence that seeds come from. Any number would do; another one would give other seeds. */
const SEED_SEQUENCE = 0x5eed

const KEY_DIGITS = 32

/**
 * @typedef {object} Run
 * @property {string} key 32 hexadecimal digits
 * @property {number} index what was asked for as a seed: 0, 1, 2, …
 * @property {number} seed 32 random bits that belong to the index
 * @property {Record<string, number | string | boolean>} parameters
 */

/** The seed of an index. Different indices have different seeds; neighbours have nothing in common. */
export const seedOf = (/** @type {number} */ index) => random(SEED_SEQUENCE, index)

/**
 * All runs of a grid: every index with every combination of the parameters, the indices of one combination after another.
 *
 * @param {import('./source.js').Source} source
 * @param {Iterable<number>} indices
 * @param {Record<string, unknown[]>} grid the values of the parameters that vary; the others have their defaults
 * @returns {Run[]}
 * @throws {EnsembleError} BAD_OPTION
 */
export function planRuns(source, indices, grid) {
  const list = distinctIndices(indices)
  for (const [name, values] of Object.entries(grid)) checkValues(source.definition.parameters, name, values)
  const sizes = Object.values(grid).map((values) => new Set(values).size)
  checkCount(sizes.reduce((product, size) => product * size, list.length))
  return combinations(source.definition.parameters, grid).flatMap((parameters) => {
    const start = createHash('sha256').update(
      `${source.hash}\0${JSON.stringify(Object.entries(parameters))}\0`,
    )
    return list.map((index) => ({
      key: start.copy().update(String(index)).digest('hex').slice(0, KEY_DIGITS),
      index,
      seed: seedOf(index),
      parameters,
    }))
  })
}

function distinctIndices(indices) {
  if (typeof indices?.[Symbol.iterator] !== 'function') {
    throw new EnsembleError('BAD_OPTION', `Seeds are a list of whole numbers, not ${shown(indices)}.`)
  }
  const distinct = new Set()
  for (const index of indices) {
    checkIndex(index)
    checkCount(distinct.add(index).size)
  }
  if (distinct.size > 0) return [...distinct]
  throw new EnsembleError('BAD_OPTION', 'There are no seeds: name some, such as 0..99.')
}

function combinations(defaults, grid) {
  return Object.entries(defaults).reduce(
    (all, [name, value]) =>
      all.flatMap((one) =>
        [...new Set(Object.hasOwn(grid, name) ? grid[name] : [value])].map((other) => ({
          ...one,
          [name]: other,
        })),
      ),
    [{}],
  )
}

/**
 * The numbers from `first` on, `count` of them.
 *
 * @throws {EnsembleError} BAD_OPTION for more than one call can do
 */
export function range(count, first = 0) {
  checkCount(count)
  return Array.from({ length: count }, (_, i) => first + i)
}
