// Owns the order of one query with cascade(), targets before their sources, and the target of each entity. A list that was made
// once is updated where links have changed since. It must never keep what linear memory could not give it again.
//
//   order   ┌────────┬──────────────────┬──────────┬─ ─     entities; those of one level as the query lists them
//           │ roots  │ their sources    │ theirs   │
//   starts  0        3                  9          13
//
// Loops follow levels. Kernels follow passes, which are few: an entity is in its target's pass if the query lists it after
// its target, else in the one after that. So what was made in order is walked in one pass, as it lies in memory.

import { INDEX_MASK, NULL_ENTITY } from '../memory/entity'
import { eachChunk } from '../memory/coreTables'
import type { WorldState } from '../state/worldState'
import type { ExclusiveLinks } from './exclusiveLinks'
import { endless } from './hierarchy'

/** Beyond this part of all entities, what lies below changed links is not looked for: everything is made again. */
const MENDED_PART = 1 / 4

export class CascadeLevels {
  order: Uint32Array = NONE
  /** Where each level begins, and where the last one ends. */
  starts: Uint32Array = new Uint32Array(1)
  /** Grows whenever the order, or a target, differs from before. */
  changes = 0
  /** In passes: the places in the order of entities that only have another target than one change ago, ascending. */
  movedAt: readonly number[] = []
  /** Those whose target was another one one change ago; undefined when all may be. */
  moved: readonly number[] | undefined
  /** Grows whenever other entities may be listed, or in another order. */
  makings = 0
  /** By level: 1 where one change ago there were others in it. */
  touched: Uint8Array = new Uint8Array(0)
  /** The entities as the query lists them. */
  private members: Uint32Array = NONE
  /** By index of an entity: its target, and one more than its depth, 0 where it is not known. */
  private targets: Uint32Array = NONE
  private depths: Uint32Array = NONE
  /** In passes, by index of an entity: one more than the place at which the query lists it; 0 when it does not. */
  private listed: Uint32Array = NONE
  /** How many entities have a target. */
  private linked = 0
  private readonly path: number[] = []

  constructor(
    private readonly state: WorldState,
    private readonly inPasses: boolean,
  ) {}

  /** The target of the entity with this index, as it was when the order was made or mended; NULL_ENTITY for none. */
  targetAt(index: number): number {
    return this.targets[index] as number
  }

  /** In passes: one more than the place at which the query lists an entity, by its index; 0 when it does not. */
  listedAt(index: number): number {
    return this.listed[index] as number
  }

  /**
   * Makes the order of these entities.
   *
   * @throws StrataError RELATION_CYCLE
   */
  make(members: Uint32Array, links: ExclusiveLinks | undefined): void {
    const { entityCapacity } = this.state.heap
    // Should links lead in a circle, nothing is known until they no longer do.
    this.members = NONE
    if (this.targets.length < entityCapacity) {
      this.targets = new Uint32Array(entityCapacity)
      this.depths = new Uint32Array(entityCapacity)
      if (this.inPasses) this.listed = new Uint32Array(entityCapacity)
    }
    this.targets.fill(NULL_ENTITY)
    this.depths.fill(0)
    this.linked = 0
    if (links !== undefined) this.readTargets(links)
    if (this.inPasses) this.list(members)
    for (let i = 0; i < members.length; i++) this.findDepth(members[i] as number, links)
    this.members = members
    this.arrange()
    this.touched = new Uint8Array(this.starts.length - 1).fill(1)
    this.moved = undefined
    this.movedAt = []
    this.makings++
    this.changes++
  }

  /**
   * Mends the order after nothing but links have changed: only what lies below them gets another depth.
   *
   * @returns false when it is to be made again
   * @throws StrataError RELATION_CYCLE
   */
  mend(links: ExclusiveLinks): boolean {
    const { members, depths, state } = this
    if (members.length === 0 || state.heap.entityCapacity > depths.length) return false
    const below = this.readTargets(links)
    const moved = below.slice()
    const left: number[] = []
    let found = false
    const before: number[] = []
    for (let i = 0; i < below.length; i++) {
      const index = (below[i] as number) & INDEX_MASK
      const depth = depths[index] as number
      before.push(depth)
      // Known only of what is on the way from an entity of the query to its root: without it, none of them lies below.
      if (depth === 0) continue
      if (below.length > members.length * MENDED_PART) return this.forget()
      depths[index] = 0
      found = true
      links.collect(below[i] as number, below)
    }
    // What is on no way from an entity of the query is the parent of none.
    if (!found) return true
    this.members = NONE
    for (let i = 0; i < below.length; i++) {
      if (before[i] === 0) continue
      const depth = this.findDepth(below[i] as number, links)
      if (depth !== before[i]) left.push(before[i] as number, depth)
    }
    this.members = members
    if (left.length > 0) this.arrange()
    this.moved = moved
    this.touched = new Uint8Array(this.starts.length - 1)
    // A level that is gone is written beyond the end: nothing happens.
    for (const depth of left) this.touched[depth - 1] = 1
    if (this.inPasses) this.movedAt = this.placesOf(moved)
    this.changes++
    return true
  }

