// Owns the handles that are given out while a loop is open: alive at once, and without a row until it ends. Where the records end
// they are only promised, since memory must not grow; they get their records later, and are as old as if they had had them.
// It must never make a row.

import {
  createSeldom,
  ensureCapacity,
  entities,
  MIN_FREE_BEFORE_REUSE,
  NO_LOCATION,
  noteBirth,
  NULL_ENTITY,
  recordOf,
  restingIndices,
  reviveEntity,
} from './entities'
import { DONE, OUT_OF_MEMORY } from './status'

/**
 * A handle without a row, for a spawn that is deferred, or NULL_ENTITY when that would need memory: views that
 * a running loop holds must stay valid. TypeScript then counts on from `fresh` by itself (see adoptReserved);
 * `promised` is how many it has counted so far.
 */
export function reserveEntity(promised: u32): u32 {
  const recycles =
    entities.freeCount >= MIN_FREE_BEFORE_REUSE || entities.fresh + promised >= entities.limit
  if (recycles) {
    if (restingIndices() == 0) return NULL_ENTITY
    if (entities.keptBirths == 0) {
      // What was promised is older, and gets its records later.
      entities.firstKept = entities.nextBirth
      entities.keptBirths = promised
      entities.nextBirth += promised
    }
    entities.alive += 1
    return reviveEntity(NO_LOCATION)
  }
  if (promised > 0 || entities.fresh >= entities.capacity) return NULL_ENTITY
  return createReserved()
}

/** A handle without a row where memory may grow. prepareEntities must have succeeded. */
export function createReserved(): u32 {
  return createSeldom(NO_LOCATION)
}

/** Turns the next `count` fresh indices, promised while a loop was open, into living handles without a row. */
export function adoptReserved(count: u32): i32 {
  const kept = entities.keptBirths
  entities.keptBirths = 0
  // TypeScript promises none beyond the limit.
  if (!ASC_NO_ASSERT) assert(entities.fresh + count <= entities.limit, 'promised handles are below the limit')
  if (!ensureCapacity(entities.fresh + count)) return OUT_OF_MEMORY
  for (let i: u32 = 0; i < count; i++) {
    const index = entities.fresh++
    const record = recordOf(index)
    record.handle = index
    record.location = NO_LOCATION
    if (i < kept) store<u32>(entities.births + (<usize>index << 2), entities.firstKept + i)
    else noteBirth(index)
  }
  entities.alive += count
  return DONE
}
