// The table of the study that compares game objects, sparse sets and archetypes at 1,000, 10,000 and 100,000 entities, over
// strata-ecs and over the same storages in plain JavaScript. Every entity has a Transform { x y z: f32 }, odd ones a Shader
// { vs fs: i32 }, those not divisible by 3 a Physics { mass friction bounce force: f32 }; some are destroyed; then shader.vs++
// and physics.force += 1 over those that have both.
//
// The published rule destroys those not divisible by 6. What is left has neither Shader nor Physics, so that the update finds
// nobody: `parts` does this to the letter. `parts-pairs` destroys those divisible by 6 instead, which leaves a third of all.

const hasShader = (i) => i % 2 !== 0
const hasPhysics = (i) => i % 3 !== 0
// Halves, that an engine does not take floats for whole numbers; f32 holds all of them exactly.
const transformOf = (i) => ({ x: i + 0.5, y: i + 1.5, z: i + 2.5 })
const shaderOf = (i) => ({ vs: i, fs: -1 - i })
const physicsOf = (i) => ({ mass: 1.5, friction: 0.25, bounce: 0.75, force: i + 0.5 })
const NO_SHADER = { vs: 0, fs: 0 }
const NO_PHYSICS = { mass: 0, friction: 0, bounce: 0, force: 0 }
const valuesOf = (transform, shader, physics) =>
  [transform, shader || NO_SHADER, physics || NO_PHYSICS].flatMap((part) => Object.values(part))

/** The number of entities that are left; then all fields of each, in order of creation, 0 where it has no such part. */
function stateAfter(size, isDoomed) {
  const left = Array.from({ length: size }, (_, i) => i).filter((i) => !isDoomed(i))
  const ofOne = (i) => {
    const [shader, physics] = [hasShader(i) && shaderOf(i), hasPhysics(i) && physicsOf(i)]
    if (shader && physics) [shader.vs, physics.force] = [shader.vs + 1, physics.force + 1]
    return valuesOf(transformOf(i), shader, physics)
  }
  return [left.length, ...left.flatMap(ofOne)]
}

// ---- plain JavaScript; all start empty and grow, and none protects against stale handles

/** Game objects that lie on the heap each by itself and name their parts, undefined where they have none. */
class Objects {
  objects = []

  get count() {
    return this.objects.length
  }

  spawn(i) {
    const index = this.objects.length
    const object = { transform: transformOf(i), shader: undefined, physics: undefined, index }
    if (hasShader(i)) object.shader = shaderOf(i)
    if (hasPhysics(i)) object.physics = physicsOf(i)
    this.objects.push(object)
    return object
  }

  destroy(object) {
    const last = this.objects.pop()
    if (last === object) return
    this.objects[object.index] = last
    last.index = object.index
  }

  update() {
    for (const { shader, physics } of this.objects) {
      if (shader === undefined || physics === undefined) continue
      shader.vs++
      physics.force += 1
    }
  }

  valuesOf = ({ transform, shader, physics }) => valuesOf(transform, shader, physics)
}

const [F32, I32] = [Float32Array, Int32Array]
const TRANSFORM = { x: F32, y: F32, z: F32 }
const SHADER = { vs: I32, fs: I32 }
const PHYSICS = { mass: F32, friction: F32, bounce: F32, force: F32 }

function grown(array, length) {
  const longer = new array.constructor(length)
  longer.set(array)
  return longer
}

function writeTransform({ x, y, z }, row, i) {
  x[row] = i + 0.5
  y[row] = i + 1.5
  z[row] = i + 2.5
}

function writeShader({ vs, fs }, row, i) {
  vs[row] = i
  fs[row] = -1 - i
}

function writePhysics({ mass, friction, bounce, force }, row, i) {
  mass[row] = 1.5
  friction[row] = 0.25
  bounce[row] = 0.75
  force[row] = i + 0.5
}

/** Rows of some fields without holes, a typed array for each, and the id in each row. */
class Rows {
  count = 0
  ids = new Uint32Array(64)

  constructor(fields) {
    this.names = Object.keys(fields)
    this.keep(Object.values(fields).map((Column) => new Column(64)))
  }

  keep(arrays) {
    this.arrays = arrays
    this.columns = Object.fromEntries(this.names.map((name, k) => [name, arrays[k]]))
  }

