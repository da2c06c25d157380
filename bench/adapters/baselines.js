// Owns the five storages of bench/baselines in the cases of parts, and what a component by type costs in plain JavaScript.
// It must never use a storage for what it was not made for, nor spare it what its users would have to do.
import { ArchetypeWorld } from '../baselines/archetypes.js'
import { component } from '../baselines/components.js'
import { MapWorld } from '../baselines/hash-map.js'
import { HashTable } from '../baselines/hash-table.js'
import { MatrixWorld } from '../baselines/matrix.js'
import { Scene } from '../baselines/objects.js'
import { SparseSetWorld } from '../baselines/sparse-sets.js'
import { ASKED, TYPES, valueOf } from '../cases/lookup.js'
import {
  BOUNCE,
  FRICTION,
  MASS,
  forceOf,
  fsOf,
  hasPhysics,
  hasShader,
  partsWays,
  vsOf,
  xOf,
  yOf,
  zOf,
} from '../cases/parts.js'

export const label = 'plain JavaScript'
export const packageName = undefined
export const uses =
  'The five storages of bench/baselines: game objects, parts in a hash map by type, a matrix with bit ' +
  'masks, sparse sets, archetype chunks, in idiomatic JavaScript; an array, a Map and a hash table of ' +
  'parts.'

// The parts as objects, for the two storages that hold objects.
class Transform {
  constructor(x, y, z) {
    this.x = x
    this.y = y
    this.z = z
  }
}

class Shader {
  constructor(vs, fs) {
    this.vs = vs
    this.fs = fs
  }
}

class Physics {
  constructor(mass, friction, bounce, force) {
    this.mass = mass
    this.friction = friction
    this.bounce = bounce
    this.force = force
  }
}

const NO_SHADER = new Shader(0, 0)
const NO_PHYSICS = new Physics(0, 0, 0, 0)

function valuesOfParts(transform, shader = NO_SHADER, physics = NO_PHYSICS) {
  return [...Object.values(transform), ...Object.values(shader), ...Object.values(physics)]
}

class OnObjects {
  scene = new Scene()

  get count() {
    return this.scene.objects.length
  }

  spawn(i) {
    const object = this.scene.create()
    object.transform = new Transform(xOf(i), yOf(i), zOf(i))
    if (hasShader(i)) object.shader = new Shader(vsOf(i), fsOf(i))
    if (hasPhysics(i)) object.physics = new Physics(MASS, FRICTION, BOUNCE, forceOf(i))
    return object
  }

  destroy(object) {
    this.scene.destroy(object)
  }

  update() {
    for (const { shader, physics } of this.scene.objects) {
      if (shader === undefined || physics === undefined) continue
      shader.vs++
      physics.force += 1
    }
  }

  valuesOf({ transform, shader, physics }) {
    return valuesOfParts(transform, shader, physics)
  }
}

class OnMaps {
  world = new MapWorld()

  get count() {
    return this.world.entities.size
  }

  spawn(i) {
    const entity = this.world.create()
    this.world.add(entity, new Transform(xOf(i), yOf(i), zOf(i)))
    if (hasShader(i)) this.world.add(entity, new Shader(vsOf(i), fsOf(i)))
    if (hasPhysics(i)) this.world.add(entity, new Physics(MASS, FRICTION, BOUNCE, forceOf(i)))
    return entity
  }

  destroy(entity) {
    this.world.destroy(entity)
  }

  update() {
    for (const entity of this.world.entities) {
      const shader = entity.get(Shader)
      const physics = entity.get(Physics)
      if (shader === undefined || physics === undefined) continue
      shader.vs++
      physics.force += 1
    }
  }

  valuesOf(entity) {
    return valuesOfParts(entity.get(Transform), entity.get(Shader), entity.get(Physics))
  }
}

// The same as columns of numbers, for the three storages that hold those.
const Place = component({ x: Float32Array, y: Float32Array, z: Float32Array })
const Shading = component({ vs: Int32Array, fs: Int32Array })
const Motion = component({
  mass: Float32Array,
  friction: Float32Array,
  bounce: Float32Array,
  force: Float32Array,
})
const COMPONENTS = [Place, Shading, Motion]

function writePlace({ x, y, z }, row, i) {
  x[row] = xOf(i)
  y[row] = yOf(i)
  z[row] = zOf(i)
}

function writeShading({ vs, fs }, row, i) {
  vs[row] = vsOf(i)
  fs[row] = fsOf(i)
}

function writeMotion({ mass, friction, bounce, force }, row, i) {
  mass[row] = MASS
  friction[row] = FRICTION
  bounce[row] = BOUNCE
  force[row] = forceOf(i)
}

function valuesOfRow(component, fields, row) {
  return component.fields.map(([name]) => (fields === undefined ? 0 : fields[name][row]))
}

class OnMatrix {
  world = new MatrixWorld(COMPONENTS)

  get count() {
    return this.world.ids.alive
  }

  spawn(i) {
    const { world } = this
    const id = world.create()
    world.add(id, Place)
    writePlace(world.fields(Place), id, i)
    if (hasShader(i)) {
      world.add(id, Shading)
      writeShading(world.fields(Shading), id, i)
    }
    if (hasPhysics(i)) {
      world.add(id, Motion)
      writeMotion(world.fields(Motion), id, i)
    }
    return id
  }

