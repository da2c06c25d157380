// Owns the bytes of a wasm module while it is written: numbers, sections, and the few instructions that have operands.

import { toBase64, utf8 } from '../../../../bindings/memory/encodings'
import { I32_LOAD } from './opcodes'

const LOCAL_GET = 0x20
const LOCAL_SET = 0x21
const LOCAL_TEE = 0x22
const I32_CONST = 0x41
const I64_CONST = 0x42
const F32_CONST = 0x43
const F64_CONST = 0x44
const SIMD = 0xfd

/** Bytes that are handed over in one call. */
const PIECE = 4096

/** Code, or any other part of a module. */
export class Bytes {
  readonly list: number[] = []

  byte(...bytes: number[]): this {
    this.list.push(...bytes)
    return this
  }

  /** A number in LEB128. */
  unsigned(value: number): this {
    let left = value >>> 0
    while (left > 0x7f) {
      this.list.push((left & 0x7f) | 0x80)
      left >>>= 7
    }
    this.list.push(left)
    return this
  }

  private signed(value: number): this {
    let left = value | 0
    for (;;) {
      const low = left & 0x7f
      left >>= 7
      const isLast = left === ((low & 0x40) === 0 ? 0 : -1)
      this.list.push(isLast ? low : low | 0x80)
      if (isLast) return this
    }
  }

  name(text: string): this {
    const bytes = utf8(text)
    return this.unsigned(bytes.length).byte(...bytes)
  }

  /** In pieces: a call takes only so many arguments. The engine copies them faster than a loop that runs for the first time. */
  append({ list }: Bytes): this {
    for (let from = 0; from < list.length; from += PIECE) this.list.push(...list.slice(from, from + PIECE))
    return this
  }

  /** Another part, after its size. */
  sized(other: Bytes): this {
    return this.unsigned(other.list.length).append(other)
  }

  // ── instructions ──

  get(local: number): this {
    return this.byte(LOCAL_GET).unsigned(local)
  }

  set(local: number): this {
    return this.byte(LOCAL_SET).unsigned(local)
  }

  tee(local: number): this {
    return this.byte(LOCAL_TEE).unsigned(local)
  }

  i32(value: number): this {
    return this.byte(I32_CONST).signed(value)
  }

  i64(value: number): this {
    return this.byte(I64_CONST).signed(value)
  }

  f32(value: number): this {
    return this.byte(F32_CONST, ...new Uint8Array(new Float32Array([value]).buffer))
  }

  f64(value: number): this {
    return this.byte(F64_CONST, ...new Uint8Array(new Float64Array([value]).buffer))
  }

  simd(opcode: number): this {
    return this.byte(SIMD).unsigned(opcode)
  }

  /** A load or a store. Alignment is a hint, and the columns of runs begin anywhere. */
  memory(opcode: number, offset: number): this {
    return this.byte(opcode, 0).unsigned(offset)
  }

  simdMemory(opcode: number, offset: number): this {
    return this.simd(opcode).byte(0).unsigned(offset)
  }

  /** Loads a word of the arguments, which begin at an address in a local. */
  word(local: number, offset: number): this {
    return this.get(local).memory(I32_LOAD, offset)
  }

  /** All of it as base64. */
  base64(): string {
    return toBase64(this.list)
  }
}
