// Shows that a simulation takes one course: whatever is asked of its world between the steps, and from wherever it is resumed.
// The model below sums floats in the order of rows, so that another order is another course.

import { describe, expect, it } from 'vitest'
import {
  added,
  any,
  changed,
  getColumn,
  component,
  createHistory,
  f32,
  f64,
  forkWorld,
  inCreationOrder,
  loadFromJSON,
  loadWorld,
  mergeWorld,
  not,
  onAdd,
  onEnter,
  onRemove,
  optional,
  relation,
  createRemovalReader,
  resource,
  restoreWorld,
  saveToJSON,
  saveWorld,
  snapshotWorld,
  sortedEntities,
  onChange,
  sparse,
  stable,
  sumOf,
  tag,
  toggle,
  u32,
  type World,
} from '../../bindings/index'
import { inspect } from '../../packages/inspector/src/inspect/inspect'
import { random, randomFloat } from '../../packages/compile/src/functions/library'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

const Animal = component('Animal', { id: u32, x: f32, speed: f32 }, { trackChanges: 'row' })
const Fever = component('Fever', { until: u32 }, { storage: sparse })
const Nest = component('Nest', { n: u32 }, { storage: stable })
const Marked = tag('Marked', { order: 'insertion' })
const Awake = tag('Awake', { toggle })
const Grown = tag('Grown')
const Home = relation('Home', { exclusive: true })
const Met = relation('Met', { times: u32 })
const Clock = resource('Clock', { day: u32, born: u32, sum: f64 })
const COMPONENTS = [Animal, Fever, Nest, Marked, Awake, Grown, Home, Met, Clock]
const DAYS = 24

function begin(): World {
  const world = testWorld()
  world.resource(Clock)
  for (let n = 0; n < 5; n++) world.spawn(Nest({ n }))
  for (let i = 0; i < 150; i++) hatch(world)
  return world
}

function hatch(world: World): void {
  const clock = world.resource(Clock)
  const id = clock.born++
  const animal = world.spawn(Animal({ id, x: id }), Awake)
  if (id % 3 === 0) world.add(animal, Grown)
}

function live(world: World): void {
  const clock = world.resource(Clock)
  const day = clock.day++
  const add = (value: number) => (clock.sum = (clock.sum * 0.75 + value) % 1e6)
  const nests = [...sortedEntities(world.query(Nest, not(Animal)), Nest, 'n')]
  let young = 0
  world.query(Animal).each((entity, animal) => {
    const { id } = animal
    animal.speed = animal.speed * 0.5 + randomFloat(random(11, day), id) + Math.fround(clock.sum * 1e-4)
    animal.x += animal.speed
    add(animal.x)
    const nest = nests[id % 5] as number
    switch (random(random(12, day), id) % 16) {
      case 0:
        return void world.destroy(entity)
      case 1:
        return world.add(entity, Marked)
      case 2:
        return void world.remove(entity, Marked)
      case 3:
        return world.add(entity, Fever({ until: day + 4 }), Grown)
      case 4:
        return void world.remove(entity, Fever, Grown)
      case 5:
        return world.add(entity, Home(nest))
      case 6:
        return world.add(entity, Met(nest, { times: day }))
      case 7:
        return void (day % 2 ? world.disable(entity, Awake) : world.enable(entity, Awake))
      case 8:
        return world.add(entity, Nest({ n: 100 + id }))
      case 9:
        young++
    }
  })
  for (let i = 0; i < young + 6; i++) hatch(world)
  world.query(Fever, Animal).each((_, fever, animal) => add(fever.until * animal.x))
  world.query(Marked, Animal).each((_, animal) => add(animal.id))
  world.query(Animal, Awake).each((_, animal) => add(animal.speed))
  world.query(Animal, inCreationOrder()).each((_, animal) => add(animal.id))
  for (const nest of nests) {
    for (const one of world.sources(nest, Home)) add(world.get(one, Animal)?.id ?? 0)
    for (const one of world.sources(nest, Met)) add(world.get(one, Met(nest))?.times ?? 0)
  }
}

