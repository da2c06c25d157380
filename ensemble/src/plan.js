// Owns the plan: which runs there are for seeds and parameters, their seeds and their keys. A run's key and seed depend on
// nothing but the source, its parameters and its index.

import { createHash } from 'node:crypto'
import { random } from 'strata-ecs/kernel'
import { EnsembleError } from './errors.js'

/** The key of the sequence that seeds come from. Any number would do; another one would give other seeds. */
const SEED_SEQUENCE = 0x5eed

const KEY_DIGITS = 32
const HIGHEST_INDEX = 0xffffffff

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
  const choices = Object.entries(parameters).map(([name, value]) => [
    name,
    Object.hasOwn(grid, name) ? [...new Set(grid[name])] : [value],
  ])
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
  let list = new Uint32Array(1024)
  let count = 0
  for (const index of indices) {
    if (!Number.isInteger(index) || index < 0 || index > HIGHEST_INDEX) {
      throw new EnsembleError(
        'BAD_OPTION',
        `A seed is a whole number from 0 to ${HIGHEST_INDEX}, not ${index}.`,
      )
    }
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

function checkValues(defaults, name, values) {
  if (!Object.hasOwn(defaults, name)) {
    const known = Object.keys(defaults).join(', ') || 'none'
    throw new EnsembleError('BAD_OPTION', `There is no parameter '${name}': the module has ${known}.`)
  }
  if (!Array.isArray(values) || values.length === 0) {
    throw new EnsembleError('BAD_OPTION', `The parameter '${name}' needs a list of values, at least one.`)
  }
  for (const value of values) {
    if (typeof value === typeof defaults[name] && !Number.isNaN(value)) continue
    throw new EnsembleError(
      'BAD_OPTION',
      `The parameter '${name}' is a ${typeof defaults[name]}, not ${value}.`,
    )
  }
}

/**
 * The indices in a text such as `0..999` or `3,5,10..12`.
 *
 * @throws {EnsembleError} BAD_OPTION
 */
export function readSeeds(text) {
  return text.split(',').flatMap((part) => {
    const [, first, last = first] = /^\s*(\d+)(?:\.\.(\d+))?\s*$/.exec(part) ?? []
    if (first === undefined || Number(last) < Number(first)) {
      throw new EnsembleError('BAD_OPTION', `'${part}' names no seeds: write 7, 0..999 or 3,5,10..12.`)
    }
    return range(Number(last) + 1 - Number(first), Number(first))
  })
}

/**
 * The grid in texts such as `r0=1.5,2,3`, values read as what the parameter is.
 *
 * @param {string[]} texts
 * @param {Record<string, unknown>} defaults
 * @throws {EnsembleError} BAD_OPTION
 */
export function readGrid(texts, defaults) {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, values] = /^\s*([^=]+?)\s*=(.*)$/s.exec(text) ?? []
      if (name === undefined) {
        throw new EnsembleError('BAD_OPTION', `'${text}' sets nothing: write r0=2.5 or r0=1.5,2,3.`)
      }
      return [name, values.split(',').map((value) => readValue(name, value.trim(), typeof defaults[name]))]
    }),
  )
}

/**
 * Which groups charts show, in texts such as `8` and `r0=2,3`.
 *
 * @param {string[]} texts
 * @param {Record<string, unknown>} parameters their default values
 * @returns {import('./charts.js').Choice}
 * @throws {EnsembleError} BAD_OPTION
 */
export function readChoice(texts, parameters) {
  const isCount = (text) => /^\s*\d+\s*$/.test(text)
  const most = texts.filter(isCount).map(Number).at(-1)
  const values = readGrid(
    texts.filter((text) => !isCount(text)),
    parameters,
  )
  if (most === 0) throw new EnsembleError('BAD_OPTION', 'A chart shows at least one group, not 0.')
  return { ...(most !== undefined && { most }), values }
}

function readValue(name, text, type) {
  if (type === 'string') return text
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  if (type === 'number' && text !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'undefined') return text
  throw new EnsembleError('BAD_OPTION', `The parameter '${name}' is a ${type}, not '${text}'.`)
}

/** The numbers from `first` on, `count` of them. */
export function range(count, first = 0) {
  return Array.from({ length: count }, (_, i) => first + i)
}
