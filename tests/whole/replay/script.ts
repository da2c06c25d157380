// The program that carries out a random script for several engines, without comparing anything: what it comes to is compared there.

import {
  getColumn,
  digestWorld,
  forkWorld,
  maxOf,
  minOf,
  saveWorld,
  sortedEntities,
  sumOf,
} from '../../../bindings/index'
import { bytesOf } from '../../support/bytes'
import { Health, Matrix, Mixed, Position, Score } from '../../support/script/kinds'
import { Session, type Step } from '../../support/script/session'
import { testWorld } from '../../support/world'

const MIB = 2 ** 20
const UNLIMITED = 0x7fffffff

/** FNV-1a, over bytes. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** What a world of this script has in the end, as numbers and texts that JSON can say. */
export function carryOut(steps: Step[], seed: number): object {
  const world = testWorld({ memory: { initial: MIB } })
  const session = new Session(world, UNLIMITED, seed, 20)
  session.run(steps, () => {})
  const [positions, scores, health] = [world.query(Position), world.query(Score), world.query(Health)]
  const found = {
    entities: world.stats().entities,
    digest: String(digestWorld(world)),
    memory: hashOf(bytesOf(world)),
    save: hashOf(saveWorld(world)),
    sorted: [...sortedEntities(positions, Position, 'x')].concat([...sortedEntities(health, Health, 'hp')]),
    sums: [
      sumOf(positions, Position, 'x'),
      sumOf(world.query(Mixed), Mixed, 'c'),
      sumOf(scores, Score, 'ratio'),
      minOf(positions, Position, 'y'),
      maxOf(scores, Score, 'points'),
    ].map(String),
    column: hashOf(new Uint8Array(Float32Array.from(getColumn(positions, Position, 'x')).buffer)),
    rows: world.query(Matrix).count,
  }
  const twin = forkWorld(world)
  const forked = String(digestWorld(twin))
  twin.dispose()
  session.end()
  return { ...found, forked }
}
