// Owns the handles that are given out while a loop is open: alive at once, and without a row until it ends. Memory must not grow
// then, since views that the loop holds must stay valid: beyond the records, indices are promised, and get their records when
// these grow.
//
//                capacity    promisedFrom      fresh
//   index   0 ─────────┬───────────┬─────────────┬───────────
//            records   │ dead      │ promised    │ never given out
//                      └───────────┴─────────────┘
//
// A promised index lies below `fresh`, so it cannot be given out again.

import {
  createSeldom,
  ensureCapacity,
  entities,
  MIN_FREE_BEFORE_REUSE,
  NO_LOCATION,
  NULL_ENTITY,
  restingIndices,
  reviveEntity,
} from './entities'
import { DONE, OUT_OF_MEMORY } from './status'

/** How many living handles have no record yet. */
@inline
function promisedCount(): u32 {
  return entities.fresh > entities.promisedFrom ? entities.fresh - entities.promisedFrom : 0
}

/** Whether a handle is alive and has no record yet. */
export function isPromised(handle: u32): bool {
  return handle >= entities.promisedFrom && handle < entities.fresh
}

/** A handle without a row, for a spawn that is deferred: without any memory. NULL_ENTITY where all indices are in use. */
export function reserveEntity(): u32 {
  const promised = promisedCount()
  // Once some are promised, fresh indices come first until the limit: so the promised ones are born one after the other.
  const recycles = promised == 0 && entities.freeCount >= MIN_FREE_BEFORE_REUSE
  if (recycles || entities.fresh >= entities.limit) {
    if (restingIndices() == 0) return NULL_ENTITY
    entities.alive += 1
    return reviveEntity(NO_LOCATION)
  }
  if (entities.fresh < entities.capacity) return createReserved()
  if (promised == 0) entities.promisedBirth = entities.nextBirth
  if (!ASC_NO_ASSERT)
    assert(entities.nextBirth == entities.promisedBirth + promised, 'promised handles are born in a row')
  entities.nextBirth += 1
  entities.alive += 1
  return entities.fresh++
}

/** A handle without a row where memory may grow. prepareEntities must have succeeded. */
export function createReserved(): u32 {
  return createSeldom(NO_LOCATION)
}

/** Gives the promised handles their records; where there is no memory for these, the handles die. */
export function adoptReserved(): i32 {
  const promised = promisedCount()
  if (promised == 0 || ensureCapacity(entities.fresh)) return DONE
  entities.promisedFrom = entities.fresh
  entities.alive -= promised
  return OUT_OF_MEMORY
}
