// Owns what the entry 'strata-ecs/arrow' asks of a query: its components with data, and the runs of rows of a loop over
// it. It reaches the library through the query alone.

import type { Definition } from '../../../bindings/components/definition'
import type { Field } from '../../../bindings/components/fields'
import type { Kind } from '../../../bindings/components/fieldKinds'
import type { Term } from '../../../bindings/components/terms'
import type { Query } from '../../../bindings/queries/query'
import type { Relating } from '../../../bindings/state/relationHooks'

/** A run of rows, as a chunk loop or a loop over a group shows it. */
export interface ArrowRun {
  readonly start: number
  readonly end: number
  readonly entities: Uint32Array
  read(component: unknown): Readonly<Record<string, NumberColumn>> | undefined
  cursor(component: unknown): { at(row: number): Readonly<Record<string, unknown>> | undefined }
}

export type NumberColumn =
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>

export interface ArrowField {
  readonly name: string
  readonly kind: Kind
  /** Values of a row: more than 1 for `vec`. */
  readonly length: number
}

export interface ArrowComponent {
  readonly definition: Definition
  readonly fields: readonly ArrowField[]
  /** Whether runs have its values as columns; else it is reached by row. */
  readonly isColumn: boolean
  /** Whether entities that match may lack it. */
  readonly mayLack: boolean
}

/** A relation among the terms. */
export interface ArrowRelation {
  readonly definition: Definition
  readonly isExclusive: boolean
  /** Whether entities that match may have no target. */
  readonly mayLack: boolean
  /** Appends the targets of an entity to a list. */
  collectTargets(entity: number, into: number[]): void
}

export interface ArrowSource {
  /** Components with fields, and relations, in the order of the terms; a relation with values is both. */
  readonly parts: readonly (ArrowComponent | ArrowRelation)[]
  readonly components: readonly ArrowComponent[]
  /** How many rows there are, now. */
  readonly count: number
  runs(): Iterable<ArrowRun>
  readonly textOf: (id: number) => string
}

/** Whether a value is a query of this package, whichever copy made it. */
export function isQuery(value: unknown): boolean {
  const source = (value as { readonly source?: { readonly terms?: unknown } } | null | undefined)?.source
  return typeof value === 'object' && Array.isArray(source?.terms)
}

export function sourceOf<T extends readonly Term[], Grouped extends boolean>(
  query: Query<T, Grouped>,
): ArrowSource {
  const source = query['source']
  const plan = source.plan()
  const { state, terms } = source
  const isRequired = (definition: Definition) =>
    terms.some((term) => term.definition === definition && term.role === 'required')
  const components = plan.definitions.map((definition, k): ArrowComponent => ({
    definition,
    fields: definition.fieldNames.map((name, n) => {
      const { kind, length } = definition.fields[n] as Field
      return { name, kind, length }
    }),
    isColumn: plan.isColumn[k] as boolean,
    mayLack: !isRequired(definition),
  }))
  const relations = terms.flatMap(({ definition, gives }): ArrowRelation[] => {
    const relating = definition.details.relating as Relating | undefined
    if (relating === undefined || !gives) return []
    const links = relating.linksIn(state)
    return [
      {
        definition,
        isExclusive: relating.isExclusive,
        mayLack: !isRequired(definition),
        collectTargets: (entity, into) => links.collectTargets(entity, into),
      },
    ]
  })
  const placeOf = ({ definition }: { readonly definition: Definition }) =>
    terms.findIndex((term) => term.definition === definition)
  return {
    // Sorting keeps a relation before its own values.
    parts: [...relations, ...components].sort((a, b) => placeOf(a) - placeOf(b)),
    components,
    get count() {
      return query.count
    },
    runs: () => query as unknown as Iterable<ArrowRun>,
    textOf: (id) => state.texts.at(id),
  }
}
