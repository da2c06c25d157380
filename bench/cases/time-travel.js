// Owns the cases of time travel: the state of n entities copied and copied back, eight frames taken back and run again,
// and files. Adapters must never copy less than all of the state, nor leave the check of it to a digest.
import { DT, startX, velocityX, velocityY, velocityZ } from './loop.js'

/** Frames that are taken back. */
export const FRAMES = 8
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

/** After a save, a frame, and the way back to the save. */
export const save = {
  name: 'save',
  title: 'Save: the state of n entities, 6 x f32 each, copied into memory that is there',
  sizes: SIZES,
  reference: (size) => after(size, 1),
}

/** After the way back, another frame. */
export const restore = {
  name: 'restore',
  title: 'Restore: the same copied back',
  sizes: SIZES,
  reference: (size) => after(size, 1),
}

/** Every run goes back to the same state, and makes the same eight frames. */
export const rewind = {
  name: 'rewind',
  title: 'Rewind: go back 8 frames, run them again (position += velocity * dt), save once',
  sizes: SIZES,
  reference: (size) => after(size, FRAMES),
}

/** A file written of n entities. */
export const writeFile = {
  name: 'write-file',
  title: 'Write a file: n entities, 6 x f32 each, as bytes that a later program can read',
  sizes: [10_000, 100_000],
  reference: (size) => after(size, 0),
}

/** A world made of a file. */
export const readFile = {
  name: 'read-file',
  title: 'Read a file: a world made of such bytes',
  sizes: [10_000, 100_000],
  reference: (size) => after(size, 0),
}
