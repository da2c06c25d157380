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
 * What runs of the same parameters are known by: a function of their indices.
 *
 * @param {string} source the hash of the text
 * @param {string} parameters as `nameOf` writes them
 * @returns {(index: number) => string} the key
 */
export function keysOf(source, parameters) {
  const start = createHash('sha256').update(`${source}\0${parameters}\0`)
  return (index) => start.copy().update(String(index)).digest('hex').slice(0, KEY_DIGITS)
}

/** How keys name parameters. */
export const nameOf = (/** @type {Record<string, unknown>} */ parameters) =>
  JSON.stringify(Object.entries(parameters))

/** Whether a text can be the key of a run. */
export const isKey = (/** @type {unknown} */ text) => typeof text === 'string' && /^[0-9a-f]{32}$/.test(text)

/**
 * All runs of a grid, made as they are asked for: every index with every combination of the parameters, the indices of one
 * combination after another, in rising order.
 *
 * @param {import('./source.js').Source} source
 * @param {Iterable<number>} indices
 * @param {Record<string, unknown[]>} grid the values of the parameters that vary; the others have their defaults
 * @returns {Plan}
 * @throws {EnsembleError} BAD_OPTION
 */
export function planOf(source, indices, grid) {
  const list = rising(indices)
  const { parameters } = source.definition
  for (const [name, values] of Object.entries(grid)) checkValues(parameters, name, values)
  // A set has 0 for -0, of which a journal would not know.
  const choices = Object.entries(parameters).map(([name, value]) => [
    name,
    [...new Set(Object.hasOwn(grid, name) ? grid[name] : [value])],
  ])
  checkCount(choices.reduce((product, [, values]) => product * values.length, list.length))
  return new Plan(source.hash, list, choices)
}

/** Runs that are made as they are asked for, again each time. */
export class Plan {
  /**
   * @param {string} source
   * @param {Uint32Array} indices
   * @param {any[][]} choices the name of each parameter, and its values
   * @param {(name: string, index: number) => boolean} [isLeftOut]
   */
  constructor(source, indices, choices, isLeftOut) {
    this.source = source
    this.indices = indices
    this.choices = choices
    this.isLeftOut = isLeftOut
    this.length = isLeftOut ? this.#count() : choices.reduce((all, [, of]) => all * of.length, indices.length)
  }

  /** Those of these runs that are not done. @param {(name: string, index: number) => boolean} isDone */
  without(isDone) {
    return new Plan(this.source, this.indices, this.choices, isDone)
  }

  #count() {
    let count = 0
    for (const parameters of combinations(this.choices)) {
      const name = nameOf(parameters)
      for (const index of this.indices) if (!this.isLeftOut?.(name, index)) count++
    }
    return count
  }

  /** @returns {Generator<Run>} */
  *[Symbol.iterator]() {
    for (const parameters of combinations(this.choices)) {
      const name = nameOf(parameters)
      const keyOf = keysOf(this.source, name)
      for (const index of this.indices) {
        if (this.isLeftOut?.(name, index)) continue
        yield { key: keyOf(index), index, seed: seedOf(index), parameters }
      }
    }
  }
}

/** Indices without those that are there twice, in an array that takes four bytes for each. */
function rising(indices) {
  if (typeof indices?.[Symbol.iterator] !== 'function') {
    throw new EnsembleError('BAD_OPTION', `Seeds are a list of whole numbers, not ${shown(indices)}.`)
  }
  let list = new Uint32Array(1024)
  let count = 0
  for (const index of indices) {
    checkIndex(index)
    checkCount(count + 1)
    if (count === list.length) {
      const larger = new Uint32Array(2 * count)
      larger.set(list)
      list = larger
    }
    list[count++] = index
  }
  if (count === 0) throw new EnsembleError('BAD_OPTION', 'There are no seeds: name some, such as 0..99.')
  const sorted = list.subarray(0, count).sort()
  let kept = 1
  for (let i = 1; i < count; i++) if (sorted[i] !== sorted[kept - 1]) sorted[kept++] = sorted[i]
  return sorted.subarray(0, kept)
}

/** All combinations of values, those of the last parameter changing first. */
function* combinations(choices, position = 0, before = {}) {
  if (position === choices.length) {
    yield before
    return
  }
  const [name, values] = choices[position]
  for (const value of values) yield* combinations(choices, position + 1, { ...before, [name]: value })
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
