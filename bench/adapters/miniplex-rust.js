// Owns miniplex 2.0 in the cases of rust-gamedev/ecs_bench_suite. Entities are plain objects, so that text is what JSON
// makes of them. It must never make an entity other than whole.
import { World } from 'miniplex'
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

const NAMES = ['transform', 'position', 'rotation', 'velocity']

const valuesIn = ({ transform, ...vectors }) => [
  ...transform,
  ...NAMES.slice(1).flatMap((name) => [vectors[name].x, vectors[name].y, vectors[name].z]),
]

function insert(size) {
  let world
  return {
    before() {
      world = new World()
    },
    run() {
      for (let i = 0; i < size; i++) {
        world.add({
          transform: Float32Array.from(IDENTITY),
          position: { x: 1, y: 0, z: 0 },
          rotation: { x: 1, y: 0, z: 0 },
          velocity: { x: 1, y: 0, z: 0 },
        })
      }
    },
    result() {
      const entities = Array.from(world.with(...NAMES))
      return [entities.length, ...entities.flatMap(valuesIn)]
    },
  }
}

function heavy(size) {
  const world = new World()
  const query = world.with('position', 'transform')
  const entities = Array.from({ length: size }, (_, i) =>
    world.add({
      transform: Float32Array.from(matrixOf(i)),
      position: { x: startX(i), y: startY(i), z: startZ(i) },
      rotation: { x: 1, y: 0, z: 0 },
      velocity: { x: 1, y: 0, z: 0 },
    }),
  )
  return {
    run() {
      for (const { position: p, transform: m } of query) {
        for (let turn = 0; turn < INVERSIONS; turn++) invert(m, 0)
        const { x, y, z } = p
        p.x = turnedX(m, 0, x, y, z)
        p.y = turnedY(m, 0, x, y, z)
        p.z = turnedZ(m, 0, x, y, z)
      }
    },
    result: () => entities.flatMap((entity) => valuesIn(entity).slice(0, 19)),
  }
}

function serialised(size) {
  const source = new World()
  const vector = (i, k) => ({ x: vectorOf(i, k), y: vectorOf(i, k + 1), z: vectorOf(i, k + 2) })
  for (let i = 0; i < size; i++) {
    source.add({
      transform: Array.from({ length: 16 }, (_, k) => transformOf(i, k)),
      position: vector(i, 0),
      rotation: vector(i, 3),
      velocity: vector(i, 6),
    })
  }
  let target
  return {
    before() {
      target = new World()
    },
    run() {
      for (const entity of JSON.parse(JSON.stringify(source.entities))) target.add(entity)
    },
    result: () => Array.from(target.with(...NAMES)).flatMap(valuesIn),
  }
}

export const rustWays = (swapping) => ({
  simple_insert: { 'per call': insert },
  heavy_compute: { 'for...of': heavy },
  schedule: swapping,
  serialize_text: { 'entities to JSON': serialised },
})
