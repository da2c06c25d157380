// Shows that each test file has the needs in its name that its imports, and those of its helpers, give it: vitest.config.js goes by
// names alone.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { NEEDS, ROOMS_ALONE, ROOMS_IN_NODE, ROOMS_ONCE, needsOf, stemOf } from '../../scripts/test-names.js'
import { LONGEST } from '../../scripts/test-order.js'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (file) => readFileSync(`${ROOT}/${file}`, 'utf8')
const isFile = (file) => /\.[jt]s$/.test(file) && existsSync(`${ROOT}/${file}`)

/** All test files but those of tests/loading, which have a command and a configuration of their own. */
const FILES = readdirSync(`${ROOT}/tests`, { recursive: true })
  .map((path) => `tests/${path.replaceAll('\\', '/')}`)
  .filter((file) => /\.test\.[jt]s$/.test(file) && !file.startsWith('tests/loading/'))
const roomOf = (file) => file.split('/')[1]

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

/** The file and all helpers in tests/ that it imports, by others too. */
function withHelpers(file, found = new Set()) {
  if (found.has(file)) return found
  found.add(file)
  for (const name of importsOf(file)) if (name.startsWith('tests/')) withHelpers(name, found)
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

/** Whether a file runs in Node alone, for its room or for another need. */
const runsInNode = (file) =>
  [...ROOMS_ONCE, ...ROOMS_IN_NODE].includes(roomOf(file)) ||
  needsOf(file).some((need) => ['browser', 'measured', 'node', 'once'].includes(need))

describe('the name of a test file', () => {
  it('has needs that are known, in the order of the alphabet', () => {
    expect(FILES.length).toBeGreaterThan(250)
    const words = Object.keys(NEEDS)
    const wrong = FILES.filter((file) => {
      const needs = needsOf(file)
      return needs.some((need) => !words.includes(need)) || needs.join() !== needs.toSorted().join()
    })
    expect(wrong).toEqual([])
    expect(words.filter((need) => !FILES.some((file) => needsOf(file).includes(need)))).toEqual([])
  })

  it('says, or its room does, that it needs Node, where it or a helper imports a module of Node or a script', () => {
    const needing = FILES.filter(needsNode)
    expect(needing.length).toBeGreaterThan(100)
    expect(needing.filter((file) => !runsInNode(file))).toEqual([])
  })

  it('has "browser" in it exactly where a browser is started and not every test that needs it is skipped without one', () => {
    const starting = FILES.filter(startsBrowser)
    expect(starting.length).toBeGreaterThan(10)
    expect(FILES.filter((file) => needsOf(file).includes('browser'))).toEqual(starting)
  })

  it('has "proof" in it exactly where support/proofs or support/rowCounts is asked for a length', () => {
    const asking = FILES.filter(asksForLength)
    expect(asking.length).toBeGreaterThan(50)
    expect(FILES.filter((file) => needsOf(file).includes('proof'))).toEqual(asking)
  })

  it('has "alone" or "measured" in it where a module is exchanged or the whole process is weighed', () => {
    const needing = FILES.filter((file) => /\bvi\.mock\(|\bmemoryUsage\.rss\(/.test(read(file)))
    expect(needing.length).toBeGreaterThan(1)
    expect(
      needing.filter((file) => !needsOf(file).some((need) => ['alone', 'measured'].includes(need))),
    ).toEqual([])
  })

  it('does not repeat what its room says', () => {
    const repeating = FILES.filter((file) => {
      const [room, needs] = [roomOf(file), needsOf(file)]
      if (ROOMS_ONCE.includes(room)) return needs.some((need) => ['measured', 'node', 'once'].includes(need))
      return (
        (ROOMS_IN_NODE.includes(room) && needs.includes('node')) ||
        (ROOMS_ALONE.includes(room) && needs.includes('alone'))
      )
    })
    expect(repeating).toEqual([])
  })

  it('is no other with other needs: a file is found by what stands before them', () => {
    const stems = FILES.map(stemOf)
    expect(stems.filter((stem, i) => stems.indexOf(stem) !== i)).toEqual([])
  })

  it('is of a room that is there, where the room has a need', () => {
    const rooms = new Set(FILES.map(roomOf))
    expect([...ROOMS_ONCE, ...ROOMS_IN_NODE, ...ROOMS_ALONE].filter((room) => !rooms.has(room))).toEqual([])
  })
})

it('What asks whether memory is steady runs over the checked core, not over the restless one alone', () => {
  const [, listed] = /const STEADY = \[(.*?)\]/s.exec(read('vitest.config.js'))
  const patterns = [...listed.matchAll(/'(.*?)'/g)].map(
    ([, glob]) =>
      new RegExp(
        `^${glob
          .replaceAll('.', '\\.')
          .replaceAll('*', '[^/]*')
          .replace(/\{(.*?)\}/g, (_, names) => `(${names.replaceAll(',', '|')})`)}$`,
      ),
  )
  const asking = FILES.filter((file) => /\bisSteady\b[^;]*?support\/world'/.test(read(file)))
  expect(asking.length).toBeGreaterThan(3)
  expect(asking.filter((file) => !patterns.some((pattern) => pattern.test(file)))).toEqual([])
})

it('What begins first is there', () => {
  expect(LONGEST.filter(([file]) => !FILES.includes(`tests/${file}`))).toEqual([])
})

it('vitest.config.js and what it imports for names reads no file', () => {
  for (const file of [
    'vitest.config.js',
    'scripts/browser-tests.js',
    'scripts/test-names.js',
    'scripts/test-order.js',
  ])
    expect(read(file)).not.toMatch(/\bread(?:File|dir)/)
})
