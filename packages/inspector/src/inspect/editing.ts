// Owns changing one value by names: it finds the declaration and lets the world do the rest, so listeners are called.

import type { Definition } from '../../../../bindings/components/definition'
import { StrataTypeError, type World } from '../../../../bindings/index'
import { describe } from '../../../../bindings/memory/describe'
import { relatingOf, savedDefinitionOf } from '../../../../bindings/state/relationHooks'
import type { WorldState } from '../../../../bindings/state/worldState'
import { unknownName } from './nearest'
import { shownIn, shownNamed } from './source'

/**
 * @param field undefined for an object component
 * @param target of a relation the entity that the link leads to; may be left out where there is one target
 * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_VALUE; DeadEntityError DEAD_ENTITY; LimitError
 */
export function setNamed(
  world: World,
  state: WorldState,
  entity: number,
  name: string,
  field: string | undefined,
  value: unknown,
  target: number | undefined,
): void {
  const definition = shownNamed(state, name)?.definition
  if (definition === undefined) {
    const names = shownIn(state).map(({ definition: { componentName } }) => componentName)
    throw new StrataTypeError('NOT_A_COMPONENT', `set: ${unknownName('component', name, names)}`)
  }
  // Of a dead entity it is worth more to say that it is dead than that it lacks a field or a link.
  if (!state.isAlive(entity)) throw state.dead(entity, 'set')
  if (definition.kind === 'object') return setValue(world, entity, definition, field, value)
  const { fieldNames } = savedDefinitionOf(definition)
  if (field === undefined || !fieldNames.includes(field)) {
    const sentence =
      fieldNames.length === 0
        ? `${name} has no fields`
        : unknownName(`field of ${name} called`, field, fieldNames)
    throw new StrataTypeError('UNKNOWN_FIELD', `set: ${sentence}`)
  }
  const component = definition.kind === 'relation' ? linkOf(world, entity, definition, target) : definition
  world.set(entity, component as never, { [field]: value } as never)
}

function setValue(
  world: World,
  entity: number,
  definition: Definition,
  field: string | undefined,
  value: unknown,
): void {
  const name = definition.componentName
  if (field !== undefined) {
    throw new StrataTypeError(
      'UNKNOWN_FIELD',
      `set: ${name} is an object component, without fields: leave the field out, set(entity, '${name}', undefined, value).`,
    )
  }
  world.set(entity, definition as never, value as never)
}

/** A link that is there: one cannot be edited into being. */
function linkOf(world: World, entity: number, definition: Definition, target: number | undefined): unknown {
  const name = definition.componentName
  const pairOf = definition as unknown as (to: number) => unknown
  if (target === undefined) {
    if (relatingOf(definition)?.isExclusive === true && world.has(entity, definition as never))
      return definition
    throw new StrataTypeError(
      'INVALID_VALUE',
      `set: say which link of ${name} is meant: give its target as the last argument.`,
    )
  }
  const pair = pairOf(target)
  if (!world.has(entity, pair as never)) {
    throw new StrataTypeError(
      'INVALID_VALUE',
      `set: there is no link ${name}(${describe(target)}) to write to.`,
    )
  }
  return pair
}
