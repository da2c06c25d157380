// Owns the calls on a world that read links and put them in order. Links are made and removed like any component.
// It must never know how links are stored: relation() brings that, and a program without relations does not carry it.

import type { AnyExclusiveRelation, AnyRelation } from '../components/component'
import { definitionOf } from '../components/definition'
import type { Ingredient, Shared } from '../components/ingredients'
import type { Pair } from '../components/pair'
import { relatedIn } from '../components/terms'
import { describe } from '../memory/describe'
import { type Entity, type EntityArray, entityArray } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { type ReadableLinks, type Relating, relatingOf } from '../rows/relating'
import { WorldQueries } from './queries'

/** The part of a world for relations: see world.ts. */
export abstract class WorldRelations extends WorldQueries {
  /**
   * The target of an entity in a relation, of several the one that it was linked to first. Inside a loop, queued changes
   * are not seen. Allocates nothing.
   *
   * @returns NULL_ENTITY if the entity is dead or has no target; a stale handle where a relation with
   *   `onTargetDestroy: 'keep'` led to an entity that was destroyed
   * @throws StrataTypeError NOT_A_RELATION
   * @example const car = world.target(wheel, ChildOf)
   */
  target(entity: Entity | number, relation: AnyRelation): Entity {
    return this.linksOf('target', relation).targetOf(entity) as Entity
  }

  /**
   * The targets of an entity in a relation, in the order in which it was linked to them: one or none where the relation
   * is exclusive. Inside a loop, queued changes are not seen. Cost: proportional to how many there are.
   *
   * @returns a new array, empty if the entity is dead or has none
   * @throws StrataTypeError NOT_A_RELATION
   */
  targets(entity: Entity | number, relation: AnyRelation): EntityArray<ArrayBuffer> {
    const targets: number[] = []
    this.linksOf('targets', relation).collectTargets(entity, targets)
    const handles = entityArray(targets.length)
    handles.set(targets as never)
    return handles
  }

  /**
   * The entities that point at a target, in the order in which they were linked, or as world.place has put them. Inside
   * a loop, queued changes are not seen. Cost: proportional to how many there are.
   *
   * @returns a new array, empty if the target is dead or has none
   * @throws StrataTypeError NOT_A_RELATION
   * @example for (const wheel of world.sources(car, ChildOf)) world.add(wheel, Spinning)
   */
  sources(target: Entity | number, relation: AnyRelation): EntityArray<ArrayBuffer> {
    const links = this.linksOf('sources', relation)
    const sources = entityArray(links.countOf(target))
    links.fill(target, sources)
    return sources
  }

  /**
   * How many entities point at a target. Takes constant time.
   *
   * @throws StrataTypeError NOT_A_RELATION
   */
  sourceCount(target: Entity | number, relation: AnyRelation): number {
    return this.linksOf('sourceCount', relation).countOf(target)
  }

  /**
   * Puts an entity directly before or after another one that has the same target. Takes constant time. Inside a loop this
   * waits until the loop ends.
   *
   * @param relation an exclusive relation; of any other one the pair with the target, Likes(bob), among whose sources it is
   * @param place the sibling: `{ before: door }` or `{ after: door }`
   * @throws StrataTypeError NOT_A_RELATION, INVALID_OPTION, INVALID_VALUE; DeadEntityError DEAD_ENTITY; StrataError MISSING_COMPONENT
   *   if the two do not have the same target. Nothing changes then.
   * @example world.place(wheel, ChildOf, { before: door })
   */
  place(
    entity: Entity | number,
    relation: AnyExclusiveRelation | Pair,
    place: { readonly before: Entity | number } | { readonly after: Entity | number },
  ): void {
    this.relatingOf('place', relation, relation).place(this.state, entity, relation, place)
  }

  /**
   * Copies an entity with everything below it: all that would be destroyed with it, by relations declared with
   * `onTargetDestroy: 'destroy'`. Links and `entity` fields that lead to something inside lead inside of the copy; all
   * others stay as they are, so a copy has the same target as the model. Inside a loop the copies are made when it ends; the
   * handles are alive at once.
   *
   * @param model a living entity
   * @param count how many copies, from 0
   * @param overrides what the copies of `model` itself get in addition, or in place of its values; no object components
   * @returns the handles of the copies of `model`
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE;
   *   LimitError. Nothing changes then.
   * @example const [first] = world.spawnTree(tank, 10, Position({ x: 5 }))
   */
  spawnTree<const T extends readonly Ingredient[]>(
    model: Entity | number,
    count: number,
    ...overrides: Shared<T>
  ): EntityArray<ArrayBuffer> {
    return (
      this.state.relations?.spawnTree(model, count, overrides) ?? this.spawnFrom(model, count, ...overrides)
    )
  }

  private linksOf(operation: string, relation: AnyRelation): ReadableLinks {
    const { state } = this
    const registration = state.known(relation as never)
    // Anything may be handed in, also what only looks like a relation.
    if (registration?.links !== undefined && registration.definition === (relation as unknown))
      return registration.links
    return this.relatingOf(operation, relation).linksIn(state)
  }

  private relatingOf(operation: string, relation: unknown, pair?: unknown): Relating {
    this.state.refuseDisposed()
    const relating = relatingOf(definitionOf(relation)) ?? (relatedIn(pair) as Relating | undefined)
    if (relating !== undefined) return relating
    throw new StrataTypeError('NOT_A_RELATION', `${operation} takes a relation, not ${describe(relation)}.`)
  }
}
