// Owns the options of a save: which components, resources and entities it takes.

import type { AnyComponent, ComponentLike } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import { type AnyResource, ResourceDeclaration } from '../components/resourceDeclaration'
import { checkOptions } from '../memory/arguments'
import { StrataTypeError } from '../memory/errors'
import { takeArray, takeHandles } from '../memory/givenLists'
import { Query } from '../queries/query'
import type { WorldState } from '../state/worldState'
import type { Selection } from './collect'

/** A component, tag, object component or resource. */
export type Saveable = ComponentLike | AnyComponent | AnyResource

/** Options of saveWorld and saveToJSON. */
export interface SaveOptions {
  /**
   * The components, relations and resources to save. By default all. Entities that have none of these components, and are
   * no target in one of these relations, are left out, unless `entities` names them.
   */
  readonly only?: readonly Saveable[] | undefined
  /** The entities to save: those that match a query of this world, or a list of handles. By default all. */
  readonly entities?: Query | ArrayLike<number> | undefined
}

/**
 * What the options of a save select.
 *
 * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT
 */
export function selectionOf(state: WorldState, options: SaveOptions, operation: string): Selection {
  checkOptions(operation, options, ['only', 'entities'])
  const { only, entities } = options ?? {}
  return {
    only: only === undefined ? undefined : new Set(takeSaveable(only, operation, 'only')),
    entities: entities === undefined ? undefined : handlesIn(state, entities, operation),
  }
}

/** The definitions of components and of resources with fields, and the declarations of other resources. */
function takeSaveable(
  list: readonly Saveable[],
  operation: string,
  option: string,
): (Definition | ResourceDeclaration)[] {
  return takeDeclarations(list, `${operation}: ${option}`).map((one) =>
    one instanceof ResourceDeclaration ? (one.definition ?? one) : one,
  )
}

/** Components and resources in a list, read once. */
export function takeDeclarations(list: unknown, operation: string): (Definition | ResourceDeclaration)[] {
  return takeArray(operation, 'components and resources', list as readonly unknown[]).map((one) => {
    const declaration = one instanceof ResourceDeclaration ? one : definitionOf(one)
    if (declaration === undefined) throw notAComponent(one, operation)
    return declaration
  })
}

function handlesIn(
  state: WorldState,
  entities: Query | ArrayLike<number>,
  operation: string,
): ArrayLike<number> {
  if (!(entities instanceof Query)) return takeHandles(operation, entities, undefined, 'handles, or a query')
  // eslint-disable-next-line no-restricted-syntax -- the query is the user's, and so is the look
  if (entities.source.state === state) return entities.entities()
  throw new StrataTypeError('INVALID_OPTION', `${operation}: the query in entities is one of another world.`)
}
