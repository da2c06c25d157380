// Owns one run: the context that it is given, the rows that it returns or yields, its checkpoints, and how it ends.

import { types } from 'node:util'
import type { Checkpoint } from './checkpoint.js'
import { Rows } from './columns.js'
import type { Definition } from './define.js'
import type { ParameterValues, RunContext } from './definition.js'
import { asError } from './errors.js'
import type { Run } from './plan.js'
import { type Slot, STOP } from './slot.js'

/** Thrown through a run that was asked to stop. It is no failure: the run will go on from its checkpoint. */
class Stopped extends Error {
  constructor() {
    super('The run was asked to stop.')
  }

  override get name(): string {
    return 'AbortError'
  }
}

const clock = performance.now.bind(performance)

/** What a run finds around it. */
export interface Surroundings {
  slot: Slot
  resumed: Checkpoint | undefined
  /** Keeps a checkpoint. */
  keep: (checkpoint: Checkpoint) => void
}

/** How a run ended. */
export type Ending =
  { rows: Rows; ms: number; keptSome: boolean } | { stopped: true } | { error: Error; ms: number }

/** Runs a run to its end. */
export async function runOnce(
  definition: Definition,
  run: Run,
  { slot, resumed, keep }: Surroundings,
): Promise<Ending> {
  const began = clock()
  const controller = new AbortController()
  const rows = resumed?.rows ?? new Rows(definition.columns)
  let keptAt = clock()
  let keptSome = resumed !== undefined

  const stopIfAsked = () => {
    if (slot.stop !== STOP.now) return
    controller.abort(new Stopped())
    throw controller.signal.reason
  }

  const context: RunContext<ParameterValues> = {
    seed: run.seed,
    index: run.index,
    parameters: { ...run.parameters },
    signal: controller.signal,
    // A run that reads a save file has kept one.
    resumed: resumed && { save: resumed.save!, state: resumed.state },
    log: (...values) => console.log(...values),
    progress(fraction) {
      slot.progress = fraction
      stopIfAsked()
    },
    checkpoint(take) {
      const isAsked = slot.stop !== STOP.none
      if (!isAsked && clock() - keptAt < definition.checkpointSeconds * 1000) return
      const kept: { save?: Uint8Array; state?: unknown } = take()
      keep({ key: run.key, rows, state: kept.state, save: kept.save })
      keptAt = clock()
      keptSome = true
      if (isAsked) throw new Stopped()
    },
  }

  try {
    await collect(await definition.run(context), rows, stopIfAsked)
    return { rows, ms: clock() - began, keptSome }
  } catch (error) {
    if (error instanceof Stopped) return { stopped: true }
    return {
      error: types.isNativeError(error) ? error : Object.assign(new Error(), asError(error)),
      ms: clock() - began,
    }
  }
}

/** A row, a list of rows, or what yields rows, at once or in time. */
async function collect(result: unknown, rows: Rows, afterRow: () => void): Promise<void> {
  const given = (result ?? {}) as Partial<Iterable<unknown> & AsyncIterable<unknown>>
  if (given[Symbol.iterator]) {
    for (const row of given as Iterable<unknown>) {
      rows.add(row)
      afterRow()
    }
  } else if (given[Symbol.asyncIterator]) {
    for await (const row of given as AsyncIterable<unknown>) {
      rows.add(row)
      afterRow()
    }
  } else rows.add(result)
}
