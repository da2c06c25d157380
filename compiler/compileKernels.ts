// Owns the compilation of a kernel's source to its module: read, describe, compile, inspect, write it as text.
// It must never write a file.

import { basename, resolve } from 'node:path'
import type { KernelCode, KernelDescription } from '../bindings/kernel'
import { assemble, type Assembled } from './assemble'
import { declarationText, moduleText, type EmittedKernel } from './emission'
import { FORMAT, entryText } from './entry'
import { inspect } from './inspection'
import { laneTwins } from './lanes'
import { readSignatures, type KernelSignature } from './signatures'
import type { KernelSourceProblem } from './sourceError'
import { readSources } from './sources'
import type { ParsedSource } from './syntax'
import { Windows, type Window } from './windows'

export interface CompileOptions {
  /** Address in memory page 0 where the data of the file begins, if it has any: from 16 to 65,535. Default 1024. */
  readonly memoryBase?: number
}

/** The kernels of one file, compiled. */
export interface CompiledKernels {
  /** The source, an absolute path. */
  readonly file: string
  /** What `world.kernel` takes, in the order of the source. */
  readonly kernels: readonly KernelDescription[]
  /** The wasm module. */
  readonly bytes: Uint8Array
  /** A JavaScript module that exports the kernels by name and imports nothing. */
  readonly module: string
  /** The declarations of that module. */
  readonly declarations: string
  /** All files that were read: when one of them changes, the kernels have to be compiled again. */
  readonly sources: readonly string[]
  /** The part of memory page 0 that its data takes; `start` equals `end` when it has none. */
  readonly data: Window
  /** What the compiler remarked; the kernels work nevertheless. */
  readonly warnings: readonly KernelSourceProblem[]
}

/**
 * Compiles the kernels of one file. Takes some tenths of a second.
 *
 * @param file path of the AssemblyScript source, `movement.kernel.ts`
 * @throws KernelSourceError with file, line and column of everything that no kernel may hold; RangeError for a memory
 *   base outside page 0; the error of the file system when the file cannot be read
 */
export async function compileKernels(file: string, options: CompileOptions = {}): Promise<CompiledKernels> {
  const windows = new Windows(options.memoryBase)
  return compileSources(await readSources(resolve(file)), windows)
}

/**
 * Compiles sources that were read already, as one file of several that share a world: each has its data in a window of
 * its own.
 *
 * @param sources the kernels' file, which is the first, and what it imports
 */
export async function compileSources(
  sources: ReadonlyMap<string, ParsedSource>,
  windows: Windows,
): Promise<CompiledKernels> {
  const [source] = sources.values()
  const { file } = source!
  const signatures = readSignatures(source!)
  const twins = laneTwins(source!, signatures)
  const replaced = new Map([[file, source!.text + twins.text]])
  const entry = entryText(signatures, `./${basename(file, '.ts')}`, twins.callees)
  for (;;) {
    const memoryBase = windows.baseFor(file)
    const assembled = await assemble({ file, sources, replaced, entry, memoryBase })
    const data = inspect(assembled, memoryBase, file, sources)
    // A file that has outgrown its window is compiled once more, for a larger one.
    if (windows.settle(file, data)) return describe(sources, signatures, assembled, data)
  }
}

function describe(
  sources: ReadonlyMap<string, ParsedSource>,
  signatures: readonly KernelSignature[],
  { bytes, warnings }: Assembled,
  data: Window,
): CompiledKernels {
  const [file] = sources.keys()
  const code: KernelCode = { file: basename(file!), bytes: Buffer.from(bytes).toString('base64') }
  const emitted = signatures.map(({ name, rows, parameters, result, doc }): EmittedKernel => {
    const description = { kernel: name, format: FORMAT, code, parameters, result }
    return { description: rows ? description : { ...description, rows: false }, doc }
  })
  return {
    file: file!,
    kernels: emitted.map(({ description }) => description),
    bytes,
    module: moduleText(emitted),
    declarations: declarationText(emitted),
    sources: [...sources.keys()],
    data,
    warnings,
  }
}
