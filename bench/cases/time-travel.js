// Time travel: the state of n entities copied and copied back, beside a raw copy of as many bytes between a wasm memory and
// another buffer; eight frames taken back and run again; and files. The check of a copy is not left to a digest.
import { strataKernel } from './loop.js'
import * as moving from './moving.js'

/** Frames that are taken back. */
const FRAMES = 8
const SIZES = [10_000, 100_000, 1_000_000]
const FILES = [10_000, 100_000]

/** x, y, z of every entity after some frames, in order of creation. */
const after = (frames) => (size) =>
  Array.from({ length: size }, (_, i) => {
    const { startX, velocityX, velocityY, velocityZ, DT } = moving
    const [x, y, z] = [velocityX(i), velocityY(i), velocityZ(i)].map((velocity) => frames * velocity * DT)
    return [startX(i) + x, y, z]
  }).flat()

async function createMoving(size) {
  const library = await import('../../dist/index.js')
  const { createAccessor, loadWorld, restoreWorld, snapshotWorld } = library
  // At its full size from the start: typed arrays are slower in a process in which a memory has grown.
  const stage = await moving.strata(size, 0, { initial: Math.max(32 * 2 ** 20, size * 96) })
  const { world, Position, Velocity } = stage
  const frame = await strataKernel(stage)
  stage.fillMoving()
  /** The places in a world, by the handles that its entities have there. */
  function places(world, handles) {
    const position = createAccessor(world, Position)
    return Array.from(handles, (handle) => {
      const { x, y, z } = position.of(handle)
      return [x, y, z]
    }).flat()
  }
  const result = () => places(world, stage.handles)
  const start = snapshotWorld(world)
  const load = (bytes) => loadWorld(bytes, { components: [Position, Velocity] })
  return {
    ...{ ...library, world, result, frame, load },
    /** What `check` leaves behind is read, and taken back: a result may be asked for again. */
    resultOf: (check) => () => {
      check()
      const values = result()
      restoreWorld(world, start)
      return values
    },
    /** After the way through a file. */
    readBack(bytes) {
      const loaded = load(bytes)
      const handles = Array.from(stage.handles, (handle) => loaded.handles.get(handle))
      const values = places(loaded.world, handles)
      loaded.world.dispose()
      return values
    },
  }
}

async function saving(size) {
  const { snapshotWorld, restoreWorld, world, frame, resultOf } = await createMoving(size)
  const into = { into: snapshotWorld(world) }
  const check = () => {
    frame()
    snapshotWorld(world, into)
    frame()
    restoreWorld(world, into.into)
  }
  return { run: () => void snapshotWorld(world, into), result: resultOf(check) }
}

async function restoring(size) {
  const { snapshotWorld, restoreWorld, world, frame, resultOf } = await createMoving(size)
  const before = snapshotWorld(world)
  const check = () => {
    frame()
    restoreWorld(world, before)
    frame()
  }
  return { run: () => restoreWorld(world, before), result: resultOf(check) }
}

const rawCopy = (outwards) => async (size) => {
  const { snapshotWorld, world, frame, resultOf } = await createMoving(size)
  const { byteLength } = snapshotWorld(world)
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
  const { snapshotWorld, restoreWorld, world, frame, result } = await createMoving(size)
  const before = snapshotWorld(world)
  const now = { into: snapshotWorld(world) }
  function run() {
    restoreWorld(world, before)
    for (let i = 0; i < FRAMES; i++) frame()
    snapshotWorld(world, now)
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
    'snapshotWorld({ into })': saving,
    'a raw copy of as many bytes': rawCopy(true),
  }),
  timed('restore', 'Restore: the same copied back', SIZES, 1, {
    restoreWorld: restoring,
    'a raw copy of as many bytes': rawCopy(false),
  }),
  timed(
    'rewind',
    'Rewind: go back 8 frames, run them again (position += velocity * dt), save once',
    SIZES,
    FRAMES,
    {
      'restoreWorld, kernels, snapshotWorld({ into })': rewinding,
    },
  ),
  timed('write-file', 'Write a file: such entities as bytes that a later program can read', FILES, 0, {
    saveWorld: writing,
  }),
  timed('read-file', 'Read a file: a world made of such bytes', FILES, 0, { loadWorld: reading }),
]
