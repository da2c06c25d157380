// Owns one number for a whole run: equal runs have equal ones, in the release core and in the checked one.
// It must never depend on anything but the figures of the days and the columns of the world.

import { Body, Larva, Load, Nest, Scent, Source, Spider, Walk } from './components.js'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
const COLUMNS = [
  [Body, ['energy', 'foragesFrom', 'diesOn']],
  [Walk, ['x', 'y', 'heading']],
  [Load, ['food', 'scent']],
  [Larva, ['meals', 'patience']],
  [Nest, ['stored', 'nurses', 'foragers', 'larvae']],
  [Source, ['x', 'y', 'food']],
  [Spider, ['x', 'y', 'caught']],
  [Scent, ['strength']],
]

/** Eight hexadecimal digits (FNV-1a over the bytes of every figure and value, handles included). */
export function checksum(world, days) {
  const hash = createHash()
  for (const day of days) for (const figure of Object.values(day)) hash.add(figure)
  for (const [component, fields] of COLUMNS) {
    for (const chunk of world.query(component)) {
      const columns = chunk.read(component)
      for (let i = chunk.start; i < chunk.end; i++) {
        hash.add(chunk.entities[i])
        for (const field of fields) hash.add(columns[field][i])
      }
    }
  }
  return hash.digits()
}

function createHash() {
  const number = new Float64Array(1)
  const bytes = new Uint8Array(number.buffer)
  let hash = FNV_OFFSET
  return {
    add(value) {
      number[0] = value
      for (let i = 0; i < 8; i++) hash = Math.imul(hash ^ bytes[i], FNV_PRIME)
    },
    digits: () => (hash >>> 0).toString(16).padStart(8, '0'),
  }
}
