// Shows that the folder of an ensemble is created, opened again and cleaned up, and that a foreign or damaged one is refused.

import { copyFileSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Rows, allKinds, recordBatchOf, schemaOf } from '../src/columns.ts'
import { openFolder, pathsIn, readDescription, readState, remarksOn, writerName } from '../src/folder.ts'
import { Journal } from '../src/journal.ts'
import { PartWriter } from '../src/part.ts'
import { nameOf } from '../src/plan.ts'
import { cases, generator } from './support/attacks.js'
import { partsIn, scratch } from './support/ensemble.js'

const source = (hash = 'abc') => ({
  name: 'a.run',
  hash,
  definition: { parameters: { r0: 1 }, columns: { a: 'f64' }, axis: undefined },
})

describe('the folder of an ensemble', () => {
  it('is created with its description, and opened again', () => {
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

  it('is refused if it is another folder, or has another format', () => {
    const out = scratch()
    const refused = (sentence) =>
      expect.objectContaining({ code: 'BAD_FOLDER', message: expect.stringContaining(sentence) })
    expect(() => readDescription(out)).toThrow(refused('holds no ensemble'))
    openFolder(out, source())
    writeFileSync(pathsIn(out).description, '{ "format": 3 }')
    expect(() => readDescription(out)).toThrow(refused('format 3'))
  })

  it('with a damaged description says so, and what to do, however it was damaged', () => {
    const out = scratch()
    openFolder(out, source())
    const { description: path } = pathsIn(out)
    const whole = readFileSync(path)
    const described = readDescription(out)
    const { below } = generator(45)
    let count = 0
    const attack = (bytes) => {
      writeFileSync(path, bytes)
      let found
      try {
        found = readDescription(out)
      } catch (error) {
        expect(error.code).toBe('BAD_FOLDER')
        expect(error.message).toMatch(
          /is damaged: remove it, then give the same run command again|in format \d/,
        )
      }
      // Space between values means nothing.
      if (found) expect(found).toEqual(described)
      count++
    }
    for (let length = 0; length < whole.length - 2; length++) attack(whole.subarray(0, length))
    for (let i = 0; i < cases(1000); i++) {
      const bytes = Buffer.from(whole)
      bytes[below(bytes.length)] ^= 1 << below(8)
      attack(bytes)
    }
    for (const text of ['null', '5', '[]', '{}', '\ufeff{}', '\0'.repeat(300)]) attack(text)
    console.log(`${count} attacks on ensemble.json`)
    rmSync(path)
    expect(openFolder(out, source()).description).toMatchObject({ source: 'abc' })
  })

  it('is created by one of two programs that start at once, and refused by the other if its text differs', async () => {
    const out = scratch()
    const first = openFolder(out, source()).description
    // As after the other program looked, and before it wrote.
    expect(openFolder(out, source()).description).toEqual(first)
    const { description } = pathsIn(out)
    const { writeFirst } = await import('../src/disk.ts')
    expect(writeFirst(description, 'mine')).toBe(false)
    expect(readDescription(out)).toEqual(first)
  })

  it('is cleaned of old files that killed programs were writing, and of nothing else', () => {
    const out = scratch()
    const { paths } = openFolder(out, source())
    const names = ['k.checkpoint', 'k.checkpoint.5.unfinished', 'l.checkpoint.6.unfinished']
    for (const name of names) writeFileSync(join(paths.checkpoints, name), '')
    for (const name of names.slice(0, 2)) utimesSync(join(paths.checkpoints, name), 1, 1)
    openFolder(out, source())
    expect(partsIn(paths.checkpoints).sort()).toEqual(['k.checkpoint', 'l.checkpoint.6.unfinished'])
  })
})

describe('a run in a folder', () => {
  let out
  let journal
  let part
  const entry = (index, at, rows = 1) => ({ index, parameters: { r0: 1 }, attempts: 1, ms: 1, rows, ...at })
  const write = (...indices) => {
    const kinds = allKinds({ r0: 1 }, { a: 'f64' })
    const rows = new Rows(kinds)
    for (const index of indices) rows.add({ key: 'k', index, seed: 0, r0: 1, a: 1 })
    return part.append(recordBatchOf(schemaOf(kinds), rows))
  }
  const done = () =>
    Array.from({ length: 20 }, (_, i) => i).filter((i) => readState(out).isDone(nameOf({ r0: 1 }), i))

  beforeEach(() => {
    out = scratch()
    const { paths } = openFolder(out, source())
    journal = new Journal(paths.journals, 'a', 'abc')
    part = new PartWriter(paths.parts, 'a.arrow')
  })

  it('is done when the journal says so and the rows exist', () => {
    const where = write(1, 2)
    journal.append([entry(1, { ...where, at: 0 }), entry(2, { ...where, at: 1 })])
    expect(done()).toEqual([1, 2])
    expect(readState(out)).toMatchObject({ doneCount: 2, rowCount: 2, failedCount: 0 })
  })

  it('is not done when only its rows exist', () => {
    write(1)
    expect(done()).toEqual([])
  })

  it('is not done when only the journal says so', () => {
    const where = write(1)
    journal.append([
      entry(1, { ...where, from: where.from + 8, at: 0 }),
      entry(2, { ...where, sha: '0'.repeat(32), at: 0 }),
      entry(3, { ...where, bytes: 2 ** 31, at: 0 }),
      entry(4, { ...where, part: 'lost.arrow', at: 0 }),
      entry(5, { ...where, part: '../parts/a.arrow', at: 0 }),
    ])
    expect(done()).toEqual([])
    journal.append([entry(6, { ...where, at: 0 })])
    expect(done()).toEqual([6])
    rmSync(part.path)
    expect(done()).toEqual([])
  })

  it('is done without rows when it returns none', () => {
    journal.append([entry(1, {}, 0)])
    expect(done()).toEqual([1])
  })

  it('counts once when two did it: the first one whose rows exist', () => {
    const [first, second, third] = [write(1), write(1), write(1)]
    journal.append([{ ...entry(1, { ...first, at: 0 }), attempts: 1 }])
    journal.append([{ ...entry(1, { ...second, at: 0 }), attempts: 2 }])
    journal.append([{ ...entry(1, { ...third, at: 0 }), attempts: 3 }])
    const attempts = () => {
      const ledger = readState(out)
      return Array.from(ledger.sorted(), (row) => ledger.entry(row).attempts)
    }
    expect(attempts()).toEqual([1])
    const bytes = readFileSync(part.path)
    bytes[first.from + first.bytes - 1] ^= 1
    writeFileSync(part.path, bytes)
    expect(attempts()).toEqual([2])
  })

  it('that failed is listed as failed until it is done', () => {
    const failed = { message: 'no', stack: '', log: '' }
    journal.append([{ ...entry(1, {}), rows: undefined, failed }])
    journal.append([{ ...entry(1, {}), rows: undefined, failed: { ...failed, message: 'no again' } }])
    expect(readState(out).failedCount).toBe(1)
    expect(readState(out).failures(10)).toMatchObject([{ index: 1, failed: { message: 'no again' } }])
    journal.append([entry(1, { ...write(1), at: 0 })])
    expect(readState(out).failedCount).toBe(0)
    expect(readState(out).failures(10)).toEqual([])
  })

  it('of another text is left out, and reported', () => {
    journal.append([entry(1, {}, 0)])
    const { journals } = pathsIn(out)
    const other = new Journal(journals, 'b', 'abd')
    other.append([entry(1, {}, 0), entry(2, {}, 0)])
    expect(done()).toEqual([1])
    expect(remarksOn(readState(out))).toEqual([
      expect.stringContaining('2 runs in this folder are of another text'),
    ])
  })

  it('is left out if its part belongs to another, as after a copy to the wrong place', () => {
    journal.append([entry(1, { ...write(1), at: 0 })])
    const { parts } = pathsIn(out)
    const other = new PartWriter(parts, 'b.arrow')
    const kinds = allKinds({ r0: 1 }, { a: 'f64' })
    const rows = new Rows(kinds)
    rows.add({ key: 'k', index: 1, seed: 0, r0: 1, a: 2 })
    other.append(recordBatchOf(schemaOf(kinds), rows))
    copyFileSync(join(parts, 'b.arrow'), join(parts, 'a.arrow'))
    expect(done()).toEqual([])
  })

  it('whose journal was torn in the middle of a line is run again, and reported', () => {
    journal.append([entry(1, {}, 0)])
    journal.append([entry(2, {}, 0)])
    truncateSync(journal.path, readFileSync(journal.path).length - 5)
    expect(done()).toEqual([1])
    expect(remarksOn(readState(out))).toEqual([
      expect.stringContaining('1 line of a journal is torn or damaged'),
    ])
  })
})

it('no two processes write files with the same name', () => {
  const names = Array.from({ length: 100 }, writerName)
  expect(new Set(names).size).toBe(100)
  expect(names.every((name) => /^[\w-]+$/.test(name))).toBe(true)
})
