// Owns the list of what the core exports: the world's functions, the mark of its version and nothing else. The description of
// memory is compiled apart from it, see memoryLayout.ts.

export {
  worldInit,
  worldReset,
  worldClear,
  worldTrim,
  componentRegister,
  componentClear,
  resourceMake,
  resourceRemove,
  bundleOf,
  bundleFill,
  bundleArchetype,
  entityExchange,
  entityReserve,
  entityCreate,
  entitiesAdopt,
  entitiesAvailable,
  entityPlace,
  claimsPrepare,
  entityClaim,
  entityClone,
  entityPlaceClone,
  entitiesClone,
  entitiesSpawn,
  entitiesDestroy,
  entitiesChange,
  listBegin,
  listChange,
  queryOf,
  queryAdd,
  queryRemove,
  queryDestroy,
  queryProbe,
  queryMask,
  queryMaskOrder,
  querySort,
  sortEnd,
  valuesReduce,
  poolSort,
  poolArrange,
  poolSortAs,
  orderSqueeze,
  orderRead,
  orderWrite,
  orderSort,
  groupOf,
  querySwitch,
  ticksAge,
  seenTickMake,
  seenTickRelease,
  textIntern,
  textFind,
  textRelease,
  textsSweep,
  textsClearUnknown,
  referencesSweep,
} from './world'
// What a change needs is held while listeners are called, and released directly before it is made.
export { prepareMatching as queryPrepare } from './rows/bulk'
export { prepareClear as componentPrepare } from './rows/clearing'
export { prepareEntity as entityPrepare } from './rows/holding'
export { prepareListed as listPrepare } from './rows/lists'
export { releaseHeld as heldRelease } from './tables/chunks'
// Called once for one entity: each is one function, down to the row.
export { addOrRemove as entityChange } from './rows/moves'
export { destroy as entityDestroy, spawn as entitySpawn } from './rows/rows'
export * from './version'
