// Owns the way of a change that is more than a call into the core. It reads from top to bottom as the order in which everything about
// a change happens:
//
//               texts       objects          links                      rows          listeners, subscribers
//   resolve     -           -                of dead targets: left out  -             -
//   check       -           value is there   targets live, no circle    -             -
//   prepare     interned    [makers]         rows of targets, records   held          -
//   begin       -           who loses        -                          -             who gains, loses, enters, leaves
//   leave       -           -                leave their lists          -             first [onExit] [onRemove]; noted
//   make        -           -                -                          changed       -
//   write       ids         -                enter lists                values        -
//   finish      -           change hands,    released                   -             removal readers; [onAdd] [onSet]
//                           [dispose] [init]                                          [onEnter]; then settle
//
// Functions of the program run in the brackets alone, and the world is locked there: what they change waits for settle. What makes a
// change impossible is thrown by check and prepare: nothing can be seen until then, and cancel gives back what prepare obtained. From
// begin on nothing fails, because memory is held wherever a listener is called, or a link leaves, before the rows change. A first row
// has nothing that ends: no listener is called before it is made, and it may fail. This must never be called while a loop is open.

import { STATUS_DEAD, STATUS_NOTHING, WORLD_STATUS } from '../../build/layout'
import type { ValuesByComponent } from '../components/componentValues'
import type { Definition } from '../components/definition'
import { heldOf } from '../memory/coreParts'
import { NULL_ENTITY } from '../memory/entity'
import type { Bundle } from '../state/bundle'
import { Change } from '../state/change'
import type { ChangeCalls } from '../state/changeHooks'
import {
  type ChangeReport,
  type GivenList,
  type Notes,
  type Reporting,
  SEVERAL,
} from '../state/changeObserver'
import type { Ending, LinkUpkeep } from '../state/relationHooks'
import { requireObjects } from '../state/requiredValues'
import { calling } from '../state/session'
import { Upkeep } from '../state/upkeep'
import type { WorldState } from '../state/worldState'
import { SPAWN } from './commandLog'
import { addressOf, destroyRows, isMade } from './entityRows'
import { findsStill, oneRow } from './rowChanges'

function apply(state: WorldState, change: Change): number {
  state.changing++
  try {
    if (change.rows.isOne && !change.isNew && !state.isAlive(change.entity)) return STATUS_DEAD
    return obtains(change) ? prepareAndCommit(state, change) : commit(state, change)
  } finally {
    state.changing--
    state.settle()
  }
}

function applyOne(
  state: WorldState,
  kind: number,
  entity: number,
  gains: Bundle | undefined,
  losses: Bundle | undefined,
  given: ValuesByComponent,
): number {
  return apply(state, new Change(kind, [entity], gains, losses, given, oneRow))
}

/** Whether there is something to check, or to obtain besides rows. */
function obtains({ gains, given }: Change): boolean {
  return gains !== undefined && (gains.needsUpkeep || (gains.hasTexts && given !== undefined))
}

function prepareAndCommit(state: WorldState, change: Change): number {
  // A relation is known to the core by now, so there is what keeps links in order. Many entities get new links one by one.
  const links = change.rows.isOne && change.gains?.relates === true ? state.relations : undefined
  const resolved = links?.resolve(change)
  if (resolved !== undefined) return resolved
  try {
    check(state, change, links)
    const status = prepare(state, change, links)
    if (status >= 0) return commit(state, change)
    // A spawn says by a word in memory why there is no handle.
    if (change.isNew) state.heap.u32[WORLD_STATUS >> 2] = status
    return change.isNew ? NULL_ENTITY : status
  } finally {
    if (!change.isMade) cancel(state, change)
    links?.tidy()
  }
}

// ── before anything can be seen ──────────────────────────────────────────────────────────────────────────

function check(state: WorldState, change: Change, links: LinkUpkeep | undefined): void {
  const { entity, entities, gains, given, kind, losses } = change
  if (gains?.needsUpkeep !== true) return
  const { operation } = change
  links?.check(entities, gains, given, operation)
  // Of one that was reserved, values were required when that was asked for; but it may have a row by now.
  if (gains.holdsObjects && (change.isNew || kind !== SPAWN || state.hasRow(entity)))
    requireObjects(state, gains, given, entity, operation, losses)
}

