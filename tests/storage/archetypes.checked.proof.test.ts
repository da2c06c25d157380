// Shows what a move between archetypes keeps, which archetype it leads to, swap removal, and the layout of columns in a chunk.

import { describe, expect, it } from 'vitest'
import {
  LimitError,
  component,
  f32,
  f64,
  i32,
  spawnMany,
  tag,
  u8,
  vec,
  type ComponentLike,
  type Entity,
} from '../../bindings/index'
import { CHUNK_BYTES } from '../../build/layout'
import { archetypeOf, changeTickOf, makeSignaturesCollide } from '../support/inside'
import { KINDS, STORAGES, declare, numbered } from '../support/kinds'
import { isShort } from '../support/proofs'
import { watchedWorld } from '../support/watched'
import { STORED } from '../support/storages'

const A = component('A', { x: f32, n: i32 })
const B = component('B', { wide: f64 })
const C = component('C', { small: u8 })
const T = tag('T')

/** How many rows the first and a full chunk of A hold. */
function capacitiesOfA(): { first: number; full: number } {
  const world = watchedWorld()
  spawnMany(world, 10_000, [A])
  const lengths: number[] = []
  for (const chunk of world.query(A)) lengths.push(chunk.entities.length)
  return { first: lengths[0], full: lengths[1] }
}

