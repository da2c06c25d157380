// Owns the instances of kernel modules over one world's memory: which part of page 0 each of them has, and what they import. It
// must never instantiate a module that kernelModule.ts has not checked.

import { CORE_START_WORD } from '../../build/layout'
import { PAGE_BYTES, readString } from '../memory/core'
import { type KernelModule, type MemoryWindow, refuseModule } from './kernelModule'

/** The entry of a kernel: takes blocks of arguments and a reduction's result so far, returns that of these, too. */
export type InstanceFunction = (first: number, count: number, result: number) => number | undefined

interface OwnedWindow extends MemoryWindow {
  /** Whose it is, for messages. */
  readonly owner: string
  /** Undefined for the core. */
  readonly module: KernelModule | undefined
}

/** The windows of page 0 that are in use in one world. */
export class KernelWindows {
  private readonly windows: OwnedWindow[] = []

  /** Begins with what the core keeps in page 0: the checked one alone keeps something. */
  constructor(memory: WebAssembly.Memory) {
    const window = usedWindow(memory)
    if (window.end > 0) this.windows.push({ ...window, owner: 'the core', module: undefined })
  }

  /** A window in use that this one would overlap. */
  overlapping({ start, end }: MemoryWindow): OwnedWindow | undefined {
    return this.windows.find((window) => start < window.end && window.start < end)
  }

  add(module: KernelModule): void {
    const { window, file } = module
    if (window.end > window.start) this.windows.push({ ...window, owner: file, module })
  }

  get all(): readonly OwnedWindow[] {
    return this.windows
  }
}

/** The part of page 0 that is not zeros, in whole blocks of 16 bytes: where a module without a file has its data. */
export function usedWindow(memory: WebAssembly.Memory): MemoryWindow {
  const words = new Uint32Array(memory.buffer, 0, CORE_START_WORD)
  // Called once in a world, before anything of it is optimised: the engine's own loop takes a third of the time of one in here.
  const first = words.findIndex(Boolean)
  if (first < 0) return { start: 0, end: 0 }
  let last = words.length
  while (words[last - 1] === 0) last--
  return { start: (first << 2) & ~15, end: ((last << 2) + 15) & ~15 }
}

/**
 * Instantiates a checked module over a world's memory. Only its data segments write, inside its window.
 *
 * @param maximumPages how far the memory may grow
 * @param form the form of the module that runs over this memory
 * @returns the exported kernels
 * @throws StrataTypeError INVALID_KERNEL when it does not fit into this world; nothing was written then
 */
export function instantiateKernel(
  kernel: KernelModule,
  memory: WebAssembly.Memory,
  maximumPages: number,
  windows: KernelWindows,
  form: WebAssembly.Module,
): Readonly<Record<string, InstanceFunction>> {
  const { file, window } = kernel
  const pages = memory.buffer.byteLength / PAGE_BYTES
  if (kernel.minimumPages > pages) {
    refuseModule(
      file,
      `it wants a memory of at least ${kernel.minimumPages} pages, and this world's has ${pages}. Compile it with --initialMemory 1, or leave that out`,
    )
  }
  if (kernel.maximumPages < maximumPages) {
    refuseModule(
      file,
      `it allows a memory of at most ${kernel.maximumPages} pages, and this world's may grow to ${maximumPages}. Compile it without --maximumMemory`,
    )
  }
  const other = windows.overlapping(window)
  if (other !== undefined) {
    refuseModule(
      file,
      `its data lies at ${window.start}..${window.end}, where ${other.owner} has its own (${other.start}..${other.end}). Compile it with another --memoryBase`,
    )
  }
  let instance: WebAssembly.Instance
  try {
    instance = new WebAssembly.Instance(form, { env: importsOver(memory, file) })
  } catch (error) {
    refuseModule(file, `the host could not instantiate it (${(error as Error).message})`)
  }
  windows.add(kernel)
  return instance.exports as Record<string, InstanceFunction>
}

/** What kernels traced, and was not printed yet. */
const traced: unknown[][] = []

/**
 * Prints what kernels traced. A console of the program may run kernels and change worlds: it must not be called while a kernel
 * runs, whose arguments and rows would be others then.
 */
export function printTraces(): void {
  if (traced.length === 0) return
  for (const line of traced.splice(0)) console.log(...line)
}

/** What a kernel may call. The caller of the kernel wraps what abort throws in an error that names it. */
function importsOver(memory: WebAssembly.Memory, file: string): WebAssembly.ModuleImports {
  const abort = (message: number, source: number, line: number, column: number): never => {
    const position = `${textAt(memory, source) || file}:${line}:${column}`
    throw new Error(`${textAt(memory, message) || 'abort'} (${position})`)
  }
  const trace = (message: number, count: number, ...numbers: number[]): void => {
    traced.push([`trace: ${textAt(memory, message)}`, ...numbers.slice(0, count)])
  }
  return { memory, abort, trace }
}

/** The string at an address that a kernel gave, which may be any number. */
function textAt(memory: WebAssembly.Memory, address: number): string {
  try {
    return readString(memory, address >>> 0)
  } catch {
    return ''
  }
}
