// Owns changes that a function of the user's module asked for in a world with relations: they waited until it returned, and
// are made here, in their order, as calls from JavaScript are. So lists and policies hold.
// It must never make a change while the function runs.

import { SCRATCH_ADDRESS_WORD } from '../../build/layout'
import { perform } from '../changes/change'
import { ADD, DESTROY, EXCHANGE, REMOVE, SPAWN } from '../changes/log'
import { queueOf } from '../changes/queue'
import type { Definition } from '../components/definition'
import { limitError } from '../memory/errors'
import type { BundleNode } from '../rows/bundle'
import type { WorldState } from '../rows/worldState'
import type { Relations } from './relations'

/** What assembly/simulation/call.ts exports; the plain core has none of it. */
interface Simulation {
  readonly simulationBegin?: () => void
  readonly simulationHold?: () => number
  readonly simulationCommand?: (index: number) => void
  readonly simulationSet?: (index: number) => number
  readonly simulationVisit?: (query: number) => number
}

/** The other kinds of commands, as assembly/simulation/commands.ts numbers them. */
const [SET, LINK, ADD_TO_ALL, REMOVE_FROM_ALL] = [5, 6, 7, 8]
/** Where the ids of components begin, in words. */
const IDS = SCRATCH_ADDRESS_WORD + 6

export function beginCall(state: WorldState): void {
  simulationOf(state).simulationBegin?.()
}

/** Makes all that waits. Throws the first error when all was tried. */
export function endCall(relations: Relations): void {
  const { state } = relations
  const count = simulationOf(state).simulationHold?.() ?? 0
  state.heap.check()
  if (count === 0) return
  const definitions = state.definitionsById()
  state.lock()
  try {
    for (let i = 0; i < count; i++) record(relations, definitions, i)
  } finally {
    state.unlock()
  }
}

function simulationOf(state: WorldState): Simulation {
  return state.core as unknown as Simulation
}

/** Puts a change behind what waits in the queue of the world. */
function record(relations: Relations, definitions: readonly Definition[], i: number): void {
  const { state } = relations
  const simulation = simulationOf(state)
  const queue = queueOf(state)
  simulation.simulationCommand?.(i)
  const { u32 } = state.heap
  const [kind, subject, what, more, gains = 0, losses = 0] = u32.subarray(
    SCRATCH_ADDRESS_WORD,
    IDS,
  ) as unknown as [number, number, number, number, number, number]
  const named = Array.from(u32.subarray(IDS, IDS + gains + losses), (id) => definitions[id] as Definition)
  const bundle = state.bundles.withAll(named.slice(0, gains), 'callModule')
  if (kind === SPAWN) queue.spawn(subject, bundle, undefined)
  else if (kind === ADD) queue.add(subject, bundle, undefined)
  else if (kind === REMOVE) queue.remove(subject, bundle)
  else if (kind === EXCHANGE)
    queue.exchange(subject, state.bundles.withAll(named.slice(gains), 'callModule'), bundle, undefined)
  else if (kind === DESTROY) queue.destroy(subject)
  else if (kind === SET) queue.later(() => void simulation.simulationSet?.(i))
  else if (kind === LINK) {
    const relation = definitions[what] as Definition
    queue.add(subject, state.bundles.with(relation, 'callModule'), [relation(more)])
  } else queue.later(() => changeAll(relations, kind, subject, bundle))
}

/** Changes all that a query of the module matches by now. */
function changeAll(relations: Relations, kind: number, query: number, bundle: BundleNode): void {
  const { state } = relations
  const entities = matching(state, query)
  if (kind !== ADD_TO_ALL && kind !== REMOVE_FROM_ALL) {
    relations.destroy(entities)
    return
  }
  for (const entity of entities) {
    const status =
      kind === ADD_TO_ALL
        ? perform(state, ADD, entity, bundle, undefined, undefined)
        : perform(state, REMOVE, entity, undefined, bundle, undefined)
    // Listeners are not called in between, and what the policies of others have destroyed is passed over.
    if (status < 0 && state.isAlive(entity)) throw limitError(status, bundle.describeRows())
  }
}

function matching(state: WorldState, query: number): number[] {
  const { simulationVisit } = simulationOf(state)
  const found: number[] = []
  for (let rows = simulationVisit?.(query) ?? 0; rows > 0; rows = simulationVisit?.(query) ?? 0) {
    state.heap.check()
    const { u32 } = state.heap
    const first = (u32[SCRATCH_ADDRESS_WORD] as number) >> 2
    for (let row = first; row < first + rows; row++) found.push(u32[row] as number)
  }
  state.heap.check()
  return found
}
