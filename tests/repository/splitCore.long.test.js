// Shows that the core is cut without a loss: its exports are in the base or in one part, parts need nothing but the base, and the
// small program carries the base alone, whichever bundler built it.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import binaryen from 'binaryen'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { decodeText } from '../../bindings/memory/coreText'
import { baseText } from '../../build/base'
import { heldText } from '../../build/held'
import { manyText } from '../../build/many'
import { orderText } from '../../build/order'
import { rareText } from '../../build/rare'
import { releaseText } from '../../build/release'
import { textsText } from '../../build/texts'
import { PARTS, split } from '../../scripts/split-core.js'
import { BUNDLERS, bundledBy } from '../support/bundlers.js'
import { smallProgram } from '../support/smallProgram.js'

const { Module, Instance } = WebAssembly
const TEXTS = {
  held: heldText(),
  rare: rareText(),
  order: orderText(),
  many: manyText(),
  texts: textsText(),
}
const moduleOf = (text) => new Module(decodeText(text))

/** What the core calls its own: the base exports what parts import from it under numbers. */
const ownNames = (module) =>
  Module.exports(module)
    .map(({ name }) => name)
    .filter((name) => !/^\d+$|^strataCore_/.test(name))

/** The names in an interface of bindings/memory/core.ts. */
const core = fileURLToPath(new URL('../../bindings/memory/core.ts', import.meta.url))
const source = ts.createSourceFile('core.ts', readFileSync(core, 'utf8'), ts.ScriptTarget.ES2022)
const membersOf = (interfaceName) =>
  source.statements
    .find((statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === interfaceName)
    .members.map((member) => member.name.text)

const base = moduleOf(baseText())

describe('The cut core', () => {
  it('has each export of the whole core once, in the base or in a part', () => {
    const cut = [base, ...Object.values(TEXTS).map(moduleOf)].flatMap(ownNames)
    expect(cut.sort()).toEqual(ownNames(moduleOf(releaseText())).sort())
  })

  it('has in each part what the table says, and the bindings type', () => {
    expect(Object.keys(PARTS).sort()).toEqual(Object.keys(TEXTS).sort())
    for (const [part, text] of Object.entries(TEXTS)) {
      const names = PARTS[part].toSorted()
      expect(ownNames(moduleOf(text)).sort()).toEqual(names)
      const interfaceName = `${part[0].toUpperCase()}${part.slice(1)}Exports`
      expect(membersOf(interfaceName).sort(), interfaceName).toEqual(names)
    }
    expect(membersOf('CoreExports').sort()).toEqual(ownNames(base).sort())
  })

  it('has parts that import their memory, and what the base exports for them', () => {
    const exported = new Map(Module.exports(base).map(({ name, kind }) => [name, kind]))
    const imported = new Set()
    for (const text of Object.values(TEXTS)) {
      for (const { module, name, kind } of Module.imports(moduleOf(text))) {
        if (name === 'memory') expect(module).toBe('env')
        else expect([module, exported.get(name)]).toEqual(['c', kind])
        imported.add(name)
      }
    }
    expect([...exported.keys()].filter((name) => /^\d+$/.test(name) && !imported.has(name))).toEqual([])
    expect(Module.imports(base)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }])
  })
})

describe('Cutting a module', () => {
  const cutOf = (text, parts) => {
    const module = binaryen.parseText(text)
    const bytes = module.emitBinary()
    module.dispose()
    return split(bytes, parts)
  }

  it('leaves in the base what two parts call, and keeps one global for all', () => {
    const cut = cutOf(
      `(module
        (global $sum (mut i32) (i32.const 5))
        (func $grow (param i32) (global.set $sum (i32.add (global.get $sum) (local.get 0))))
        (func $twice (param i32) (call $grow (local.get 0)) (call $grow (local.get 0)))
        (func (export "sum") (result i32) (global.get $sum))
        (func (export "once") (param i32) (call $grow (local.get 0)))
        (func (export "often") (param i32) (call $twice (local.get 0)) (call $grow (global.get $sum))))`,
      { few: ['once'], more: ['often'] },
    )
    const whole = new Instance(new Module(cut.base))
    const parts = [cut.few, cut.more].map(
      (bytes) => new Instance(new Module(bytes), { c: whole.exports }).exports,
    )
    const [{ once }, { often }] = parts
    once(2)
    expect(whole.exports.sum()).toBe(7)
    often(10)
    expect(whole.exports.sum()).toBe(54)
    // `twice` is called from one part alone, so that has it; the base exports `grow` and the global for both.
    expect(
      Module.exports(new Module(cut.base))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['0', '1', 'sum'])
    expect(parts.map((exports) => Object.keys(exports))).toEqual([['once'], ['often']])
  })

  it.each([
    ['a start function', '(module (func $begin) (start $begin) (func (export "one")))'],
    ['static data', '(module (memory 1) (data (i32.const 0) "x") (func (export "one")))'],
    ['a table', '(module (table 1 funcref) (elem (i32.const 0) $one) (func $one (export "one")))'],
  ])('refuses one with %s, which each piece would write again', (_, text) => {
    expect(() => cutOf(text, { part: ['one'] })).toThrow('cannot be cut')
  })
})

/** The parts of which a bundle has the text, and those of which it calls a function. */
const carriedIn = (program) => Object.keys(PARTS).filter((part) => program.includes(TEXTS[part]))
const calledIn = (program) =>
  Object.keys(PARTS).filter((part) => PARTS[part].some((name) => program.includes(`.${name}(`)))

it.each(BUNDLERS)(
  'The small program carries only the base, and calls only it, built with %s',
  async (bundler) => {
    const program = await bundledBy(bundler, smallProgram())
    expect(program).toContain(baseText())
    expect([carriedIn(program), calledIn(program)]).toEqual([[], []])
  },
)

it.each([
  ['held', 'onRemove', 'onRemove(world, Position, () => {})'],
  ['order', 'sumOf', "sumOf(moving, Position, 'x')"],
  ['rare', 'changed', 'world.query(changed(Position)).count'],
  ['many', 'cloneEntity', 'cloneEntity(world, moving.first())'],
  ['texts', 'text', "component('Name', { value: text })"],
])('Only the part %s is loaded with %s', async (part, name, statement) => {
  const program = await bundledBy('esbuild', smallProgram([name], `console.log(${statement})`))
  expect([carriedIn(program), calledIn(program)]).toEqual([[part], [part]])
})
