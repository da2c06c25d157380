// Shows what one entity with a link or an object costs the others: nothing. Counted in calls, not in time.

import { describe, expect, it, vi } from 'vitest'
import {
  addMany,
  component,
  destroyMany,
  f32,
  object,
  relation,
  removeMany,
  sparse,
  spawnMany,
  tag,
  type Entity,
  type World,
} from '../../bindings/index'
import { Report } from '../../bindings/events/report'
import type { WorldState } from '../../bindings/state/worldState'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Velocity = component('Velocity', { x: f32 })
const Hot = component('Hot', { x: f32 }, { storage: sparse })
const Burning = tag('Burning')
const OnTop = relation('OnTop', { exclusive: true })
const Near = relation('Near')
const Sprite = object<object>('Sprite')

const worlds: [string, (world: World) => void][] = [
  ['an exclusive relation', (world) => void world.spawn(Position, OnTop(world.spawn(Position)))],
  ['a relation with many targets', (world) => void world.spawn(Position, Near(world.spawn(Position)))],
  ['an object component', (world) => void world.spawn(Position, Sprite({}))],
]

const changes: [string, (world: World, entities: readonly Entity[]) => void][] = [
  ['spawn', (world, entities) => entities.forEach(() => world.spawn(Position, Velocity))],
  ['spawnMany', (world, entities) => spawnMany(world, entities.length, [Position, Velocity])],
  ['add', (world, entities) => entities.forEach((entity) => world.add(entity, Burning))],
  ['add with values', (world, entities) => entities.forEach((entity) => world.add(entity, Hot({ x: 1 })))],
  ['remove', (world, entities) => entities.forEach((entity) => world.remove(entity, Velocity))],
  ['exchange', (world, entities) => entities.forEach((entity) => world.exchange(entity, [Velocity], [Hot]))],
  ['destroy', (world, entities) => entities.forEach((entity) => world.destroy(entity))],
  ['destroyMany', (world, entities) => destroyMany(world, entities)],
  [
    'add later',
    (world, entities) => world.batch(() => entities.forEach((entity) => world.add(entity, Burning))),
  ],
  [
    'destroy later',
    (world, entities) => world.batch(() => entities.forEach((entity) => world.destroy(entity))),
  ],
  ['addMany', (world) => addMany(world.query(Velocity), Burning)],
  ['removeMany', (world) => removeMany(world.query(Velocity), Velocity)],
]

const REPORTS = ['spawned', 'born', 'begin', 'destroying', 'finish'] as const

/** The functions of the core that a change calls, in their order, and how many reports it makes. */
function callsOf(meet: (world: World) => void, change: (world: World, entities: readonly Entity[]) => void) {
  const world = testWorld()
  meet(world)
  const entities = Array.from({ length: 12 }, (_, i) =>
    i % 2 === 0 ? world.spawn(Position, Velocity) : world.spawn(Position, Velocity, Hot),
  )
  const { state } = world as unknown as { state: WorldState }
  const calls: string[] = []
  const { core } = state
  state.core = new Proxy(core, {
    get: (_, name: keyof typeof core) => {
      if (typeof core[name] === 'function') calls.push(name)
      return core[name]
    },
  })
  const spies = REPORTS.map((name) => vi.spyOn(Report.prototype, name))
  try {
    change(world, entities)
    return { calls, reports: spies.filter((spy) => spy.mock.calls.length > 0).length }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

describe('an entity that has neither links nor objects', () => {
  it.each(
    changes.flatMap(([name, change]) => worlds.map(([what, meet]) => [name, what, change, meet] as const)),
  )('makes no extra calls for %s because of %s elsewhere', (_, __, change, meet) => {
    expect(callsOf(meet, change)).toEqual(callsOf(() => {}, change))
    expect(callsOf(meet, change).reports).toBe(0)
  })
})
