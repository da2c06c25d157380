// Owns the proof that the benchmark counts what a frame leaves on the heap: the best of several rounds, collections and
// memory outside of the heap included. It must never look at a real heap: what is late to be compiled would decide.

import { expect, it } from 'vitest'
import { measureGarbage } from '../../bench/allocation.js'

const FRAMES = 100

/** A heap in which the n-th frame leaves `leaves(n)` bytes, and nothing else happens. */
function createPlace(leaves, { collections = 0, outside = 0 } = {}) {
  let [frame, heap, arrayBuffers] = [0, 1_000, 50]
  const memory = () => ({ heap, arrayBuffers })
  return {
    run() {
      heap += leaves(frame++)
      arrayBuffers += outside
    },
    get frames() {
      return frame
    },
    heldMemory() {
      heap = 1_000
      return memory()
    },
    usedMemory: memory,
    collectionCounter: () => ({ count: async () => collections }),
  }
}

it('counts the bytes of a frame, and how many frames there were', async () => {
  const place = createPlace(() => 16)
  const { garbage, runs } = await measureGarbage(place.run, FRAMES, place)
  expect(garbage).toEqual({ bytes: 16, outside: 0, collections: 0 })
  expect(runs).toBe(place.frames)
})

it('takes what happens once for no garbage of frames', async () => {
  const place = createPlace((frame) => (frame === 4_010 ? 5_000 : 0))
  expect((await measureGarbage(place.run, FRAMES, place)).garbage.bytes).toBe(0)
})

it('counts what lies outside of the heap, and collections', async () => {
  const place = createPlace(() => 0, { collections: 3, outside: 8 })
  const { garbage } = await measureGarbage(place.run, FRAMES, place)
  expect(garbage).toEqual({ bytes: 0, outside: 8, collections: 3 })
})
