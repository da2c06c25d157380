// A population that comes and goes: n entities with Position (i, 0, 0) and Velocity (0, 0, 0) are made, then all destroyed in
// order of creation. No rival skips the zeros: a slot that was used before holds what was left, and the check leaves it soiled.
import * as moving from './moving.js'

/** A stage with what is done: all made, all destroyed. */
function populating(size, stage, { spawnAll, destroyAll }) {
  return {
    run() {
      spawnAll()
      destroyAll()
    },
    result() {
      spawnAll()
      const values = [stage.count()]
      for (let k = 0; k < size; k++) {
        const [x, y, z, vx, vy, vz] = stage.read(k)
        values.push(x, y + z, vx + vy + vz)
      }
      stage.soil(true)
      destroyAll()
      const living = Array.from({ length: size }, (_, k) => stage.alive(k)).filter(Boolean).length
      return [...values, stage.count(), living]
    },
  }
}

const inStage = (createStage, verbsOf) => async (size) => {
  const stage = await createStage(size)
  return populating(size, stage, verbsOf(stage, size))
}

// ---- by hand: rows without holes, found by id, and a list of free ids

function spawnAll(ids, table, out, idOf, rowOf, free, px, py, pz, vx, vy, vz, count) {
  for (let i = 0; i < count; i++) {
    const id = ids.freeCount > 0 ? free[--ids.freeCount] : ids.next++
    const row = table.count++
    rowOf[id] = row
    idOf[row] = id
    px[row] = i
    py[row] = pz[row] = vx[row] = vy[row] = vz[row] = 0
    out[i] = id
  }
}

function destroyAll(ids, table, handles, idOf, rowOf, free, px, py, pz, vx, vy, vz, count) {
  for (let i = 0; i < count; i++) {
    const id = handles[i]
    const row = rowOf[id]
    if (row < 0) continue
    const last = --table.count
    const moved = idOf[last]
    idOf[row] = moved
    rowOf[moved] = row
    px[row] = px[last]
    py[row] = py[last]
    pz[row] = pz[last]
    vx[row] = vx[last]
    vy[row] = vy[last]
    vz[row] = vz[last]
    rowOf[id] = -1
    free[ids.freeCount++] = id
  }
}

function raw(size) {
  const ids = { next: 0, freeCount: 0 }
  const table = { count: 0 }
  const [free, idOf, handles] = Array.from({ length: 3 }, () => new Uint32Array(size))
  const rowOf = new Int32Array(size).fill(-1)
  const columns = Array.from({ length: 6 }, () => new Float32Array(size))
  const [px, py, pz, vx, vy, vz] = columns
  const stage = {
    count: () => table.count,
    read: (k) => columns.map((column) => column[rowOf[handles[k]]]),
    alive: (k) => rowOf[handles[k]] >= 0,
    soil: () => columns.forEach((column) => column.fill(7)),
  }
  return populating(size, stage, {
    spawnAll: () => spawnAll(ids, table, handles, idOf, rowOf, free, px, py, pz, vx, vy, vz, size),
    destroyAll: () => destroyAll(ids, table, handles, idOf, rowOf, free, px, py, pz, vx, vy, vz, size),
  })
}

// ---- the libraries

function strataValues({ world, Position, Velocity, handles }) {
  for (let i = 0; i < handles.length; i++) handles[i] = world.spawn(Position({ x: i }), Velocity)
}

function strataAccessor({ world, Position, Velocity, position, handles }) {
  for (let i = 0; i < handles.length; i++) {
    const handle = world.spawn(Position, Velocity)
    position.of(handle).x = i
    handles[i] = handle
  }
}

function strataBulk(stage) {
  const { library, world, Position, Velocity, handles } = stage
  let next = 0
  stage.handles = library.spawnMany(world, handles.length, [Position, Velocity], (chunk) => {
    const { x } = chunk.write(Position)
    for (let i = chunk.start; i < chunk.end; i++) x[i] = next++
  })
}

