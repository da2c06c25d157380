// Owns the way from what a save says to what a program declares: names of components and fields, wider numbers, migrations. An
// error here is found before anything is built.

import type { Definition } from '../components/definition'
import { type Field, type List } from '../components/fields'
import { FAMILIES, KINDS, type Kind } from '../components/fieldKinds'
import { type ResourceDeclaration } from '../components/resourceDeclaration'
import { type CopiedValues, takeValues } from '../components/copiedValues'
import { refusePromise } from '../memory/arguments'
import { NULL_ENTITY } from '../memory/entity'
import { StrataError, StrataTypeError, isStrataError } from '../memory/errors'
import { isList } from '../memory/givenLists'
import { messageOf } from '../memory/realms'
import { linkSavingOf, savedDefinitionOf } from '../state/relationHooks'
import { type LoadedValues, disposeLoaded, loadObjects } from './loadedObjects'
import { revived } from './plainValues'
import {
  type SavedColumns,
  NO_NUMBER,
  type SavedRows,
  type SavedComponent,
  type SavedField,
  type SavedLinks,
  type SavedWorld,
  handlesOf,
  inTurn,
  valuesOf,
} from './savedWorld'

/** The declarations that names in a save stand for. */
export interface Declarations {
  readonly components: ReadonlyMap<string, Definition>
  readonly resources: ReadonlyMap<string, ResourceDeclaration>
}

/** What the entity of a row was called when it was saved. */
type HandleAt = (row: number) => number | undefined

/** The columns of a component as it is declared; undefined for a field that gets its default. */
export type FittedColumns = readonly (Uint8Array | undefined)[]

/** Rows of a save as a world will have them. */
export interface FittedRows {
  readonly count: number
  readonly entities: Uint32Array
  readonly definitions: readonly Definition[]
  readonly columns: readonly FittedColumns[]
  readonly off: readonly (Uint8Array | undefined)[]
  /** For each component, by row what the `load` of an object component returned; undefined where it made none. */
  readonly values: readonly (LoadedValues | undefined)[] | undefined
}

/** Links as a world will have them: rows of one relation. */
export interface FittedLinks extends FittedRows {
  /** Numbers; NO_NUMBER where the target is gone. */
  readonly targets: Uint32Array
  /** Rows in the order in which they enter the lists of their targets. */
  readonly order: Uint32Array
}

export interface FittedResource {
  readonly declaration: ResourceDeclaration
  readonly columns: FittedColumns
  /** What its `load` returned. */
  readonly value: unknown
}

export interface FittedWorld {
  readonly tick: number
  /** Of the components that the program knows, in the order of the save. */
  readonly definitions: readonly Definition[]
  /** Those of the save, and those that migrations have made. */
  readonly texts: readonly string[]
  readonly tables: readonly FittedRows[]
  readonly pools: readonly FittedRows[]
  readonly links: readonly FittedLinks[]
  /** The numbers of all entities in the order in which they are to have been made; undefined for that of their indices. */
  readonly making: Uint32Array | undefined
  readonly resources: readonly FittedResource[]
  /** Names of components, fields and resources that the program does not know. */
  readonly unknown: readonly string[]
  /** All values that the `load` of object components returned, each after its component. */
  readonly loaded: readonly unknown[]
}

/** Into which other kinds a kind of number goes without loss. */
const WIDER: Record<Kind, readonly Kind[]> = {
  i8: ['i16', 'i32', 'f32', 'f64'],
  u8: ['u16', 'i16', 'u32', 'i32', 'f32', 'f64'],
  i16: ['i32', 'f32', 'f64'],
  u16: ['u32', 'i32', 'f32', 'f64'],
  i32: ['f64'],
  u32: ['f64'],
  f32: ['f64'],
  f64: [],
  bool: [],
  entity: [],
  text: [],
}

/**
 * What a world of these declarations gets from a save that was checked.
 *
 * @throws StrataError MISSING_MIGRATION; what the `load` of resources and objects throws; for what a migration throws
 *   MIGRATION_FAILED, or its code if it has one; StrataTypeError INVALID_VALUE, UNKNOWN_FIELD, ASYNC_CALLBACK for what migrations return
 */
