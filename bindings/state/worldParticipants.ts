// Owns the interface by which rooms take part in the life of a world: it starts over, goes into a snapshot and back, and ends.
// Each room enters itself when the world first uses it, so that a program carries only the code of the rooms that it uses. It
// must never keep alive what the program has dropped.

import type { AnyObject } from '../components/component'
import type { Entity } from '../memory/entity'
import type { WorldState } from './worldState'

/** An entity that had a value at the time of the snapshot, which is gone and could not be made again. */
export interface AbsentObject {
  readonly entity: Entity
  /** The object component that the entity has lost. */
  readonly component: AnyObject
}

/** What a listener of onRestore is told beside the world. */
export interface RestoreReport {
  /**
   * Entities that had an object component at the time of the snapshot and have lost it: its value was gone, and there is
   * no `revive` to make another.
   */
  readonly absent: readonly AbsentObject[]
}

/** What one room had at the time of a snapshot. */
export interface ParticipantState {
  readonly participant: WorldParticipant
  /** Takes a world back to it: the one it is from, or another one. */
  restore(state: WorldState): void
}

/** Every hook is optional: a room has those for which it has something to do. */
export interface WorldParticipant {
  /** All components are gone: the world starts over, goes back to another time, or ends. No code of the program may run. */
  restart?(): void
  /**
   * A restore has replaced the memory by that of a snapshot, for which rooms kept this. Returns the entities that have lost an
   * object by it, if there are any.
   */
  restored?(kept: readonly ParticipantState[]): readonly AbsentObject[]
  /** The memory is gone. */
  dispose?(): void
  /** Asks the program's code for what a snapshot, or a fork, is to keep, before anything of it is written. May throw. */
  prepare?(isFork: boolean): void
  /** A copy of what is kept: written into `kept`, where this room made that for an earlier snapshot. Must not throw. */
  keep?(kept: ParticipantState | undefined): ParticipantState
  /** A restore went back to a snapshot in which this room has kept nothing. */
  forget?(): void
}

/** A reference to a room; weak for one that was added by addWeakly. */
interface ParticipantReference {
  deref(): WorldParticipant | undefined
}

/** Number of references from which dead ones are removed. */
const FEW = 64

const NOTHING_ABSENT: readonly AbsentObject[] = []

/** Those of one world. Snapshots go through them by the functions below. */
export class WorldParticipants {
  references: ParticipantReference[] = []
  most = FEW

  /** Adds one that lives as long as the world. */
  add(participant: WorldParticipant): void {
    this.references.push({ deref: () => participant })
  }

  // By index, here and below: in each frame of a rollback an iterator would be garbage.
  restart(): void {
    const { references } = this
    for (let i = 0; i < references.length; i++) references[i]?.deref()?.restart?.()
  }

  dispose(): void {
    const { references } = this
    for (let i = 0; i < references.length; i++) references[i]?.deref()?.dispose?.()
  }
}

/** Adds one that the program holds, or drops. */
export function addWeakly(participants: WorldParticipants, participant: WorldParticipant): void {
  if (typeof WeakRef === 'undefined') return participants.add(participant)
  if (participants.references.length >= participants.most) {
    participants.references = participants.references.filter((reference) => reference.deref() !== undefined)
    participants.most = Math.max(FEW, 2 * participants.references.length)
  }
  participants.references.push(new WeakRef(participant))
}

/** Tells all that memory was replaced. Returns the entities that have lost an object. */
export function tellRestored(
  { references }: WorldParticipants,
  kept: readonly ParticipantState[],
): readonly AbsentObject[] {
  let absent = NOTHING_ABSENT
  for (let i = 0; i < references.length; i++) {
    const lost = references[i]?.deref()?.restored?.(kept)
    if (lost !== undefined && lost.length > 0) absent = absent.concat(lost)
  }
  return absent
}

/** Lets all prepare. May throw what the program's code throws. */
export function prepareParticipants({ references }: WorldParticipants, isFork: boolean): void {
  for (let i = 0; i < references.length; i++) references[i]?.deref()?.prepare?.(isFork)
}

/** Copies what each of them keeps into `kept`: those of an earlier snapshot, or none. */
export function keepParticipants({ references }: WorldParticipants, kept: ParticipantState[]): void {
  let count = 0
  for (let i = 0; i < references.length; i++) {
    const participant = references[i]?.deref()
    if (participant?.keep === undefined) continue
    kept[count] = participant.keep(keptBy(participant, kept, count))
    count++
  }
  kept.length = count
}

/** Takes all of them back to what was kept. */
export function restoreParticipants(state: WorldState, kept: readonly ParticipantState[]): void {
  const { references } = state.participants
  for (let i = 0; i < references.length; i++) {
    const participant = references[i]?.deref()
    if (participant?.forget !== undefined && keptBy(participant, kept, i) === undefined) participant.forget()
  }
  for (let i = 0; i < kept.length; i++) kept[i]?.restore(state)
}

/** What a room kept: most likely at the same place as before. */
function keptBy(
  participant: WorldParticipant,
  kept: readonly ParticipantState[],
  place: number,
): ParticipantState | undefined {
  if (kept[place]?.participant === participant) return kept[place]
  for (let i = 0; i < kept.length; i++) if (kept[i]?.participant === participant) return kept[i]
  return undefined
}
