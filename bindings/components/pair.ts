// Owns a relation together with its target, as a user writes it: ChildOf(car), Likes(bob, { weight: 2 }). Whether the target is
// alive is checked when the pair is used.

import { describe } from '../memory/describe'
import { type Entity, isHandle } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { INSPECT } from '../memory/consoleText'
import type { ComponentLike } from './component'
import { type Definition, definitionOf } from './definition'
import { ComponentValue } from './componentValues'
import type { Schema } from './schema'
import { takeValues } from './copiedValues'

/**
 * A relation together with its target, and with values where they were given. Made by calling the relation. Give it to
 * spawn and add, ask with it by has and get, and use it as a term of a query.
 */
export class Pair<S extends Schema = Schema, Shown extends Schema = S> extends ComponentValue<S, 'sparse'> {
  /** For type inference only, no such property exists at run time: the fields that queries reach by entity. */
  declare readonly shown?: Shown

  /** @internal Made by calling the relation. */
  constructor(
    definition: Definition,
    /** The entity that is pointed at; in a term of a query also a component, for whatever has it. */
    readonly target: Entity | ComponentLike,
    values: unknown,
    /** What has the fields of a link. */
    fields: Definition,
  ) {
    super(definition as never, values === undefined ? undefined : takeValues(fields, values))
  }

  /** @internal The machinery of the relation. */
  get related(): object {
    return (this.component as unknown as Definition).details.relating as object
  }

  /** @internal */
  override [INSPECT](): string {
    return `${this.component.componentName}(${describe(this.target)})`
  }
}

/**
 * What calling a relation gives. `fields` is what has the fields of a link, where the relation has them not itself.
 *
 * @throws StrataTypeError INVALID_VALUE, UNKNOWN_FIELD
 */
export function givePair(
  definition: Definition,
  target: unknown,
  values: unknown,
  fields: Definition = definition,
): Pair {
  if (!isHandle(target) && definitionOf(target) === undefined) {
    const name = definition.componentName
    throw new StrataTypeError(
      'INVALID_VALUE',
      `${name} takes the entity that it points at, ${name}(parent), not ${describe(target)}.`,
    )
  }
  return new Pair(definition, target as Entity, values, fields)
}

/** The target of what was given for a relation: a handle, or undefined where none was. */
export function targetIn(ingredient: unknown): number | undefined {
  return ingredient instanceof Pair && typeof ingredient.target === 'number' ? ingredient.target : undefined
}
