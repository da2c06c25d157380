// Owns the promises of ensemble/src/folder.js.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Rows, allKinds, recordBatchOf, schemaOf } from '../../ensemble/src/columns.js'
import {
  openFolder,
  pathsIn,
  readDescription,
  readState,
  writeWhole,
  writerName,
} from '../../ensemble/src/folder.js'
import { Journal } from '../../ensemble/src/journal.js'
import { PartWriter } from '../../ensemble/src/part.js'
import { partsIn, scratch } from '../support/ensemble.js'

const source = (hash = 'abc') => ({
  name: 'a.run',
  hash,
  definition: { parameters: { r0: 1 }, columns: { a: 'f64' }, axis: undefined },
})

describe('the folder of an ensemble', () => {
  it('is made with what it is about, and opened again', () => {
    const out = join(scratch(), 'deep/runs')
    const { description } = openFolder(out, source())
    expect(description).toMatchObject({
      module: 'a.run',
      source: 'abc',
      parameters: { r0: 1 },
      columns: { a: 'f64' },
    })
    expect(openFolder(out, source()).description).toEqual(JSON.parse(JSON.stringify(description)))
    expect(partsIn(out).sort()).toEqual(['checkpoints', 'ensemble.json', 'journals', 'parts'])
  })

  it('refuses results of another text', () => {
    const out = scratch()
    openFolder(out, source())
    expect(() => openFolder(out, source('abd'))).toThrow(
      expect.objectContaining({ code: 'OTHER_ENSEMBLE', message: expect.stringContaining('--out') }),
    )
  })

  it('is no other folder, and none of a format to come', () => {
    const out = scratch()
    const refused = expect.objectContaining({ code: 'BAD_FOLDER' })
    expect(() => readDescription(out)).toThrow(refused)
    openFolder(out, source())
    writeFileSync(pathsIn(out).description, '{ "format": 2 }')
    expect(() => readDescription(out)).toThrow(refused)
  })
})

describe('a run in a folder', () => {
  let out
  let journal
  let part
  const entry = (key, at, rows = 1) => ({
    key,
    index: 0,
    seed: 0,
    parameters: { r0: 1 },
    attempts: 1,
    ms: 1,
    rows,
    ...at,
  })
  const write = (...keys) => {
    const kinds = allKinds({ r0: 1 }, { a: 'f64' })
    const rows = new Rows(kinds)
    for (const key of keys) rows.add({ key, index: 0, seed: 0, r0: 1, a: 1 })
    return part.append(recordBatchOf(schemaOf(kinds), rows))
  }
  const done = () => [...readState(out).done.keys()]

  beforeEach(() => {
    out = scratch()
    const { paths } = openFolder(out, source())
    journal = new Journal(paths.journals, 'a')
    part = new PartWriter(paths.parts, 'a.arrow')
  })

  it('is done when the journal says so and the rows are there', () => {
    const where = write('k', 'l')
    journal.append([entry('k', { ...where, at: 0 }), entry('l', { ...where, at: 1 })])
    expect(done()).toEqual(['k', 'l'])
  })

  it('is not done when only its rows are there', () => {
    write('k')
    expect(done()).toEqual([])
  })

  it('is not done when only the journal says so', () => {
    const where = write('k')
    journal.append([
      entry('k', { ...where, at: 1 }),
      entry('l', { ...where, at: 0 }),
      entry('m', { ...where, batch: 1, at: 0 }),
      entry('n', { part: 'lost.arrow', batch: 0, at: 0 }),
      entry('k', { ...where, at: 0 }, 2),
    ])
    expect(done()).toEqual([])
    rmSync(part.path)
    expect(done()).toEqual([])
  })

  it('is done without rows when it has none', () => {
    journal.append([entry('k', {}, 0)])
    expect(done()).toEqual(['k'])
  })

  it('counts once when two did it: the first one counts', () => {
    const first = write('k')
    const second = write('k')
    journal.append([entry('k', { ...first, at: 0 }), entry('k', { ...second, at: 0 })])
    expect(readState(out).done.get('k').batch).toBe(0)
  })

  it('that failed is listed as failed until it is done', () => {
    const failed = { message: 'no', stack: '', log: '' }
    journal.append([{ ...entry('k', {}), rows: undefined, failed }])
    expect([...readState(out).failed.keys()]).toEqual(['k'])
    journal.append([entry('k', { ...write('k'), at: 0 })])
    expect(readState(out).failed.size).toBe(0)
  })
})

it('a file is written as a whole or not at all', () => {
  const folder = scratch()
  mkdirSync(join(folder, 'taken'))
  expect(() => writeWhole(join(folder, 'taken'), 'new')).toThrow(
    expect.objectContaining({ code: 'CANNOT_WRITE' }),
  )
  writeWhole(join(folder, 'a'), 'old')
  writeWhole(join(folder, 'a'), 'new')
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new')
  expect(partsIn(folder).sort()).toEqual(['a', 'taken'])
})

it('no two processes write files of the same name', () => {
  const names = Array.from({ length: 100 }, writerName)
  expect(new Set(names).size).toBe(100)
  expect(names.every((name) => /^[\w-]+$/.test(name))).toBe(true)
})
