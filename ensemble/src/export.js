// Owns the export of results to a file: Arrow, Parquet or CSV, sorted by parameters, then by seeds.

import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { RecordBatchStreamWriter } from 'apache-arrow'
import { writing } from './errors.js'
import { writeWhole } from './folder.js'
import { batchesOf, kindsOf, tableOf } from './results.js'

/** The writers of the formats, by the names of their options. */
export const FORMATS = { arrow: writeArrow, parquet: writeParquet, csv: writeCsv }

/** An Arrow stream, which every Arrow library reads, as `.arrow` or `.arrows`. */
function writeArrow(results, path) {
  writeWhole(path, arrowBytes(results))
}

const arrowBytes = (results) => RecordBatchStreamWriter.writeAll(tableOf(results)).toUint8Array(true)

async function writeParquet(results, path) {
  const { Compression, Table, WriterPropertiesBuilder, writeParquet: write } = await import('parquet-wasm')
  const properties = new WriterPropertiesBuilder().setCompression(Compression.ZSTD).build()
  writeWhole(path, write(Table.fromIPCStream(arrowBytes(results)), properties))
}

/** One line of names, then one a row; texts are quoted where they must be. */
function writeCsv(results, path) {
  const names = Object.keys(kindsOf(results))
  const unfinished = `${path}.${process.pid}.unfinished`
  writing(path, () => {
    const file = openSync(unfinished, 'w')
    try {
      writeSync(file, `${names.map(cell).join(',')}\n`)
      for (const batch of batchesOf(results)) {
        const columns = names.map((name) => batch.getChild(name))
        const lines = []
        for (let row = 0; row < batch.numRows; row++) {
          lines.push(columns.map((column) => cell(column?.get(row))).join(','))
        }
        writeSync(file, `${lines.join('\n')}\n`)
      }
      closeSync(file)
      renameSync(unfinished, path)
    } catch (error) {
      rmSync(unfinished, { force: true })
      throw error
    }
  })
}

function cell(value) {
  const text = String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
