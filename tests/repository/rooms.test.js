// Shows that bindings/, assembly/ and the packages have the rooms that are listed here, that imports run from higher rooms to lower
// ones, that no files need each other in a circle, and what each package may import of the core and of other packages.

import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The rooms of the core from the lowest to the highest, then the files that stand on all of them. */
const CORE = {
  bindings: [
    'memory',
    'components',
    'cursors',
    'state',
    'values',
    'texts',
    'queryPlan',
    'iteration',
    'changes',
    'objects',
    'resources',
    'events',
    'kernels',
    'queries',
    'relations',
    'snapshots',
    'saves',
    'world',
    'history',
    'schedule',
    'slim.ts',
    'embedded.ts',
    'index.ts',
    'checked.ts',
  ],
  assembly: [
    'memory',
    'components',
    'tables',
    'archetypes',
    'pools',
    'queries',
    'rows',
    'order',
    'world.ts',
    'kernel',
    'decoder.ts',
    'small.ts',
    'memoryLayout.ts',
    'version.ts',
    'core.ts',
  ],
}

/** The rooms of the packages' sources; a package without rooms is a folder of files. */
const PACKAGES = {
  'packages/arrow/src': undefined,
  'packages/compile/src': ['functions', 'loopCompiler', 'compile', 'ahead'],
  'packages/ensemble/src': undefined,
  'packages/inspector/src': ['inspect', 'element'],
  'packages/kernels/src': undefined,
  'packages/react/src': undefined,
  'packages/three/src': undefined,
  'packages/workers/src': undefined,
}

/** What packages import of each other. */
const STANDS_ON = {
  arrow: [],
  compile: [],
  ensemble: [],
  inspector: [],
  kernels: ['compile'],
  react: [],
  three: [],
  workers: [],
}

/** A function that takes a world, or hands it to a listener, names the type of it: that of the public face. */
const isFaceType = ({ target, typesAlone }) => typesAlone && target === 'bindings/world/world.ts'

