// Owns the woven 1.0 side: systems that take a query's ids and go through the components' buffers, as its best practices
// say for hot loops, or through read and write, which note changes. It must never let the pool or the event ring overflow.
import {
  World,
  addComponent,
  createEntity,
  defineComponent,
  defineQuery,
  defineSystem,
  field,
  isAlive,
  removeComponent,
  removeEntity,
} from '@woven-ecs/core'
import { placeOf } from '../cases/add-remove.js'
import { shuffledOrder } from '../cases/get.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { startOf as startOfData, typeOf } from '../cases/noct-frag-iter.js'
import { startOf as startOfPacked } from '../cases/noct-packed-5.js'
import { LETTERS, lettersOf, startOf as startOfSimple } from '../cases/noct-simple-iter.js'
import { ddWays } from './woven-ddmills.js'
import {
  addRemoveScene,
  destroyScene,
  entityCycleScene,
  noctAddRemoveScene,
  spawnScene,
  tagScene,
} from './scenes.js'

export const label = 'woven'
export const packageName = '@woven-ecs/core'
export const uses =
  'Systems on the main thread, `await world.execute(...)`. Ids of `query.current`, columns by ' +
  '`_getInstance(ctx).buffer`, which its best practices show for hot loops; beside it `read` and `write`. ' +
  '`createEntity`, `addComponent`, `removeComponent`, `removeEntity`. The pool of entities and the ring of ' +
  'events are made large enough.'

const dt = DT
const vector = () => defineComponent({ x: field.float32(), y: field.float32(), z: field.float32() })
const scalar = () => defineComponent({ value: field.float32() })
const Position = vector()
const Velocity = vector()
const [A, B, C, D, E] = LETTERS.map(scalar)
const BY_LETTER = { A, B, C, D, E }

/** Events are kept until every system has run three times: entities and components that come and go, and every write. */
const createWorld = (components, maxEntities, maxEvents) =>
  new World(components, { threads: 1, maxEntities, maxEvents })

const idsWith = (...components) => defineQuery((q) => q.with(...components))

const byBuffers = {
  move(moving) {
    return defineSystem((ctx) => {
      const { x: px, y: py, z: pz } = Position._getInstance(ctx).buffer
      const { x: vx, y: vy, z: vz } = Velocity._getInstance(ctx).buffer
      const ids = moving.current(ctx)
      for (let i = 0; i < ids.length; i++) {
        const id = ids[i]
        px[id] += vx[id] * dt
        py[id] += vy[id] * dt
        pz[id] += vz[id] * dt
      }
    })
  },
  increase(component) {
    const all = idsWith(component)
    return defineSystem((ctx) => {
      const { value } = component._getInstance(ctx).buffer
      const ids = all.current(ctx)
      for (let i = 0; i < ids.length; i++) value[ids[i]] += 1
    })
  },
  swap(first, second) {
    const both = idsWith(first, second)
    return defineSystem((ctx) => {
      const { value: a } = first._getInstance(ctx).buffer
      const { value: b } = second._getInstance(ctx).buffer
      const ids = both.current(ctx)
      for (let i = 0; i < ids.length; i++) {
        const id = ids[i]
        const value = a[id]
        a[id] = b[id]
        b[id] = value
      }
    })
  },
}

const byWrite = {
  move(moving) {
    return defineSystem((ctx) => {
      for (const id of moving.current(ctx)) {
        const p = Position.write(ctx, id)
        const v = Velocity.read(ctx, id)
        p.x += v.x * dt
        p.y += v.y * dt
        p.z += v.z * dt
      }
    })
  },
  increase(component) {
    const all = idsWith(component)
    return defineSystem((ctx) => {
      for (const id of all.current(ctx)) component.write(ctx, id).value += 1
    })
  },
  swap(first, second) {
    const both = idsWith(first, second)
    return defineSystem((ctx) => {
      for (const id of both.current(ctx)) {
        const a = first.write(ctx, id)
        const b = second.write(ctx, id)
        const value = a.value
        a.value = b.value
        b.value = value
      }
    })
  },
}

const vectorOf = ({ x, y, z }) => [x, y, z]

