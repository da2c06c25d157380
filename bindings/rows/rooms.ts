// Owns the interface by which rooms take part in the life of a world: it starts over, goes into a snapshot and back, and ends.
// Each room enters itself when the world first uses it, so that a program carries only the code of those that it uses.
// It must never keep alive what the program has dropped.

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
export interface Kept {
  readonly room: Room
  /** Takes a world back to it: the one it is from, or another one. */
  restore(state: WorldState): void
}

/** Every hook is optional: a room has those for which it has something to do. */
export interface Room {
  /** All components are gone: the world starts over, goes back to another time, or ends. No code of the program may run. */
  restart?(): void
  /**
   * A restore has replaced the memory by that of a snapshot, for which rooms kept this. Returns the entities that have lost an
   * object by it, if there are any.
   */
  restored?(kept: readonly Kept[]): readonly AbsentObject[]
  /** The memory is gone. */
  dispose?(): void
  /** Asks the program's code for what a snapshot, or a fork, is to keep, before anything of it is written. May throw. */
  prepare?(isFork: boolean): void
  /** A copy of what is kept: written into `kept`, where this room made that for an earlier snapshot. Must not throw. */
  keep?(kept: Kept | undefined): Kept
  /** A restore went back to a snapshot in which this room has kept nothing. */
  forget?(): void
}

/** A reference to a room; weak for one that was added by addWeakly. */
interface RoomReference {
  deref(): Room | undefined
}

/** Number of references from which dead ones are removed. */
const FEW = 64

const NOTHING_ABSENT: readonly AbsentObject[] = []

/** Those of one world. Snapshots go through them by the functions below. */
export class Rooms {
  references: RoomReference[] = []
  most = FEW

  /** Adds one that lives as long as the world. */
  add(room: Room): void {
    this.references.push({ deref: () => room })
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
export function addWeakly(rooms: Rooms, room: Room): void {
  if (typeof WeakRef === 'undefined') return rooms.add(room)
  if (rooms.references.length >= rooms.most) {
    rooms.references = rooms.references.filter((reference) => reference.deref() !== undefined)
    rooms.most = Math.max(FEW, 2 * rooms.references.length)
  }
  rooms.references.push(new WeakRef(room))
}

/** Tells all that memory was replaced. Returns the entities that have lost an object. */
export function tellRestored({ references }: Rooms, kept: readonly Kept[]): readonly AbsentObject[] {
  let absent = NOTHING_ABSENT
  for (let i = 0; i < references.length; i++) {
    const lost = references[i]?.deref()?.restored?.(kept)
    if (lost !== undefined && lost.length > 0) absent = absent.concat(lost)
  }
  return absent
}

/** Lets all prepare. May throw what the program's code throws. */
export function prepareRooms({ references }: Rooms, isFork: boolean): void {
  for (let i = 0; i < references.length; i++) references[i]?.deref()?.prepare?.(isFork)
}

/** Copies what each of them keeps into `kept`: those of an earlier snapshot, or none. */
export function keepRooms({ references }: Rooms, kept: Kept[]): void {
  let count = 0
  for (let i = 0; i < references.length; i++) {
    const room = references[i]?.deref()
    if (room?.keep === undefined) continue
    kept[count] = room.keep(keptBy(room, kept, count))
    count++
  }
  kept.length = count
}

/** Takes all of them back to what was kept. */
export function restoreRooms(state: WorldState, kept: readonly Kept[]): void {
  const { references } = state.rooms
  for (let i = 0; i < references.length; i++) {
    const room = references[i]?.deref()
    if (room?.forget !== undefined && keptBy(room, kept, i) === undefined) room.forget()
  }
  for (let i = 0; i < kept.length; i++) kept[i]?.restore(state)
}

/** What a room kept: most likely at the same place as before. */
function keptBy(room: Room, kept: readonly Kept[], place: number): Kept | undefined {
  if (kept[place]?.room === room) return kept[place]
  for (let i = 0; i < kept.length; i++) if (kept[i]?.room === room) return kept[i]
  return undefined
}
