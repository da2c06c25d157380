// Owns walks along the links of a world: what is above an entity, and what is below. A walk must never be endless where links
// lead back.

import type { AnyExclusiveRelation, AnyRelation } from '../components/component'
import { definitionOf } from '../components/definition'
import { type Entity, type EntityArray, NULL_ENTITY, entityArray } from '../memory/entity'
import { StrataError } from '../memory/errors'
import { relatingOf } from '../state/relationHooks'
import type { RelationType } from './relationType'

/** A world, as far as walks need it. */
export type Linked = {
  target(entity: Entity | number, relation: AnyRelation): Entity
  targets(entity: Entity | number, relation: AnyRelation): EntityArray
  sources(target: Entity | number, relation: AnyRelation): EntityArray
}

/**
 * The target of an entity, the target of that one, and so on, up to the root. In a relation with many targets all that links
 * lead to, level by level and each once; there they may lead back, also to the entity itself, which is left out.
 *
 * @returns a new array, the nearest first; empty for a root and for a stale handle
 * @throws StrataTypeError NOT_A_RELATION; StrataError RELATION_CYCLE if the links of an exclusive relation lead back to where
 *   they begin
 * @example ancestors(world, wheel, ChildOf).includes(garage)
 */
export function ancestors(
  world: Linked,
  entity: Entity | number,
  relation: AnyRelation,
): EntityArray<ArrayBuffer> {
  const found = new Set<number>([entity])
  if (hasMany(relation)) {
    // A set is walked in the order in which it grows, also while it grows.
    for (const one of found) for (const above of world.targets(one, relation)) found.add(above)
    found.delete(entity)
    return arrayOf(found)
  }
  for (
    let above = world.target(entity, relation);
    above !== NULL_ENTITY;
    above = world.target(above, relation)
  ) {
    if (found.has(above)) throw endless(relation)
    found.add(above)
  }
  found.delete(entity)
  return arrayOf(found)
}

/**
 * How many entities are above an entity: 0 for a root. Cost: one step for each.
 *
 * @throws StrataTypeError NOT_A_RELATION; StrataError RELATION_CYCLE if the links lead back to where they begin
 */
export function depthOf(world: Linked, entity: Entity | number, relation: AnyExclusiveRelation): number {
  return ancestors(world, entity, relation).length
}

/**
 * All that is below an entity: its sources, theirs, and so on, level by level, those of one target in their order, each
 * once.
 *
 * @returns a new array, without the entity itself
 * @throws StrataTypeError NOT_A_RELATION; StrataError RELATION_CYCLE if the links of an exclusive relation lead back to where
 *   they begin
 * @example for (const part of descendants(world, car, ChildOf)) world.add(part, Frozen)
 */
export function descendants(
  world: Linked,
  entity: Entity | number,
  relation: AnyRelation,
): EntityArray<ArrayBuffer> {
  const found = new Set<number>([entity])
  const many = hasMany(relation)
  for (const above of found) {
    for (const source of world.sources(above, relation)) {
      if (found.has(source) && !many) throw endless(relation)
      found.add(source)
    }
  }
  found.delete(entity)
  return arrayOf(found)
}

/** Whether an entity may have several targets. */
function hasMany(relation: AnyRelation): boolean {
  return (relatingOf(definitionOf(relation)) as RelationType | undefined)?.segments !== undefined
}

function arrayOf(handles: ReadonlySet<number>): EntityArray<ArrayBuffer> {
  const array = entityArray(handles.size)
  let i = 0
  for (const handle of handles) array[i++] = handle as Entity
  return array
}

/** The error where links lead back. */
export function endless({ componentName: name }: { readonly componentName: string }): StrataError {
  return new StrataError(
    'RELATION_CYCLE',
    `${name}: the links lead back to where they begin, so there is no end above or below. Break the circle with world.remove(entity, ${name}); a relation with { onTargetDestroy: 'destroy' } refuses circles.`,
  )
}
