// Owns the core of a world over a memory that threads share: the same core, compiled once more, and the memory.

import { PAGE_BYTES } from '../../../bindings/memory/core'
import type { ByteForm, CompilePart } from '../../../bindings/memory/coreText'
import type { SharedCore } from '../../../bindings/memory/workerMemory'
import { countMemory } from './pressure'
import { sharedForm } from './sharedForm'

const form: ByteForm = (bytes) => sharedForm(bytes)

/** A host that reserves the maximum at once may have no room for 2 GiB: then less is asked for, but not below this. */
const LEAST_MAXIMUM = 2 ** 28

interface CompiledCore {
  readonly module: WebAssembly.Module
  readonly compile: CompilePart
}

/** By what compiles the plain form. */
const compiled = /* @__PURE__ */ new WeakMap<CompilePart, CompiledCore>()

/**
 * The core is compiled before the memory is made: both may need much address space, and what compiling took is free again when the memory
 * asks for its own. Whatever the host refuses, the world has a plain memory then.
 *
 * @param compile see compilerOf
 * @returns the core of a new world; undefined where it cannot be shared
 */
export function sharedCore(
  compile: CompilePart | undefined,
  { initial, maximum, isFlexible }: { initial: number; maximum: number; isFlexible: boolean },
): SharedCore | undefined {
  if (compile === undefined) return undefined
  const core = compiledCore(compile)
  const made = core && sharedMemory(initial, maximum, isFlexible)
  return made && { ...made, ...core }
}

function compiledCore(compile: CompilePart): CompiledCore | undefined {
  try {
    let core = compiled.get(compile)
    if (core === undefined) {
      core = { module: compile(undefined, form), compile: (text) => compile(text, form) }
      compiled.set(compile, core)
    }
    return core
  } catch {
    // Whatever it is, such as a policy, an engine without threads, or a lack of memory: the plain core is there already.
    return undefined
  }
}

function sharedMemory(
  initial: number,
  most: number,
  isFlexible: boolean,
): { memory: WebAssembly.Memory; maximum: number } | undefined {
  const least = isFlexible ? Math.max(initial, LEAST_MAXIMUM) : most
  for (let maximum = most; maximum >= least; maximum /= 2) {
    try {
      const pages = { initial: Math.ceil(initial / PAGE_BYTES), maximum: maximum / PAGE_BYTES }
      const memory = new WebAssembly.Memory({ ...pages, shared: true })
      countMemory(memory)
      return { memory, maximum }
    } catch {
      // A plain memory may still do.
    }
  }
  return undefined
}
