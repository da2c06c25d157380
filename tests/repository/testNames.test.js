// Shows that each test file has the needs in its name that its imports, and those of its helpers, give it: vitest.config.js goes by
// names alone.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { FOLDERS, NEEDS, folderNeedsOf, needsOf, stemOf, wordsOf } from '../../scripts/test-names.js'
import { LONGEST } from '../../scripts/test-order.js'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (file) => readFileSync(`${ROOT}/${file}`, 'utf8')
const isFile = (file) => /\.[jt]s$/.test(file) && existsSync(`${ROOT}/${file}`)

/** All test files but those of tests/loading, which have a command and a configuration of their own. */
const FILES = ['tests', ...readdirSync(`${ROOT}/packages`).map((name) => `packages/${name}/tests`)]
  .filter((folder) => existsSync(`${ROOT}/${folder}`))
  .flatMap((folder) =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  )
  .filter((file) => /\.test\.[jt]s$/.test(file) && !file.startsWith('tests/loading/'))

const known = new Map()
/** Whether a statement brings in more than types. */
const isForRun = ({ importClause }) => {
  if (importClause?.isTypeOnly) return false
  const names = importClause?.name ? undefined : importClause?.namedBindings?.elements
  return !names?.length || names.some(({ isTypeOnly }) => !isTypeOnly)
}

/** What a file imports when it runs: a package as it is called, a file of the repository by its path. */
function importsOf(file) {
  if (!known.has(file)) {
    const { statements } = ts.createSourceFile(file, read(file), ts.ScriptTarget.ES2022)
    const names = statements
      .filter((statement) => statement.moduleSpecifier && isForRun(statement))
      .map(({ moduleSpecifier: { text } }) => {
        if (!text.startsWith('.')) return text
        const path = posix.join(posix.dirname(file), text)
        return [path, `${path}.ts`, `${path}.js`, `${path}/index.ts`].find(isFile) ?? path
      })
    known.set(file, names)
  }
  return known.get(file)
}

/** The file and all helpers of tests that it imports, by others too. */
function withHelpers(file, found = new Set()) {
  if (found.has(file)) return found
  found.add(file)
  for (const name of importsOf(file)) if (/^(?:packages\/\w+\/)?tests\//.test(name)) withHelpers(name, found)
  return found
}
const anyImports = (file, is) => [...withHelpers(file)].some((one) => importsOf(one).some(is))

const needsNode = (file) =>
  anyImports(file, (name) => name.startsWith('node:') || name.startsWith('scripts/'))
const startsBrowser = (file) =>
  anyImports(file, (name) => name === 'scripts/browser.js') &&
  [...withHelpers(file)].some((one) => /\blaunchBrowser\(/.test(read(one))) &&
  !/skipIf\(withoutBrowser\)/.test(read(file))
const LENGTHS = ['tests/support/proofs.ts', 'tests/support/rowCounts.ts']
const asksForLength = (file) => importsOf(file).some((one) => LENGTHS.includes(one))

/** Whether a file runs in Node alone. */
const runsInNode = (file) =>
  needsOf(file).some((need) => ['browser', 'measured', 'node', 'once'].includes(need))

describe('the name of a test file', () => {
  it('has known words, in alphabetical order', () => {
    expect(FILES.length).toBeGreaterThan(250)
    const words = Object.keys(NEEDS)
    const wrong = FILES.filter((file) => {
      const needs = wordsOf(file)
      return needs.some((need) => !words.includes(need)) || needs.join() !== needs.toSorted().join()
    })
    expect(wrong).toEqual([])
    expect(words.filter((need) => !FILES.some((file) => needsOf(file).includes(need)))).toEqual([])
  })

  it('or its folder says that it needs Node if it or a helper imports a module of Node or a script', () => {
    const needing = FILES.filter(needsNode)
    expect(needing.length).toBeGreaterThan(100)
    expect(needing.filter((file) => !runsInNode(file))).toEqual([])
  })

  it('has "browser" in it exactly where a browser is started and not every test that needs it is skipped without one', () => {
    const starting = FILES.filter(startsBrowser)
    expect(starting.length).toBeGreaterThan(10)
    expect(FILES.filter((file) => wordsOf(file).includes('browser'))).toEqual(starting)
  })

  it('has "proof" in it exactly if support/proofs or support/rowCounts is asked for a length', () => {
    const asking = FILES.filter(asksForLength)
    expect(asking.length).toBeGreaterThan(50)
    expect(FILES.filter((file) => wordsOf(file).includes('proof'))).toEqual(asking)
  })

  it('has "alone" or "measured" in it if a module is exchanged or the whole process is weighed', () => {
    const needing = FILES.filter((file) => /\bvi\.mock\(|\bmemoryUsage\.rss\(/.test(read(file)))
    expect(needing.length).toBeGreaterThan(1)
    expect(
      needing.filter((file) => !needsOf(file).some((need) => ['alone', 'measured'].includes(need))),
    ).toEqual([])
  })

  it('does not repeat what its folder says', () => {
    const repeating = FILES.filter((file) => {
      const [words, said] = [wordsOf(file), folderNeedsOf(file)]
      if (said.includes('once') && words.some((need) => ['measured', 'node'].includes(need))) return true
      return words.some((need) => said.includes(need))
    })
    expect(repeating).toEqual([])
  })

  it('is unique across needs: a file is found by what comes before them', () => {
    const stems = FILES.map(stemOf)
    expect(stems.filter((stem, i) => stems.indexOf(stem) !== i)).toEqual([])
  })

  it('is in each folder that has needs', () => {
    const empty = Object.keys(FOLDERS).filter(
      (folder) => !FILES.some((file) => file.startsWith(`${folder}/`)),
    )
    expect(empty).toEqual([])
  })
})

it('Tests of steady memory run over the checked core, and not only over the stress core', () => {
  const asking = FILES.filter((file) => /\bisSteady\b[^;]*?support\/world'/.test(read(file)))
  expect(asking.length).toBeGreaterThan(3)
  expect(asking.filter((file) => !needsOf(file).includes('checked'))).toEqual([])
})

it('The files that start first exist', () => {
  expect(LONGEST.filter(([file]) => !FILES.includes(file))).toEqual([])
})

it('vitest.config.js reads no file, and neither do its imports for names', () => {
  for (const file of [
    'vitest.config.js',
    'scripts/browser-tests.js',
    'scripts/test-names.js',
    'scripts/test-order.js',
  ])
    expect(read(file)).not.toMatch(/\bread(?:File|dir)/)
})
