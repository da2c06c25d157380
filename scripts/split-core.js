// Owns the cut of the release core into what every program carries and the parts that a program carries when it imports a function or
// a field that calls them: see bindings/memory/coreParts.ts. It must never change what a function does.

import binaryen from 'binaryen'
import { FEATURES, sectionsOf } from './smaller-core.js'

/**
 * What each part exports; whatever else the core exports is in the base. A function of the core is in the base as well, unless it is
 * reached from one part alone. What weighs little in the base is left there: a program then carries no part for its sake.
 */
export const PARTS = {
  rare: [
    'claimsPrepare',
    'componentClear',
    'componentPrepare',
    'groupOf',
    'seenTickMake',
    'seenTickRelease',
    'resourceMake',
    'resourceRemove',
  ],
  held: ['entityPrepare', 'heldRelease'],
  order: ['orderSort', 'poolArrange', 'poolSort', 'poolSortAs', 'querySort', 'sortEnd', 'valuesReduce'],
  many: ['entitiesClone', 'entityClone', 'entityPlaceClone', 'listChange', 'listPrepare', 'queryPrepare'],
  texts: ['referencesSweep', 'textFind', 'textIntern', 'textRelease', 'textsClearUnknown', 'textsSweep'],
}

const isMark = (name) => name.startsWith('strataCore_')

/** From which module a part imports: the base, whose own exports a world hands to it. */
const BASE = 'c'

/** Sections of a module that do something when it is instantiated: the start function, the elements of a table, data. */
const WRITES = [8, 9, 11]

const listOf = (count, at) => Array.from({ length: count }, (_, i) => at(i))

const exportsOf = (module) =>
  listOf(module.getNumExports(), (i) => binaryen.getExportInfo(module.getExportByIndex(i)))

const functionsOf = (module) =>
  listOf(module.getNumFunctions(), (i) => binaryen.getFunctionInfo(module.getFunctionByIndex(i)))

const globalsOf = (module) =>
  listOf(module.getNumGlobals(), (i) => binaryen.getGlobalInfo(module.getGlobalByIndex(i)))

/** The core with these of its exports and what they reach; `more` adds exports. */
function reachedFrom(bytes, keeps, more = () => {}) {
  const module = binaryen.readBinaryWithFeatures(bytes, FEATURES)
  for (const { name } of exportsOf(module)) if (!keeps(name)) module.removeExport(name)
  more(module)
  module.runPasses(['remove-unused-module-elements'])
  return module
}

/** Puts imports from the base in the place of functions and globals; `nameOf` gives the names they have there. */
function importFromBase(module, functions, globals, nameOf) {
  for (const { name, params, results } of functions) {
    module.removeFunction(name)
    module.addFunctionImport(name, BASE, nameOf(name), params, results)
  }
  for (const { name, type, mutable } of globals) {
    module.removeGlobal(name)
    module.addGlobalImport(name, BASE, nameOf(name), type, mutable)
  }
}

function emitted(module, what) {
  if (!module.validate()) throw new Error(`The core was cut, and ${what} is no module.`)
  const bytes = module.emitBinary()
  module.dispose()
  return bytes
}

/** Those that more than one of the modules has, by their names. */
function sharedBy(modules, elementsOf) {
  const names = modules.flatMap((module) => elementsOf(module).map(({ name }) => name))
  return new Set(names.filter((name, i) => names.indexOf(name) !== i))
}

/**
 * Cuts a core, which has no start function and no static data: each of the modules would bring them again.
 *
 * @param bytes the core, without names: a function and a global have no name in common then
 * @param parts the exports of each part, as PARTS
 * @returns the bytes of the `base` and of each part, by their names
 */
export function split(bytes, parts = PARTS) {
  const source = new Uint8Array(bytes)
  if (sectionsOf(source).some(({ id }) => WRITES.includes(id))) {
    throw new Error('The core has a start function, a table or static data, so it cannot be cut.')
  }
  const partOf = new Map(Object.entries(parts).flatMap(([part, names]) => names.map((name) => [name, part])))
  // Nobody asks the base for the mark of its version: what a bundle carries is its own.
  const inBase = (name) => !partOf.has(name) && !isMark(name)
  const base = reachedFrom(source, inBase)
  const modules = Object.keys(parts).map((part) => reachedFrom(source, (name) => partOf.get(name) === part))
  const [functions, globals] = [functionsOf, globalsOf].map((of) => sharedBy([base, ...modules], of))
  base.dispose()
  const names = new Map()
  // Numbers, which no export of the core is called.
  const nameOf = (kind, name) => {
    const key = `${kind} ${name}`
    if (!names.has(key)) names.set(key, String(names.size))
    return names.get(key)
  }
  for (const module of modules) {
    const shared = (elements, those) => elements.filter(({ name }) => those.has(name))
    importFromBase(module, shared(functionsOf(module), functions), shared(globalsOf(module), globals), String)
    // What only functions of the base call is gone now: what is left of the imports is needed.
    module.runPasses(['remove-unused-module-elements'])
    const imported = (elements) => elements.filter((element) => element.module === BASE)
    importFromBase(module, imported(functionsOf(module)), [], (name) => nameOf('function', name))
    importFromBase(module, [], imported(globalsOf(module)), (name) => nameOf('global', name))
  }
  const whole = reachedFrom(source, inBase, (module) => {
    for (const [key, shared] of names) {
      const [kind, name] = key.split(' ')
      if (kind === 'function') module.addFunctionExport(name, shared)
      else module.addGlobalExport(name, shared)
    }
  })
  const cut = Object.keys(parts).map((part, i) => [part, emitted(modules[i], part)])
  return { base: emitted(whole, 'the base'), ...Object.fromEntries(cut) }
}
