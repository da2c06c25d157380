// Owns the definition of a run: what a module exports, checked, and the names and kinds of its parameters and columns.
// It must never run anything.

import { EnsembleError } from './errors.js'

/** What a column can hold: the kinds of single fields in strata-ecs, without handles of entities. */
export const KINDS = ['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'f32', 'f64', 'bool', 'text']

/** Names of columns that every row has. */
export const OWN_COLUMNS = ['key', 'index', 'seed']

const CHECKPOINT_SECONDS = 10

/**
 * @typedef {object} Definition
 * @property {Record<string, number | string | boolean>} parameters their default values
 * @property {Record<string, string>} columns the kind of each column
 * @property {string | undefined} axis the column that counts the rows of a run, such as a day
 * @property {string} version
 * @property {number} checkpointSeconds
 * @property {(context: any) => unknown} run
 */

/** Returns the definition as it is given: types are inferred, mistakes are found when the module is loaded. */
export const defineRun = (/** @type {any} */ definition) => {
  checkDefinition(definition, 'defineRun')
  return definition
}

/**
 * The definition that a module exports, in one form.
 *
 * @param {any} given
 * @param {string} where what to name in an error
 * @returns {Definition}
 * @throws {EnsembleError} BAD_DEFINITION
 */
export function checkDefinition(given, where) {
  const bad = (/** @type {string} */ sentence) => new EnsembleError('BAD_DEFINITION', `${where}: ${sentence}`)
  if (typeof given !== 'object' || given === null || typeof given.run !== 'function') {
    throw bad('there is no run function: export default defineRun({ parameters, columns, run }).')
  }
  const parameters = given.parameters ?? {}
  for (const [name, value] of Object.entries(parameters)) {
    checkName(name, bad)
    const isNumber = typeof value === 'number' && Number.isFinite(value)
    if (!isNumber && typeof value !== 'string' && typeof value !== 'boolean') {
      throw bad(`the parameter '${name}' needs a number, a text or a boolean as its default value.`)
    }
  }
  const columns = Object.fromEntries(
    Object.entries(given.columns ?? {}).map(([name, field]) => {
      checkName(name, bad)
      if (Object.hasOwn(parameters, name)) throw bad(`'${name}' is both a parameter and a column.`)
      return [name, kindOf(field, name, bad)]
    }),
  )
  if (Object.keys(columns).length === 0) throw bad('there are no columns: name what a run returns.')
  if (given.axis !== undefined && (columns[given.axis] ?? 'text') === 'text') {
    throw bad(`axis is '${given.axis}', which is no column of numbers.`)
  }
  const checkpointSeconds = given.checkpointSeconds ?? CHECKPOINT_SECONDS
  if (!(checkpointSeconds >= 0)) throw bad('checkpointSeconds must be a number of seconds, 0 or more.')
  if (!['undefined', 'string', 'number'].includes(typeof given.version)) {
    throw bad('version must be a text or a number.')
  }
  return {
    parameters,
    columns,
    axis: given.axis,
    version: String(given.version ?? ''),
    checkpointSeconds,
    run: given.run,
  }
}

function checkName(name, bad) {
  if (!/^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(name)) {
    throw bad(`'${name}' is no name: begin with a letter, go on with letters, digits, spaces, - and _.`)
  }
  if (OWN_COLUMNS.includes(name)) throw bad(`'${name}' is a column that every row has: choose another name.`)
}

function kindOf(field, name, bad) {
  const kind = typeof field === 'string' ? field : field?.kind
  const isSingle = typeof field === 'string' || (field?.length ?? 1) === 1
  if (isSingle && KINDS.includes(kind)) return kind
  throw bad(`the column '${name}' must be one of ${KINDS.join(', ')}, as strata-ecs exports them.`)
}
