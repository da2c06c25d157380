// Shows that a copy with overrides is one change: listeners, readers and subscribers see the copy as it is in the end, and never
// the values and links of the model that it first had.

import { describe, expect, it } from 'vitest'
import {
  cloneEntity,
  component,
  createCommands,
  f32,
  not,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  relation,
  createRemovalReader,
  cloneMany,
  cloneTree,
  onChange,
  sparse,
  tag,
  type Entity,
  type Override,
  type World,
} from '../../bindings/index'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

type Copy = (world: World, model: Entity, overrides: Override[]) => ArrayLike<Entity>

const CALLS: Record<string, Copy> = {
  clone: (world, model, overrides) => [cloneEntity(world, model, ...overrides)],
  'spawnFrom of one': (world, model, overrides) => cloneMany(world, model, 1, ...overrides),
  'spawnFrom of three': (world, model, overrides) => cloneMany(world, model, 3, ...overrides),
  'spawnTree of one': (world, model, overrides) => cloneTree(world, model, 1, ...overrides),
  'spawnTree of three': (world, model, overrides) => cloneTree(world, model, 3, ...overrides),
}

const WHEN: Record<string, (world: World, action: () => ArrayLike<Entity>) => ArrayLike<Entity>> = {
  'at once': (_, action) => action(),
  deferred: (world, action) => world.batch(action),
}

const CASES = Object.keys(CALLS).flatMap((call) =>
  Object.keys(WHEN).flatMap((when) => STORAGES.map((storage) => ({ call, when, storage }))),
)

const Frozen = tag('Frozen')

/** A model at home, with a part that depends on it. */
function stage(storage: (typeof STORAGES)[number]) {
  const Health = component('Health', { hp: f32 }, { storage: STORED[storage] })
  const Speed = component('Speed', { v: f32 }, { storage: sparse })
  const ChildOf = relation('ChildOf', { exclusive: true })
  const PartOf = relation('PartOf', { exclusive: true, onTargetDestroy: 'destroy' })
  const world = watchedWorld()
  const [home, away] = [world.spawn(), world.spawn()]
  const model = world.spawn(Health({ hp: 100 }), Speed({ v: 1 }), ChildOf(home))
  world.spawn(PartOf(model), Frozen)
  const lives = (one: Entity) => `child of ${world.target(one, ChildOf) === away ? 'away' : 'home'}`
  const copiesOf = ({ call, when }: (typeof CASES)[number]) => {
    const overrides = [Health({ hp: 5 }), Speed({ v: 9 }), Frozen, ChildOf(away)]
    const action = () => (CALLS[call] as Copy)(world, model, overrides)
    return Array.from((WHEN[when] as (typeof WHEN)[string])(world, action))
  }
  /** What a copy is in the end. */
  const outcome = (one: Entity) => [
    world.get(one, Health)?.hp,
    world.get(one, Speed)?.v,
    world.has(one, Frozen),
    lives(one),
  ]
  return { world, Health, Speed, ChildOf, home, away, lives, copiesOf, outcome }
}

const OUTCOME = [5, 9, true, 'child of away']

describe('a copy with overrides, a link among them', () => {
  it.each(CASES)('is reported once, in its final state: $call, $when, $storage', (given) => {
    const { world, Health, Speed, ChildOf, home, away, lives, copiesOf, outcome } = stage(given.storage)
    const told: [Entity, unknown][] = []
    const tell = (what: unknown) => (one: Entity) => void told.push([one, what])
    onAdd(world, Health, (one) => tell(`health ${world.get(one, Health)?.hp}`)(one))
    onAdd(world, Speed, (one) => tell(`speed ${world.get(one, Speed)?.v}`)(one))
    onAdd(world, ChildOf, (one) => tell(lives(one))(one))
    for (const part of [Health, Speed, ChildOf, ChildOf(home)]) onRemove(world, part, tell('lost'))
    const atHome = world.query(ChildOf(home))
    const moving = world.query(Health, not(Frozen))
    for (const query of [atHome, moving]) {
      onEnter(query, tell('entered'))
      onExit(query, tell('left'))
    }
    const lost = createRemovalReader(world, ChildOf)
    const calls = { home: 0, away: 0 }
    onChange(atHome, () => calls.home++)
    onChange(world.query(ChildOf(away)), () => calls.away++)

    const copies = copiesOf(given)
    expect(copies.map(outcome)).toEqual(copies.map(() => OUTCOME))
    for (const copy of copies)
      expect(told.filter(([one]) => one === copy).map(([, what]) => what)).toEqual([
        'health 5',
        'speed 9',
        'child of away',
      ])
    expect([told.length, lost.read(), calls]).toEqual([3 * copies.length, [], { home: 0, away: 1 }])
  })

  // Without listeners copies are nothing but rows, which another branch completes.
  it.each(CASES)(
    'does not match a query for the model’s target, and no removal is recorded: $call, $when, $storage',
    (given) => {
      const { world, ChildOf, home, away, copiesOf, outcome } = stage(given.storage)
      const atHome = world.query(ChildOf(home))
      const lost = createRemovalReader(world, ChildOf)
      const calls = { home: 0, away: 0 }
      onChange(atHome, () => calls.home++)
      onChange(world.query(ChildOf(away)), () => calls.away++)
      const copies = copiesOf(given)
      expect(copies.map(outcome)).toEqual(copies.map(() => OUTCOME))
      expect([lost.read(), calls, atHome.count]).toEqual([[], { home: 0, away: 1 }, 1])
    },
  )
})