export function migrate(saved: SavedWorld, declared: Declarations): FittedWorld {
  const fitting = new Fitting(saved, declared)
  try {
    return fitting.fit()
  } catch (error) {
    disposeLoaded(fitting)
    throw error
  }
}

class Fitting {
  readonly loaded: unknown[] = []
  private readonly unknown: string[] = []
  private readonly texts: string[]
  /** By text, when a migration makes one. */
  private textPlaces: Map<string, number> | undefined
  /** The handles of all entities by number, and their numbers by handle, when a migration needs them. */
  private handles: Uint32Array | undefined
  private readonly numbers = new Map<number, number>()
  private readonly definitions: (Definition | undefined)[]
  /** By component: whether it is declared as it was saved, so that all its columns stay what they are. */
  private readonly unchanged: boolean[]

  constructor(
    private readonly saved: SavedWorld,
    private readonly declared: Declarations,
  ) {
    this.texts = [...saved.texts]
    this.definitions = saved.components.map((component) => this.definitionOf(component))
    this.unchanged = saved.components.map((component, place) => isAsSaved(component, this.definitions[place]))
  }

  fit(): FittedWorld {
    const { tick, tables, pools, links, making, resources } = this.saved
    return {
      tick,
      definitions: this.definitions.filter((definition) => definition !== undefined),
      tables: tables.map((rows) => this.fitRows(rows, (row) => rows.entities[row])),
      pools: pools
        .map((rows) => this.fitRows(rows, this.namedBy(rows)))
        .filter(({ definitions }) => definitions.length > 0),
      links: links.map((rows) => this.fitLinks(rows)).filter(({ definitions }) => definitions.length > 0),
      making,
      resources: resources.flatMap(({ name, fields, columns, value }) => {
        const declaration = this.declared.resources.get(name)
        const { definition, options } = declaration ?? {}
        if (declaration !== undefined && fields !== undefined && definition !== undefined) {
          this.noteFields(name, fields, definition)
          return [{ declaration, columns: this.byName(name, fields, definition, columns), value }]
        }
        if (declaration !== undefined && fields === undefined && options !== undefined)
          return [{ declaration, columns: [], value: options.load(revived(value)) }]
        this.unknown.push(name)
        return []
      }),
      texts: this.texts,
      unknown: this.unknown,
      loaded: this.loaded,
    }
  }

  /** The declaration that a component stands for. */
  private definitionOf({ name, version, fields }: SavedComponent): Definition | undefined {
    const definition = this.declared.components.get(name)
    if (definition === undefined) this.unknown.push(name)
    else if (definition.details.version === version)
      this.noteFields(name, fields, savedDefinitionOf(definition))
    else if (definition.details.version < version) {
      throw missing(
        `${name} has version ${version} in the save, and ${definition.details.version} here: load it with a program that knows version ${version}`,
      )
    } else {
      for (let step = version; step < definition.details.version; step++) {
        if (typeof definition.details.migrate?.[step] === 'function') continue
        throw missing(
          `${name} has version ${version} in the save, and ${definition.details.version} here: give component('${name}', …) the option migrate: { ${step}: (old) => ({ … }) }`,
        )
      }
    }
    return definition
  }

  private noteFields(name: string, fields: readonly SavedField[], { fieldNames }: Definition): void {
    for (const field of fields)
      if (!fieldNames.includes(field.name)) this.unknown.push(`${name}.${field.name}`)
  }