describe('archetype moves', () => {
  it.each(KINDS)('adding a %s component keeps all values, and the new one has its own', (kind) => {
    const world = watchedWorld()
    const D = declare('D', kind)
    const moved = world.spawn(A({ x: 1.5, n: -2 }), B({ wide: 1e300 }), C({ small: 255 }))
    expect(world.add(moved, D)).toBe(true)
    expect(world.get(moved, A)).toEqual({ x: 1.5, n: -2 })
    expect(world.get(moved, B)).toEqual({ wide: 1e300 })
    expect(world.get(moved, C)).toEqual({ small: 255 })
    expect(world.has(moved, A, B, C, D)).toBe(true)
  })

  it.each(STORAGES)('the value of the added component (%s) is the one given', (storage) => {
    const world = watchedWorld()
    const D = numbered('D', storage)
    const moved = world.spawn(A({ x: 1, n: 2 }))
    world.add(moved, D({ value: 77 }))
    expect(world.get(moved, D)).toEqual({ value: 77 })
    expect(world.get(moved, A)).toEqual({ x: 1, n: 2 })
  })

  it.each(STORAGES)('10,000 entities get a number (%s) and each gives back its own', (storage) => {
    const world = watchedWorld()
    const N = numbered('N', storage)
    const handles = spawnMany(world, 10_000, [B])
    handles.forEach((handle, i) => world.add(handle, N({ value: i })))
    expect(world.query(B, N).count).toBe(10_000)
    handles.forEach((handle, i) => {
      if (world.get(handle, N)?.value !== i) expect.unreachable(`entity ${i} lost its number`)
      world.remove(handle, N)
    })
    expect(world.query(N).count).toBe(0)
    expect(world.query(B).count).toBe(10_000)
  })

  it.each(['destroy', 'remove', 'add'] as const)(
    'after %s of a row that is not the last, the row that took its place has its own values',
    (how) => {
      const { first, full } = capacitiesOfA()
      for (const count of [2, first, first + 1, first + full, first + full + 1]) {
        for (const at of [0, Math.floor(count / 2), count - 1]) {
          const world = watchedWorld()
          const handles = Array.from({ length: count }, (_, i) => world.spawn(A({ x: i, n: -i })))
          if (how === 'destroy') world.destroy(handles[at])
          else if (how === 'remove') world.remove(handles[at], A)
          else world.add(handles[at], T)
          handles.forEach((handle, i) => {
            const lost = i === at && how !== 'add'
            const value = world.get(handle, A)
            if (lost ? value !== undefined : value?.x !== i || value.n !== -i) {
              expect.unreachable(`${count} rows, ${how} of ${at}: entity ${i} reads ${JSON.stringify(value)}`)
            }
          })
          expect(world.query(A).count).toBe(how === 'add' ? count : count - 1)
        }
      }
    },
  )

  it('removing every row in every order of three leaves the others intact', () => {
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      const world = watchedWorld()
      const handles = [0, 1, 2].map((i) => world.spawn(A({ x: i })))
      const left = new Set([0, 1, 2])
      for (const i of order) {
        world.destroy(handles[i])
        left.delete(i)
        for (const j of left) expect(world.get(handles[j], A)?.x).toBe(j)
        expect(world.query(A).count).toBe(left.size)
      }
    }
  })

  it.each(['table', 'tag'] as const)(
    'adding and removing a %s component returns to the same archetype; no third is made',
    (kind) => {
      const world = watchedWorld()
      const D = declare('D', kind)
      const moved = world.spawn(A({ x: 3 }))
      const home = archetypeOf(world, moved)
      world.add(moved, D)
      const away = archetypeOf(world, moved)
      const { archetypes } = world.stats()
      expect(away).not.toBe(home)
      for (let i = 0; i < 10; i++) {
        world.remove(moved, D)
        expect(archetypeOf(world, moved)).toBe(home)
        world.add(moved, D)
        expect(archetypeOf(world, moved)).toBe(away)
      }
      expect(world.stats().archetypes).toBe(archetypes)
      expect(world.get(moved, A)).toEqual({ x: 3, n: 0 })
    },
  )

  it.each(['sparse', 'stable'] as const)('a %s component is not part of the archetype', (storage) => {
    const world = watchedWorld()
    const D = declare('D', storage)
    const moved = world.spawn(A)
    const home = archetypeOf(world, moved)
    const { archetypes } = world.stats()
    world.add(moved, D)
    expect(archetypeOf(world, moved)).toBe(home)
    world.remove(moved, D)
    expect(archetypeOf(world, moved)).toBe(home)
    expect(world.stats().archetypes).toBe(archetypes)
  })

  it('the order in which components are added makes no difference to the archetype', () => {
    const world = watchedWorld()
    const orders = [
      [A, B, C, T],
      [T, C, B, A],
      [B, T, A, C],
      [C, A, T, B],
    ]
    const ids = orders.map((order) => {
      const together = world.spawn(...order)
      const apart = world.spawn()
      for (const one of order) world.add(apart, one)
      expect(archetypeOf(world, apart)).toBe(archetypeOf(world, together))
      return archetypeOf(world, together)
    })
    expect(new Set(ids).size).toBe(1)
  })

  it.each(KINDS)('removing an absent %s component moves nothing and returns false', (kind) => {
    const world = watchedWorld()
    const D = declare('D', kind)
    const other = world.spawn(D)
    const bare = world.spawn()
    const full = world.spawn(A({ x: 1 }))
    const before = [archetypeOf(world, bare), archetypeOf(world, full)]
    const { archetypes, entities } = world.stats()
    expect(world.remove(bare, D)).toBe(false)
    expect(world.remove(full, D)).toBe(false)
    expect(world.remove(full, D, T, B)).toBe(false)
    expect([archetypeOf(world, bare), archetypeOf(world, full)]).toEqual(before)
    expect(world.stats()).toMatchObject({ archetypes, entities })
    expect(world.has(other, D)).toBe(true)
    expect(world.get(full, A)).toEqual({ x: 1, n: 0 })
  })

  it.each(KINDS)('removing a %s component among several removes the existing ones', (kind) => {
    const world = watchedWorld()
    const D = declare('D', kind)
    const moved = world.spawn(A({ x: 1 }), D)
    expect(world.remove(moved, D, B, T)).toBe(true)
    expect(world.has(moved, D)).toBe(false)
    expect(world.get(moved, A)).toEqual({ x: 1, n: 0 })
    expect(world.remove(moved, D, B, T)).toBe(false)
  })

  it('a component that this world has never met is absent', () => {
    const world = watchedWorld()
    const never = component('Never', { x: f32 })
    const bare = world.spawn(A)
    expect(world.has(bare, never)).toBe(false)
    expect(world.get(bare, never)).toBeUndefined()
    expect(world.remove(bare, never)).toBe(false)
    expect(world.query(never).count).toBe(0)
  })

  it.each([false, true])('removing A and adding B keeps the other values (deferred: %s)', (deferred) => {
    const world = watchedWorld()
    const P = numbered('P', 'sparse')
    const moved = world.spawn(A({ x: 9 }), C({ small: 4 }), P({ value: 6 }))
    const other = world.spawn(A({ x: 10 }), C({ small: 5 }), P({ value: 7 }))
    const exchange = () => {
      world.remove(moved, A)
      world.add(moved, B({ wide: 2.5 }))
    }
    if (deferred) world.batch(exchange)
    else exchange()
    expect(world.has(moved, A)).toBe(false)
    expect(world.get(moved, B)).toEqual({ wide: 2.5 })
    expect(world.get(moved, C)).toEqual({ small: 4 })
    expect(world.get(moved, P)).toEqual({ value: 6 })
    expect(world.get(other, A)).toEqual({ x: 10, n: 0 })
    expect(world.get(other, C)).toEqual({ small: 5 })
    expect(world.get(other, P)).toEqual({ value: 7 })
  })

  it('tags added one after another make an archetype each, and the values are kept', () => {
    const world = watchedWorld()
    const tags = Array.from({ length: isShort ? 250 : 1000 }, (_, i) => tag(`T${i}`))
    const moved = world.spawn(A({ x: 5, n: 6 }))
    const { archetypes, chunks } = world.stats()
    for (const one of tags) expect(world.add(moved, one)).toBe(true)
    expect(world.stats()).toMatchObject({ archetypes: archetypes + tags.length, chunks, entities: 1 })
    expect(world.has(moved, ...tags)).toBe(true)
    expect(world.get(moved, A)).toEqual({ x: 5, n: 6 })
    for (const one of tags) expect(world.remove(moved, one)).toBe(true)
    expect(world.has(moved, tags[0])).toBe(false)
    expect(world.get(moved, A)).toEqual({ x: 5, n: 6 })
    world.destroy(moved)
    expect(world.stats()).toMatchObject({ entities: 0, chunks: 0 })
  })

  it('archetypes that became empty cost no chunk', () => {
    const world = watchedWorld()
    const tags = Array.from({ length: 50 }, (_, i) => tag(`T${i}`))
    for (const one of tags) world.destroy(world.spawn(A, one))
    expect(world.stats()).toMatchObject({ entities: 0, chunks: 0 })
    expect(world.query(A).isEmpty).toBe(true)
    for (const _ of world.query(A)) expect.unreachable('an empty archetype was visited')
  })
})

