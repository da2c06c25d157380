// Owns the proof that no file of the repository holds the marks of a merge that was not finished.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Not ours, or made from what is. */
const PASSED_OVER = new Set(['node_modules', '.git', 'build', 'dist', 'coverage', 'out', 'results'])
const TEXT = /(?:\.(?:[cm]?[jt]s|tsx|json|md|html|css|svg|ya?ml|wat)|(?:^|\/)(?:[^./]+|\.[^/.]+))$/

function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (PASSED_OVER.has(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return entry.isFile() && TEXT.test(path) ? [path] : []
  })
}

/** The lines on which a side begins or ends, also as prettier writes the last one in Markdown: as a quotation. */
function marksIn(text) {
  const lines = text.split('\n')
  return lines.flatMap((line, i) => (/^(?:<{7}|>{7}|(?:> ){6}>)(?: |$)/.test(line) ? [i + 1] : []))
}

describe('the marks of a conflict', () => {
  it('are in no file of the repository', () => {
    const files = filesIn('.')
    expect(files).toContain('README.md')
    expect(files).toContain(join('examples', 'swarm', 'README.md'))
    expect(files.length).toBeGreaterThan(300)
    const found = files.flatMap((file) =>
      marksIn(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
    )
    expect(found).toEqual([])
  })

  it('are found on both sides, and where prettier has made a quotation of one', () => {
    const [ours, theirs] = ['<', '>'].map((mark) => mark.repeat(7))
    expect(marksIn(`a\n${ours} HEAD\nb\n=======\nc\n${theirs} 1234567\n`)).toEqual([2, 6])
    expect(marksIn(`${ours}\n${[...theirs].join(' ')} 1234567\n`)).toEqual([1, 2])
  })

  it('are not seen in comparisons, arrows and quotations of fewer levels', () => {
    expect(marksIn('a <<<<<<< b\n> > quoted\n>>> x\n=======\n')).toEqual([])
  })
})
