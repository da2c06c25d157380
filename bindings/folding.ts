// Owns the folding of several commands for one entity into one change that leads to the same end.
// It must never change the world; when it cannot say the change, the commands are applied one by one.

import type { BundleNode } from './bundle'
import type { Given } from './changes'
import { ADD, type CommandLog, DESTROY, EXCHANGE, REMOVE, SPAWN } from './commandLog'
import { ComponentValue, type Definition } from './component'
import { type Taken, joinTaken } from './taking'
import type { WorldState } from './worldState'

/** What becomes of a component: what was there is gone, and it is there at the end. */
const REMOVED = 1
const ADDED = 2

/**
 * How many steps of the bundle tree folding may make in one world. Bundles are never given back, and scripts that
 * combine components at random would go on making new ones for ever.
 */
export const MOST_FOLDED_BUNDLES = 4096

/** Longer chains are not compared with the one before. */
const MOST_REMEMBERED = 16

export class Folding {
  /** Whether the entity is destroyed in the end. Then nothing else matters. */
  destroyed = false
  /** Whether one of the commands is its spawn. */
  spawned = false
  /** What the change removes, and adds. What is in both starts over. */
  removed!: BundleNode
  added!: BundleNode
  /** The values given for `added`, in its order; undefined when there are none. */
  given: Given
  // The components the commands name, in the order in which they come up.
  private count = 0
  private readonly definitions: Definition[] = []
  private readonly fates: number[] = []
  private readonly values: (ComponentValue | undefined)[] = []
  /** The values in the order of `added`. Longer than needed: the bundle says where they end. */
  private readonly ordered: (ComponentValue | undefined)[] = []
  private anyValue = false
  /** By the serial of a declaration: its place in the list above, plus the stamp of this folding. */
  private places = new Int32Array(64)
  private stamp = 1
  // The commands of the last chain, when they had no values: systems tend to do the same to one entity after another.
  private seenCount = 0
  private readonly seenKinds: number[] = []
  private readonly seenBundles: (BundleNode | undefined)[] = []
  private readonly seenRemovals: (BundleNode | undefined)[] = []
  private bundlesMade = 0
  private generation = -1

  constructor(private readonly state: WorldState) {}

  /** Folds the chain that begins with command `first`. False when it cannot be said as one change. */
  fold(log: CommandLog, next: Int32Array, first: number): boolean {
    if (this.generation !== this.state.generation) this.forgetBundles()
    if (this.repeats(log, next, first)) return true
    this.start()
    this.gather(log, next, first)
    if (this.destroyed) return true
    try {
      if (!this.findBundles()) return false
      this.removed.addressIn(this.state)
      this.added.addressIn(this.state)
      if (!this.anyValue) this.remember(log, next, first)
      return true
    } catch {
      // One of the limits. The commands by themselves tell which one, and which of them fit.
      return false
    }
  }

  /** Lets go of what the commands gave. */
  finish(): void {
    if (!this.anyValue) return
    this.values.fill(undefined, 0, this.count)
    this.ordered.fill(undefined, 0, this.count)
    this.given = undefined
  }

  /** After a reset the bundles of before mean nothing. */
  private forgetBundles(): void {
    this.generation = this.state.generation
    this.bundlesMade = 0
    this.seenCount = 0
  }

  /** Whether the commands are those of the last chain, none with values: then the change is the same, too. */
  private repeats(log: CommandLog, next: Int32Array, first: number): boolean {
    let i = first
    for (let n = 0; n < this.seenCount; n++) {
      if (log.kinds[i] !== this.seenKinds[n] || log.bundles[i] !== this.seenBundles[n]) return false
      if (log.removals[i] !== this.seenRemovals[n] || log.payloads[i] !== undefined) return false
      i = next[i] as number
      if (i === 0) return n === this.seenCount - 1
    }
    return false
  }

  private remember(log: CommandLog, next: Int32Array, first: number): void {
    let n = 0
    let i = first
    do {
      if (n === MOST_REMEMBERED) return
      this.seenKinds[n] = log.kinds[i] as number
      this.seenBundles[n] = log.bundles[i]
      this.seenRemovals[n++] = log.removals[i]
      i = next[i] as number
    } while (i !== 0)
    this.seenCount = n
  }

