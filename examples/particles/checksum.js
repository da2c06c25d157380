// Owns: one number for a whole run: runs that are equal to the last bit have equal ones.
// Must never: depend on anything but the figures of the frames and the columns of the particles.

import { Glow, Life, Position, Velocity } from './components.js'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
const COLUMNS = [
  [Position, ['x', 'y']],
  [Velocity, ['x', 'y']],
  [Life, ['left']],
  [Glow, ['heat']],
]

/** Eight hexadecimal digits (FNV-1a over words of 32 bits: figures, handles and values). */
export function checksum(simulation, frames) {
  let hash = FNV_OFFSET
  const addAll = (words) => {
    for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i], FNV_PRIME)
  }
  for (const frame of frames) addAll(wordsOf(Float64Array.from(Object.values(frame))))
  for (const [component, fields] of COLUMNS) {
    const query = simulation.world.query(component)
    addAll(query.entities())
    // Field by field over all chunks: where one chunk ends and the next begins is the engine's business.
    for (const field of fields) {
      for (const chunk of query)
        addAll(wordsOf(chunk.read(component)[field].subarray(chunk.start, chunk.end)))
    }
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}

const wordsOf = (values) => new Uint32Array(values.buffer, values.byteOffset, values.byteLength / 4)
