// Shows that a write into free memory is found: by the walk over all memory, which names the place and its last owner, and by the
// checked core itself when that memory is used again. And that a stress core moves, and a small one grows.

import { describe, expect, it } from 'vitest'
import * as L from '../../build/layout'
import { checkedCore } from '../../bindings/checked'
import {
  component,
  createWorld,
  destroyMany,
  f32,
  restoreWorld,
  snapshotWorld,
  sparse,
  spawnMany,
  tag,
  text,
  u8,
  type Tag,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { isSmall } from '../support/world'

const Position = component('Position', { x: f32, y: f32 })
const Health = component('Health', { hp: u8 }, { storage: sparse })
const Name = component('Name', { value: text })

interface Inside {
  readonly state: { readonly heap: { u32: Uint32Array; chunks: number; records: number } }
}
const heapOf = (world: World) => (world as unknown as Inside).state.heap
const wordAt = (world: World, address: number) => heapOf(world).u32[address >> 2] as number
const put = (world: World, address: number, value: number) => (heapOf(world).u32[address >> 2] = value)

/** A checked world in which blocks of all sizes have come and gone. */
function usedWorld(options = {}): World {
  const world = createWorld({ core: checkedCore(options), memory: { initial: 2 ** 20 } })
  const handles = spawnMany(world, 3000, [Position, Health])
  for (let i = 0; i < 9; i++) world.spawn(Position, tag(`Own ${i}`))
  checkInvariants(world)
  destroyMany(world, handles)
  checkInvariants(world)
  return world
}

/** The first free block of an order at least that large. */
function freeBlock(world: World, order: number): number {
  for (let k = order; k <= 30; k++) {
    const block = wordAt(world, L.BLOCKS_FIRST_LIST + k * 4)
    if (block !== 0) return block
  }
  throw new Error('no block is free')
}

describe('a write into memory that is free is found by the walk', () => {
  it('in a free block, with its last owner', () => {
    const world = usedWorld()
    const touched = wordAt(world, L.BLOCKS_TOUCHED)
    for (let order = L.MIN_ORDER; order <= 30; order++) {
      const block = wordAt(world, L.BLOCKS_FIRST_LIST + order * 4)
      if (block === 0 || block + 64 > touched) continue
      put(world, block + 28, 7)
      const place = new RegExp(
        `wrote 0x7 to 0x${(block + 28).toString(16)}, in a free block of ${2 ** order} bytes`,
      )
      expect(() => checkInvariants(world)).toThrow(place)
      put(world, block + 28, 0)
    }
    checkInvariants(world)
  })

  it('in any word of a free block that nothing else is written to', () => {
    const world = usedWorld()
    const order = 14
    const block = freeBlock(world, order)
    const bytes = 2 ** order
    const places = Array.from({ length: 40 }, (_, i) => (i < 20 ? 12 + 4 * i : bytes - 4 * (i - 19)))
    for (const place of places) {
      const before = wordAt(world, block + place)
      put(world, block + place, 0x80000000)
      expect(() => checkInvariants(world)).toThrow(`to 0x${(block + place).toString(16)}, in a free block of`)
      put(world, block + place, before)
    }
    checkInvariants(world)
  })

  it('in a free small object', () => {
    const world = usedWorld()
    const object = wordAt(world, L.OBJECTS_ADDRESS + 4)
    put(world, object + 4, 7)
    expect(() => checkInvariants(world)).toThrow(/wrote 0x7 to 0x[0-9a-f]+, in a free object of 32 bytes/)
  })

  it('in a block at rest, which a chunk freed', () => {
    const world = usedWorld()
    const one = world.spawn(Position, Name, tag('Alone'))
    checkInvariants(world)
    world.destroy(one)
    put(world, wordAt(world, L.BLOCKS_RESTING) + 8, 7)
    expect(() => checkInvariants(world)).toThrow(
      /wrote 0x7 .* in a block at rest at .*, which a chunk gave back/,
    )
  })

  it('where nothing ever was', () => {
    const world = usedWorld()
    put(world, wordAt(world, L.BLOCKS_END) - 8, 0xdbdbdbdb)
    expect(() => checkInvariants(world)).toThrow(/wrote 0xdbdbdbdb to/)
  })

  it('even after a restore, which leaves large free blocks as they are', () => {
    const world = usedWorld()
    const before = snapshotWorld(world)
    destroyMany(world, spawnMany(world, 40_000, [Position]))
    restoreWorld(world, before)
    checkInvariants(world)
    world.spawn(Position, tag('After'))
    checkInvariants(world)
    put(world, freeBlock(world, 14) + 40, 7)
    expect(() => checkInvariants(world)).toThrow(/wrote 0x7/)
  })
})

it('A write into memory that is free is found by the checked core when the memory is used again', () => {
  const world = usedWorld()
  for (let order = L.MIN_ORDER; order <= 30; order++) {
    const block = wordAt(world, L.BLOCKS_FIRST_LIST + order * 4)
    if (block !== 0) put(world, block + 20, 7)
  }
  const spawning = () => {
    for (let i = 0; i < 200; i++) world.spawn(Position, tag(`New ${i}`))
  }
  expect(spawning).toThrow(expect.objectContaining({ code: 'CHECK_FAILED' }))
})

describe('a stress core', () => {
  it('moves the tables of chunks and records at every spawn that may make room, and every array', () => {
    const world = usedWorld({ stress: true })
    const places = new Set<number>()
    const records = new Set<number>()
    for (let i = 0; i < 20; i++) {
      const { u32 } = heapOf(world)
      world.spawn(Position, tag(`Moving ${i}`))
      expect(u32.length).toBe(0)
      places.add(heapOf(world).chunks)
      records.add(heapOf(world).records)
    }
    expect(places.size).toBeGreaterThan(1)
    expect(records.size).toBeGreaterThan(1)
    checkInvariants(world)
  })

  it.each([1, 'yes'])('is only enabled by true or false, not by %s', (stress) => {
    expect(() => checkedCore({ stress } as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
  })
})

describe.runIf(isSmall)('the small build', () => {
  it('lets every table grow several times in a few hundred steps', () => {
    const world = createWorld({ core: checkedCore(), memory: { initial: 2 ** 20 } })
    const tags = Array.from({ length: 20 }, (_, i) => tag(`Tag ${i}`))
    for (let i = 0; i < 200; i++) {
      const entity = world.spawn(Position({ x: i }), Name({ value: `name ${i}` }))
      if (i % 2 === 0) world.add(entity, Health, tags[i % 20] as Tag)
    }
    const firsts = [
      [L.ENTITIES_CAPACITY, 8],
      [L.CHUNKS_CAPACITY, 2],
      [L.COMPONENTS_CAPACITY, 1],
      [L.TEXTS_CAPACITY, 2],
    ] as const
    for (const [address, first] of firsts) expect(wordAt(world, address)).toBeGreaterThanOrEqual(8 * first)
    checkInvariants(world)
  })
})
