// What the cases share about entities that move: their values, the order in which they are asked, and for each library a
// world with nothing in it. What is measured stands in the cases.

export const DT = 1 / 64
// Halves and quarters: V8 would take whole numbers for something else than floats, and nothing in a game is one.
export const startX = (i) => (i % 5) + 0.25
export const velocityX = (i) => 0.5 + (i % 3)
export const velocityY = (i) => 0.5 + ((i >> 1) % 3)
export const velocityZ = (i) => 0.5 + ((i >> 2) % 3)
/** What entity i has in x where nothing moves. */
export const placeOf = (i) => i + 0.5

/** What is written in the k-th place of an order; rounds are counted from 1. */
export const valueIn = (k, round) => k + round + 0.5

/** 0..size-1 in an order that looks random and is the same in every run and process. */
export function shuffledOrder(size) {
  const order = Uint32Array.from({ length: size }, (_, i) => i)
  let state = 0x2545f491
  for (let i = size - 1; i > 0; i--) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    const j = (state >>> 0) % (i + 1)
    const swapped = order[i]
    order[i] = order[j]
    order[j] = swapped
  }
  return order
}

/** The handles of a stage in that order: numbers in a typed array. */
export function shuffled({ handles }) {
  const order = shuffledOrder(handles.length)
  return typeof handles[0] === 'number' ? order.map((i) => handles[i]) : Array.from(order, (i) => handles[i])
}

/** x, y, z of every entity of a stage, in order of creation. */
export const places = ({ handles, read }) => Array.from(handles, (_, k) => read(k).slice(0, 3)).flat()

const SEVEN = { x: 7, y: 7, z: 7 }
const valuesOf = ({ x, y, z }) => [x, y, z]
function vector(length) {
  const [x, y, z] = Array.from({ length: 3 }, () => new Float32Array(length))
  return { x, y, z }
}

/** The tags that the entities with a number have: one for each bit of it. */
export const tagsOf = (number, tags) => tags.filter((_, bit) => number & (1 << bit))

/**
 * A stage has the `handles` of its entities, in order of creation, and for the checks `read(k)`, Position and Velocity of the
 * k-th; `count()`, how many have both; `alive(k)`; and `soil(position)`, which writes 7 into every Velocity (and Position).
 * `fillStill()` and `fillMoving(archetypes)` make the entities; archetypes are told apart by tags that no query names.
 */
function withFilling(size, stage) {
  const { handles, marks } = stage
  return {
    fillStill() {
      for (let i = 0; i < size; i++) handles[i] = stage.spawn(placeOf(i))
    },
    fillMoving(archetypes = 1) {
      for (let i = 0; i < size; i++) {
        const velocity = { x: velocityX(i), y: velocityY(i), z: velocityZ(i) }
        handles[i] = stage.spawn(startX(i), velocity, tagsOf(i % archetypes, marks))
      }
    },
    ...stage,
  }
}

/** Values by id, for libraries whose entities are numbers; `at(k)` is the id of the k-th. */
function byId(Position, Velocity, at) {
  return {
    read: (k) => [Position, Velocity].flatMap(({ x, y, z }) => [x[at(k)], y[at(k)], z[at(k)]]),
    soil(position) {
      for (const one of position ? [Position, Velocity] : [Velocity])
        for (const axis of 'xyz') one[axis].fill(7)
    },
  }
}

function write({ x, y, z }, id, value) {
  x[id] = value.x
  y[id] = value.y
  z[id] = value.z
}

/** strata-ecs, by its public names, from the built package. */
export async function strata(size, tags = 0, memory = undefined) {
  const library = await import('../../dist/index.js')
  const { component, createAccessor, createWorld, f32, tag } = library
  const Position = component('Position', { x: f32, y: f32, z: f32 })
  const Velocity = component('Velocity', { x: f32, y: f32, z: f32 })
  const marks = Array.from({ length: tags }, (_, bit) => tag(`Mark${bit}`))
  const world = createWorld({ memory })
  const moving = world.query(Position, Velocity)
  const position = createAccessor(world, Position)
  const stage = withFilling(size, {
    handles: new Uint32Array(size),
    ...{ library, world, Position, Velocity, marks, moving, position },
    spawn: (x, v, own = []) => world.spawn(Position({ x }), ...(v ? [Velocity(v)] : []), ...own),
    count: () => moving.count,
    alive: (k) => world.isAlive(stage.handles[k]),
    read: (k) =>
      [Position, Velocity].flatMap((one) =>
        world.has(stage.handles[k], one) ? valuesOf(world.get(stage.handles[k], one)) : [0, 0, 0],
      ),
    soil(position) {
      const soiled = position ? [Position, Velocity] : [Velocity]
      moving.entities().forEach((handle) => soiled.forEach((one) => world.set(handle, one, SEVEN)))
    },
  })
  return stage
}

/** bitECS 0.4: components of typed arrays, `query` with `asBuffer` once a pass, as its docs recommend for speed. */
export async function bitecs(size, tags = 0) {
  const library = await import('bitecs')
  const { addComponents, addEntity, asBuffer, createWorld, entityExists, query } = library
  const world = createWorld()
  // Ids start at 1 and are recycled at once: twice the population is always room enough.
  const [Position, Velocity] = [vector(size * 2 + 2), vector(size * 2 + 2)]
  query(world, [Position, Velocity], asBuffer)
  const handles = new Uint32Array(size)
  return withFilling(size, {
    ...library,
    ...{ world, Position, Velocity, handles, marks: Array.from({ length: tags }, () => ({})) },
    spawn(x, v, own = []) {
      const id = addEntity(world)
      addComponents(world, id, Position, ...(v ? [Velocity] : []), ...own)
      Position.x[id] = x
      if (v) write(Velocity, id, v)
      return id
    },
    count: () => query(world, [Position, Velocity], asBuffer).length,
    alive: (k) => entityExists(world, handles[k]),
    ...byId(Position, Velocity, (k) => handles[k]),
  })
}

