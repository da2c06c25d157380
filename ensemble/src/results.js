// Owns the results of an ensemble as they are read: runs sorted by parameters and seeds, each with its rows,
// whoever made them and in whatever order. Equal runs give equal results, byte for byte.

import { join } from 'node:path'
import { Table } from 'apache-arrow'
import { Rows, allKinds, recordBatchOf, schemaOf } from './columns.js'
import { pathsIn, readDescription, readState } from './folder.js'
import { readPart } from './part.js'

/** How many rows a record batch of an exported table has at most. */
const BATCH_ROWS = 65536

/**
 * @typedef {object} Results
 * @property {import('./folder.js').Description} description
 * @property {import('./journal.js').Entry[]} runs that are done, by parameters, then by index
 * @property {import('./journal.js').Entry[]} failed by index and parameters
 * @property {(entry: import('./journal.js').Entry) => Rows} rowsOf the rows of a run, without those columns that every row has
 * @property {number} rowCount
 */

/**
 * Reads the folder of an ensemble. Parts are read once, and kept.
 *
 * @param {string} folder
 * @returns {Results}
 * @throws {EnsembleError} BAD_FOLDER
 */
export function openResults(folder) {
  const description = readDescription(folder)
  const { parts } = pathsIn(folder)
  const { done, failed } = readState(folder)
  const known = new Map()

  function batchOf({ part, batch }) {
    if (!known.has(part)) known.set(part, readPart(join(parts, part)))
    return known.get(part)[batch]
  }

  function rowsOf(entry) {
    const rows = new Rows(description.columns)
    if (entry.rows === 0) return rows
    const batch = batchOf(entry)
    for (const name of rows.names) {
      const column = batch.getChild(name).slice(entry.at, entry.at + entry.rows)
      rows.values[name] = Array.from(column)
    }
    rows.length = entry.rows
    return rows
  }

  const runs = [...done.values()].sort((a, b) => byParameters(a, b) || byIndex(a, b) || byKey(a, b))
  return {
    description,
    runs,
    failed: [...failed.values()].sort(bySeed),
    rowsOf,
    rowCount: runs.reduce((sum, { rows }) => sum + (rows ?? 0), 0),
  }
}

/** Failed runs as people look for them: all of one seed together. */
export const bySeed = (a, b) => byIndex(a, b) || byParameters(a, b) || byKey(a, b)

/** Numbers by their size, texts by their letters, false before true; the first parameter that differs decides. */
function byParameters({ parameters: a }, { parameters: b }) {
  for (const name in a) {
    if (a[name] !== b[name]) return a[name] < b[name] ? -1 : 1
  }
  return 0
}

const byIndex = (a, b) => a.index - b.index
const byKey = (a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

/** The kinds of all columns of an exported row. */
export const kindsOf = ({ description }) => allKinds(description.parameters, description.columns)

/**
 * All rows in record batches of at most 65,536 rows, or more where one run has more.
 *
 * @param {Results} results
 */
export function* batchesOf(results) {
  const kinds = kindsOf(results)
  const schema = schemaOf(kinds)
  let rows = new Rows(kinds)
  for (const entry of results.runs) {
    const { key, index, seed, parameters } = entry
    rows.append({ key, index, seed, ...parameters }, results.rowsOf(entry))
    if (rows.length < BATCH_ROWS) continue
    yield recordBatchOf(schema, rows)
    rows = new Rows(kinds)
  }
  if (rows.length > 0) yield recordBatchOf(schema, rows)
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
  const { description, runs, failed } = results
  return { description, runs, failed, table: tableOf(results) }
}