  destroy(id) {
    this.world.destroy(id)
  }

  update() {
    const { masks, ids } = this.world
    const { vs } = this.world.fields(Shading)
    const { force } = this.world.fields(Motion)
    const both = Shading.bit | Motion.bit
    for (let id = 0; id < ids.end; id++) {
      if ((masks[id] & both) !== both) continue
      vs[id]++
      force[id] += 1
    }
  }

  valuesOf(id) {
    return COMPONENTS.flatMap((component) =>
      valuesOfRow(component, this.world.has(id, component) ? this.world.fields(component) : undefined, id),
    )
  }
}

class OnSparseSets {
  world = new SparseSetWorld(COMPONENTS)

  get count() {
    return this.world.ids.alive
  }

  spawn(i) {
    const { world } = this
    const id = world.create()
    const place = world.add(id, Place)
    writePlace(world.fields(Place), place, i)
    if (hasShader(i)) {
      const shading = world.add(id, Shading)
      writeShading(world.fields(Shading), shading, i)
    }
    if (hasPhysics(i)) {
      const motion = world.add(id, Motion)
      writeMotion(world.fields(Motion), motion, i)
    }
    return id
  }

  destroy(id) {
    this.world.destroy(id)
  }

  /** Shaders are the shorter list. */
  update() {
    const shading = this.world.set(Shading)
    const { rows } = this.world.set(Motion)
    const { vs } = this.world.fields(Shading)
    const { force } = this.world.fields(Motion)
    const { ids, count } = shading
    for (let row = 0; row < count; row++) {
      const id = ids[row]
      const motion = id < rows.length ? rows[id] : -1
      if (motion < 0) continue
      vs[row]++
      force[motion] += 1
    }
  }

  valuesOf(id) {
    return COMPONENTS.flatMap((component) => {
      const set = this.world.set(component)
      return valuesOfRow(component, set.has(id) ? this.world.fields(component) : undefined, set.rows[id])
    })
  }
}

class OnArchetypes {
  world = new ArchetypeWorld(COMPONENTS)

  get count() {
    return this.world.ids.alive
  }

  spawn(i) {
    const { world } = this
    const id = world.create()
    world.add(id, Place)
    if (hasShader(i)) world.add(id, Shading)
    if (hasPhysics(i)) world.add(id, Motion)
    const chunk = world.chunkOf(id)
    const row = world.rowOf(id)
    writePlace(chunk.fields(Place), row, i)
    if (hasShader(i)) writeShading(chunk.fields(Shading), row, i)
    if (hasPhysics(i)) writeMotion(chunk.fields(Motion), row, i)
    return id
  }

  destroy(id) {
    this.world.destroy(id)
  }

  update() {
    for (const { chunks } of this.world.matching(Shading, Motion)) {
      for (const chunk of chunks) {
        const { vs } = chunk.fields(Shading)
        const { force } = chunk.fields(Motion)
        const { count } = chunk
        for (let row = 0; row < count; row++) {
          vs[row]++
          force[row] += 1
        }
      }
    }
  }

  valuesOf(id) {
    const chunk = this.world.chunkOf(id)
    return COMPONENTS.flatMap((component) =>
      valuesOfRow(
        component,
        this.world.has(id, component) ? chunk.fields(component) : undefined,
        this.world.rowOf(id),
      ),
    )
  }
}

class Part {
  constructor(value) {
    this.value = value
  }
}

/** Eight types that look alike to the machine code, so that only the search differs. */
const partTypes = Array.from({ length: TYPES }, () => class extends Part {})

const partsOf = (i) => partTypes.map((Type, type) => new Type(valueOf(i, type)))

function lookup(size, holderOf, sumOf) {
  const holders = Array.from({ length: size }, (_, i) => holderOf(partsOf(i)))
  const run = () => sumOf(holders)
  return { run, result: () => [run()] }
}

const lookupInArray = (size) =>
  lookup(
    size,
    (parts) => parts,
    (holders) => {
      let sum = 0
      for (let i = 0; i < holders.length; i++) sum += holders[i][ASKED].value
      return sum
    },
  )

const lookupInMap = (size) =>
  lookup(
    size,
    (parts) => new Map(parts.map((part) => [part.constructor, part])),
    (holders) => {
      const Type = partTypes[ASKED]
      let sum = 0
      for (let i = 0; i < holders.length; i++) sum += holders[i].get(Type).value
      return sum
    },
  )

const lookupInHashTable = (size) =>
  lookup(
    size,
    (parts) => {
      const table = new HashTable()
      parts.forEach((part, type) => table.set(type, part))
      return table
    },
    (holders) => {
      let sum = 0
      for (let i = 0; i < holders.length; i++) sum += holders[i].get(ASKED).value
      return sum
    },
  )

export const ways = {
  ...partsWays({
    'game objects': OnObjects,
    'hash maps': OnMaps,
    'bit mask matrix': OnMatrix,
    'sparse sets': OnSparseSets,
    'archetype chunks': OnArchetypes,
  }),
  lookup: { array: lookupInArray, Map: lookupInMap, 'hash table': lookupInHashTable },
}