function strataDestroy({ world, handles }) {
  for (let i = 0; i < handles.length; i++) world.destroy(handles[i])
}

const strata = (spawn, destroy) =>
  inStage(moving.strata, (stage) => ({ spawnAll: () => spawn(stage), destroyAll: () => destroy(stage) }))

const bitecs = inStage(moving.bitecs, (stage, size) => {
  const { addComponent, addEntity, removeEntity, world, Position, Velocity, handles: ids } = stage
  return {
    spawnAll() {
      for (let i = 0; i < size; i++) {
        const id = addEntity(world)
        addComponent(world, id, Position)
        Position.x[id] = i
        Position.y[id] = Position.z[id] = 0
        addComponent(world, id, Velocity)
        Velocity.x[id] = Velocity.y[id] = Velocity.z[id] = 0
        ids[i] = id
      }
    },
    destroyAll() {
      for (let i = 0; i < size; i++) removeEntity(world, ids[i])
    },
  }
})

const koota = inStage(moving.koota, ({ world, Position, Velocity, handles: entities }, size) => ({
  spawnAll() {
    for (let i = 0; i < size; i++) entities[i] = world.spawn(Position({ x: i }), Velocity)
  },
  destroyAll() {
    for (let i = 0; i < size; i++) entities[i].destroy()
  },
}))

const miniplex = inStage(moving.miniplex, ({ world, handles: entities }, size) => ({
  spawnAll() {
    for (let i = 0; i < size; i++) {
      entities[i] = world.add({ position: { x: i, y: 0, z: 0 }, velocity: { x: 0, y: 0, z: 0 } })
    }
  },
  destroyAll() {
    for (let i = 0; i < size; i++) world.remove(entities[i])
  },
}))

const piecs = inStage(moving.piecs, (stage, size) => {
  const { world, moving, Position: position, Velocity: velocity, handles: ids } = stage
  stage.watch()
  return {
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
})

const wolf = inStage(moving.wolf, ({ ecs, Position, Velocity, handles: ids }, size) => ({
  spawnAll() {
    for (let i = 0; i < size; i++) {
      const id = ecs.createEntity()
      ecs.addComponent(id, Position).addComponent(id, Velocity)
      Position.x[id] = i
      Position.y[id] = Position.z[id] = 0
      Velocity.x[id] = Velocity.y[id] = Velocity.z[id] = 0
      ids[i] = id
    }
  },
  destroyAll() {
    for (let i = 0; i < size; i++) ecs.destroyEntity(ids[i])
  },
}))

export default {
  name: 'spawn-kill',
  title: 'Spawn and kill: two components of 3 x f32, handle kept, then destroyed',
  sizes: [1_000, 10_000, 100_000],
  // The query that follows n removals copies the list of those that left once for each of them: minutes at 100,000.
  largest: { koota: 10_000 },
  /** Between the halves how many there are, then x, y + z and the sum of the velocity of each; at the end how many there are, and how many old handles are alive. */
  reference(size) {
    const values = [size]
    for (let i = 0; i < size; i++) values.push(i, 0, 0)
    return [...values, 0, 0]
  },
  ways: {
    raw: { 'per call': raw },
    strata: {
      'spawn(C({...}), C), destroy': strata(strataValues, strataDestroy),
      'spawn(C, C), accessor, destroy': strata(strataAccessor, strataDestroy),
      'spawnMany, destroyMany of a list': strata(strataBulk, ({ library, world, handles }) =>
        library.destroyMany(world, handles),
      ),
      'spawnMany, destroyMany of a query': strata(strataBulk, ({ library, moving }) =>
        library.destroyMany(moving),
      ),
    },
    bitecs: { 'per call': bitecs },
    piecs: { prefabricated: piecs },
    koota: { 'per call': koota },
    miniplex: { 'per call': miniplex },
    wolf: { 'per call': wolf },
  },
}