describe('change ticks', () => {
  it('a move keeps when the kept components were changed, and marks only the added one', () => {
    const world = watchedWorld()
    const moved = world.spawn(A({ x: 1 }), C)
    expect(changeTickOf(world, moved, A)).toBe(world.tick)
    const born = world.tick
    world.advanceTick()
    world.add(moved, B)
    expect([A, B, C].map((one) => changeTickOf(world, moved, one))).toEqual([born, born + 1, born])
    world.advanceTick()
    world.add(moved, T)
    world.remove(moved, C)
    expect([A, B].map((one) => changeTickOf(world, moved, one))).toEqual([born, born + 1])
    world.advanceTick()
    world.set(moved, A, { n: 5 })
    expect([A, B].map((one) => changeTickOf(world, moved, one))).toEqual([born + 3, born + 1])
  })

  it('a row that joins others never makes their chunk look older', () => {
    const world = watchedWorld()
    const old = world.spawn(A)
    world.advanceTick()
    const young = world.spawn(A, T)
    world.advanceTick()
    world.remove(young, T)
    expect(changeTickOf(world, old, A)).toBe(changeTickOf(world, young, A))
    expect(changeTickOf(world, young, A)).toBe(world.tick - 1)
  })
})

describe('signatures with the same hash', () => {
  it('all sets of six components stay apart although all their hashes are equal', () => {
    const world = watchedWorld()
    makeSignaturesCollide(world)
    const parts: ComponentLike[] = [A, B, C, T, tag('U'), component('V', { v: i32 })]
    const made: { handle: Entity; set: ComponentLike[]; archetype: number }[] = []
    // Not the empty set: its archetype is as old as the world, filed under a hash from before the switch.
    for (let bits = 1; bits < 64; bits++) {
      const set = parts.filter((_, k) => (bits >> k) & 1)
      const handle = world.spawn(...set)
      made.push({ handle, set, archetype: archetypeOf(world, handle) })
    }
    expect(new Set(made.map(({ archetype }) => archetype)).size).toBe(63)
    for (const { handle, set } of made) {
      for (const part of parts) expect(world.has(handle, part)).toBe(set.includes(part))
    }
    for (const part of parts) expect(world.query(part).count).toBe(32)
    // The same sets again, by single steps in the other direction, find the archetypes that are there.
    const { archetypes } = world.stats()
    for (const { set, archetype } of made) {
      const [first, ...rest] = [...set].reverse()
      const handle = world.spawn(first)
      for (const part of rest) world.add(handle, part)
      expect(archetypeOf(world, handle)).toBe(archetype)
    }
    expect(world.stats().archetypes).toBe(archetypes)
  })

  it('signatures that begin alike and differ only in length stay apart', () => {
    const world = watchedWorld()
    makeSignaturesCollide(world)
    const tags = Array.from({ length: 40 }, (_, i) => tag(`T${i}`))
    const handles = tags.map((_, i) => world.spawn(...tags.slice(0, i + 1)))
    expect(new Set(handles.map((handle) => archetypeOf(world, handle))).size).toBe(40)
    handles.forEach((handle, i) => {
      expect(tags.map((one) => world.has(handle, one))).toEqual(tags.map((_, k) => k <= i))
    })
  })
})