  /** The new row; its fields hold what was left there. */
  push(id) {
    if (this.count === this.ids.length) {
      this.ids = grown(this.ids, this.count * 2)
      this.keep(this.arrays.map((array) => grown(array, this.count * 2)))
    }
    this.ids[this.count] = id
    return this.count++
  }

  copy(to, { arrays }, from) {
    for (let k = 0; k < arrays.length; k++) this.arrays[k][to] = arrays[k][from]
  }

  /** The last row fills the hole. The id that moved, which may be the one that leaves. */
  remove(row) {
    const last = --this.count
    this.copy(row, this, last)
    return (this.ids[row] = this.ids[last])
  }

  valuesOf = (row, fields) => Object.keys(fields).map((name) => (row < 0 ? 0 : this.columns[name][row]))
}

/** Numbers of entities: the next one, and those that are free again. */
class Ids {
  end = 0
  free = []

  get count() {
    return this.end - this.free.length
  }

  take() {
    return this.free.length > 0 ? this.free.pop() : this.end++
  }
}

/** One sparse set for each component: rows without holes, found by id. */
class SparseSets extends Ids {
  sets = [TRANSFORM, SHADER, PHYSICS].map((fields) => ({ rows: new Rows(fields), fields, rowOf: [] }))

  spawn(i) {
    const id = this.take()
    const [transforms, shaders, physics] = this.sets
    this.add(id, transforms, writeTransform, i)
    if (hasShader(i)) this.add(id, shaders, writeShader, i)
    if (hasPhysics(i)) this.add(id, physics, writePhysics, i)
    return id
  }

  add(id, { rows, rowOf }, write, i) {
    while (rowOf.length <= id) rowOf.push(-1)
    rowOf[id] = rows.push(id)
    write(rows.columns, rowOf[id], i)
  }

  destroy(id) {
    for (const { rows, rowOf } of this.sets) {
      const row = rowOf[id] ?? -1
      if (row < 0) continue
      rowOf[rows.remove(row)] = row
      rowOf[id] = -1
    }
    this.free.push(id)
  }

  /** Shaders are the shorter list. */
  update() {
    const [, { rows }, { rows: others, rowOf }] = this.sets
    const [{ vs }, { force }] = [rows.columns, others.columns]
    for (let row = 0; row < rows.count; row++) {
      const other = rowOf[rows.ids[row]] ?? -1
      if (other < 0) continue
      vs[row]++
      force[other] += 1
    }
  }

  valuesOf = (id) => this.sets.flatMap(({ rows, rowOf, fields }) => rows.valuesOf(rowOf[id] ?? -1, fields))
}

/** Entities with the same components lie together; to add a component is to move. A bit for Shader, one for Physics. */
class Archetypes extends Ids {
  tables = [0, 1, 2, 3].map(
    (mask) => new Rows({ ...TRANSFORM, ...(mask & 1 && SHADER), ...(mask & 2 && PHYSICS) }),
  )
  maskOf = []
  rowOf = []

  spawn(i) {
    const id = this.take()
    this.rowOf[id] = this.tables[0].push(id)
    this.maskOf[id] = 0
    writeTransform(this.tables[0].columns, this.rowOf[id], i)
    if (hasShader(i)) this.add(id, 1, writeShader, i)
    if (hasPhysics(i)) this.add(id, 2, writePhysics, i)
    return id
  }

  add(id, bit, write, i) {
    const [from, old] = [this.tables[this.maskOf[id]], this.rowOf[id]]
    const to = this.tables[this.maskOf[id] | bit]
    const row = to.push(id)
    // What is added comes last in the order of the fields.
    to.copy(row, from, old)
    write(to.columns, row, i)
    this.leave(id)
    this.maskOf[id] |= bit
    this.rowOf[id] = row
  }

  leave(id) {
    const row = this.rowOf[id]
    this.rowOf[this.tables[this.maskOf[id]].remove(row)] = row
  }

  destroy(id) {
    this.leave(id)
    this.free.push(id)
  }

  update() {
    const { count, columns } = this.tables[3]
    const { vs, force } = columns
    for (let row = 0; row < count; row++) {
      vs[row]++
      force[row] += 1
    }
  }

  valuesOf(id) {
    const [mask, row] = [this.maskOf[id], this.rowOf[id]]
    const parts = [[TRANSFORM, true], [SHADER, mask & 1], [PHYSICS, mask & 2]] // prettier-ignore
    return parts.flatMap(([fields, isThere]) => this.tables[mask].valuesOf(isThere ? row : -1, fields))
  }
}

