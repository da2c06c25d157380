// Shows what an editor shows of values and columns, records without names of their own, and that docs/typescript.md explains what
// TypeScript says of the first mistakes of those who port a program.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const FILE = join(ROOT, 'tests/types/program.ts')
const HEAD = `
import { bool, component, createAccessor, createWorld, entity, f32, object, omit, onSet, relation, resource, text, u8, vec } from '../../bindings/index'
const Position = component('Position', { x: f32, y: f32 })
const Unit = component('Unit', { level: u8, awake: bool, leader: entity, name: text, path: vec(f32, 3) })
const Time = resource('Time', { dt: f32 })
const Likes = relation('Likes', { weight: u8 })
const In = relation('In', { slot: u8 }, { exclusive: true })
const Sprite = object<{ name: string }>('Sprite')
const world = createWorld()
const ship = world.spawn(Position)
`

/** A service over one program, as an editor has it. */
function serviceFor(program) {
  const { config } = ts.readConfigFile(join(ROOT, 'tests/tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(ROOT, 'tests'))
  const snapshotOf = (name) => (name === FILE ? program : ts.sys.readFile(name))
  return ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    fileExists: (name) => name === FILE || ts.sys.fileExists(name),
    readFile: snapshotOf,
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const source = snapshotOf(name)
      return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source)
    },
    getCurrentDirectory: () => ROOT,
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUncheckedIndexedAccess: true }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  })
}

const HOVERS = [
  ['world.get(ship, Position)', 'Readonly<{ x: number; y: number; }> | undefined'],
  [
    'world.get(ship, Unit)',
    'Readonly<{ level: number; awake: boolean; leader: Entity; name: string; path: Float32Array<ArrayBufferLike>; }> | undefined',
  ],
  ['world.get(ship, Likes(ship))', 'Readonly<{ weight: number; }> | undefined'],
  ['world.get(ship, In)', 'Readonly<{ slot: number; }> | undefined'],
  ['world.get(ship, Sprite)', '{ name: string; } | undefined'],
  ['world.getResource(Time)', 'Readonly<{ dt: number; }> | undefined'],
  ['world.resource(Time)', '{ dt: number; }'],
  ['createAccessor(world, Position).of(ship)', '{ x: number; y: number; }'],
  [
    'chunk.write(Position)',
    '{ readonly x: Float32Array<ArrayBufferLike>; readonly y: Float32Array<ArrayBufferLike>; }',
  ],
  [
    'chunk.read(Position)',
    '{ readonly x: ReadonlyArrayOf<Float32Array<ArrayBufferLike>>; readonly y: ReadonlyArrayOf<Float32Array<ArrayBufferLike>>; }',
  ],
]

/** A mistake, what TypeScript says of it, and what docs/typescript.md has of that. */
const MISTAKES = [
  ['world.onAdd(Position, () => {})', "Type 'never' has no call signatures"],
  ['world.get(ship, Position)!.x = 5', "Cannot assign to 'x' because it is a read-only property"],
  [
    'world.query(Position, omit(Unit))',
    "Argument of type 'Omitted' is not assignable to parameter of type 'Term'",
  ],
  ['world.add(ship, Position, { x: 5 })', 'No overload matches this call'],
  ["component('P', { x: 0 })", "Type 'number' is not assignable to type 'Field<unknown, unknown, unknown>'"],
  ["component('P', { at: { x: f32 } })", "'x' does not exist in type 'Field<unknown, unknown, unknown>'"],
  [
    'for (const one of world.query(Position)) world.destroy(one)',
    "is not assignable to parameter of type 'number | Entity'",
  ],
  [
    "world.query(Position, Likes('*'))",
    "Argument of type 'string' is not assignable to parameter of type 'ComponentLike'",
  ],
  ['world.remove(ship, Position({ x: 1 }))', "is missing the following properties from type 'Pair<"],
  ['createWorld(Time)', "has no properties in common with type 'WorldOptions'"],
  ['world.get(Time)', 'Expected 2 arguments, but got 1'],
  ['world.set(ship, Position, (before) => ({ x: before.x + 1 }))', 'Did you mean to call it?'],
  [
    'world.query(Position).entities().map((one) => `e${one}`)',
    "Type 'string' is not assignable to type 'number'",
  ],
  ['world.spawn(Sprite)', "is not assignable to parameter of type 'CompleteIngredient'"],
]

const service = serviceFor(
  `${HEAD}
for (const chunk of world.query(Position, Unit)) {
${HOVERS.map(([call], i) => `const value${i} = ${call}`).join('\n')}
}
onSet(world, Position, (_, before) => before, { before: true })
${MISTAKES.map(([call], i) => `/* mistake${i} */ ${call}`).join('\n')}
`,
)
const source = service.getProgram().getSourceFile(FILE)
const errors = service
  .getSemanticDiagnostics(FILE)
  .map(({ messageText, start }) => [
    ts.flattenDiagnosticMessageText(messageText, ' '),
    source.getLineAndCharacterOfPosition(start).line,
  ])

/** What an editor shows at a place, in one line. */
const shownAt = (place) =>
  ts.displayPartsToString(service.getQuickInfoAtPosition(FILE, place)?.displayParts).replace(/\s+/g, ' ')

describe('An editor shows', () => {
  it.each(HOVERS)('%s as a record', (call, shown) => {
    const i = HOVERS.findIndex(([one]) => one === call)
    expect(shownAt(source.text.indexOf(`value${i} =`))).toBe(`const value${i}: ${shown}`)
  })

  it('the values before as well', () => {
    expect(shownAt(source.text.indexOf('before,'))).toBe(
      '(parameter) before: { x: number; y: number; } | undefined',
    )
  })
})

describe('What TypeScript reports is explained in docs/typescript.md', () => {
  const page = readFileSync(join(ROOT, 'docs/typescript.md'), 'utf8').replaceAll('\\|', '|')
  it.each(MISTAKES)('of %s', (call, message) => {
    const { line } = source.getLineAndCharacterOfPosition(source.text.indexOf(`*/ ${call}`))
    const said = errors.filter(([, at]) => at === line).map(([text]) => text)
    expect(said.join()).toContain(message)
    expect(page).toContain(message)
  })

  it('and nothing else is wrong with the program', () => {
    const first = source.getLineAndCharacterOfPosition(source.text.indexOf('/* mistake0')).line
    expect(errors.filter(([, line]) => line < first)).toEqual([])
  })
})
