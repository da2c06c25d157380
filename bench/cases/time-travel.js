// Time travel: the state of n entities copied and copied back, eight frames taken back and run again, and files. No rival
// copies less than all of the state, and none leaves the check of it to a digest.
import { DT, startX, velocityX, velocityY, velocityZ } from './moving.js'

/** Frames that are taken back. */
const FRAMES = 8
const SIZES = [10_000, 100_000, 1_000_000]

/** x, y, z of every entity after some frames, in order of creation. */
function after(size, frames) {
  const values = []
  for (let i = 0; i < size; i++) {
    values.push(
      startX(i) + frames * velocityX(i) * DT,
      frames * velocityY(i) * DT,
      frames * velocityZ(i) * DT,
    )
  }
  return values
}

// ---- by hand: six typed arrays copied into six others, without handles, orders and ticks

const dt = DT

function moveAll(columns, count) {
  const [px, py, pz, vx, vy, vz] = columns
  for (let i = 0; i < count; i++) {
    px[i] += vx[i] * dt
    py[i] += vy[i] * dt
    pz[i] += vz[i] * dt
  }
}

function rawStage(size) {
  const columns = Array.from({ length: 6 }, () => new Float32Array(size))
  const [px, py, pz, vx, vy, vz] = columns
  for (let i = 0; i < size; i++) {
    px[i] = startX(i)
    vx[i] = velocityX(i)
    vy[i] = velocityY(i)
    vz[i] = velocityZ(i)
  }
  const kept = columns.map((column) => column.slice())
  const copy = (to, from) => {
    for (let k = 0; k < 6; k++) to[k].set(from[k])
  }
  const frame = () => moveAll(columns, size)
  const start = columns.map((column) => column.slice())
  const result = () => Array.from({ length: size }, (_, i) => [px[i], py[i], pz[i]]).flat()
  /** What `check` leaves behind is read, and taken back: a result may be asked for again. */
  const resultOf = (check) => () => {
    check()
    const values = result()
    copy(columns, start)
    copy(kept, start)
    return values
  }
  return { columns, kept, copy, frame, result, resultOf }
}

function rawSave(size) {
  const { columns, kept, copy, frame, resultOf } = rawStage(size)
  return {
    run: () => copy(kept, columns),
    result: resultOf(() => {
      frame()
      copy(kept, columns)
      frame()
      copy(columns, kept)
    }),
  }
}

function rawRestore(size) {
  const { columns, kept, copy, frame, resultOf } = rawStage(size)
  return {
    run: () => copy(columns, kept),
    result: resultOf(() => {
      frame()
      copy(columns, kept)
      frame()
    }),
  }
}

function rawRewind(size) {
  const { columns, kept, copy, frame, result } = rawStage(size)
  const now = columns.map((column) => column.slice())
  function run() {
    copy(columns, kept)
    for (let i = 0; i < FRAMES; i++) frame()
    copy(now, columns)
  }
  return { run, result }
}

// ---- strata-ecs, and beside it a raw copy of as many bytes in the same memories

const BYTES_PER_ENTITY = 48

async function createMoving(size) {
  const { component, createWorld, f32, loadWorld, saves } = await import('../../dist/index.js')
  const { move } = await import('../../build/bench/loop.kernel.js')
  const Position = component('Position', { x: f32, y: f32, z: f32 })
  const Velocity = component('Velocity', { x: f32, y: f32, z: f32 })
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
  const components = [Position, Velocity]
  return { world, components, loadWorld, handles, frame: () => moving.run(step, scalars), result, resultOf }
}

async function saving(size) {
  const { world, frame, resultOf } = await createMoving(size)
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

async function restoring(size) {
  const { world, frame, resultOf } = await createMoving(size)
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
const rawCopy = (outwards) => async (size) => {
  const { world, frame, resultOf } = await createMoving(size)
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

async function rewinding(size) {
  const { world, frame, result } = await createMoving(size)
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
function readBack(bytes, { handles, components, loadWorld }) {
  const { world, handles: map } = loadWorld(bytes, { components })
  const position = world.accessor(components[0])
  const values = Array.from(handles, (handle) => {
    const { x, y, z } = position.of(map.get(handle))
    return [x, y, z]
  })
  world.dispose()
  return values.flat()
}

async function writing(size) {
  const stage = await createMoving(size)
  const { world } = stage
  let bytes = world.save()
  return { run: () => void (bytes = world.save()), result: () => readBack(bytes, stage) }
}

async function reading(size) {
  const stage = await createMoving(size)
  const { components, loadWorld } = stage
  const bytes = stage.world.save()
  return {
    run: () => loadWorld(bytes, { components }).world.dispose(),
    result: () => readBack(bytes, stage),
  }
}

export default [
  {
    name: 'save',
    title: 'Save: the state of n entities, 6 x f32 each, copied into memory that is there',
    sizes: SIZES,
    /** After a save, a frame, and the way back to the save. */
    reference: (size) => after(size, 1),
    ways: {
      raw: { arrays: rawSave },
      strata: { 'snapshot({ into })': saving, 'a raw copy of as many bytes': rawCopy(true) },
    },
  },
  {
    name: 'restore',
    title: 'Restore: the same copied back',
    sizes: SIZES,
    /** After the way back, another frame. */
    reference: (size) => after(size, 1),
    ways: {
      raw: { arrays: rawRestore },
      strata: { restore: restoring, 'a raw copy of as many bytes': rawCopy(false) },
    },
  },
  {
    name: 'rewind',
    title: 'Rewind: go back 8 frames, run them again (position += velocity * dt), save once',
    sizes: SIZES,
    /** Every run goes back to the same state, and makes the same eight frames. */
    reference: (size) => after(size, FRAMES),
    ways: {
      raw: { arrays: rawRewind },
      strata: { 'restore, kernels, snapshot({ into })': rewinding },
    },
  },
  {
    name: 'write-file',
    title: 'Write a file: n entities, 6 x f32 each, as bytes that a later program can read',
    sizes: [10_000, 100_000],
    reference: (size) => after(size, 0),
    ways: { strata: { 'world.save': writing } },
  },
  {
    name: 'read-file',
    title: 'Read a file: a world made of such bytes',
    sizes: [10_000, 100_000],
    reference: (size) => after(size, 0),
    ways: { strata: { loadWorld: reading } },
  },
]
