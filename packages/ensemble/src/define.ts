// Owns the definition of a run: what a module exports, checked, and the names and kinds of its parameters and columns.

import { isLasting, shown } from './columns.js'
import type {
  Column,
  ColumnKind,
  Kinds,
  ParameterValue,
  ParameterValues,
  RunContext,
  RunDefinition,
} from './definition.js'
import { EnsembleError } from './errors.js'

/** What a column can hold: the kinds of single fields in strata-ecs, without handles of entities. */
export const KINDS: readonly ColumnKind[] = [
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'f32',
  'f64',
  'bool',
  'text',
]

/** Names of columns that every row has. */
export const OWN_COLUMNS: readonly string[] = ['key', 'index', 'seed']

const CHECKPOINT_SECONDS = 10

/** A definition in one form, with all that it leaves out. */
export interface Definition {
  /** Their default values. */
  parameters: ParameterValues
  /** The kind of each column. */
  columns: Kinds
  /** The column that counts the rows of a run, such as a day. */
  axis: string | undefined
  version: string
  checkpointSeconds: number
  run: (context: RunContext<ParameterValues>) => unknown
}

/** What a mistake is said with. */
type Bad = (sentence: string) => EnsembleError

/**
 * Defines a run; a module exports it as its default. Checked when the module is loaded.
 *
 * @returns the definition as it is given
 * @throws EnsembleError BAD_DEFINITION
 */
export function defineRun<
  const P extends Record<string, ParameterValue>,
  const C extends Record<string, Column>,
>(definition: RunDefinition<P, C>): RunDefinition<P, C> {
  checkDefinition(definition, 'defineRun')
  return definition
}

/**
 * The definition that a module exports, in one form.
 *
 * @param where what to name in an error
 * @throws EnsembleError BAD_DEFINITION
 */
export function checkDefinition(given: unknown, where: string): Definition {
  const bad: Bad = (sentence) => new EnsembleError('BAD_DEFINITION', `${where}: ${sentence}`)
  if (!isDefinition(given)) {
    throw bad('there is no run function: export default defineRun({ parameters, columns, run }).')
  }
  const parameters = checkedParameters(given.parameters ?? {}, bad)
  const columns: Kinds = Object.fromEntries(
    Object.entries(given.columns ?? {}).map(([name, field]) => {
      checkName(name, bad)
      if (Object.hasOwn(parameters, name)) throw bad(`'${name}' is both a parameter and a column.`)
      return [name, kindOf(field, name, bad)]
    }),
  )
  if (Object.keys(columns).length === 0) throw bad('there are no columns: name what a run returns.')
  const { axis, version = '', checkpointSeconds = CHECKPOINT_SECONDS } = given
  if (axis !== undefined && !(Object.hasOwn(columns, axis) && columns[axis] !== 'text')) {
    throw bad(`axis is ${shown(axis)}, which is no column of numbers.`)
  }
  if (typeof checkpointSeconds !== 'number' || !(checkpointSeconds >= 0)) {
    throw bad('checkpointSeconds must be a number of seconds, 0 or more.')
  }
  // An object would be the same text whatever is in it.
  if (typeof version !== 'string' && typeof version !== 'number') {
    throw bad(`version is ${shown(version)}: it must be a text or a number.`)
  }
  return {
    parameters,
    columns,
    axis,
    version: String(version),
    checkpointSeconds,
    run: given.run,
  }
}

/** Whatever a module exports, as far as it is looked at before it is checked. */
interface Given {
  run: Definition['run']
  parameters?: Record<string, unknown>
  columns?: Record<string, unknown>
  axis?: string
  version?: unknown
  checkpointSeconds?: unknown
}

const isDefinition = (given: unknown): given is Given =>
  typeof given === 'object' && given !== null && 'run' in given && typeof given.run === 'function'

function checkedParameters(given: Record<string, unknown>, bad: Bad): ParameterValues {
  for (const [name, value] of Object.entries(given)) {
    checkName(name, bad)
    const isNumber = typeof value === 'number' && Number.isFinite(value)
    const isText = typeof value === 'string' && isLasting(value)
    if (isNumber || isText || typeof value === 'boolean') continue
    throw bad(
      `the parameter '${name}' needs a number, a text or a boolean as its default value, not ${shown(value)}.`,
    )
  }
  return given as ParameterValues
}

function checkName(name: string, bad: Bad): void {
  // A row written as { __proto__: 1 } has no such value, but another prototype.
  if (!/^[\p{L}_](?:[\p{L}\p{N}_ -]*[\p{L}\p{N}_-])?$/u.test(name) || name === '__proto__') {
    throw bad(`'${name}' is no name: begin with a letter, go on with letters, digits, spaces, - and _.`)
  }
  if (OWN_COLUMNS.includes(name)) throw bad(`'${name}' is a column that every row has: choose another name.`)
}

function kindOf(field: unknown, name: string, bad: Bad): ColumnKind {
  const { kind, length = 1 } =
    typeof field === 'string' ? { kind: field } : ((field ?? {}) as { kind?: string; length?: number })
  const known = KINDS.find((one) => one === kind)
  if (known !== undefined && length === 1) return known
  throw bad(`the column '${name}' must be one of ${KINDS.join(', ')}, as strata-ecs exports them.`)
}
