// Owns the folding of several commands for one entity into one change, the result of them all, whatever was there in between.
// When the change meets a limit, the commands are applied one by one.
//
// For each component, the commands come to one of these:
//
//   REMOVED            it is gone in the end
//   ADDED              it is there in the end; where it was there before it stays, with the values given written into it
//   REMOVED | ADDED    it starts over: the old component is removed, then a new one is added

import { type Definition, FAR_SERIALS } from '../components/definition'
import { ComponentValue, ObjectBox, valuesIn, type ValuesByComponent } from '../components/componentValues'
import { type CopiedValues, joinTaken } from '../components/copiedValues'
import type { Bundle } from '../state/bundle'
import { valueMissing } from '../components/objectOptions'
import type { WorldState } from '../state/worldState'
import { ADDED, type FoldedChange, FoldedChanges, REMOVED } from './foldedChanges'
import { type CommandLog, EXCHANGE, REMOVE, SPAWN } from './commandLog'
import { FoldedNumbers, QueuedNumbers } from './queuedNumbers'

/** Longer chains are not compared with the one before. */
const MOST_REMEMBERED = 16

const OPERATIONS: Record<number, string> = { [SPAWN]: 'spawn', [EXCHANGE]: 'exchange' }

export class Folding {
  /** Whether the entity is destroyed in the end. Then nothing else matters. */
  destroyed = false
  /** Whether one of the commands is its spawn. */
  spawned = false
  /** What the change removes, and adds. */
  change: FoldedChange | undefined
  /** The values given for what it adds, in its order; undefined without any, and where `start` is not 0. */
  given: ValuesByComponent
  /** Where they begin among `numbers`, if all of them are numbers; else 0. */
  start = 0
  readonly numbers = new QueuedNumbers()
  /** Values of object components that were given and do not come to live: whose they are, and the values. */
  readonly unusedOf: Definition[] = []
  readonly unused: unknown[] = []
  private entity = 0
  // The components the commands name, in the order in which they come up.
  private count = 0
  private readonly definitions: Definition[] = []
  private readonly fates: number[] = []
  private readonly values: (ComponentValue | undefined)[] = []
  /** The values in the order of what is added. Longer than needed: the bundle says where they end. */
  private readonly ordered: (ComponentValue | undefined)[] = []
  private anyValue = false
  /** Whether no command brings anything but numbers: then these are by place, and `values` is empty. */
  private isNumeric = false
  private readonly folded = new FoldedNumbers()
  /** Whether an object component is added: what that comes to depends on what the entity has. */
  private addsObjects = false
  /** By the serial of a declaration, below FAR_SERIALS: its place in the list above, plus the stamp of this folding. */
  private places = new Int32Array(64)
  private stamp = 1
  // The commands of the last chain, when they had no values: systems tend to do the same to one entity after another.
  private seenCount = 0
  private readonly seenKinds: number[] = []
  private readonly seenBundles: (Bundle | undefined)[] = []
  private readonly seenRemovals: (Bundle | undefined)[] = []
  private changes: FoldedChanges | undefined
  /** Of the world, when `changes` was begun, and when it was used last. */
  private generation = -1
  private timeline = -1

  constructor(private readonly state: WorldState) {}

  /**
   * Folds the chain that begins with command `first`, for an entity that is alive.
   *
   * @throws LimitError
   */
  fold(log: CommandLog, next: Int32Array, first: number): void {
    if (this.timeline !== this.state.timeline) this.forgetChanges()
    if (this.repeats(log, next, first)) return
    this.begin(log, first)
    this.isNumeric = bringsNumbersOnly(log, next, first)
    this.gather(log, next, first)
    if (this.unused.length > 0) this.spareWhatLives()
    if (this.destroyed) return
    this.change = (this.changes as FoldedChanges).find(this.definitions, this.fates, this.count)
    if (this.anyValue) this.orderValues()
    else if (!this.addsObjects && !this.change.isLong) this.remember(log, next, first)
  }

  /** Folds the commands of an entity that is dead: nothing comes of any of them. */
  foldDead(log: CommandLog, next: Int32Array, first: number): void {
    this.begin(log, first)
    this.isNumeric = false
    this.destroyed = true
    this.gather(log, next, first)
  }

  /** Lets go of what the commands gave. */
  finish(): void {
    if (this.unused.length > 0) {
      this.unused.length = 0
      this.unusedOf.length = 0
    }
    if (this.change?.isLong === true) {
      this.change.giveBack(this.state)
      this.change = undefined
    }
    if (!this.anyValue) return
    this.values.fill(undefined, 0, this.count)
    this.ordered.fill(undefined, 0, this.count)
    this.given = undefined
  }

