// Shows that every source file is as short as CONTRIBUTING.md promises, and opens with what it owns, or a test with what it shows.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The folders with sources. A test file is as long as the list of its cases. */
const HOUSES = [
  'assembly',
  'bench',
  'bindings',
  'examples',
  ...readdirSync(`${root}/packages`).map((name) =>
    existsSync(`${root}/packages/${name}/src`) ? `packages/${name}/src` : `packages/${name}`,
  ),
  'scripts',
]
const SOURCE = /\.(?:[cm]?[jt]s|tsx|css|vue)$/
/** What is installed or made. It is not walked: a package that is linked there leads back to this repository. */
const NO_SOURCES = ['node_modules', 'dist', 'build', 'cache', 'out', 'tests']

const sourcesOf = (folder) =>
  readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return NO_SOURCES.includes(entry.name) ? [] : sourcesOf(path)
    return SOURCE.test(entry.name) ? [path] : []
  })

/** The folders of what is shipped or builds it: what one may expect of a file there, and what not, it says itself. */
const LIBRARY = HOUSES.filter((folder) => !['bench', 'examples', 'packages/mutants'].includes(folder))

const linesOf = (file) => readFileSync(`${root}/${file}`, 'utf8').trimEnd().split('\n').length

const [, promise] = /stays under (\d+) lines/.exec(readFileSync(`${root}/CONTRIBUTING.md`, 'utf8')) ?? []
const MOST_LINES = Number(promise)

/** The one file that may be longer: declarations and documentation of all calls of a world, which one class must have. */
const FACE = 'bindings/world/world.ts'

describe.each(HOUSES)('%s/', (house) => {
  it('has no source file that is longer than CONTRIBUTING.md allows', () => {
    const files = sourcesOf(house)
    expect(files.length).toBeGreaterThan(0)
    expect(MOST_LINES).toBe(450)
    const long = files.filter((file) => file !== FACE && linesOf(file) >= MOST_LINES)
    expect(long.map((file) => `${file}: ${linesOf(file)} lines`)).toEqual([])
  })
})

describe(FACE, () => {
  /** The methods of World whose bodies are written out, because every frame makes the calls by the thousand. */
  const WRITTEN_OUT = ['spawn', 'add', 'remove', 'get', 'set']
  /** A check or two, and a call. */
  const MOST_STATEMENTS = 3

  const source = ts.createSourceFile(FACE, readFileSync(`${root}/${FACE}`, 'utf8'), ts.ScriptTarget.ES2022)
  const methods = source.statements
    .filter((statement) => ts.isClassDeclaration(statement))
    .flatMap(({ members }) => members.filter(({ body, name }) => body !== undefined && name !== undefined))
    .map(({ name, body }) => ({ name: name.getText(source), statements: body.statements.length }))

  it('is longer than other files, as an exception must be', () => {
    expect(linesOf(FACE)).toBeGreaterThan(MOST_LINES)
  })

  it('forwards every call, except for the listed ones', () => {
    expect(methods.length).toBeGreaterThan(30)
    const long = methods.filter(({ statements }) => statements > MOST_STATEMENTS)
    expect(long.map(({ name }) => name).sort()).toEqual([...WRITTEN_OUT].sort())
  })
})

const openingOf = (file) => readFileSync(`${root}/${file}`, 'utf8').split('\n', 3).join('\n')

it.each(LIBRARY)('%s/ has no source file that does not open with what it owns', (folder) => {
  const files = sourcesOf(folder)
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => !/\bOwns\b/.test(openingOf(file)))).toEqual([])
})

it('tests/ has no test file that does not open with what it shows', () => {
  const files = sourcesOf('tests').filter((file) => /\.test\.[jt]s$/.test(file))
  expect(files.length).toBeGreaterThan(250)
  expect(files.filter((file) => !/^\/\/ Shows\b/m.test(openingOf(file)))).toEqual([])
})
