// Owns reading wasm's binary format: numbers, names, and how long each instruction is. It must never read a byte past the end
// that it was given.

import { fromUtf8 } from './encodings'

/** Thrown when bytes do not mean what they should, or an instruction is none of those that are known here. */
export class Unreadable extends Error {}

export class WasmReader {
  at = 0

  constructor(
    readonly bytes: Uint8Array,
    public end = bytes.length,
  ) {}

  byte(): number {
    if (this.at >= this.end) throw new Unreadable('it ends too early')
    return this.bytes[this.at++] as number
  }

  /** A LEB128 number of up to 64 bits; those above 32 are dropped. Signed ones fill up their sign. */
  private leb(signed: boolean): number {
    let result = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte()
      if (shift < 32) result |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        return signed && byte >= 0x40 && shift < 25 ? result | (-1 << (shift + 7)) : result
      }
    }
    throw new Unreadable('it has a number of more than 64 bits')
  }

  unsigned(): number {
    return this.leb(false) >>> 0
  }

  signed(): number {
    return this.leb(true)
  }

  skip(bytes: number): void {
    if (bytes > this.end - this.at) throw new Unreadable('it ends too early')
    this.at += bytes
  }

  name(): string {
    const length = this.unsigned()
    const start = this.at
    this.skip(length)
    return fromUtf8(this.bytes.subarray(start, this.at))
  }

  /** A type of values, as a word; throws for references other than to functions and to things of the host. */
  valueType(): string {
    const byte = this.byte()
    const name = VALUE_TYPES[byte]
    if (name === undefined)
      throw new Unreadable(`it uses a type of values (${hex(byte)}) that kernels have no use for`)
    return name
  }

  /**
   * Skips one instruction and returns its opcode; those behind a prefix byte are `prefix << 16 | number`.
   *
   * @throws Unreadable for an instruction outside WebAssembly 2.0 (with its SIMD) and tail calls
   */
  instruction(): number {
    let opcode = this.byte()
    let shape = SHAPES[opcode] as number
    if (opcode === 0xfc || opcode === 0xfd) {
      const number = this.unsigned()
      shape = (opcode === 0xfc ? BULK_SHAPES : SIMD_SHAPES)[number] ?? UNKNOWN
      opcode = (opcode << 16) | number
    }
    if (shape === UNKNOWN) {
      throw new Unreadable(
        `it uses an instruction (${hex(opcode)}) outside WebAssembly 2.0: leave out threads, exceptions, garbage collection and relaxed SIMD`,
      )
    }
    if (shape === BLOCK) this.blockType()
    else if (shape === MEMORY || shape === MEMORY_LANE) this.memoryAccess()
    else if (shape === TYPES) for (let left = this.unsigned(); left > 0; left--) this.valueType()
    else if (shape === LABELS) for (let left = this.unsigned() + 1; left > 0; left--) this.unsigned()
    else if (shape < LANE) for (let left = shape; left > 0; left--) this.unsigned()
    this.skip(shape >= LANE ? (BYTES_OF[shape - LANE] as number) : 0)
    return opcode
  }

  private blockType(): void {
    const first = this.bytes[this.at] as number
    // Nothing, or one of the types of values, is one byte; all else is the number of a type.
    if (first === 0x40) this.skip(1)
    else if (first > 0x40 && first < 0x80) this.valueType()
    else this.unsigned()
  }

  private memoryAccess(): void {
    // Bit 6 says that the number of a memory follows.
    if (this.unsigned() & 0x40) this.unsigned()
    this.unsigned()
  }
}

export function hex(number: number): string {
  return `0x${number.toString(16)}`
}

const VALUE_TYPES: Record<number, string> = {
  0x7f: 'i32',
  0x7e: 'i64',
  0x7d: 'f32',
  0x7c: 'f64',
  0x7b: 'v128',
  0x70: 'funcref',
  0x6f: 'externref',
}

// What follows an opcode. 0, 1, 2: so many LEB128 numbers.
const BLOCK = 3
const LABELS = 4
const TYPES = 5
const MEMORY = 6
const UNKNOWN = 7
// From here on bytes follow, as many as BYTES_OF says.
const LANE = 8
const MEMORY_LANE = 9
const FOUR = 10
const EIGHT = 11
const SIXTEEN = 12
const BYTES_OF = [1, 1, 4, 8, 16]

/** What follows each opcode, from runs of opcodes: the first one of a run and the shape that it begins. */
function shapes(length: number, ...runs: number[]): Uint8Array {
  const table = new Uint8Array(length)
  for (let i = 0; i < runs.length; i += 2) table.fill(runs[i + 1] as number, runs[i])
  return table
}

// prettier-ignore
const SHAPES = /* @__PURE__ */ shapes(
  256,
  0x02, BLOCK, 0x05, 0, 0x06, UNKNOWN, 0x0b, 0, 0x0c, 1, 0x0e, LABELS, 0x0f, 0,
  // Calls, then those by reference, which are not known here.
  0x10, 1, 0x11, 2, 0x12, 1, 0x13, 2, 0x14, UNKNOWN,
  0x1a, 0, 0x1c, TYPES, 0x1d, UNKNOWN,
  // Locals, globals, tables.
  0x20, 1, 0x27, UNKNOWN,
  0x28, MEMORY, 0x3f, 1, 0x43, FOUR, 0x44, EIGHT,
  // Arithmetic.
  0x45, 0, 0xc5, UNKNOWN,
  0xd0, 1, 0xd1, 0, 0xd2, 1, 0xd3, UNKNOWN,
)
/** Behind 0xfc: conversions, then copying and filling of memory and tables. */
const BULK_SHAPES = /* @__PURE__ */ shapes(18, 8, 2, 9, 1, 10, 2, 11, 1, 12, 2, 13, 1, 14, 2, 15, 1)
/** Behind 0xfd. */
// prettier-ignore
const SIMD_SHAPES = /* @__PURE__ */ shapes(
  256,
  0, MEMORY, 12, SIXTEEN, 14, 0, 21, LANE, 35, 0, 84, MEMORY_LANE, 92, MEMORY, 94, 0,
)
