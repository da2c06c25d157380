// Shows the conditions on a kernel's module one by one, the sentence that each is refused with, and what an instance may touch.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import asc from 'assemblyscript/asc'
import { readFileSync } from 'node:fs'
import { StrataTypeError } from '../../bindings/memory/errors'
import {
  KernelWindows,
  instantiateKernel,
  printTraces,
  usedWindow,
} from '../../bindings/kernels/kernelInstance'
import { checkKernelExport, checkKernelModule } from '../../bindings/kernels/kernelModule'
import { Unreadable, WasmReader } from '../../bindings/memory/wasmReader'
import {
  F64,
  FUNCTION,
  I32,
  I64,
  MEMORY,
  type Sections,
  body,
  data,
  exported,
  functionType,
  imported,
  moduleOf,
} from '../support/wasmBytes'
import { wat } from '../support/wat'

const FILE = 'movement.kernel.ts'

const MEMORY_IMPORT = '(import "env" "memory" (memory 0))'
const MOVE = '(func (export "move") (param i32))'
const ENTRY = '(func (export "move") (param i32 i32))'

function refusal(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    expect(error).toBeInstanceOf(StrataTypeError)
    expect((error as StrataTypeError).code).toBe('INVALID_KERNEL')
    expect((error as StrataTypeError).message).toContain(FILE)
    return (error as StrataTypeError).message
  }
  throw new Error('it was accepted')
}
const refused = (bytes: Uint8Array) => refusal(() => checkKernelModule(bytes, FILE))
const refusedText = (text: string) => refused(wat(`(module ${text})`))

const createMemory = () => new WebAssembly.Memory({ initial: 16, maximum: 32768 })

describe('a module is accepted', () => {
  it('with the memory, abort and trace imported', () => {
    const bytes = wat(`(module
      (import "env" "abort" (func $abort (param i32 i32 i32 i32)))
      (import "env" "trace" (func $trace (param i32 i32 f64 f64 f64 f64 f64)))
      ${MEMORY_IMPORT} ${MOVE}
      (func (export "total") (param i32) (result f64) (f64.const 1)))`)
    const module = checkKernelModule(bytes, FILE)
    expect(module.file).toBe(FILE)
    expect(module.window).toEqual({ start: 0, end: 0 })
    expect(module.functions.get('move')).toBe('(i32) -> ()')
    expect(module.functions.get('total')).toBe('(i32) -> f64')
  })

  it('with tables, elements, globals and exports of its own: none of them reaches beyond it', () => {
    const bytes = wat(`(module ${MEMORY_IMPORT} (export "memory" (memory 0))
      (global $seed (mut i32) (i32.const 3)) (export "seed" (global $seed))
      (table 2 funcref) (elem (i32.const 0) $move)
      (func $move (export "move") (param i32) (call_indirect (param i32) (local.get 0) (i32.const 0))))`)
    expect(checkKernelModule(bytes, FILE).functions.has('move')).toBe(true)
  })

  it('with data in page 0, from the lowest address to the highest', () => {
    const bytes = wat(`(module ${MEMORY_IMPORT} ${MOVE}
      (data (i32.const 4096) "abc") (data (i32.const 1024) "defg") (data "passive"))`)
    expect(checkKernelModule(bytes, FILE).window).toEqual({ start: 1024, end: 4099 })
    const last = moduleOf({ ...KERNEL, data: [data(0xffff, [1])] })
    expect(checkKernelModule(last, FILE).window).toEqual({ start: 0xffff, end: 0x10000 })
  })

  it('with an empty segment anywhere, since it writes nothing', () => {
    const bytes = moduleOf({ ...KERNEL, data: [data(0x10000, [])] })
    expect(checkKernelModule(bytes, FILE).window).toEqual({ start: 0, end: 0 })
  })

  it('with an address that names the only memory by its number', () => {
    // i32.load with bit 6 of the alignment set: the number of the memory follows.
    const explicit = [0x41, 0, 0x28, 0x42, 0, 0, 0x1a]
    const bytes = moduleOf({ ...KERNEL, code: [body([], explicit)] })
    // Hosts that do not know several memories refuse it as invalid.
    if (WebAssembly.validate(bytes)) expect(checkKernelModule(bytes, FILE).functions.has('move')).toBe(true)
    const reader = new WasmReader(Uint8Array.from(explicit.slice(2)))
    reader.instruction()
    expect(reader.at).toBe(4)
  })

  it('whatever functions it exports', () => {
    const bytes = moduleOf({
      types: [functionType([I32], []), functionType([I32], [F64]), functionType([I64], [F64, F64])],
      functions: [[0], [1], [2]],
      exports: ['a', 'b', 'c'].map((name, i) => exported(name, FUNCTION, i)),
      code: [body([], []), body([], [0x00]), body([], [0x00])],
    })
    const types = [...checkKernelModule(bytes, FILE).functions.values()]
    expect(types).toEqual(['(i32) -> ()', '(i32) -> f64', '(i64) -> (f64, f64)'])
  })
})

