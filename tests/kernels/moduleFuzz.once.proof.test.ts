// Shows with random wasm modules that the check of kernels accepts what is right, refuses what is wrong, and does nothing else
// whatever the bytes.

import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { StrataTypeError } from '../../bindings/memory/errors'
import { type KernelModule, checkKernelExport, checkKernelModule } from '../../bindings/kernels/kernelModule'
import { WasmReader } from '../../bindings/memory/wasmReader'
import { proofLength } from '../support/proofs'
import { Dice, WRONG_NAMES, randomModule } from '../support/wasmModules'

const seeds = fc.integer()

/** The error that refuses a module; undefined when it is accepted. Any other error is thrown on. */
function refusal(bytes: Uint8Array): StrataTypeError | undefined {
  try {
    check(bytes)
    return undefined
  } catch (error) {
    if (error instanceof StrataTypeError && error.code === 'INVALID_KERNEL') return error
    throw error
  }
}

function check(bytes: Uint8Array): KernelModule {
  const module = checkKernelModule(bytes, 'fuzz.kernel.ts')
  checkKernelExport(module, 'move', false)
  checkKernelExport(module, 'total', true)
  return module
}

/** The opcodes of each function, as the reader finds them. */
function opcodesOf(bytes: Uint8Array): number[][] {
  const reader = new WasmReader(bytes)
  reader.skip(8)
  const functions: number[][] = []
  while (reader.at < bytes.length) {
    const id = reader.byte()
    const next = reader.unsigned() + reader.at
    if (id === 10) {
      for (let left = reader.unsigned(); left > 0; left--) {
        reader.end = reader.unsigned() + reader.at
        functions.push(opcodesOfBody(reader))
        reader.end = bytes.length
      }
    }
    reader.at = next
  }
  return functions
}

function opcodesOfBody(reader: WasmReader): number[] {
  for (let left = reader.unsigned(); left > 0; left--) {
    reader.unsigned()
    reader.valueType()
  }
  const opcodes: number[] = []
  while (reader.at < reader.end) opcodes.push(reader.instruction())
  return opcodes
}

describe('random valid modules', () => {
  it('that meet every condition are accepted, and each of their instructions is seen', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { bytes, opcodes } = randomModule(seed)
        expect(WebAssembly.validate(bytes)).toBe(true)
        expect(opcodesOf(bytes)).toEqual(opcodes)
        expect(refusal(bytes)).toBe(undefined)
      }),
      { numRuns: proofLength(600) },
    )
  })

  it.each(WRONG_NAMES)('with %s are refused', (wrong) => {
    let valid = 0
    fc.assert(
      fc.property(seeds, (seed) => {
        const { bytes } = randomModule(seed, wrong)
        if (WebAssembly.validate(bytes)) valid++
        expect(refusal(bytes)).toBeInstanceOf(StrataTypeError)
      }),
      { numRuns: proofLength(100) },
    )
    // Were they invalid, nothing would have been shown.
    expect(valid).toBe(proofLength(100))
  })
})

describe('bytes that are no longer what they were', () => {
  it('cut anywhere, they are refused', () => {
    const { bytes } = randomModule(1)
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length)
      // Where a section ends, what is left can be a module: without its kernels.
      expect(refusal(cut), `${length} bytes`).toBeInstanceOf(StrataTypeError)
    }
  })

  it('changed at random, they are refused, or valid and within the conditions', () => {
    let accepted = 0
    fc.assert(
      fc.property(seeds, (seed) => {
        const dice = new Dice(seed)
        const bytes = randomModule(
          seed & 63,
          dice.chance(2) ? dice.oneOf(WRONG_NAMES) : undefined,
        ).bytes.slice()
        for (let left = 1 + dice.below(4); left > 0; left--) bytes[dice.below(bytes.length)] = dice.below(256)
        if (refusal(bytes) !== undefined) return
        accepted++
        expect(WebAssembly.validate(bytes)).toBe(true)
        const { module, window } = check(bytes)
        expect(opcodesOf(bytes).flat()).not.toContain(0x40)
        expect(window.start >= 0 && window.start <= window.end && window.end <= 0x10000).toBe(true)
        for (const entry of WebAssembly.Module.imports(module)) {
          expect(entry.module).toBe('env')
          expect(['memory', 'abort', 'trace']).toContain(entry.name)
        }
      }),
      // A few in a hundred are accepted: fewer runs would fail by chance.
      { numRuns: Math.max(proofLength(2000), 500) },
    )
    expect(accepted).toBeGreaterThan(proofLength(30))
  })

  it('of any kind, they are refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(refusal(bytes)).toBeInstanceOf(StrataTypeError)
        expect(refusal(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...bytes))).toBeInstanceOf(
          StrataTypeError,
        )
      }),
    )
  })
})

describe('the walk over instructions', () => {
  it.each(['release', 'checked'])('goes through the %s core, function by function', (name) => {
    const functions = opcodesOf(readFileSync(`build/${name}.wasm`))
    expect(functions.length).toBeGreaterThan(100)
    for (const opcodes of functions) expect(opcodes.at(-1)).toBe(0x0b)
    // The core grows its memory in one place.
    expect(functions.flat().filter((opcode) => opcode === 0x40).length).toBeGreaterThan(0)
  })
})
