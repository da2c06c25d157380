// Owns when the loops and listeners of a world are measured: from the first call of `measure` until the last one is stopped.
// It must never leave anything behind in a world that is no longer measured.

import type { OpenLoops } from '../../../../bindings/rows/openLoops'
import type { WorldState } from '../../../../bindings/rows/worldState'
import { CallTimes } from './callTimes'
import { type Calls, heardFromNowOn, heardIn } from './heard'
import { LoopTimes } from './loopTimes'

/** How many measurements of a world are under way. A world with none has no entry. */
const measurers = /* @__PURE__ */ new WeakMap<WorldState, number>()

/** Measures from now on; returns what ends it, which may be called again. */
export function measure(state: WorldState): () => void {
  const count = measurers.get(state) ?? 0
  if (count === 0) begin(state)
  measurers.set(state, count + 1)
  let measures = true
  return () => {
    if (!measures) return
    measures = false
    const left = (measurers.get(state) as number) - 1
    if (left > 0) measurers.set(state, left)
    else end(state)
  }
}

function begin(state: WorldState): void {
  const heard = heardFromNowOn(state)
  // Both have every method of what they stand for; only the private parts are not theirs.
  const [loops, calls] = [new LoopTimes(state.loops), new CallTimes(heard.calls)]
  state.loops = loops as unknown as OpenLoops
  heard.calls = calls as unknown as Calls
}

function end(state: WorldState): void {
  const heard = heardFromNowOn(state)
  measurers.delete(state)
  state.loops = (loopTimesOf(state) as LoopTimes).plain
  heard.calls = (callTimesOf(state) as CallTimes).plain
}

/** What was measured of loops; undefined while the world is not measured. */
export function loopTimesOf({ loops }: WorldState): LoopTimes | undefined {
  return (loops as object) instanceof LoopTimes ? (loops as unknown as LoopTimes) : undefined
}

/** What was measured of listeners; undefined while the world is not measured. */
export function callTimesOf(state: WorldState): CallTimes | undefined {
  const calls = heardIn(state)?.calls
  return (calls as object | undefined) instanceof CallTimes ? (calls as unknown as CallTimes) : undefined
}

/** Looks at a world for the inspection: its loops are not those of the program. */
export function uncounted<R>(state: WorldState, look: () => R): R {
  const times = loopTimesOf(state)
  return times === undefined ? look() : times.uncounted(look)
}
