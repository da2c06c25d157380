// Owns the piecs 0.4 side: prefabricated archetypes and registered systems, values in arrays by entity id, as piecs
// stores ids only. It must never leave out the values: a case is done when the data is right, not the lists.
import { createEntitySystem, World } from 'piecs/dist/index.mjs'
import { ddWays } from './piecs-ddmills.js'
import { archetypeWays } from './piecs-archetypes.js'
import { frameWays } from './piecs-frame.js'
import { populationWays } from './piecs-population.js'
import { rustWays } from './piecs-rust.js'
import { destroyScene, spawnKillScene, spawnScene } from './scenes.js'
import { tagWays } from './piecs-tag.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { placeOf } from '../cases/add-remove.js'
import { shuffledOrder } from '../cases/get.js'
import { startOf as startOfData, typeOf } from '../cases/noct-frag-iter.js'
import { startOf as startOfPacked } from '../cases/noct-packed-5.js'
import { LETTERS, lettersOf, startOf as startOfSimple } from '../cases/noct-simple-iter.js'
import { waysAfterForty } from '../cases/loop-after-forty.js'
import { callsWays, createOtherLoop } from './piecs-calls.js'

export const label = 'piecs'
export const packageName = 'piecs'
export const uses =
  'Registered systems over the ids of a query, values in typed arrays by id, since piecs stores none. ' +
  '`createEntity` of prefabricated archetypes, `addComponent`, `removeComponent`, `transformEntity`, ' +
  '`deleteEntity`, one call each.'

/** Left out: making 10,000 archetypes takes half a minute, as each is looked for among all others. */
export const largest = { 'fragmented-10000': 0 }

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT

// Deleted ids are reused at once, so ids stay below the largest population.
const vector = (size) => ({ x: new Float32Array(size), y: new Float32Array(size), z: new Float32Array(size) })

function createStage(size) {
  const world = new World()
  const Position = world.createComponentId()
  const Velocity = world.createComponentId()
  const still = world.prefabricate([Position])
  const moving = world.prefabricate([Position, Velocity])
  return { world, Position, Velocity, still, moving, position: vector(size), velocity: vector(size) }
}

function loop(size) {
  const { world, moving, position, velocity } = createStage(size)
  const { x: px, y: py, z: pz } = position
  const { x: vx, y: vy, z: vz } = velocity
  const move = createEntitySystem(
    (entities) => {
      for (let i = 0, l = entities.length; i < l; i++) {
        const id = entities[i]
        px[id] += vx[id] * dt
        py[id] += vy[id] * dt
        pz[id] += vz[id] * dt
      }
    },
    (query) => query.prefabricated(moving),
  )
  world.registerSystem(move).initialize()
  const ids = []
  for (let i = 0; i < size; i++) {
    const id = world.createEntity(moving)
    px[id] = startX(i)
    vx[id] = velocityX(i)
    vy[id] = velocityY(i)
    vz[id] = velocityZ(i)
    ids.push(id)
  }
  return { run: () => world.update(), result: () => ids.flatMap((id) => [px[id], py[id], pz[id]]) }
}

function get(size) {
  const { world, still, position } = createStage(size)
  world.initialize()
  const ids = new Uint32Array(size)
  for (let i = 0; i < size; i++) {
    ids[i] = world.createEntity(still)
    position.x[ids[i]] = placeOf(i)
  }
  const shuffled = shuffledOrder(size).map((i) => ids[i])
  const x = position.x
  function run() {
    let sum = 0
    for (let i = 0; i < size; i++) sum += x[shuffled[i]]
    return sum
  }
  return { run, result: () => [run()] }
}

/** A system that does nothing: it makes the world keep the query up to date, as a program's systems would. */
const watch = (world, archetype) =>
  world
    .registerSystem(
      createEntitySystem(
        () => {},
        (query) => query.prefabricated(archetype),
      ),
    )
    .initialize()

