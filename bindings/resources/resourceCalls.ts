// Owns the calls of a world on resources. resource() brings what holds them: a program without resources carries only this.

import { type ResourceDeclaration, notAResource } from '../components/resourceDeclaration'
import { StrataTypeError } from '../memory/errors'
import type { Resources, resourcesOf } from './resources'
import type { WorldState } from '../state/worldState'

/** What holds the resources of a world, made for the first one. */
export function resourcesFor(state: WorldState, resource: unknown, operation: string): Resources {
  return (state.resources as Resources | undefined) ?? begin(state, resource, operation)
}

function begin(state: WorldState, resource: unknown, operation: string): Resources {
  state.refuseDisposed()
  // Not by its class, which a program without resources does not carry.
  const { resourcesOf: begin, strataCopy: copy } = Object(resource) as Partial<ResourceDeclaration>
  if (begin === undefined || copy !== StrataTypeError) throw notAResource(resource, operation)
  return (begin as typeof resourcesOf)(state)
}

/** world.setResource */
export function setResource(state: WorldState, resource: unknown, value: unknown): void {
  resourcesFor(state, resource, 'setResource').set(resource, value)
  wrote(state, resource)
}

/** world.removeResource */
export function removeResource(state: WorldState, resource: unknown): boolean {
  const removed = resourcesFor(state, resource, 'removeResource').remove(resource)
  if (removed) wrote(state, resource)
  return removed
}

function wrote(state: WorldState, resource: unknown): void {
  if (state.reporting?.subscribers.wrote(resource as ResourceDeclaration) === true) state.settle()
}
