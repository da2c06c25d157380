// Shows that a program computes the same whether the plugin compiles its loops or the program does, whatever becomes of the names,
// objects and lists that they are given.

import { syncBuiltinESMExports } from 'node:module'
import vm from 'node:vm'
import { type Plugin, rollup } from 'rollup'
import { describe, it, onTestFinished, vi } from 'vitest'
import * as compiling from '../../src/compile/compile'
import * as library from '../../../../bindings/index'
import kernels from '../../../kernels/src/rollup'
import { expect } from '../../../../tests/support/expect'

const HEAD = `import { component, createWorld, f32, f64, getColumn, NULL_ENTITY, optional } from 'strata-ecs'
import { compile, read } from 'strata-ecs/compile'
const P = component('P', { x: f64 })
const Q = component('Q', { x: f64 })
const world = createWorld()
world.spawn(P({ x: 3 }), Q({ x: 70 }))
const run = (loop, given) => {
  const query = world.query(P, Q)
  query.run(loop, given)
  return getColumn(query, P, 'x')[0]
}
`
/** A loop that calls `h`, which the program gives it. */
const CALLS = '(p, { h }) => { p.x = h(p.x) }'
const ADDS = '(p, { K }) => { p.x += K }'

/** What the modules of a program export as their default, and whether a loop was compiled ahead. */
async function answerOf(
  modules: Readonly<Record<string, string>>,
  ahead: boolean,
): Promise<{ answer: unknown; isAhead: boolean; notes: string[] }> {
  const notes: string[] = []
  const files: Plugin = {
    name: 'files',
    resolveId: (id) => (id.startsWith('strata-ecs') ? { id, external: true } : id.replace(/^\.\//, '')),
    load: (id) => modules[id] ?? null,
  }
  const bundle = await rollup({
    input: 'main',
    plugins: [files, kernels({ ahead })],
    onLog: (_, { message, plugin }) => void (plugin === 'strata-kernels' && notes.push(message)),
  })
  const { code } = (await bundle.generate({ format: 'cjs' })).output[0]
  const module: { exports: unknown } = { exports: undefined }
  new Function('module', 'exports', 'require', code)(module, {}, (id: string) =>
    id === 'strata-ecs' ? library : compiling,
  )
  return { answer: module.exports, isAhead: /compiled(?:Variants)?Ahead\(/.test(code), notes }
}

const programOf = (main: string): Record<string, string> => ({ main: HEAD + main })

async function expectSame(
  modules: Readonly<Record<string, string>>,
  right: unknown,
  isAhead: boolean,
): Promise<string[]> {
  expect(await answerOf(modules, false)).toMatchObject({ answer: right })
  const built = await answerOf(modules, true)
  expect(built).toMatchObject({ answer: right, isAhead })
  return built.notes
}

describe('A loop is not compiled ahead, and has the right result, if it is given', () => {
  it.each<[string, string, unknown]>([
    [
      'a function of an object that is replaced',
      `const rules = { h: (x) => x + 1 }; rules.h = (x) => x + 100; export default run(compile([P], { h: rules.h }, ${CALLS}))`,
      103,
    ],
    [
      'one of a table that a function fills',
      `const table = { h: (x) => x }; const install = (name, f) => { table[name] = f }; install('h', (x) => x * 50); export default run(compile([P], { h: table.h }, ${CALLS}))`,
      150,
    ],
    [
      'values that Object.assign changes',
      `const rules = { h: (x) => x + 1 }; Object.assign(rules, { h: (x) => x + 10 }); export default run(compile([P], rules, ${CALLS}))`,
      13,
    ],
    [
      'values that an object is spread into',
      `const lib = { h(x) { return x + 1 } }; lib.h = (x) => x * 14; export default run(compile([P], { ...lib }, ${CALLS}))`,
      42,
    ],
    [
      'values from which one is deleted',
      `const values = { h: (x) => x + 1, K: f64 }; delete values.K; export default run(compile([P], values, ${CALLS}))`,
      4,
    ],
    [
      'values to which one is added',
      `const values = {}; values.K = 7; export default run(compile([P], values, ${ADDS}))`,
      10,
    ],
    [
      'a function of an object in a frozen one',
      `const lib = Object.freeze({ a: { h: (x) => x + 1 } }); lib.a.h = (x) => x + 23; export default run(compile([P], { h: lib.a.h }, ${CALLS}))`,
      26,
    ],
    [
      'an object that another name leads to',
      `const lib = { h: (x) => x + 1 }; const other = lib; other.h = (x) => x + 24; export default run(compile([P], { h: lib.h }, ${CALLS}))`,
      27,
    ],
    [
      'an object that one of its methods changes',
      `const lib = { h: (x) => x + 1, change() { this.h = (x) => x + 5 } }; lib.change(); export default run(compile([P], { h: lib.h }, ${CALLS}))`,
      8,
    ],
    [
      'an object that a pattern assigns to',
      `const lib = { h: (x) => x + 1 }; [lib.h] = [(x) => x + 6]; export default run(compile([P], { h: lib.h }, ${CALLS}))`,
      9,
    ],
    [
      'a function that a getter returns',
      `const lib = { get h() { return (x) => x + 8 } }; export default run(compile([P], { h: lib.h }, ${CALLS}))`,
      11,
    ],
    [
      'an object that one of its setters changes',
      `const lib = { h: (x) => x + 1, set to(h) { this.h = h } }; lib.to = (x) => x + 9; export default run(compile([P], { h: lib.h }, ${CALLS}))`,
      12,
    ],
    [
      'an object in another one, which a pattern gives a name',
      `const lib = { a: { h: (x) => x + 1 } }; const { a } = lib; a.h = (x) => x + 31; export default run(compile([P], { h: lib.a.h }, ${CALLS}))`,
      34,
    ],
    [
      'an object in another one, which has a name of its own',
      `const lib = { a: { h: (x) => x + 1 } }; const inner = lib.a; inner.h = (x) => x + 32; export default run(compile([P], { h: lib.a.h }, ${CALLS}))`,
      35,
    ],
    [
      'an object from which something is deleted',
      `const lib = { h: (x) => x + 1, K: 4 }; delete lib.K; export default run(compile([P], { ...lib }, ${CALLS}))`,
      4,
    ],
    [
      'an object in which a number goes up',
      `const lib = { K: 1 }; lib.K++; export default run(compile([P], { K: lib.K }, ${ADDS}))`,
      5,
    ],
    [
      'an object that a tag of a template changes',
      `const lib = { K: 1, tag() { this.K = 9 } }; lib.tag\`\`; export default run(compile([P], { K: lib.K }, ${ADDS}))`,
      12,
    ],
    [
      'a body of an object that is replaced',
      `const system = { body: (p) => { p.x += 1 } }; system.body = (p) => { p.x += 26 }; export default run(compile([P], system.body))`,
      29,
    ],
    [
      'options that change',
      `const options = { result: 'sum' }; options.result = 'count'; export default world.query(P).run(compile([P], (p) => p.x, options))`,
      1,
    ],
    [
      'a list that grows',
      'const parts = [P]; parts.push(Q); export default run(compile(parts, (p, q) => { p.x = q.x }))',
      70,
    ],
    [
      'a schema that changes before it is used',
      "const schema = { x: f32 }; schema.x = f64; const C = component('C', schema); world.spawn(C({ x: 0.1 })); world.query(C).run(compile([C], (c) => { c.x += 0.2 })); export default getColumn(world.query(C), C, 'x')[0]",
      0.30000000000000004,
    ],
    [
      'a variable that a block declares again',
      `var h = (x) => x + 1; { var h = (x) => x + 100 } export default run(compile([P], { h }, ${CALLS}))`,
      103,
    ],
    [
      'one that a block alone declares',
      `{ var h = (x) => x + 101 } export default run(compile([P], { h }, ${CALLS}))`,
      104,
    ],
    [
      'one that a loop declares again',
      `var h = (x) => x + 1; for (var h of [(x) => x + 200]); export default run(compile([P], { h }, ${CALLS}))`,
      203,
    ],
    [
      'one that the head of a loop declares again',
      `var h = (x) => x + 1; for (var h = (x) => x + 300; false; ); export default run(compile([P], { h }, ${CALLS}))`,
      303,
    ],
    [
      'a body that a block declares again',
      'var body = (p) => { p.x += 1 }; if (world) { var body = (p) => { p.x += 400 } } export default run(compile([P], body))',
      403,
    ],
    [
      'a number that a block declares again',
      `var K = 1; { var K = 5 } export default run(compile([P], { K }, ${ADDS}))`,
      8,
    ],
    [
      'a global that a block declares again',
      `{ var Infinity = 5 } export default run(compile([P], { K: Infinity }, ${ADDS}))`,
      8,
    ],
    [
      'what eval changes',
      `let h = (x) => x + 1; eval('h = (x) => x + 7'); export default run(compile([P], { h }, ${CALLS}))`,
      10,
    ],
    [
      'a function that a pattern assigns to',
      `let h = (x) => x + 1; ({ z: h = (x) => x + 3 } = {}); export default run(compile([P], { h }, ${CALLS}))`,
      6,
    ],
    [
      'a function that a list assigns to',
      `let h = (x) => x + 1; [h] = [(x) => x + 3]; export default run(compile([P], { h }, ${CALLS}))`,
      6,
    ],
    [
      'a function that the rest of a list assigns to',
      `let h = (x) => x + 1; [, ...[h]] = [1, (x) => x + 7]; export default run(compile([P], { h }, ${CALLS}))`,
      10,
    ],
    [
      'a function that is assigned again where it is there',
      `let h = (x) => x + 1; h &&= (x) => x + 11; export default run(compile([P], { h }, ${CALLS}))`,
      14,
    ],
    [
      'an undefined that a block declares',
      `{ var undefined = 5 } export default run(compile([P], { K: undefined }, ${ADDS}))`,
      8,
    ],
    [
      'a function that is assigned again',
      `function h(x) { return x + 1 } h = (x) => x + 6; export default run(compile([P], { h }, ${CALLS}))`,
      9,
    ],
  ])('%s', async (_, main, right) => {
    const notes = await expectSame(programOf(main), right, false)
    expect(notes).toEqual([expect.stringContaining('This loop is compiled when the program runs')])
  })

  it('a function that the build cannot run', async () => {
    const body = '(p) => { p.x += 4 }'
    const { runInThisContext } = vm
    onTestFinished(() => {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })
    vi.spyOn(vm, 'runInThisContext').mockImplementation((code, ...rest) => {
      if (code === `(${body})`) throw new SyntaxError('no function')
      return runInThisContext(code, ...rest) as unknown
    })
    syncBuiltinESMExports()
    const notes = await expectSame(programOf(`export default run(compile([P], ${body}))`), 7, false)
    expect(notes).toEqual([expect.stringContaining('the build could not run its functions')])
  })

  it('an object that another module changes', async () => {
    const rules = 'export const rules = { h: (x) => x + 1 }'
    const changing = "import { rules } from './rules'\nrules.h = (x) => x + 60"
    const main = `import './changing'\nimport { rules } from './rules'\n${HEAD}export default run(compile([P], { h: rules.h }, ${CALLS}))`
    await expectSame({ main, rules, changing }, 63, false)
  })

  it('an object that is exported only by its name and that another module changes', async () => {
    const rules = 'const own = { h: (x) => x + 1 }\nexport { own as rules }'
    const changing = "import { rules } from './rules'\nrules.h = (x) => x + 61"
    const main = `import './changing'\nimport { rules } from './rules'\n${HEAD}export default run(compile([P], { h: rules.h }, ${CALLS}))`
    await expectSame({ main, rules, changing }, 64, false)
  })

  it('a default export that another module changes', async () => {
    const rules = 'export default { h: (x) => x + 1 }'
    const main = `import rules from './rules'\n${HEAD}rules.h = (x) => x + 60\nexport default run(compile([P], { h: rules.h }, ${CALLS}))`
    await expectSame({ main, rules }, 63, false)
  })
})

describe('A loop is compiled ahead, and has the right result, if it is given', () => {
  it.each<[string, string, unknown]>([
    [
      'an object that is only read',
      `const lib = { h: (x) => x + 1, K: 2 }; const { K } = lib; export default run(compile([P], { h: lib.h, K: lib.K }, ${CALLS})) + lib['K'] + K`,
      8,
    ],
    [
      'values, a list and options that only loops are given',
      `const values = { K: 4 }; const parts = [P]; const options = { result: 'sum' }; const given = [...parts]; export default world.query(P).run(compile(parts, values, (p, { K }) => p.x + K, options)) + given.length`,
      8,
    ],
    [
      'what is frozen at every level',
      `const lib = Object.freeze({ a: Object.freeze({ h: (x) => x + 1 }), list: Object.freeze([P]) }); globalThis.lib = lib; export default run(compile(lib.list, { h: lib.a.h }, ${CALLS}))`,
      4,
    ],
    [
      'a function that another function has a variable of the name of',
      `var h = (x) => x + 1; const f = () => { var h = 5; { var h = 6 } return h }; export default run(compile([P], { h }, ${CALLS})) + f()`,
      10,
    ],
    [
      'what a module calls Number and undefined',
      `const Number = { EPSILON: 6 }; const undefined = 7; export default run(compile([P], { K: Number.EPSILON }, ${ADDS})) + run(compile([P], { K: undefined }, ${ADDS}))`,
      25,
    ],
    [
      'methods whose names begin as functions do',
      `const lib = { functional(x) { return x + 1 }, function(x) { return x * 2 } }; export default run(compile([P], { h: lib.functional }, ${CALLS})) + run(compile([P], { h: lib.function }, ${CALLS}))`,
      12,
    ],
    [
      'an object of a name that a parameter has as well',
      `const lib = { h: (x) => x + 1 }; const f = (lib) => { lib.h = 4 }; f({}); export default run(compile([P], { h: lib.h }, ${CALLS}))`,
      4,
    ],
  ])('%s', async (_, main, right) => {
    await expectSame(programOf(main), right, true)
  })
})

describe('A name of the language that a module redefines', () => {
  it.each([
    ['Math', 'const Math = { sqrt: (x) => x * 100 }', 'p.x = Math.sqrt(p.x)'],
    ['NaN', 'const NaN = 5', 'p.x = NaN'],
    ['Infinity', '{ var Infinity = 5 }', 'p.x = Infinity'],
    ['Number', 'const Number = { EPSILON: 5 }', 'p.x = Number.EPSILON'],
    ['undefined', 'const undefined = 5', 'if (p.x !== undefined) p.x = 2'],
  ])('is refused in what is compiled: %s', async (name, declaration, body) => {
    await expect(
      answerOf(programOf(`${declaration}\nexport default run(compile([P], (p) => { ${body} }))`), true),
    ).rejects.toMatchObject({
      message: expect.stringContaining(
        `compile: a compiled function takes '${name}' from the language, and this module has one of its own: give that another name.`,
      ),
    })
  })

  it.each([
    'function f(Math) { return compile([P], (p) => { p.x = Math.sqrt(p.x) }) } export default run(f())',
    'const Math = { sqrt: (x) => x }; const h = (x) => Math.sqrt(x); export default run(compile([P], { h }, (p, { h }) => { p.x = h(p.x) }))',
  ])('is found in functions, and in the functions around them', async (main) => {
    await expect(answerOf(programOf(main), true)).rejects.toMatchObject({
      message: expect.stringContaining("takes 'Math' from the language"),
    })
  })

  it('may be a variable of the function', async () => {
    const main =
      'const Math = 1; export default run(compile([P], { v: Math }, (p, { v: Math }) => { p.x += Math }))'
    await expectSame(programOf(main), 4, true)
  })
})
