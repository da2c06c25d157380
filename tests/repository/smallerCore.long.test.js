// Shows that a core that is made smaller for bundles still is the same core.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { smaller } from '../../scripts/smaller-core.js'

const bytesOf = (name) => readFileSync(new URL(`../../build/${name}.wasm`, import.meta.url))
const { Module, Instance, Memory } = WebAssembly

describe('A module that is made smaller', () => {
  it('exports and imports the same as before, and names no functions', () => {
    const before = new Module(bytesOf('layout'))
    const after = new Module(smaller(bytesOf('layout')))
    expect(Module.exports(after)).toEqual(Module.exports(before))
    expect(Module.imports(after)).toEqual(Module.imports(before))
    expect(Module.customSections(after, 'name')).toEqual([])
  })

  it('computes the same as before', () => {
    const memory = new Memory({ initial: 1 })
    const bytes = new Uint8Array(memory.buffer)
    const { exports } = new Instance(new Module(smaller(bytesOf('decoder'))), { env: { memory } })
    // Two characters that stand for a byte each; the first byte takes the number of a local from what follows after the end.
    bytes.set([0x20, 7, 9], '('.charCodeAt(0))
    new TextEncoder().encodeInto('(* )', bytes.subarray(384))
    expect(exports.decode(384, 386, 400)).toBe(403)
    expect([...bytes.subarray(400, 403)]).toEqual([0x20, 7, 9])
  })
})

it('The shipped core has been made smaller, and cannot be made smaller still', () => {
  const shipped = bytesOf('release')
  expect(smaller(shipped).length).toBeGreaterThanOrEqual(shipped.length - 64)
}, 30_000)
