// Shows the core of a world over a shared memory: in what order it is made, and that a host which refuses any of it leaves the world a plain
// one.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sharedCore } from '../src/sharedCore'

const SIZES = { initial: 2 ** 20, maximum: 2 ** 31, isFlexible: true }
const EMPTY = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])

/** What happens, in its order. */
function watched(): string[] {
  const order: string[] = []
  const { Memory } = WebAssembly
  class Watched extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      order.push('memory')
      super(descriptor)
    }
  }
  WebAssembly.Memory = Watched
  onTestFinished(() => void (WebAssembly.Memory = Memory))
  return order
}

describe('the core of a world over a shared memory', () => {
  it('is compiled once, before the memory is created', () => {
    const order = watched()
    const compile = vi.fn(() => {
      order.push('core')
      return new WebAssembly.Module(EMPTY)
    })
    expect(sharedCore(compile, SIZES)?.memory.buffer).toBeInstanceOf(SharedArrayBuffer)
    sharedCore(compile, SIZES)
    expect(order).toEqual(['core', 'memory', 'memory'])
  })

  it('is undefined if it cannot be compiled', () => {
    const order = watched()
    const refusing = () => {
      throw new Error('not on this host')
    }
    expect(sharedCore(refusing, SIZES)).toBeUndefined()
    expect(sharedCore(undefined, SIZES)).toBeUndefined()
    expect(order).toEqual([])
  })
})
