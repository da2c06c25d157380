// Owns what a user gives in a call: components with values taken from an object, and the lists of spawn and add. On the short way
// no list is made: that would cost more than the change.

import { StrataTypeError } from '../memory/errors'
import { INSPECT } from '../memory/consoleText'
import type { AnyObject, AnyRelation, Component, ComponentLike, ObjectValue } from './component'
import type { Definition } from './definition'
import { showValues } from './declarationText'
import type { Schema, Storage } from './schema'
import { type CopiedValues, listsAll, takeRead, takeValues } from './copiedValues'
import type { Term } from './terms'

/** A JavaScript value on its way to an entity. It is never copied: what is given is what is kept. */
export class ObjectBox<T = unknown> {
  constructor(readonly value: T) {}
}

/**
 * A component together with values. Made by calling the component. It holds a copy of the values, taken at that call,
 * and can be given to any number of entities.
 */
export class ComponentValue<S extends Schema = Schema, Where extends Storage = Storage> {
  /** @internal Made by calling the component. */
  constructor(
    readonly component: Component<S, Where>,
    /** What was taken, of an object component what it holds; undefined for a call without values, and beside floats. */
    private readonly kept: CopiedValues | ObjectBox | undefined,
    /** @internal What was taken for fields that are all given and all f32: see giveFloats. */
    readonly floats: readonly number[] | undefined = undefined,
  ) {}

  /** @internal What was taken, of an object component what it holds; undefined for a call without values. */
  get values(): CopiedValues | ObjectBox | undefined {
    return this.floats ?? this.kept
  }

  /** @internal */
  [INSPECT](): string {
    return showValues(this.component as unknown as Definition, this.values)
  }

  /** @internal */
  toString(): string {
    return this[INSPECT]()
  }
}

/** What spawn and add take: a component, a tag, or a component with values. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- values of any component
export type Ingredient = ComponentLike | ComponentValue<any, any> | ObjectValue<any>

/**
 * What a new entity can be made of. An object component has no default, so it must come with its value, and a relation
 * with its target.
 */
export type CompleteIngredient = Exclude<Ingredient, AnyObject | AnyRelation>
/** A list of ingredients in which every object component has a value; otherwise the compiler prints what to do. */
export type Complete<T extends readonly unknown[]> = {
  [K in keyof T]: T[K] &
    ([T[K]] extends [{ readonly makes: true }]
      ? unknown
      : [T[K]] extends [AnyObject]
        ? 'an object component has no default: give it a value, as in Sprite(mySprite)'
        : [T[K]] extends [AnyRelation]
          ? 'a relation needs its target: give it one, as in ChildOf(parent)'
          : unknown)
}

/** A list of ingredients that any number of entities can share; otherwise the compiler prints what to do. */
export type Shared<T extends readonly unknown[]> = {
  [K in keyof T]: T[K] &
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any object component, whatever it holds
    ([T[K]] extends [AnyObject | ObjectValue<any>]
      ? 'entities cannot share the value of an object component: add it to each, as in world.add(entity, Sprite(mySprite))'
      : [T[K]] extends [AnyRelation]
        ? 'a relation needs its target: give it one, as in ChildOf(parent)'
        : unknown)
}

/** A component with what a user gives for it; of an object component that is one value. */
export function giveValues(definition: Definition, given: unknown): ComponentValue {
  const values =
    definition.kind === 'object' ? hold(definition.componentName, given) : takeValues(definition, given)
  return new ComponentValue(definition as unknown as Component, values)
}

/**
 * giveValues for a component of one to four f32, for an object that gives all of them: its numbers are kept in an array that
 * holds nothing else. Undefined for an object that lists other fields, or in another order; it was not read then.
 */
export function giveFloats(definition: Definition, given: unknown): ComponentValue | undefined {
  if (!listsAll(definition, given)) return undefined
  const component = definition as unknown as Component
  const { fieldNames: names } = definition
  const { length } = names
  const a = given[names[0] as string]
  const b = length > 1 ? given[names[1] as string] : 0
  const c = length > 2 ? given[names[2] as string] : 0
  const d = length > 3 ? given[names[3] as string] : 0
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
    return new ComponentValue(component, takeRead(definition, [a, b, c, d]))
  const floats = length === 3 ? [a, b, c] : length === 2 ? [a, b] : length === 1 ? [a] : [a, b, c, d]
  return new ComponentValue(component, undefined, floats)
}

/** The values in an entry of a call's list; undefined where none were given. */
export function valuesIn(entry: unknown): CopiedValues | ObjectBox | undefined {
  return typeof entry === 'object' && entry instanceof ComponentValue ? entry.values : undefined
}

/** Wraps what an object component is given. Undefined is what get() says of an entity without the component. */
export function hold(name: string, value: unknown): ObjectBox {
  if (value !== undefined) return new ObjectBox(value)
  throw new StrataTypeError(
    'INVALID_VALUE',
    `${name} holds any value but undefined: give one, ${name}(value), or null for none.`,
  )
}

/** What was named in a call, in the order of its bundle; undefined where no value was given. */
export type ValuesByComponent = readonly (Ingredient | undefined)[] | undefined

/** Up to three arguments as a list; undefined when none of them has values. */
export function listFew(count: number, a: unknown, b: unknown, c: unknown): ValuesByComponent {
  if (typeof a !== 'object' && typeof b !== 'object' && typeof c !== 'object') return undefined
  return (count === 1 ? [a] : count === 2 ? [a, b] : [a, b, c]) as Ingredient[]
}

/** Four arguments or more as a list; undefined when none of them has values. */
export function listMany(a: unknown, b: unknown, c: unknown, more: readonly unknown[]): ValuesByComponent {
  const list = [a, b, c, ...more]
  return list.some((ingredient) => typeof ingredient === 'object') ? (list as Ingredient[]) : undefined
}

/** The components of a list of ingredients, as query terms. */
export type ComponentsOf<T extends readonly Ingredient[]> = {
  [K in keyof T]: T[K] extends ComponentValue<infer S, infer Where>
    ? Component<S, Where>
    : T[K] extends Term
      ? T[K]
      : never
}