  /** @param handleAt what the entity of a row was called */
  private fitRows(
    { count, components, entities, columns, off, values }: SavedRows,
    handleAt: HandleAt,
    linked = false,
  ): FittedRows {
    const definitions: Definition[] = []
    for (const place of components) {
      const definition = this.definitions[place]
      if (definition === undefined) continue
      if ((linkSavingOf(definition) !== undefined) !== linked) throw other(definition, linked)
      definitions.push(definition)
    }
    const fitted: FittedColumns[] = []
    const switched: (Uint8Array | undefined)[] = []
    for (let i = 0; i < components.length; i++) {
      const place = components[i] as number
      const definition = this.definitions[place]
      if (definition === undefined) continue
      const saved = columns[i] as SavedColumns
      fitted.push(
        this.unchanged[place] === true ? saved : this.fitColumns(place, definition, count, saved, handleAt),
      )
      switched.push(off[i])
    }
    const made =
      values &&
      components.flatMap((place, i) => {
        const definition = this.definitions[place]
        return definition === undefined ? [] : [this.loadAll(definition, values[i])]
      })
    return { count, entities, definitions, columns: fitted, off: switched, values: made }
  }

  private loadAll(definition: Definition, states: readonly unknown[] | undefined): LoadedValues | undefined {
    if (states === undefined) return undefined
    const values = loadObjects(definition, states, this.loaded)
    const { componentName: name } = definition
    if (values === undefined && !this.unknown.includes(name)) this.unknown.push(name)
    return values
  }

  private fitLinks(rows: SavedLinks): FittedLinks {
    const { entities, targets, turns } = rows
    const fitted = this.fitRows(rows, this.namedBy(rows), true)
    for (const definition of fitted.definitions)
      linkSavingOf(definition)?.check(entities, targets, this.allHandles())
    return { ...fitted, targets, order: inTurn(turns) }
  }

  private fitColumns(
    place: number,
    declared: Definition,
    count: number,
    columns: SavedColumns,
    handleAt: HandleAt,
  ): FittedColumns {
    const { name, version, fields } = this.saved.components[place] as SavedComponent
    const definition = savedDefinitionOf(declared)
    return version === definition.details.version
      ? this.byName(name, fields, definition, columns)
      : this.migrated(version, fields, definition, count, columns, handleAt)
  }

  /** The columns of fields with equal names, wider where they are declared wider. */
  private byName(
    name: string,
    fields: readonly SavedField[],
    definition: Definition,
    columns: SavedColumns,
  ): FittedColumns {
    return definition.fields.map((field, k) => {
      const from = fields.findIndex((one) => one.name === definition.fieldNames[k])
      const saved = fields[from]
      if (saved === undefined) return undefined
      const column = columns[from] as Uint8Array
      if (saved.length === field.length) {
        if (saved.kind === field.kind) return column
        if (WIDER[saved.kind].includes(field.kind))
          return bytesOf(new KINDS[field.kind].Column(valuesOf(saved.kind, column) as never))
      }
      const [was, is] = [saved, field].map(({ kind, length }) =>
        length === 1 ? kind : `vec(${kind}, ${length})`,
      )
      throw missing(
        `${name}.${saved.name} is ${was} in the save, and ${is} here: give the field another name, or a component a version and a migration, { version: ${definition.details.version + 1}, migrate: { ${definition.details.version}: (old) => ({ … }) } }`,
      )
    })
  }

  /** The columns of a component of an earlier version, row by row through the functions of the program. */
  private migrated(
    version: number,
    fields: readonly SavedField[],
    definition: Definition,
    count: number,
    columns: SavedColumns,
    handleAt: HandleAt,
  ): FittedColumns {
    const { version: wanted, migrate } = definition.details
    const arrays = definition.fields.map(({ kind, length }) => new KINDS[kind].Column(count * length))
    const sources = fields.map(({ kind }, j) => valuesOf(kind, columns[j] as Uint8Array))
    for (let row = 0; row < count; row++) {
      let values: unknown = Object.fromEntries(
        fields.map((field, j) => [field.name, this.read(field, sources[j] as List, row)]),
      )
      let step = version - 1
      let taken: CopiedValues
      try {
        // After a result that is not an object no further step runs: the error names the step that returned it.
        while (step < wanted - 1 && typeof values === 'object' && values !== null) {
          values = migrate?.[++step]?.(values)
          refusePromise('migrate', values)
        }
        taken = takeValues(definition, values)
      } catch (error) {
        throw failed(step, definition, handleAt(row), error)
      }
      definition.fields.forEach((field, k) =>
        this.write(field, arrays[k] as List, row, taken[k] ?? field.defaultValue),
      )
    }
    return arrays.map(bytesOf)
  }

