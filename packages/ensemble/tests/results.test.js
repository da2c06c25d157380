// Shows that results are sorted by parameters and seeds, whichever worker made them, and are the same in every format they are exported
// to.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { readParquet } from 'parquet-wasm'
import { Rows, allKinds, recordBatchOf, schemaOf } from '../src/columns.ts'
import { FORMATS } from '../src/export.ts'
import { openFolder } from '../src/folder.ts'
import { Journal } from '../src/journal.ts'
import { PartWriter } from '../src/part.ts'
import { keysOf, nameOf, seedOf } from '../src/plan.ts'
import { openResults, readResults } from '../src/results.ts'
import { partsIn, scratch } from './support/ensemble.js'

const definition = { parameters: { place: '' }, columns: { day: 'u16', x: 'f64', open: 'bool' }, axis: 'day' }

const keyOf = (parameters, index) => keysOf('abc', nameOf(parameters))(index)

/** A folder with runs in parts as they are listed: each part a list of batches, each batch a list of runs. */
function folderOf(parts) {
  const out = scratch()
  const { paths } = openFolder(out, { name: 'a.run', hash: 'abc', definition })
  const journal = new Journal(paths.journals, 'j', 'abc')
  const kinds = allKinds(definition.parameters, definition.columns)
  parts.forEach((batches, number) => {
    const part = new PartWriter(paths.parts, `${number}.arrow`)
    for (const runs of batches) {
      const rows = new Rows(kinds)
      const entries = runs.map(({ days, place, index = 7 }) => {
        const key = keyOf({ place }, index)
        const seed = seedOf(index)
        const mine = new Rows(definition.columns)
        for (let day = 0; day < days; day++) mine.add({ day, x: day / 3, open: day % 2 === 0 })
        const entry = {
          key,
          index,
          seed,
          parameters: { place },
          rows: days,
          at: rows.length,
          attempts: 1,
          ms: 1,
        }
        rows.append({ key, index, seed, place }, mine)
        return entry
      })
      const where = rows.length > 0 ? part.append(recordBatchOf(schemaOf(kinds), rows)) : {}
      journal.append(entries.map((entry) => ({ ...entry, ...where })))
    }
    part.close()
  })
  journal.close()
  return out
}

const A = { days: 2, place: 'x, "y"' }
const B = { days: 0, place: 'z' }
const C = { days: 3, place: 'ö\nü' }

async function exported(out, format) {
  const path = join(scratch(), 'all')
  await FORMATS[format](openResults(out), path)
  return readFileSync(path)
}

describe('results', () => {
  it('are sorted by parameters, then by seeds, and failed runs by seeds, whatever their keys', () => {
    const definition = { parameters: { r0: 1 }, columns: { x: 'f64' } }
    const out = scratch()
    const { paths } = openFolder(out, { name: 'a.run', hash: 'abc', definition })
    const journal = new Journal(paths.journals, 'j', 'abc')
    const entry = (index, r0) => ({ index, parameters: { r0 }, rows: 0, attempts: 1, ms: 1 })
    const failing = (...of) => ({ ...entry(...of), failed: { message: '', stack: '', log: '' } })
    journal.append([entry(10, 9), entry(9, 10), entry(2, 10), entry(1, 10), entry(9, 9)])
    journal.append([failing(30, 9), failing(4, 10), failing(4, 9)])
    journal.close()
    const order = (runs) => Array.from(runs, ({ parameters: { r0 }, index }) => [r0, index])
    const { runs, failed } = openResults(out)
    expect(order(runs)).toEqual([
      [9, 9],
      [9, 10],
      [10, 1],
      [10, 2],
      [10, 9],
    ])
    expect(order(failed)).toEqual([
      [9, 4],
      [10, 4],
      [9, 30],
    ])
  })

  it('are all rows, run by run, with key, index, seed and parameters', () => {
    const { table, runs } = readResults(folderOf([[[C], [A]], [[B]]]))
    const [a, b, c] = [A, B, C].map(({ place }) => keyOf({ place }, 7))
    expect(runs.map(({ key }) => key)).toEqual([a, b, c])
    expect(table.toArray().map(({ key, day }) => [key, day])).toEqual([
      [a, 0],
      [a, 1],
      [c, 0],
      [c, 1],
      [c, 2],
    ])
    expect(table.get(1).toJSON()).toEqual({
      key: keyOf({ place: A.place }, 7),
      index: 7,
      seed: seedOf(7),
      place: 'x, "y"',
      day: 1,
      x: 1 / 3,
      open: false,
    })
  })

  it.each(Object.keys(FORMATS))(
    'have the same bytes as %s, in whatever order and by whatever worker they were written, and however often',
    async (format) => {
      const bytes = await exported(folderOf([[[A, B, C]]]), format)
      expect((await exported(folderOf([[[C], [A]], [[B]]]), format)).equals(bytes)).toBe(true)
      expect((await exported(folderOf([[[A, C]], [[C, B], [A]]]), format)).equals(bytes)).toBe(true)
    },
  )

  it('of no runs are a table without rows', async () => {
    const out = folderOf([])
    expect(readResults(out).table.numRows).toBe(0)
    expect(tableFromIPC(await exported(out, 'arrow')).schema.fields.map(({ name }) => name)).toEqual([
      'key',
      'index',
      'seed',
      'place',
      'day',
      'x',
      'open',
    ])
    expect((await exported(out, 'csv')).toString()).toBe('key,index,seed,place,day,x,open\n')
  })

  it('can be read as Parquet and as Arrow, and are equal in both', async () => {
    const out = folderOf([[[A, B, C]]])
    const rows = (table) => table.toArray().map((row) => row.toJSON())
    const expected = rows(readResults(out).table)
    expect(rows(tableFromIPC(await exported(out, 'arrow')))).toEqual(expected)
    expect(rows(tableFromIPC(readParquet(await exported(out, 'parquet')).intoIPCStream()))).toEqual(expected)
  })

  it('quote texts in CSV where necessary', async () => {
    const [head, ...lines] = (await exported(folderOf([[[A, C]]]), 'csv'))
      .toString()
      .split(/\n(?=key|[0-9a-f]{32},)/)
    expect(head).toBe('key,index,seed,place,day,x,open')
    const [a, c] = [A, C].map(({ place }) => `${keyOf({ place }, 7)},7,${seedOf(7)}`)
    expect(lines[0]).toBe(`${a},"x, ""y""",0,0,true`)
    expect(lines[2]).toBe(`${c},"ö\nü",0,0,true`)
  })

  it('with more rows than fit into a batch are in several', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ index, days: 5000, place: 'x' }))
    const { table } = readResults(folderOf([[many]]))
    expect(table.numRows).toBe(200_000)
    expect(table.batches.map(({ numRows }) => numRows)).toEqual([70_000, 70_000, 60_000])
  })

  it('that cannot be written leave nothing behind', async () => {
    const folder = scratch()
    const results = openResults(folderOf([[[A]]]))
    for (const format of Object.keys(FORMATS)) {
      const writing = async () => FORMATS[format](results, join(folder, 'no/all'))
      await expect(writing()).rejects.toThrow(expect.objectContaining({ code: 'CANNOT_WRITE' }))
    }
    writeFileSync(join(folder, 'a'), '')
    expect(partsIn(folder)).toEqual(['a'])
  })
})
