// Owns the few changes that folding keeps ready, each with two loose bundles of the core: what it removes, what it adds.
// A change that was used lately is found again; any other takes the place of an older one. So no number of different
// changes uses memory. It must never decide what a change is: folding.ts does.

import { LOOSE_BUNDLES_WORD, LOOSE_BUNDLE_IDS, STATUS_OUT_OF_MEMORY } from '../../build/layout'
import type { Definition } from '../components/definition'
import { limitError } from '../memory/errors'
import { Bundle } from '../rows/bundle'
import type { WorldState } from '../rows/worldState'

/** What becomes of a component: what was there is gone, and it is there at the end. */
export const REMOVED = 1
export const ADDED = 2

/** Components that change from use to use. */
class LooseBundle extends Bundle {
  readonly definitions: Definition[] = []

  constructor(private readonly number: number) {
    super()
  }

  contains(definition: Definition): boolean {
    return this.definitions.includes(definition)
  }

  addressIn(): number {
    return this.address
  }

  empty(): void {
    this.definitions.length = 0
    this.address = 0
    this.watch = undefined
    this.hasTexts = this.holdsObjects = this.keepsInsertionOrder = this.needsUpkeep = false
  }

  push(definition: Definition): void {
    this.definitions.push(definition)
    this.note(definition)
  }

  /** Hands the components to the core. */
  fill(state: WorldState): void {
    this.leaveIds(state)
    this.address = state.core.bundleFill(this.number, this.definitions.length)
    state.heap.check()
    if (this.address === 0) throw limitError(STATUS_OUT_OF_MEMORY, this.describeRows())
  }
}

export class FoldedChange {
  readonly removed: Bundle
  readonly added: Bundle
  /** Whether it removes anything, and adds anything. */
  removes = false
  adds = false
  /** Whether it needed memory for more components than a loose bundle has room for. Then it is not kept. */
  isLong = false
  private readonly losses: LooseBundle
  private readonly gains: LooseBundle
  private readonly definitions: Definition[] = []
  private readonly fates: number[] = []
  /** How many components it names; -1 while it is none. */
  private count = -1

  constructor(number: number) {
    this.removed = this.losses = new LooseBundle(number << 1)
    this.added = this.gains = new LooseBundle((number << 1) + 1)
  }

  is(definitions: readonly Definition[], fates: readonly number[], count: number): boolean {
    if (this.count !== count) return false
    for (let i = 0; i < count; i++) {
      if (this.definitions[i] !== definitions[i] || this.fates[i] !== fates[i]) return false
    }
    return true
  }

  become(
    state: WorldState,
    definitions: readonly Definition[],
    fates: readonly number[],
    count: number,
  ): void {
    this.count = -1
    this.losses.empty()
    this.gains.empty()
    for (let i = 0; i < count; i++) {
      const definition = definitions[i] as Definition
      const fate = fates[i] as number
      this.definitions[i] = definition
      this.fates[i] = fate
      if ((fate & REMOVED) !== 0) this.losses.push(definition)
      if ((fate & ADDED) !== 0) this.gains.push(definition)
    }
    const losses = this.losses.definitions.length
    const gains = this.gains.definitions.length
    this.removes = losses > 0
    this.adds = gains > 0
    this.isLong = losses > LOOSE_BUNDLE_IDS || gains > LOOSE_BUNDLE_IDS
    this.losses.fill(state)
    this.gains.fill(state)
    this.count = count
  }

  /** Marks the change as invalid: the core's bundles no longer match it. */
  forget(): void {
    this.count = -1
  }

  /** Lets go of the components, and of their memory. */
  giveBack(state: WorldState): void {
    this.become(state, [], [], 0)
    this.count = -1
  }
}

export class FoldedChanges {
  // By place, the one used last of two, and the other one.
  private readonly recent: FoldedChange[] = []
  private readonly older: FoldedChange[] = []

  constructor(private readonly state: WorldState) {
    for (let place = 0; place < LOOSE_BUNDLES_WORD; place++) {
      this.recent.push(new FoldedChange(place << 1))
      this.older.push(new FoldedChange((place << 1) + 1))
    }
  }

  /** Forgets all of them: memory has other bundles now. Allocates nothing. */
  forget(): void {
    for (const change of this.recent) change.forget()
    for (const change of this.older) change.forget()
  }

  /**
   * The change with these components and fates, in this order; good until the next one is asked for.
   *
   * @throws LimitError
   */
  find(definitions: readonly Definition[], fates: readonly number[], count: number): FoldedChange {
    const place = placeOf(definitions, fates, count)
    const recent = this.recent[place] as FoldedChange
    if (recent.is(definitions, fates, count)) return recent
    const change = this.older[place] as FoldedChange
    if (!change.is(definitions, fates, count)) change.become(this.state, definitions, fates, count)
    this.older[place] = recent
    this.recent[place] = change
    return change
  }
}

function placeOf(definitions: readonly Definition[], fates: readonly number[], count: number): number {
  let hash = count
  for (let i = 0; i < count; i++) {
    hash = Math.imul(hash, 31) + ((definitions[i] as Definition).serial << 2) + (fates[i] as number)
  }
  return (Math.imul(hash, 0x9e3779b1) >>> 16) & (LOOSE_BUNDLES_WORD - 1)
}
