// Owns what words of the command line mean: seeds, the values of parameters, groups of charts. When several words say something,
// all of them count.

import type { Choice } from './charts.js'
import type { ParameterValue, ParameterValues } from './definition.js'
import { EnsembleError } from './errors.js'
import { type Type, WANTED, checkCount, checkIndex } from './limits.js'
import { range } from './plan.js'

/**
 * The indices in texts such as `0..999` or `3,5,10..12`.
 *
 * @throws EnsembleError BAD_OPTION
 */
export function readSeeds(texts: readonly string[]): number[] {
  const ranges = texts.flatMap((text) => text.split(',')).map(readRange)
  checkCount(ranges.reduce((sum, { count }) => sum + count, 0))
  return ranges.flatMap(({ count, first }) => range(count, first))
}

function readRange(text: string): { first: number; count: number } {
  const [, first, last = first] = /^\s*(\d+)(?:\.\.(\d+))?\s*$/.exec(text) ?? []
  if (first === undefined || Number(last) < Number(first)) {
    throw new EnsembleError('BAD_OPTION', `'${text}' names no seeds: write 7, 0..999 or 3,5,10..12.`)
  }
  checkIndex(Number(first))
  checkIndex(Number(last))
  return { first: Number(first), count: Number(last) + 1 - Number(first) }
}

/**
 * The grid in texts such as `r0=1.5,2,3`, values read as what the parameter is. A text with a comma, a quote or a space at
 * its edge is written as in JSON: `place="Paris, France",Rio`.
 *
 * @param texts several of one parameter add to each other
 * @throws EnsembleError BAD_OPTION
 */
export function readGrid(
  texts: readonly string[],
  defaults: ParameterValues,
): Record<string, ParameterValue[]> {
  const grid = new Map<string, ParameterValue[]>()
  for (const text of texts) {
    const [, name, values = ''] = /^\s*([^=]+?)\s*=(.*)$/s.exec(text) ?? []
    if (name === undefined) {
      throw new EnsembleError('BAD_OPTION', `'${text}' sets nothing: write r0=2.5 or r0=1.5,2,3.`)
    }
    const type = Object.hasOwn(defaults, name) ? (typeof defaults[name] as Type) : undefined
    const read = cutAtCommas(values).map((value) => readValue(name, value, type))
    grid.set(name, [...(grid.get(name) ?? []), ...read])
  }
  return Object.fromEntries(grid)
}

/** Commas in quotes are part of a value. */
function cutAtCommas(text: string): string[] {
  const parts = `${text},`.matchAll(/(\s*"(?:[^"\\]|\\.)*"\s*|[^,]*),/gs)
  return [...parts].map(([, part = '']) => part.trim())
}

function readValue(name: string, text: string, type: Type | undefined): ParameterValue {
  if (type === 'string') return text.startsWith('"') ? unquoted(name, text) : text
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  if (type === 'number' && text !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === undefined) return text
  throw new EnsembleError('BAD_OPTION', `The parameter '${name}' is ${WANTED[type]}, not '${text}'.`)
}

function unquoted(name: string, text: string): string {
  try {
    return JSON.parse(text) as string
  } catch {
    throw new EnsembleError(
      'BAD_OPTION',
      `The text ${text} of '${name}' has no end: write it as in JSON, ${name}="Paris, France".`,
    )
  }
}

/**
 * Which groups charts show, in texts such as `8` and `r0=2,3`.
 *
 * @param parameters their default values
 * @throws EnsembleError BAD_OPTION
 */
export function readChoice(texts: readonly string[], parameters: ParameterValues): Choice {
  const isCount = (text: string) => /^\s*\d+\s*$/.test(text)
  const counts = new Set(texts.filter(isCount).map(Number))
  const values = readGrid(
    texts.filter((text) => !isCount(text)),
    parameters,
  )
  if (counts.size > 1) {
    throw new EnsembleError(
      'BAD_OPTION',
      `Charts show at most one number of groups, not ${[...counts].join(' and ')}.`,
    )
  }
  const [most] = counts
  if (most === 0) throw new EnsembleError('BAD_OPTION', 'A chart shows at least one group, not 0.')
  return { ...(most !== undefined && { most }), values }
}
