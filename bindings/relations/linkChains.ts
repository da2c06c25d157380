// Owns the two chains that every link of a relation with many targets stands in, that of its source and that of its target, in
// one world: how a link enters them and leaves them. What relations.ts asks of links is in manyLinks.ts.
//
//   source  ┌────────┬───────┬──────┬───────┐                 target  ┌────────┬───────┬──────┬───────┐
//           │ entity │ first │ last │ count │                         │ entity │ first │ last │ count │
//           └────────┴───────┴──────┴───────┘                         └────────┴───────┴──────┴───────┘
//   The first link of the entity, the last one, how many: an entity has its row while it has links.

import { TABLE_VERSION } from '../../build/layout'
import type { CopiedValues } from '../components/copiedValues'
import { NULL_ENTITY } from '../memory/entity'
import type { Registration } from '../state/registration'
import { writeRow } from '../values/rowValues'
import type { WorldState } from '../state/worldState'
import type { RelationType } from './relationType'
import {
  LinkMemory,
  NEXT_OF_SOURCE,
  NEXT_OF_TARGET,
  PREVIOUS_OF_SOURCE,
  PREVIOUS_OF_TARGET,
  SOURCE,
  type Segments,
  TARGET,
} from './linkMemory'
import { TargetRows } from './targetRows'

/** Columns of a source. */
export const FIRST = 0
export const LAST = 1
export const COUNT = 2
/** In place of a number of a link: no relation has so many. */
const STAYS = NULL_ENTITY

export abstract class LinkChains {
  protected readonly links: LinkMemory
  protected readonly targets: TargetRows
  protected readonly segments: Segments
  protected readonly defaults: CopiedValues

  constructor(
    readonly state: WorldState,
    readonly kind: RelationType,
    readonly registration: Registration,
    protected readonly noteUntidy: () => void,
  ) {
    this.segments = kind.segments as Segments
    this.links = new LinkMemory(state, this.segments)
    this.targets = new TargetRows(state, kind.sources, kind.definition, noteUntidy)
    this.defaults = this.segments.values.fields.map(({ defaultValue }) => defaultValue as never)
  }

  openBundles(): void {
    this.targets.openBundles()
  }

  /** Index in the heap's u32 of a column of a living source's row: FIRST, LAST, COUNT; 0 when it has none. */
  protected word(entity: number, column: number): number {
    const ref = this.registration.locate(entity)
    return ref === undefined ? 0 : ((ref.data + (ref.placement.offsets[column] as number)) >> 2) + ref.row
  }

  /** The value in that column, for any handle; 0 when it has no row. */
  protected read(entity: number, column: number): number {
    const word = this.state.isAlive(entity) ? this.word(entity, column) : 0
    return word === 0 ? 0 : (this.state.heap.u32[word] as number)
  }

  protected firstOf(target: number): number {
    const row = this.targets.at(target)
    return row === 0 ? 0 : (this.state.heap.u32[row] as number)
  }

  protected lastOf(target: number): number {
    const row = this.targets.at(target)
    return row === 0 ? 0 : (this.state.heap.u32[row + this.targets.toLast] as number)
  }

  /** A word of a link's record. */
  protected of(link: number, word: number): number {
    return this.state.heap.u32[this.links.at(link) + word] as number
  }

  protected set(link: number, word: number, value: number): void {
    this.state.heap.u32[this.links.at(link) + word] = value
  }

  /** The link of any two handles; 0 when there is none. */
  protected find(entity: number, target: number): number {
    this.links.check()
    return this.state.isAlive(entity) ? this.links.find(entity, target) : 0
  }

  // ── making links ───────────────────────────────────────────────────────────────────────────────────────

  /** Takes a record for a link that is in no chain yet. It has the defaults, and is found. */
  private begin(entity: number, target: number): number {
    const link = this.links.take()
    this.set(link, SOURCE, entity)
    this.set(link, TARGET, target)
    this.links.enter(link)
    if (this.defaults.length > 0) writeRow(this.links.valuesOf(link), this.defaults)
    return link
  }

