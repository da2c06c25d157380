// Owns the rows that targets have, where the list of a target's sources begins and ends and how many there are, and the straight
// way to the words of such a row, or of a link's. A target has its row from before its first link to after its last one. It must
// never keep a place over a change of rows.

import {
  CHANGE_REMOVE,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  ROW_BITS,
  SIZE_MASK,
  STATUS_DONE,
} from '../../build/layout'
import { perform } from '../changes/applyChange'
import { ADD } from '../changes/commandLog'
import type { Definition } from '../components/definition'
import { INDEX_MASK } from '../memory/entity'
import { CHUNK_WORDS_SHIFT, type Heap, ROW_MASK } from '../memory/heap'
import type { BundleNode } from '../state/bundle'
import type { Registration } from '../state/registration'
import type { WorldState } from '../state/worldState'

/** So many noted handles are kept room for. */
const KEPT = 1 << 14

export class TargetRows {
  /** What this world knows of the targets, and the way to their rows; undefined before the first one. */
  private known: Registration | undefined
  private rows: LinkColumns | undefined
  /** Targets that have lost their last source: their rows are to be removed. */
  private readonly emptied: number[] = []
  private emptiedCount = 0

  constructor(
    private readonly state: WorldState,
    private readonly definition: Definition,
    /** What their sources have. */
    private readonly relation: Definition,
    /** Is called when there is something to tidy. */
    private readonly noteUntidy: () => void,
  ) {}

  private get words(): LinkColumns | undefined {
    return this.rows ?? this.findRows()
  }

  private findRows(): LinkColumns | undefined {
    this.known = this.state.known(this.definition)
    if (this.known !== undefined) this.rows = new LinkColumns(this.state.heap, this.known, 0)
    return this.rows
  }

  /** Index in the heap's u32 of where a living target's row names its first source; 0 when it has none. */
  at(target: number): number {
    return this.words?.atHandle(target) ?? 0
  }

  /** Words from there to where the same row, the one found last, names its last source, and how many it has. */
  get toLast(): number {
    return (this.rows as LinkColumns).second
  }

  get toCount(): number {
    return (this.rows as LinkColumns).third
  }

  countOf(target: number): number {
    const row = this.at(target)
    return row === 0 ? 0 : (this.state.heap.u32[row + this.toCount] as number)
  }

  /** Makes sure that a living target has its row. A negative status when there is no memory for it. */
  prepare(target: number): number {
    if (this.at(target) !== 0) return STATUS_DONE
    this.openBundles()
    const status = perform(this.state, ADD, target, this.bundle, undefined, undefined)
    // Where the change is not made after all it stays empty.
    if (status >= 0) this.noteEmpty(target)
    return status
  }

  /**
   * Makes the bundles that the end of a link needs: they are there for as long as there are links, so that links, and entities with
   * them, end in a world whose memory is used up. Throws where there is no memory for them.
   */
  openBundles(): void {
    this.state.bundles.with(this.relation, 'relation').addressIn(this.state)
    this.bundle.addressIn(this.state)
  }

  /** One source less, of the row found last. */
  countDown(target: number, row: number): void {
    const { u32 } = this.state.heap
    const count = row + this.toCount
    const left = (u32[count] as number) - 1
    u32[count] = left
    if (left === 0) this.noteEmpty(target)
  }

  /** The bundle of what targets have. */
  private get bundle(): BundleNode {
    return this.state.bundles.with(this.definition, 'relation')
  }

  private noteEmpty(target: number): void {
    // An array that is cut to nothing gives its memory back, and has to find it again.
    if (this.emptiedCount === 0) this.noteUntidy()
    this.emptied[this.emptiedCount++] = target
  }

  /** Removes the rows of targets that have lost their last source. */
  tidy(): void {
    const { emptied, emptiedCount, state } = this
    if (emptiedCount === 0) return
    this.emptiedCount = 0
    const address = this.bundle.addressIn(state)
    for (let i = 0; i < emptiedCount; i++) {
      const target = emptied[i] as number
      const row = this.at(target)
      if (row !== 0 && state.heap.u32[row + this.toCount] === 0)
        state.core.entityChange(target, CHANGE_REMOVE, address)
    }
    if (emptiedCount > KEPT) emptied.length = 0
    state.heap.check()
  }
}

export class LinkColumns {
  /** Words from the first of three columns to the second, and to the third, in the chunk of the row found last. */
  second = 0
  third = 0
  /** By the size of a chunk: from its start to the first, and the two above. 0 where no such chunk was seen. */
  private readonly firsts = new Int32Array(SIZE_MASK + 1)
  private readonly seconds = new Int32Array(SIZE_MASK + 1)
  private readonly thirds = new Int32Array(SIZE_MASK + 1)

  constructor(
    private readonly heap: Heap,
    private readonly registration: Registration,
    /** The place of the first one among the component's columns. */
    private readonly place: number,
  ) {}

  /** Index in the heap's u32 of the first column of a living entity's row, or 0 if it has no row. */
  at(entity: number): number {
    const location = this.registration.findRow(entity & INDEX_MASK)
    if (location === 0) return 0
    const { u32, chunks } = this.heap
    const descriptor = chunks + ((location >>> ROW_BITS) << CHUNK_WORDS_SHIFT)
    const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
    const size = layoutKey & SIZE_MASK
    // Columns never begin at 0: the entities do.
    if (this.firsts[size] === 0) this.enter(layoutKey)
    this.second = this.seconds[size] as number
    this.third = this.thirds[size] as number
    const data = (u32[descriptor + CHUNK_DATA_WORD] as number) >> 2
    return data + (this.firsts[size] as number) + (location & ROW_MASK)
  }

  /** The same for any handle. A stale handle has no row, even if another entity with its index has one. */
  atHandle(entity: number): number {
    const { heap } = this
    const index = entity & INDEX_MASK
    return index < heap.entityCapacity && heap.handleAt(index) === entity ? this.at(entity) : 0
  }

  private enter(layoutKey: number): void {
    const { offsets } = this.registration.placement(layoutKey)
    const size = layoutKey & SIZE_MASK
    const first = (offsets[this.place] as number) >> 2
    this.firsts[size] = first
    this.seconds[size] = ((offsets[this.place + 1] as number) >> 2) - first
    this.thirds[size] = ((offsets[this.place + 2] as number) >> 2) - first
  }
}
