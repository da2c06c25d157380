// Owns the becsy 0.16 side, its perf build: systems that walk `query.current` and bind components by `read` and `write`, as
// becsy writes its own benchmark. It must never raise no limit: the perf build overruns its logs without a word.
import { System, Type, World } from '@lastolivegames/becsy/lib/perf.js'
import { placeOf } from '../cases/add-remove.js'
import { shuffledOrder } from '../cases/get.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { startOf as startOfData, typeOf } from '../cases/noct-frag-iter.js'
import { startOf as startOfPacked } from '../cases/noct-packed-5.js'
import { LETTERS, lettersOf, startOf as startOfSimple } from '../cases/noct-simple-iter.js'
import { ddWays } from './becsy-ddmills.js'
import {
  addRemoveScene,
  destroyScene,
  entityCycleScene,
  noctAddRemoveScene,
  spawnScene,
  tagScene,
} from './scenes.js'

export const label = 'becsy'
export const packageName = '@lastolivegames/becsy'
export const uses =
  'The perf build. Systems over `query.current`, components bound by `entity.read` and `entity.write`, ' +
  '`await world.execute()`; handles by `hold`. `createEntity` with components and values, `add`, `remove`, ' +
  '`delete`. Storage is sparse, the fastest that its docs name, and packed with a capacity where few ' +
  'entities have the component.'

const dt = DT
const VECTOR = { x: Type.float32, y: Type.float32, z: Type.float32 }
const SCALAR = { value: Type.float32 }

function component(componentSchema, componentOptions = { storage: 'sparse' }) {
  return class {
    static schema = componentSchema
    static options = componentOptions
  }
}

const Position = component(VECTOR)
const Velocity = component(VECTOR)
const [A, B, C, D, E] = LETTERS.map(() => component(SCALAR))
const BY_LETTER = { A, B, C, D, E }

/** Room for what is removed, too: it is kept for two frames. `changes` are components added or removed in a frame. */
const createWorld = (maxEntities, changes, defs) =>
  World.create({
    defs,
    maxEntities,
    maxShapeChangesPerFrame: changes * 4,
    maxLimboComponents: changes * 4,
  })

/** Entities with the components and values that `partsOf` gives for each, as handles that stay. */
function spawn(world, size, partsOf) {
  const entities = new Array(size)
  world.build((system) => {
    for (let i = 0; i < size; i++) entities[i] = system.createEntity(...partsOf(i)).hold()
  })
  return entities
}

const vectorOf = (entity, Vector) => {
  const { x, y, z } = entity.read(Vector)
  return [x, y, z]
}

async function loop(size) {
  class Move extends System {
    moving = this.query((q) => q.current.with(Position).write.and.with(Velocity).read)
    execute() {
      for (const entity of this.moving.current) {
        const p = entity.write(Position)
        const v = entity.read(Velocity)
        p.x += v.x * dt
        p.y += v.y * dt
        p.z += v.z * dt
      }
    }
  }
  const world = await createWorld(size, size, [Position, Velocity, Move])
  const entities = spawn(world, size, (i) => [
    Position,
    { x: startX(i) },
    Velocity,
    { x: velocityX(i), y: velocityY(i), z: velocityZ(i) },
  ])
  return {
    run: () => world.execute(),
    result: () => entities.flatMap((entity) => vectorOf(entity, Position)),
  }
}

/** A frame runs a task in a system; another system, which comes after it, has a query for all that move. */
async function createStage(size) {
  let task
  let moving
  class Act extends System {
    entitled = this.query((q) => q.using(Position, Velocity).write)
    execute() {
      task(this)
    }
  }
  class Watch extends System {
    moving = (moving = this.query((q) => q.current.with(Position, Velocity)))
  }
  const world = await createWorld(size * 4, size * 3, [Position, Velocity, Act, Watch])
  function frame(next) {
    task = next
    return world.execute()
  }
  async function count() {
    await frame(() => {})
    return moving.current.length
  }
  return { world, frame, count }
}

const SEVEN = { x: 7, y: 7, z: 7 }
const soil = (entities, Vector) => entities.forEach((entity) => Object.assign(entity.write(Vector), SEVEN))