/** Position and Velocity, and a system with a query for both, run in every frame, that brings it up to date. */
function createStage(size) {
  const world = createWorld([Position, Velocity], size * 8, size * 16)
  const ctx = world._getContext()
  const moving = idsWith(Position, Velocity)
  let found = 0
  const watch = defineSystem((context) => (found = moving.current(context).length))
  // What a frame changes is seen by the systems of the next one.
  function frame(change) {
    world.execute(change)
    return world.execute(watch)
  }
  const count = () => world.execute(watch).then(() => found)
  const ids = new Array(size).fill(-1)
  const read = (k, component) => vectorOf(component.read(ctx, ids[k]))
  const soil = (component) => ids.forEach((id) => component.copy(ctx, id, { x: 7, y: 7, z: 7 }))
  return { world, ctx, moving, frame, count, ids, read, soil }
}

const loop = (way) => (size) => {
  const { world, ctx, moving, ids, read } = createStage(size)
  for (let i = 0; i < size; i++) {
    ids[i] = createEntity(ctx)
    addComponent(ctx, ids[i], Position, { x: startX(i) })
    addComponent(ctx, ids[i], Velocity, { x: velocityX(i), y: velocityY(i), z: velocityZ(i) })
  }
  const move = way.move(moving)
  return { run: () => world.execute(move), result: () => ids.flatMap((_, k) => read(k, Position)) }
}

function createStill(size) {
  const stage = createStage(size)
  const { ctx, ids } = stage
  for (let i = 0; i < size; i++) {
    ids[i] = createEntity(ctx)
    addComponent(ctx, ids[i], Position, { x: placeOf(i) })
  }
  return stage
}

const get = (sumOf) => (size) => {
  const { world, ids } = createStill(size)
  const shuffled = Array.from(shuffledOrder(size), (i) => ids[i])
  let sum
  const addUp = defineSystem((ctx) => (sum = sumOf(ctx, shuffled)))
  const run = () => world.execute(addUp)
  return { run, result: async () => [(await run(), sum)] }
}

function sumOfBuffer(ctx, ids) {
  const { x } = Position._getInstance(ctx).buffer
  let sum = 0
  for (let i = 0; i < ids.length; i++) sum += x[ids[i]]
  return sum
}

function sumOfReads(ctx, ids) {
  let sum = 0
  for (let i = 0; i < ids.length; i++) sum += Position.read(ctx, ids[i]).x
  return sum
}

function createPopulation(size) {
  const { ctx, frame, count, ids, read, soil } = createStage(size)
  function spawnAll(context) {
    for (let i = 0; i < size; i++) {
      const id = createEntity(context)
      addComponent(context, id, Position, { x: i })
      addComponent(context, id, Velocity)
      ids[i] = id
    }
  }
  function destroyAll(context) {
    for (let i = 0; i < size; i++) removeEntity(context, ids[i])
  }
  return {
    count,
    read: (k) => [...read(k, Position), ...read(k, Velocity)],
    soil: () => [Position, Velocity].forEach(soil),
    alive: (k) => isAlive(ctx, ids[k]),
    spawnAll: () => frame(spawnAll),
    destroyAll: () => frame(destroyAll),
  }
}

function addRemove(size) {
  const { frame, count, ids, read, soil } = createStill(size)
  function addEach(context) {
    for (let i = 0; i < size; i++) addComponent(context, ids[i], Velocity)
  }
  function removeEach(context) {
    for (let i = 0; i < size; i++) removeComponent(context, ids[i], Velocity)
  }
  const add = () => frame(addEach)
  const remove = () => frame(removeEach)
  return addRemoveScene(size, {
    count,
    velocity: (k) => read(k, Velocity),
    x: (k) => read(k, Position)[0],
    soil: () => soil(Velocity),
    add,
    remove,
    both: () => add().then(remove),
  })
}

/** Entities with the values that `valuesOf` gives for each, in pairs of component and value. */
function createIteration(size, components, systems, valuesOf) {
  const world = createWorld(components, size, size * 24)
  const ctx = world._getContext()
  const cells = Array.from({ length: size }, (_, i) => {
    const id = createEntity(ctx)
    return valuesOf(i).map(([component, value]) => {
      addComponent(ctx, id, component, { value })
      return () => component.read(ctx, id).value
    })
  }).flat()
  return { run: () => world.execute(...systems), result: () => cells.map((read) => read()) }
}

const packed5 = (way) => (size) => {
  const components = [A, B, C, D, E]
  return createIteration(size, components, components.map(way.increase), (i) =>
    components.map((component, k) => [component, startOfPacked(i, k)]),
  )
}

const simpleIter = (way) => (size) => {
  const systems = [way.swap(A, B), way.swap(C, D), way.swap(C, E)]
  return createIteration(size, [A, B, C, D, E], systems, (i) =>
    lettersOf(i).map((letter) => [BY_LETTER[letter], startOfSimple(i, letter)]),
  )
}