describe('layout of chunks', () => {
  it('components of several sizes in one archetype keep apart while rows move', () => {
    const world = watchedWorld()
    const P1 = component('P1', { a: u8 })
    const P12 = component('P12', { a: vec(f32, 3) })
    const P8 = component('P8', { a: f64 })
    const P4 = component('P4', { a: i32 })
    const handles: Entity[] = []
    for (let i = 0; i < 2000; i++) {
      handles.push(
        world.spawn(P4({ a: -i }), P1({ a: i % 256 }), P12({ a: [i, i + 1, i + 2] }), P8({ a: i / 3 })),
      )
    }
    for (let i = 0; i < 2000; i += 3) world.destroy(handles[i])
    for (let i = 0; i < 2000; i++) {
      if (i % 3 === 0) continue
      expect(world.get(handles[i], P1)).toEqual({ a: i % 256 })
      expect(world.get(handles[i], P12)).toEqual({ a: Float32Array.of(i, i + 1, i + 2) })
      expect(world.get(handles[i], P8)).toEqual({ a: i / 3 })
      expect(world.get(handles[i], P4)).toEqual({ a: -i })
    }
  })

  it.each(STORAGES)(
    'the largest row that fits (%s) takes a chunk of its own and keeps its values',
    (storage) => {
      const wide = vec(u8, 4080)
      const ofBytes = (bytes: number) =>
        component(
          'Wide',
          { m: wide, n: wide, o: wide, p: wide, q: vec(u8, bytes - 4 * 4080) },
          { storage: STORED[storage] },
        )
      // 64 bytes are left: for the last column, for the handles (and links), and for the change tick.
      const fits = (bytes: number) => {
        try {
          watchedWorld().spawn(ofBytes(bytes))
          return true
        } catch (error) {
          expect(error).toBeInstanceOf(LimitError)
          return false
        }
      }
      let bytes = CHUNK_BYTES
      while (bytes > 4 * 4080 + 1 && !fits(bytes)) bytes--
      expect(fits(bytes)).toBe(true)
      expect(fits(bytes + 1)).toBe(false)
      const world = watchedWorld()
      const Wide = ofBytes(bytes)
      const filled = (value: number) => new Uint8Array(4080).fill(value)
      const handles = [1, 2, 3].map((k) => world.spawn(Wide({ m: filled(k), p: filled(10 * k) })))
      world.destroy(handles[0])
      for (const k of [2, 3]) {
        const value = world.get(handles[k - 1], Wide)
        expect(value).toMatchObject({ m: filled(k), n: filled(0), o: filled(0), p: filled(10 * k) })
      }
    },
  )

  it('a chunk of an archetype is full before the next one begins', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 5000, [A])
    for (let i = 0; i < 5000; i += 7) world.destroy(handles[i])
    const filled: [number, number][] = []
    for (const chunk of world.query(A)) filled.push([chunk.end, chunk.entities.length])
    filled.slice(0, -1).forEach(([rows, capacity]) => expect(rows).toBe(capacity))
    expect(filled[0][1]).toBeLessThan(filled[1][1])
  })
})
