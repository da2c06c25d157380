// Shows that no file of the repository holds the marks of an unfinished merge.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** Folders that hold what was installed, built or written by programs. */
const MADE = new Set(['.git', 'node_modules', 'build', 'dist', 'coverage', 'out', 'results'])

/** All files of the repository: those that git knows, or, where a tarball was unpacked, those that nothing has made. */
function repositoryFiles() {
  if (!existsSync(join(ROOT, '.git'))) return filesBelow('')
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  // One that was deleted and not yet committed is still listed.
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)))
}

function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    return MADE.has(entry.name) ? [] : filesBelow(path)
  })
}

/** Each mark is seven of one character; a formatter of Markdown takes the last one for quotes and spaces them out. */
const MARK = /^(?:> )*(?:<{7}|\|{7}|>{7}|(?:> ){6}>)(?: .*)?$|^(?:> )*={7}$/

/** The lines, counted from 1, that a merge left in a text. */
function marksIn(text) {
  return text.split(/\r?\n/).flatMap((line, i) => (MARK.test(line) ? [i + 1] : []))
}

it('no file of the repository contains the marks of an unfinished merge', () => {
  const files = repositoryFiles()
  expect(files.length).toBeGreaterThan(100)
  const marked = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return text.includes('\0') ? [] : marksIn(text).map((line) => `${file}:${line}`)
  })
  expect(marked).toEqual([])
})

it('marks of a merge are found on their own, quoted and spaced out by a formatter', () => {
  const [ours, base, theirs, between] = ['<', '|', '>', '='].map((character) => character.repeat(7))
  for (const mark of [`${ours} HEAD`, `${base} 545d116`, between, `${theirs} topic`, theirs]) {
    expect(marksIn(`one\n${mark}\nthree`)).toEqual([2])
    expect(marksIn(`one\r\n> ${mark}\r\nthree`)).toEqual([2])
  }
  expect(marksIn('text\n\n> > > > > > > 545d116\n')).toEqual([3])
})

it('a line that only resembles a mark of a merge is not one', () => {
  const harmless = [
    'a table',
    '| --- | --- |',
    '> a quote',
    '> > of a quote',
    `a ${'='.repeat(7)} b`,
    '='.repeat(8),
  ]
  expect(marksIn([...harmless, 'x >>>= 7', '<<<<<<<<', '  return a >>>>>>> b'].join('\n'))).toEqual([])
})