async function createStill(size) {
  const stage = await createStage(size)
  return { ...stage, entities: spawn(stage.world, size, (i) => [Position, { x: placeOf(i) }]) }
}

async function get(size) {
  const { frame, entities } = await createStill(size)
  const shuffled = Array.from(shuffledOrder(size), (i) => entities[i])
  let sum
  function addUp() {
    sum = 0
    for (let i = 0; i < size; i++) sum += shuffled[i].read(Position).x
  }
  const run = () => frame(addUp)
  return { run, result: async () => [(await run(), sum)] }
}

async function createPopulation(size) {
  const { frame, count } = await createStage(size)
  const entities = new Array(size)
  function spawnAll(system) {
    for (let i = 0; i < size; i++) entities[i] = system.createEntity(Position, { x: i }, Velocity).hold()
  }
  function destroyAll() {
    for (let i = 0; i < size; i++) entities[i].delete()
  }
  return {
    count,
    read: (k) => [...vectorOf(entities[k], Position), ...vectorOf(entities[k], Velocity)],
    soil: () => [Position, Velocity].forEach((Vector) => soil(entities, Vector)),
    alive: (k) => entities[k].alive,
    spawnAll: () => frame(spawnAll),
    destroyAll: () => frame(destroyAll),
  }
}

async function addRemove(size) {
  const { frame, count, entities } = await createStill(size)
  function addEach() {
    for (let i = 0; i < size; i++) entities[i].add(Velocity)
  }
  function removeEach() {
    for (let i = 0; i < size; i++) entities[i].remove(Velocity)
  }
  const add = () => frame(addEach)
  const remove = () => frame(removeEach)
  return addRemoveScene(size, {
    count,
    velocity: (k) => vectorOf(entities[k], Velocity),
    x: (k) => entities[k].read(Position).x,
    soil: () => soil(entities, Velocity),
    add,
    remove,
    both: () => add().then(remove),
  })
}

const increaseSystem = (Component) =>
  class extends System {
    all = this.query((q) => q.current.with(Component).write)
    execute() {
      for (const entity of this.all.current) entity.write(Component).value += 1
    }
  }

/** `Before` is a system that writes the same component: without an order, two of them have none and never run. */
const swapSystem = (First, Second, Before) =>
  class extends System {
    all = this.query((q) => q.current.with(First).write.and.with(Second).write)
    order = Before && this.schedule((s) => s.after(Before))
    execute() {
      for (const entity of this.all.current) {
        const first = entity.write(First)
        const second = entity.write(Second)
        const value = first.value
        first.value = second.value
        second.value = value
      }
    }
  }

/** Entities with the values that `valuesOf` gives for each, in pairs of component and value, and systems that run. */
async function createIteration(size, components, systems, valuesOf) {
  const pairs = Array.from({ length: size }, (_, i) => valuesOf(i))
  const world = await createWorld(size, size * 5, [components, systems])
  const entities = spawn(world, size, (i) => pairs[i].flatMap(([Component, value]) => [Component, { value }]))
  return {
    run: () => world.execute(),
    result: () =>
      entities.flatMap((entity, i) => pairs[i].map(([Component]) => entity.read(Component).value)),
  }
}

function packed5(size) {
  const components = [A, B, C, D, E]
  return createIteration(size, components, components.map(increaseSystem), (i) =>
    components.map((Component, k) => [Component, startOfPacked(i, k)]),
  )
}

function simpleIter(size) {
  const SwapCD = swapSystem(C, D)
  const systems = [swapSystem(A, B), SwapCD, swapSystem(C, E, SwapCD)]
  return createIteration(size, [A, B, C, D, E], systems, (i) =>
    lettersOf(i).map((letter) => [BY_LETTER[letter], startOfSimple(i, letter)]),
  )
}

const fragIter = (types) => (size) => {
  const Data = component(SCALAR)
  const few = { storage: 'packed', capacity: size / types }
  const own = Array.from({ length: types }, () => component(SCALAR, few))
  const systems = [increaseSystem(Data), increaseSystem(own[types - 1])]
  return createIteration(size, [Data, ...own], systems, (i) => {
    const type = typeOf(i, types)
    return [
      [Data, startOfData(i)],
      [own[type], type],
    ]
  })
}

