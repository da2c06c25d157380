// Owns the promises of ensemble/src/part.js.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { expect, it } from 'vitest'
import { Rows, recordBatchOf, schemaOf } from '../../ensemble/src/columns.js'
import { PartWriter, readPart } from '../../ensemble/src/part.js'
import { partsIn, scratch } from '../support/ensemble.js'

const kinds = { a: 'f64', b: 'text' }
function batch(from, count) {
  const rows = new Rows(kinds)
  for (let i = from; i < from + count; i++) rows.add({ a: i, b: `row ${i}` })
  return recordBatchOf(schemaOf(kinds), rows)
}
const rowsOf = (batches) => batches.map((one) => [...one].map((row) => row.toJSON().a))

it('batches are read in the order in which they were appended, and the file is a stream for any Arrow library', () => {
  const folder = scratch()
  const part = new PartWriter(folder, 'a.arrow')
  expect(part.append(batch(0, 2))).toEqual({ part: 'a.arrow', batch: 0 })
  expect(part.append(batch(2, 1))).toEqual({ part: 'a.arrow', batch: 1 })
  part.close()
  expect(rowsOf(readPart(part.path))).toEqual([[0, 1], [2]])
  expect(tableFromIPC(readFileSync(part.path)).numRows).toBe(3)
})

it('what was appended can be read before the file is closed', () => {
  const part = new PartWriter(scratch(), 'a.arrow')
  part.append(batch(0, 3))
  expect(rowsOf(readPart(part.path))).toEqual([[0, 1, 2]])
  part.close()
})

it('a part without rows has no file', () => {
  const folder = scratch()
  new PartWriter(folder, 'a.arrow').close()
  expect(partsIn(folder)).toEqual([])
})

it('wherever a file is torn, the batches before are read, and no other', () => {
  const folder = scratch()
  const part = new PartWriter(folder, 'a.arrow')
  part.append(batch(0, 2))
  const first = readFileSync(part.path).length
  part.append(batch(2, 2))
  part.close()
  const bytes = readFileSync(part.path)
  const torn = join(folder, 'torn.arrow')
  for (let length = 0; length < bytes.length; length++) {
    writeFileSync(torn, bytes.subarray(0, length))
    expect(rowsOf(readPart(torn))).toEqual(length < first ? [] : [[0, 1]])
  }
})

it('an end of zeros, as a machine leaves that lost its power, is dropped', () => {
  const folder = scratch()
  const part = new PartWriter(folder, 'a.arrow')
  part.append(batch(0, 2))
  part.close()
  writeFileSync(part.path, Buffer.concat([readFileSync(part.path), Buffer.alloc(500)]))
  expect(rowsOf(readPart(part.path))).toEqual([[0, 1]])
})

it('a file that is there is never written over', () => {
  const folder = scratch()
  writeFileSync(join(folder, 'a.arrow'), 'mine')
  expect(() => new PartWriter(folder, 'a.arrow').append(batch(0, 1))).toThrow(
    expect.objectContaining({ code: 'CANNOT_WRITE' }),
  )
  expect(readFileSync(join(folder, 'a.arrow'), 'utf8')).toBe('mine')
})
