// Owns the refusal of what is not a component where one is expected: the sentence says what to write instead.

import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { type Definition, definitionOf } from './definition'
import { ComponentValue } from './componentValues'

/** Calls that take components with values among others. */
const WITH_VALUES = /^(?:commands\.)?(?:spawn|spawnMany|spawnAt|spawnManyAt|add|addMany|exchange)$/
/** Calls that take the values of a component as an argument of their own. */
const VALUES_APART = /^(?:commands\.set|(?:commands\.)?setIfDifferent)$/
/** Calls that take an entity, and then a component or several. */
const ENTITY_FIRST =
  /^(?:commands\.)?(?:spawnAt|add|remove|has|get|set|setIfDifferent|enable|disable|isEnabled|exchange)$/
/** Calls that take any number of components. */
const ANY_NUMBER = /^(?:commands\.)?(?:spawn|spawnAt|add|addMany|remove|removeMany|has|createGroup)$/

/** The error for a value that is no component, tag or object component, or not what is `wanted` of them. */
export function notAComponent(value: unknown, operation: string, wanted?: string): StrataTypeError {
  return new StrataTypeError('NOT_A_COMPONENT', `${operation} ${refusal(value, operation, wanted)}.`)
}

function refusal(value: unknown, operation: string, given: string | undefined): string {
  const takesValues = WITH_VALUES.test(operation)
  if (!takesValues && value instanceof ComponentValue) {
    const { componentName: name, kind } = value.component as unknown as Definition
    if (!VALUES_APART.test(operation))
      return `takes components without values: write ${name}, not ${describe(value)}`
    const values = kind === 'object' ? 'value' : '{ … }'
    return `takes the component and its values apart: write ${operation}(entity, ${name}, ${values}), not ${operation}(entity, ${describe(value)})`
  }
  if (typeof value === 'number' && ENTITY_FIRST.test(operation))
    return `takes the entity first, ${operation}(entity, Position); in place of a component it got ${value}`
  if (Array.isArray(value) && ANY_NUMBER.test(operation))
    return `takes components one by one, not a list: spread it, ${operation}(${ENTITY_FIRST.test(operation) ? 'entity, ' : ''}...list)`
  const wanted =
    given ??
    (takesValues
      ? 'components, tags or components with values, such as Position({ x: 1 })'
      : 'components and tags')
  return `takes ${wanted}; got ${describe(value)}${insteadOf(value, operation)}`
}

/** What to write in place of a value that others take. */
function insteadOf(value: unknown, operation: string): string {
  if ((value as { readonly kind?: unknown } | null | undefined)?.kind === 'resource') {
    if (operation === 'get') return ', which belongs to the world: use world.getResource'
    if (operation === 'set') return ', which belongs to the world: use world.setResource'
    return ''
  }
  const isPlain =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isPlain && WITH_VALUES.test(operation)
    ? ': values are given by the component that they are for, Position({ x: 1 })'
    : ''
}

/** The error where only a component with fields will do. */
export function withoutFields(value: unknown, operation: string): StrataTypeError {
  const definition = definitionOf(value)
  if (definition === undefined) return notAComponent(value, operation)
  const { kind, componentName: name } = definition
  const instead =
    kind === 'object'
      ? `holds a JavaScript value: use world.get(entity, ${name})`
      : kind === 'relation'
        ? `is none: use world.get(entity, ${name}(target))`
        : `has none: ask world.has(entity, ${name})`
  return new StrataTypeError(
    'NOT_A_COMPONENT',
    `${operation} takes a component with fields, and ${describe(value)} ${instead}.`,
  )
}
