// Owns the refusal of links that would lead back to where they begin, and walks along links that end also where there are some.
// It must never change a link.

import { NULL_ENTITY } from '../memory/entity'
import { StrataError } from '../memory/errors'
import type { LinkStore } from './keeping'

/**
 * Throws when an entity that gets this target would depend on itself. Costs nothing for an entity without sources: nobody's
 * way up leads through it; otherwise one step for each entity above, and for each link to one of them.
 *
 * @throws StrataError RELATION_CYCLE
 */
export function refuseCycle(links: LinkStore, entity: number, target: number): void {
  if (links.kind.onTargetDestroy !== 'destroy') return
  if (entity !== target && links.countOf(entity) === 0) return
  if (links.kind.segments === undefined) {
    for (let above = target; above !== NULL_ENTITY; above = links.targetOf(above))
      if (above === entity) throw cycle(links.registration.definition.componentName, entity, target)
    return
  }
  const above = new Set<number>([target])
  const targets: number[] = []
  // A set is walked in the order in which it grows, also while it grows.
  for (const one of above) {
    if (one === entity) throw cycle(links.registration.definition.componentName, entity, target)
    links.collectTargets(one, targets)
    for (const next of targets) above.add(next)
    targets.length = 0
  }
}

function cycle(name: string, entity: number, target: number): StrataError {
  return new StrataError(
    'RELATION_CYCLE',
    entity === target
      ? `${name}: entity ${entity} cannot be its own target, because the destruction of a target destroys its sources.`
      : `${name}: entity ${target} depends on ${entity} already, so ${entity} cannot depend on it: take ${target} out from below first.`,
  )
}