function createPopulation(size) {
  const { world, moving, position, velocity } = createStage(size)
  watch(world, moving)
  const ids = new Uint32Array(size)
  const columns = [position, velocity].flatMap(({ x, y, z }) => [x, y, z])
  return {
    count: () => moving.entities.length,
    read: (k) => columns.map((column) => column[ids[k]]),
    soil: () => columns.forEach((column) => column.fill(7)),
    alive: (k) => world.hasEntity(ids[k]),
    spawnAll() {
      for (let i = 0; i < size; i++) {
        const id = world.createEntity(moving)
        position.x[id] = i
        position.y[id] = position.z[id] = 0
        velocity.x[id] = velocity.y[id] = velocity.z[id] = 0
        ids[i] = id
      }
    },
    destroyAll() {
      for (let i = 0; i < size; i++) world.deleteEntity(ids[i])
    },
  }
}

function addRemove(size, addOne, removeOne) {
  const stage = createStage(size)
  const { world, still, moving, position, velocity } = stage
  watch(world, moving)
  const ids = new Uint32Array(size)
  for (let i = 0; i < size; i++) {
    ids[i] = world.createEntity(still)
    position.x[ids[i]] = placeOf(i)
  }
  function add() {
    for (let i = 0; i < size; i++) {
      const id = ids[i]
      addOne(stage, id)
      velocity.x[id] = velocity.y[id] = velocity.z[id] = 0
    }
  }
  function remove() {
    for (let i = 0; i < size; i++) removeOne(stage, ids[i])
  }
  return {
    run() {
      add()
      remove()
    },
    result() {
      add()
      const values = [moving.entities.length]
      values.push(ids.reduce((sum, id) => sum + velocity.x[id] + velocity.y[id] + velocity.z[id], 0))
      for (const column of Object.values(velocity)) column.fill(7)
      remove()
      values.push(moving.entities.length)
      for (const id of ids) values.push(position.x[id])
      return values
    },
  }
}

const addRemoveByComponent = (size) =>
  addRemove(
    size,
    (stage, id) => stage.world.addComponent(id, stage.Velocity),
    (stage, id) => stage.world.removeComponent(id, stage.Velocity),
  )

const addRemoveByTransform = (size) =>
  addRemove(
    size,
    (stage, id) => stage.world.transformEntity(id, stage.moving),
    (stage, id) => stage.world.transformEntity(id, stage.still),
  )

function increaseSystem(component, value) {
  return createEntitySystem(
    (entities) => {
      for (let i = 0, l = entities.length; i < l; i++) value[entities[i]] += 1
    },
    (query) => query.every(component),
  )
}

function swapSystem(first, second) {
  const { value: a } = first
  const { value: b } = second
  return createEntitySystem(
    (entities) => {
      for (let i = 0, l = entities.length; i < l; i++) {
        const id = entities[i]
        const value = a[id]
        a[id] = b[id]
        b[id] = value
      }
    },
    (query) => query.every(first.component, second.component),
  )
}

const createScalar = (world, size) => ({
  component: world.createComponentId(),
  value: new Float32Array(size),
})

function packed5(size) {
  const world = new World()
  const scalars = Array.from({ length: 5 }, () => createScalar(world, size))
  const all = world.prefabricate(scalars.map(({ component }) => component))
  for (const { component, value } of scalars) world.registerSystem(increaseSystem(component, value))
  world.initialize()
  const ids = Array.from({ length: size }, () => world.createEntity(all))
  ids.forEach((id, i) => scalars.forEach(({ value }, k) => (value[id] = startOfPacked(i, k))))
  return {
    run: () => world.update(),
    result: () => ids.flatMap((id) => scalars.map(({ value }) => value[id])),
  }
}

function simpleIter(size) {
  const world = new World()
  const of = Object.fromEntries(LETTERS.map((letter) => [letter, createScalar(world, size)]))
  const { A, B, C, D, E } = of
  world.registerSystem(swapSystem(A, B)).registerSystem(swapSystem(C, D)).registerSystem(swapSystem(C, E))
  world.initialize()
  const ids = Array.from({ length: size }, (_, i) => {
    const letters = lettersOf(i)
    const id = world.createEntity(world.prefabricate(letters.map((letter) => of[letter].component)))
    for (const letter of letters) of[letter].value[id] = startOfSimple(i, letter)
    return id
  })
  return {
    run: () => world.update(),
    result: () => ids.flatMap((id, i) => lettersOf(i).map((letter) => of[letter].value[id])),
  }
}

