// Shows that a field type, a family of them, a storage or an option that is entered in its table and nowhere else does not compile,
// and that the errors lie in the files that docs/internals/changing.md lists; and that pages and ensembles know every field type.

import { readFileSync, readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file) => readFileSync(`${root}/${file}`, 'utf8')

/** The library, the compiler of kernels, the inspector. */
const PROJECTS = ['tsconfig.json', 'packages/kernels/tsconfig.json', 'packages/inspector/tsconfig.json']
const TABLE = 'bindings/components/fieldKinds.ts'
const KINDS = [...read(TABLE).matchAll(/^ {2}(\w+): \{\s+shift/gm)].map(([, name]) => name)

/** The files with errors when these texts stand in place of others in a file of the library. */
function filesRefusing(file, ...changes) {
  const projects = PROJECTS.map((project) =>
    ts.getParsedCommandLineOfConfigFile(`${root}/${project}`, {}, ts.sys),
  )
  const options = { ...projects[0].options, types: ['node'] }
  const rootNames = projects.flatMap(({ fileNames }) => fileNames)
  const host = ts.createCompilerHost(options)
  const getSourceFile = host.getSourceFile.bind(host)
  host.getSourceFile = (name, options, ...rest) => {
    if (relative(root, name) !== file) return getSourceFile(name, options, ...rest)
    let text = read(file)
    for (const [old, changed] of changes) {
      expect(text).toContain(old)
      text = text.replace(old, changed)
    }
    return ts.createSourceFile(name, text, options)
  }
  const program = ts.createProgram({ rootNames, options, host })
  const files = ts.getPreEmitDiagnostics(program).map(({ file }) => relative(root, file?.fileName ?? ''))
  return [...new Set(files)].sort()
}

const SECTION = /^## Adding a field type, an option, a storage\n([\s\S]*?)(?=^## )/m.exec(
  read('docs/internals/changing.md'),
)[1]
/** The files that an entry of the list on the page names. */
const listed = (entry) =>
  [...new RegExp(`^- \\*\\*${entry}\\*\\*:(.*(?:\\n {2}.*)*)`, 'm').exec(SECTION)[1].matchAll(/`([\w/.]+)`/g)]
    .map(([, file]) => file)
    .sort()

describe('A field type that is only in the table', () => {
  it('is refused by every place that handles its family kind by kind', () => {
    const found = filesRefusing(
      TABLE,
      ['  text: { value: string', '  f16: { value: number; column: Float32Array }\n  text: { value: string'],
      ['  text: { shift', '  f16: { shift: 1, Column: Float32Array, usual: 0 },\n  text: { shift'],
      ["  text: 'text',", "  f16: 'float',\n  text: 'text',"],
    )
    expect(found).toEqual(listed('Known by kind'))
  }, 120_000)

  it('of a family of its own is refused by every place that handles families as well', () => {
    const found = filesRefusing(
      TABLE,
      [
        '  text: { value: string',
        '  u64: { value: bigint; column: BigUint64Array }\n  text: { value: string',
      ],
      ['  text: { shift', '  u64: { shift: 3, Column: BigUint64Array, usual: 0n },\n  text: { shift'],
      ["  text: 'text',", "  u64: 'bigint',\n  text: 'text',"],
    )
    expect(found.filter((file) => !listed('Known by kind').includes(file))).toEqual(listed('Known by family'))
  }, 120_000)
})

describe('A storage or an option that is only in its type', () => {
  it('is refused where all are listed', () => {
    expect(filesRefusing('bindings/components/schema.ts', ["= 'table' |", "= 'table' | 'paged' |"])).toEqual([
      'bindings/components/storages.ts',
    ])
    const option = ['  readonly toggle?:', '  readonly pinned?: boolean\n  readonly toggle?:']
    expect(filesRefusing('bindings/components/component.ts', option)).toEqual([
      'bindings/components/component.ts',
    ])
  }, 120_000)
})

describe.each(KINDS)('The field type %s', (kind) => {
  it.each(['docs/cheat-sheet.md', 'docs/internals/save-format.md', 'docs/arrow.md'])(
    'is named in %s',
    (page) => {
      expect(read(page)).toMatch(new RegExp(`\`${kind}\``))
    },
  )

  it('is a column of ensembles, unless it is a handle, which means nothing outside its world', () => {
    expect(new RegExp(`^ {2}'${kind}',$`, 'm').test(read('packages/ensemble/src/define.ts'))).toBe(
      kind !== 'entity',
    )
  })
})

describe('The options of declarations', () => {
  const pages = readdirSync(`${root}/docs`).filter((name) => name.endsWith('.md'))
  const text = pages.map((page) => read(`docs/${page}`)).join('\n')
  const lists = [
    'bindings/components/component.ts',
    'bindings/objects/object.ts',
    'bindings/relations/relation.ts',
  ]
  const options = lists.flatMap((file) =>
    [...read(file).matchAll(/^const \w*(?:OPTIONS|FUNCTIONS) = \[(.*)\] as const$/gm)].flatMap(([, list]) =>
      [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name),
    ),
  )

  it.each([...new Set(options)])('are used in a guide: %s', (option) => {
    expect(text).toMatch(new RegExp(`[{,\`] *${option}\\b`))
  })
})