  /** After a reset the core's bundles of before mean nothing; after a restore they are filled otherwise. */
  private forgetChanges(): void {
    const { generation, timeline } = this.state
    if (this.generation === generation) this.changes?.forget()
    else this.changes = new FoldedChanges(this.state)
    this.generation = generation
    this.timeline = timeline
    this.seenCount = 0
  }

  /** Whether the commands are those of the last chain, none with values: then the change is the same, too. */
  private repeats(log: CommandLog, next: Int32Array, first: number): boolean {
    let i = first
    for (let n = 0; n < this.seenCount; n++) {
      if (log.kinds[i] !== this.seenKinds[n] || log.bundles[i] !== this.seenBundles[n]) return false
      if (log.removals[i] !== this.seenRemovals[n] || log.bringsAt(i)) return false
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

  private begin(log: CommandLog, first: number): void {
    this.entity = log.entities[first] as number
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
    this.addsObjects = false
    this.given = undefined
    this.start = 0
  }

  // ── what the commands come to ──────────────────────────────────────────────────────────────────────────

  private gather(log: CommandLog, next: Int32Array, first: number): void {
    let i = first
    do {
      const kind = log.kinds[i] as number
      const given = this.isNumeric ? undefined : log.givenAt(i)
      const bundle = log.bundles[i]
      // Only a destroy has none.
      if (bundle === undefined) this.destroy()
      else if (this.destroyed) this.pass(bundle, given)
      else if (kind === REMOVE) this.gatherRemoved(bundle)
      else {
        this.gatherAddition(kind, bundle, log.removals[i], given)
        if (this.isNumeric && log.starts[i] !== 0)
          this.gatherNumbers(bundle, log.numbers, log.starts[i] as number)
      }
      i = next[i] as number
    } while (i !== 0)
  }

  private gatherAddition(
    kind: number,
    bundle: Bundle,
    removed: Bundle | undefined,
    given: ValuesByComponent,
  ): void {
    if (bundle.holdsObjects) {
      this.addsObjects = true
      if (this.lacksValue(kind, bundle, removed, given)) {
        this.pass(bundle, given)
        return
      }
    }
    if (kind === SPAWN) this.spawned = true
    if (removed !== undefined) this.gatherRemoved(removed)
    this.gatherAdded(bundle, given)
  }

  private destroy(): void {
    this.destroyed = true
    for (let place = 0; place < this.count; place++) this.takeBack(place)
  }

  private gatherAdded(bundle: Bundle, given: ValuesByComponent): void {
    const { definitions } = bundle
    for (let i = 0; i < definitions.length; i++) {
      const place = this.placeOf(definitions[i] as Definition)
      this.fates[place] = (this.fates[place] as number) | ADDED
      const ingredient: unknown = given?.[i]
      if (ingredient instanceof ComponentValue) this.gatherValue(place, ingredient as ComponentValue)
    }
  }

  /** The numbers of a command for components that it adds. */
  private gatherNumbers({ definitions }: Bundle, numbers: QueuedNumbers, start: number): void {
    let at = start
    for (let i = 0; i < definitions.length; i++) {
      const definition = definitions[i] as Definition
      at = numbers.fold(at, definition.fieldNames.length, this.folded, this.placeOf(definition))
    }
    this.anyValue = true
  }

  private gatherValue(place: number, value: ComponentValue): void {
    const earlier = this.values[place]
    if (isHeld(value)) {
      this.takeBack(place)
      this.values[place] = value
    } else this.values[place] = earlier === undefined ? value : merge(earlier, value)
    this.anyValue = true
  }

  private gatherRemoved(bundle: Bundle): void {
    const { definitions } = bundle
    for (let i = 0; i < definitions.length; i++) {
      const place = this.placeOf(definitions[i] as Definition)
      this.takeBack(place)
      this.fates[place] = REMOVED
      this.values[place] = undefined
      this.folded.none(place)
    }
  }

  /** The place of a component that a command has named, or a negative number. */
  private knownPlace(definition: Definition): number {
    const { serial } = definition
    if (serial >= FAR_SERIALS) {
      // Few are so far. The list is longer than needed: what stands after `count` is of an earlier folding.
      const place = this.definitions.indexOf(definition)
      return place < this.count ? place : -1
    }
    return serial < this.places.length ? (this.places[serial] as number) - this.stamp : -1
  }

  private placeOf(definition: Definition): number {
    const known = this.knownPlace(definition)
    if (known >= 0) return known
    const { serial } = definition
    const place = this.count++
    if (serial < FAR_SERIALS) {
      if (serial >= this.places.length) this.growPlaces(serial + 1)
      this.places[serial] = this.stamp + place
    }
    this.definitions[place] = definition
    this.fates[place] = 0
    this.values[place] = undefined
    this.folded.none(place)
    return place
  }

  private growPlaces(count: number): void {
    const longer = new Int32Array(Math.max(count, this.places.length * 2))
    longer.set(this.places)
    this.places = longer
  }

  private orderValues(): void {
    if (this.isNumeric) return this.orderNumbers()
    let added = 0
    for (let place = 0; place < this.count; place++) {
      if (((this.fates[place] as number) & ADDED) !== 0) this.ordered[added++] = this.values[place]
    }
    this.given = this.ordered
  }

  private orderNumbers(): void {
    this.numbers.empty()
    for (let place = 0; place < this.count; place++) {
      if (((this.fates[place] as number) & ADDED) === 0) continue
      this.numbers.add(this.folded, place, (this.definitions[place] as Definition).fieldNames.length)
    }
    this.start = this.numbers.firstAdded
  }

  // ── values of object components ────────────────────────────────────────────────────────────────────────

  /** Whether an object component would come without a value. The command is refused then, for itself. */
  private lacksValue(
    kind: number,
    bundle: Bundle,
    removed: Bundle | undefined,
    given: ValuesByComponent,
  ): boolean {
    const { definitions } = bundle
    for (let i = 0; i < definitions.length; i++) {
      const definition = definitions[i] as Definition
      if (
        definition.kind !== 'object' ||
        definition.details.make ||
        valuesIn(given?.[i]) instanceof ObjectBox
      )
        continue
      if (removed?.contains(definition) !== true && this.isThere(definition)) continue
      this.state.fail(valueMissing(definition, OPERATIONS[kind] ?? 'add'))
      return true
    }
    return false
  }

  /** Whether the entity has the component after the commands that were gathered so far. */
  private isThere(definition: Definition): boolean {
    const place = this.knownPlace(definition)
    if (place < 0) return this.state.known(definition)?.isOn(this.entity) === true
    return ((this.fates[place] as number) & ADDED) !== 0
  }

  /** Nothing comes of a command. */
  private pass(bundle: Bundle, given: ValuesByComponent): void {
    if (!bundle.holdsObjects || given === undefined) return
    const { definitions } = bundle
    for (let i = 0; i < definitions.length; i++) {
      const held = valuesIn(given[i])
      if (held instanceof ObjectBox) this.leaveUnused(definitions[i] as Definition, held.value)
    }
  }

  /** The value given for a component, if it is an object's, is overtaken by what comes later. */
  private takeBack(place: number): void {
    const value = this.values[place]
    if (value === undefined || !isHeld(value)) return
    this.leaveUnused(this.definitions[place] as Definition, value.values.value)
  }

  private leaveUnused(definition: Definition, value: unknown): void {
    for (let i = 0; i < this.unused.length; i++) {
      if (this.unused[i] === value && this.unusedOf[i] === definition) return
    }
    this.unusedOf.push(definition)
    this.unused.push(value)
  }

  /** The very value that lives at the end, or lives now and ends with the change, is not disposed of beside that. */
  private spareWhatLives(): void {
    let kept = 0
    for (let i = 0; i < this.unused.length; i++) {
      const definition = this.unusedOf[i] as Definition
      const value = this.unused[i]
      if (value === this.state.known(definition)?.objects?.get(this.entity)) continue
      if (!this.destroyed && value === this.lastValue(definition)) continue
      this.unusedOf[kept] = definition
      this.unused[kept++] = value
    }
    this.unusedOf.length = this.unused.length = kept
  }

  private lastValue(definition: Definition): unknown {
    const value = this.values[this.knownPlace(definition)]
    return value !== undefined && isHeld(value) ? value.values.value : undefined
  }
}

/** Whether none of the commands of a chain brings anything but numbers. */
function bringsNumbersOnly(log: CommandLog, next: Int32Array, first: number): boolean {
  let i = first
  do {
    if (log.payloads[i] !== undefined) return false
    i = next[i] as number
  } while (i !== 0)
  return true
}

/** Whether it is the value of an object component. */
function isHeld(value: ComponentValue): value is ComponentValue & { readonly values: ObjectBox } {
  return (value.values as unknown) instanceof ObjectBox
}

/** The values of both; the later ones win. */
function merge(earlier: ComponentValue, later: ComponentValue): ComponentValue {
  if (later.values === undefined) return earlier
  if (earlier.values === undefined) return later
  // Values of object components are handled apart: these are the values of fields.
  return new ComponentValue(
    earlier.component,
    joinTaken(earlier.values as CopiedValues, later.values as CopiedValues),
  )
}
