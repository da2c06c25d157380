// Owns the proof that docs/files.md says of every source file what the file says of itself, under the room that it is in.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { groupByRoom, ownedBy, withFiles } from '../../scripts/architecture-files.js'

const page = readFileSync(new URL('../../docs/files.md', import.meta.url), 'utf8')

describe('the list of source files in docs/files.md', () => {
  it('is what npm run docs:files writes', () => {
    // Not toBe: the difference of two long pages would hide the sentence that says what to do.
    expect(page === withFiles(page) ? 'up to date' : 'out of date: run npm run docs:files').toBe('up to date')
  })

  it('is made anew when a sentence was changed by hand, and nothing around it is touched', () => {
    const line = /^- `bindings\/memory\/heap\.ts`: .*$/m
    const changed = page.replace(line, '- `bindings/memory/heap.ts`: something else')
    expect(changed).not.toBe(page)
    expect(withFiles(changed)).toBe(page)
    const around = (text) => text.replace(/(<!-- files:start -->)[\s\S]*(<!-- files:end -->)/, '$1$2')
    expect(around(withFiles(page))).toBe(around(page))
  })

  it('is refused on a page without the marks', () => {
    expect(() => withFiles('# Files\n')).toThrow('<!-- files:start -->')
  })
})

describe('the files of a house', () => {
  const rooms = { '': 'The entry.', high: 'High.', low: 'Low.' }

  it('are listed under their rooms, in the order of the rooms', () => {
    const files = ['house/index.ts', 'house/low/a.ts', 'house/high/b.ts', 'house/low/c.ts']
    expect(groupByRoom(files, rooms, 'house')).toEqual([
      ['', ['house/index.ts']],
      ['high', ['house/high/b.ts']],
      ['low', ['house/low/a.ts', 'house/low/c.ts']],
    ])
  })

  it('must each be in a room that is described, and no room may be empty', () => {
    const files = ['house/index.ts', 'house/high/b.ts', 'house/low/a.ts']
    expect(() => groupByRoom([...files, 'house/attic/d.ts'], rooms, 'house')).toThrow('house/attic/d.ts')
    expect(() => groupByRoom(files.slice(0, 2), rooms, 'house')).toThrow('house/low has no files')
  })
})

describe('what a source file owns', () => {
  it('is the first sentence of its opening comment, over several lines', () => {
    const source =
      '// Owns the heap: blocks of 1 KiB,\n// 2 KiB and so on. It must never trap.\n\nexport {}\n'
    expect(ownedBy(source, 'heap.ts')).toBe('the heap: blocks of 1 KiB, 2 KiB and so on')
  })

  it('is found behind the line that starts a command', () => {
    expect(ownedBy('#!/usr/bin/env node\n// Owns the start.\n', 'command.ts')).toBe('the start')
  })

  it('does not include the drawing below it', () => {
    expect(ownedBy('// Owns handles\n//\n//  ┌─┐\n', 'handles.ts')).toBe('handles')
  })

  it('keeps the point in a name', () => {
    expect(ownedBy('// Owns memory.grow and rows.ts. No more.\n', 'a.ts')).toBe('memory.grow and rows.ts')
  })

  it('must be said: a file that opens without it is named', () => {
    for (const source of [
      'export {}\n',
      '// Holds the heap.\n',
      '/* Owns the heap. */\n',
      'x()\n// Owns it.\n',
    ]) {
      expect(() => ownedBy(source, 'bindings/memory/heap.ts')).toThrow(
        'bindings/memory/heap.ts must open with a comment',
      )
    }
  })
})
