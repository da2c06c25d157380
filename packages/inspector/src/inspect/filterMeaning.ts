// Owns what a filter means in one world: its names become declarations, its values are checked, and what is behind a ! is brought
// down to single conditions.

import type { Definition } from '../../../../bindings/components/definition'
import type { Field } from '../../../../bindings/components/fields'
import { FAMILIES, type Family, type Kind } from '../../../../bindings/components/fieldKinds'
import type { Comparison } from '../../../../bindings/components/queryTypes'
import { NULL_ENTITY } from '../../../../bindings/memory/entity'
import { relatingOf } from '../../../../bindings/state/relationHooks'
import type { Registration } from '../../../../bindings/state/registration'
import type { WorldState } from '../../../../bindings/state/worldState'
import { InspectError } from './filterError'
import {
  type FieldNode,
  type Filter,
  type FilterNode,
  type Named,
  type ValueNode,
  WORDS,
} from './filterSyntax'
import { unknownName } from './nearest'
import { shownIn } from './source'

/** A field of one value, or one value of a vec. */
export interface Subject {
  readonly registration: Registration
  /** The number of the field. */
  readonly field: number
  readonly kind: Kind
  /** Which value of the field; 0 where there is one. */
  readonly place: number
  readonly isVec: boolean
}

/** A condition on one entity, or several joined. Only single ones are negated. */
export type FilterCondition =
  | { readonly kind: 'always'; readonly negated: boolean }
  | { readonly kind: 'is'; readonly entity: number; readonly negated: boolean }
  | { readonly kind: 'has'; readonly registration: Registration; readonly negated: boolean }
  | {
      readonly kind: 'link'
      readonly registration: Registration
      /** A handle, or a component that the target must have. */
      readonly target: number | Registration
      readonly negated: boolean
    }
  | {
      readonly kind: 'compare'
      readonly subject: Subject
      readonly comparison: Comparison
      readonly value: number | string | boolean
      readonly negated: boolean
    }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly FilterCondition[] }

export interface FilterMeaning {
  readonly condition: FilterCondition
  readonly order: { readonly subject: Subject; readonly descending: boolean } | undefined
  /** Every component that the filter names. */
  readonly named: ReadonlySet<Registration>
}

/** @throws InspectError for unknown components and fields, and values of the wrong kind */
export function meaningOf(filter: Filter, state: WorldState): FilterMeaning {
  return new FilterReader(filter, state).read()
}

class FilterReader {
  private readonly known: readonly Registration[]
  private readonly named = new Set<Registration>()

  constructor(
    private readonly filter: Filter,
    state: WorldState,
  ) {
    this.known = shownIn(state)
  }

  read(): FilterMeaning {
    const { condition, order } = this.filter
    return {
      condition: this.condition(condition, false),
      order: order && { subject: this.subject(order.subject), descending: order.descending },
      named: this.named,
    }
  }

  private condition(node: FilterNode, negated: boolean): FilterCondition {
    switch (node.kind) {
      case 'all':
        return { kind: 'always', negated }
      case 'is':
        return { kind: 'is', entity: node.entity, negated }
      case 'has':
        return { kind: 'has', registration: this.component(node.component), negated }
      case 'not':
        return this.condition(node.part, !negated)
      case 'link':
        return this.link(node.relation, node.target, negated)
      case 'compare': {
        const subject = this.subject(node.subject)
        const value = this.value(node.subject, subject, node.value)
        return { kind: 'compare', subject, comparison: node.comparison, value, negated }
      }
      default: {
        // Of several that do not all hold, one does not.
        const kind = (node.kind === 'and') !== negated ? 'and' : 'or'
        return { kind, parts: node.parts.map((part) => this.condition(part, negated)) }
      }
    }
  }

  private component({ name, column }: Named): Registration {
    const found = this.known.find(({ definition }) => definition.componentName === name)
    if (found === undefined) {
      const word = name.toLowerCase()
      if (Object.hasOwn(WORDS, word)) this.refuse(column, WORDS[word as keyof typeof WORDS])
      const names = this.known.map(({ definition }) => definition.componentName)
      this.refuse(column, unknownName('component', name, names))
    }
    this.named.add(found)
    return found
  }

  private link(named: Named, target: Named | number | undefined, negated: boolean): FilterCondition {
    const registration = this.component(named)
    const { definition } = registration
    if (definition.kind !== 'relation')
      this.refuse(named.column, `${named.name} is no relation: only relations have a target in parentheses.`)
    if (target === undefined) return { kind: 'has', registration, negated }
    const to = typeof target === 'number' ? target : this.component(target)
    return { kind: 'link', registration, target: to, negated }
  }

  private subject({ component, field, place }: FieldNode): Subject {
    const registration = this.component(component)
    const { definition } = registration
    const number = definition.fieldNames.indexOf(field.name)
    if (number < 0) this.refuseField(definition, field)
    const { kind, length, defaultValue } = definition.fields[number] as Field
    // The class of a vec is that of the library, and not among its public names.
    const isList = typeof defaultValue === 'object'
    const written = `${component.name}.${field.name}`
    if (isList && place === undefined)
      this.refuse(field.column, `${written} holds ${length} values: say which, ${written}[0].`)
    if (!isList && place !== undefined) this.refuse(place.column, `${written} is one value, not a list.`)
    if (place !== undefined && place.index >= length)
      this.refuse(place.column, `${written} holds ${length} values, from [0] to [${length - 1}].`)
    return { registration, field: number, kind, place: place?.index ?? 0, isVec: isList }
  }

  private refuseField(definition: Definition, { name, column }: Named): never {
    const { componentName, fieldNames, kind } = definition
    if (kind === 'object')
      this.refuse(column, `${componentName} is an object component: a filter cannot look into its values.`)
    if (kind === 'relation' && relatingOf(definition)?.isExclusive === false)
      this.refuse(
        column,
        `an entity may have several links of ${componentName}, each with values of its own: a filter cannot compare them.`,
      )
    if (fieldNames.length === 0) this.refuse(column, `${componentName} has no fields to compare.`)
    this.refuse(column, unknownName(`field of ${componentName} called`, name, fieldNames))
  }

  /** The value that a field is compared with, as the field has it. */
  private value(
    { component, field }: FieldNode,
    { kind }: Subject,
    { kind: given, value, column }: ValueNode,
  ): number | string | boolean {
    if (kind === 'entity' && given === 'null') return NULL_ENTITY
    const [wanted, described] = WANTED[FAMILIES[kind]]
    if (given === wanted) return value
    return this.refuse(column, `${component.name}.${field.name} is compared with ${described}.`)
  }

  private refuse(column: number, sentence: string): never {
    throw new InspectError(this.filter.text, column, sentence)
  }
}

/** What a filter compares a field with: the kind of node, and how a sentence calls it. */
const WANTED: Record<Family, readonly [node: ValueNode['kind'], described: string]> = {
  integer: ['number', 'a number'],
  float: ['number', 'a number'],
  bool: ['bool', 'true or false'],
  text: ['text', 'a text in quotes'],
  entity: ['entity', 'an entity such as #1234, or null'],
}