/** The least that is a module with a kernel. */
const KERNEL = {
  types: [functionType([I32], [])],
  imports: [imported('env', 'memory', MEMORY, 0, 0)],
  functions: [[0]],
  exports: [exported('move', FUNCTION, 0)],
  code: [body([], [])],
} satisfies Sections

describe('a module is refused', () => {
  it.each([
    ['nothing at all', new Uint8Array(0)],
    ['a text', new TextEncoder().encode('export function move() {}')],
    ['another version', Uint8Array.of(0, 0x61, 0x73, 0x6d, 2, 0, 0, 0)],
    ['a section that is cut', moduleOf(KERNEL).subarray(0, 20)],
    ['code of wrong types', moduleOf({ ...KERNEL, code: [body([], [0x41, 0])] })],
  ])('that is %s', (_, bytes) => {
    expect(refused(bytes)).toMatch(/not a valid wasm module \(.+\)\. Compile it again\.$/)
  })

  it.each(['env.seed', 'env.now', 'Math.random', 'env.memory2'])('that imports the function %s', (name) => {
    const [module, field] = name.split('.')
    expect(refusedText(`${MEMORY_IMPORT} (import "${module}" "${field}" (func)) ${MOVE}`)).toMatch(
      `it imports the function ${name}, and kernels are given env.memory, env.abort and env.trace only`,
    )
  })

  it.each([
    ['table', '(import "env" "table" (table 1 funcref))'],
    ['global', '(import "env" "memory" (global i32))'],
    ['global', '(import "env" "abort" (global (mut i32)))'],
    ['tag', '(import "env" "abort" (tag))'],
    ['memory', '(import "js" "memory" (memory 1))'],
  ])('that imports a %s: %s', (kind, text) => {
    expect(refusedText(`${text} ${MOVE}`)).toMatch(`it imports the ${kind} `)
  })

  it('that imports abort or trace with another type', () => {
    expect(refusedText('(import "env" "abort" (func (param i32)))')).toMatch(
      'it imports env.abort as (i32) -> (): declare it as (i32, i32, i32, i32) -> ()',
    )
    expect(refusedText('(import "env" "trace" (func (param i64 f32) (result f64)))')).toMatch(
      'it imports env.trace as (i64, f32) -> f64',
    )
  })

  it('that has a memory of its own', () => {
    expect(refusedText(`(memory 1) ${MOVE}`)).toMatch(/a memory of its own\. Compile it with --importMemory/)
  })

  it('that imports more than one memory', () => {
    const bytes = moduleOf({ ...KERNEL, imports: [...KERNEL.imports, ...KERNEL.imports] })
    expect(refused(bytes)).toMatch(/more than one memory|not a valid wasm module/)
  })

  it('that imports a shared memory', () => {
    expect(refusedText(`(import "env" "memory" (memory 1 16 shared)) ${MOVE}`)).toMatch(/--sharedMemory/)
  })

  it('that imports a memory of 64 bits', () => {
    const bytes = moduleOf({ ...KERNEL, imports: [imported('env', 'memory', MEMORY, 4, 1)] })
    expect(refused(bytes)).toMatch(/64 bits|not a valid wasm module/)
  })

  it('that has a start function', () => {
    expect(refusedText(`${MEMORY_IMPORT} ${MOVE} (func $run) (start $run)`)).toMatch(
      /a start function, which would run before any kernel is called\. Move top-level statements/,
    )
  })

  it.each([
    ['plainly', '(drop (memory.grow (i32.const 1)))'],
    ['deep inside', '(block (loop (if (local.get 0) (then (block (drop (memory.grow (i32.const 1))))))))'],
    ['behind SIMD', '(drop (v128.const i32x4 64 64 64 64)) (drop (memory.grow (i32.const 0)))'],
  ])('that grows the memory, %s', (_, code) => {
    expect(refusedText(`${MEMORY_IMPORT} (func (export "move") (param i32) ${code})`)).toMatch(
      /grows the memory/,
    )
  })

  it('that grows the memory in a function that nothing calls', () => {
    expect(refusedText(`${MEMORY_IMPORT} ${MOVE} (func (drop (memory.grow (i32.const 1))))`)).toMatch(/grows/)
  })

  it('but not for having the byte of memory.grow in its numbers', () => {
    const code = [
      0x41, 0x40, 0x1a, 0x41, 0xc0, 0x80, 0x40, 0x1a, 0x43, 0x40, 0x40, 0x40, 0x40, 0x1a, 0x02, 0x40, 0x0b,
    ]
    expect(checkKernelModule(moduleOf({ ...KERNEL, code: [body([], code)] }), FILE).functions.size).toBe(1)
  })

  it.each([
    [0x10000, 'right behind page 0', [1]],
    [0xffff, 'across its end', [1, 2]],
    [-1, 'at the highest address', [1]],
    [-0x80000000, 'in the upper half', [1]],
    [0x30000, 'in the heap', [1, 2, 3]],
  ])('that has data at %i, %s', (address, _, bytes) => {
    expect(refused(moduleOf({ ...KERNEL, data: [data(1024, [1]), data(address, bytes)] }))).toMatch(
      `it writes data to 0x${(address >>> 0).toString(16)}..`,
    )
  })

  it('that has data at an address that is computed', () => {
    const computed = [0, 0x41, 0, 0x41, 1, 0x6a, 0x0b, 1, 1]
    expect(refused(moduleOf({ ...KERNEL, data: [computed] }))).toMatch(/computed|not a valid wasm module/)
  })

  it.each([
    ['threads', '(drop (i32.atomic.load (local.get 0)))', /an instruction \(0xfe\)/],
    [
      'relaxed SIMD',
      '(drop (i32x4.relaxed_trunc_f32x4_s (v128.const i32x4 0 0 0 0)))',
      /an instruction|not a valid/,
    ],
    ['exceptions', '(try (do) (catch_all))', /an instruction \(0x6\)/],
    ['references to functions', '(drop (ref.as_non_null (ref.func $move)))', /an instruction|not a valid/],
  ])('that uses %s', (_, code, sentence) => {
    const text = `${MEMORY_IMPORT} (elem declare func $move) (func $move (export "move") (param i32) ${code})`
    expect(refusedText(text)).toMatch(sentence)
  })

  it('that declares a tag', () => {
    expect(refusedText(`${MEMORY_IMPORT} ${MOVE} (tag)`)).toMatch(/a section \(13\) outside WebAssembly 2\.0/)
  })

  it('that lacks a kernel of its description, or has it with another type', () => {
    const module = checkKernelModule(wat(`(module ${ENTRY} (func (export "sum") (param f32)))`), FILE)
    checkKernelExport(module, 'move', false)
    const message = (name: string, returns: boolean) =>
      refusal(() => checkKernelExport(module, name, returns))
    expect(message('move', true)).toMatch(
      'kernel move, of type (i32, i32, f64) -> f64, and the module exports it as (i32, i32) -> ()',
    )
    expect(message('sum', false)).toMatch('exports it as (f32) -> ()')
    expect(message('drift', false)).toMatch('exports no such function')
    // A global of that name is no function.
    const global = moduleOf({
      ...KERNEL,
      globals: [[I32, 0, 0x41, 0, 0x0b]],
      exports: [exported('move', 3, 0)],
    })
    expect(refusal(() => checkKernelExport(checkKernelModule(global, FILE), 'move', false))).toMatch(
      'no such function',
    )
  })
})