  make(entity: number, target: number): number {
    const link = this.begin(entity, target)
    const { u32 } = this.state.heap
    const last = this.word(entity, LAST)
    const before = u32[last] as number
    this.set(link, PREVIOUS_OF_SOURCE, before)
    this.set(link, NEXT_OF_SOURCE, 0)
    if (before === 0) u32[this.word(entity, FIRST)] = link
    else this.set(before, NEXT_OF_SOURCE, link)
    u32[last] = link
    const count = this.word(entity, COUNT)
    u32[count] = (u32[count] as number) + 1
    return link
  }

  /**
   * Lets a source that has its row lead to these targets, which have theirs, and to no others, in this order. A link that it
   * has already stays as it is.
   */
  protected retarget(entity: number, targets: ArrayLike<number>): void {
    const first = this.read(entity, FIRST)
    const count = targets.length
    // All places in its chain are told again below: until then, this one says that a link stays.
    for (let i = 0; i < count && first !== 0; i++) {
      const link = this.links.find(entity, targets[i] as number)
      if (link !== 0) this.set(link, PREVIOUS_OF_SOURCE, STAYS)
    }
    for (let link = first; link !== 0;) {
      const next = this.of(link, NEXT_OF_SOURCE)
      if (this.of(link, PREVIOUS_OF_SOURCE) !== STAYS) {
        this.leaveTarget(link)
        this.end(link)
      }
      link = next
    }
    let last = 0
    for (let i = 0; i < count; i++) {
      // What is found for an entity that starts over is a link that ends.
      const kept = first === 0 ? 0 : this.links.find(entity, targets[i] as number)
      const link = kept === 0 ? this.begin(entity, targets[i] as number) : kept
      this.set(link, PREVIOUS_OF_SOURCE, last)
      if (last !== 0) this.set(last, NEXT_OF_SOURCE, link)
      else this.state.heap.u32[this.word(entity, FIRST)] = link
      if (kept === 0) this.list(link)
      last = link
    }
    if (last !== 0) this.set(last, NEXT_OF_SOURCE, 0)
    this.state.heap.u32[this.word(entity, LAST)] = last
    this.state.heap.u32[this.word(entity, COUNT)] = count
  }

  list(link: number): void {
    this.stand(link, this.lastOf(this.of(link, TARGET)), 0)
  }

  /** Lets a link that is in no list of sources stand between two others of its target, 0 at the ends. */
  protected stand(link: number, before: number, after: number): void {
    this.set(link, PREVIOUS_OF_TARGET, before)
    this.set(link, NEXT_OF_TARGET, after)
    const { u32 } = this.state.heap
    const of = this.join(this.of(link, TARGET), before, after, link, link)
    if (of !== 0) u32[of + this.targets.toCount] = (u32[of + this.targets.toCount] as number) + 1
  }

  /**
   * Lets the neighbours on both sides, or the target's ends, lead to `first` and `last`. Returns where the target's row is:
   * 0 where it is dead, and its list without an end.
   */
  protected join(target: number, before: number, after: number, first: number, last: number): number {
    const { u32 } = this.state.heap
    const of = this.targets.at(target)
    if (before !== 0) this.set(before, NEXT_OF_TARGET, first)
    else if (of !== 0) u32[of] = first
    if (after !== 0) this.set(after, PREVIOUS_OF_TARGET, last)
    else if (of !== 0) u32[of + this.targets.toLast] = last
    return of
  }

  // ── ending links ───────────────────────────────────────────────────────────────────────────────────────

  protected leaveTarget(link: number): void {
    const before = this.of(link, PREVIOUS_OF_TARGET)
    const after = this.of(link, NEXT_OF_TARGET)
    const target = this.of(link, TARGET)
    const of = this.join(target, before, after, after, before)
    if (of !== 0) this.targets.countDown(target, of)
  }

  protected end(link: number): void {
    this.links.leave(link)
    this.links.give(link)
    if (this.links.count === 0) this.noteUntidy()
  }

  /** Other entities match than before, though no row came or went. */
  protected noteChange(): void {
    const { heap } = this.state
    const version = (this.registration.pool + TABLE_VERSION) >> 2
    heap.u32[version] = (heap.u32[version] as number) + 1
  }
}
