// Owns what changes ask of what stands around them. A world has none of it until something listens, or a component needs upkeep: then
// changes/apply.ts gives it its calls. A program without either carries none of them.

import type { ValuesByComponent } from '../components/componentValues'
import type { Definition } from '../components/definition'
import type { Bundle } from './bundle'
import type { Change } from './change'
import type { GivenList } from './changeObserver'
import type { Ending } from './relationHooks'
import type { WorldState } from './worldState'

export interface ChangeCalls {
  /** Makes a change. Returns a status of the core, or for many entities their number. */
  apply(state: WorldState, change: Change): number
  /** Makes one of a single entity: its handle where it is new, or NULL_ENTITY, with the world's status set. */
  applyOne(
    state: WorldState,
    kind: number,
    entity: number,
    gains: Bundle | undefined,
    losses: Bundle | undefined,
    given: ValuesByComponent,
  ): number
  /**
   * Destroys living entities, each named once, on which no others depend.
   *
   * @param query what finds them, and can destroy all of them in one call
   */
  end(state: WorldState, entities: ArrayLike<number>, query?: Ending): void
  /** Switches a component of entities that have it the other way. */
  switchOver(state: WorldState, entities: readonly number[], definition: Definition, off: boolean): void
  /** Tells of links to targets that were kept, and hold again. */
  tellReturned(state: WorldState, targets: readonly number[]): void
  /** Tells of the end of every entity before a reset or dispose, and drops what listeners queue. */
  endAll(state: WorldState): void
  /**
   * Makes an entity in another way, with the values that makers make for it: they are disposed of if that throws.
   *
   * @param make is given all values
   */
  withMakers(
    state: WorldState,
    gains: Bundle,
    given: ValuesByComponent,
    make: (given: ValuesByComponent) => void,
  ): void
  /** Finishes what made entities with the components of a bundle, and wrote their values. */
  tellSpawned(state: WorldState, entities: ArrayLike<number>, bundle: Bundle, given: GivenList): void
  /**
   * Finishes what made entities with whatever they have now, such as copies.
   *
   * @param bundle what they were given by the call, and the values
   * @param makers those of it that made their values
   */
  tellMade(
    state: WorldState,
    entities: ArrayLike<number>,
    bundle?: Bundle,
    given?: GivenList,
    makers?: readonly Definition[],
  ): void
}
