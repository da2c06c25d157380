// Owns the start of the wasm core: decoding, compiling once, instantiating one instance (and memory) a world.
// It must never keep an instance: a world that is dropped must be free to be collected.

import { releaseBase64 } from '../build/release'
import { StrataError, StrataTypeError } from './errors'

/** The functions of assembly/world.ts. Numbers of 32 bits; results are signed. */
export interface CoreExports {
  readonly memory: WebAssembly.Memory
  worldInit(maximumBytes: number, maxEntities: number, strictIds: boolean | number): number
  worldReset(): number
  worldClear(): void
  componentRegister(): number
  memoryGrow(pages: number): number
  bundleOf(count: number): number
  bundleArchetype(bundle: number): number
  entitySpawn(bundle: number): number
  entityAdd(entity: number, bundle: number): number
  entityRemove(entity: number, bundle: number): number
  entityDestroy(entity: number): number
  entityReserve(promised: number): number
  entitiesAdopt(count: number): number
  entitiesAvailable(): number
  entityPlace(entity: number, bundle: number): number
  entitiesSpawn(bundle: number, count: number): number
  entitiesDestroy(count: number): number
  queryOf(count: number): number
  queryAdd(query: number, bundle: number): number
  queryRemove(query: number, bundle: number): number
  queryDestroy(query: number): number
  queryProbe(count: number, skip: number, limit: number): number
  queryProbeArchetype(count: number, archetype: number): number | boolean
}

let releaseModule: WebAssembly.Module | undefined

/** The release core that is part of this package, compiled at the first call. */
function embeddedModule(): WebAssembly.Module {
  releaseModule ??= compileBase64(releaseBase64)
  return releaseModule
}

/** Compiles a module from base64, synchronously. */
export function compileBase64(base64: string): WebAssembly.Module {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  // A plain loop: Uint8Array.from with a callback takes twenty times as long.
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return new WebAssembly.Module(bytes)
}

/** A new instance with a memory of its own. */
export function instantiateCore(module: WebAssembly.Module = embeddedModule()): CoreExports {
  if (!(module instanceof WebAssembly.Module)) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      'createWorld: module must be a compiled WebAssembly.Module of the strata core.',
    )
  }
  let exports: CoreExports | undefined
  const abort = (message: number, _file: number, line: number): never => {
    const text = exports === undefined ? '' : readString(exports.memory, message)
    throw new StrataError('CHECK_FAILED', `the core found its own rule broken: ${text} (line ${line})`)
  }
  exports = new WebAssembly.Instance(module, { env: { abort } }).exports as unknown as CoreExports
  if (typeof exports.worldInit !== 'function') {
    throw new StrataTypeError('INVALID_OPTION', 'createWorld: module is not a strata core of this version.')
  }
  return exports
}

/** A string as AssemblyScript keeps it: UTF-16, its byte length four bytes before it. */
function readString(memory: WebAssembly.Memory, address: number): string {
  if (address === 0) return ''
  const bytes = new Uint32Array(memory.buffer)[(address >>> 2) - 1] as number
  return String.fromCharCode(...new Uint16Array(memory.buffer, address, bytes >>> 1))
}