const fragIter = (way, types) => (size) => {
  const data = scalar()
  const own = Array.from({ length: types }, scalar)
  const systems = [way.increase(data), way.increase(own[types - 1])]
  return createIteration(size, [data, ...own], systems, (i) => {
    const type = typeOf(i, types)
    return [
      [data, startOfData(i)],
      [own[type], type],
    ]
  })
}

/** Each half is a system of a frame of its own: what one changes, the queries of the next frame see. */
function createNoctStage(size, change, changeBack) {
  const world = createWorld([A, B], size * 8, size * 16)
  const ctx = world._getContext()
  for (let i = 0; i < size; i++) addComponent(ctx, createEntity(ctx), A, { value: i })
  const [first, second] = [createHalf(world, A, change), createHalf(world, B, changeBack)]
  return {
    first: first.run,
    second: second.run,
    both: () => first.run().then(second.run),
    valuesOfA: first.values,
    valuesOfB: second.values,
    soil: () => B._getInstance(ctx).buffer.value.fill(7),
  }
}

// One system for the change and for the check: ids of removed entities come back when every system has run three times.
function createHalf(world, component, change) {
  const query = idsWith(component)
  let task = change
  const half = defineSystem((ctx) => task(ctx, query.current(ctx)))
  const run = () => world.execute(half)
  async function values() {
    const found = []
    task = (ctx, ids) => ids.forEach((id) => found.push(component.read(ctx, id).value))
    await run()
    task = change
    return found
  }
  return { run, values }
}

function spawnEachB(ctx, ids) {
  const { value } = A._getInstance(ctx).buffer
  for (let i = 0; i < ids.length; i++) addComponent(ctx, createEntity(ctx), B, { value: value[ids[i]] })
}

function destroyEachB(ctx, ids) {
  for (let i = 0; i < ids.length; i++) removeEntity(ctx, ids[i])
}

function addEachB(ctx, ids) {
  for (let i = 0; i < ids.length; i++) addComponent(ctx, ids[i], B)
}

function removeEachB(ctx, ids) {
  for (let i = 0; i < ids.length; i++) removeComponent(ctx, ids[i], B)
}

function entityCycle(size) {
  const { first, second, ...verbs } = createNoctStage(size, spawnEachB, destroyEachB)
  return entityCycleScene({ ...verbs, spawnEach: first, destroyEach: second })
}

function noctAddRemove(size) {
  const { first, second, ...verbs } = createNoctStage(size, addEachB, removeEachB)
  return noctAddRemoveScene({ ...verbs, addEach: first, removeEach: second })
}

function tag(size) {
  const Frozen = defineComponent({})
  const world = createWorld([Position, Frozen], size, size * 16)
  const ctx = world._getContext()
  const ids = Array.from({ length: size }, (_, i) => {
    const id = createEntity(ctx)
    addComponent(ctx, id, Position, { x: i })
    return id
  })
  const untagged = defineQuery((q) => q.with(Position).without(Frozen))
  const tagged = idsWith(Frozen)
  let found
  const watch = defineSystem((context) => (found = tagged.current(context).length))
  const addToAll = defineSystem((context) => {
    for (const id of untagged.current(context)) addComponent(context, id, Frozen)
  })
  const removeFromAll = defineSystem((context) => {
    for (const id of tagged.current(context)) removeComponent(context, id, Frozen)
  })
  function frame(change) {
    world.execute(change)
    return world.execute(watch)
  }
  return tagScene({
    tagged: () => world.execute(watch).then(() => found),
    addToAll: () => frame(addToAll),
    removeFromAll: () => frame(removeFromAll),
    values: () => ids.map((id) => Position.read(ctx, id).x),
  })
}

const waysOf = (work) => ({ buffers: work(byBuffers), 'read and write': work(byWrite) })

export const ways = {
  loop: waysOf(loop),
  get: { buffer: get(sumOfBuffer), read: get(sumOfReads) },
  spawn: { 'per call': (size) => spawnScene(size, createPopulation(size)) },
  destroy: { 'per call': (size) => destroyScene(size, createPopulation(size)) },
  'add-remove': { 'per call': addRemove },
  packed_5: waysOf(packed5),
  simple_iter: waysOf(simpleIter),
  frag_iter: waysOf((way) => fragIter(way, 26)),
  frag_iter_256: waysOf((way) => fragIter(way, 256)),
  entity_cycle: { systems: entityCycle },
  add_remove: { systems: noctAddRemove },
  tag: { systems: tag },
  ...ddWays,
}
