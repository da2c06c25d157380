// Shows that results are right at scale: millions of entities, tens of thousands of archetypes, the mixes that other benchmarks
// use.

import { describe, expect, it } from 'vitest'
import {
  component,
  createAccessor,
  destroyMany,
  f32,
  not,
  spawnMany,
  tag,
  u32,
  type Entity,
} from '../../bindings/index'
import { isShort } from '../support/proofs'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { isChecked } from '../support/world'

/** The checked core, and a short run, do the same at a tenth of the scale. */
const SCALE = isChecked || isShort ? 0.1 : 1

describe('millions', () => {
  it('millions of entities with one component are spawned and destroyed, one by one', () => {
    const world = watchedWorld()
    const Number = component('Number', { n: u32 })
    const count = 2_000_000 * SCALE
    const accessor = createAccessor(world, Number)
    for (let i = 0; i < count; i++) accessor.of(world.spawn(Number)).n = i
    let sum = 0
    for (const chunk of world.query(Number)) {
      const { n } = chunk.read(Number)
      for (let i = chunk.start; i < chunk.end; i++) sum += n[i]
    }
    expect(sum).toBe((count * (count - 1)) / 2)
    expect(destroyMany(world.query(Number))).toBe(count)
    expect(world.stats().entities).toBe(0)
  })

  it.each(STORAGES)('millions of entities are spawned and destroyed in bulk (%s)', (storage) => {
    const world = watchedWorld()
    const Number = component('Number', { n: u32.default(3) }, { storage: STORED[storage] })
    const count = 2_000_000 * SCALE
    const handles = spawnMany(world, count, [Number])
    expect(world.query(Number).count).toBe(count)
    expect(world.get(handles[count - 1], Number)).toEqual({ n: 3 })
    expect(destroyMany(world, handles)).toBe(count)
    expect(world.query(Number).count).toBe(0)
  })
})

describe('the pathological mix', () => {
  it.each(STORAGES)(
    'sums equal the model after components were added and removed everywhere (%s)',
    (storage) => {
      const world = watchedWorld()
      const [A, B, C] = ['A', 'B', 'C'].map((name) =>
        component(name, { v: f32 }, { storage: STORED[storage] }),
      )
      const count = 200_000 * SCALE
      const handles: Entity[] = []
      const model: (Set<number> | undefined)[] = []
      for (let i = 0; i < count; i++) {
        handles.push(world.spawn(A({ v: i % 100 }), B({ v: 1 }), C({ v: 2 })))
        model.push(new Set([0, 1, 2]))
      }
      for (let i = count / 2; i < (count * 3) / 4; i++) {
        if (i % 10) continue
        const has = model[i] as Set<number>
        ;[7, 11, 13].forEach((divisor, k) => {
          if (i % divisor) return
          has.delete(k)
          expect(world.remove(handles[i], [A, B, C][k])).toBe(true)
        })
        if (i % 17) continue
        model[i] = undefined
        world.destroy(handles[i])
      }
      let [sum, rows] = [0, 0]
      world.query(A, B, C).each((_, a, b, c) => {
        sum += a.v + b.v + c.v
        rows++
      })
      const whole = model.map((has, i) => (has?.size === 3 ? (i % 100) + 3 : 0))
      expect(sum).toBe(whole.reduce((total, one) => total + one, 0))
      expect(rows).toBe(whole.filter((one) => one > 0).length)
      ;[A, B, C].forEach((one, k) =>
        expect(world.query(one).count).toBe(model.filter((has) => has?.has(k)).length),
      )
    },
  )
})

describe('archetypes', () => {
  it('every combination of many tags: queries of 1, 4 and 8 terms count right', () => {
    const world = watchedWorld()
    const tags = Array.from({ length: SCALE < 1 ? 12 : 16 }, (_, i) => tag(`Bit${i}`))
    const all = 1 << tags.length
    for (let bits = 0; bits < all; bits++) world.spawn(...tags.filter((_, i) => bits & (1 << i)))
    expect(world.stats().archetypes).toBeGreaterThanOrEqual(all)
    expect(world.query(tags[0]).count).toBe(all / 2)
    expect(world.query(tags[0], tags[3], tags[7], tags[11]).count).toBe(all / 16)
    expect(world.query(...tags.slice(2, 10)).count).toBe(all / 256)
    expect(world.query(...tags.slice(2, 6), ...tags.slice(6, 10).map((one) => not(one))).count).toBe(
      all / 256,
    )
    expect(destroyMany(world.query(tags[0]))).toBe(all / 2)
    expect(world.query().count).toBe(all / 2)
  })
})
