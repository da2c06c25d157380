// Shows what the options of a save leave out.

import { describe, expect, it } from 'vitest'
import {
  NULL_ENTITY,
  component,
  entity,
  f32,
  i32,
  loadWorld,
  resource,
  saveWorld,
  sparse,
  spawnMany,
  tag,
} from '../../bindings/index'
import { load } from '../support/loaded'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Score = component('Score', { n: i32 }, { storage: sparse })
const Target = component('Target', { who: entity })
const Player = tag('Player')
const Time = resource('Time', { now: f32 })
const Rng = resource<number>('Rng', { save: (n) => n, load: (n: number) => n })
const ALL = [Position, Score, Target, Player, Time, Rng]

function stage() {
  const world = testWorld()
  const rock = world.spawn(Position({ x: 1 }))
  const hero = world.spawn(Position({ x: 2 }), Score({ n: 3 }), Player, Target({ who: rock }))
  const list = world.spawn(Score({ n: 4 }))
  const bare = world.spawn(Player)
  world.setResource(Time, { now: 5 })
  world.setResource(Rng, 6)
  return { world, rock, hero, list, bare }
}

describe('only', () => {
  it('Other components, other resources, and entities without any of them are left out', () => {
    const { world, rock, hero, list, bare } = stage()
    const { world: loaded, handles } = load(saveWorld(world, { only: [Position, Score, Rng] }), ALL)
    expect([...handles.keys()].sort((a, b) => a - b)).toEqual([rock, hero, list])
    expect(handles.has(bare)).toBe(false)
    expect(loaded.query(Player).count).toBe(0)
    expect(loaded.get(handles.get(hero) as never, Score)).toEqual({ n: 3 })
    expect([loaded.hasResource(Time), loaded.resource(Rng)]).toEqual([false, 6])
    const fields = load(saveWorld(world, { only: [Time] }), ALL)
    expect([fields.handles.size, fields.world.hasResource(Rng)]).toEqual([0, false])
    expect(fields.world.resource(Time).now).toBe(5)
  })

  it('A component that the world has never met gives an empty save', () => {
    expect(load(saveWorld(stage().world, { only: [component('New', {})] }), ALL).handles.size).toBe(0)
  })
})

describe('entities', () => {
  it('Entities that match a query are saved, and handles of others become NULL_ENTITY', () => {
    const { world, hero, bare } = stage()
    const { world: loaded, handles } = load(saveWorld(world, { entities: world.query(Player) }), ALL)
    expect([...handles.keys()]).toEqual(expect.arrayContaining([hero, bare]))
    expect(handles.size).toBe(2)
    expect(loaded.get(handles.get(hero) as never, Target)).toEqual({ who: NULL_ENTITY })
  })

  it('A list may be of any kind; repeats and stale handles are skipped', () => {
    const { world, rock, hero } = stage()
    const stale = world.spawn()
    world.destroy(stale)
    for (const entities of [
      [hero, rock, hero, stale, NULL_ENTITY, -1, 0.5],
      Uint32Array.of(rock, hero, stale),
    ])
      expect(load(saveWorld(world, { entities }), ALL).handles.size).toBe(2)
    expect(load(saveWorld(world, { entities: [] }), ALL).handles.size).toBe(0)
  })

  it('With both, a listed entity is saved even if it has none of the components', () => {
    const { world, bare, rock } = stage()
    const { world: loaded, handles } = load(
      saveWorld(world, { only: [Position], entities: [bare, rock] }),
      ALL,
    )
    expect(handles.size).toBe(2)
    expect(loaded.has(handles.get(bare) as never, Player)).toBe(false)
  })

  it('Rows in the middle of chunks are found', () => {
    const world = testWorld()
    let n = 0
    const handles = spawnMany(world, 3000, [Position], (chunk) => {
      const { x } = chunk.write(Position)
      for (let row = chunk.start; row < chunk.end; row++) x[row] = n++
    })
    const some = handles.filter((_, i) => i % 7 === 3 || (i > 900 && i < 1900))
    const { world: loaded, handles: map } = load(saveWorld(world, { entities: some }), [Position])
    for (const handle of some)
      expect(loaded.get(map.get(handle) as never, Position)).toEqual(world.get(handle, Position))
    expect(loaded.stats().entities).toBe(some.length)
  })
})

it.each([undefined, null, Position])('A load reports that %s is not a list of components', (components) => {
  const { world } = stage()
  const file = saveWorld(world)
  const given = components === Position ? 'the component Position' : String(components)
  for (const options of [{ components }, ...(components === undefined ? [undefined] : [])])
    expect(() => loadWorld(file, options as never)).toThrow(
      `loadWorld: components takes an array of components and resources, not ${given}.`,
    )
})

it('Wrong options are refused with a sentence', () => {
  const { world } = stage()
  const other = stage().world
  const refusals: [unknown, RegExp][] = [
    [{ onyl: [] }, /there is no option 'onyl'/],
    [{ only: Position }, /takes an array of components and resources/],
    [{ only: [Position({ x: 1 })] }, /without values: write Position/],
    [{ only: [5] }, /got 5/],
    [{ entities: 5 }, /an array of handles, or a query/],
    [{ entities: other.query(Position) }, /the query in entities is one of another world/],
    [5, /options must be an object/],
  ]
  for (const [options, sentence] of refusals)
    expect(() => saveWorld(world, options as never)).toThrow(sentence)
})
