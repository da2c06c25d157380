// Owns what users name as the source of a buffer: a component and its fields. It checks them, and finds the columns in a run of
// rows.

import {
  type AnyComponent,
  type Component,
  type Optional,
  type Present,
  type Query,
  StrataTypeError,
  type Term,
} from '../../../bindings/index'
import type { Kind, KindIn } from '../../../bindings/components/fieldKinds'
import { describe } from '../../../bindings/memory/describe'
import { takeArray } from '../../../bindings/memory/givenLists'
import { arrayKind } from '../../../bindings/memory/realms'

/** A run of rows, as a chunk loop shows it. */
export interface BufferRun {
  readonly start: number
  readonly end: number
  readonly entities: Uint32Array
  read(component: unknown): Readonly<Record<string, TypedColumn>> | undefined
}

/** A typed array of any kind. */
export type TypedColumn =
  Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array

type NamedInTerm<U> = U extends Optional<infer Cs> | Present<infer Cs> ? Cs[number] : U

/** The components with fields that the terms of a query name. */
export type SourceComponent<T extends readonly Term[]> = Extract<NamedInTerm<T[number]>, AnyComponent>

/**
 * Where values come from: a component among the terms, and a field of it, or several fields, one for each number. A `vec` field
 * gives as many numbers as it is long. Booleans give 0 and 1.
 */
export type ColumnSource<T extends readonly Term[]> = SourceIn<SourceComponent<T>>

type SourceIn<C> =
  C extends Component<infer S, infer _>
    ? readonly [component: C, fields: (keyof S & string) | readonly (keyof S & string)[]]
    : never

/** A source that was checked, and the columns of the run that it was last shown. */
export class CheckedSource {
  /** How many numbers a row has. */
  readonly length: number
  /** By number of a row's values: the array that it is in, and how far into the row's part of that array. */
  readonly columns: TypedColumn[] = []
  readonly strides: number[] = []
  readonly offsets: number[] = []
  private readonly names: string[] = []

  private constructor(
    readonly component: AnyComponent,
    fields: readonly string[],
  ) {
    const schema = component.schema as Readonly<Record<string, { readonly length: number }>>
    for (const name of fields) {
      const { length } = schema[name] as { readonly length: number }
      for (let k = 0; k < length; k++) {
        this.names.push(name)
        this.strides.push(length)
        this.offsets.push(k)
      }
    }
    this.length = this.names.length
  }

  /**
   * @param what the option, for sentences
   * @param lengths how many numbers it may have
   */
  static take(what: string, given: unknown, query: Query, lengths: readonly number[]): CheckedSource {
    const pair = Array.isArray(given)
      ? takeArray(what, 'a component and its fields', given as readonly unknown[])
      : []
    const [component, named] = pair as [AnyComponent, string | readonly string[]]
    const schema = (component as { schema?: unknown } | undefined)?.schema as
      Readonly<Record<string, { readonly kind: Kind }>> | undefined
    if (pair.length !== 2 || schema === undefined) {
      throw refusal(
        `${what} takes a component and its fields, [Position, ['x', 'y']], not ${describe(given)}.`,
      )
    }
    const name = component.componentName
    const fields = Array.isArray(named)
      ? takeArray(what, 'fields', named as readonly string[])
      : [named as string]
    if (fields.length === 0 || (!Array.isArray(named) && typeof named !== 'string')) {
      throw refusal(`${what}: name a field of ${name}, or a list of them, not ${describe(named)}.`)
    }
    for (const field of fields) {
      if (!Object.hasOwn(schema, field)) {
        throw refusal(`${what}: ${name} has no field '${field}': there is ${Object.keys(schema).join(', ')}.`)
      }
      const kind = schema[field]?.kind
      if (kind === 'text') throw refusal(`${what}: ${name}.${field} is a text, which has no number.`)
      kind satisfies KindIn<'integer' | 'float' | 'bool' | 'entity'> | undefined
    }
    requireColumn(what, component, query)
    const source = new CheckedSource(component, fields)
    if (lengths.includes(source.length)) return source
    throw refusal(`${what} takes ${lengths.join(' or ')} numbers; ${name} gives ${source.length}.`)
  }

  /** Looks at a run; false where its entities lack the component. */
  look(run: BufferRun): boolean {
    const columns = run.read(this.component)
    if (columns === undefined) return false
    for (let k = 0; k < this.length; k++) this.columns[k] = columns[this.names[k] as string] as TypedColumn
    return true
  }

  /** Value k of a row of that run. */
  at(row: number, k: number): number {
    return (this.columns[k] as TypedColumn)[
      row * (this.strides[k] as number) + (this.offsets[k] as number)
    ] as number
  }

  /** The one column that holds the rows of that run as a buffer holds them; undefined if it is not so. */
  get whole(): Float32Array | undefined {
    const [column] = this.columns
    return arrayKind(column) === 'Float32Array' && this.strides[0] === this.length
      ? (column as Float32Array)
      : undefined
  }
}

function requireColumn(what: string, component: AnyComponent, query: Query): void {
  const plan = query['source'].plan()
  const place = plan.definitions.findIndex((definition) => (definition as unknown) === component)
  if (place >= 0 && plan.isColumn[place] === true) return
  const { componentName } = component
  throw refusal(
    place < 0
      ? `${what}: ${componentName} is not among the terms of the query: add it, or optional(${componentName}).`
      : `${what}: ${componentName} is no column of this query, which reaches it by row. Declare it with storage 'table', or ask for it alone.`,
  )
}

/** The error for an option that cannot be used. */
export function refusal(sentence: string): StrataTypeError {
  return new StrataTypeError('INVALID_OPTION', sentence)
}

/** Refuses options that there are not. */
export function checkNames(what: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw refusal(`${what}: the options must be an object, not ${describe(options)}.`)
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw refusal(`${what} has no option '${unknown}': there is ${names.join(', ')}.`)
}

/** Refuses attributes that are no object of sources, and those whose names are taken by something else. */
export function checkAttributeNames(what: string, attributes: unknown, taken: readonly string[]): void {
  if (typeof attributes !== 'object' || attributes === null)
    throw refusal(`${what}: attributes must be an object of sources by name, not ${describe(attributes)}.`)
  const name = Object.keys(attributes).find((one) => taken.includes(one))
  if (name !== undefined) {
    throw refusal(
      `${what}: there is an attribute '${name}' already, which this one would replace: call yours otherwise.`,
    )
  }
}

/** @returns the capacity, a whole number */
export function checkCapacity(what: string, capacity: unknown = 0): number {
  if (Number.isInteger(capacity) && (capacity as number) >= 0 && (capacity as number) <= 2 ** 24)
    return capacity as number
  throw refusal(`${what}: capacity must be a whole number from 0 to 16,777,216, not ${describe(capacity)}.`)
}
