// Owns the way from a parent to its row in one component, for kernels.

import { CHUNK_DATA_WORD, CHUNK_LAYOUT_KEY_WORD, ROW_BITS } from '../../build/layout'
import type { BoundParent } from '../kernels/parentParameters'
import { INDEX_MASK, NULL_ENTITY } from '../memory/entity'
import { CHUNK_WORDS_SHIFT, ROW_MASK } from '../memory/heap'
import type { Registration } from '../state/registration'
import type { WorldState } from '../state/worldState'
import { ComponentVersion } from './componentVersion'
import type { CascadeLevels } from './cascadeLevels'

/** The offset in a layout without the component. */
const ABSENT = -1
/** An address in page 0, where no row lies. */
const NOWHERE = 1

export class ParentRows {
  /** Undefined while the world does not know the component. */
  private registration: Registration | undefined
  /** By layout key: bytes from a chunk's start to the column. */
  private readonly offsets: number[] = []
  /** By index of an entity: the address of its parent's row, NOWHERE for none; 0 when it was not asked for. */
  private found = new Uint32Array(0)
  private readonly rowsVersion: ComponentVersion

  constructor(
    private readonly state: WorldState,
    private readonly parent: BoundParent,
  ) {
    this.rowsVersion = new ComponentVersion(state, parent.definition)
  }

  /** A number that differs from before whenever a row of the component has another address, came or went. */
  version(): number {
    return this.rowsVersion.read()
  }

  /** Forgets what was found for entities whose parents are others now; all of it, unless they are named. */
  forget(moved: readonly number[] | undefined): void {
    const { entityCapacity } = this.state.heap
    if (this.found.length < entityCapacity) this.found = new Uint32Array(entityCapacity)
    if (moved === undefined) this.found.fill(0)
    else for (const entity of moved) this.found[entity & INDEX_MASK] = 0
  }

  /** The address of the row of an entity's parent; 0 for none. Asked for the first time, it is looked up. */
  addressFor(index: number, levels: CascadeLevels): number {
    const found = this.found[index] as number
    if (found !== 0) return found === NOWHERE ? 0 : found
    const target = levels.targetAt(index)
    const address = target === NULL_ENTITY ? 0 : this.addressOf(target)
    this.found[index] = address === 0 ? NOWHERE : address
    return address
  }

  /** The address of the row of any handle; 0 when it is not alive or does not have the component. Allocates nothing. */
  addressOf(entity: number): number {
    const { offsets, parent, state } = this
    const registration = (this.registration ??= state.known(parent.definition))
    const { heap } = state
    const index = entity & INDEX_MASK
    if (registration === undefined || index >= heap.entityCapacity || heap.handleAt(index) !== entity)
      return 0
    const location = registration.pooled ? registration.findRow(index) : heap.locationAt(index)
    if (location === 0) return 0
    const { u32 } = heap
    const descriptor = heap.chunks + ((location >>> ROW_BITS) << CHUNK_WORDS_SHIFT)
    const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
    const offset = offsets[layoutKey] ?? this.findOffset(layoutKey)
    if (offset === ABSENT) return 0
    return (u32[descriptor + CHUNK_DATA_WORD] as number) + offset + (location & ROW_MASK) * parent.rowBytes
  }

  private findOffset(layoutKey: number): number {
    const placement = (this.registration as Registration).placement(layoutKey)
    const { offsets } = this
    const offset = placement.present ? (placement.offsets[this.parent.field] as number) : ABSENT
    // Without gaps, so that the array stays a dense one: what was not asked for yet is undefined.
    while (offsets.length <= layoutKey) offsets.push(undefined as never)
    offsets[layoutKey] = offset
    return offset
  }
}