/** koota 0.6: SoA traits, `createQuery` once, and `useStores` where its README says that speed matters. */
export async function koota(size, tags = 0) {
  const library = await import('koota')
  const { createQuery, createWorld, trait } = library
  const world = createWorld()
  const [Position, Velocity] = [trait({ x: 0, y: 0, z: 0 }), trait({ x: 0, y: 0, z: 0 })]
  const moving = createQuery(Position, Velocity)
  const handles = new Array(size).fill(undefined)
  return withFilling(size, {
    ...library,
    ...{ world, Position, Velocity, moving, handles, marks: Array.from({ length: tags }, () => trait()) },
    spawn: (x, v, own = []) => world.spawn(Position({ x }), ...(v ? [Velocity(v)] : []), ...own),
    count: () => world.query(moving).length,
    alive: (k) => handles[k].isAlive(),
    read: (k) => [Position, Velocity].flatMap((one) => valuesOf(handles[k].get(one) ?? { x: 0, y: 0, z: 0 })),
    soil: (position) =>
      handles.forEach((entity) => {
        entity.set(Velocity, SEVEN)
        if (position) entity.set(Position, SEVEN)
      }),
  })
}

/** miniplex 2.0: entities are plain objects, added whole, a tag a property that is true; queries are made once. */
export async function miniplex(size, tags = 0) {
  const { World } = await import('miniplex')
  const world = new World()
  const moving = world.with('position', 'velocity')
  const handles = new Array(size).fill(undefined)
  return withFilling(size, {
    ...{ world, moving, handles, marks: Array.from({ length: tags }, (_, bit) => `mark${bit}`) },
    spawn: (x, velocity, own = []) =>
      world.add({
        position: { x, y: 0, z: 0 },
        ...(velocity ? { velocity } : {}),
        ...Object.fromEntries(own.map((mark) => [mark, true])),
      }),
    count: () => moving.size,
    alive: (k) => world.has(handles[k]),
    read: (k) => [handles[k].position, handles[k].velocity ?? { x: 0, y: 0, z: 0 }].flatMap(valuesOf),
    soil: (also) =>
      handles.forEach(({ position, velocity }) => {
        Object.assign(velocity, SEVEN)
        if (also) Object.assign(position, SEVEN)
      }),
  })
}

/**
 * piecs 0.4: prefabricated archetypes and registered systems. It stores ids only: values lie in arrays by id, and a case
 * is done when these are right. The case registers its systems, or `watch()`, then entities may be made.
 */
export async function piecs(size) {
  const { World, createEntitySystem } = await import('piecs/dist/index.mjs')
  const world = new World()
  const [PositionId, VelocityId] = [world.createComponentId(), world.createComponentId()]
  const [still, moving] = [world.prefabricate([PositionId]), world.prefabricate([PositionId, VelocityId])]
  // Deleted ids are reused at once, so ids stay below the largest population.
  const [Position, Velocity] = [vector(size), vector(size)]
  const handles = new Uint32Array(size)
  return withFilling(size, {
    ...{ createEntitySystem, world, VelocityId, still, moving, Position, Velocity, handles, marks: [] },
    spawn(x, v) {
      const id = world.createEntity(v ? moving : still)
      Position.x[id] = x
      if (v) write(Velocity, id, v)
      return id
    },
    /** A system that does nothing: it makes the world keep the query up to date, as a program's systems would. */
    watch() {
      const nothing = createEntitySystem(
        () => {},
        (query) => query.prefabricated(moving),
      )
      world.registerSystem(nothing).initialize()
    },
    count: () => moving.entities.length,
    alive: (k) => world.hasEntity(handles[k]),
    ...byId(Position, Velocity, (k) => handles[k]),
  })
}

/** The same where no query is watched. */
export async function piecsUnwatched(size) {
  const stage = await piecs(size)
  stage.world.initialize()
  return stage
}

/**
 * wolf-ecs 2.1.3: values in the typed arrays of a component by id, and two nested index loops over the archetypes of a
 * query, backwards, as its README writes what must be fast. A query for the component with bit 31 would find nothing.
 */
export async function wolf(size, tags = 0) {
  const { ECS, types } = await import('wolf-ecs')
  const ecs = new ECS(size)
  const fields = { x: types.f32, y: types.f32, z: types.f32 }
  const [Position, Velocity] = [ecs.defineComponent(fields), ecs.defineComponent(fields)]
  const marks = Array.from({ length: tags }, () => ecs.defineComponent())
  const moving = ecs.createQuery(Position, Velocity)
  const handles = new Array(size).fill(-1)
  return withFilling(size, {
    ...{ ecs, Position, Velocity, marks, moving, handles },
    spawn(x, v, own = []) {
      const id = ecs.createEntity()
      for (const component of [Position, ...(v ? [Velocity] : []), ...own]) ecs.addComponent(id, component)
      Position.x[id] = x
      if (v) write(Velocity, id, v)
      return id
    },
    count: () => moving.a.reduce((sum, archetype) => sum + archetype.e.length, 0),
    // wolf-ecs has no public question for this.
    alive: (k) => ecs._validID(handles[k]),
    ...byId(Position, Velocity, (k) => handles[k]),
  })
}
