// Owns what a snapshot holds of the lists of removals: world.removed gives the same list in every frame, so a restore fills
// it anew. It must never make a list: observers.ts does.

import type { Keeper, Kept } from '../rows/keeping'
import type { WorldState } from '../rows/worldState'
import type { ComponentWatch } from './watches'

export class RemovalKeeper implements Keeper {
  /** Components whose removals are listed. */
  readonly watches: ComponentWatch[] = []

  constructor(readonly state: WorldState) {}

  keep(kept: Kept | undefined): KeptRemovals {
    const removals = kept instanceof KeptRemovals ? kept : new KeptRemovals(this)
    removals.take(this.watches)
    return removals
  }

  forget(): void {
    for (const { removals } of this.watches) if (removals !== undefined) removals.length = 0
  }
}

class KeptRemovals implements Kept {
  /** By the place of the watch; longer than needed. */
  private readonly lists: number[][] = []
  private readonly counts: number[] = []

  constructor(readonly keeper: RemovalKeeper) {}

  take(watches: readonly ComponentWatch[]): void {
    this.counts.fill(0)
    for (let i = 0; i < watches.length; i++) {
      const removals = (watches[i] as ComponentWatch).removals ?? []
      const list = (this.lists[i] ??= [])
      for (let k = 0; k < removals.length; k++) list[k] = removals[k] as number
      this.counts[i] = removals.length
    }
  }

  restore(state: WorldState): void {
    const { keeper, lists, counts } = this
    if (state !== keeper.state) return
    keeper.forget()
    keeper.watches.forEach(({ removals }, i) => {
      for (let k = 0; k < (counts[i] ?? 0); k++) removals?.push(lists[i]?.[k] as never)
    })
  }
}
