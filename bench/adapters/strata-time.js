// Owns the strata-ecs side of the cases of time travel, with the public names only, and beside each a raw copy of as many
// bytes in the same memories. It must never copy less than the snapshot holds.
import { move } from '../../build/bench/loop.kernel.js'
import { component, createWorld, f32, loadWorld, saves } from '../../dist/index.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { FRAMES } from '../cases/time-travel.js'

const Position = component('Position', { x: f32, y: f32, z: f32 })
const Velocity = component('Velocity', { x: f32, y: f32, z: f32 })
const BYTES_PER_ENTITY = 48

function createMoving(size) {
  // At its full size from the start: typed arrays are slower in a process in which a memory has grown.
  const world = createWorld({
    saves,
    memory: { initial: Math.max(32 * 2 ** 20, 2 * size * BYTES_PER_ENTITY) },
  })
  const moving = world.query(Position, Velocity)
  let i = 0
  const handles = world.spawnMany(size, [Position, Velocity], (chunk) => {
    const { x } = chunk.write(Position)
    const v = chunk.write(Velocity)
    for (let row = chunk.start; row < chunk.end; row++, i++) {
      x[row] = startX(i)
      v.x[row] = velocityX(i)
      v.y[row] = velocityY(i)
      v.z[row] = velocityZ(i)
    }
  })
  const columns = { px: [Position, 'x'], py: [Position, 'y'], pz: [Position, 'z'], vx: [Velocity, 'x'], vy: [Velocity, 'y'], vz: [Velocity, 'z'] } // prettier-ignore
  const step = world.kernel(move, columns)
  const scalars = { dt: DT }
  const position = world.accessor(Position)
  function result() {
    const values = []
    for (const handle of handles) {
      const { x, y, z } = position.of(handle)
      values.push(x, y, z)
    }
    return values
  }
  const start = world.snapshot()
  /** What `check` leaves behind is read, and taken back: a result may be asked for again. */
  const resultOf = (check) => () => {
    check()
    const values = result()
    world.restore(start)
    return values
  }
  return { world, handles, frame: () => moving.run(step, scalars), result, resultOf }
}

function saving(size) {
  const { world, frame, resultOf } = createMoving(size)
  const into = { into: world.snapshot() }
  return {
    run: () => void world.snapshot(into),
    result: resultOf(() => {
      frame()
      world.snapshot(into)
      frame()
      world.restore(into.into)
    }),
  }
}

function restoring(size) {
  const { world, frame, resultOf } = createMoving(size)
  const before = world.snapshot()
  return {
    run: () => world.restore(before),
    result: resultOf(() => {
      frame()
      world.restore(before)
      frame()
    }),
  }
}

/** A copy between a wasm memory and another buffer, of as many bytes as the snapshot of the case has. */
const rawCopy = (outwards) => (size) => {
  const { world, frame, resultOf } = createMoving(size)
  const { byteLength } = world.snapshot()
  const memory = new WebAssembly.Memory({ initial: Math.ceil(byteLength / 65_536) })
  const inside = new Uint8Array(memory.buffer, 0, byteLength)
  const outside = new Uint8Array(byteLength)
  const [to, from] = outwards ? [outside, inside] : [inside, outside]
  return {
    run: () => to.set(from),
    result: resultOf(() => {
      from.fill(7)
      to.set(from)
      if (to.some((byte) => byte !== 7)) throw new Error('The raw copy left something out.')
      frame()
    }),
  }
}

function rewinding(size) {
  const { world, frame, result } = createMoving(size)
  const before = world.snapshot()
  const now = { into: world.snapshot() }
  function run() {
    world.restore(before)
    for (let i = 0; i < FRAMES; i++) frame()
    world.snapshot(now)
  }
  return { run, result }
}

/** The values of all entities after the way through a file, in order of creation. */
function readBack(bytes, handles) {
  const { world, handles: map } = loadWorld(bytes, { components: [Position, Velocity] })
  const position = world.accessor(Position)
  const values = Array.from(handles, (handle) => {
    const { x, y, z } = position.of(map.get(handle))
    return [x, y, z]
  })
  world.dispose()
  return values.flat()
}

function writing(size) {
  const { world, handles } = createMoving(size)
  let bytes = world.save()
  return { run: () => void (bytes = world.save()), result: () => readBack(bytes, handles) }
}

function reading(size) {
  const { world, handles } = createMoving(size)
  const bytes = world.save()
  const options = { components: [Position, Velocity] }
  return { run: () => loadWorld(bytes, options).world.dispose(), result: () => readBack(bytes, handles) }
}

export const timeWays = {
  save: { 'snapshot({ into })': saving, 'a raw copy of as many bytes': rawCopy(true) },
  restore: { restore: restoring, 'a raw copy of as many bytes': rawCopy(false) },
  'write-file': { 'world.save': writing },
  'read-file': { loadWorld: reading },
  rewind: { 'restore, kernels, snapshot({ into })': rewinding },
}