/** Obtains what the change needs besides its own rows: a negative status where there is too little memory. */
function prepare(state: WorldState, change: Change, links: LinkUpkeep | undefined): number {
  const { gains, given } = change
  if (gains?.hasTexts === true && given !== undefined) change.texts = state.texts.prepareGiven(gains, given)
  // Components with objects are known to the core by now, so there is what keeps them.
  if (gains?.holdsObjects === true && change.rows.isOne) (state.upkeep as Upkeep).makeValues(change)
  const status = links?.prepare(change) ?? 0
  // What is left of a bundle without a dead target may be new.
  addressOf(state, change.gains)
  addressOf(state, change.losses)
  return status
}

/** Gives back what was obtained for a change that is not made. */
function cancel(state: WorldState, { entity, texts, makers, made }: Change): void {
  if (texts.length > 0) state.texts.takeBack(texts)
  if (made.length > 0) state.upkeep?.objects.disposeUnused(entity, makers, made)
}

// ── what can be seen ─────────────────────────────────────────────────────────────────────────────────────

function commit(state: WorldState, change: Change): number {
  const { entities, gains, losses, given, rows } = change
  const report = reportOf(state, gains, losses)
  const notes = state.reporting?.subscribers
  if (rows.isOne && (change.isNew || !state.hasRow(change.entity)))
    return commitFirst(state, change, report, notes)
  const upkeep = losses?.needsUpkeep === true || gains?.holdsObjects === true ? state.upkeep : undefined
  report?.begin(change)
  const announces = report?.hearsEnds() === true || losses?.relates === true
  const held = announces ? rows.hold(state, change) : STATUS_NOTHING
  if (held < 0) return held
  change.isTold = report?.leave() === true
  upkeep?.begin(change)
  // As late as this: listeners see the links that end.
  upkeep?.leave()
  notes?.leave(change)
  if (held > 0) heldOf(state).heldRelease()
  const status = rows.make(state, change)
  if (status < 0) return status
  change.isMade = true
  if (gains !== undefined && given !== undefined) rows.write(entities, gains, given)
  finish(state, report, upkeep)
  return rows.isOne ? status : entities.length
}

/** Makes the change by which an entity gets its first row: there is nothing yet that it could lose. */
function commitFirst(
  state: WorldState,
  change: Change,
  report: ChangeReport | undefined,
  notes: Notes | undefined,
): number {
  const { gains, given, rows } = change
  // The list is the change's own.
  const entities = change.entities as number[]
  if (gains === undefined) return STATUS_NOTHING
  notes?.spawning(gains)
  const result = rows.make(state, change)
  if (!isMade(result)) return result
  change.isMade = true
  if (change.isNew) entities[0] = result
  if (given !== undefined) rows.write(entities, gains, given)
  if (notes !== undefined && state.hasRow(entities[0] as number)) notes.made()
  report?.spawned(entities, gains, given)
  const upkeep = gains.holdsObjects ? state.upkeep : undefined
  upkeep?.begin(change)
  finish(state, report, upkeep)
  return result
}

/** The rows are changed and written: hands values over, and tells of what began. */
function finish(state: WorldState, report: ChangeReport | undefined, upkeep: Upkeep | undefined): void {
  upkeep?.finish()
  // The lives of its values begin with that of the entity.
  if (state.completing) upkeep?.forgetCalls()
  else if (report !== undefined) report.finish(upkeep)
  else if (upkeep?.calls === true) calling(state, () => upkeep.call())
}

/** The report of a change of these components, if a listener may listen for one. */
function reportOf(state: WorldState, gains: Bundle | undefined, losses?: Bundle): ChangeReport | undefined {
  if (!state.reports) return undefined
  const { reporting } = state
  const isHeard =
    (gains !== undefined && reporting?.hears(gains) === true) ||
    (losses !== undefined && reporting?.hears(losses) === true)
  return isHeard ? reporting?.report : undefined
}

