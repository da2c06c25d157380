// Owns what a save takes from a world: which entities and components, their rows column by column, links, and resources.

import {
  SCRATCH_ADDRESS_WORD,
  SCRATCH_WORDS,
  STORAGE_RESOURCE,
  TABLE_ROWS,
  WORLD_TICK,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import { FAMILIES } from '../components/fieldKinds'
import type { ResourceDeclaration } from '../components/resourceDeclaration'
import { INDEX_MASK, NULL_ENTITY } from '../memory/entity'
import { type Registration, onlyRowOf } from '../state/registration'
import { type LinkSaving, linkSavingOf, savedDefinitionOf } from '../state/relationHooks'
import { seal, unseal } from '../state/session'
import { eachArchetype, eachChunk } from '../memory/coreTables'
import type { WorldState } from '../state/worldState'
import { orderOfMaking } from './creationOrder'
import { NONE, plain } from './plainValues'
import {
  type SavedColumns,
  NO_NUMBER,
  type SavedRows,
  type SavedComponent,
  type SavedField,
  type SavedLinks,
  type SavedResource,
  type SavedWorld,
  widthOf,
  words,
} from './savedWorld'

/** What of a world is saved; undefined for all. */
export interface Selection {
  /** Definitions of components and of resources with fields, declarations of other resources. */
  readonly only: ReadonlySet<Definition | ResourceDeclaration> | undefined
  readonly entities: ArrayLike<number> | undefined
}

/** Rows that follow each other in memory. */
interface MemoryRun {
  readonly data: number
  readonly layoutKey: number
  readonly start: number
  readonly end: number
}

/**
 * All that a save says of a world.
 *
 * @throws StrataTypeError INVALID_VALUE for what no file can hold; what the `save` of a resource or an object throws
 */
export function collect(state: WorldState, selection: Selection): SavedWorld {
  return new Gathering(state, selection).gather()
}

class Gathering {
  private readonly known: Registration[]
  private readonly relations: (readonly [Registration, LinkSaving])[]
  /** By entity index: the number in the save. */
  private readonly numbers: Uint32Array
  private count = 0
  /** By entity index 1 where it is saved; undefined where all are. */
  private readonly chosen: Uint8Array | undefined
  private readonly texts = ['']
  /** By the id of a text: its place among them. */
  private readonly textPlaces = new Map<number, number>()

  constructor(
    private readonly state: WorldState,
    private readonly selection: Selection,
  ) {
    const { only, entities } = selection
    const taken = state
      .allKnown()
      .filter(({ definition }) => only?.has(definition) ?? true)
      .sort((a, b) => a.id - b.id)
    this.known = taken.filter(({ definition }) => !hasHiddenColumns(definition))
    this.relations = taken.flatMap((registration) => {
      const saving = linkSavingOf(registration.definition)
      return saving === undefined ? [] : [[registration, saving] as const]
    })
    this.numbers = new Uint32Array(state.heap.entityCapacity).fill(NO_NUMBER)
    if (entities !== undefined) this.chosen = this.choose(entities)
    else if (only !== undefined) this.chosen = this.chooseWith()
  }

  gather(): SavedWorld {
    const { state } = this
    seal(state)
    let values: SavedResource[]
    let tables: SavedRows[]
    try {
      values = this.values()
      tables = this.rowsOfTables()
    } finally {
      unseal(state)
    }
    const pools = this.known
      .filter(({ pooled, pool }) => pooled && state.heap.word(pool + TABLE_ROWS) > 0)
      .map((registration) => this.rowsOfPool(registration))
      .filter(({ count }) => count > 0)
    const links = this.relations
      .map(([registration, saving]) => this.rowsOfLinks(registration, saving))
      .filter(({ count }) => count > 0)
    // Those that are on an entity, in the order in which the world met them.
    const used = new Set([...tables, ...pools, ...links].flatMap(({ components }) => components))
    const saved = [...this.known, ...this.relations.map(([registration]) => registration)]
      .filter(({ id }) => used.has(id))
      .sort((a, b) => a.id - b.id)
    const places = new Map(saved.map(({ id }, place) => [id, place]))
    const components = saved.map(({ definition }) => savedComponent(definition))
    /** Now that all entities have their numbers, and all components their places. */
    const name = <R extends SavedRows>(rows: R): R => {
      const named = rows.components.map((id) => places.get(id) as number)
      named.forEach((place, i) =>
        this.nameAll((components[place] as SavedComponent).fields, rows.columns[i] as SavedColumns),
      )
      return { ...rows, components: named }
    }
    const [namedTables, namedPools, namedLinks] = [tables.map(name), pools.map(name), links.map(name)]
    const resources = [...this.resourcesWithFields(), ...values].sort((a, b) => (a.name < b.name ? -1 : 1))
    return {
      tick: state.heap.word(WORLD_TICK),
      texts: this.texts,
      components,
      tables: namedTables,
      pools: namedPools,
      links: namedLinks,
      making: orderOfMaking(state.heap, this.numbers, this.count),
      resources,
    }
  }

  private choose(entities: ArrayLike<number>): Uint8Array {
    const chosen = new Uint8Array(this.numbers.length)
    for (let i = 0; i < entities.length; i++) {
      const entity = entities[i] as number
      if (this.state.isAlive(entity)) chosen[entity & INDEX_MASK] = 1
    }
    return chosen
  }

  /** Those that have one of the components, and the targets of those that have one of the relations. */
  private chooseWith(): Uint8Array {
    const { state } = this
    const { heap } = state
    const chosen = new Uint8Array(this.numbers.length)
    const mark = (table: number) =>
      eachChunk(heap, table, (data, _, rows) => {
        for (const handle of heap.u32.subarray(data >> 2, (data >> 2) + rows))
          if (handle !== NULL_ENTITY) chosen[handle & INDEX_MASK] = 1
      })
    for (const { pooled, pool } of this.known) if (pooled) mark(pool)
    for (const [{ pool }, saving] of this.relations) {
      mark(pool)
      saving.eachTarget(state, (target) => (chosen[target & INDEX_MASK] = 1))
    }
    this.eachArchetype((table, known) => {
      if (known.length > 0) mark(table)
    })
    return chosen
  }

  /** Visits archetypes with rows, and which of the components each has, in the order of their ids. */
  private eachArchetype(visit: (table: number, known: Registration[]) => void): void {
    const byId = new Map(this.known.map((registration) => [registration.id, registration]))
    eachArchetype(this.state.heap, (table, components) =>
      visit(
        table,
        [...components].flatMap((component) => byId.get(component) ?? []),
      ),
    )
  }

  /** The runs of rows of a table whose entities are saved, and the handles in them. */
  private runsOf(table: number): { runs: MemoryRun[]; handles: Uint32Array } {
    const { heap } = this.state
    const { chosen } = this
    const runs: MemoryRun[] = []
    const handles = new Uint32Array(heap.word(table + TABLE_ROWS))
    let count = 0
    eachChunk(heap, table, (data, layoutKey, rows) => {
      const { u32 } = heap
      const first = data >> 2
      let start = -1
      for (let row = 0; row <= rows; row++) {
        const handle = row < rows ? (u32[first + row] as number) : NULL_ENTITY
        // Stable storage has holes.
        if (handle !== NULL_ENTITY && (chosen === undefined || chosen[handle & INDEX_MASK] === 1)) {
          if (start < 0) start = row
          handles[count++] = handle
        } else if (start >= 0) {
          runs.push({ data, layoutKey, start, end: row })
          start = -1
        }
      }
    })
    return { runs, handles: handles.subarray(0, count) }
  }

  private rowsOfTables(): SavedRows[] {
    const tables: SavedRows[] = []
    this.eachArchetype((table, known) => {
      const { runs, handles } = this.runsOf(table)
      if (handles.length === 0) return
      for (let row = 0; row < handles.length; row++)
        this.numbers[(handles[row] as number) & INDEX_MASK] = this.count++
      tables.push(this.rowsIn(known, runs, handles))
    })
    return tables
  }

  private rowsOfPool(registration: Registration): SavedRows {
    const { runs, handles } = this.runsOf(registration.pool)
    const rows = this.rowsIn([registration], runs, handles)
    const numbers = handles.map((handle) => this.numbers[handle & INDEX_MASK] as number)
    if (registration.definition.order !== 'insertion') return { ...rows, entities: numbers }
    // Its rows lie in any order; that of the insertion is kept beside them. Tags have no columns to be put in order.
    const places = this.insertionPlaces(registration, handles)
    const order = [...places.keys()].sort((a, b) => (places[a] as number) - (places[b] as number))
    const [off] = rows.off
    const turned = off && new Uint8Array(off.length)
    if (off && turned)
      order.forEach((from, to) => {
        turned[to >> 3] =
          (turned[to >> 3] as number) | ((((off[from >> 3] as number) >> (from & 7)) & 1) << (to & 7))
      })
    return { ...rows, entities: Uint32Array.from(order, (row) => numbers[row] as number), off: [turned] }
  }

  /** The links that lead to what is saved, and those that stay where their target is gone. */
  private rowsOfLinks({ id, pool }: Registration, saving: LinkSaving): SavedLinks {
    const { handles } = this.runsOf(pool)
    const isSaved = (target: number) => this.numberOf(target) !== NO_NUMBER
    const { sources, targets, turns, columns } = saving.take(this.state, handles, isSaved)
    return {
      count: sources.length,
      components: [id],
      entities: sources.map((source) => this.numberOf(source)),
      targets: targets.map((target) => this.numberOf(target)),
      turns,
      columns: [columns],
      off: [],
    }
  }

  private insertionPlaces({ id }: Registration, handles: Uint32Array): Uint32Array {
    const { heap, core } = this.state
    const places = handles.slice()
    for (let done = 0; done < places.length; done += SCRATCH_WORDS) {
      const part = places.subarray(done, done + SCRATCH_WORDS)
      heap.u32.set(part, SCRATCH_ADDRESS_WORD)
      core.orderRead(id, part.length)
      part.set(heap.u32.subarray(SCRATCH_ADDRESS_WORD, SCRATCH_ADDRESS_WORD + part.length))
    }
    return places
  }

  private rowsIn(
    known: readonly Registration[],
    runs: readonly MemoryRun[],
    handles: Uint32Array,
  ): SavedRows {
    const count = handles.length
    const saves = known.some(({ objects }) => objects?.options.save !== undefined)
    return {
      count,
      components: known.map(({ id }) => id),
      entities: handles,
      columns: known.map((registration) => this.columnsIn(registration, runs, count)),
      off: known.map((registration) => this.offIn(registration, runs, count)),
      values: saves ? known.map((registration) => this.objectsIn(registration, handles)) : undefined,
    }
  }

  private columnsIn(registration: Registration, runs: readonly MemoryRun[], count: number): SavedColumns {
    const { u8 } = this.state.heap
    return registration.definition.fields.map((field, k) => {
      const width = widthOf(field)
      const column = new Uint8Array(count * width)
      let filled = 0
      for (const { data, layoutKey, start, end } of runs) {
        const first = data + (registration.placement(layoutKey).offsets[k] as number)
        column.set(u8.subarray(first + start * width, first + end * width), filled)
        filled += (end - start) * width
      }
      return column
    })
  }

  /** The values of an object component, if it says how they are saved. */
  private objectsIn({ objects, definition }: Registration, handles: Uint32Array): unknown[] | undefined {
    const save = objects?.options.save
    if (save === undefined) return undefined
    return Array.from(handles, (handle) => {
      const value = objects?.get(handle)
      return value === undefined
        ? NONE
        : plain(save(value), `object '${definition.componentName}', entity ${handle}`)
    })
  }

  private offIn(
    registration: Registration,
    runs: readonly MemoryRun[],
    count: number,
  ): Uint8Array | undefined {
    if (!registration.canToggle) return undefined
    const { u8 } = this.state.heap
    const off = new Uint8Array((count + 7) >> 3)
    let at = 0
    for (const { data, layoutKey, start, end } of runs) {
      const first = data + registration.placement(layoutKey).toggleOffset
      for (let row = start; row < end; row++, at++) {
        const bit = ((u8[first + (row >> 3)] as number) >> (row & 7)) & 1
        off[at >> 3] = (off[at >> 3] as number) | (bit << (at & 7))
      }
    }
    return off.some((byte) => byte !== 0) ? off : undefined
  }

  /** Puts numbers in place of handles and of ids of texts; every true is a 1. */
  private nameAll(fields: readonly SavedField[], columns: SavedColumns): void {
    fields.forEach(({ kind }, k) => {
      const column = columns[k] as Uint8Array
      const replace = (values: Uint8Array | Uint32Array, naming: (value: number) => number) => {
        for (let i = 0; i < values.length; i++) values[i] = naming(values[i] as number)
      }
      const family = FAMILIES[kind]
      switch (family) {
        case 'integer':
        case 'float':
          return
        case 'bool':
          return replace(column, (value) => (value === 0 ? 0 : 1))
        case 'entity':
          return replace(words(column), (handle) => this.numberOf(handle))
        case 'text':
          return replace(words(column), (id) => this.placeOfText(id))
        default:
          family satisfies never
      }
    })
  }

  /** An entity that is dead, or is not saved, has none. */
  private numberOf(handle: number): number {
    return this.state.isAlive(handle) ? (this.numbers[handle & INDEX_MASK] as number) : NO_NUMBER
  }

  private placeOfText(id: number): number {
    const known = this.textPlaces.get(id)
    if (known !== undefined) return known
    const text = this.state.texts.at(id)
    const place = text === '' ? 0 : this.texts.push(text) - 1
    this.textPlaces.set(id, place)
    return place
  }

  private resourcesWithFields(): SavedResource[] {
    const { state } = this
    const { only } = this.selection
    return state.allKnown().flatMap((registration) => {
      const { definition } = registration
      if (definition.storageCode !== STORAGE_RESOURCE || hasHiddenColumns(definition)) return []
      if (only?.has(definition) === false) return []
      const ref = onlyRowOf(registration)
      if (ref === undefined) return []
      const fields = fieldsOf(definition)
      const columns = fields.map((field, k) => {
        const first = ref.data + (ref.placement.offsets[k] as number)
        return state.heap.u8.slice(first, first + widthOf(field))
      })
      this.nameAll(fields, columns)
      return [{ name: definition.componentName, fields, columns, value: undefined }]
    })
  }

  private values(): SavedResource[] {
    const { only } = this.selection
    const saved = this.state.resources?.savedValues((declaration) => only?.has(declaration) ?? true) ?? []
    return saved.map(([{ resourceName: name }, value]) => ({
      name,
      fields: undefined,
      columns: [],
      value: plain(value, `resource '${name}'`),
    }))
  }
}

/** Whether it is a relation, or what a relation keeps on targets or elsewhere. */
function hasHiddenColumns({ details: { columns }, fields }: Definition): boolean {
  return columns.length > fields.length
}

function savedComponent(definition: Definition): SavedComponent {
  const { componentName: name, details, storage } = definition
  return { name, version: details.version, storage, fields: fieldsOf(savedDefinitionOf(definition)) }
}

function fieldsOf({ fieldNames, fields }: Definition): SavedField[] {
  return fields.map(({ kind, length }, k) => ({ name: fieldNames[k] as string, kind, length }))
}
