// Owns what a user's own module exports in addition to the user's functions: all of the core, and what a call begins
// and ends with.
// It must never hold code. An entry file says `export * from 'strata-ecs/assembly/module'`.

export * from './core'
export {
  simulationBegin,
  simulationCommand,
  simulationEnd,
  simulationHold,
  simulationSet,
  simulationVisit,
} from './simulation/call'