  private forget(): boolean {
    this.members = NONE
    return false
  }

  /** Takes over the targets of now. Returns the entities that had another one, or none, or have none any more. */
  private readTargets(links: ExclusiveLinks): number[] {
    const { targets, depths, state } = this
    const { heap } = state
    const { registration } = links
    const { length } = registration.definition.fields
    const changed: number[] = []
    let linked = 0
    let gained = 0
    eachChunk(heap, registration.pool, (data, layoutKey, rows) => {
      const { u32 } = heap
      const first = (data + (registration.placement(layoutKey).offsets[length] as number)) >> 2
      for (let row = 0; row < rows; row++) {
        const target = u32[first + row] as number
        const entity = u32[(data >> 2) + row] as number
        const index = entity & INDEX_MASK
        const before = targets[index] as number
        if (target !== NULL_ENTITY) linked++
        if (before === target) continue
        if (before === NULL_ENTITY) gained++
        // One that leads nowhere any more is found below.
        if (target === NULL_ENTITY) continue
        targets[index] = target
        changed.push(entity)
      }
    })
    if (this.linked + gained !== linked) {
      for (let index = 0; index < targets.length; index++) {
        if (targets[index] === NULL_ENTITY) continue
        const entity = heap.handleAt(index)
        if (links.targetOf(entity) !== NULL_ENTITY) continue
        targets[index] = NULL_ENTITY
        if (state.isAlive(entity)) changed.push(entity)
        // The next entity with this index begins without a depth.
        else depths[index] = 0
      }
    }
    this.linked = linked
    return changed
  }

  /** One more than the depth of an entity: up to the first above it whose depth is known, and back. */
  private findDepth(entity: number, links: ExclusiveLinks | undefined): number {
    const { depths, targets, path, state } = this
    const { listed, inPasses } = this
    let depth = 0
    let above = 0
    // A target that is gone counts as none.
    for (let at = entity; at !== NULL_ENTITY && state.isAlive(at);) {
      const index = at & INDEX_MASK
      depth = depths[index] as number
      if (depth !== 0) {
        above = listed[index] ?? 0
        break
      }
      path.push(index)
      if (path.length > depths.length) {
        path.length = 0
        throw endless((links as ExclusiveLinks).kind.definition)
      }
      at = targets[index] as number
    }
    while (path.length > 0) {
      const index = path.pop() as number
      const own = listed[index] ?? 0
      if (!inPasses || depth === 0 || (own !== 0 && own < above)) depth++
      depths[index] = depth
      above = own
    }
    return depth
  }

  private list(members: Uint32Array): void {
    const { listed } = this
    listed.fill(0)
    for (let i = 0; i < members.length; i++) listed[(members[i] as number) & INDEX_MASK] = i + 1
  }

  /** The places of those that are in the order, ascending. */
  private placesOf(entities: readonly number[]): number[] {
    const { listed, depths, starts, order } = this
    const places: number[] = []
    for (const entity of entities) {
      const index = entity & INDEX_MASK
      const own = listed[index] as number
      const level = (depths[index] as number) - 1
      if (own === 0 || level < 0) continue
      // Within a pass, entities follow each other as they are listed.
      let low = starts[level] as number
      let high = starts[level + 1] as number
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((listed[(order[middle] as number) & INDEX_MASK] as number) < own) low = middle + 1
        else high = middle
      }
      places.push(low)
    }
    return places.sort((a, b) => a - b)
  }

  /** Sorts the members by their depths. */
  private arrange(): void {
    const { members, depths } = this
    const { length } = members
    let deepest = 0
    for (let i = 0; i < length; i++) {
      const depth = depths[(members[i] as number) & INDEX_MASK] as number
      if (depth > deepest) deepest = depth
    }
    // At the place of each depth: first how many have a lesser one, then where the next one of them goes.
    const places = new Uint32Array(deepest + 1)
    for (let i = 0; i < length; i++) {
      const depth = depths[(members[i] as number) & INDEX_MASK] as number
      places[depth] = (places[depth] as number) + 1
    }
    const starts = new Uint32Array(deepest + 1)
    let first = 0
    for (let depth = 1; depth <= deepest; depth++) {
      const count = places[depth] as number
      starts[depth - 1] = places[depth] = first
      first += count
    }
    starts[deepest] = length
    const order = new Uint32Array(length)
    for (let i = 0; i < length; i++) {
      const entity = members[i] as number
      const depth = depths[entity & INDEX_MASK] as number
      const place = places[depth] as number
      order[place] = entity
      places[depth] = place + 1
    }
    this.starts = starts
    this.order = order
  }
}

const NONE = /* @__PURE__ */ new Uint32Array(0)
