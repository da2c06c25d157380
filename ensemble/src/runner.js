// Owns one run: the context that it is given, the rows that it returns or yields, its checkpoints, and how it ends.
// It must never know threads, files or queues.

import { Rows } from './columns.js'
import { asError } from './errors.js'
import { STOP } from './slot.js'

/** Thrown through a run that was asked to stop. It is no failure: the run will go on from its checkpoint. */
class Stopped extends Error {
  constructor() {
    super('The run was asked to stop.')
    this.name = 'AbortError'
  }
}

const clock = performance.now.bind(performance)

/**
 * @typedef {object} Surroundings
 * @property {import('./slot.js').Slot} slot
 * @property {import('./checkpoint.js').Checkpoint | undefined} resumed
 * @property {(checkpoint: import('./checkpoint.js').Checkpoint) => void} keep keeps a checkpoint
 */

/**
 * Runs a run to its end.
 *
 * @param {import('./define.js').Definition} definition
 * @param {import('./plan.js').Run} run
 * @param {Surroundings} surroundings
 * @returns {Promise<{ rows: Rows, ms: number, keptSome: boolean } | { stopped: true } | { error: Error, ms: number }>}
 */
export async function runOnce(definition, run, { slot, resumed, keep }) {
  const began = clock()
  const controller = new AbortController()
  const rows = resumed?.rows ?? new Rows(definition.columns)
  let kept = clock()
  let keptSome = resumed !== undefined

  const stopIfAsked = () => {
    if (slot.stop !== STOP.now) return
    controller.abort(new Stopped())
    throw controller.signal.reason
  }

  const context = {
    seed: run.seed,
    index: run.index,
    parameters: { ...run.parameters },
    signal: controller.signal,
    resumed: resumed && { save: resumed.save, state: resumed.state },
    log: (...values) => console.log(...values),
    progress(fraction) {
      slot.progress = fraction
      stopIfAsked()
    },
    checkpoint(take) {
      const isAsked = slot.stop !== STOP.none
      if (!isAsked && clock() - kept < definition.checkpointSeconds * 1000) return
      const { save, state } = take()
      keep({ key: run.key, rows, state, save })
      kept = clock()
      keptSome = true
      if (isAsked) throw new Stopped()
    },
  }

  try {
    await collect(await definition.run(context), rows, stopIfAsked)
    return { rows, ms: clock() - began, keptSome }
  } catch (error) {
    if (error instanceof Stopped) return { stopped: true }
    return { error: error instanceof Error ? error : new Error(asError(error).message), ms: clock() - began }
  }
}

/** A row, a list of rows, or what yields rows, at once or in time. */
async function collect(result, rows, afterRow) {
  if (result?.[Symbol.iterator]) {
    for (const row of result) {
      rows.add(row)
      afterRow()
    }
  } else if (result?.[Symbol.asyncIterator]) {
    for await (const row of result) {
      rows.add(row)
      afterRow()
    }
  } else rows.add(result)
}
