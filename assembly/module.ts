// Owns what a user's own module exports in addition to the user's functions: all of the core, and the end of a call.
// It must never hold code. An entry file says `export * from 'strata-ecs/assembly/module'`.

export * from './core'
export { simulationEnd } from './simulation/call'
