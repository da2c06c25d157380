// Owns calls of the functions that a user's own module exports: arguments in, the number out, and the update of whatever
// wasm may have changed.
// It must never call one while a JavaScript loop is open: wasm moves rows.

import { coreFunctions } from '../../build/coreExports'
import type { ComponentLike } from '../components/component'
import { definitionOf } from '../components/definition'
import { describe } from '../memory/describe'
import { StrataError, StrataTypeError, limitError } from '../memory/errors'
import { messageOf } from '../memory/realms'
import { relatingOf } from '../rows/relating'
import type { Reporting } from '../rows/reporting'
import type { WorldState } from '../rows/worldState'
import { stateOf } from '../rows/stateOf'
import type { World } from './world'

/** What a function of a module can be called with. Components are passed as their ids. */
export type CallArgument = number | boolean | ComponentLike

type Exported = (...numbers: number[]) => number | bigint | undefined

/** The functions by which a module with a simulation of its own ends a call; the plain core has none. */
interface Simulation {
  readonly simulationEnd?: (this: void, drops: number) => number
}

/** What the bindings call. Whatever else a module exports is the user's. */
const CORE_FUNCTIONS: ReadonlySet<string> = /* @__PURE__ */ new Set(/* @__PURE__ */ coreFunctions.split(' '))

/** What assembly/simulation/call.ts exports for the bindings. */
const SIMULATION_FUNCTIONS = /* @__PURE__ */ ['Begin', 'Command', 'End', 'Hold', 'Set', 'Visit'].map(
  (name) => `simulation${name}`,
)

/**
 * Calls a function that is exported by the module that a world was created with. Cost: one call into WebAssembly, and
 * a look at every object component.
 *
 * @param world whose `core` is a module of your own
 * @param name the name of the export
 * @param args numbers, booleans, and components, which are registered if they are new and passed as their ids
 * @returns the number that the function returns, or 0 if it returns nothing; integers are signed, so
 *   `callModule(world, 'spawnOne') >>> 0` is a handle
 * @throws StrataTypeError INVALID_OPTION for a name or number of arguments that the module does not have,
 *   NOT_A_COMPONENT; StrataError WORLD_LOCKED inside a loop, WORLD_OBSERVED while there are listeners for changes:
 *   the function was not called. StrataError KERNEL_FAILED if the function traps; LimitError if a change queued
 *   inside WebAssembly found no memory: the others were made.
 * @example callModule(world, 'start', Position, Velocity)
 */
export function callModule(world: World, name: string, ...args: CallArgument[]): number {
  const state = stateOf(world, 'callModule')
  state.refuseDisposed()
  state.refuseWhileLocked('callModule')
  const called = exportedFunction(state, name)
  if (args.length !== called.length) {
    throw invalid(`'${name}' takes ${called.length} arguments, not ${args.length}`)
  }
  refuseWhileHeard(state, name)
  const numbers = args.map((argument, i) => numberFor(state, name, argument, i))
  state.reporting?.subscribers.everything()
  state.relations?.beginCall()
  let result = 0
  try {
    result = Number(called(...numbers) ?? 0)
  } catch (error) {
    state.fail(trapped(name, error))
  }
  finish(state)
  return result
}

function trapped(name: string, error: unknown): StrataError {
  return new StrataError(
    'KERNEL_FAILED',
    `callModule: '${name}' failed with "${messageOf(error)}". What it had changed stays changed. See error.cause.`,
    { cause: error },
  )
}

function exportedFunction(state: WorldState, name: string): Exported {
  // Beside its functions the base of the built-in core exports what its parts import.
  const isBuiltIn = state.parts.compile !== undefined
  const exports = (isBuiltIn ? {} : state.core) as Record<string, unknown>
  // wasm exports have no prototype: what is found under a name is an export.
  if (isOwn(name, exports[name])) return exports[name] as Exported
  const own = Object.keys(exports).filter((key) => isOwn(key, exports[key]))
  const known = own.length === 0 ? 'it exports none besides the core' : `it has ${own.join(', ')}`
  throw invalid(`the module of this world has no function ${describe(name)}: ${known}`)
}

function isOwn(name: string, exported: unknown): boolean {
  return typeof exported === 'function' && !CORE_FUNCTIONS.has(name) && !SIMULATION_FUNCTIONS.includes(name)
}

/** Changes made inside wasm call no listeners. No call at all is better than events that are missed. */
function refuseWhileHeard(state: WorldState, name: string): void {
  if (state.watching === 0) return
  const { heard } = state.reporting as Reporting
  if (heard.length === 0) return
  throw new StrataError(
    'WORLD_OBSERVED',
    `callModule: '${name}' may change what has listeners: ${heard.join(', ')}. Changes inside WebAssembly call none: unsubscribe before, and find the changes with changed() and added().`,
  )
}

function numberFor(state: WorldState, name: string, argument: unknown, i: number): number {
  if (typeof argument === 'number') return argument
  if (typeof argument === 'boolean') return argument ? 1 : 0
  const definition = definitionOf(argument)
  if (definition === undefined) {
    throw new StrataTypeError(
      'NOT_A_COMPONENT',
      `callModule: '${name}' takes numbers and components; argument ${i} is ${describe(argument)}.`,
    )
  }
  if (definition.kind === 'object') {
    throw invalid(
      `'${name}' cannot be given ${definition.componentName}, whose values are in JavaScript: let a tag go along with it, and name the tag`,
    )
  }
  return relatingOf(definition)?.numberIn(state) ?? state.register(definition).id
}

/** Looks at what wasm may have changed: addresses, what waits there, entities that had objects. Throws what failed. */
function finish(state: WorldState): void {
  try {
    state.relations?.endCall()
  } catch (error) {
    state.fail(error)
  }
  const status = endInside(state)
  state.heap.check()
  if (status < 0) state.fail(limitError(status, 'a component that was spawned or added in a loop'))
  const { upkeep } = state
  upkeep?.objects.endThoseOfDead(upkeep.stores)
  state.settle()
}

/** Closes the loops that wasm left open and applies what waits there. What traps once more is forgotten. */
function endInside(state: WorldState): number {
  const { simulationEnd } = state.core as Simulation
  if (simulationEnd === undefined) return 0
  try {
    return simulationEnd(0)
  } catch {
    return simulationEnd(1)
  }
}

function invalid(sentence: string): StrataTypeError {
  return new StrataTypeError('INVALID_OPTION', `callModule: ${sentence}.`)
}
