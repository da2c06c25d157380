// Owns the few changes that folding keeps ready, each with two loose bundles of the core: what it removes and what it adds. A
// change that was used lately is found again; any other takes the place of an older one. So memory does not grow with the number
// of different changes. What a change is, folding.ts decides.

import { LOOSE_BUNDLES_WORD, LOOSE_BUNDLE_IDS, STATUS_OUT_OF_MEMORY } from '../../build/layout'
import type { Definition } from '../components/definition'
import { limitError } from '../memory/errors'
import { Bundle } from '../state/bundle'
import type { WorldState } from '../state/worldState'

/** What becomes of a component: what was there is gone, and it is there at the end. */
export const REMOVED = 1
export const ADDED = 2

/** A bundle that has one of the core's few places for as long as its change is kept. */
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

/** One change. It never becomes another one: whatever is noted about its bundles stays true. */
export class FoldedChange {
  readonly removed: Bundle
  readonly added: Bundle
  /** Whether it removes anything, and adds anything. */
  readonly removes: boolean
  readonly adds: boolean
  /** Whether it needed memory for more components than a loose bundle has room for. Then it is not kept. */
  readonly isLong: boolean
  private readonly definitions: readonly Definition[]
  private readonly fates: readonly number[]

  /**
   * @param number of its place: the core has two loose bundles for each
   * @throws LimitError
   */
  constructor(
    state: WorldState,
    readonly number: number,
    definitions: readonly Definition[],
    fates: readonly number[],
    count: number,
  ) {
    const losses = new LooseBundle(number << 1)
    const gains = new LooseBundle((number << 1) + 1)
    this.definitions = definitions.slice(0, count)
    this.fates = fates.slice(0, count)
    for (let i = 0; i < count; i++) {
      const definition = this.definitions[i] as Definition
      const fate = this.fates[i] as number
      if ((fate & REMOVED) !== 0) losses.push(definition)
      if ((fate & ADDED) !== 0) gains.push(definition)
    }
    this.removes = losses.definitions.length > 0
    this.adds = gains.definitions.length > 0
    this.isLong = losses.definitions.length > LOOSE_BUNDLE_IDS || gains.definitions.length > LOOSE_BUNDLE_IDS
    losses.fill(state)
    gains.fill(state)
    this.removed = losses
    this.added = gains
  }

  is(definitions: readonly Definition[], fates: readonly number[], count: number): boolean {
    if (this.definitions.length !== count) return false
    for (let i = 0; i < count; i++) {
      if (this.definitions[i] !== definitions[i] || this.fates[i] !== fates[i]) return false
    }
    return true
  }

  /** Frees the memory that a long one took. */
  giveBack(state: WorldState): void {
    new FoldedChange(state, this.number, [], [], 0)
  }
}

export class FoldedChanges {
  // By place, the one used last of two, and the other one. The number of one is that of the other with its lowest bit turned over.
  private readonly recent: (FoldedChange | undefined)[] = []
  private readonly older: (FoldedChange | undefined)[] = []

  constructor(private readonly state: WorldState) {
    this.forget()
  }

  /** Forgets all of them: memory has other bundles now. */
  forget(): void {
    for (let place = 0; place < LOOSE_BUNDLES_WORD; place++)
      this.recent[place] = this.older[place] = undefined
  }

  /**
   * The change with these components and fates, in this order; good until the next one is asked for.
   *
   * @throws LimitError
   */
  find(definitions: readonly Definition[], fates: readonly number[], count: number): FoldedChange {
    const place = placeOf(definitions, fates, count)
    const recent = this.recent[place]
    if (recent?.is(definitions, fates, count) === true) return recent
    let change = this.older[place]
    if (change?.is(definitions, fates, count) !== true) {
      // The new one takes its bundles of the core, also if it finds no memory or is not kept.
      this.older[place] = undefined
      const number = recent === undefined ? place << 1 : recent.number ^ 1
      change = new FoldedChange(this.state, number, definitions, fates, count)
      if (change.isLong) return change
    }
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
