// Owns the compilation of a kernel's source to its module: read, describe, compile, inspect, write it as text.
// It must never write a file.

import { basename, resolve } from 'node:path'
import type { KernelCode, KernelDescription } from '../bindings/kernels/kernel'
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

/** Options of compileKernels. */
export interface CompileOptions {
  /** Address in memory page 0 at which the file's data begins, if it has any: 16 to 65,535. Default 1024. */
  readonly memoryBase?: number | undefined
}

/** The compiled kernels of one source file. */
export interface CompiledKernels {
  /** Absolute path of the source. */
  readonly file: string
  /**
   * One for each exported function, in the order of the source, as plain data: world.kernel takes them with what runs
   * kernels, `{ ...kernels[0], runtime: kernelRuntime }`.
   */
  readonly kernels: readonly KernelDescription[]
  /** The wasm module. */
  readonly bytes: Uint8Array
  /** Text of a JavaScript module that exports the kernels by name, and imports from 'strata-ecs' alone. */
  readonly module: string
  /** Text of the TypeScript declarations of that module. */
  readonly declarations: string
  /** Absolute paths of all files that were read. If one of them changes, compile again. */
  readonly sources: readonly string[]
  /** The part of memory page 0 that the file's data takes; `start` equals `end` if it has none. */
  readonly data: Window
  /** Warnings of the compiler. The kernels work nevertheless. */
  readonly warnings: readonly KernelSourceProblem[]
}

/**
 * Compiles the kernels of one source file. Takes some tenths of a second and writes no file. Needs the package
 * `assemblyscript`.
 *
 * @param file path of the AssemblyScript source, such as `movement.kernel.ts`
 * @throws KernelSourceError KERNEL_SOURCE with file, line and column of every problem; RangeError for a memory base
 *   outside page 0; the file system's error if a file cannot be read
 * @example const { module } = await compileKernels('movement.kernel.ts')
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