describe('an object that a clone is given as an override', () => {
  it.each(Object.keys(WHEN))('is the only one: the model’s value is not cloned: %s', (when) => {
    const happened: string[] = []
    const Sprite = object<{ file: string }>('Sprite', {
      init: ({ file }) => happened.push(`made ${file}`),
      dispose: ({ file }) => happened.push(`freed ${file}`),
      clone: (sprite) => {
        happened.push('cloned')
        return { ...sprite }
      },
    })
    const world = watchedWorld()
    const model = world.spawn(Sprite({ file: 'model.png' }))
    happened.length = 0
    const given = Sprite({ file: 'other.png' })
    const [copy] = Array.from(
      (WHEN[when] as (typeof WHEN)[string])(world, () => [cloneEntity(world, model, given)]),
    )
    expect(world.get(copy as Entity, Sprite)).toEqual({ file: 'other.png' })
    expect(happened).toEqual(['made other.png'])
  })
})

it.each(Object.keys(CALLS))('%s reports the first row that a target gets through a link to it', (call) => {
  const Leans = relation('Leans', { onTargetDestroy: 'destroy' })
  const Placed = component('Placed', { x: f32 })
  const world = watchedWorld()
  const model = world.spawn(Placed)
  const commands = createCommands(world)
  const target = commands.spawn()
  const told: Entity[] = []
  onEnter(world.query(not(Placed)), (entity) => told.push(entity))
  ;(CALLS[call] as Copy)(world, model, [Leans(target)])
  expect(told).toEqual([target])
  commands.apply()
  expect(told).toEqual([target])
})

describe('the value a maker creates for a copy', () => {
  const Place = component('Place', { x: f32 })
  const Cloned = object('Cloned', () => ({ n: 0 }), { clone: (value) => ({ ...value }) })
  const Left = object('Left', () => ({ n: 0 }))

  it.each(Object.keys(WHEN))('is reported like a given value, where the copy lacked one; %s', (when) => {
    const world = watchedWorld()
    const [bare, full] = [world.spawn(Place), world.spawn(Place, Cloned({ n: 1 }), Left({ n: 2 }))]
    const told: string[] = []
    for (const part of [Cloned, Left] as const) {
      onAdd(world, part, () => told.push(`added ${part.componentName}`))
      onSet(world, part, (one) =>
        told.push(`set ${part.componentName} ${world.get(one, part as typeof Left)?.n}`),
      )
    }
    const toldOf = (action: () => ArrayLike<Entity>) => {
      told.length = 0
      ;(WHEN[when] as (typeof WHEN)[string])(world, action)
      return told.slice()
    }
    const made = toldOf(() => [world.spawn(Place, Cloned, Left)])
    expect(made).toEqual(['added Cloned', 'added Left', 'set Cloned 0', 'set Left 0'])
    expect(toldOf(() => [cloneEntity(world, bare, Cloned, Left)])).toEqual(made)
    // A copy of the model's value is none that was given.
    expect(toldOf(() => [cloneEntity(world, full, Cloned, Left)])).toEqual([
      'added Cloned',
      'added Left',
      'set Left 0',
    ])
    expect(toldOf(() => [cloneEntity(world, full)])).toEqual(['added Cloned'])
  })
})
