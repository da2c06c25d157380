// Owns the entry 'strata-ecs/arrow': toArrow, which makes an Apache Arrow table of a query. What it needs of the library
// comes with the query or from the entry 'strata-ecs', so that the package is in a program once.

import { RecordBatch, Schema, Struct, Table, makeData } from 'apache-arrow'
import { type Query, StrataTypeError, type Term } from '../../../bindings/index'
import { describe } from '../../../bindings/memory/describe'
import { type ArrowColumn, type ArrowBatch, entityColumn, fieldColumn } from './columns'
import { type ArrowSource, type ArrowRun, isQuery, sourceOf } from './source'
import { targetColumn } from './targets'

/** Options of toArrow. */
export interface ArrowOptions {
  /**
   * Default true: the table has memory of its own. False: where the kinds of values allow it, columns are views of the
   * world's memory, valid until the world changes.
   */
  readonly copy?: boolean | undefined
}

/**
 * Makes an Apache Arrow table of all entities that a query matches, a row for each, in the order of a loop. The first
 * column is `entity`, the handles as Uint32. Then comes a column for each field of each component, named
 * `Position.x`: numbers as the Arrow type of the same width, `bool` as Bool, `entity` as Uint32, `text` as
 * Dictionary<Utf8, Int32>, `vec` as FixedSizeList. Components of `optional` and `any` are null where an entity lacks
 * them. Tags have no column. A relation has one with its name: the target as Uint32, null where there is none; for a
 * relation with many targets a List<Uint32>, in their order, and no values, which are those of single links.
 *
 * With `{ copy: false }` nothing is copied but `bool` and `text` columns, sparse components that the query reaches by
 * row, and nulls. The table then has one record batch for each chunk instead of a single one, and is valid until the
 * next change of any kind: a value that is written shows in it, and entities that come or go, or memory that grows,
 * leave it with wrong rows or without any.
 *
 * Allowed inside of loops, where it sees what the loop sees. For a query with `changed` or `added` it is a look, as a
 * loop is. Cost: with a copy, about that of copying the columns; a row of a component that is no column costs as much as
 * `cursor.at`.
 *
 * @param query also one by where, page or partition
 * @throws StrataTypeError INVALID_OPTION for wrong arguments; INVALID_QUERY for a query with object components, whose
 *   values have no Arrow type; what a loop over the query throws
 * @example const table = toArrow(world.query(Position, Health))
 */
export function toArrow<T extends readonly Term[], Grouped extends boolean>(
  query: Query<T, Grouped>,
  options: ArrowOptions = {},
): Table {
  const copy = checkArguments(query, options)
  const source = sourceOf(query)
  refuseObjects(source)
  const columns = [entityColumn(), ...source.parts.flatMap((part) => columnsOf(part, source))]
  const batches: ArrowBatch[] = []
  if (copy) {
    const batch: ArrowBatch = { rows: 0, capacity: source.count, isView: false }
    for (const column of columns) column.begin(batch)
    for (const run of source.runs()) take(columns, batch, run)
    batches.push(batch)
  } else {
    for (const run of source.runs()) {
      const batch: ArrowBatch = { rows: 0, capacity: run.end - run.start, isView: true }
      for (const column of columns) column.begin(batch)
      take(columns, batch, run)
      batches.push(batch)
    }
  }
  return tableOf(columns, batches)
}

function take(columns: readonly ArrowColumn[], batch: ArrowBatch, run: ArrowRun): void {
  for (const column of columns) column.take(run, batch.rows)
  batch.rows += run.end - run.start
}

function columnsOf(part: ArrowSource['parts'][number], source: ArrowSource): ArrowColumn[] {
  return 'fields' in part
    ? part.fields.map((field) => fieldColumn(part, field, source))
    : [targetColumn(part)]
}

function tableOf(columns: readonly ArrowColumn[], batches: readonly ArrowBatch[]): Table {
  const fields = columns.map((column) => column.field())
  const schema = new Schema(fields)
  const type = new Struct(fields)
  const records = batches.flatMap(({ rows }, number) => {
    if (rows === 0) return []
    const children = columns.map((column) => column.data(number, rows))
    return new RecordBatch(schema, makeData({ type, length: rows, nullCount: 0, children }))
  })
  return new Table(schema, records)
}

function refuseObjects({ components }: ArrowSource): void {
  const object = components.find(({ definition }) => definition.kind === 'object')
  if (object === undefined) return
  const name = object.definition.componentName
  throw new StrataTypeError(
    'INVALID_QUERY',
    `toArrow: ${name} is an object component, whose values have no Arrow type: make a query without it.`,
  )
}

/** @returns whether to copy */
function checkArguments(query: unknown, options: unknown): boolean {
  if (!isQuery(query)) {
    throw new StrataTypeError('INVALID_OPTION', `toArrow takes a query, not ${describe(query)}.`)
  }
  if (typeof options !== 'object' || options === null) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `toArrow: the options must be an object such as { copy: false }, not ${describe(options)}.`,
    )
  }
  const unknown = Object.keys(options).find((name) => name !== 'copy')
  if (unknown !== undefined) {
    throw new StrataTypeError('INVALID_OPTION', `toArrow has no option '${unknown}': there is copy.`)
  }
  const { copy = true } = options as { copy?: unknown }
  if (typeof copy === 'boolean') return copy
  throw new StrataTypeError('INVALID_OPTION', `toArrow: copy must be true or false, not ${describe(copy)}.`)
}
