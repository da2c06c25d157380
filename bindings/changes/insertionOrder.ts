// Owns the order of insertion where commands are applied out of order: those of one entity together, at the place of the first.
// Entities keep the order of the commands that gave them the tag, not of their application.

import { SCRATCH_ADDRESS_WORD, SCRATCH_BYTES, SCRATCH_WORDS } from '../../build/layout'
import type { Definition } from '../components/definition'
import type { Registration } from '../state/registration'
import type { WorldState } from '../state/worldState'
import { type CommandLog, REMOVE } from './commandLog'

/** The entities that got one tag, in the order of application, and the position of the command that gave it. */
class Arrivals {
  readonly entities: number[] = []
  readonly positions: number[] = []
  /** Whether they are in the order of their positions. */
  sorted = true

  push(entity: number, position: number): void {
    const { positions } = this
    if (positions.length > 0 && (positions[positions.length - 1] as number) > position) this.sorted = false
    this.entities.push(entity)
    positions.push(position)
  }

  /** The entities in the order of the commands. */
  inTurn(): number[] {
    const numbers = this.entities.map((_, i) => i)
    numbers.sort((a, b) => (this.positions[a] as number) - (this.positions[b] as number))
    return numbers.map((i) => this.entities[i] as number)
  }
}

export class InsertionOrder {
  private readonly arrivals = new Map<Definition, Arrivals>()
  /** The tags that the chain in hand adds, and which of them its entity had before. */
  private readonly tags: Definition[] = []
  private readonly had: boolean[] = []

  constructor(private readonly state: WorldState) {}

  /** The chain that begins with command `first` is about to be applied. */
  before(log: CommandLog, next: Int32Array, first: number): void {
    this.tags.length = this.had.length = 0
    const entity = log.entities[first] as number
    let i = first
    do {
      const bundle = log.bundles[i]
      if (bundle?.keepsInsertionOrder === true) {
        for (const definition of bundle.definitions) {
          if (definition.order !== 'insertion' || this.tags.includes(definition)) continue
          this.tags.push(definition)
          this.had.push(this.isOn(definition, entity))
        }
      }
      i = next[i] as number
    } while (i !== 0)
  }

  /** It was applied. */
  after(log: CommandLog, next: Int32Array, first: number): void {
    const entity = log.entities[first] as number
    for (let n = 0; n < this.tags.length; n++) {
      const tag = this.tags[n] as Definition
      if (!this.isOn(tag, entity)) continue
      const position = arrival(log, next, first, tag, this.had[n] as boolean)
      if (position >= 0) this.arrivalsOf(tag).push(entity, position)
    }
  }

  /** Puts entities that came out of turn where they belong. */
  settle(): void {
    if (this.arrivals.size === 0) return
    for (const [tag, arrivals] of this.arrivals) {
      if (!arrivals.sorted) this.rearrange(this.state.known(tag) as Registration, arrivals.inTurn())
    }
    this.arrivals.clear()
  }

  private isOn(definition: Definition, entity: number): boolean {
    return this.state.isAlive(entity) && this.state.known(definition)?.isOn(entity) === true
  }

  private arrivalsOf(tag: Definition): Arrivals {
    let arrivals = this.arrivals.get(tag)
    if (arrivals === undefined) {
      arrivals = new Arrivals()
      this.arrivals.set(tag, arrivals)
    }
    return arrivals
  }

  /** Reorders the entities within the places that they already occupy in the tag's list. */
  private rearrange(tag: Registration, entities: readonly number[]): void {
    const places = this.placesOf(tag, entities).sort()
    const { heap, core } = this.state
    const scratch = SCRATCH_ADDRESS_WORD
    const most = SCRATCH_BYTES >> 3
    for (let done = 0; done < entities.length; done += most) {
      const count = Math.min(most, entities.length - done)
      for (let i = 0; i < count; i++) {
        heap.u32[scratch + i * 2] = entities[done + i] as number
        heap.u32[scratch + i * 2 + 1] = places[done + i] as number
      }
      core.orderWrite(tag.id, count)
    }
  }

  private placesOf(tag: Registration, entities: readonly number[]): Uint32Array {
    const { heap, core } = this.state
    const scratch = SCRATCH_ADDRESS_WORD
    const most = SCRATCH_WORDS
    const places = new Uint32Array(entities.length)
    for (let done = 0; done < entities.length; done += most) {
      const count = Math.min(most, entities.length - done)
      for (let i = 0; i < count; i++) heap.u32[scratch + i] = entities[done + i] as number
      core.orderRead(tag.id, count)
      places.set(heap.u32.subarray(scratch, scratch + count), done)
    }
    return places
  }
}

/** The position of the command that gave the entity the tag which it has now; -1 when it has kept the one it had. */
function arrival(log: CommandLog, next: Int32Array, first: number, tag: Definition, had: boolean): number {
  let has = had
  let position = -1
  let i = first
  do {
    const removes = log.kinds[i] === REMOVE ? log.bundles[i] : log.removals[i]
    if (removes?.contains(tag) === true) has = false
    if (log.kinds[i] !== REMOVE && !has && log.bundles[i]?.contains(tag) === true) {
      has = true
      position = i
    }
    i = next[i] as number
  } while (i !== 0)
  return has ? position : -1
}
