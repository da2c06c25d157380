// The table of the study that compares game objects, sparse sets and archetypes at 1,000, 10,000 and 100,000 entities, over
// strata-ecs and over the same storages in plain JavaScript. Every entity has a Transform { x y z: f32 }, odd ones a Shader
// { vs fs: i32 }, those not divisible by 3 a Physics { mass friction bounce force: f32 }; some are destroyed; then shader.vs++
// and physics.force += 1 over those that have both.
// The published rule destroys those not divisible by 6, so that the update finds nobody: `parts` does this to the letter.
// `parts-pairs` destroys those divisible by 6 instead, which leaves a third of all.

const hasShader = (i) => i % 2 !== 0
const hasPhysics = (i) => i % 3 !== 0
// Halves, that an engine does not take floats for whole numbers; f32 holds all of them exactly.
const transformOf = (i) => ({ x: i + 0.5, y: i + 1.5, z: i + 2.5 })
const shaderOf = (i) => ({ vs: i, fs: -1 - i })
const physicsOf = (i) => ({ mass: 1.5, friction: 0.25, bounce: 0.75, force: i + 0.5 })
const transformAt = (i) => [i + 0.5, i + 1.5, i + 2.5]
const shaderAt = (i) => [i, -1 - i]
const physicsAt = (i) => [1.5, 0.25, 0.75, i + 0.5]
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

/** Rows of some columns without holes, and the id in each row. */
class Rows {
  ids = []

  constructor(width) {
    this.columns = Array.from({ length: width }, () => [])
  }

  /** The new row. */
  push(id, values) {
    for (let k = 0; k < values.length; k++) this.columns[k].push(values[k])
    return this.ids.push(id) - 1
  }

  /** The last row fills the hole. The id that moved, which may be the one that leaves. */
  remove(row) {
    const id = this.ids.pop()
    const isLast = row === this.ids.length
    if (!isLast) this.ids[row] = id
    for (const column of this.columns) {
      const value = column.pop()
      if (!isLast) column[row] = value
    }
    return id
  }

  read = (row) => this.columns.map((column) => column[row])
}

/** One sparse set for each component: rows without holes, found by id. */
class SparseSets extends Ids {
  sets = [3, 2, 4].map((width) => ({ rows: new Rows(width), rowOf: [] }))

  spawn(i) {
    const id = this.take()
    const [transforms, shaders, physics] = this.sets
    transforms.rowOf[id] = transforms.rows.push(id, transformAt(i))
    if (hasShader(i)) shaders.rowOf[id] = shaders.rows.push(id, shaderAt(i))
    if (hasPhysics(i)) physics.rowOf[id] = physics.rows.push(id, physicsAt(i))
    return id
  }

  destroy(id) {
    for (const { rows, rowOf } of this.sets) {
      const row = rowOf[id]
      if (row === undefined) continue
      rowOf[rows.remove(row)] = row
      rowOf[id] = undefined
    }
    this.free.push(id)
  }

  /** Shaders are the shorter list. */
  update() {
    const [, { rows }, { rows: others, rowOf }] = this.sets
    const [vs, force] = [rows.columns[0], others.columns[3]]
    for (let row = 0; row < rows.ids.length; row++) {
      const other = rowOf[rows.ids[row]]
      if (other === undefined) continue
      vs[row]++
      force[other] += 1
    }
  }

  valuesOf = (id) => this.sets.flatMap(({ rows, rowOf }) => rows.read(rowOf[id]).map((value) => value ?? 0))
}

/** Entities with the same components lie together; to add one is to move. A bit for Shader, one for Physics. */
class Archetypes extends Ids {
  tables = [3, 5, 7, 9].map((width) => new Rows(width))
  maskOf = []
  rowOf = []

  spawn(i) {
    const id = this.take()
    this.maskOf[id] = 0
    this.rowOf[id] = this.tables[0].push(id, transformAt(i))
    if (hasShader(i)) this.add(id, 1, shaderAt(i))
    if (hasPhysics(i)) this.add(id, 2, physicsAt(i))
    return id
  }

  add(id, bit, values) {
    const own = this.tables[this.maskOf[id]].read(this.rowOf[id])
    this.leave(id)
    this.maskOf[id] |= bit
    this.rowOf[id] = this.tables[this.maskOf[id]].push(id, [...own, ...values])
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
    const { ids, columns } = this.tables[3]
    const [vs, force] = [columns[3], columns[8]]
    for (let row = 0; row < ids.length; row++) {
      vs[row]++
      force[row] += 1
    }
  }

  valuesOf(id) {
    const values = this.tables[this.maskOf[id]].read(this.rowOf[id])
    if (!(this.maskOf[id] & 1)) values.splice(3, 0, 0, 0)
    return values.length < 9 ? [...values, 0, 0, 0, 0] : values
  }
}

// ---- strata-ecs

/** Stores over components in table or in sparse storage; `spawn` is one of those below. */
const strata = (storage, spawn) => async () => {
  const { component, createWorld, f32, i32, sparse } = await import('../../dist/index.js')
  const options = storage === 'sparse' ? { storage: sparse } : {}
  const Transform = component('Transform', { x: f32, y: f32, z: f32 }, options)
  const Shader = component('Shader', { vs: i32, fs: i32 }, options)
  const Physics = component('Physics', { mass: f32, friction: f32, bounce: f32, force: f32 }, options)
  return class {
    world = createWorld()
    all = this.world.query(Transform)
    both = this.world.query(Shader, Physics)
    spawn = (i) => spawn(this.world, i, Transform, Shader, Physics)
    destroy = (handle) => this.world.destroy(handle)
    update = () => this.both.each(increase)
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

function increase(_, shader, physics) {
  shader.vs++
  physics.force += 1
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
