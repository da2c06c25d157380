// Owns the export of results: Arrow, Parquet or CSV, sorted by parameters, then by seeds. Every value can be read back as it
// is, so it must never change one, not for the sake of a spreadsheet either.

import { RecordBatchStreamWriter } from 'apache-arrow'
import { writeTo } from './destination.js'
import { type Results, batchesOf, kindsOf, tableOf } from './results.js'

/** Writes results to a path. */
type Writer = (results: Results, path: string) => void | Promise<void>

/** The writers of the formats, by the names of their options. */
export const FORMATS: Record<string, Writer> = { arrow: writeArrow, parquet: writeParquet, csv: writeCsv }

/** So many lines are one text: all of a batch might be longer than a text can be. */
const LINES_AT_ONCE = 4096

/** An Arrow stream, which every Arrow library reads, as `.arrow` or `.arrows`. */
function writeArrow(results: Results, path: string): void {
  writeTo(path, [arrowBytes(results)])
}

const arrowBytes = (results: Results) => RecordBatchStreamWriter.writeAll(tableOf(results)).toUint8Array(true)

async function writeParquet(results: Results, path: string): Promise<void> {
  const { Compression, Table, WriterPropertiesBuilder, writeParquet: write } = await import('parquet-wasm')
  const properties = new WriterPropertiesBuilder().setCompression(Compression.ZSTD).build()
  writeTo(path, [write(Table.fromIPCStream(arrowBytes(results)), properties)])
}

function writeCsv(results: Results, path: string): void {
  writeTo(path, csvOf(results))
}

/** One line of names, then one a row; texts are quoted where they must be. */
function* csvOf(results: Results): Generator<string> {
  const names = Object.keys(kindsOf(results))
  yield `${names.map(cell).join(',')}\n`
  for (const batch of batchesOf(results)) {
    const columns = names.map((name) => batch.getChild(name))
    for (let from = 0; from < batch.numRows; from += LINES_AT_ONCE) {
      const lines: string[] = []
      for (let row = from; row < Math.min(from + LINES_AT_ONCE, batch.numRows); row++) {
        lines.push(`${columns.map((column) => cell(column?.get(row))).join(',')}\n`)
      }
      yield lines.join('')
    }
  }
}

function cell(value: unknown): string {
  const text = Object.is(value, -0) ? '-0' : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
