// Owns the reading of a kernel's module by its sections. The module has been compiled and checked: nothing in it ends too early.

import type { KernelCode } from '../../../bindings/kernels/kernel'
import { fromBase64 } from '../../../bindings/memory/encodings'

const HEAD_BYTES = 8
export const IMPORTS = 2
export const GLOBALS = 6
export const DATA = 11
export const MEMORY = 2
/** Flags of a segment that is copied by an instruction, and can be dropped. */
export const PASSIVE = 1

export class ModuleBytes {
  at = HEAD_BYTES

  constructor(readonly bytes: Uint8Array) {}

  byte(): number {
    return this.bytes[this.at++] as number
  }

  unsigned(): number {
    let result = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      result |= (byte & 0x7f) << shift
      if (byte < 0x80) return result >>> 0
    }
  }

  skip(bytes: number): void {
    this.at += bytes
  }

  /** Passes over the head of a segment of data, up to its size. Returns its flags. */
  segmentHead(): number {
    const flags = this.unsigned()
    if (flags === PASSIVE) return flags
    if (flags === 2) this.unsigned()
    // Checked: a constant address, in an instruction of two parts, and an end.
    this.skip(1)
    this.unsigned()
    this.skip(1)
    return flags
  }

  /** Calls back at the content of each section, which ends at `end`. */
  sections(section: (id: number, end: number) => void): void {
    while (this.at < this.bytes.length) {
      const id = this.byte()
      const size = this.unsigned()
      const end = this.at + size
      section(id, end)
      this.at = end
    }
  }
}

/** Whether a module declares global variables: every instance has its own. */
export function hasGlobals(bytes: Uint8Array): boolean {
  const reader = new ModuleBytes(bytes)
  let found = false
  reader.sections((id) => {
    if (id === GLOBALS) found = reader.unsigned() > 0
  })
  return found
}

/** The bytes of a module that has been compiled from them. */
export function bytesOf({ bytes }: KernelCode): Uint8Array {
  return fromBase64(bytes)
}
