// Owns piecs 0.4 in the cases of rust-gamedev/ecs_bench_suite: a prefabricated archetype, values in arrays by entity id. It
// stores ids only and writes none of them down. It must never leave the values out.
import { World, createEntitySystem } from 'piecs/dist/index.mjs'
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

function createStage(size) {
  const world = new World()
  const components = Array.from({ length: 4 }, () => world.createComponentId())
  const vectors = Array.from({ length: 9 }, () => new Float32Array(size))
  return { world, components, all: world.prefabricate(components), m: new Float32Array(size * 16), vectors }
}

const valuesIn = ({ m, vectors }, id) => [
  ...m.subarray(id * 16, id * 16 + 16),
  ...vectors.map((column) => column[id]),
]

function insert(size) {
  let stage
  return {
    before() {
      stage = createStage(size)
      stage.world.initialize()
    },
    run() {
      const { world, all, m, vectors } = stage
      const [px, py, pz, rx, ry, rz, vx, vy, vz] = vectors
      for (let i = 0; i < size; i++) {
        const id = world.createEntity(all)
        m.set(IDENTITY, id * 16)
        px[id] = rx[id] = vx[id] = 1
        py[id] = pz[id] = ry[id] = rz[id] = vy[id] = vz[id] = 0
      }
    },
    result() {
      const { entities } = stage.all
      return [entities.length, ...Array.from(entities, (id) => valuesIn(stage, id)).flat()]
    },
  }
}

function heavy(size) {
  const stage = createStage(size)
  const { world, components, all, m, vectors } = stage
  const [px, py, pz] = vectors
  const compute = createEntitySystem(
    (entities) => {
      for (let i = 0, l = entities.length; i < l; i++) {
        const id = entities[i]
        const at = id * 16
        for (let turn = 0; turn < INVERSIONS; turn++) invert(m, at)
        const [x, y, z] = [px[id], py[id], pz[id]]
        px[id] = turnedX(m, at, x, y, z)
        py[id] = turnedY(m, at, x, y, z)
        pz[id] = turnedZ(m, at, x, y, z)
      }
    },
    (query) => query.every(components[0], components[1]),
  )
  world.registerSystem(compute).initialize()
  const ids = Array.from({ length: size }, (_, i) => {
    const id = world.createEntity(all)
    m.set(matrixOf(i), id * 16)
    px[id] = startX(i)
    py[id] = startY(i)
    pz[id] = startZ(i)
    return id
  })
  return { run: () => world.update(), result: () => ids.flatMap((id) => valuesIn(stage, id).slice(0, 19)) }
}

export const rustWays = (swapping) => ({
  simple_insert: { prefabricated: insert },
  heavy_compute: { system: heavy },
  schedule: swapping,
})
