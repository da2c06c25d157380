// Shows that sorting with a limit gives the first handles of the whole order, over every kind of field and every storage, for
// numbers of rows and limits around each boundary at which the search for the least goes another way.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type World,
  bool,
  component,
  entity,
  f32,
  f64,
  createGroup,
  i16,
  i32,
  i8,
  not,
  sortRows,
  sortedEntities,
  sparse,
  spawnMany,
  tag,
  text,
  toggle,
  u16,
  u32,
  u8,
} from '../../bindings/index'
import { leaveFree } from '../support/scarcity'
import { proofLength } from '../support/proofs'
import { capacitiesOf, seededRandom, STORAGES, STORED } from '../support/storages'
import { testWorld } from '../support/world'
import { watchedWorld } from '../support/watched'

const FIELDS = { i8, u8, i16, u16, i32, u32, f32, f64, bool, entity, text }
type FieldName = keyof typeof FIELDS

const SPECIAL = [NaN, -NaN, 0, -0, Infinity, -Infinity, 5e-324, 1e-45, -1e-45, 2 ** 31, -(2 ** 31)]

/** How values lie in the rows: what is looked at first decides how often what was kept is dropped again. */
const PATTERNS = {
  rising: (i: number) => i,
  falling: (i: number) => -i,
  equal: () => 1,
  few: (_: number, random: () => number) => Math.floor(random() * 4) - 2,
  special: (i: number, random: () => number) =>
    random() < 0.3 ? (SPECIAL[i % SPECIAL.length] as number) : random() * 8 - 4,
  any: (_: number, random: () => number) => (random() - 0.5) * 2 ** Math.floor(random() * 40),
}

function valueFor(name: FieldName, value: number): number | boolean | string {
  const whole = Number.isFinite(value) ? Math.trunc(value) : 0
  if (name === 'text') return ['', 'a', 'ab', 'b', 'B'][Math.abs(whole) % 5] as string
  if (name === 'bool') return whole % 2 !== 0
  if (name === 'f32' || name === 'f64') return value
  const bits = name === 'entity' ? 32 : Number(name.slice(1))
  return name.startsWith('i')
    ? Number(BigInt.asIntN(bits, BigInt(whole)))
    : Number(BigInt.asUintN(bits, BigInt(whole)))
}

const { first, full } = capacitiesOf(component('Filled', { value: u32, n: u32 }))
const LEAST_ROOM = 1024
const COUNTS = [0, 1, 63, 64, 65, first - 1, first, first + 1, first + full, LEAST_ROOM, LEAST_ROOM + 1, 4099]

/** Limits around those at which sorting begins to drop, keeps all, and reads a word of a mask more. */
function limitsFor(count: number): number[] {
  const edges = [0, 1, 63, 64, 65, 256, ...[16, 4, 2, 1].map((part) => Math.floor(count / part))]
  return [...new Set(edges.flatMap((edge) => [edge - 1, edge, edge + 1]))].filter((limit) => limit >= 0)
}

