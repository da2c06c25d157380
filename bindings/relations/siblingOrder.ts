// Owns world.reorder: a source goes to another place among the sources of its target.

import { targetIn } from '../components/pair'
import { checkOptions } from '../memory/arguments'
import { describe } from '../memory/describe'
import { StrataError, StrataTypeError } from '../memory/errors'
import type { WorldState } from '../state/worldState'
import type { RelationType } from './relationType'
import type { Relations } from './relations'

/** Where world.reorder puts a source: directly before or after another one of the same target. */
export type SiblingPlace = { readonly before: number } | { readonly after: number }

const PLACES = ['before', 'after']

/**
 * Checks everything, and places the source now, or after the loop that is open.
 *
 * @throws StrataTypeError INVALID_OPTION; DeadEntityError; StrataError MISSING_COMPONENT
 */
export function placeSource(
  state: WorldState,
  kind: RelationType,
  entity: number,
  asked: unknown,
  place: unknown,
): void {
  checkOptions('reorder', place, PLACES)
  const { before, after } = (place ?? {}) as { before?: unknown; after?: unknown }
  const sibling = before ?? after
  if (typeof sibling !== 'number' || (before !== undefined && after !== undefined)) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `reorder takes { before: sibling } or { after: sibling }, an entity, not ${describe(sibling ?? place)}.`,
    )
  }
  const named = targetIn(asked)
  if (named === undefined && kind.segments !== undefined) {
    const name = kind.definition.componentName
    throw new StrataTypeError(
      'INVALID_VALUE',
      `reorder: an entity can have several targets in ${name}, and a place among the sources of each: name the target, world.reorder(entity, ${name}(target), { before: sibling }).`,
    )
  }
  if (!state.isAlive(entity)) throw state.dead(entity, 'reorder')
  if (!state.isAlive(sibling)) throw state.dead(sibling, 'reorder')
  const isBefore = before !== undefined
  if (state.locks !== 0) {
    state.commands.later(() => {
      if (state.isAlive(entity) && state.isAlive(sibling)) move(state, kind, entity, named, sibling, isBefore)
    })
  } else {
    move(state, kind, entity, named, sibling, isBefore)
    state.settle()
  }
}

function move(
  state: WorldState,
  kind: RelationType,
  entity: number,
  named: number | undefined,
  sibling: number,
  isBefore: boolean,
): void {
  const links = (state.relations as Relations | undefined)?.of(kind.definition)
  const target = named ?? kind.targetOf(state, entity)
  if (links === undefined || !links.leadsTo(entity, target) || !links.leadsTo(sibling, target)) {
    const name = kind.definition.componentName
    throw new StrataError(
      'MISSING_COMPONENT',
      `reorder: entities ${entity} and ${sibling} do not have the same target in ${name}: link them first, world.add(entity, ${name}(parent)).`,
    )
  }
  const follower = isBefore ? sibling : links.nextOf(sibling, target)
  // It may stand there already.
  if (entity === follower || links.nextOf(entity, target) === follower) return
  state.reporting?.subscribers.everything()
  links.place(entity, follower, target)
}
