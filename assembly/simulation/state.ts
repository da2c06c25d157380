// Owns what a simulation inside wasm keeps between two calls: open loops and deferred changes.
// It must never be anywhere but in linear memory, where a snapshot, a reset and the invariant checker find it.

import { SIMULATION_ADDRESS } from '../memory/map'

@unmanaged
export class Simulation {
  /** How many query loops and defer blocks are open. No row moves while it is not 0. */
  locks: u32
  /** The first negative status of a change that could not be reported when it was asked for; else 0. */
  failure: i32
  /** The innermost open loop (see loops.ts), which leads to the one around it. */
  openLoop: usize
  /** Loops to be used again. */
  spareLoop: usize
  /** Loops that began without memory: their first step is their end. */
  missingLoops: u32
  /** Array of Command (see commands.ts). */
  commands: usize
  commandCount: u32
  commandCapacity: u32
  /** How many of them concern all that a query matches: then any entity may be concerned. */
  commandsForAll: u32
  /** The command to apply next. */
  applied: u32
  /** A bit for each entity index: whether a command concerns it. */
  waiting: usize
  waitingBytes: u32
  /**
   * 1 while a call runs in a world with relations: then one lock is JavaScript's, and all changes wait until the call
   * returns, because JavaScript makes them (see call.ts).
   */
  held: u32
}

export const simulation = changetype<Simulation>(SIMULATION_ADDRESS)

/** Keeps the first failure for the end of the call. */
export function noteFailure(status: i32): void {
  if (simulation.failure == 0) simulation.failure = status
}
