// Owns what may be asked for: which seeds and how many runs, and which values a parameter can have. It must never let a value
// through that a journal or a table would give back as another one.

import { isLasting, shown } from './columns.js'
import type { ParameterValue, ParameterValues } from './definition.js'
import { EnsembleError } from './errors.js'

const HIGHEST_INDEX = 0xffffffff

/** How many runs one call may ask for. A folder can hold more: they are asked for in several calls. */
const MOST_RUNS = 10_000_000

/** @throws EnsembleError BAD_OPTION */
export function checkIndex(index: number): void {
  if (Number.isInteger(index) && index >= 0 && index <= HIGHEST_INDEX) return
  throw new EnsembleError(
    'BAD_OPTION',
    `A seed is a whole number from 0 to ${HIGHEST_INDEX}, not ${shown(index)}.`,
  )
}

/** @throws EnsembleError BAD_OPTION when one call would do too many runs */
export function checkCount(runs: number): void {
  if (runs <= MOST_RUNS) return
  const most = MOST_RUNS.toLocaleString('en-US')
  throw new EnsembleError(
    'BAD_OPTION',
    `One call does at most ${most} runs: ask for fewer seeds or values, and for the others in further calls with the same folder.`,
  )
}

/** @throws EnsembleError BAD_OPTION */
export function checkValues(
  defaults: ParameterValues,
  name: string,
  values: readonly ParameterValue[],
): void {
  if (!Object.hasOwn(defaults, name)) {
    const known = Object.keys(defaults).join(', ') || 'none'
    throw new EnsembleError('BAD_OPTION', `There is no parameter '${name}': the module has ${known}.`)
  }
  if (!Array.isArray(values) || values.length === 0) {
    throw new EnsembleError('BAD_OPTION', `The parameter '${name}' needs a list of values, at least one.`)
  }
  const type = typeof defaults[name] as Type
  for (const value of values) {
    if (typeof value === type && canBeKept(value)) continue
    throw new EnsembleError('BAD_OPTION', `The parameter '${name}' is ${WANTED[type]}, not ${shown(value)}.`)
  }
}

/** What a parameter can be, as `typeof` says it. */
export type Type = 'number' | 'string' | 'boolean'

/** What the values of a parameter must be, by the type of its default. */
export const WANTED: Record<Type, string> = {
  number: 'a finite number',
  string: 'a text of whole Unicode characters',
  boolean: 'true or false',
}

/** Whether a journal and a table give the value of a parameter back as it is. */
const canBeKept = (value: unknown) =>
  typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'string' || isLasting(value)
