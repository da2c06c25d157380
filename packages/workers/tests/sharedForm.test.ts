// Shows the form of a module that runs over a shared memory: it differs in the type of memory that it imports, and in nothing else.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sharedForm } from '../src/sharedForm'
import { wat } from '../../../tests/support/wat'

const plainMemory = () => new WebAssembly.Memory({ initial: 16, maximum: 32768 })
const sharedMemory = (maximum = 32768) => new WebAssembly.Memory({ initial: 16, maximum, shared: true })

type Exports = Record<string, (...given: number[]) => number>

function instantiate(bytes: Uint8Array<ArrayBuffer>, memory: WebAssembly.Memory, env = {}): Exports {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory, ...env } })
  return exports as Exports
}

const ADD = '(func (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))'

describe('the shared form of a module', () => {
  it.each([
    '(import "env" "memory" (memory 0))',
    '(import "env" "memory" (memory 1 32768))',
    '(import "env" "memory" (memory 16 65536))',
    '(import "env" "abort" (func (param i32))) (import "env" "memory" (memory 0))',
    '(import "env" "memory" (memory 0)) (import "env" "abort" (func (param i32)))',
    '(import "env" "limit" (global i32)) (import "env" "memory" (memory 0))',
  ])('runs over a shared memory: %s', (imports) => {
    const bytes = wat(`(module ${imports} ${ADD})`)
    const env = { abort: () => {}, limit: 3 }
    expect(instantiate(bytes, plainMemory(), env).add?.(2, 3)).toBe(5)
    expect(() => instantiate(bytes, sharedMemory(), env)).toThrow(WebAssembly.LinkError)
    expect(instantiate(sharedForm(bytes), sharedMemory(), env).add?.(2, 3)).toBe(5)
  })

  it('allows no larger maximum than the plain one', () => {
    const form = sharedForm(wat(`(module (import "env" "memory" (memory 1 20)) ${ADD})`))
    expect(() => instantiate(form, sharedMemory(21))).toThrow(WebAssembly.LinkError)
    expect(() => instantiate(form, sharedMemory(20))).not.toThrow()
  })

  it('has every other section of the core, byte for byte', () => {
    const bytes = new Uint8Array(readFileSync(new URL('../../../build/release.wasm', import.meta.url)))
    const form = sharedForm(bytes)
    const sections = (module: Uint8Array) => {
      const found: string[] = []
      for (let at = 8; at < module.length;) {
        const id = module[at++]
        let size = 0
        for (let shift = 0; ; shift += 7) {
          const byte = module[at++] as number
          size |= (byte & 0x7f) << shift
          if (byte < 0x80) break
        }
        found.push(`${id}: ${id === 2 ? '' : Buffer.from(module.subarray(at, at + size)).toString('base64')}`)
        at += size
      }
      return found
    }
    expect(sections(form)).toEqual(sections(bytes))
    expect(form.length - bytes.length).toBeLessThan(4)
  })

  it('writes no data without data, and leaves passive segments as they are', () => {
    const bytes = wat(`(module (import "env" "memory" (memory 0))
      (data (i32.const 2000) "abc")
      (data $kept "xyz")
      (data (i32.const 3000) "def")
      (func (export "copy") (param i32)
        (memory.init $kept (local.get 0) (i32.const 0) (i32.const 3))))`)
    const textAt = (memory: WebAssembly.Memory, address: number) =>
      String.fromCharCode(...new Uint8Array(memory.buffer, address, 3))
    for (const hasData of [true, false]) {
      const memory = sharedMemory()
      const { copy } = instantiate(sharedForm(bytes, hasData), memory)
      expect(textAt(memory, 2000)).toBe(hasData ? 'abc' : '\0\0\0')
      expect(textAt(memory, 3000)).toBe(hasData ? 'def' : '\0\0\0')
      copy?.(4000)
      expect(textAt(memory, 4000)).toBe('xyz')
    }
  })
})