const filesOf = (house) =>
  readdirSync(`${root}/${house}`, { recursive: true })
    .map((file) => `${house}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts'))

/** What a file imports of its own house: the file, and whether types alone. */
function importsOf(file, house, known) {
  const source = ts.createSourceFile(file, readFileSync(`${root}/${file}`, 'utf8'), ts.ScriptTarget.ES2022)
  return source.statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
    const from = isImport ? statement.moduleSpecifier : undefined
    if (!from?.text.startsWith('.')) return []
    // Where Node runs the sources' twins, the names of the imports are theirs.
    const path = posix.join(posix.dirname(file), from.text.replace(/\.js$/, ''))
    if (!path.startsWith(`${house}/`)) return []
    const target = [`${path}.ts`, `${path}/index.ts`].find((one) => known.has(one))
    if (target === undefined) throw new Error(`${file} imports ${from.text}, which is not there.`)
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : statement.exportClause
    const names = (ts.isImportDeclaration(statement) ? clause?.namedBindings : clause)?.elements ?? []
    const typesAlone =
      clause?.isTypeOnly === true ||
      statement.isTypeOnly === true ||
      (names.length > 0 && names.every(({ isTypeOnly }) => isTypeOnly))
    return [{ target, typesAlone }]
  })
}

/** The files of a house, and its imports as `{ file, target, typesAlone }`. */
function readHouse(house) {
  const files = filesOf(house)
  const known = new Set(files)
  const imports = files.flatMap((file) => importsOf(file, house, known).map((one) => ({ file, ...one })))
  return { files, imports }
}

/** Files that need each other, directly or through others; each group sorted. */
function circlesOf(imports) {
  const targets = Map.groupBy
    ? Map.groupBy(imports, ({ file }) => file)
    : imports.reduce((map, one) => map.set(one.file, [...(map.get(one.file) ?? []), one]), new Map())
  const reached = (from) => {
    const seen = new Set()
    const open = [from]
    while (open.length > 0)
      for (const { target } of targets.get(open.pop()) ?? [])
        if (!seen.has(target)) {
          seen.add(target)
          open.push(target)
        }
    return seen
  }
  const all = new Map([...targets.keys()].map((file) => [file, reached(file)]))
  const circles = [...all]
    .filter(([file, seen]) => seen.has(file))
    .map(([file, seen]) => [...seen].filter((other) => all.get(other)?.has(file)).sort())
  return [...new Set(circles.map((circle) => circle.join(' ')))].map((circle) => circle.split(' '))
}

/** The folders in the first drawing of a page: two boxes, first bindings/, then assembly/. */
function drawnRooms(page, house) {
  const [, drawing] = /^```text\n([\s\S]*?)^```$/m.exec(page)
  const box = drawing.split('┌')[house === 'bindings' ? 1 : 2]
  return [...box.matchAll(/^│ (\w+)\/ /gm)].map((match) => match[1])
}

describe.each(Object.keys(CORE))('%s/', (house) => {
  it('is drawn on the architecture page, from the highest room to the lowest', () => {
    const folders = CORE[house].filter((room) => !room.endsWith('.ts')).reverse()
    const page = readFileSync(`${root}/docs/internals/architecture.md`, 'utf8')
    expect(drawnRooms(page, house)).toEqual(folders)
  })

  it('imports no package', () => {
    const outward = filesOf(house).flatMap((file) =>
      [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/from '([^']*packages\/[^']*)'/g)].map(
        ([, path]) => `${file} > ${path}`,
      ),
    )
    expect(outward).toEqual([])
  })
})

const HOUSES = { ...CORE, ...PACKAGES }

describe.each(Object.keys(HOUSES))('%s/', (house) => {
  const { files, imports } = readHouse(house)
  const rooms = HOUSES[house] ?? []
  const roomOf = (file) => (rooms.length === 0 ? '' : file.slice(house.length + 1).split('/')[0])

  it('has these rooms and no other, and no file beside them except the named ones', () => {
    if (rooms.length === 0) expect(files.length).toBeGreaterThan(0)
    else expect([...new Set(files.map(roomOf))].sort()).toEqual([...rooms].sort())
  })

  it('imports from lower rooms and from its own, never from a higher one', () => {
    const upward = imports
      .filter(({ file, target }) => rooms.indexOf(roomOf(target)) > rooms.indexOf(roomOf(file)))
      .filter((one) => !isFaceType(one))
      .map(({ file, target, typesAlone }) => `${file} > ${target}${typesAlone ? '' : ' (at run time)'}`)
    expect(upward).toEqual([])
  })

  it('has no circle at run time', () => {
    expect(circlesOf(imports.filter(({ typesAlone }) => !typesAlone))).toEqual([])
  })

  it('has no circle of types larger than a room, except for the public face', () => {
    const inside = imports.filter((one) => !isFaceType(one))
    const wide = circlesOf(inside).filter((circle) => new Set(circle.map(roomOf)).size > 1)
    expect(wide).toEqual([])
  })
})

describe.each(Object.keys(STANDS_ON))('packages/%s/', (name) => {
  const imported = filesOf(`packages/${name}/src`).flatMap((file) =>
    [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/from '(\.[^']*)'/g)].map(([, path]) =>
      posix.join(posix.dirname(file), path),
    ),
  )

  it('imports the core, the packages that are listed for it, and nothing else of the repository', () => {
    const outside = imported.filter((path) => !path.startsWith(`packages/${name}/`))
    const of = outside.map((path) => (path.startsWith('packages/') ? path.split('/')[1] : path.split('/')[0]))
    const allowed = ['bindings', 'build', ...STANDS_ON[name]]
    expect([...new Set(of)].filter((one) => !allowed.includes(one))).toEqual([])
    expect(STANDS_ON[name].filter((one) => !of.includes(one))).toEqual([])
  })
})

describe('packages/inspector/src/element/', () => {
  it('uses only the public names and the inspection', () => {
    const folder = 'packages/inspector/src/element'
    const above = filesOf(folder)
      .flatMap((file) =>
        [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/from '(\.[^']*)'/g)].map(([, path]) =>
          posix.join(posix.dirname(file), path),
        ),
      )
      .filter((path) => !path.startsWith(`${folder}/`))
    expect([...new Set(above)].sort()).toEqual(['bindings/index', 'packages/inspector/src/inspect/inspect'])
  })
})

describe('the test of the rooms', () => {
  it('finds circles, through other files too', () => {
    const arrows = (...pairs) => pairs.map(([file, target]) => ({ file, target }))
    expect(circlesOf(arrows(['a', 'b'], ['b', 'c']))).toEqual([])
    expect(circlesOf(arrows(['a', 'b'], ['b', 'c'], ['c', 'a'], ['c', 'd']))).toEqual([['a', 'b', 'c']])
    expect(circlesOf(arrows(['a', 'a']))).toEqual([['a']])
  })
})
