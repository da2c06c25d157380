// Owns the check of a kernel's wasm module before it may touch a world: a walk over its sections and instructions.
// kernelInstance.ts uses what it learned.

import { CORE_START } from '../../build/layout'
import { StrataTypeError } from '../memory/errors'
import { Unreadable, WasmReader, hex } from '../memory/wasmReader'

/** A module that met every condition that does not depend on the world. */
export interface KernelModule {
  readonly module: WebAssembly.Module
  /** The source file, for messages. */
  readonly file: string
  /** The part of page 0 that its data segments write: from `start` up to `end`; equal when there is none. */
  readonly window: MemoryWindow
  /** The pages that it wants the memory to have at least, and those it allows. */
  readonly minimumPages: number
  readonly maximumPages: number
  /** The types of the functions that it exports, by name, as '(i32) -> f64'. */
  readonly functions: ReadonlyMap<string, string>
}

export interface MemoryWindow {
  readonly start: number
  readonly end: number
}

const MEMORY_GROW = 0x40
const END = 0x0b
const I32_CONST = 0x41

/** The functions that a kernel may import besides the memory. */
const IMPORTED_FUNCTIONS: Record<string, string> = {
  abort: '(i32, i32, i32, i32) -> ()',
  trace: '(i32, i32, f64, f64, f64, f64, f64) -> ()',
}

/** Refuses the module of `file`. The sentence goes on from 'it'. */
export function refuseModule(file: string, sentence: string): never {
  throw new StrataTypeError('INVALID_KERNEL', `The kernels of ${file} cannot run in this world: ${sentence}.`)
}

/**
 * Compiles a module and checks that it can do nothing to a world but what its functions do when they are called:
 * it imports the memory, abort and trace at most, has no memory and no start function of its own, writes data into
 * page 0 only, and has no instruction that grows the memory. Costs one pass over the bytes.
 *
 * @param file named in messages
 * @throws StrataTypeError INVALID_KERNEL that says what to change
 */
export function checkKernelModule(bytes: Uint8Array, file: string): KernelModule {
  let module: WebAssembly.Module
  try {
    // The host validates: from here on the bytes are known to be well-formed.
    module = new WebAssembly.Module(bytes as BufferSource)
  } catch (error) {
    refuseModule(file, `it is not a valid wasm module (${(error as Error).message}). Compile it again`)
  }
  return new ModuleWalk(new WasmReader(bytes), module, file).walk()
}

/**
 * Checks that a module has a kernel.
 *
 * @param returns whether it returns a result
 * @throws StrataTypeError INVALID_KERNEL
 */
export function checkKernelExport({ functions, file }: KernelModule, kernel: string, returns: boolean): void {
  const wanted = returns ? '(i32, i32, f64) -> f64' : '(i32, i32) -> ()'
  const type = functions.get(kernel)
  if (type === wanted) return
  const found = type === undefined ? 'exports no such function' : `exports it as ${type}`
  refuseModule(
    file,
    `the description names the kernel ${kernel}, of type ${wanted}, and the module ${found}. Compile it again, and use both as they come`,
  )
}

class ModuleWalk implements KernelModule {
  minimumPages = 0
  maximumPages = 0x10000
  readonly functions = new Map<string, string>()
  private readonly types: string[] = []
  /** The type of each function, imported ones first. */
  private readonly functionTypes: string[] = []
  private readonly codeReader: WasmReader
  private memories = 0
  private start = CORE_START
  private end = 0

  constructor(
    private readonly reader: WasmReader,
    readonly module: WebAssembly.Module,
    readonly file: string,
  ) {
    this.codeReader = new WasmReader(reader.bytes)
  }

  get window(): MemoryWindow {
    return this.end === 0 ? { start: 0, end: 0 } : { start: this.start, end: this.end }
  }

  walk(): KernelModule {
    const { reader } = this
    try {
      // The magic number and the version; the host has compared them.
      reader.skip(8)
      while (reader.at < reader.end) {
        const id = reader.byte()
        const size = reader.unsigned()
        const next = reader.at + size
        this.section(id)
        reader.at = next
      }
    } catch (error) {
      if (error instanceof Unreadable) this.refuse(error.message)
      throw error
    }
    const { module, file, window, minimumPages, maximumPages, functions } = this
    return { module, file, window, minimumPages, maximumPages, functions }
  }

  /** Stands at the content of a section. Custom ones, tables, globals, elements and counts of data can do no harm. */
  private section(id: number): void {
    if (id === 1) this.each(() => this.types.push(this.functionType()))
    else if (id === 2) this.each(() => this.import())
    else if (id === 3) this.each(() => this.functionTypes.push(this.types[this.reader.unsigned()] as string))
    else if (id === 5) this.each(() => this.refuse(OWN_MEMORY))
    else if (id === 7) this.each(() => this.export())
    else if (id === 8) this.refuse(START_FUNCTION)
    else if (id === 10) this.each(() => this.body())
    else if (id === 11) this.each(() => this.data())
    else if (id > 12) {
      this.refuse(
        `it has a section (${id}) outside WebAssembly 2.0: leave out exceptions and other later features`,
      )
    }
  }

