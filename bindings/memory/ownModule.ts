// Owns the check of a module that a user hands to createWorld: that it is a core, with all its statics in page 0.
// It must never touch the memory of a world: it is tried with a memory of its own.

import { coreMark } from '../../build/coreExports'
import { CORE_START } from '../../build/layout'
import { compilerOf } from './decoding'
import { LimitError, StrataTypeError } from './errors'
import { kindOf, messageOf } from './realms'

const FLAGS =
  '--importMemory --initialMemory 16 --maximumMemory 32768 --memoryBase 1024 --lowMemoryLimit 65536'
const INITIAL_PAGES = 16
const MAXIMUM_PAGES = 32768

const accepted = /* @__PURE__ */ new WeakSet<WebAssembly.Module>()

/** @throws StrataTypeError INVALID_OPTION; StrataError WASM_REFUSED where a policy forbids to run it */
export function checkModule(module: unknown): asserts module is WebAssembly.Module {
  if (!isModule(module)) {
    refuse('must be a compiled WebAssembly.Module of the strata core, as of the file strata-ecs/core.wasm')
  }
  if (accepted.has(module) || compilerOf(module) !== undefined) return
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (from === 'env' && (name === 'memory' || (name === 'abort' && kind === 'function'))) continue
    refuse(`imports ${from}.${name}, which a world does not give: only env.memory and env.abort. Take it out`)
  }
  tryOut(module)
  accepted.add(module)
}

/**
 * A memory of its own, `initial` to `maximum` pages of 64 KiB.
 *
 * @throws LimitError MEMORY_LIMIT
 */
export function startMemory(initial: number, maximum: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial, maximum })
  } catch (cause) {
    throw LimitError.orOf(cause)
  }
}

/** Whether it is a module: that of a frame, too. */
function isModule(value: unknown): value is WebAssembly.Module {
  return typeof value === 'object' && kindOf(value) === 'WebAssembly.Module'
}

/** Instantiates it with an empty memory: whatever it leaves there must lie in page 0. */
function tryOut(module: WebAssembly.Module): void {
  const memory = startMemory(INITIAL_PAGES, MAXIMUM_PAGES)
  const before = memory.buffer
  let exports: WebAssembly.Exports
  try {
    exports = new WebAssembly.Instance(module, { env: { memory, abort: () => {} } }).exports
  } catch (cause) {
    // It was compiled: a page under a policy may have a module in WebKit, and may not run it.
    const error = LimitError.orOf(cause)
    if (error !== cause) throw error
    refuse(`cannot be instantiated, with "${messageOf(cause)}": compile it with ${FLAGS}`)
  }
  if (exports[coreMark] === undefined) {
    refuse(
      `is not a strata core of this version: it does not export ${coreMark}. An entry file of your own says export * from 'strata-ecs/assembly/module'`,
    )
  }
  if (exports['memory'] !== memory) {
    refuse(`does not export the memory that it is given: compile it with ${FLAGS}`)
  }
  const isLeftAlone = memory.buffer === before
  if (!isLeftAlone || new Uint32Array(before, CORE_START).some((word) => word !== 0)) {
    refuse(`has static data beyond page 0, or grows its memory: compile it with ${FLAGS}`)
  }
}

function refuse(sentence: string): never {
  throw new StrataTypeError('INVALID_OPTION', `createWorld: core ${sentence}.`)
}
