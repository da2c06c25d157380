// What a call may find beside the entities that it is about, and the calls: of what costs grow with. The measurement here takes
// their time over the built package; tests/whole/growth.measured.test.ts counts their steps over the sources.

/** The most there is of a thing. */
export const MOST = 1_000
/** How often each call is made in one go, on an entity of its own. */
export const TIMES = 20

/** @param library strata-ecs, in whatever form */
export function beside(library) {
  const { component, createSchedule, f32, not, object, relation, resource, sparse, tag, toggle, u32 } =
    library
  const {
    addMany,
    cloneEntity,
    createRemovalReader,
    destroyMany,
    onAdd,
    onChange,
    onEnter,
    onExit,
    onRemove,
    onResource,
    onSet,
    removeMany,
    spawnMany,
  } = library
  const many = (make) => Array.from({ length: MOST }, (_, i) => make(i))
  const Place = component('Place', { x: f32, y: f32 })
  const Speed = component('Speed', { x: f32, y: f32 })
  const Pooled = component('Pooled', { n: u32 }, { storage: sparse })
  const Switched = component('Switched', { n: u32 }, { toggle })
  const Near = relation('Near', { exclusive: true })
  const Held = object('Held')
  const Marked = tag('Marked')
  const others = many((i) => component(`Other${i}`, { n: u32 }))
  const pools = many((i) => component(`Pool${i}`, { n: u32 }, { storage: sparse }))
  const objects = many((i) => object(`Object${i}`))
  const relations = many((i) => relation(`Relation${i}`, { exclusive: true }))
  const resources = many((i) => resource(`Resource${i}`, { n: u32 }))
  const tags = Array.from({ length: 10 }, (_, i) => tag(`Tag${i}`))
  const nothing = () => {}
  const times = (call) => {
    for (let i = 0; i < TIMES; i++) call(i)
  }

  /** None of it concerns the entities of a call. What is returned is to be kept. */
  const things = {
    entities: (world, count) => spawnMany(world, count, [others[0]]),
    'component types': (world, count) =>
      others.slice(0, count).map((each) => world.destroy(world.spawn(each))),
    'archetypes with entities': (world, count) => others.slice(0, count).map((each) => world.spawn(each)),
    'empty archetypes': (world, count) => {
      const entity = world.spawn(others[0])
      for (let i = 1; i <= count; i++) {
        const one = tags[Math.log2(i & -i)]
        if (world.has(entity, one)) world.remove(entity, one)
        else world.add(entity, one)
      }
      world.destroy(entity)
    },
    'sparse components': (world, count) => pools.slice(0, count).map((each) => world.spawn(each)),
    'object components': (world, count) => objects.slice(0, count).map((each) => world.spawn(each({}))),
    relations: (world, count) => relations.slice(0, count).map((each) => world.spawn(each(world.spawn()))),
    queries: (world, count) => others.slice(0, count).map((each) => world.query(each).count),
    'subscribed queries': (world, count) =>
      others.slice(0, count).map((each) => onChange(world.query(each), nothing)),
    onAdd: (world, count) => others.slice(0, count).map((each) => onAdd(world, each, nothing)),
    onRemove: (world, count) => others.slice(0, count).map((each) => onRemove(world, each, nothing)),
    onSet: (world, count) => others.slice(0, count).map((each) => onSet(world, each, nothing)),
    onEnter: (world, count) => others.slice(0, count).map((each) => onEnter(world.query(each), nothing)),
    onExit: (world, count) => others.slice(0, count).map((each) => onExit(world.query(each), nothing)),
    'readers of removals': (world, count) =>
      others.slice(0, count).map((each) => createRemovalReader(world, each)),
    'resources listened to': (world, count) =>
      resources.slice(0, count).map((each) => {
        world.setResource(each, { n: 1 })
        return onResource(world, each, nothing)
      }),
    systems: (world, count) => {
      const schedule = createSchedule(world)
      for (let i = 0; i < count; i++) schedule.add(nothing, { name: `system ${i}` })
      schedule.run(1)
      return schedule
    },
  }

  /** What is done to entities that none of the things concern. */
  const calls = {
    spawn: ({ world }) => times(() => world.spawn(Place, Speed)),
    'spawn with values': ({ world }) => times((i) => world.spawn(Place({ x: i }), Speed({ y: i }))),
    destroy: ({ world, entities }) => times((i) => world.destroy(entities[i])),
    clone: ({ world, entities }) => times((i) => cloneEntity(world, entities[i])),
    'add, remove': ({ world, entities }) =>
      times((i) => {
        world.add(entities[i], Marked)
        world.remove(entities[i], Marked)
      }),
    exchange: ({ world, entities }) => times((i) => world.exchange(entities[i], [Speed], [Marked])),
    'add of a sparse one': ({ world, entities }) => times((i) => world.add(entities[i], Pooled({ n: i }))),
    'add of an object': ({ world, entities }) => times((i) => world.add(entities[i], Held({}))),
    'add of a link': ({ world, entities, parent }) => times((i) => world.add(entities[i], Near(parent))),
    has: ({ world, entities }) => times((i) => world.has(entities[i], Place)),
    get: ({ world, entities }) => times((i) => world.get(entities[i], Place)),
    set: ({ world, entities }) => times((i) => world.set(entities[i], Place, { x: i })),
    'add, disable': ({ world, entities }) =>
      times((i) => {
        world.add(entities[i], Switched)
        world.disable(entities[i], Switched)
      }),
    'changes in a block': ({ world, entities }) =>
      times((i) =>
        world.batch(() => {
          world.add(entities[i], Marked)
          world.remove(entities[i], Speed)
        }),
      ),
    spawnMany: ({ world }) => times(() => spawnMany(world, 5, [Place, Speed])),
    'addMany, removeMany': ({ world, entities }) =>
      times(() => {
        addMany(world, entities, Marked)
        removeMany(world, entities, Marked)
      }),
    destroyMany: ({ world, entities }) => void destroyMany(world, entities),
    'addMany, removeMany of a query': ({ moving }) =>
      times(() => {
        addMany(moving, Marked)
        removeMany(moving, Marked)
      }),
    'destroyMany of a query': ({ moving }) => void destroyMany(moving),
    'a loop': ({ moving }) => times(() => moving.each(nothing)),
    count: ({ world }) => times(() => world.query(Place, not(Marked)).count),
    version: ({ world }) => times(() => world.query(Place, not(Marked)).version),
    componentsOf: ({ world, entities }) => times((i) => world.componentsOf(entities[i])),
    stats: ({ world }) => times(() => world.stats()),
    advance: ({ world }) => times(() => world.advanceTick()),
  }

  /** Entities for one go of a call, and what else it names. */
  const subject = (world) => ({
    world,
    entities: Array.from({ length: TIMES }, () => world.spawn(Place, Speed)),
    parent: world.spawn(),
    moving: world.query(Place, Speed),
  })

  return { things, calls, subject }
}
