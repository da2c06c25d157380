// Owns the way from a kernel's source to its module: read, describe, compile, look at the result, write it as text.
// It must never write a file.

import { basename, resolve } from 'node:path'
import type { KernelCode, KernelDescription } from '../bindings/kernel'
import { assemble } from './assemble'
import { declarationText, moduleText, type EmittedKernel } from './emission'
import { FORMAT, entryText } from './entry'
import { inspect } from './inspection'
import { readSignatures } from './signatures'
import type { KernelSourceProblem } from './sourceError'
import { readSources, type ReadSource } from './sources'
import { FIRST_BASE, Windows, type Window } from './windows'

export interface CompileOptions {
  /** Address in memory page 0 where the data of the file begins, if it has any: from 16 to 65,535. Default 1024. */
  readonly memoryBase?: number
  /** How a file is read, by its absolute path; the disk by default. */
  readonly read?: ReadSource
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
 * @throws KernelSourceError with file, line and column of everything that no kernel may hold
 */
export async function compileKernels(file: string, options: CompileOptions = {}): Promise<CompiledKernels> {
  const windows = new Windows(options.memoryBase ?? FIRST_BASE)
  return compileInWindow(file, windows, options.read)
}

/** Compiles one file of several that share a world: each has its data in a window of its own. */
export async function compileInWindow(
  file: string,
  windows: Windows,
  read?: ReadSource,
): Promise<CompiledKernels> {
  const path = resolve(file)
  const sources = await readSources(path, read)
  const source = sources.get(path)!
  const signatures = readSignatures(source)
  const entry = entryText(signatures, `./${basename(path, '.ts')}`)

  for (;;) {
    const memoryBase = windows.baseFor(path)
    const assembled = await assemble({ file: path, sources, entry, memoryBase })
    const { bytes, warnings } = assembled
    const data = inspect(assembled, memoryBase, path, sources)
    if (!windows.settle(path, data)) continue
    const code: KernelCode = { file: basename(path), bytes: Buffer.from(bytes).toString('base64') }
    const emitted = signatures.map(({ name, parameters, result, doc }): EmittedKernel => {
      return { description: { kernel: name, format: FORMAT, code, parameters, result }, doc }
    })
    return {
      file: path,
      kernels: emitted.map(({ description }) => description),
      bytes,
      module: moduleText(emitted),
      declarations: declarationText(emitted),
      sources: [...sources.keys()],
      data,
      warnings,
    }
  }
}