const fragIter = (types) => (size) => {
  const world = new World()
  const data = createScalar(world, size)
  const own = Array.from({ length: types }, () => createScalar(world, size))
  const last = own[types - 1]
  world.registerSystem(increaseSystem(data.component, data.value))
  world.registerSystem(increaseSystem(last.component, last.value))
  world.initialize()
  const ids = Array.from({ length: size }, (_, i) => {
    const type = typeOf(i, types)
    const id = world.createEntity(world.prefabricate([data.component, own[type].component]))
    data.value[id] = startOfData(i)
    own[type].value[id] = type
    return id
  })
  return {
    run: () => world.update(),
    result: () => ids.flatMap((id, i) => [data.value[id], own[typeOf(i, types)].value[id]]),
  }
}

const byValue = (a, b) => a - b

function createNoctStage(size) {
  const world = new World()
  const A = world.createComponentId()
  const B = world.createComponentId()
  const onlyA = world.prefabricate([A])
  const values = { a: new Float32Array(size * 2), b: new Float32Array(size * 2) }
  for (let i = 0; i < size; i++) values.a[world.createEntity(onlyA)] = i
  return { world, A, B, onlyA, values }
}

// Each half is a system of a world of its own turn: `update` runs those that are registered, in order, so the
// check between the halves is a third system that runs only when it is asked to.
function entityCycle(size) {
  const { world, B, onlyA, values } = createNoctStage(size)
  const onlyB = world.prefabricate([B])
  let check
  world
    .registerSystem(
      createEntitySystem(
        (entities) => {
          for (let i = 0, l = entities.length; i < l; i++) {
            values.b[world.createEntity(onlyB)] = values.a[entities[i]]
          }
        },
        (query) => query.prefabricated(onlyA),
      ),
    )
    .registerSystem(
      createEntitySystem(
        (entities) => {
          if (check) check = Array.from(entities, (id) => values.b[id]).sort(byValue)
          for (let i = entities.length - 1; i >= 0; i--) world.deleteEntity(entities[i])
        },
        (query) => query.prefabricated(onlyB),
      ),
    )
    .initialize()
  return {
    run: () => world.update(),
    result() {
      check = []
      world.update()
      const found = [...check, onlyB.entities.length, onlyA.entities.length]
      check = undefined
      return found
    },
  }
}

function noctAddRemove(size) {
  const { world, A, B, onlyA, values } = createNoctStage(size)
  const both = world.prefabricate([A, B])
  let check
  world
    .registerSystem(
      createEntitySystem(
        (entities) => {
          for (let i = entities.length - 1; i >= 0; i--) {
            values.b[entities[i]] = 0
            world.addComponent(entities[i], B)
          }
        },
        (query) => query.every(A).not(B),
      ),
    )
    .registerSystem(
      createEntitySystem(
        (entities) => {
          if (check) {
            check = [entities.length, Array.from(entities).reduce((sum, id) => sum + values.b[id], 0)]
            values.b.fill(7)
          }
          for (let i = entities.length - 1; i >= 0; i--) world.removeComponent(entities[i], B)
        },
        (query) => query.every(A, B),
      ),
    )
    .initialize()
  return {
    run: () => world.update(),
    result() {
      check = []
      world.update()
      const found = [...check, both.entities.length]
      check = undefined
      return [...found, ...Array.from(onlyA.entities, (id) => values.a[id]).sort(byValue)]
    },
  }
}

const loops = { system: loop }

export const ways = {
  loop: loops,
  ...waysAfterForty(loops, createOtherLoop),
  ...callsWays,
  ...ddWays,
  ...populationWays,
  ...archetypeWays,
  ...frameWays,
  ...rustWays({ systems: simpleIter }),
  ...tagWays,
  get: { 'array by id': get },
  spawn: { prefabricated: (size) => spawnScene(size, createPopulation(size)) },
  destroy: { 'per call': (size) => destroyScene(size, createPopulation(size)) },
  'spawn-kill': { 'per call': (size) => spawnKillScene(size, createPopulation(size)) },
  'add-remove': { 'add/removeComponent': addRemoveByComponent, transformEntity: addRemoveByTransform },
  packed_5: { systems: packed5 },
  simple_iter: { systems: simpleIter },
  frag_iter: { systems: fragIter(26) },
  frag_iter_256: { systems: fragIter(256) },
  entity_cycle: { 'per call': entityCycle },
  add_remove: { 'per call': noctAddRemove },
}
