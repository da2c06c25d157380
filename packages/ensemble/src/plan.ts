// Owns the plan: which runs there are for seeds and parameters, their seeds and their keys. A run's key and seed depend on
// nothing but the source, its parameters and its index.

import { createHash } from 'node:crypto'
import { random } from 'strata-ecs/kernel'
import { shown } from './columns.js'
import type { ParameterValue, ParameterValues } from './definition.js'
import { EnsembleError } from './errors.js'
import { checkCount, checkIndex, checkValues } from './limits.js'
import type { Source } from './source.js'

/** The key of the sequence that seeds come from. Any number would do; another one would give other seeds. */
const SEED_SEQUENCE = 0x5eed

const KEY_DIGITS = 32

/** A run as it is asked for. */
export interface Run {
  /** 32 hexadecimal digits. */
  key: string
  /** What was asked for as a seed: 0, 1, 2, … */
  index: number
  /** 32 random bits that belong to the index. */
  seed: number
  parameters: ParameterValues
}

/** The seed of an index. Different indices have different seeds; neighbours have nothing in common. */
export const seedOf = (index: number): number => random(SEED_SEQUENCE, index)

/**
 * What runs of the same parameters are known by: a function of their indices.
 *
 * @param source the hash of the text
 * @param parameters as `nameOf` writes them
 * @returns the key
 */
export function keysOf(source: string, parameters: string): (index: number) => string {
  const start = createHash('sha256').update(`${source}\0${parameters}\0`)
  return (index) => start.copy().update(String(index)).digest('hex').slice(0, KEY_DIGITS)
}

/** How keys name parameters. */
export const nameOf = (parameters: ParameterValues): string => JSON.stringify(Object.entries(parameters))

/** Whether a text can be the key of a run. */
export const isKey = (text: unknown): boolean => typeof text === 'string' && /^[0-9a-f]{32}$/.test(text)

/** The name of each parameter, and its values. */
type Choices = [name: string, values: ParameterValue[]][]

/** Which runs a plan leaves out: by their parameters, as `nameOf` writes them, and their index. */
type IsLeftOut = (name: string, index: number) => boolean

/**
 * All runs of a grid, made as they are asked for: every index with every combination of the parameters, the indices of one
 * combination after another, in rising order.
 *
 * @param grid the values of the parameters that vary; the others have their defaults
 * @throws EnsembleError BAD_OPTION
 */
export function planOf(
  source: Pick<Source, 'hash' | 'definition'>,
  indices: Iterable<number>,
  grid: Record<string, readonly ParameterValue[]>,
): Plan {
  const list = rising(indices)
  const { parameters } = source.definition
  for (const [name, values] of Object.entries(grid)) checkValues(parameters, name, values)
  // A set has 0 for -0, of which a journal would not know.
  const choices: Choices = Object.entries(parameters).map(([name, value]) => [
    name,
    [...new Set(Object.hasOwn(grid, name) ? grid[name] : [value])],
  ])
  checkCount(choices.reduce((product, [, values]) => product * values.length, list.length))
  return new Plan(source.hash, list, choices)
}

/** Runs that are made as they are asked for, again each time. */
export class Plan {
  readonly length: number

  constructor(
    private readonly source: string,
    private readonly indices: Uint32Array,
    private readonly choices: Choices,
    private readonly isLeftOut?: IsLeftOut | undefined,
  ) {
    this.length = isLeftOut ? this.#count() : choices.reduce((all, [, of]) => all * of.length, indices.length)
  }

  /** Those of these runs that are not done. */
  without(isDone: IsLeftOut): Plan {
    return new Plan(this.source, this.indices, this.choices, isDone)
  }

  #count(): number {
    let count = 0
    for (const parameters of combinations(this.choices)) {
      const name = nameOf(parameters)
      for (const index of this.indices) if (!this.isLeftOut?.(name, index)) count++
    }
    return count
  }

  *[Symbol.iterator](): Generator<Run> {
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
function rising(indices: Iterable<number>): Uint32Array {
  if (typeof (indices as Iterable<number> | undefined)?.[Symbol.iterator] !== 'function') {
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
  for (let i = 1; i < count; i++) if (sorted[i] !== sorted[kept - 1]) sorted[kept++] = sorted[i]!
  return sorted.subarray(0, kept)
}

/** All combinations of values, those of the last parameter changing first. */
function* combinations(
  choices: Choices,
  position = 0,
  before: ParameterValues = {},
): Generator<ParameterValues> {
  const choice = choices[position]
  if (choice === undefined) {
    yield before
    return
  }
  const [name, values] = choice
  for (const value of values) yield* combinations(choices, position + 1, { ...before, [name]: value })
}

/**
 * The numbers from `first` on, `count` of them.
 *
 * @throws EnsembleError BAD_OPTION for more than one call can do
 */
export function range(count: number, first: number = 0): number[] {
  checkCount(count)
  return Array.from({ length: count }, (_, i) => first + i)
}
