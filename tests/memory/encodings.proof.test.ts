// Shows that strings and bytes are turned into each other alike in hosts with and without TextEncoder, TextDecoder and atob.

import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { fromBase64, fromUtf8, toBase64, utf8 } from '../../bindings/memory/encodings'
import { proofLength } from '../support/proofs'

afterEach(() => void vi.unstubAllGlobals())

const inBareHost = <T>(call: () => T): T => {
  for (const name of ['TextEncoder', 'TextDecoder', 'atob', 'btoa']) vi.stubGlobal(name, undefined)
  try {
    return call()
  } finally {
    vi.unstubAllGlobals()
  }
}
const settings = { seed: 7, numRuns: proofLength(2000) }

it('Any string, lone surrogates included, has the same UTF-8 in every host, and comes back', () => {
  const strings = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary-ascii' }), fc.array(fc.integer({ min: 0xd700, max: 0xe100 })).map((units) => String.fromCharCode(...units))) // prettier-ignore
  fc.assert(
    fc.property(strings, (text) => {
      const bytes = utf8(text)
      expect(inBareHost(() => utf8(text))).toEqual(bytes)
      expect(inBareHost(() => fromUtf8(bytes))).toBe(fromUtf8(bytes))
    }),
    settings,
  )
})

it('Bytes that are not UTF-8 are refused in every host', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 6 }), (bytes) => {
      const answer = (read: () => string) => {
        try {
          return read()
        } catch {
          return undefined
        }
      }
      expect(answer(() => inBareHost(() => fromUtf8(bytes)))).toBe(answer(() => fromUtf8(bytes)))
    }),
    settings,
  )
})

it('Any bytes have the same base64 in every host, and come back', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = toBase64(bytes)
      expect(text).toBe(btoa(String.fromCharCode(...bytes)))
      expect(fromBase64(text)).toEqual(bytes)
      expect(inBareHost(() => fromBase64(text))).toEqual(bytes)
    }),
    settings,
  )
  expect(() => inBareHost(() => fromBase64('a-b='))).toThrow('no digit')
})