describe('sortedEntities with a limit', () => {
  it('gives the first handles of the whole order, for any field, rows and terms', () => {
    const cases = fc.record({
      name: fc.constantFrom(...(Object.keys(FIELDS) as FieldName[])),
      storage: fc.constantFrom(...STORAGES),
      pattern: fc.constantFrom(...(Object.keys(PATTERNS) as (keyof typeof PATTERNS)[])),
      count: fc.constantFrom(...COUNTS),
      order: fc.constantFrom('ascending' as const, 'descending' as const),
      disorder: fc.boolean(),
      seed: fc.nat(),
    })
    fc.assert(
      fc.property(cases, ({ name, storage, pattern, count, order, disorder, seed }) => {
        const world = testWorld()
        const random = seededRandom(seed)
        const Value = component(
          'Value',
          { value: FIELDS[name] as typeof u32, n: u32 },
          { storage: STORED[storage], toggle },
        )
        const Other = component('Other', { n: u8 }, { storage: sparse })
        const [Mark, Hidden] = [tag('Mark'), tag('Hidden')]
        const fill = (handles: readonly Entity[]) =>
          handles.forEach((e, i) =>
            world.set(e, Value, { value: valueFor(name, PATTERNS[pattern](i, random)) as number, n: i }),
          )
        const handles = [...spawnMany(world, count, [Value])] as Entity[]
        if (disorder) {
          for (const e of handles) {
            if (random() < 0.2) world.add(e, Mark)
            if (random() < 0.3) world.add(e, Other)
            if (random() < 0.1) world.add(e, Hidden)
            if (random() < 0.1) world.disable(e, Value)
            if (random() < 0.1) world.destroy(e)
          }
          handles.push(...spawnMany(world, Math.floor(count / 16), [Value, Mark]))
        }
        fill(handles.filter((e) => world.isAlive(e)))
        const queries = [
          world.query(Value),
          world.query(Value, Other),
          world.query(Value, not(Mark), not(Hidden)),
          world.query(Value).where(Value, 'n', '<', count >> 1),
        ]
        for (const query of queries) {
          const all = sortedEntities(query, Value, 'value', { order })
          for (const limit of limitsFor(all.length)) {
            const expected = all.slice(0, limit)
            expect(sortedEntities(query, Value, 'value', { order, limit })).toEqual(expected)
          }
          const limit = Math.floor(random() * count)
          const here = world.batch(() => sortedEntities(query, Value, 'value', { order, limit }))
          expect(here).toEqual(all.slice(0, limit))
          const twice = sortedEntities(query, Value, ['value', 'n'], { order })
          expect(sortedEntities(query, Value, ['value', 'n'], { order, limit })).toEqual(
            twice.slice(0, limit),
          )
        }
        world.dispose()
      }),
      { numRuns: proofLength(150), seed: 46 },
    )
  })

  it('needs no more memory in a large world', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const Value = component('Value', { value: f64 })
    const handles = spawnMany(world, 8000, [Value])
    const query = world.query(Value)
    sortedEntities(query, Value, 'value', { limit: 10 })
    leaveFree(world, 100)
    const before = world.stats()
    expect(sortedEntities(query, Value, 'value', { limit: 10 })).toEqual(handles.slice(0, 10))
    expect(world.stats()).toEqual(before)
  })
})

describe('sortRows with a limit', () => {
  const Value = component('Value', { value: i32, twin: i32 }, { storage: sparse })
  const Other = component('Other', { value: u8 }, { storage: sparse })

  function filled(count: number, groupedRows: number, seed: number): World {
    const world = testWorld()
    const random = seededRandom(seed)
    if (groupedRows > 0) createGroup(world, Value, Other)
    for (let i = 0; i < count; i++) {
      const value = Math.floor(random() * 500) - 250
      world.spawn(Value({ value, twin: i }), ...(i < groupedRows ? [Other] : []))
    }
    return world
  }

  const found = (world: World) => [...world.query(Value).entities()]

  it.each([0, 700, 2500, 5000])(
    'puts the same rows first as without a limit, %i of 5000 in a group',
    (groupedRows) => {
      for (const limit of [0, 1, 65, 600, 701, 1200, 2600, 4999, 5000]) {
        const [some, all] = [filled(5000, groupedRows, limit), filled(5000, groupedRows, limit)]
        sortRows(some, Value, 'value', { limit, order: limit % 2 === 0 ? 'ascending' : 'descending' })
        sortRows(all, Value, 'value', { order: limit % 2 === 0 ? 'ascending' : 'descending' })
        expect(found(some).slice(0, limit)).toEqual(found(all).slice(0, limit))
        expect(found(some).sort((a, b) => a - b)).toEqual(found(all).sort((a, b) => a - b))
        some.dispose()
        all.dispose()
      }
    },
  )
})