describe('the reader', () => {
  it('knows no instruction outside WebAssembly 2.0 and tail calls', () => {
    const unknown: number[] = []
    for (let opcode = 0; opcode < 256; opcode++) {
      if (opcode === 0xfc || opcode === 0xfd) continue
      const bytes = new Uint8Array(40)
      bytes[0] = opcode
      try {
        new WasmReader(bytes).instruction()
      } catch (error) {
        expect(error).toBeInstanceOf(Unreadable)
        unknown.push(opcode)
      }
    }
    const range = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, i) => first + i)
    expect(unknown).toEqual(
      [
        range(0x06, 0x0a),
        range(0x14, 0x19),
        range(0x1d, 0x1f),
        [0x27],
        range(0xc5, 0xcf),
        range(0xd3, 0xfb),
        [0xfe, 0xff],
      ].flat(),
    )
  })

  it('refuses numbers after a prefix that have no meaning', () => {
    const reader = (...bytes: number[]) => new WasmReader(Uint8Array.from(bytes))
    expect(() => reader(0xfc, 18, 0, 0).instruction()).toThrow(Unreadable)
    expect(() => reader(0xfd, 0x80, 2, 0).instruction()).toThrow(Unreadable)
    expect(() => reader(0xfd, 0xff, 0xff, 0xff, 0xff, 0x0f).instruction()).toThrow(Unreadable)
    expect(reader(0xfd, 0xff, 1).instruction()).toBe(0xfd00ff)
  })

  it('reads numbers with their signs', () => {
    const signed = (...bytes: number[]) => new WasmReader(Uint8Array.from(bytes)).signed()
    expect(signed(0x3f)).toBe(63)
    expect(signed(0x40)).toBe(-64)
    expect(signed(0x7f)).toBe(-1)
    expect(signed(0xff, 0x00)).toBe(127)
    expect(signed(0x80, 0x7f)).toBe(-128)
    expect(signed(0xff, 0xff, 0xff, 0xff, 0x07)).toBe(0x7fffffff)
    expect(signed(0x80, 0x80, 0x80, 0x80, 0x78)).toBe(-0x80000000)
    const unsigned = (...bytes: number[]) => new WasmReader(Uint8Array.from(bytes)).unsigned()
    expect(unsigned(0xff, 0xff, 0xff, 0xff, 0x0f)).toBe(0xffffffff)
  })

  it('never reads beyond its end, nor for ever', () => {
    expect(() => new WasmReader(new Uint8Array(0)).byte()).toThrow(Unreadable)
    expect(() => new WasmReader(Uint8Array.of(5, 1)).name()).toThrow(Unreadable)
    expect(() => new WasmReader(new Uint8Array(99).fill(0x80)).unsigned()).toThrow(Unreadable)
    expect(() => new WasmReader(Uint8Array.of(0x0e, 0xff, 0xff, 0xff, 0xff, 0x0f)).instruction()).toThrow(
      Unreadable,
    )
  })
})

