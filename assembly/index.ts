// Owns the list of names for users who write their simulation in AssemblyScript, 'strata-ecs/assembly'.
// It must never hold code, nor name anything by which rows could move while a loop is open.

export { World } from './simulation/world'
export { Query, Terms } from './simulation/query'
export { Bundle, Component } from './simulation/bundle'
export { Relation } from './simulation/relation'
export { NULL_ENTITY } from './memory/entities'
export {
  DEAD,
  DONE,
  NOTHING,
  OUT_OF_COMPONENTS,
  OUT_OF_ENTITIES,
  OUT_OF_MEMORY,
  ROW_TOO_LARGE,
  SIGNATURE_TOO_LONG,
} from './memory/status'
export * from './kernel'
