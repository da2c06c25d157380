// Owns what a call that copies entities is given beside the model: what copies get in addition to its values or in place of them,
// and what they drop.

import type { ComponentLike } from '../components/component'
import { ObjectBox, type Ingredient, valuesIn } from '../components/componentValues'
import { NULL_ENTITY } from '../memory/entity'
import type { BundleNode } from '../state/bundle'
import { requireValues } from '../state/requiredValues'
import type { WorldState } from '../state/worldState'

/** Components that copies of an entity do not get. Made by omit. */
export class Omitted {
  readonly kind = 'omitted'

  /** @internal */
  constructor(
    /** What was named. */
    readonly components: readonly ComponentLike[],
  ) {}
}

/** What cloneEntity, cloneMany and cloneTree take beside the model. */
export type Override = Ingredient | Omitted

/**
 * Names components that copies drop, among the overrides of cloneEntity, cloneMany and cloneTree. The copies never have them:
 * no listener is told, and no object is cloned. What the model does not have is skipped.
 *
 * @param components components, tags, object components and relations
 * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, by the call that copies
 * @example const ghost = cloneEntity(world, ship, Position({ x: 5 }), omit(Solid, Sprite))
 */
export function omit(...components: ComponentLike[]): Omitted {
  return new Omitted(components)
}

/** The overrides of a call. */
export interface Overrides {
  /** What copies get, and its values. */
  readonly bundle: BundleNode
  readonly given: readonly Ingredient[]
  /** What they drop, or have an object of their own in place of. */
  readonly losses: BundleNode
}

/** Copies that are just like their source. */
export function noOverrides({ bundles }: WorldState): Overrides {
  return { bundle: bundles, given: [], losses: bundles }
}

/**
 * Takes the overrides of a call apart.
 *
 * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE; DeadEntityError DEAD_ENTITY for a link to the dead
 */
export function takeOverrides(
  state: WorldState,
  overrides: readonly unknown[],
  operation: string,
): Overrides {
  if (overrides.length === 0) return noOverrides(state)
  const given = overrides.filter((one) => !(one instanceof Omitted)) as Ingredient[]
  const left = overrides.flatMap((one) => (one instanceof Omitted ? one.components : []))
  let losses = state.bundles.withAll(left, 'omit')
  const bundle = state.bundles.followAll(given, operation)
  // Before there are copies: what the model has may be dropped.
  requireValues(state, bundle, given, NULL_ENTITY, operation)
  bundle.definitions.forEach((definition, i) => {
    if (valuesIn(given[i]) instanceof ObjectBox && !losses.contains(definition))
      losses = losses.with(definition, operation)
  })
  return { bundle, given, losses }
}