  private start(): void {
    this.seenCount = 0
    this.stamp += this.count
    if (this.stamp > 0x3fffffff) {
      this.places.fill(0)
      this.stamp = 1
    }
    this.count = 0
    this.destroyed = false
    this.spawned = false
    this.anyValue = false
    this.given = undefined
  }

  private gather(log: CommandLog, next: Int32Array, first: number): void {
    let i = first
    do {
      const bundle = log.bundles[i] as BundleNode
      switch (log.kinds[i]) {
        case SPAWN:
          this.spawned = true
          this.gatherAdded(bundle, log.payloads[i] as Given)
          break
        case ADD:
          this.gatherAdded(bundle, log.payloads[i] as Given)
          break
        case REMOVE:
          this.gatherRemoved(bundle)
          break
        case EXCHANGE:
          this.gatherRemoved(log.removals[i] as BundleNode)
          this.gatherAdded(bundle, log.payloads[i] as Given)
          break
        case DESTROY:
          this.destroyed = true
          return
      }
      i = next[i] as number
    } while (i !== 0)
  }

  private gatherAdded(bundle: BundleNode, given: Given): void {
    const { definitions } = bundle
    for (let i = 0; i < definitions.length; i++) {
      const place = this.placeOf(definitions[i] as Definition)
      this.fates[place] = (this.fates[place] as number) | ADDED
      const ingredient: unknown = given?.[i]
      if (ingredient instanceof ComponentValue) this.gatherValue(place, ingredient as ComponentValue)
    }
  }

  private gatherValue(place: number, value: ComponentValue): void {
    const earlier = this.values[place]
    this.values[place] = earlier === undefined ? value : merge(earlier, value)
    this.anyValue = true
  }

  private gatherRemoved(bundle: BundleNode): void {
    const { definitions } = bundle
    for (let i = 0; i < definitions.length; i++) {
      const place = this.placeOf(definitions[i] as Definition)
      this.fates[place] = REMOVED
      this.values[place] = undefined
    }
  }

  private placeOf(definition: Definition): number {
    const { serial } = definition
    if (serial >= this.places.length) this.growPlaces(serial + 1)
    const known = (this.places[serial] as number) - this.stamp
    if (known >= 0) return known
    const place = this.count++
    this.places[serial] = this.stamp + place
    this.definitions[place] = definition
    this.fates[place] = 0
    this.values[place] = undefined
    return place
  }

  private growPlaces(count: number): void {
    const longer = new Int32Array(Math.max(count, this.places.length * 2))
    longer.set(this.places)
    this.places = longer
  }

  /** False when that would need more bundles than folding may make. */
  private findBundles(): boolean {
    let removed: BundleNode | undefined = this.state.bundles
    let added: BundleNode | undefined = removed
    let addedCount = 0
    for (let place = 0; place < this.count; place++) {
      const definition = this.definitions[place] as Definition
      const fate = this.fates[place] as number
      if ((fate & REMOVED) !== 0) removed = this.step(removed, definition)
      if ((fate & ADDED) !== 0) {
        added = this.step(added, definition)
        if (this.anyValue) this.ordered[addedCount++] = this.values[place]
      }
      if (removed === undefined || added === undefined) return false
    }
    this.removed = removed
    this.added = added
    this.given = this.anyValue ? this.ordered : undefined
    return true
  }

  private step(node: BundleNode, definition: Definition): BundleNode | undefined {
    const known = node.child(definition)
    if (known !== undefined || this.bundlesMade === MOST_FOLDED_BUNDLES) return known
    this.bundlesMade++
    return node.with(definition, 'add')
  }
}

/** The values of both; the later ones win. */
function merge(earlier: ComponentValue, later: ComponentValue): ComponentValue {
  if (later.values === undefined) return earlier
  if (earlier.values === undefined) return later
  // Commands that concern object components are not folded: what is given are the values of fields.
  return new ComponentValue(earlier.component, joinTaken(earlier.values as Taken, later.values as Taken))
}