/** Two systems, one after the other in every frame. For the checks: one of them, or none, to bring the queries up to date. */
async function createNoctStage(size, halves) {
  const [first, second] = halves.map((half) => ({ ...half, on: true }))
  const systemOf = (half, Before) =>
    class extends System {
      found = (half.found = this.query(half.select))
      order = Before && this.schedule((s) => s.after(Before))
      execute() {
        if (half.on) half.change(this, this.found.current)
      }
    }
  const First = systemOf(first)
  const world = await createWorld(size * 4, size * 4, [A, B, First, systemOf(second, First)])
  spawn(world, size, (i) => [A, { value: i }])
  async function only(half) {
    first.on = half === first
    second.on = half === second
    await world.execute()
    first.on = second.on = true
  }
  async function valuesOf(half, Component) {
    await only(undefined)
    return Array.from(half.found.current, (entity) => entity.read(Component).value)
  }
  return {
    first: () => only(first),
    second: () => only(second),
    both: () => world.execute(),
    valuesOfA: () => valuesOf(first, A),
    valuesOfB: () => valuesOf(second, B),
    soil: () => second.found.current.forEach((entity) => (entity.write(B).value = 7)),
  }
}

const spawnEachB = {
  select: (q) => q.current.with(A).also.using(B).write,
  change(system, entities) {
    for (const entity of entities) system.createEntity(B, { value: entity.read(A).value })
  },
}

const destroyEachB = {
  select: (q) => q.current.with(B).write,
  change(system, entities) {
    for (const entity of entities) entity.delete()
  },
}

const addEachB = {
  select: (q) => q.current.with(A).but.without(B).write,
  change(system, entities) {
    for (const entity of entities) entity.add(B)
  },
}

const removeEachB = {
  select: (q) => q.current.with(B).write,
  change(system, entities) {
    for (const entity of entities) entity.remove(B)
  },
}

async function entityCycle(size) {
  const { first, second, ...verbs } = await createNoctStage(size, [spawnEachB, destroyEachB])
  return entityCycleScene({ ...verbs, spawnEach: first, destroyEach: second })
}

async function noctAddRemove(size) {
  const { first, second, ...verbs } = await createNoctStage(size, [addEachB, removeEachB])
  return noctAddRemoveScene({ ...verbs, addEach: first, removeEach: second })
}

class Frozen {}

async function tag(size) {
  let adding = false
  let removing = false
  let tagged
  class AddTag extends System {
    untagged = this.query((q) => q.current.with(Position).but.without(Frozen).write)
    execute() {
      if (adding) for (const entity of this.untagged.current) entity.add(Frozen)
    }
  }
  class RemoveTag extends System {
    tagged = (tagged = this.query((q) => q.current.with(Frozen).write))
    order = this.schedule((s) => s.after(AddTag))
    execute() {
      if (removing) for (const entity of this.tagged.current) entity.remove(Frozen)
    }
  }
  const world = await createWorld(size, size, [Position, Frozen, AddTag, RemoveTag])
  const entities = spawn(world, size, (i) => [Position, { x: i }])
  function frame(add, remove) {
    adding = add
    removing = remove
    return world.execute()
  }
  return tagScene({
    tagged: () => frame(false, false).then(() => tagged.current.length),
    addToAll: () => frame(true, false),
    removeFromAll: () => frame(false, true),
    values: () => entities.map((entity) => entity.read(Position).x),
  })
}

const inStage = (scene) => async (size) => scene(size, await createPopulation(size))

export const ways = {
  loop: { 'system, read and write': loop },
  get: { 'entity.read': get },
  spawn: { 'in a system': inStage(spawnScene) },
  destroy: { 'in a system': inStage(destroyScene) },
  'add-remove': { 'in a system': addRemove },
  packed_5: { 'systems, read and write': packed5 },
  simple_iter: { 'systems, read and write': simpleIter },
  frag_iter: { 'systems, read and write': fragIter(26) },
  frag_iter_256: { 'systems, read and write': fragIter(256) },
  entity_cycle: { systems: entityCycle },
  add_remove: { systems: noctAddRemove },
  tag: { systems: tag },
  ...ddWays,
}
