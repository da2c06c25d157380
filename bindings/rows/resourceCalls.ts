// Owns the calls of a world on resources. resource() brings what holds them: a program without resources carries only this.

import { ResourceDeclaration, notAResource } from '../components/resource'
import type { Resources, resourcesOf } from './resources'
import type { WorldState } from './worldState'

/** What holds the resources of a world, made for the first one. */
export function resourcesFor(state: WorldState, resource: unknown, operation: string): Resources {
  return state.resources ?? begin(state, resource, operation)
}

function begin(state: WorldState, resource: unknown, operation: string): Resources {
  state.refuseDisposed()
  if (!(resource instanceof ResourceDeclaration)) throw notAResource(resource, operation)
  return (resource.resourcesOf as typeof resourcesOf)(state)
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