  /** Each item of a list. */
  private each(item: () => void): void {
    for (let left = this.reader.unsigned(); left > 0; left--) item()
  }

  private functionType(): string {
    const form = this.reader.byte()
    if (form !== 0x60)
      this.refuse(`it declares a type (${hex(form)}) that is no function: leave out garbage collection`)
    const parameters = this.valueTypes()
    return `${parameters} -> ${/* in this order */ this.valueTypes()}`.replace(/-> \((\w+)\)$/, '-> $1')
  }

  private valueTypes(): string {
    const names: string[] = []
    this.each(() => names.push(this.reader.valueType()))
    return `(${names.join(', ')})`
  }

  private import(): void {
    const { reader } = this
    const module = reader.name()
    const name = reader.name()
    const kind = reader.byte()
    if (module === 'env' && name === 'memory' && kind === 2) return this.memory()
    const wanted = module === 'env' && kind === 0 ? IMPORTED_FUNCTIONS[name] : undefined
    if (wanted === undefined) {
      this.refuse(
        `it imports ${KINDS[kind] ?? 'something'} ${module}.${name}, and kernels are given env.memory, env.abort and env.trace only. Remove what uses it`,
      )
    }
    const type = this.types[reader.unsigned()] as string
    if (type !== wanted) this.refuse(`it imports env.${name} as ${type}: declare it as ${wanted}`)
    this.functionTypes.push(type)
  }

  private memory(): void {
    const { reader } = this
    const flags = reader.byte()
    if (this.memories++ > 0) this.refuse('it imports more than one memory: import env.memory once')
    if (flags & 2) this.refuse('it imports a shared memory: compile it without --sharedMemory')
    if (flags & 4) this.refuse('it imports a memory of 64 bits: compile it for wasm32')
    if (flags > 1) this.refuse(`it imports a memory with flags (${hex(flags)}) outside WebAssembly 2.0`)
    this.minimumPages = reader.unsigned()
    if (flags === 1) this.maximumPages = reader.unsigned()
  }

  private export(): void {
    const { reader } = this
    const name = reader.name()
    const kind = reader.byte()
    const index = reader.unsigned()
    if (kind === 0) this.functions.set(name, this.functionTypes[index] as string)
  }

  /** The local variables and the instructions of one function. */
  private body(): void {
    const size = this.reader.unsigned()
    const code = this.codeReader
    code.at = this.reader.at
    this.reader.skip(size)
    code.end = this.reader.at
    for (let left = code.unsigned(); left > 0; left--) {
      code.unsigned()
      code.valueType()
    }
    let opcode = -1
    while (code.at < code.end) {
      opcode = code.instruction()
      if (opcode === MEMORY_GROW) this.refuse(GROWS)
    }
    // Were the walk out of step with the code, it would have to be so lucky as to stop right behind an `end`.
    if (opcode !== END) this.refuse('the end of one of its functions was not found')
  }

  private data(): void {
    const { reader } = this
    const flags = reader.unsigned()
    // Passive: copied when a function asks for it, which is a write like any other.
    if (flags === 1) return reader.skip(reader.unsigned())
    if (flags === 2) reader.unsigned()
    if (reader.byte() !== I32_CONST) this.refuse(COMPUTED_DATA)
    const start = reader.signed()
    if (reader.byte() !== END) this.refuse(COMPUTED_DATA)
    const size = reader.unsigned()
    reader.skip(size)
    if (size === 0) return
    if (start < 0 || start + size > CORE_START) {
      const from = start >>> 0
      this.refuse(
        `it writes data to ${hex(from)}..${hex(from + size)}, outside of page 0. Compile it with --memoryBase 1024 --lowMemoryLimit ${CORE_START}, and keep large tables in components or resources`,
      )
    }
    this.start = Math.min(this.start, start)
    this.end = Math.max(this.end, start + size)
  }

  private refuse(sentence: string): never {
    refuseModule(this.file, sentence)
  }
}

const KINDS = ['the function', 'the table', 'the memory', 'the global', 'the tag']
const OWN_MEMORY = 'it has a memory of its own. Compile it with --importMemory'
const START_FUNCTION =
  'it has a start function, which would run before any kernel is called. Move top-level statements, and variables whose value is computed, into a kernel'
const GROWS =
  'it grows the memory, which would make every view of this world stale. Remove memory.grow and what allocates: new, arrays, strings'
const COMPUTED_DATA =
  'it has data at a place that is computed. Give its data segments constant addresses, as --memoryBase does'
