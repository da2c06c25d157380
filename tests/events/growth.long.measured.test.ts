// Shows that a change costs what its entity has, however many listeners, object components and relations concern others: by
// counts of the code that runs, at two sizes.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  cloneEntity,
  component,
  destroyMany,
  f32,
  not,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onResource,
  onSet,
  relation,
  createRemovalReader,
  removeMany,
  resource,
  sparse,
  spawnMany,
  onChange,
  tag,
  toggle,
  type Entity,
  type World,
} from '../../bindings/index'
import { countWork } from '../support/work'
import { testWorld } from '../support/world'

const FEW = 10
const MANY = 80

const Position = component('Position', { x: f32 })
const Charge = component('Charge', { volts: f32 }, { storage: sparse })
const Shield = component('Shield', { strength: f32 }, { toggle })
const Marked = tag('Marked')
const Frozen = tag('Frozen')
const Sprite = object<object>('Sprite')
const ChildOf = relation('ChildOf', { exclusive: true })
const tables = Array.from({ length: MANY }, (_, i) => component(`T${i}`, { x: f32 }))
const pooled = Array.from({ length: MANY }, (_, i) => component(`S${i}`, { x: f32 }, { storage: sparse }))
const objects = Array.from({ length: MANY }, (_, i) => object<object>(`O${i}`))
const relations = Array.from({ length: MANY }, (_, i) => relation(`R${i}`, { exclusive: true }))
const many = Array.from({ length: MANY }, (_, i) => relation(`L${i}`))
const settings = Array.from({ length: MANY }, (_, i) => resource(`Setting${i}`, { x: f32 }))

const nothing = () => {}

/** What a world may have many of, none of which concerns the entities below. */
const things: [string, (world: World, i: number) => void][] = [
  ['listeners of components', (world, i) => onAdd(world, tables[i], nothing)],
  ['listeners of removals', (world, i) => onRemove(world, tables[i], nothing)],
  ['listeners of values', (world, i) => onSet(world, tables[i], nothing)],
  ['listeners of components in pools', (world, i) => onRemove(world, pooled[i], nothing)],
  ['listeners of entrances', (world, i) => onEnter(world.query(Position, tables[i]), nothing)],
  ['listeners of exits', (world, i) => onExit(world.query(tables[i], not(Frozen)), nothing)],
  [
    'listeners of exits, by what comes and goes',
    (world, i) => onExit(world.query(tables[i], not(Marked)), nothing),
  ],
  [
    'subscribers, by what comes and goes',
    (world, i) => onChange(world.query(tables[i], not(Marked)), nothing),
  ],
  ['listeners of exits by pools', (world, i) => onExit(world.query(pooled[i]), nothing)],
  ['readers of removals', (world, i) => createRemovalReader(world, tables[i])],
  ['subscribers', (world, i) => onChange(world.query(tables[i]), nothing)],
  ['subscribers by pools', (world, i) => onChange(world.query(pooled[i]), nothing)],
  ['listeners of resources', (world, i) => onResource(world, settings[i], nothing)],
  ['queries', (world, i) => world.query(tables[i]).count],
  ['object components', (world, i) => world.spawn(objects[i]({}))],
  ['relations', (world, i) => world.spawn(relations[i](world.spawn()))],
  ['relations to many', (world, i) => world.spawn(many[i](world.spawn()))],
]

/** Prepares a world, and returns the change to count. */
const changes: [string, (world: World) => () => void][] = [
  ['spawn', (world) => () => world.spawn(Position)],
  ['spawnMany', (world) => () => spawnMany(world, 20, [Position])],
  ['destroy', (world) => ends(world, () => world.spawn(Position))],
  ['destroy of one with a pool', (world) => ends(world, () => world.spawn(Position, Charge))],
  ['destroy of one with an object', (world) => ends(world, () => world.spawn(Sprite({})))],
  ['destroy of a source', (world) => ends(world, () => world.spawn(ChildOf(world.spawn())))],
  ['destroy of a target', (world) => ends(world, () => targetIn(world))],
  ['destroyMany', (world) => endsMany(world, (list) => destroyMany(world, list))],
  ['destroyMany', (world) => endsMany(world, () => destroyMany(world.query(Position)))],
  ['clone', (world) => copies(world, world.spawn(Position))],
  ['clone of one with a pool', (world) => copies(world, world.spawn(Position, Charge))],
  ['clone of a source', (world) => copies(world, world.spawn(ChildOf(world.spawn())))],
  ['add and remove', (world) => comesAndGoes(world, world.spawn(Position))],
  ['exchange', (world) => exchanges(world, world.spawn(Position))],
  ['set', (world) => sets(world, world.spawn(Position))],
  ['disable and enable', (world) => switches(world, world.spawn(Shield))],
  ['a link to another target', (world) => links(world)],
  ['addMany and removeMany', (world) => listed(world)],
]

function ends(world: World, make: () => Entity): () => void {
  const entities = Array.from({ length: 4 }, make)
  return () => void world.destroy(entities.pop() as Entity)
}

function targetIn(world: World): Entity {
  const target = world.spawn()
  world.spawn(ChildOf(target))
  return target
}

function endsMany(world: World, end: (list: ArrayLike<number>) => void): () => void {
  return () => end(spawnMany(world, 20, [Position]))
}

const copies = (world: World, source: Entity) => () => void cloneEntity(world, source)

function comesAndGoes(world: World, entity: Entity): () => void {
  return () => {
    world.add(entity, Marked)
    world.remove(entity, Marked)
  }
}

function exchanges(world: World, entity: Entity): () => void {
  return () => {
    world.exchange(entity, [], [Marked])
    world.exchange(entity, [Marked], [])
  }
}

const sets = (world: World, entity: Entity) => () => world.set(entity, Position, { x: 1 })

function switches(world: World, entity: Entity): () => void {
  return () => {
    world.disable(entity, Shield)
    world.enable(entity, Shield)
  }
}

function links(world: World): () => void {
  const [one, other] = [world.spawn(), world.spawn()]
  const source = world.spawn(ChildOf(one))
  return () => {
    world.add(source, ChildOf(other))
    world.add(source, ChildOf(one))
  }
}

function listed(world: World): () => void {
  const list = spawnMany(world, 20, [Position])
  return () => {
    addMany(world, list, Marked)
    removeMany(world, list, Marked)
  }
}

function workOf(
  change: (world: World) => () => void,
  thing: (world: World, i: number) => void,
  count: number,
) {
  const world = testWorld()
  // Components that nothing has met would make a difference of their own.
  for (const each of tables) world.destroy(world.spawn(each))
  for (const each of pooled) world.destroy(world.spawn(each))
  for (let i = 0; i < count; i++) thing(world, i)
  const action = change(world)
  // What is found out once is known from here on.
  action()
  action()
  return countWork(action)
}

describe.each(changes)('the work of %s', (_, change) => {
  it.each(things)('does not grow with %s that do not concern it', (_, thing) => {
    workOf(change, thing, FEW)
    // V8 forgets counts of code that it throws away: what grows does so three times.
    let growth = Infinity
    for (let attempt = 0; attempt < 3 && growth > 1.2; attempt++)
      growth = workOf(change, thing, MANY) / workOf(change, thing, FEW)
    expect(growth).toBeLessThanOrEqual(1.2)
  })
})