describe('an instance', () => {
  const instantiate = (
    bytes: Uint8Array,
    memory: WebAssembly.Memory,
    windows = new KernelWindows(memory),
  ) => {
    const kernel = checkKernelModule(bytes, FILE)
    return instantiateKernel(kernel, memory, 32768, windows, kernel.module)
  }

  it('writes its data and leaves everything else as it was', () => {
    const memory = createMemory()
    const bytes = new Uint8Array(memory.buffer).fill(0xa5)
    // What is in page 0 belongs to the core; here it does not matter.
    const windows = new KernelWindows(createMemory())
    instantiate(
      wat(`(module ${MEMORY_IMPORT} ${MOVE} (data (i32.const 2000) "\\01\\02\\03"))`),
      memory,
      windows,
    )
    expect([...bytes.subarray(2000, 2003)]).toEqual([1, 2, 3])
    bytes.fill(0xa5, 2000, 2003)
    expect(bytes.every((byte) => byte === 0xa5)).toBe(true)
  })

  it('has its window of page 0 to itself', () => {
    const memory = createMemory()
    const windows = new KernelWindows(memory)
    const at = (address: number, length: number) =>
      moduleOf({ ...KERNEL, data: [data(address, Array(length).fill(7))] })
    instantiate(at(1024, 100), memory, windows)
    instantiate(at(1124, 10), memory, windows)
    instantiate(at(1000, 24), memory, windows)
    instantiate(moduleOf(KERNEL), memory, windows)
    const before = new Uint8Array(memory.buffer).slice(0, 0x10000)
    for (const [address, length] of [
      [1024, 1],
      [1123, 1],
      [1000, 200],
      [1050, 5],
      [900, 101],
    ]) {
      expect(refusal(() => instantiate(at(address, length), memory, windows))).toMatch(
        /where movement\.kernel\.ts has its own \(\d+\.\.\d+\)\. Compile it with another --memoryBase/,
      )
    }
    expect(new Uint8Array(memory.buffer).slice(0, 0x10000)).toEqual(before)
    // Another world has a page 0 of its own.
    instantiate(at(1024, 1), createMemory())
  })

  it('keeps clear of the data of the core', () => {
    const memory = createMemory()
    new Uint8Array(memory.buffer).set([1, 2, 3], 5001)
    new Uint32Array(memory.buffer)[0x10000 >> 2] = 9
    expect(usedWindow(memory)).toEqual({ start: 4992, end: 5008 })
    const at = (address: number) => moduleOf({ ...KERNEL, data: [data(address, [1])] })
    expect(refusal(() => instantiate(at(5007), memory))).toMatch('the core has its own (4992..5008)')
    instantiate(at(5008), memory)
    expect(usedWindow(createMemory())).toEqual({ start: 0, end: 0 })
  })

  it('must import a memory like that of the world', () => {
    const wants = (...limits: number[]) =>
      moduleOf({ ...KERNEL, imports: [imported('env', 'memory', MEMORY, ...limits)] })
    instantiate(wants(0, 16), createMemory())
    expect(refusal(() => instantiate(wants(0, 17), createMemory()))).toMatch(
      /at least 17 pages, and this world's has 16/,
    )
    instantiate(wants(1, 0, 0x80, 0x80, 2), createMemory())
    expect(refusal(() => instantiate(wants(1, 0, 16), createMemory()))).toMatch(
      /at most 16 pages.+--maximumMemory/,
    )
  })

  it('is refused when the host cannot make it', () => {
    // An element outside of its table is found at this time only.
    const bytes = wat(`(module ${MEMORY_IMPORT} (table 1 funcref) (elem (i32.const 5) $move)
      (func $move (export "move") (param i32)))`)
    expect(refusal(() => instantiate(bytes, createMemory()))).toMatch(/could not instantiate it \(.+\)/)
  })

  it('throws the message that abort was compiled with', async () => {
    const source = `export function move(at: i32): void { assert(at < 3, 'the place is too high') }`
    const { error, binary } = await compile(source)
    expect(error).toBe(null)
    const kernels = instantiate(binary, createMemory())
    kernels['move'](1, 0, 0)
    expect(() => kernels['move'](3, 0, 0)).toThrow(/^the place is too high \(movement\.kernel\.ts:1:39\)$/)
  })

  it('that aborts with no message, or with numbers that are not a message, throws an error too', () => {
    const aborting = (text: string) =>
      instantiate(
        wat(`(module (import "env" "abort" (func $abort (param i32 i32 i32 i32))) ${MEMORY_IMPORT}
          (func (export "move") (param i32) (call $abort ${text} (i32.const 4) (i32.const 5))))`),
        createMemory(),
      )
    for (const text of ['(i32.const 0) (i32.const 0)', '(i32.const -1) (i32.const 3)']) {
      expect(() => aborting(text)['move'](0, 0, 0)).toThrow('abort (movement.kernel.ts:4:5)')
    }
  })

  describe('that traces', () => {
    beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
    afterEach(() => void vi.restoreAllMocks())

    it('writes to the console', async () => {
      const { binary } = await compile(`export function move(at: i32): void { trace('at', 2, at, 0.5) }`)
      instantiate(binary, createMemory())['move'](7, 0, 0)
      // A console may do anything, and the kernel may not be done.
      expect(console.log).not.toHaveBeenCalled()
      printTraces()
      expect(console.log).toHaveBeenCalledWith('trace: at', 7, 0.5)
    })
  })
})

