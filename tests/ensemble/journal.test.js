// Owns the promises of ensemble/src/journal.js.

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Journal, readJournals } from '../../ensemble/src/journal.js'
import { scratch } from '../support/ensemble.js'

const entry = (key) => ({ key, index: 0, seed: 1, parameters: { a: 'x\ny' }, attempts: 1, ms: 2, rows: 0 })

it('entries are read as they were appended, those of earlier journals first', () => {
  const folder = scratch()
  const second = new Journal(folder, 'b')
  const first = new Journal(folder, 'a')
  second.append([entry('2'), entry('3')])
  first.append([entry('1')])
  second.append([entry('4')])
  first.close()
  second.close()
  expect(readJournals(folder)).toEqual(['1', '2', '3', '4'].map(entry))
})

it('wherever the last line is torn, the lines before are read, and no other', () => {
  const folder = scratch()
  const journal = new Journal(folder, 'a')
  journal.append([entry('1'), entry('2')])
  journal.close()
  const whole = readFileSync(journal.path)
  const first = whole.indexOf('\n') + 1
  for (let length = first; length < whole.length - 1; length++) {
    writeFileSync(journal.path, whole.subarray(0, length))
    expect(readJournals(folder)).toEqual([entry('1')])
  }
})

it('a folder that is not there has no entries, and other files are left alone', () => {
  const folder = scratch()
  appendFileSync(join(folder, 'notes.txt'), 'mine')
  expect(readJournals(folder)).toEqual([])
  expect(readJournals(join(folder, 'nothing'))).toEqual([])
})

it('a journal that is there is never written over', () => {
  const folder = scratch()
  new Journal(folder, 'a').close()
  expect(() => new Journal(folder, 'a')).toThrow(expect.objectContaining({ code: 'CANNOT_WRITE' }))
})
