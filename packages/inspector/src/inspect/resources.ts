// Owns the list of resources that a world has, and writing one by its name.

import type { ResourceDeclaration } from '../../../../bindings/components/resourceDeclaration'
import { type AnyResource, StrataTypeError, type World } from '../../../../bindings/index'
import type { Resources } from '../../../../bindings/resources/resources'
import type { WorldState } from '../../../../bindings/state/worldState'
import { type FieldInfo, fieldsOf } from './source'
import { unknownName } from './nearest'

/** A resource that a world has. */
export interface ResourceInfo {
  readonly name: string
  /** Its fields; undefined for a resource that is any JavaScript value. */
  readonly fields: readonly FieldInfo[] | undefined
  /** A copy of its fields; undefined for a resource that is any JavaScript value. */
  readonly values: Readonly<Record<string, unknown>> | undefined
  /** The value of a resource without fields, itself. */
  readonly value: unknown
}

export function resourcesIn(state: WorldState): ResourceInfo[] {
  return present(state).map((declaration) => {
    const content = resourcesOf(state)?.get(declaration)
    const { definition } = declaration
    return {
      name: declaration.resourceName,
      fields: definition && fieldsOf(definition),
      values: definition && (content as Record<string, unknown>),
      value: definition === undefined ? content : undefined,
    }
  })
}

const resourcesOf = (state: WorldState): Resources | undefined => state.resources as Resources | undefined

/** Those that are there. Asking whether one is there would take its name, also where it is not: only what was met is asked. */
function present(state: WorldState): ResourceDeclaration[] {
  const resources = resourcesOf(state)
  return resources?.declarations().filter((declaration) => holds(resources, declaration)) ?? []
}

/** What a world has of its resources, as far as it is needed here. */
function holds(resources: Resources, { number }: ResourceDeclaration): boolean {
  return resources['holders'][number]?.present === true
}

/**
 * Writes a field of a resource, or the value of one without fields.
 *
 * @throws StrataTypeError NOT_A_RESOURCE, UNKNOWN_FIELD, INVALID_VALUE
 */
export function setResourceNamed(
  world: World,
  state: WorldState,
  name: string,
  field: string | undefined,
  value: unknown,
): void {
  const resources = present(state)
  const declaration = resources.find(({ resourceName }) => resourceName === name)
  if (declaration === undefined) {
    const names = resources.map(({ resourceName }) => resourceName)
    throw new StrataTypeError('NOT_A_RESOURCE', `setResource: ${unknownName('resource', name, names)}`)
  }
  const resource = declaration as unknown as AnyResource
  if (declaration.definition === undefined) {
    if (field !== undefined) {
      throw new StrataTypeError(
        'UNKNOWN_FIELD',
        `setResource: ${name} is a value without fields: leave the field out, setResource('${name}', undefined, value).`,
      )
    }
    world.setResource(resource, value as never)
  } else world.setResource(resource, { [String(field)]: value } as never)
}