/** Compiles AssemblyScript as kernels are, but with asserts and abort. */
async function compile(source: string): Promise<{ error: Error | null; binary: Uint8Array }> {
  let binary = new Uint8Array(0)
  const options =
    '--runtime stub -O3 --importMemory --noExportMemory --memoryBase 1024 --lowMemoryLimit 65536 --enable simd'
  const { error } = await asc.main([FILE, '--outFile', 'out.wasm', ...options.split(' ')], {
    readFile: (name: string) => (name === FILE ? source : null),
    writeFile: (_: string, contents: Uint8Array | string) =>
      void (binary = contents as Uint8Array<ArrayBuffer>),
    listFiles: () => [],
  })
  return { error, binary }
}

describe('modules that the AssemblyScript compiler makes', () => {
  it('are accepted with SIMD, tables and constants in memory', async () => {
    const { error, binary } = await compile(`
      const weights = memory.data<f32>([0.1, 0.2, 0.3, 0.4])
      export function move(at: usize, count: i32): void {
        for (let i = 0; i < count; i += 4) {
          const place = at + (<usize>i << 2)
          v128.store(place, f32x4.mul(v128.load(place), v128.load(weights)))
        }
        memory.copy(at, at + 64, 16)
      }
      export function total(at: usize, count: i32, result: f64): f64 { return result + load<f64>(at) + Math.sqrt(count) }`)
    expect(error).toBe(null)
    const module = checkKernelModule(binary, FILE)
    checkKernelExport(module, 'move', false)
    checkKernelExport(module, 'total', true)
    expect(module.window.start).toBeGreaterThanOrEqual(1024)
  })

  it.each([
    [
      'an array',
      'export function move(at: i32): void { const a = new Array<i32>(at); store<i32>(at, a.length) }',
    ],
    [
      'a value computed at the start',
      'let seed = f(); function f(): i32 { return load<i32>(64) } export function move(at: i32): void { seed = at }',
    ],
    ['the clock', 'export function move(at: i32): void { store<f64>(at, performance.now()) }'],
    ['a random number', 'export function move(at: i32): void { store<f64>(at, Math.random()) }'],
  ])('are refused with %s', async (_, source) => {
    const { error, binary } = await compile(source)
    expect(error).toBe(null)
    expect(refused(binary)).toMatch(/grows the memory|start function|imports the function/)
  })
})

describe('the core itself', () => {
  it.each(['release', 'checked'])('is not a kernel: %s', (name) => {
    expect(refused(readFileSync(`build/${name}.wasm`))).toMatch(/start function|grows the memory/)
  })

  it('keeps the statics of its checked build away from kernels', () => {
    const memory = createMemory()
    const module = new WebAssembly.Module(readFileSync('build/checked.wasm'))
    new WebAssembly.Instance(module, { env: { memory, abort: () => {} } })
    const { start, end } = usedWindow(memory)
    expect(start).toBeGreaterThanOrEqual(57344)
    expect(end).toBeLessThanOrEqual(65536)
  })
})
