// Shows that a query of many terms takes as many steps a term as one of few, and that a write of one field does not look at
// the others.

import { describe, expect, it, vi } from 'vitest'
import { type Entity, type World, changed, component, f32, not, onSet, tag, text } from '../../bindings/index'
import { parseTerms } from '../../bindings/components/terms'
import { codeOf } from '../support/caught'
import { watchedWorld } from '../support/watched'

describe('A query of many terms', () => {
  const tags = Array.from({ length: 200 }, (_, i) => tag(`T${i}`))

  it('is looked up by its first few terms, whether there are 50 or 200', () => {
    const searches = (count: number) => {
      const search = vi.spyOn(Array.prototype, 'findIndex')
      parseTerms(tags.slice(0, count))
      const { length } = search.mock.calls
      search.mockRestore()
      return length
    }
    expect(searches(200)).toBe(searches(50))
  })

  it('is refused where a component is named twice, and joins what changed() names', () => {
    expect(() => parseTerms([...tags, not(tags[3] as (typeof tags)[0])])).toThrow('names T3 twice')
    expect(() => parseTerms([...tags, tags[150] as (typeof tags)[0]])).toThrow('names T150 twice')
    const types = Array.from({ length: 40 }, (_, i) => component(`C${i}`, { x: f32 }))
    const parsed = parseTerms([...types.map((each) => changed(each)), ...types])
    expect(parsed.map(({ definition }) => definition)).toEqual(types)
    expect(parsed.every((term) => term.changed === true)).toBe(true)
    expect(parseTerms([...types, ...types.map((each) => changed(each))]).length).toBe(40)
  })
})

describe('A component of many fields', () => {
  const many = (count: number) =>
    component(`Many${count}`, Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, f32])))

  /** How often a set of one field reads the description of a field. */
  function readsOf(count: number): number {
    const Many = many(count)
    const world = watchedWorld()
    const entity = world.spawn(Many)
    let reads = 0
    const definition = Many as unknown as { fields: unknown[] }
    const { fields } = definition
    definition.fields = new Proxy(fields, {
      get: (list, key) => {
        if (/^\d+$/.test(String(key))) reads++
        return Reflect.get(list, key) as unknown
      },
    })
    world.set(entity, Many, { f1: 5 })
    definition.fields = fields
    expect(world.get(entity, Many)?.['f1']).toBe(5)
    return reads
  }

  it('is written in as many steps with 200 fields as with 20', () => {
    expect(readsOf(200)).toBe(readsOf(20))
  })

  describe.each([9, 20, 200])('of %i fields', (count) => {
    const Many = many(count)
    const last = `f${count - 1}`
    const withEntity = (): [World, Entity] => {
      const world = watchedWorld()
      return [world, world.spawn(Many({ f0: 1, f3: 4 }))]
    }

    it('keeps what a set does not name, however many it names', () => {
      const [world, entity] = withEntity()
      const expected: Record<string, number> = { ...world.get(entity, Many) }
      for (let named = 0; named <= count; named++) {
        const given = Object.fromEntries(
          Array.from({ length: named }, (_, i) => [`f${count - 1 - i}`, named + i]),
        )
        world.set(entity, Many, given)
        expect(world.get(entity, Many)).toEqual(Object.assign(expected, given))
      }
      world.set(entity, Many, { [last]: undefined, f0: 7 } as never)
      expect(world.get(entity, Many)).toEqual({ ...expected, f0: 7 })
    })

    it('is added by a set where it is absent, marked as changed, and reported', () => {
      const [world] = withEntity()
      const other = world.spawn()
      const told: number[] = []
      world.set(other, Many, { [last]: 3 })
      expect(world.get(other, Many)).toMatchObject({ f0: 0, [last]: 3 })
      const query = world.query(changed(Many))
      expect(query.count).toBe(2)
      for (const _ of query) continue
      world.advanceTick()
      onSet(world, Many, (entity) => told.push(entity))
      world.set(other, Many, { [last]: 4 })
      expect(told).toEqual([other])
      expect(query.count).toBeGreaterThan(0)
    })

    it('is not written at all if one of the values is refused', () => {
      const [world, entity] = withEntity()
      const before = world.get(entity, Many)
      expect(codeOf(() => world.set(entity, Many, { f0: 9, [last]: 'no' } as never))).toBe('INVALID_VALUE')
      expect(codeOf(() => world.set(entity, Many, { f0: 9, other: 1 } as never))).toBe('UNKNOWN_FIELD')
      expect(world.get(entity, Many)).toEqual(before)
      world.destroy(entity)
      expect(codeOf(() => world.set(entity, Many, { f0: 9 }))).toBe('DEAD_ENTITY')
    })

    it('waits for what is queued for it', () => {
      const [world, entity] = withEntity()
      world.batch(() => {
        world.remove(entity, Many)
        world.set(entity, Many, { [last]: 8 })
      })
      expect(world.get(entity, Many)).toMatchObject({ f0: 0, [last]: 8 })
    })
  })

  it('with texts is written in part as well', () => {
    const fields = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`t${i}`, text]))
    const Texts = component('Texts', fields)
    const world = watchedWorld()
    const entity = world.spawn(Texts({ t0: 'a' }))
    world.set(entity, Texts, { t11: 'b' })
    expect(world.get(entity, Texts)).toMatchObject({ t0: 'a', t5: '', t11: 'b' })
  })
})
