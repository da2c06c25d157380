// Owns the calls of a world that read links and put them in order. relation() brings the code that stores links: a program
// without relations carries only this.

import { definitionOf } from '../components/definition'
import { relatedIn } from '../components/terms'
import { describe } from '../memory/describe'
import { type Entity, type EntityArray, entityArray } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { type ReadableLinks, type Relating, relatingOf } from './relationHooks'
import type { WorldState } from './worldState'

/** world.target */
export function targetOf(state: WorldState, entity: number, relation: unknown): Entity {
  return linksOf(state, 'target', relation).targetOf(entity) as Entity
}

/** world.targets */
export function targetsOf(state: WorldState, entity: number, relation: unknown, options: unknown): unknown {
  return relatingIn(state, 'targets', relation).readTargets(state, entity, options)
}

/** world.setTargets */
export function setTargets(
  state: WorldState,
  entity: number,
  relation: unknown,
  targets: unknown,
  options: unknown,
): void {
  relatingIn(state, 'setTargets', relation).setTargets(state, entity, targets, options)
}

/** world.sources */
export function sourcesOf(state: WorldState, target: number, relation: unknown): EntityArray<ArrayBuffer> {
  const links = linksOf(state, 'sources', relation)
  const sources = entityArray(links.countOf(target))
  links.fill(target, sources)
  return sources
}

/** world.sourceCount */
export function countSources(state: WorldState, target: number, relation: unknown): number {
  return linksOf(state, 'sourceCount', relation).countOf(target)
}

/** world.reorder */
export function placeSource(state: WorldState, entity: number, relation: unknown, place: unknown): void {
  relatingIn(state, 'reorder', relation, relation).place(state, entity, relation, place)
}

function linksOf(state: WorldState, operation: string, relation: unknown): ReadableLinks {
  const registration = state.known(relation as never)
  // Anything may be given, also what only looks like a relation.
  if (registration?.links !== undefined && registration.definition === relation) return registration.links
  return relatingIn(state, operation, relation).linksIn(state)
}

function relatingIn(state: WorldState, operation: string, relation: unknown, pair?: unknown): Relating {
  state.refuseDisposed()
  const relating = relatingOf(definitionOf(relation)) ?? (relatedIn(pair) as Relating | undefined)
  if (relating !== undefined) return relating
  throw new StrataTypeError('NOT_A_RELATION', `${operation} takes a relation, not ${describe(relation)}.`)
}
