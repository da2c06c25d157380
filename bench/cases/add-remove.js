// Velocity (0, 0, 0) is added to n entities that have a Position, then removed from all. No rival skips the zeros: a slot that
// was used before holds what was left there, and the check leaves it soiled.
import * as moving from './moving.js'

function changing(size, stage, { add, remove }) {
  return {
    run() {
      add()
      remove()
    },
    result() {
      add()
      const values = [stage.count(), 0]
      for (let k = 0; k < size; k++) for (const value of stage.read(k).slice(3)) values[1] += value
      stage.soil(false)
      remove()
      values.push(stage.count())
      for (let k = 0; k < size; k++) values.push(stage.read(k)[0])
      return values
    },
  }
}

const inStage = (createStage, verbsOf) => async (size) => {
  const stage = await createStage(size)
  const verbs = verbsOf(stage, size)
  stage.fillStill()
  return changing(size, stage, verbs)
}

// ---- by hand: a sparse set

function addToAll(table, ids, idOf, rowOf, x, y, z, count) {
  for (let i = 0; i < count; i++) {
    const id = ids[i]
    if (rowOf[id] >= 0) continue
    const row = table.count++
    rowOf[id] = row
    idOf[row] = id
    x[row] = y[row] = z[row] = 0
  }
}

function removeFromAll(table, ids, idOf, rowOf, x, y, z, count) {
  for (let i = 0; i < count; i++) {
    const id = ids[i]
    const row = rowOf[id]
    if (row < 0) continue
    const last = --table.count
    const moved = idOf[last]
    idOf[row] = moved
    rowOf[moved] = row
    x[row] = x[last]
    y[row] = y[last]
    z[row] = z[last]
    rowOf[id] = -1
  }
}

function raw(size) {
  const ids = Uint32Array.from({ length: size }, (_, i) => i)
  const positionX = Float32Array.from(ids, moving.placeOf)
  const table = { count: 0 }
  const [idOf, rowOf] = [new Uint32Array(size), new Int32Array(size).fill(-1)]
  const columns = Array.from({ length: 3 }, () => new Float32Array(size))
  const [x, y, z] = columns
  const stage = {
    count: () => table.count,
    read: (k) => [positionX[k], 0, 0, ...columns.map((column) => column[rowOf[ids[k]]])],
    soil: () => columns.forEach((column) => column.fill(7)),
  }
  return changing(size, stage, {
    add: () => addToAll(table, ids, idOf, rowOf, x, y, z, size),
    remove: () => removeFromAll(table, ids, idOf, rowOf, x, y, z, size),
  })
}

// ---- the libraries

const strata = inStage(moving.strata, (stage, size) => ({
  add() {
    const { world, handles, Velocity } = stage
    for (let i = 0; i < size; i++) world.add(handles[i], Velocity)
  },
  remove() {
    const { world, handles, Velocity } = stage
    for (let i = 0; i < size; i++) world.remove(handles[i], Velocity)
  },
}))

const strataByQuery = inStage(moving.strata, ({ library, world, Position, Velocity, moving }) => {
  const { addMany, removeMany } = library
  const still = world.query(Position)
  return { add: () => addMany(still, Velocity), remove: () => removeMany(moving, Velocity) }
})

const bitecs = inStage(moving.bitecs, (stage, size) => {
  const { addComponent, removeComponent, world, Velocity, handles: ids } = stage
  return {
    add() {
      for (let i = 0; i < size; i++) {
        const id = ids[i]
        addComponent(world, id, Velocity)
        Velocity.x[id] = Velocity.y[id] = Velocity.z[id] = 0
      }
    },
    remove() {
      for (let i = 0; i < size; i++) removeComponent(world, ids[i], Velocity)
    },
  }
})

const koota = inStage(moving.koota, ({ Velocity, handles: entities }, size) => ({
  add() {
    for (let i = 0; i < size; i++) entities[i].add(Velocity)
  },
  remove() {
    for (let i = 0; i < size; i++) entities[i].remove(Velocity)
  },
}))

const miniplex = inStage(moving.miniplex, ({ world, handles: entities }, size) => ({
  add() {
    for (let i = 0; i < size; i++) world.addComponent(entities[i], 'velocity', { x: 0, y: 0, z: 0 })
  },
  remove() {
    for (let i = 0; i < size; i++) world.removeComponent(entities[i], 'velocity')
  },
}))

const piecs = inStage(moving.piecs, (stage, size) => {
  const { world, still, moving, Velocity: velocity, handles: ids } = stage
  stage.watch()
  return {
    add() {
      for (let i = 0; i < size; i++) {
        const id = ids[i]
        world.transformEntity(id, moving)
        velocity.x[id] = velocity.y[id] = velocity.z[id] = 0
      }
    },
    remove() {
      for (let i = 0; i < size; i++) world.transformEntity(ids[i], still)
    },
  }
})

const wolf = inStage(moving.wolf, ({ ecs, Velocity, handles: ids }, size) => ({
  add() {
    for (let i = 0; i < size; i++) {
      const id = ids[i]
      ecs.addComponent(id, Velocity)
      Velocity.x[id] = Velocity.y[id] = Velocity.z[id] = 0
    }
  },
  remove() {
    for (let i = 0; i < size; i++) ecs.removeComponent(ids[i], Velocity)
  },
}))

export default {
  name: 'add-remove',
  title: 'Add + remove: one component of 3 x f32, by kept handles',
  sizes: [1_000, 100_000],
  // The query that follows n removals copies the list of those that left once for each of them: minutes at 100,000.
  largest: { koota: 10_000 },
  /** After an add: how many have both, the sum of all velocities. After the remove: how many have both, every x. */
  reference(size) {
    const values = [size, 0, 0]
    for (let i = 0; i < size; i++) values.push(moving.placeOf(i))
    return values
  },
  ways: {
    raw: { 'sparse set': raw },
    strata: { 'per call': strata, 'addMany/removeMany': strataByQuery },
    bitecs: { 'per call': bitecs },
    piecs: { transformEntity: piecs },
    koota: { 'per call': koota },
    miniplex: { 'per call': miniplex },
    wolf: { 'per call': wolf },
  },
}
