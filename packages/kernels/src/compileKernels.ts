// Owns the compilation of a kernel's source to its module: read, describe, compile, inspect, write it as text.

import { basename, resolve } from 'node:path'
import type { KernelCode, KernelDescription } from '../../../bindings/kernels/kernel'
import { errorName } from '../../../bindings/memory/realms'
import { assemble, type Assembled } from './assemble'
import { beginBuild, type CompileOptions, type KernelBuild } from './build'
import { declarationText, moduleText, type EmittedKernel } from './emission'
import { FORMAT, entryAt, entryText } from './entry'
import { inspect } from './inspection'
import { laneTwins, type LaneTwins } from './lanes'
import { TOO_DEEP } from './nesting'
import { readSignatures, type KernelSignature } from './signatures'
import {
  KernelSourceError,
  problemAt,
  type KernelSourceProblem,
  type Place,
} from '../../compile/src/ahead/sourceError'
import { readSources } from './sources'
import { placeOf, type ParsedSource } from './syntax'
import type { Window } from './windows'

/** The compiled kernels of one source file. */
export interface CompiledKernels {
  /** Absolute path of the source. */
  readonly file: string
  /**
   * One for each exported function, in the order of the source, as plain data: createKernel takes them with what runs
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
 * @throws KernelSourceError KERNEL_SOURCE with file, line and column of every problem, also where the AssemblyScript compiler
 *   crashes or comes to no end; RangeError for a memory base outside page 0, and a time limit that is no time; the file system's error if a file cannot be read
 * @example const { module } = await compileKernels('movement.kernel.ts')
 */
export async function compileKernels(file: string, options: CompileOptions = {}): Promise<CompiledKernels> {
  const build = beginBuild(options)
  return compileSources(await readSources(resolve(file)), build)
}

/**
 * Compiles sources that were read already, as one file of several that share a world: each has its data in a window of
 * its own.
 *
 * @param sources the kernels' file, which is the first, and what it imports
 * @param build what the files of one build share
 */
export async function compileSources(
  sources: ReadonlyMap<string, ParsedSource>,
  { windows, timeLimit }: KernelBuild,
): Promise<CompiledKernels> {
  const [source] = sources.values()
  const { file } = source!
  const { signatures, twins } = read(source!)
  const entry = (kernelsPath: string): string => entryText(signatures, kernelsPath, twins.callees)
  const kernelAt = (text: string, offset: number): Place | undefined => {
    const signature = signatures[entryAt(text, offset) ?? -1]
    return signature && placeOf(source!, signature.declaration.name)
  }
  for (;;) {
    const memoryBase = windows.baseFor(file)
    const assembly = { file, sources, added: twins.text, entry, kernelAt, memoryBase, timeLimit }
    const assembled = await assemble(assembly)
    const data = inspect(assembled, memoryBase, signatures, sources)
    // A file that has outgrown its window is compiled once more, for a larger one.
    if (windows.settle(file, data)) return describe(sources, signatures, assembled, data)
  }
}

function read(source: ParsedSource): { signatures: KernelSignature[]; twins: LaneTwins } {
  try {
    const signatures = readSignatures(source)
    return { signatures, twins: laneTwins(source, signatures) }
  } catch (error) {
    // Whoever called may have left little of the stack.
    if (errorName(error) !== 'RangeError') throw error
    throw new KernelSourceError([problemAt(placeOf(source, source.tree), TOO_DEEP)])
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
