// Shows that files reach the disk whole or not at all, and what a digest covers.

import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { digestOf, settle, settleSoon, writeAll, writeFirst, writeWhole } from '../src/disk.ts'
import { partsIn, scratch } from './support/ensemble.js'

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

it('if two write the same file first, the first one wins', () => {
  const path = join(scratch(), 'a')
  expect([writeFirst(path, 'one'), writeFirst(path, 'two')]).toEqual([true, false])
  expect(readFileSync(path, 'utf8')).toBe('one')
  expect(partsIn(join(path, '..'))).toEqual(['a'])
})

it('all bytes are written', () => {
  const path = join(scratch(), 'a')
  const bytes = new Uint8Array(3_000_000).map((_, i) => i % 251)
  const file = openSync(path, 'w')
  writeAll(file, bytes)
  closeSync(file)
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

it('a digest covers all pieces together, 32 hexadecimal digits', () => {
  expect(digestOf('ab', Buffer.from('c'))).toBe(digestOf('abc'))
  expect(digestOf('abc')).toMatch(/^[0-9a-f]{32}$/)
  expect(digestOf('abd')).not.toBe(digestOf('abc'))
})

it('a missing file needs no time to settle', async () => {
  const path = join(scratch(), 'nothing')
  settle(path)
  await settleSoon(path)
  expect(partsIn(join(path, '..'))).toEqual([])
})
