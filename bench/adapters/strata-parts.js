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

/** Part by part, as the others do it, with values in the calls: the shortest to write, and the slowest. */
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

/** Part by part, values written by accessors once the entity has all it will have. */
class StoreByAccessors extends Store {
  constructor(components) {
    super(components)
    this.transforms = this.world.accessor(components.Transform)
    this.shaders = this.world.accessor(components.Shader)
    this.physics = this.world.accessor(components.Physics)
  }

  spawn(i) {
    const { world } = this
    const handle = world.spawn(this.Transform)
    if (hasShader(i)) world.add(handle, this.Shader)
    if (hasPhysics(i)) world.add(handle, this.Physics)
    this.write(handle, i)
    return handle
  }

  write(handle, i) {
    const transform = this.transforms.of(handle)
    transform.x = xOf(i)
    transform.y = yOf(i)
    transform.z = zOf(i)
    if (hasShader(i)) {
      const shader = this.shaders.of(handle)
      shader.vs = vsOf(i)
      shader.fs = fsOf(i)
    }
    if (hasPhysics(i)) {
      const physics = this.physics.of(handle)
      physics.mass = MASS
      physics.friction = FRICTION
      physics.bounce = BOUNCE
      physics.force = forceOf(i)
    }
  }
}

class TableWithValues extends Store {
  constructor() {
    super(TABLE)
  }

  update() {
    updateColumns(this.both, TABLE)
  }
}

/** What each has in one call, with its values: the form that the guide shows. */
class TableInOneSpawnWithValues extends TableWithValues {
  spawn(i) {
    const { world } = this
    const { Transform, Shader, Physics } = TABLE
    const transform = Transform(transformAt(i))
    if (!hasShader(i)) {
      return hasPhysics(i) ? world.spawn(transform, Physics(physicsAt(i))) : world.spawn(transform)
    }
    const shader = Shader(shaderAt(i))
    return hasPhysics(i)
      ? world.spawn(transform, shader, Physics(physicsAt(i)))
      : world.spawn(transform, shader)
  }
}

class Table extends StoreByAccessors {
  constructor() {
    super(TABLE)
  }

  update() {
    updateColumns(this.both, TABLE)
  }
}

class TableInOneSpawn extends Table {
  spawn(i) {
    const handle = this.spawnEmpty(i)
    this.write(handle, i)
    return handle
  }

  spawnEmpty(i) {
    const { world } = this
    const { Transform, Shader, Physics } = TABLE
    if (!hasShader(i)) return hasPhysics(i) ? world.spawn(Transform, Physics) : world.spawn(Transform)
    return hasPhysics(i) ? world.spawn(Transform, Shader, Physics) : world.spawn(Transform, Shader)
  }
}

/** All entities with the same parts in one call, and all that are to go in another. */
class TableInBulk extends Table {
  spawnAll(handles) {
    const { Transform, Shader, Physics } = TABLE
    this.spawnThose(handles, [Transform], (i) => !hasShader(i) && !hasPhysics(i))
    this.spawnThose(handles, [Transform, Shader], (i) => hasShader(i) && !hasPhysics(i))
    this.spawnThose(handles, [Transform, Physics], (i) => !hasShader(i) && hasPhysics(i))
    this.spawnThose(handles, [Transform, Shader, Physics], (i) => hasShader(i) && hasPhysics(i))
  }

  destroyThose(handles, isDoomed) {
    this.world.destroyMany(handles.filter((_, i) => isDoomed(i)))
  }

  spawnThose(handles, components, isMember) {
    const numbers = []
    for (let i = 0; i < handles.length; i++) if (isMember(i)) numbers.push(i)
    let filled = 0
    const spawned = this.world.spawnMany(numbers.length, components, (chunk) => {
      const first = filled - chunk.start
      filled += chunk.end - chunk.start
      writeTransforms(chunk, numbers, first)
      if (components.includes(TABLE.Shader)) writeShaders(chunk, numbers, first)
      if (components.includes(TABLE.Physics)) writePhysics(chunk, numbers, first)
    })
    for (let k = 0; k < numbers.length; k++) handles[numbers[k]] = spawned[k]
  }
}

function writeTransforms(chunk, numbers, first) {
  const { x, y, z } = chunk.write(TABLE.Transform)
  for (let row = chunk.start; row < chunk.end; row++) {
    const i = numbers[first + row]
    x[row] = xOf(i)
    y[row] = yOf(i)
    z[row] = zOf(i)
  }
}

function writeShaders(chunk, numbers, first) {
  const { vs, fs } = chunk.write(TABLE.Shader)
  for (let row = chunk.start; row < chunk.end; row++) {
    const i = numbers[first + row]
    vs[row] = vsOf(i)
    fs[row] = fsOf(i)
  }
}

function writePhysics(chunk, numbers, first) {
  const { mass, friction, bounce, force } = chunk.write(TABLE.Physics)
  mass.fill(MASS, chunk.start, chunk.end)
  friction.fill(FRICTION, chunk.start, chunk.end)
  bounce.fill(BOUNCE, chunk.start, chunk.end)
  for (let row = chunk.start; row < chunk.end; row++) force[row] = forceOf(numbers[first + row])
}

function updateColumns(query, { Shader, Physics }) {
  for (const chunk of query) {
    const { vs } = chunk.write(Shader)
    const { force } = chunk.write(Physics)
    for (let i = chunk.start; i < chunk.end; i++) {
      vs[i]++
      force[i] += 1
    }
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

class SparseWithValues extends Store {
  constructor() {
    super(SPARSE)
  }

  update() {
    updateByCursors(this.both)
  }
}

class Sparse extends StoreByAccessors {
  constructor() {
    super(SPARSE)
  }

  update() {
    updateByCursors(this.both)
  }
}

function updateByCursors(query) {
  for (const chunk of query) {
    const shaders = chunk.cursor(SPARSE.Shader)
    const physics = chunk.cursor(SPARSE.Physics)
    for (let i = chunk.start; i < chunk.end; i++) {
      shaders.at(i).vs++
      physics.at(i).force += 1
    }
  }
}

class SparseByEach extends Sparse {
  update() {
    this.both.each(increase)
  }
}

/** The group keeps the pools of both in step, as a program does that runs the update in every frame. */
class SparseByGroup extends StoreByAccessors {
  constructor() {
    super(SPARSE)
    this.group = this.world.group(SPARSE.Shader, SPARSE.Physics)
  }

  update() {
    updateColumns(this.group, SPARSE)
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
      'table, with values': TableWithValues,
      'table, one spawn with values': TableInOneSpawnWithValues,
      'table, accessors': Table,
      'table, one spawn, accessors': TableInOneSpawn,
      'table, in bulk': TableInBulk,
      'sparse, with values': SparseWithValues,
      'sparse, accessors': Sparse,
      'sparse, grouped, accessors': SparseByGroup,
    },
    {
      'table, columns': Table,
      'table, each': TableByEach,
      'table, kernel': TableByKernel,
      'sparse, cursors': Sparse,
      'sparse, each': SparseByEach,
      'sparse, group': SparseByGroup,
      'sparse, group and kernel': SparseByKernel,
    },
  ),
  lookup: { 'accessor.of': lookupByAccessor, 'world.get': lookupByCopy },
}
