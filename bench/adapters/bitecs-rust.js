// Owns bitECS 0.4 in the cases of rust-gamedev/ecs_bench_suite: components of typed arrays, and its own serializer. A
// matrix is 16 numbers in a row of one array, but for the serializer, which wants an element for each entity: 16 arrays.
// It must never read into the arrays that it wrote from.
import { addComponents, addEntity, asBuffer, createWorld, query } from 'bitecs'
import { createSnapshotDeserializer, createSnapshotSerializer } from 'bitecs/serialization'
import { invert } from '../cases/matrix.js'
import {
  IDENTITY,
  INVERSIONS,
  matrixOf,
  startX,
  startY,
  startZ,
  transformOf,
  turnedX,
  turnedY,
  turnedZ,
  vectorOf,
} from '../cases/rust.js'

const vector = (size) => ({
  x: new Float32Array(size + 1),
  y: new Float32Array(size + 1),
  z: new Float32Array(size + 1),
})

function createStage(size) {
  const Transform = { m: new Float32Array((size + 1) * 16) }
  const [Position, Rotation, Velocity] = [vector(size), vector(size), vector(size)]
  return { world: createWorld(), Transform, Position, Rotation, Velocity }
}

const valuesIn = ({ Transform, Position, Rotation, Velocity }, id) => [
  ...Transform.m.subarray(id * 16, id * 16 + 16),
  ...[Position, Rotation, Velocity].flatMap(({ x, y, z }) => [x[id], y[id], z[id]]),
]

function insert(size) {
  let stage
  return {
    before() {
      stage = createStage(size)
    },
    run() {
      const { world, Transform, Position, Rotation, Velocity } = stage
      for (let i = 0; i < size; i++) {
        const id = addEntity(world)
        addComponents(world, id, Transform, Position, Rotation, Velocity)
        Transform.m.set(IDENTITY, id * 16)
        Position.x[id] = Rotation.x[id] = Velocity.x[id] = 1
        Position.y[id] = Rotation.y[id] = Velocity.y[id] = 0
        Position.z[id] = Rotation.z[id] = Velocity.z[id] = 0
      }
    },
    result() {
      const { world, Transform, Position, Rotation, Velocity } = stage
      const ids = query(world, [Transform, Position, Rotation, Velocity])
      return [ids.length, ...Array.from(ids, (id) => valuesIn(stage, id)).flat()]
    },
  }
}

function heavy(size) {
  const stage = createStage(size)
  const { world, Transform, Position, Rotation, Velocity } = stage
  const { m } = Transform
  const { x: px, y: py, z: pz } = Position
  const ids = Array.from({ length: size }, (_, i) => {
    const id = addEntity(world)
    addComponents(world, id, Transform, Position, Rotation, Velocity)
    m.set(matrixOf(i), id * 16)
    px[id] = startX(i)
    py[id] = startY(i)
    pz[id] = startZ(i)
    return id
  })
  return {
    run() {
      const found = query(world, [Position, Transform], asBuffer)
      for (let i = 0; i < found.length; i++) {
        const id = found[i]
        const at = id * 16
        for (let turn = 0; turn < INVERSIONS; turn++) invert(m, at)
        const [x, y, z] = [px[id], py[id], pz[id]]
        px[id] = turnedX(m, at, x, y, z)
        py[id] = turnedY(m, at, x, y, z)
        pz[id] = turnedZ(m, at, x, y, z)
      }
    },
    result: () => ids.flatMap((id) => valuesIn(stage, id).slice(0, 19)),
  }
}

/** Four components with a typed array for each number, as the serializer takes them. */
function createComponents(size) {
  const Transform = Object.fromEntries(
    Array.from({ length: 16 }, (_, k) => [`m${k}`, new Float32Array(size + 1)]),
  )
  return [Transform, vector(size), vector(size), vector(size)]
}

const columnsOf = (components) => components.flatMap((component) => Object.values(component))

function serialised(size) {
  const source = createWorld()
  const components = createComponents(size)
  const columns = columnsOf(components)
  for (let i = 0; i < size; i++) {
    const id = addEntity(source)
    addComponents(source, id, ...components)
    columns.forEach((column, k) => (column[id] = k < 16 ? transformOf(i, k) : vectorOf(i, k - 16)))
  }
  const serialize = createSnapshotSerializer(source, components)
  let target
  let read
  return {
    before() {
      target = { world: createWorld(), components: createComponents(size) }
      read = createSnapshotDeserializer(target.world, target.components)
    },
    run: () => read(serialize()),
    result() {
      const found = columnsOf(target.components)
      return Array.from(query(target.world, target.components)).flatMap((id) =>
        found.map((column) => column[id]),
      )
    },
  }
}

export const rustWays = (swapping) => ({
  simple_insert: { 'per call': insert },
  heavy_compute: { 'query + SoA': heavy },
  schedule: swapping,
  serialize_binary: { 'snapshot serializer': serialised },
})
