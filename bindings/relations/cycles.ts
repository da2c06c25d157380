// Owns the refusal of links that would lead back to where they begin, and walks along links that end where links form a circle.

import { NULL_ENTITY } from '../memory/entity'
import { StrataError } from '../memory/errors'
import type { LinkStore } from './linkStore'

/** An exclusive link walks so far up by itself: most trees end there, and two sets take longer to make. */
const STEPS_ALONE = 64

/**
 * Throws when an entity that gets this target would depend on itself. Costs nothing for an entity without sources, because no
 * way up leads through it; otherwise it looks at all that is above the target or at all that is below the entity, whichever
 * are fewer.
 *
 * @throws StrataError RELATION_CYCLE
 */
export function refuseCycle(links: LinkStore, entity: number, target: number): void {
  if (links.kind.onTargetDestroy !== 'destroy') return
  if (entity !== target && links.countOf(entity) === 0) return
  if (links.kind.segments === undefined) {
    let above = target
    for (let steps = 0; steps < STEPS_ALONE && above !== entity; steps++) {
      above = links.targetOf(above)
      if (above === NULL_ENTITY) return
    }
  }
  if (isAbove(links, entity, target)) throw cycle(links.registration.definition.componentName, entity, target)
}

/**
 * Whether an entity is the target, or above it. Looks for it upward from the target and downward from the entity, by turns: the
 * search that ends first decides.
 */
function isAbove(links: LinkStore, entity: number, target: number): boolean {
  // A set is walked in the order in which it grows, also while it grows.
  const above = new Set([target])
  const below = new Set([entity])
  const up = above.values()
  const down = below.values()
  const found: number[] = []
  let lower = down.next()
  let looked = links.countOf(entity) + 1
  for (let upward = 0; lower.done !== true;) {
    if (upward < looked) {
      const { value, done } = up.next()
      if (done === true) return false
      if (value === entity) return true
      links.collectTargets(value, found)
      for (const one of found) above.add(one)
      upward += found.length + 1
    } else {
      if (lower.value === target) return true
      links.collect(lower.value, found)
      for (const one of found) below.add(one)
      lower = down.next()
      if (lower.done !== true) looked += links.countOf(lower.value) + 1
    }
    found.length = 0
  }
  return false
}

function cycle(name: string, entity: number, target: number): StrataError {
  return new StrataError(
    'RELATION_CYCLE',
    entity === target
      ? `${name}: entity ${entity} cannot be its own target, because the destruction of a target destroys its sources.`
      : `${name}: entity ${target} depends on ${entity} already, so ${entity} cannot depend on it: take ${target} out from below first.`,
  )
}
