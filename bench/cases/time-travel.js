// Time travel: the state of n entities copied and copied back, beside a raw copy of as many bytes between a wasm memory and
// another buffer; eight frames taken back and run again; and files. The check of a copy is not left to a digest.
import { DT, startX, velocityX, velocityY, velocityZ } from './moving.js'

/** Frames that are taken back. */
const FRAMES = 8
const SIZES = [10_000, 100_000, 1_000_000]
const FILES = [10_000, 100_000]

/** x, y, z of every entity after some frames, in order of creation. */
const after = (frames) => (size) =>
  Array.from({ length: size }, (_, i) => {
    const [x, y, z] = [velocityX(i), velocityY(i), velocityZ(i)].map((velocity) => frames * velocity * DT)
    return [startX(i) + x, y, z]
  }).flat()

async function createMoving(size) {
  const { component, createWorld, f32, loadWorld, restore, saveWorld, snapshot } =
    await import('../../dist/index.js')
  const { move } = await import('../../build/bench/loop.kernel.js')
  const Position = component('Position', { x: f32, y: f32, z: f32 })
  const Velocity = component('Velocity', { x: f32, y: f32, z: f32 })
  // At its full size from the start: typed arrays are slower in a process in which a memory has grown.
  const world = createWorld({ memory: { initial: Math.max(32 * 2 ** 20, size * 96) } })
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
  /** The places in a world, by the handles that its entities have there. */
  function places(world, handles) {
    const position = world.accessor(Position)
    return handles.flatMap((handle) => {
      const { x, y, z } = position.of(handle)
      return [x, y, z]
    })
  }
  const result = () => places(world, [...handles])
  const start = snapshot(world)
  const components = [Position, Velocity]
  return {
    ...{ snapshot, restore, saveWorld },
    ...{ world, result, frame: () => moving.run(step, scalars) },
    /** What `check` leaves behind is read, and taken back: a result may be asked for again. */
    resultOf: (check) => () => {
      check()
      const values = result()
      restore(world, start)
      return values
    },
    load: (bytes) => loadWorld(bytes, { components }),
    /** After the way through a file. */
    readBack(bytes) {
      const loaded = loadWorld(bytes, { components })
      const values = places(
        loaded.world,
        Array.from(handles, (handle) => loaded.handles.get(handle)),
      )
      loaded.world.dispose()
      return values
    },
  }
}

async function saving(size) {
  const { snapshot, restore, world, frame, resultOf } = await createMoving(size)
  const into = { into: snapshot(world) }
  const check = () => {
    frame()
    snapshot(world, into)
    frame()
    restore(world, into.into)
  }
  return { run: () => void snapshot(world, into), result: resultOf(check) }
}

async function restoring(size) {
  const { snapshot, restore, world, frame, resultOf } = await createMoving(size)
  const before = snapshot(world)
  const check = () => {
    frame()
    restore(world, before)
    frame()
  }
  return { run: () => restore(world, before), result: resultOf(check) }
}

const rawCopy = (outwards) => async (size) => {
  const { snapshot, world, frame, resultOf } = await createMoving(size)
  const { byteLength } = snapshot(world)
  const memory = new WebAssembly.Memory({ initial: Math.ceil(byteLength / 65_536) })
  const inside = new Uint8Array(memory.buffer, 0, byteLength)
  const outside = new Uint8Array(byteLength)
  const [to, from] = outwards ? [outside, inside] : [inside, outside]
  const check = () => {
    from.fill(7)
    to.set(from)
    if (to.some((byte) => byte !== 7)) throw new Error('The raw copy left something out.')
    frame()
  }
  return { run: () => to.set(from), result: resultOf(check) }
}

async function rewinding(size) {
  const { snapshot, restore, world, frame, result } = await createMoving(size)
  const before = snapshot(world)
  const now = { into: snapshot(world) }
  function run() {
    restore(world, before)
    for (let i = 0; i < FRAMES; i++) frame()
    snapshot(world, now)
  }
  return { run, result }
}

async function writing(size) {
  const { saveWorld, world, readBack } = await createMoving(size)
  let bytes = saveWorld(world)
  return { run: () => void (bytes = saveWorld(world)), result: () => readBack(bytes) }
}

async function reading(size) {
  const { saveWorld, world, load, readBack } = await createMoving(size)
  const bytes = saveWorld(world)
  return { run: () => load(bytes).world.dispose(), result: () => readBack(bytes) }
}

const timed = (name, title, sizes, frames, strata) => ({
  ...{ name, title, sizes, reference: after(frames), ways: { strata } },
})

export default [
  timed('save', 'Save: the state of n entities, 6 x f32 each, copied into memory that is there', SIZES, 1, {
    'snapshot({ into })': saving,
    'a raw copy of as many bytes': rawCopy(true),
  }),
  timed('restore', 'Restore: the same copied back', SIZES, 1, {
    restore: restoring,
    'a raw copy of as many bytes': rawCopy(false),
  }),
  timed(
    'rewind',
    'Rewind: go back 8 frames, run them again (position += velocity * dt), save once',
    SIZES,
    FRAMES,
    {
      'restore, kernels, snapshot({ into })': rewinding,
    },
  ),
  timed('write-file', 'Write a file: such entities as bytes that a later program can read', FILES, 0, {
    saveWorld: writing,
  }),
  timed('read-file', 'Read a file: a world made of such bytes', FILES, 0, { loadWorld: reading }),
]
