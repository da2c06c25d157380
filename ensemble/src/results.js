// Owns the results of an ensemble as they are read: runs sorted by parameters and seeds, each with its rows,
// whoever made them and in whatever order. Equal runs give equal results, byte for byte.

import { Table } from 'apache-arrow'
import { Rows, allKinds, recordBatchOf, schemaOf } from './columns.js'
import { EnsembleError } from './errors.js'
import { pathsIn, readDescription, readState, remarksOn } from './folder.js'
import { byParameters } from './ledger.js'
import { PartReader } from './part.js'

/** How many rows a record batch of an exported table has at most. */
const BATCH_ROWS = 65536

/** Of so many failed runs all is kept that is known of them; of the others, that they failed. */
export const MOST_FAILURES = 1000

/**
 * @typedef {import('./journal.js').Entry} Entry
 *
 * @typedef {object} Results
 * @property {import('./folder.js').Description} description
 * @property {{ length: number } & Iterable<Entry>} runs that are done, by parameters, then by index; made as they are asked for
 * @property {() => Iterable<{ run: Entry, rows: Rows }>} each run with its rows, in the order in which they are quickly read
 * @property {() => Generator<Rows>} sortedRows all rows with all columns, in pieces, by parameters, then by index
 * @property {Record<string, any>[]} combinations the different parameters of these runs
 * @property {number} mostRows that a run has
 * @property {Entry[]} failed by index and parameters, the first thousand
 * @property {number} failedCount
 * @property {number} rowCount
 * @property {string[]} remarks sentences about the folder
 */

/**
 * Reads the folder of an ensemble. Rows are read as they are asked for.
 *
 * @param {string} folder
 * @returns {Results}
 * @throws {EnsembleError} BAD_FOLDER
 */
export function openResults(folder) {
  const description = readDescription(folder)
  const { parts } = pathsIn(folder)
  const ledger = readState(folder, description)
  const kinds = allKinds(description.parameters, description.columns)
  const sorted = ledger.sorted()

  /** Runs of the ledger with their rows: each batch is read once where its runs are asked for together. */
  function* read(rows) {
    const reader = new PartReader(parts, kinds)
    let last = { batch: -1, columns: {} }
    try {
      for (const row of ledger.byPlace(rows)) {
        const run = /** @type {any} */ (ledger.entry(row))
        const batch = ledger.batchOf(row)
        if (run.rows > 0 && last.batch !== batch)
          last = { batch, columns: columnsOf(reader.batchOf(run), run) }
        yield { row, run, rows: slice(run, last.columns) }
      }
    } finally {
      reader.close()
    }
  }

  function columnsOf(batch, { part }) {
    if (batch === undefined) {
      throw new EnsembleError('BAD_FOLDER', `${part} changed while it was read: give the same command again.`)
    }
    return Object.fromEntries(
      Object.keys(description.columns).map((name) => [name, batch.getChild(name)?.toArray()]),
    )
  }

  function slice({ rows: length, at }, columns) {
    const rows = new Rows(description.columns)
    if (length === 0) return rows
    for (const name of rows.names) rows.values[name] = columns[name].slice(at, at + length)
    rows.length = length
    return rows
  }

  /** As many runs at a time as have the rows of a batch. */
  function* sortedRows() {
    for (let start = 0; start < sorted.length;) {
      let end = start
      for (let count = 0; end < sorted.length && count < BATCH_ROWS; end++)
        count += ledger.rowsOf(sorted[end])
      const piece = sorted.subarray(start, end)
      const found = new Map()
      for (const one of read(piece)) found.set(one.row, one)
      const rows = new Rows(kinds)
      for (const row of piece) {
        const { run, rows: own } = found.get(row)
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
export const bySeed = (a, b) =>
  a.index - b.index || byParameters(a.parameters, b.parameters) || (a.key < b.key ? -1 : 1)

/** The kinds of all columns of an exported row. */
export const kindsOf = ({ description }) => allKinds(description.parameters, description.columns)

/**
 * All rows in record batches of at most 65,536 rows, or more where one run has more.
 *
 * @param {Results} results
 */
export function* batchesOf(results) {
  const schema = schemaOf(kindsOf(results))
  for (const rows of results.sortedRows()) yield recordBatchOf(schema, rows)
}

/** @param {Results} results @returns {Table} */
export function tableOf(results) {
  const schema = schemaOf(kindsOf(results))
  const batches = [...batchesOf(results)]
  return batches.length > 0 ? new Table(schema, batches) : new Table(schema)
}

/**
 * What an ensemble has found so far, for programs of one's own.
 *
 * @param {string} folder
 */
export function readResults(folder) {
  const results = openResults(folder)
  const { description, runs, failed, failedCount, remarks } = results
  return { description, runs: [...runs], failed, failedCount, remarks, table: tableOf(results) }
}
