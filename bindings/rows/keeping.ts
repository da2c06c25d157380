// Owns what a snapshot asks of whoever keeps state of a world in JavaScript: resources that are values, schedules. They come forward by themselves, so that a program carries only the code of those that it uses.
// It must never keep alive what the program has dropped.

import type { WorldState } from './worldState'

/** What one keeper had at the time of a snapshot. */
export interface Kept {
  readonly keeper: Keeper
  /** Takes a world back to it: the one it is from, or another one. */
  restore(state: WorldState): void
}

export interface Keeper {
  /** Asks the user's code for what it is to keep, before anything of the snapshot is written. May throw. */
  prepare?(): void
  /** A copy of what is kept: written into `kept`, where this keeper made that for an earlier snapshot. Must not throw. */
  keep(kept: Kept | undefined): Kept
  /** A restore went back to a snapshot that was made before this keeper came forward. */
  forget(): void
}

/** A way to a keeper that is gone when the program has dropped it. */
interface KeeperReference {
  deref(): Keeper | undefined
}

/** So many references may be there before those that lead nowhere are looked for. */
const FEW = 64

export class Keepers {
  private references: KeeperReference[] = []
  private most = FEW

  /** Adds one that lives as long as the world. */
  add(keeper: Keeper): void {
    this.references.push({ deref: () => keeper })
  }

  /** Adds one that the program holds, or drops. */
  addWeakly(keeper: Keeper): void {
    if (typeof WeakRef === 'undefined') return this.add(keeper)
    if (this.references.length >= this.most) {
      this.references = this.references.filter((reference) => reference.deref() !== undefined)
      this.most = Math.max(FEW, 2 * this.references.length)
    }
    this.references.push(new WeakRef(keeper))
  }

  /** Lets all prepare. May throw what the user's code throws. */
  prepare(): void {
    const { references } = this
    for (let i = 0; i < references.length; i++) references[i]?.deref()?.prepare?.()
  }

  /** Copies what each of them keeps into `kept`: those of an earlier snapshot, or none. */
  keep(kept: Kept[]): void {
    const { references } = this
    let count = 0
    for (let i = 0; i < references.length; i++) {
      const keeper = references[i]?.deref()
      if (keeper === undefined) continue
      kept[count] = keeper.keep(keptBy(keeper, kept, count))
      count++
    }
    kept.length = count
  }

  /** Takes all of them back to what was kept. */
  restore(state: WorldState, kept: readonly Kept[]): void {
    const { references } = this
    for (let i = 0; i < references.length; i++) {
      const keeper = references[i]?.deref()
      if (keeper !== undefined && keptBy(keeper, kept, i) === undefined) keeper.forget()
    }
    for (let i = 0; i < kept.length; i++) kept[i]?.restore(state)
  }
}

/** What a keeper kept: most likely at the same place as before. */
function keptBy(keeper: Keeper, kept: readonly Kept[], place: number): Kept | undefined {
  if (kept[place]?.keeper === keeper) return kept[place]
  for (let i = 0; i < kept.length; i++) if (kept[i]?.keeper === keeper) return kept[i]
  return undefined
}