// ── what begins or ends by other ways ────────────────────────────────────────────────────────────────────

function withMakers(
  state: WorldState,
  gains: Bundle,
  given: ValuesByComponent,
  make: (given: ValuesByComponent) => void,
): void {
  const change = new Change(SPAWN, [NULL_ENTITY], gains, undefined, given, oneRow)
  state.together(() => {
    try {
      ;(state.upkeep as Upkeep).makeValues(change)
      make(change.given)
      change.isMade = true
    } finally {
      if (!change.isMade) cancel(state, change)
    }
  })
}

function tellSpawned(state: WorldState, entities: ArrayLike<number>, bundle: Bundle, given: GivenList): void {
  const report = reportOf(state, bundle)
  const upkeep = bundle.needsUpkeep ? state.upkeep : undefined
  report?.spawned(entities, bundle, given)
  upkeep?.begin({ entities, gains: bundle, losses: undefined, given })
  finish(state, report, upkeep)
  state.settle()
}

function tellMade(
  state: WorldState,
  entities: ArrayLike<number>,
  bundle?: Bundle,
  given?: GivenList,
  makers?: readonly Definition[],
): void {
  const report = state.reports ? state.reporting?.report : undefined
  const { upkeep } = state
  report?.born(entities, bundle, given, makers)
  upkeep?.born(entities)
  finish(state, report, upkeep)
  state.settle()
}

function end(state: WorldState, entities: ArrayLike<number>, query?: Ending): void {
  const report = state.reports ? state.reporting?.report : undefined
  const { upkeep } = state
  const isTold = beginEnd(report, upkeep, entities)
  state.reporting?.subscribers.dying(entities)
  const oneCall = !isTold || findsStill(state, query?.list, entities) ? query?.inOneCall : undefined
  if (oneCall !== undefined) oneCall()
  else if (entities.length === 1) state.core.entityDestroy(entities[0] as number, 0)
  else destroyRows(state, entities)
  state.heap.check()
  finish(state, report, upkeep)
  state.settle()
}

function tellReturned(state: WorldState, targets: readonly number[]): void {
  const { report } = state.reporting as Reporting
  report.returned(targets)
  report.leave()
  report.finish(undefined)
}

function switchOver(
  state: WorldState,
  entities: readonly number[],
  definition: Definition,
  off: boolean,
): void {
  const { report, subscribers } = state.reporting as Reporting
  report.toggling(entities, definition, !off)
  report.leave()
  const [first] = entities
  subscribers.switching(definition, entities.length === 1 ? (first as number) : SEVERAL)
  const registration = state.known(definition)
  for (let i = 0; i < entities.length; i++) registration?.switchHandle(entities[i] as number, off)
  report.finish(undefined)
}

function endAll(state: WorldState): void {
  const report = state.reports ? state.reporting?.report : undefined
  const { upkeep } = state
  if (report === undefined && upkeep === undefined) return
  beginEnd(report, upkeep, state.livingHandles())
  upkeep?.finish()
  if (report !== undefined) report.endOfWorld(upkeep)
  else if (upkeep?.calls === true) calling(state, () => upkeep.call())
  state.commands.forget()
  state.reporting?.forgetPending()
}

function beginEnd(
  report: ChangeReport | undefined,
  upkeep: Upkeep | undefined,
  entities: ArrayLike<number>,
): boolean {
  report?.destroying(entities)
  upkeep?.destroying(entities)
  const told = report?.leave() === true
  upkeep?.leave()
  return told
}

// ── what brings it ───────────────────────────────────────────────────────────────────────────────────────

export const changeCalls: ChangeCalls = {
  apply,
  applyOne,
  withMakers,
  switchOver,
  end,
  endAll,
  tellReturned,
  tellSpawned,
  tellMade,
}

/** What a declaration attaches, as Details.upkeep. */
export function makeUpkeep(state: WorldState): Upkeep {
  state.changes = changeCalls
  return new Upkeep(state)
}
