// Shows which loops the plugin compiles ahead, what it says of the others, and that places stay right.

import { writeFileSync } from 'node:fs'
import { TraceMap, originalPositionFor } from '@jridgewell/trace-mapping'
import { type Plugin, type RollupCache, type RollupLog, type SourceMap, rollup } from 'rollup'
import { build } from 'vite'
import { describe, it } from 'vitest'
import kernels, { type KernelsOptions } from '../../../kernels/src/rollup'
import { expect } from '../../../../tests/support/expect'
import { kernelFolder } from '../../../../tests/support/kernelFiles'

const PARTS = `import { component, f32 } from 'strata-ecs'
export const Position = component('Position', { x: f32, y: f32 })
export const Velocity = component('Velocity', { x: f32, y: f32 })
export default component('Mass', { value: f32 })
export const GRAVITY = -9.81
export const SETTINGS = { gravity: 9.81, Position }
export const FIXED = Object.freeze({ gravity: 9.81, Position })
export function clamp(x) { return x < 0 ? 0 : x }
export const twice = (x) => x * 2
export let speed = 2
export function faster() { speed = 3 }
export class Thing {}
`
const HEAD = `import { NULL_ENTITY, component, createWorld, entity, f32, f64, optional, resource, vec } from 'strata-ecs'
import { compile, read } from 'strata-ecs/compile'
import { sin } from 'strata-ecs/kernel'
import Mass, { Position, Velocity, GRAVITY, SETTINGS, FIXED, clamp, twice, speed, Thing } from './parts.js'
import * as parts from './parts.js'
import * as strata from 'strata-ecs'
import * as loops from 'strata-ecs/compile'
`

/** Names of the package, which no test here runs. */
const outside: Plugin = {
  name: 'outside',
  resolveId: (id) => (/^strata-ecs|^elsewhere$/.test(id) ? { id, external: true } : null),
}

interface Bundled {
  readonly folder: string
  readonly code: string
  readonly map: SourceMap
  readonly notes: readonly RollupLog[]
  readonly cache: RollupCache | undefined
}

async function bundled(
  folder: string,
  options?: KernelsOptions,
  { cache, plugins = [] }: { cache?: RollupCache | undefined; plugins?: Plugin[] } = {},
): Promise<Bundled> {
  const notes: RollupLog[] = []
  const bundle = await rollup({
    input: `${folder}/main.js`,
    plugins: [outside, kernels(options), ...plugins],
    ...(cache && { cache }),
    onLog: (_, log) => void (log.plugin === 'strata-kernels' && notes.push(log)),
  })
  const { output } = await bundle.generate({ format: 'es', sourcemap: true })
  return { folder, code: output[0].code, map: output[0].map as SourceMap, notes, cache: bundle.cache }
}

/** A program in a folder of its own. */
const programOf = (main: string, others: Record<string, string> = {}): string =>
  kernelFolder({ 'main.js': main, 'parts.js': PARTS, ...others })

/** What becomes of a program, whose modules are the parts and these. */
const built = (main: string, options?: KernelsOptions, others?: Record<string, string>): Promise<Bundled> =>
  bundled(programOf(HEAD + main, others), options)