  private read({ kind, length }: SavedField, values: List, row: number): unknown {
    if (length > 1) {
      const list = (values as Uint32Array).slice(row * length, (row + 1) * length)
      return kind === 'entity' ? list.map((number) => this.handleOf(number)) : list
    }
    const value = values[row] as number
    const family = FAMILIES[kind]
    switch (family) {
      case 'integer':
      case 'float':
        return value
      case 'bool':
        return value !== 0
      case 'text':
        return this.texts[value]
      case 'entity':
        return this.handleOf(value)
      default:
        return family satisfies never
    }
  }

  private write(field: Field, values: List, row: number, value: unknown): void {
    const { kind, length } = field
    for (let i = 0; i < length; i++) {
      const item = isList(value) ? value[i] : value
      values[row * length + i] = this.stored(kind, item)
    }
  }

  private stored(kind: Kind, item: unknown): number {
    switch (FAMILIES[kind]) {
      case 'integer':
      case 'float':
      case 'bool':
        return Number(item)
      case 'text':
        return this.placeOf(item as string)
      case 'entity':
        return this.numberOf(item as number)
    }
  }

  private placeOf(text: string): number {
    this.textPlaces ??= new Map(this.texts.map((one, place) => [one, place]))
    let place = this.textPlaces.get(text)
    if (place === undefined) this.textPlaces.set(text, (place = this.texts.push(text) - 1))
    return place
  }

  private namedBy({ entities }: SavedRows): HandleAt {
    return (row) => this.handleOf(entities[row] as number)
  }

  private handleOf(number: number): number {
    return number === NO_NUMBER ? NULL_ENTITY : (this.allHandles()[number] as number)
  }

  private numberOf(handle: number): number {
    this.allHandles()
    return this.numbers.get(handle) ?? NO_NUMBER
  }

  private allHandles(): Uint32Array {
    if (this.handles === undefined) {
      this.handles = handlesOf(this.saved.tables)
      this.handles.forEach((handle, number) => this.numbers.set(handle, number))
    }
    return this.handles
  }
}

function bytesOf({ buffer }: { readonly buffer: ArrayBufferLike }): Uint8Array {
  return new Uint8Array(buffer)
}

/** Whether a component is declared with the version and the fields with which it was saved, in their order. */
function isAsSaved({ version, fields }: SavedComponent, declared: Definition | undefined): boolean {
  if (declared === undefined) return false
  const definition = savedDefinitionOf(declared)
  return (
    version === definition.details.version &&
    fields.length === definition.fields.length &&
    definition.fields.every(
      ({ kind, length }, k) =>
        fields[k]?.name === definition.fieldNames[k] &&
        fields[k]?.kind === kind &&
        fields[k]?.length === length,
    )
  )
}

/** The error for a name that stands for a relation on one side only. */
function other({ componentName: name }: Definition, linked: boolean): StrataError {
  const [was, is] = linked ? ['relation', 'component'] : ['component', 'relation']
  return missing(`${name} is a ${was} in the save, and a ${is} here: give the ${is} another name`)
}

/** The error for a step of a migration: what went wrong in it, and where. */
function failed(
  step: number,
  { componentName: name }: Definition,
  entity: number | undefined,
  error: unknown,
): StrataError {
  const Class = error instanceof StrataTypeError ? StrataTypeError : StrataError
  return new Class(
    isStrataError(error) ? error.code : 'MIGRATION_FAILED',
    `migrate ${step} of ${name}, entity ${entity}: ${messageOf(error).replace(/\.$/, '')}; nothing has changed.`,
    { cause: error },
  )
}

function missing(sentence: string): StrataError {
  return new StrataError('MISSING_MIGRATION', `${sentence}. Nothing has changed.`)
}
