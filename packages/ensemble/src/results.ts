// Owns reading the results of an ensemble: runs sorted by parameters and seeds, each with its rows, independent of who made them
// and in which order. Equal runs give equal results, byte for byte.

import { type RecordBatch, Table } from 'apache-arrow'
import { Rows, allKinds, recordBatchOf, schemaOf } from './columns.js'
import type { Kinds, ParameterValue, ParameterValues } from './definition.js'
import { EnsembleError } from './errors.js'
import { type Description, pathsIn, readDescription, readState, remarksOn } from './folder.js'
import { byParameters } from './ledger.js'
import { PartReader, type Place } from './part.js'

/** The values of the columns of a batch: lists, or typed arrays, which do all that is done with lists here. */
type Columns = Record<string, ParameterValue[]>
import type { Entry, FailedEntry, RunEntry } from './journal.js'

/** How many rows a record batch of an exported table has at most. */
const BATCH_ROWS = 65536

/** Of so many failed runs all is kept that is known of them; of the others, that they failed. */
export const MOST_FAILURES: number = 1000

/** What a folder holds. */
export interface Results {
  description: Description
  /** Those that are done, by parameters, then by index; made as they are asked for. */
  runs: { length: number } & Iterable<Entry>
  /** Each run with its rows, in the order in which they are quickly read. */
  each: () => Iterable<{ run: Entry; rows: Rows }>
  /** All rows with all columns, in pieces, by parameters, then by index. */
  sortedRows: () => Generator<Rows>
  /** The different parameters of these runs. */
  combinations: ParameterValues[]
  /** The most that a run has. */
  mostRows: number
  /** By index and parameters, the first thousand. */
  failed: FailedEntry[]
  failedCount: number
  rowCount: number
  /** Sentences about the folder. */
  remarks: string[]
}

/**
 * Reads the folder of an ensemble. Rows are read as they are asked for.
 *
 * @throws EnsembleError BAD_FOLDER
 */
export function openResults(folder: string): Results {
  const description = readDescription(folder)
  const { parts } = pathsIn(folder)
  const ledger = readState(folder, description)
  const kinds = allKinds(description.parameters, description.columns)
  const sorted = ledger.sorted()

  /** Runs of the ledger with their rows: each batch is read once where its runs are asked for together. */
  function* read(rows: Int32Array) {
    const reader = new PartReader(parts, kinds)
    let last: { batch: number; columns: Columns } = { batch: -1, columns: {} }
    try {
      for (const row of ledger.byPlace(rows)) {
        const run = ledger.entry(row)
        const batch = ledger.batchOf(row)
        // A run with rows has a place.
        if (run.rows! > 0 && last.batch !== batch) last = { batch, columns: columnsOf(reader, run as Place) }
        yield { row, run, rows: slice(run, last.columns) }
      }
    } finally {
      reader.close()
    }
  }

  function columnsOf(reader: PartReader, place: Place): Columns {
    const batch = reader.batchOf(place)
    if (batch === undefined) {
      throw new EnsembleError(
        'BAD_FOLDER',
        `${place.part} changed while it was read: give the same command again.`,
      )
    }
    return Object.fromEntries(
      Object.keys(description.columns).map((name) => [
        name,
        batch.getChild(name)!.toArray() as ParameterValue[],
      ]),
    )
  }

  function slice({ rows: length = 0, at = 0 }: Entry, columns: Columns): Rows {
    const rows = new Rows(description.columns)
    if (length === 0) return rows
    for (const name of rows.names) rows.values[name] = columns[name]!.slice(at, at + length)
    rows.length = length
    return rows
  }

  /** As many runs at a time as have the rows of a batch. */
  function* sortedRows(): Generator<Rows> {
    for (let start = 0; start < sorted.length;) {
      let end = start
      for (let count = 0; end < sorted.length && count < BATCH_ROWS; end++)
        count += ledger.rowsOf(sorted[end]!)
      const piece = sorted.subarray(start, end)
      const found = new Map<number, { run: Entry; rows: Rows }>()
      for (const one of read(piece)) found.set(one.row, one)
      const rows = new Rows(kinds)
      for (const row of piece) {
        const { run, rows: own } = found.get(row)!
        const { key, index, seed, parameters } = run
        rows.append({ key, index, seed, ...parameters }, own)
      }
      if (rows.length > 0) yield rows
      start = end
    }
  }

  return {
    description,
    runs: {
      length: sorted.length,
      *[Symbol.iterator]() {
        for (const row of sorted) yield ledger.entry(row)
      },
    },
    each: () => read(sorted),
    sortedRows,
    combinations: ledger.combinations(),
    mostRows: ledger.mostRows(),
    failed: ledger.failures(MOST_FAILURES),
    failedCount: ledger.failedCount,
    rowCount: ledger.rowCount,
    remarks: remarksOn(ledger),
  }
}

/** Failed runs as people look for them: all of one seed together. */
export const bySeed = (a: RunEntry, b: RunEntry): number =>
  a.index - b.index || byParameters(a.parameters, b.parameters) || (a.key < b.key ? -1 : 1)

/** The kinds of all columns of an exported row. */
export const kindsOf = ({ description }: Results): Kinds =>
  allKinds(description.parameters, description.columns)

/** All rows in record batches of at most 65,536 rows, or more where one run has more. */
export function* batchesOf(results: Results): Generator<RecordBatch> {
  const schema = schemaOf(kindsOf(results))
  for (const rows of results.sortedRows()) yield recordBatchOf(schema, rows)
}

export function tableOf(results: Results): Table {
  const schema = schemaOf(kindsOf(results))
  const batches = [...batchesOf(results)]
  return batches.length > 0 ? new Table(schema, batches) : new Table(schema)
}

/** What an ensemble has found so far, in memory. */
export interface ResultsInMemory {
  /** @internal */
  description: Description
  runs: RunEntry[]
  failed: FailedEntry[]
  failedCount: number
  /** Sentences about the folder, such as that lines of its journals are damaged. */
  remarks: string[]
  table: Table
}

/**
 * What an ensemble has found so far, in memory, sorted by parameters, then by index; failed runs by index, the first thousand.
 *
 * @throws EnsembleError BAD_FOLDER
 */
export function readResults(folder: string): ResultsInMemory {
  const results = openResults(folder)
  const { description, runs, failed, failedCount, remarks } = results
  return { description, runs: [...runs], failed, failedCount, remarks, table: tableOf(results) }
}
