// `position += velocity * dt` for one entity after the other, by handles in a shuffled order: three fields of two components
// each. Each run undoes the one before, so values stay exact.
import * as moving from './moving.js'

/** Moves all, and back in the next run. @param moveFrom makes of a stage what moves one of its entities */
const moves = (createStage, moveFrom) => async (size) => {
  const stage = await createStage(size)
  stage.watch?.()
  stage.fillMoving()
  const handles = moving.shuffled(stage)
  const move = moveFrom(stage)
  let round = 0
  return {
    run() {
      const step = ++round % 2 === 1 ? 0.5 : -0.5
      for (let k = 0; k < size; k++) move(handles[k], step)
    },
    result: () => Array.from(handles, (_, k) => stage.read(k)).flat(),
  }
}

async function rows(size) {
  const order = moving.shuffledOrder(size)
  const rowOf = Uint32Array.from(order, (_, i) => i)
  const { startX, velocityX, velocityY, velocityZ } = moving
  const columnOf = (valueOf) => Float32Array.from(order, (_, i) => valueOf(i))
  const columns = [startX, () => 0, () => 0, velocityX, velocityY, velocityZ].map(columnOf)
  return {
    ...{ handles: Uint32Array.from(order, (_, i) => i), rowOf, columns, fillMoving() {} },
    read: (k) => columns.map((column) => column[rowOf[k]]),
  }
}

const raw = moves(rows, ({ rowOf, columns: [x, y, z, vx, vy, vz] }) => (id, dt) => {
  const row = rowOf[id]
  x[row] += vx[row] * dt
  y[row] += vy[row] * dt
  z[row] += vz[row] * dt
})

const strataCall = moves(moving.strata, ({ world, Position, Velocity }) => (handle, dt) => {
  const { x, y, z } = world.get(handle, Position)
  const velocity = world.get(handle, Velocity)
  world.set(handle, Position, { x: x + velocity.x * dt, y: y + velocity.y * dt, z: z + velocity.z * dt })
})

const strataAccessor = moves(
  moving.strata,
  ({ position: positions, velocity: velocities }) =>
    (handle, dt) => {
      const position = positions.of(handle)
      const velocity = velocities.of(handle)
      position.x += velocity.x * dt
      position.y += velocity.y * dt
      position.z += velocity.z * dt
    },
)

/** bitECS, piecs and wolf-ecs: arrays by id. */
function moveById({ Position: { x, y, z }, Velocity: { x: vx, y: vy, z: vz } }) {
  return (id, dt) => {
    x[id] += vx[id] * dt
    y[id] += vy[id] * dt
    z[id] += vz[id] * dt
  }
}

const koota = moves(moving.koota, ({ Position, Velocity }) => (entity, dt) => {
  const { x, y, z } = entity.get(Position)
  const velocity = entity.get(Velocity)
  entity.set(Position, { x: x + velocity.x * dt, y: y + velocity.y * dt, z: z + velocity.z * dt })
})

const miniplex = moves(moving.miniplex, () => ({ position, velocity }, dt) => {
  position.x += velocity.x * dt
  position.y += velocity.y * dt
  position.z += velocity.z * dt
})

export default {
  name: 'move-by-handle',
  title: 'Move by handle: position += velocity * dt, three fields of two components each, shuffled order',
  sizes: [1_000, 100_000],
  runsPerSample: (size) => Math.max(1, Math.floor(64_000 / size)),
  /** The six values of every entity, in order of creation: as far as the last run moved them. */
  reference: (size, runs) =>
    Array.from({ length: size }, (_, i) => {
      const [vx, vy, vz] = [moving.velocityX(i), moving.velocityY(i), moving.velocityZ(i)]
      const step = runs % 2 === 1 ? 0.5 : 0
      return [moving.startX(i) + vx * step, vy * step, vz * step, vx, vy, vz]
    }).flat(),
  ways: {
    raw: { 'row by id': raw },
    strata: { 'by call': strataCall, 'by accessor': strataAccessor },
    bitecs: { 'arrays by id': moves(moving.bitecs, moveById) },
    piecs: { 'arrays by id': moves(moving.piecs, moveById) },
    koota: { 'by call': koota },
    miniplex: { 'by call': miniplex },
    wolf: { 'arrays by id': moves(moving.wolf, moveById) },
  },
}