/** What two worlds can be compared by whose handles differ. */
function stateOf(world: World) {
  const idsOf = (entities: Iterable<number>) => [...entities].map((entity) => world.get(entity, Animal)?.id)
  return {
    clock: world.getResource(Clock),
    rows: idsOf(world.query(Animal).entities()),
    fevers: idsOf(world.query(Fever).entities()),
    marked: idsOf(world.query(Marked).entities()),
    made: idsOf(world.query(Animal, inCreationOrder()).entities()),
    far: idsOf(sortedEntities(world.query(Animal), Animal, 'x', { order: 'descending' })),
  }
}

/** Each returns nothing: what it finds is its own affair. */
const LOOKS: Record<string, (world: World, day: number) => unknown> = {
  'counted and summed': (world) => [
    world.query(any(Marked, Grown)).count,
    world.query(not(Animal)).first(),
    sumOf(world.query(Animal), Animal, 'x'),
    getColumn(world.query(Animal, optional(Fever)), Animal, 'speed'),
    world.stats(),
  ],
  'sorted and filtered': (world) => [
    sortedEntities(world.query(Animal), Animal, 'x', { limit: 5 }),
    world.query(Animal).where(Animal, 'x', '>', 20).entities(),
    world.query(Animal).slice(3, 23).entities(),
  ],
  'asked what changed': (world) => [
    world.query(changed(Animal)).entities(),
    world.query(added(Fever)).count,
    createRemovalReader(world, Animal).read(),
    world.query(Animal).version,
  ],
  'asked for links': (world) =>
    [...world.query(Nest).entities()].map((nest) => [
      world.query(Animal, Home(nest)).count,
      world.sourceCount(nest, Met),
    ]),
  'listened to': (world, day) =>
    day === 0 && [
      onAdd(world, Marked, () => {}),
      onRemove(world, Animal, () => {}),
      onEnter(world.query(Animal, Fever), () => {}),
      onChange(world.query(Grown), () => {}),
    ],
  saved: (world) => [saveWorld(world), saveToJSON(world)],
  'copied and thrown away': (world) => forkWorld(world).dispose(),
  'taken back to where it is': (world) => restoreWorld(world, snapshotWorld(world)),
  'recorded and rewound': (world) => {
    const history = createHistory(world, { frames: 2 })
    history.save()
    history.rewind(0)
  },
  inspected: (world) => {
    const view = inspect(world)
    return [view.find('Animal & !Grown & Animal.x > 3').page(0, 10), view.archetypes()]
  },
}

const alone = begin()
for (let day = 0; day < DAYS; day++) live(alone)
const course = stateOf(alone)

it('The model is alive: animals of all sorts are born, die and meet', () => {
  expect(course.rows.length).toBeGreaterThan(100)
  expect(course.fevers.length).toBeGreaterThan(5)
  expect(course.marked.length).toBeGreaterThan(5)
  expect(course.made).not.toEqual(course.rows)
  expect(alone.resource(Clock).born).toBeGreaterThan(course.rows.length)
})

describe('A world takes the same course', () => {
  it.each(Object.entries(LOOKS))('when it is %s between the steps', (_, look) => {
    const world = begin()
    for (let day = 0; day < DAYS; day++) {
      look(world, day)
      live(world)
    }
    checkInvariants(world)
    expect(stateOf(world)).toEqual(course)
  })

  it.each<[string, (world: World) => World]>([
    ['from a file', (world) => loadWorld(saveWorld(world), { components: COMPONENTS }).world],
    ['from JSON', (world) => loadFromJSON(saveToJSON(world), { components: COMPONENTS }).world],
    [
      'in an empty world that merges the file',
      (world) => {
        const other = testWorld()
        mergeWorld(other, saveWorld(world), { components: COMPONENTS })
        return other
      },
    ],
    ['in a fork', (world) => forkWorld(world)],
    [
      'from a snapshot, after another future',
      (world) => {
        const now = snapshotWorld(world)
        for (let day = 0; day < 5; day++) live(world)
        restoreWorld(world, now)
        return world
      },
    ],
  ])('when it is resumed %s, in the middle and again', (_, resume) => {
    let world = begin()
    for (let day = 0; day < DAYS; day++) {
      if (day === 9 || day === 17) world = resume(world)
      live(world)
    }
    checkInvariants(world)
    expect(stateOf(world)).toEqual(course)
  })
})
