// Owns koota 0.6 in the cases of rust-gamedev/ecs_bench_suite: a matrix is a trait made by a function, as its README has
// it for what is no set of numbers. It must never reach past what the README documents.
import { createQuery, createWorld, trait } from 'koota'
import { invert } from '../cases/matrix.js'
import {
  IDENTITY,
  INVERSIONS,
  matrixOf,
  startX,
  startY,
  startZ,
  turnedX,
  turnedY,
  turnedZ,
} from '../cases/rust.js'

const Transform = trait(() => new Float32Array(16))
const [Position, Rotation, Velocity] = Array.from({ length: 3 }, () => trait({ x: 0, y: 0, z: 0 }))

const valuesIn = (entity) => [
  ...entity.get(Transform),
  ...[Position, Rotation, Velocity].flatMap((Vector) => {
    const { x, y, z } = entity.get(Vector)
    return [x, y, z]
  }),
]

function insert(size) {
  let world
  return {
    before() {
      world?.destroy()
      world = createWorld()
    },
    run() {
      for (let i = 0; i < size; i++) {
        world.spawn(
          Transform(Float32Array.from(IDENTITY)),
          Position({ x: 1 }),
          Rotation({ x: 1 }),
          Velocity({ x: 1 }),
        )
      }
    },
    result() {
      const entities = Array.from(world.query(Transform, Position, Rotation, Velocity))
      return [entities.length, ...entities.flatMap(valuesIn)]
    },
  }
}

function computeStores([p, matrices], entities) {
  const { x: px, y: py, z: pz } = p
  for (let i = 0; i < entities.length; i++) {
    const id = entities[i].id()
    const m = matrices[id]
    for (let turn = 0; turn < INVERSIONS; turn++) invert(m, 0)
    const [x, y, z] = [px[id], py[id], pz[id]]
    px[id] = turnedX(m, 0, x, y, z)
    py[id] = turnedY(m, 0, x, y, z)
    pz[id] = turnedZ(m, 0, x, y, z)
  }
}

function heavy(size) {
  const world = createWorld()
  const query = createQuery(Position, Transform)
  const entities = Array.from({ length: size }, (_, i) =>
    world.spawn(
      Transform(Float32Array.from(matrixOf(i))),
      Position({ x: startX(i), y: startY(i), z: startZ(i) }),
      Rotation({ x: 1 }),
      Velocity({ x: 1 }),
    ),
  )
  return {
    run: () => world.query(query).useStores(computeStores),
    result: () => entities.flatMap((entity) => valuesIn(entity).slice(0, 19)),
  }
}

export const rustWays = (swapping) => ({
  simple_insert: { 'per call': insert },
  heavy_compute: { useStores: heavy },
  schedule: swapping,
})