/** The tables in a bundle. */
function tablesIn(code: string): { for: string[]; variants: unknown[] }[] {
  const [, ...calls] = code.split(/compiled(?:Variants)?Ahead\((?=\{)/)
  return calls.map((rest) => {
    // The table is the first of the arguments.
    for (let end = rest.indexOf('}, '); end >= 0; end = rest.indexOf('}, ', end + 1)) {
      try {
        return JSON.parse(rest.slice(0, end + 1))
      } catch {
        // A brace inside of it.
      }
    }
    throw new Error(`no table: ${rest}`)
  })
}

const ONE = 'Position { x: f32, y: f32 }'

describe('A loop is compiled ahead', () => {
  it.each<[string, string, string[]]>([
    ['over components of another module', 'compile([Position], (p) => { p.x += 1 })', [ONE]],
    [
      'over components of its own module',
      "const Own = component('Own', { a: f64 }, { storage: sparse })\ncompile([Own], (o) => { o.a += 1 })",
      ['Own { a: f64 }'],
    ],
    [
      'over fields that are lists, with defaults',
      "const Own = component('Own', { v: vec(f32, 3).default([1, 2, 3]), one: vec(f32, 1), s: f32.default(1) })\ncompile([Own], (o) => { o.v[1] += o.s + o.one[0] })",
      ['Own { v: vec(f32, 3), one: vec(f32, 1), s: f32 }'],
    ],
    [
      'over a schema with a name and one that spreads another',
      "const schema = { x: f32 }\nconst A = component(`A`, schema)\nconst B = component('B', { ...schema, y: f32 })\ncompile([A, B], (a, b) => { a.x += b.y })",
      ['A { x: f32 }', 'B { x: f32, y: f32 }'],
    ],
    ['over a default export', 'compile([Mass], (m) => { m.value += 1 })', ['Mass { value: f32 }']],
    ['over members of a module', 'compile([parts.Position], (p) => { p.x += 1 })', [ONE]],
    ['over members of a frozen object', 'compile([FIXED.Position], (p) => { p.x += 1 })', [ONE]],
    [
      'over what is read, optional, and the handle',
      'compile([entity, read(Velocity), optional(Position)], (self, v, p) => { if (p) p.x += v.x + self })',
      ['entity', 'read(Velocity { x: f32, y: f32 })', `optional(${ONE})`],
    ],
    [
      'with fields for what comes with each run',
      'compile([Position], { dt: f32, who: entity, on: strata.bool }, (p, { dt, on }) => { if (on) p.x += dt })',
      [ONE, 'dt: f32', 'who: entity', 'on: bool'],
    ],
    [
      'with numbers and booleans',
      'const N = -3, FLAG = true, ALIAS = N\ncompile([Position], { N, FLAG, ALIAS, GRAVITY, NULL_ENTITY, zero: -0, not: !FLAG, half: 1 / 2 }, (p, { N }) => { p.x += N })',
      [ONE, 'N: -3', 'FLAG: true', 'ALIAS: -3', 'GRAVITY: -9.81', 'NULL_ENTITY: 4294967295'].concat([
        'zero: -0',
        'not: false',
        'half: 0.5',
      ]),
    ],
    [
      'with constants of the language',
      'compile([Position], { tau: 2 * Math.PI, far: Infinity, least: Number.EPSILON, root: Math.sqrt(4), f: Math.fround(0.5) }, (p, { tau }) => { p.x += tau })',
      [ONE, 'tau: 6.283185307179586', 'far: Infinity', 'least: 2.220446049250313e-16', 'root: 2', 'f: 0.5'],
    ],
    [
      'with numbers of an object that cannot change',
      'compile([Position], { g: FIXED.gravity }, (p, { g }) => { p.x += g })',
      [ONE, 'g: 9.81'],
    ],
    [
      'with resources',
      "const Time = resource('Time', { dt: f32, wind: vec(f32, 3) })\ncompile([Position], { time: Time }, (p, { time }) => { p.x += time.dt * time.wind[1] })",
      [ONE, 'time: Time { dt: f32, wind: vec(f32, 3) }'],
    ],
    [
      'with functions of its own, of other modules and of the kernel library',
      'function own(x) { return x + 1 }\ncompile([Position], { own, clamp, twice, sin, half: (x) => x / 2, third(x) { return x / 3 } }, (p, { own, clamp, twice, sin, half, third }) => { p.x = own(clamp(twice(sin(half(third(p.x)))))) })',
      [ONE, ...['own', 'clamp', 'twice', 'sin', 'half', 'third'].map((name) => `${name}: a function`)],
    ],
    [
      'with values that have a name',
      'const values = { dt: f32 }\ncompile([Position], values, (p, { dt }) => { p.x += dt })',
      [ONE, 'dt: f32'],
    ],
    [
      'with a function of the module, written below',
      'compile([Position], step)\nfunction step(p) { p.x += 1 }',
      [ONE],
    ],
    ['with a function expression', 'compile([Position], function (p) { p.x += 1 })', [ONE]],
    ['with one of another module', 'compile([Mass], parts.heavier)', ['Mass { value: f32 }']],
    ['through the namespace of the entry', 'loops.compile([Position], (p) => { p.x += 1 })', [ONE]],
    [
      'inside of a function, with what is declared outside',
      'export function make(n) { if (n) { const p = 1; return compile([Position], { clamp }, (p, { clamp }) => { p.x = clamp(p.x) }) } }',
      [ONE, 'clamp: a function'],
    ],
    [
      'whose form is chosen when the program runs',
      "compile([Position], (p) => { p.x += 1 }, { mode: globalThis.debug ? 'javascript' : undefined })",
      [ONE],
    ],
  ])('%s', async (_, main, words) => {
    const others = { 'parts.js': `${PARTS}export const heavier = (m) => { m.value *= 2 }\n` }
    const { code, notes } = await built(main, undefined, others)
    expect(notes).toEqual([])
    expect(tablesIn(code).map((table) => table.for)).toEqual([[...words, 'result: none']])
    expect(code).not.toMatch(/[^.\w]compile\(/)
  })

  it('with a result', async () => {
    const { code, notes } = await built(
      "compile([Position], (p) => p.x, { result: 'sum' })\ncompile([Position], (p) => p.x > 0, { mode: 'compiled', result: 'count' })",
    )
    expect(notes).toEqual([])
    expect(tablesIn(code).map((table) => table.for.at(-1))).toEqual(['result: sum', 'result: count'])
  })

  it('where declarations are re-exported by other modules', async () => {
    const others = {
      'all.js':
        "export * from './more.js'\nexport { default as Mass, Position as Place } from './parts.js'\nexport * as parts from './parts.js'\nexport * from 'strata-ecs'\n",
      'more.js':
        "import { Velocity } from './parts.js'\nexport { Velocity as Speed }\nexport * from './all.js'\n",
    }
    const main = `import { compile } from 'strata-ecs/compile'
import { Mass, Place, Speed, f64, parts } from './all.js'
compile([Mass, Place, Speed], { dt: f64, G: parts.GRAVITY }, (m, p, s, { dt, G }) => { p.x += s.x * dt * G * m.value })
`
    const { code, notes } = await bundled(programOf(main, others))
    expect(notes).toEqual([])
    expect(tablesIn(code)[0]?.for).toEqual([
      'Mass { value: f32 }',
      ONE,
      'Velocity { x: f32, y: f32 }',
      'dt: f64',
      'G: -9.81',
      'result: none',
    ])
  })

  it('with a variant for each set of optional components', async () => {
    const { code } = await built(
      'compile([Position, optional(Velocity, )], (p, v) => { p.x += v ? v.x : 1 })',
    )
    expect(tablesIn(code)[0]?.variants).toHaveLength(2)
    expect(code).toContain('compiledVariantsAhead(')
  })

  it('in modules that import each other', async () => {
    const main = `import { compile } from 'strata-ecs/compile'
import { component, f32 } from 'strata-ecs'
import { twice } from './other.js'
export const A = component('A', { x: f32 })
compile([A], { twice }, (a, { twice }) => { a.x = twice(a.x) })
`
    const other = `import { compile } from 'strata-ecs/compile'
import { A } from './main.js'
export function twice(x) { return x * 2 }
compile([A], (a) => { a.x += 1 })
`
    const { code, notes } = await bundled(programOf(main, { 'other.js': other }))
    expect(notes).toEqual([])
    expect(tablesIn(code)).toHaveLength(2)
  })

  it('again when a declaration has changed in another module, though its own text has not', async () => {
    const folder = programOf(`${HEAD}compile([Position], (p) => { p.x += 1 })`)
    const before = await bundled(folder)
    writeFileSync(`${folder}/parts.js`, PARTS.replace('x: f32, y: f32', 'x: f32, z: f32'))
    const after = await bundled(folder, undefined, { cache: before.cache })
    expect(tablesIn(after.code)[0]?.for).toEqual(['Position { x: f32, z: f32 }', 'result: none'])
  })

  it('next to names that the module has already', async () => {
    const { code } = await built(
      'const compiledAhead = 1\nconsole.log(compiledAhead, compile([Position], (p) => { p.x += 1 }))',
    )
    expect(tablesIn(code.replace('compiledAhead$1(', 'compiledAhead('))).toHaveLength(1)
    expect(code).toContain('const compiledAhead = 1')
  })
})

describe('A loop is not compiled ahead, and a note says why,', () => {
  it.each<[string, string, string, string]>([
    [
      'for a local variable',
      'export const f = (n) => compile([Position], { n }, step)\nfunction step() {}',
      "'n' is declared inside of a function or block",
      'n }',
    ],
    [
      'for a variable',
      'compile([Position], { speed }, (p) => { p.x += 1 })',
      "'speed' can change: declare it with const",
      'speed }',
    ],
    [
      'for a number in an object',
      'compile([Position], { g: SETTINGS.gravity }, (p) => { p.x += 1 })',
      "what is in 'SETTINGS' can change: write it in place, or freeze it where it is declared, Object.freeze(…)",
      'SETTINGS.gravity',
    ],
    [
      'for what a call returns',
      'compile([Position], { r: Math.random() }, (p) => { p.x += 1 })',
      "'Math' is declared in no module, and found when the program runs",
      'Math.random',
    ],
    [
      'for a global',
      'compile([Position], { r: globalThis.r }, (p) => { p.x += 1 })',
      "'globalThis' is declared in no module",
      'globalThis',
    ],
    [
      'for a list of a name',
      'const list = [Position, ...[Velocity]]\ncompile(list, (p) => { p.x += 1 })',
      'how long this list is, is found when the program runs',
      '...[Velocity]',
    ],
    [
      'for arguments that are spread',
      'compile(...[[Position], (p) => { p.x += 1 }])',
      'what is spread here is found when the program runs',
      '...[[',
    ],
    ['for a class', 'compile([Position], { Thing }, (p) => { p.x += 1 })', "'Thing' is a class", 'Thing }'],
    [
      'for a result that is chosen',
      'compile([Position], (p) => p.x, { result: globalThis.r })',
      "'globalThis' is declared in no module",
      'globalThis',
    ],
    [
      'for a name that leads to itself',
      'const a = b, b = a\ncompile([Position], { a }, (p) => { p.x += 1 })',
      'is declared by itself',
      'a\n',
    ],
    [
      'for code that is instrumented',
      'compile([Position], (p) => { cov_1x().s[0]++; p.x += 1 })',
      'a tool has instrumented its code, for coverage or against endless loops',
      'compile([Position]',
    ],
    [
      'for a module outside of the bundle',
      "import { far } from 'elsewhere'\ncompile([Position], { far }, (p) => { p.x += 1 })",
      "'elsewhere' is not part of the bundle",
      'far }',
    ],
    [
      'for a body that a call makes',
      'compile([Position], ((x) => x)((p) => { p.x += 1 }))',
      'is found when the program runs',
      '((x) => x)',
    ],
    [
      'where the function itself goes elsewhere',
      'globalThis.make = compile',
      'compile itself goes elsewhere here',
      'compile\n',
    ],
    [
      'for options that a debugger may want, where the body cannot be compiled',
      'compile([Position], (p) => { console.log(p.x) }, { mode: globalThis.as })',
      "'console'",
      'console.log',
    ],
  ])('%s', async (_, main, sentence, at) => {
    const { code, notes, folder } = await built(`${main}\n`)
    expect(tablesIn(code)).toEqual([])
    expect(notes.map(({ message }) => message)).toEqual([expect.stringContaining(sentence)])
    expect(notes[0]?.message).toContain('This loop is compiled when the program runs, and not ahead: ')
    const { file, line, column } = notes[0]?.loc as { file: string; line: number; column: number }
    const text = file === `${folder}/main.js` ? HEAD + `${main}\n` : PARTS
    expect(
      text
        .split('\n')
        .slice(line - 1)
        .join('\n')
        .slice(column),
    ).toMatch(new RegExp(`^${at.replace(/[^\w\s]/g, '\\$&')}`))
  })

  it('once for each call, next to others that are compiled', async () => {
    const { code, notes } = await built(
      'compile([Position], (p) => { p.x += 1 })\nfor (const n of [1, 2]) compile([Position], { n }, (p, { n }) => { p.x += n })',
    )
    expect([tablesIn(code).length, notes.length]).toEqual([1, 1])
  })

  it('where a plugin has left another language', async () => {
    const typed: Plugin = {
      name: 'typed',
      renderChunk: (code) => code,
      load: (id) =>
        id.endsWith('main.js') ? "import { compile } from 'strata-ecs/compile'\nlet a = <b>c" : null,
      transform: { order: 'post', handler: () => ({ code: '1' }) },
    }
    const { notes } = await bundled(programOf(''), undefined, { plugins: [typed] })
    expect(notes[0]?.message).toContain('this module is not JavaScript at this point')
  })

  it('or an error, where all are to be compiled ahead', async () => {
    await expect(
      built('compile([Position], { speed }, (p) => { p.x += 1 })', { ahead: 'all' }),
    ).rejects.toMatchObject({
      plugin: 'strata-kernels',
      message: expect.stringContaining("'speed' can change"),
    })
  })
})

describe('A loop is not touched', () => {
  it('if it is to run as JavaScript', async () => {
    const { code, notes } = await built(
      "compile([Position], (p) => { console.log(p) }, { mode: 'javascript' })",
      { ahead: 'all' },
    )
    expect([tablesIn(code), notes]).toEqual([[], []])
  })

  it('if the option says so', async () => {
    const { code, notes } = await built('compile([Position], (p) => { p.x += 1 })', { ahead: false })
    expect([tablesIn(code), notes]).toEqual([[], []])
  })

  it('if it is passed to another function of this name', async () => {
    const { code, notes } = await built(
      'export function f(compile) { return compile([Position], (p) => { p.x += 1 }) }',
    )
    expect([tablesIn(code), notes]).toEqual([[], []])
  })
})

describe('What cannot be compiled is an error of the build', () => {
  it('with its place', async () => {
    const failing = built('const WALL = 1\ncompile([Position], (p) => {\n  p.x = WALL\n})')
    await expect(failing).rejects.toMatchObject({
      plugin: 'strata-kernels',
      message: expect.stringMatching(/compile: 'WALL' is not known/),
      loc: { file: expect.stringMatching(/main\.js$/), line: 10, column: 8 },
      frame: expect.stringContaining('> 10 |   p.x = WALL'),
    })
  })

  it('with the place in a function of another module', async () => {
    const others = { 'parts.js': PARTS.replace('return x < 0', 'return wrong < 0') }
    await expect(
      built('compile([Position], { clamp }, (p, { clamp }) => { p.x = clamp(p.x) })', undefined, others),
    ).rejects.toMatchObject({ loc: { file: expect.stringMatching(/parts\.js$/), line: 8, column: 34 } })
  })

  it.each([
    ['compile([Position, Position], (p) => { p.x += 1 })', 'was given Position twice'],
    ['compile([strata.vec], (p) => { p.x += 1 })', 'takes components with fields'],
    ["compile([Position], (p) => p.x, { result: 'total' })", "result is 'sum', 'min', 'max' or 'count'"],
    ['compile([Position], (p) => p.x, { other: 1 })', "there is no option 'other'"],
  ])('for what compile would refuse: %s', async (main, sentence) => {
    await expect(built(main)).rejects.toMatchObject({
      message: expect.stringContaining(sentence),
      loc: { line: 8, column: 0 },
    })
  })

  it('with the place in a source with types', async () => {
    const main = `import { component, f32, type World } from 'strata-ecs'
import { compile } from 'strata-ecs/compile'
interface Unused {
  readonly a: World
}
const Position = component('Position', { x: f32 })
export const move = compile([Position], (p) => {
  const half = (p.x as number)! / 2
  p.x = half + unknown
})
`
    const folder = kernelFolder({ 'main.ts': main })
    const failing = build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [kernels()],
      build: { write: false, lib: { entry: 'main.ts', formats: ['es'] } },
    })
    await expect(failing).rejects.toMatchObject({
      message: expect.stringMatching(/compile: 'unknown' is not known[^]*> +9 \|   p\.x = half \+ unknown/),
    })
  })
})

describe('The source map', () => {
  it('leads from every word to its place', async () => {
    const main = `${HEAD}export const a = compile([Position], (first) => { first.x += 1 }), after = 1
export const b = [compile([Position], { GRAVITY }, (second) => { second.x += 1 }), compile([Velocity], (third) => { third.x += 1 })]
export const end = 'last'
`
    const { code, map } = await bundled(programOf(main))
    const trace = new TraceMap(map as never)
    const placeIn = (text: string, word: string, nth = 0): { line: number; column: number } => {
      let at = -1
      for (let k = 0; k <= nth; k++) at = text.indexOf(word, at + 1)
      const before = text.slice(0, at).split('\n')
      return { line: before.length, column: before.at(-1)!.length }
    }
    for (const word of ['first', 'second', 'third', 'after', 'GRAVITY }', "'last'", 'end'])
      expect(originalPositionFor(trace, placeIn(code, word)), word).toMatchObject(
        placeIn(main, word, word === 'GRAVITY }' ? 0 : 0),
      )
  })
})
