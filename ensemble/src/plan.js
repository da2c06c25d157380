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
 * All runs of a grid: every index with every combination of the parameters, the indices of one combination after another.
 *
 * @param {import('./source.js').Source} source
 * @param {Iterable<number>} indices
 * @param {Record<string, unknown[]>} grid the values of the parameters that vary; the others have their defaults
 * @returns {Run[]}
 * @throws {EnsembleError} BAD_OPTION
 */
export function planRuns(source, indices, grid) {
  const list = [...new Set(indices)]
  for (const index of list) {
    if (!Number.isInteger(index) || index < 0 || index > HIGHEST_INDEX) {
      throw new EnsembleError(
        'BAD_OPTION',
        `A seed is a whole number from 0 to ${HIGHEST_INDEX}, not ${index}.`,
      )
    }
  }
  if (list.length === 0)
    throw new EnsembleError('BAD_OPTION', 'There are no seeds: name some, such as 0..99.')
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

function combinations(defaults, grid) {
  for (const [name, values] of Object.entries(grid)) checkValues(defaults, name, values)
  return Object.entries(defaults).reduce(
    (all, [name, value]) =>
      all.flatMap((one) => [...new Set(grid[name] ?? [value])].map((other) => ({ ...one, [name]: other }))),
    [{}],
  )
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
