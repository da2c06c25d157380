// Owns the strata-ecs side of the cases of parts and of the lookup, in table and in sparse storage, written with the
// public names only, from the built package. It must never reach into the engine.
import { update } from '../../build/bench/parts.kernel.js'
import { component, createWorld, f32, i32 } from '../../dist/index.js'
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

function declare(options) {
  return {
    Transform: component('Transform', { x: f32, y: f32, z: f32 }, options),
    Shader: component('Shader', { vs: i32, fs: i32 }, options),
    Physics: component('Physics', { mass: f32, friction: f32, bounce: f32, force: f32 }, options),
  }
}

const TABLE = declare({ storage: 'table' })
const SPARSE = declare({ storage: 'sparse' })

const NO_SHADER = { vs: 0, fs: 0 }
const NO_PHYSICS = { mass: 0, friction: 0, bounce: 0, force: 0 }

function transformAt(i) {
  return { x: xOf(i), y: yOf(i), z: zOf(i) }
}

function shaderAt(i) {
  return { vs: vsOf(i), fs: fsOf(i) }
}

function physicsAt(i) {
  return { mass: MASS, friction: FRICTION, bounce: BOUNCE, force: forceOf(i) }
}

/** Part by part, as the others do it: a spawn, then what else it has. */
class Store {
  world = createWorld()

  constructor({ Transform, Shader, Physics }) {
    this.Transform = Transform
    this.Shader = Shader
    this.Physics = Physics
    this.all = this.world.query(Transform)
    this.both = this.world.query(Shader, Physics)
  }

  get count() {
    return this.all.count
  }

  spawn(i) {
    const { world } = this
    const handle = world.spawn(this.Transform(transformAt(i)))
    if (hasShader(i)) world.add(handle, this.Shader(shaderAt(i)))
    if (hasPhysics(i)) world.add(handle, this.Physics(physicsAt(i)))
    return handle
  }

  destroy(handle) {
    this.world.destroy(handle)
  }

  valuesOf(handle) {
    const { world } = this
    const shader = world.has(handle, this.Shader) ? world.get(handle, this.Shader) : NO_SHADER
    const physics = world.has(handle, this.Physics) ? world.get(handle, this.Physics) : NO_PHYSICS
    return [world.get(handle, this.Transform), shader, physics].flatMap((part) => Object.values(part))
  }

  dispose() {
    this.world.dispose()
  }
}

class TableByColumns extends Store {
  constructor() {
    super(TABLE)
  }

  update() {
    for (const chunk of this.both) {
      const { vs } = chunk.write(TABLE.Shader)
      const { force } = chunk.write(TABLE.Physics)
      const { start, end } = chunk
      for (let i = start; i < end; i++) {
        vs[i]++
        force[i] += 1
      }
    }
  }
}

class TableInOneSpawn extends TableByColumns {
  spawn(i) {
    const { world } = this
    const { Transform, Shader, Physics } = TABLE
    const transform = Transform(transformAt(i))
    if (!hasShader(i)) {
      return hasPhysics(i) ? world.spawn(transform, Physics(physicsAt(i))) : world.spawn(transform)
    }
    if (!hasPhysics(i)) return world.spawn(transform, Shader(shaderAt(i)))
    return world.spawn(transform, Shader(shaderAt(i)), Physics(physicsAt(i)))
  }
}

class TableByEach extends TableInOneSpawn {
  update() {
    this.both.each(increase)
  }
}

class TableByKernel extends TableInOneSpawn {
  step = this.world.kernel(update, bindingOf(TABLE))

  update() {
    this.both.run(this.step)
  }
}

class SparseByCursors extends Store {
  constructor() {
    super(SPARSE)
  }

  update() {
    for (const chunk of this.both) {
      const shaders = chunk.cursor(SPARSE.Shader)
      const physics = chunk.cursor(SPARSE.Physics)
      const { start, end } = chunk
      for (let i = start; i < end; i++) {
        shaders.at(i).vs++
        physics.at(i).force += 1
      }
    }
  }
}

class SparseByEach extends SparseByCursors {
  update() {
    this.both.each(increase)
  }
}

/** The group keeps the pools of both in step, as a program does that runs the update in every frame. */
class SparseByGroup extends Store {
  constructor() {
    super(SPARSE)
    this.group = this.world.group(SPARSE.Shader, SPARSE.Physics)
  }

  update() {
    for (const chunk of this.group) {
      const { vs } = chunk.write(SPARSE.Shader)
      const { force } = chunk.write(SPARSE.Physics)
      const { start, end } = chunk
      for (let i = start; i < end; i++) {
        vs[i]++
        force[i] += 1
      }
    }
  }
}

class SparseByKernel extends SparseByGroup {
  step = this.world.kernel(update, bindingOf(SPARSE))

  update() {
    this.group.run(this.step)
  }
}

function increase(_, shader, physics) {
  shader.vs++
  physics.force += 1
}

function bindingOf({ Shader, Physics }) {
  return { vs: [Shader, 'vs'], force: [Physics, 'force'] }
}

const types = Array.from({ length: TYPES }, (_, type) => component(`Type${type}`, { value: f32 }))

function createEights(size) {
  const world = createWorld()
  const handles = Array.from({ length: size }, (_, i) =>
    world.spawn(...types.map((Type, type) => Type({ value: valueOf(i, type) }))),
  )
  return { world, handles }
}

function lookupByAccessor(size) {
  const { world, handles } = createEights(size)
  const asked = world.accessor(types[ASKED])
  function run() {
    let sum = 0
    for (let i = 0; i < handles.length; i++) sum += asked.of(handles[i]).value
    return sum
  }
  return { run, result: () => [run()] }
}

function lookupByCopy(size) {
  const { world, handles } = createEights(size)
  const Asked = types[ASKED]
  function run() {
    let sum = 0
    for (let i = 0; i < handles.length; i++) sum += world.get(handles[i], Asked).value
    return sum
  }
  return { run, result: () => [run()] }
}

export const partWays = {
  ...partsWays(
    {
      'table, part by part': TableByColumns,
      'table, in one spawn': TableInOneSpawn,
      'sparse, part by part': SparseByCursors,
      'sparse, grouped': SparseByGroup,
    },
    {
      'table, columns': TableByColumns,
      'table, each': TableByEach,
      'table, kernel': TableByKernel,
      'sparse, cursors': SparseByCursors,
      'sparse, each': SparseByEach,
      'sparse, group': SparseByGroup,
      'sparse, group and kernel': SparseByKernel,
    },
  ),
  lookup: { 'accessor.of': lookupByAccessor, 'world.get': lookupByCopy },
}
