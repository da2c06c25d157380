// Shows the columns that toArrow makes of relations, the target of each row or its targets, as other readers of Arrow see them.

import { tableFromIPC as readByAnother } from '@uwdata/flechette'
import { tableFromIPC, tableToIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { toArrow } from '../src/arrow'
import { any, component, f32, not, optional, relation, u8 } from '../../../bindings/index'
import { testWorld } from '../../../tests/support/world'

const Position = component('Position', { x: f32 })
const Other = component('Other', { x: f32 })
const ChildOf = relation('ChildOf', { exclusive: true })
const Docked = relation('Docked', { berth: u8 }, { exclusive: true, onTargetDestroy: 'keep' })
const Likes = relation('Likes', { weight: f32 })

function stage() {
  const world = testWorld()
  const a = world.spawn(Position({ x: 1 }))
  const b = world.spawn(Position({ x: 2 }), ChildOf(a), Docked(a, { berth: 4 }), Likes(a))
  const c = world.spawn(Position({ x: 3 }), Other, ChildOf(b), Likes(b, { weight: 3 }))
  world.add(c, Likes(a))
  return { world, a, b, c }
}

describe.each([true, false])('With copy: %s,', (copy) => {
  it('an exclusive relation has a column of handles with its name, before those of its values', () => {
    const { world, a, b } = stage()
    const table = toArrow(world.query(Position, Docked), { copy })
    expect(table.schema.names).toEqual(['entity', 'Position.x', 'Docked', 'Docked.berth'])
    expect([...(table.getChild('Docked') ?? [])]).toEqual([a])
    const children = toArrow(world.query(ChildOf, Position), { copy })
    expect(children.schema.names).toEqual(['entity', 'ChildOf', 'Position.x'])
    expect([...(children.getChild('ChildOf') ?? [])]).toEqual([a, b])
  })

  it('it is null where there is no target, and a kept link has its stale one', () => {
    const { world, a, b, c } = stage()
    const table = toArrow(world.query(Position, optional(ChildOf)), { copy })
    const column = table.getChild('ChildOf')
    expect([...(column ?? [])]).toEqual([null, a, b])
    expect(column?.nullCount).toBe(1)
    world.destroy(a)
    expect([...(toArrow(world.query(Position, Docked), { copy }).getChild('Docked') ?? [])]).toEqual([a])
    const rows = toArrow(world.query(Position, any(ChildOf, Docked)), { copy })
    expect(rows.toArray().map((row) => [row.entity, row.ChildOf])).toEqual([
      [b, null],
      [c, b],
    ])
  })

  it('a relation with many targets has a list of them, in their order, and no values', () => {
    const { world, a, b } = stage()
    const table = toArrow(world.query(Position, optional(Likes)), { copy })
    expect(table.schema.names).toEqual(['entity', 'Position.x', 'Likes'])
    const expected = [null, [a], [b, a]]
    const read = (lists: Iterable<unknown>) =>
      Array.from(lists, (list) => (list === null ? null : Array.from(list as Iterable<number>)))
    expect(read(table.getChild('Likes') ?? [])).toEqual(expected)
    const bytes = tableToIPC(table, 'stream')
    expect(read(tableFromIPC(bytes).getChild('Likes') ?? [])).toEqual(expected)
    expect(read(readByAnother(bytes).getChild('Likes') ?? [])).toEqual(expected)
    expect(read(toArrow(world.query(Likes(a)), { copy }).getChild('Likes') ?? [])).toEqual(expected.slice(1))
  })

  it('a query that excludes a relation has no column of it', () => {
    const { world } = stage()
    expect(toArrow(world.query(Position, not(Likes)), { copy }).schema.names).toEqual([
      'entity',
      'Position.x',
    ])
  })

  it('no rows give empty columns of the same types', () => {
    const world = testWorld()
    const table = toArrow(world.query(Position, ChildOf, Likes), { copy })
    expect(table.numRows).toBe(0)
    expect(table.schema.fields.map(({ type }) => String(type))).toEqual([
      'Uint32',
      'Float32',
      'Uint32',
      'List<Uint32>',
    ])
  })
})
