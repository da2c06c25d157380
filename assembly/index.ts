// Owns the list of what the core exports: the world's functions and nothing else.
// It must never hold code. The description of memory is compiled apart from it, see exports.ts.

export {
  worldInit,
  worldReset,
  worldClear,
  componentRegister,
  bundleOf,
  bundleArchetype,
  entitySpawn,
  entityAdd,
  entityRemove,
  entityDestroy,
  entityReserve,
  entitiesAdopt,
  entitiesAvailable,
  entityPlace,
  entitiesSpawn,
  entitiesDestroy,
  queryOf,
  queryAdd,
  queryRemove,
  queryDestroy,
  queryProbe,
  queryProbeArchetype,
  querySort,
  sortEnd,
} from './world'
