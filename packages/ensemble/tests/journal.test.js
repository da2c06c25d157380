// Shows that a journal is read as it was appended, and that damage costs the damaged lines alone.

import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Journal, readJournals, readLine } from '../src/journal.ts'
import { cases, generator } from './support/attacks.js'
import { partsIn, scratch } from './support/ensemble.js'

const entry = (index, parameters = { a: 'x\ny' }) => ({
  key: '',
  index,
  seed: 1,
  parameters,
  attempts: 1,
  ms: 2,
  rows: 0,
  at: 0,
})
const failing = (index, log = '', message = 'no') => ({
  ...entry(index),
  failed: { message, stack: 'at', log },
})
const open = (folder, name, mostBytes) => new Journal(folder, name, 'abc', mostBytes)

/** The indices of the runs of each line, and how many lines were damaged. */
function read(folder) {
  const lines = []
  const damaged = readJournals(folder, ({ runs, index }) => lines.push(runs?.map(([of]) => of) ?? index))
  return { lines, damaged }
}

describe('a journal', () => {
  it('is read as it was appended, journals with earlier names first', () => {
    const folder = scratch()
    const second = open(folder, 'b')
    const first = open(folder, 'a')
    second.append([entry(2), entry(3)])
    first.append([entry(1)])
    second.append([failing(4)])
    first.close()
    second.close()
    expect(read(folder)).toEqual({ lines: [[1], [2, 3], 4], damaged: 0 })
  })

  it('has a line for runs with the same parameters whose rows are in the same batch, with their text', () => {
    const folder = scratch()
    const journal = open(folder, 'a')
    const place = { part: 'p.arrow', from: 8, bytes: 16, sha: '0'.repeat(32), rows: 1 }
    journal.append([
      { ...entry(0), ...place, at: 0 },
      { ...entry(1, { a: 'z' }), ...place, at: 1 },
      { ...entry(2), ...place, at: 2, attempts: 3, ms: 1.23456 },
    ])
    journal.close()
    const lines = []
    readJournals(folder, (line) => lines.push(line))
    const { rows: _, ...where } = place
    expect(lines).toEqual([
      {
        source: 'abc',
        parameters: { a: 'x\ny' },
        ...where,
        runs: [
          [0, 1, 0, 2, 1],
          [2, 1, 2, 1.235, 3],
        ],
      },
      { source: 'abc', parameters: { a: 'z' }, ...where, runs: [[1, 1, 1, 2, 1]] },
    ])
  })

  it('that is torn anywhere is read up to there, and not further', () => {
    const folder = scratch()
    const journal = open(folder, 'a')
    journal.append([entry(1)])
    journal.append([entry(2)])
    journal.close()
    const whole = readFileSync(journal.path)
    const first = whole.indexOf('\n') + 1
    for (let length = first; length < whole.length - 1; length++) {
      writeFileSync(journal.path, whole.subarray(0, length))
      expect(read(folder)).toEqual({ lines: [[1]], damaged: length === first ? 0 : 1 })
    }
  })

  it('loses only the line that is damaged, however it was damaged', () => {
    const folder = scratch()
    const journal = open(folder, 'a')
    journal.append([entry(1), entry(2)])
    journal.append([failing(3, 'log')])
    journal.append([entry(4)])
    journal.close()
    const whole = readFileSync(journal.path)
    const starts = [0, whole.indexOf('\n') + 1, whole.lastIndexOf('\n', whole.length - 2) + 1]
    const lines = [[1, 2], 3, [4]]
    const { below } = generator(43)
    let count = 0
    for (; count < cases(2000); count++) {
      const bytes = Buffer.from(whole)
      const at = below(bytes.length)
      bytes[at] ^= 1 << below(8)
      writeFileSync(journal.path, bytes)
      const found = read(folder)
      // A bit more may join two lines, or split one.
      expect(found.damaged).toBeGreaterThan(0)
      const hit = starts.findLastIndex((start) => start <= at)
      const isEnd = whole[at] === 10
      const left = lines.filter((_, line) => line !== hit && !(isEnd && line === hit + 1))
      expect(found.lines).toEqual(left)
    }
    console.log(`${count} bits of a journal flipped`)
  })

  it.each(['null', '{}', '[]', '5', '{"runs":[[1,0,0,1,1]]}', '\u0000'.repeat(512), '{"digest":"x"}'])(
    'ignores the line %j',
    (line) => {
      const folder = scratch()
      writeFileSync(join(folder, 'a.jsonl'), `${line}\n`)
      expect(read(folder)).toEqual({ lines: [], damaged: 1 })
    },
  )

  it('is still read after its line endings were changed, and with empty lines', () => {
    const folder = scratch()
    const journal = open(folder, 'a')
    journal.append([entry(1)])
    journal.append([entry(2)])
    journal.close()
    writeFileSync(journal.path, readFileSync(journal.path, 'utf8').replaceAll('\n', '\r\n\r\n'))
    expect(read(folder)).toEqual({ lines: [[1], [2]], damaged: 0 })
  })

  it('that exists is never overwritten', () => {
    const folder = scratch()
    open(folder, 'a').close()
    expect(() => open(folder, 'a')).toThrow(expect.objectContaining({ code: 'CANNOT_WRITE' }))
  })

  it('continues in a new file when it gets large, so that lines are found in all of them', () => {
    const folder = scratch()
    const journal = open(folder, 'a', 4096)
    for (let index = 0; index < 200; index++) journal.append([entry(index)])
    journal.close()
    expect(partsIn(folder).length).toBeGreaterThan(5)
    expect(partsIn(folder).every((name) => statSync(join(folder, name)).size <= 4096)).toBe(true)
    expect(read(folder).lines.flat()).toEqual(Array.from({ length: 200 }, (_, index) => index))
  })

  it('may have lines that are longer than one read', () => {
    const folder = scratch()
    const journal = open(folder, 'a')
    const long = 'é'.repeat(800_000)
    for (let index = 0; index < 4; index++) journal.append([entry(index, { a: long })])
    journal.close()
    expect(read(folder)).toEqual({ lines: [[0], [1], [2], [3]], damaged: 0 })
  })

  it('keeps some KB of the log and the error of a failed run', () => {
    const folder = scratch()
    const journal = open(folder, 'a')
    const log = '\x1b[31mstep\x1b[0m'.repeat(4000)
    journal.append([failing(1, log, 'm'.repeat(1e6))])
    journal.close()
    expect(statSync(journal.path).size).toBeLessThan(40_000)
    let found
    readJournals(folder, (_, where) => (found = readLine(where)))
    expect(found.failed.log).toBe(`…${log.slice(-4096)}`)
    expect(found.failed.message).toHaveLength(2049)
  })
})

it('a missing folder has no journals, and other files are not touched', () => {
  const folder = scratch()
  appendFileSync(join(folder, 'notes.txt'), 'mine')
  expect(read(folder).lines).toEqual([])
  expect(read(join(folder, 'nothing')).lines).toEqual([])
})
