// Owns the proof that the architecture page says of every source file what the file says of itself.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ownedBy, withFiles } from '../../scripts/architecture-files.js'

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')

describe('the list of source files on the architecture page', () => {
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
    expect(() => withFiles('# Architecture\n')).toThrow('<!-- files:start -->')
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
