// Worlds that have almost no memory left: ballast that fills the heap up to the last KiB, and the hiding of free small objects,
// so that every allocation needs a block.

import { expect } from 'vitest'
import * as L from '../../build/layout'
import { LimitError, type World, tag } from '../../bindings/index'

const KIB = 1024
/** Text of a component is kept in linear memory: its name is ballast of any size. */
const BRACES = '{}'.length
const COARSE = 16 * KIB
const TINY = 16
/** How many components the table of components has room for while there is ballast. */
const COMPONENTS = 256
/** Names of each size, so that a thousand worlds do not declare a thousand times as many tags. */
const ballast = new Map<number, ReturnType<typeof tag>[]>()

interface Inside {
  readonly state: { readonly heap: { readonly u32: Uint32Array }; register(definition: unknown): unknown }
}

function word(world: World, address: number): number {
  return (world as unknown as Inside).state.heap.u32[address >>> 2] as number
}

function store(world: World, address: number, value: number): void {
  ;(world as unknown as Inside).state.heap.u32[address >>> 2] = value
}

/** Bytes in free blocks of a memory that cannot grow any more. */
export function freeBytes(world: World): number {
  return word(world, L.BLOCKS_MAXIMUM) - L.HEAP_ADDRESS - word(world, L.BLOCKS_USED)
}

/** Fills the heap until `kib` KiB of it are left. */
export function leaveFree(world: World, kib: number): void {
  // First the core's table of components grows to its last size, so that it does not grow on the way.
  for (let i = 0; world.stats().components <= COMPONENTS / 2; i++) register(world, TINY, i)
  for (const bytes of [COARSE, KIB]) {
    const spare = bytes === COARSE ? 3 * COARSE : 0
    for (let i = 0; freeBytes(world) - spare - bytes >= kib * KIB; i++) {
      try {
        register(world, bytes, i)
      } catch {
        return
      }
    }
  }
}

function register(world: World, bytes: number, i: number): void {
  const tags = ballast.get(bytes) ?? []
  ballast.set(bytes, tags)
  tags[i] ??= tag(`${i}`.padStart(bytes - BRACES, 'b'))
  ;(world as unknown as Inside).state.register(tags[i])
}

/** Runs `action` while every small object must come from a fresh slab. */
export function withoutFreeObjects(world: World, action: () => unknown): void {
  const lists = [0, 1, 2, 3, 4, 5].map((k) => L.OBJECTS_ADDRESS + k * 4)
  const hidden = lists.map((list) => word(world, list))
  for (const list of lists) store(world, list, 0)
  try {
    action()
  } finally {
    lists.forEach((list, k) => append(world, list, hidden[k] as number))
  }
}

/** Hangs a list of free objects behind another one. */
function append(world: World, list: number, hidden: number): void {
  let last = list
  while (word(world, last) !== 0) last = word(world, last)
  store(world, last, hidden)
}

/**
 * Whether a call succeeds. Whatever it throws must be the end of memory.
 *
 * @param hiding a world in which every small object needs a block meanwhile
 */
export function succeeds(call: () => unknown, hiding?: World): boolean {
  try {
    if (hiding) withoutFreeObjects(hiding, call)
    else call()
    return true
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    expect(error.code).toBe('MEMORY_LIMIT')
    return false
  }
}

/**
 * Tries something with every amount of memory, from none until it has succeeded twice in a row.
 *
 * @param attempt makes a world with that many KiB left, and says whether it succeeded there
 * @param amounts the first amount, the KiB to the next, and the amount by which it must have succeeded
 */
export function tryEveryAmount(
  attempt: (kib: number) => boolean,
  amounts: { from?: number; step?: number; most?: number },
): void {
  const { from = 0, step = 1, most = 250 } = amounts
  let inARow = 0
  for (let kib = from; inARow < 2; kib += step) {
    inARow = attempt(kib) ? inARow + 1 : 0
    expect(kib).toBeLessThan(most)
  }
}