// ---- strata-ecs

/** Stores over components in table or in sparse storage; `spawn` is one of those below. */
const strata = (storage, spawn) => async () => {
  const { component, createWorld, f32, i32 } = await import('../../dist/index.js')
  const Transform = component('Transform', { x: f32, y: f32, z: f32 }, { storage })
  const Shader = component('Shader', { vs: i32, fs: i32 }, { storage })
  const Physics = component('Physics', { mass: f32, friction: f32, bounce: f32, force: f32 }, { storage })
  const update = storage === 'table' ? updateColumns : updateByCursors
  return class {
    world = createWorld()
    all = this.world.query(Transform)
    both = this.world.query(Shader, Physics)
    spawn = (i) => spawn(this.world, i, Transform, Shader, Physics)
    destroy = (handle) => this.world.destroy(handle)
    update = () => update(this.both, Shader, Physics)
    dispose = () => this.world.dispose()

    get count() {
      return this.all.count
    }

    valuesOf(handle) {
      const get = (part) => (this.world.has(handle, part) ? this.world.get(handle, part) : undefined)
      return valuesOf(get(Transform), get(Shader), get(Physics))
    }
  }
}

/** Part by part, as the others do it, with values in the calls: the shortest to write, and the slowest. */
function partByPart(world, i, Transform, Shader, Physics) {
  const handle = world.spawn(Transform(transformOf(i)))
  if (hasShader(i)) world.add(handle, Shader(shaderOf(i)))
  if (hasPhysics(i)) world.add(handle, Physics(physicsOf(i)))
  return handle
}

/** What each has in one call, with its values: the form that the guide shows. */
function inOneCall(world, i, Transform, Shader, Physics) {
  const transform = Transform(transformOf(i))
  if (!hasShader(i))
    return hasPhysics(i) ? world.spawn(transform, Physics(physicsOf(i))) : world.spawn(transform)
  const shader = Shader(shaderOf(i))
  return hasPhysics(i)
    ? world.spawn(transform, shader, Physics(physicsOf(i)))
    : world.spawn(transform, shader)
}

function updateColumns(query, Shader, Physics) {
  for (const chunk of query) {
    const { vs } = chunk.write(Shader)
    const { force } = chunk.write(Physics)
    for (let i = chunk.start; i < chunk.end; i++) {
      vs[i]++
      force[i] += 1
    }
  }
}

function updateByCursors(query, Shader, Physics) {
  for (const chunk of query) {
    const shaders = chunk.cursor(Shader)
    const physics = chunk.cursor(Physics)
    for (let i = chunk.start; i < chunk.end; i++) {
      shaders.at(i).vs++
      physics.at(i).force += 1
    }
  }
}

/** What is run: each run has a new store, made before the clock starts. */
const living = (createStore, isDoomed) => async (size) => {
  const Store = await createStore()
  const handles = new Array(size).fill(undefined)
  let store
  return {
    before() {
      store?.dispose?.()
      store = new Store()
    },
    run() {
      for (let i = 0; i < size; i++) handles[i] = store.spawn(i)
      for (let i = 0; i < size; i++) if (isDoomed(i)) store.destroy(handles[i])
      store.update()
    },
    result: () => [store.count, ...handles.flatMap((one, i) => (isDoomed(i) ? [] : store.valuesOf(one)))],
  }
}

const parts = (name, title, isDoomed) => ({
  name,
  title,
  sizes: [1_000, 10_000, 100_000],
  reference: (size) => stateAfter(size, isDoomed),
  ways: {
    plain: {
      'game objects': living(() => Objects, isDoomed),
      'sparse sets': living(() => SparseSets, isDoomed),
      archetypes: living(() => Archetypes, isDoomed),
    },
    strata: {
      'table, with values': living(strata('table', partByPart), isDoomed),
      'table, one spawn with values': living(strata('table', inOneCall), isDoomed),
      'sparse, with values': living(strata('sparse', partByPart), isDoomed),
    },
  },
})

export default [
  parts('parts', 'Parts, as published: create, add, destroy all but every sixth, update', (i) => i % 6 !== 0),
  parts('parts-pairs', 'Parts: create, add, destroy every sixth, update a third', (i) => i % 6 === 0),
]
