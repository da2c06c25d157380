// Owns what a loop sees: a run of rows in a chunk, with columns as typed arrays, and cursors. One object serves a whole loop: it
// must never be kept beyond a step, and it does not allocate once a chunk is known.

import {
  CHUNK_CAPACITY_WORD,
  CHUNK_CHANGED_WORD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_OWNER_WORD,
  CHUNK_ROWS_WORD,
  CHUNK_TABLE_WORD,
  WORLD_TICK_WORD,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import { refuseUntargeted } from '../components/needsTarget'
import type { ColumnAccess } from '../queryPlan/plan'
import type { ChunkList } from '../queryPlan/chunkList'
import { describe } from '../memory/describe'
import type { EntityArray } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { CHUNK_WORDS_SHIFT, type Heap } from '../memory/heap'
import { INSPECT, Shown, showRows } from '../memory/consoleText'
import { type ChunkColumns, NO_COLUMNS } from '../cursors/placement'
import { CursorRing } from '../cursors/cursorRing'
import { notAnObject } from '../components/objectOptions'
import type { Registration } from '../state/registration'
import type { WorldState } from '../state/worldState'

/** The entity columns seen so far, by chunk id; dropped when memory grows. */
export class EntityArrays {
  private arrays: (EntityArray | undefined)[] = []

  constructor(private readonly heap: Heap) {
    heap.readers.add(this)
  }

  memoryMoved(replaced: boolean): void {
    if (replaced) this.arrays = []
  }

  of(chunkId: number, data: number, capacity: number): EntityArray {
    const known = this.arrays[chunkId]
    if (known !== undefined && known.byteOffset === data && known.length === capacity) return known
    while (this.arrays.length <= chunkId) this.arrays.push(undefined)
    const made = this.heap.u32.subarray(data >> 2, (data >> 2) + capacity) as EntityArray
    this.arrays[chunkId] = made
    return made
  }
}

/** The place of a field in its component; throws when it has none of this name. */
export function fieldNumber(definition: Definition, field: string): number {
  // Components have few fields, and names are compared by identity: faster than a Map.
  const { fieldNames } = definition
  for (let k = 0; k < fieldNames.length; k++) if (fieldNames[k] === field) return k
  throw new StrataTypeError(
    'UNKNOWN_FIELD',
    `${definition.componentName} has no field '${field}': its fields are ${definition.fieldNames.join(', ')}.`,
  )
}

/** The error for asking a loop about a component that has no data in it. */
export function notInQuery(access: ColumnAccess, component: unknown, operation: string): StrataTypeError {
  refuseUntargeted(component as Definition | undefined)
  const name = (component as Partial<Definition> | undefined)?.componentName ?? describe(component)
  return new StrataTypeError(
    'NOT_A_COLUMN',
    `chunk.${operation}: ${name} has no data in ${access.describe()}: add it to the query, as itself or as optional(${name}).`,
  )
}

export class ChunkView extends Shown {
  /** First row of this run. */
  start = 0
  /** The row after the last one of this run. */
  end = 0
  /** @internal Words from Heap.chunks to the chunk's descriptor. */
  chunkOffset = 0
  /** Arrays over all of the world's memory, for the expert path. Replaced when memory grows. */
  readonly heap: Heap
  /** @internal The list in which the chunk is, and its place there. */
  list: ChunkList | undefined
  /** @internal */
  place = 0
  /** What is known of the columns of all chunks in the list. */
  private known: (ChunkColumns | undefined)[][]
  /** What is known of the columns of the first component, which is asked for most. */
  private firstKnown: (ChunkColumns | undefined)[]
  private first: Definition | undefined
  /** For a chunk that is in no list: nothing is ever known. */
  private readonly nothing: (ChunkColumns | undefined)[][]
  private readonly cursors: (ChunkCursor | undefined)[]
  /** Reused arrays for the values of object components. */
  private readonly objectArrays: unknown[][] = []

  constructor(
    private readonly state: WorldState,
    private readonly entityArrays: EntityArrays,
    private readonly access: ColumnAccess,
  ) {
    super()
    this.heap = state.heap
    this.cursors = access.definitions.map(() => undefined)
    this.nothing = access.definitions.map(() => [undefined])
    this.known = this.nothing
    this.firstKnown = this.known[0] ?? []
    this.first = access.definitions[0]
  }

  /** @internal */
  line(): string {
    return showRows('Chunk', this.start, this.end, this.access.describe)
  }

  /** @internal Stands on all rows of a chunk, whichever it is. */
  enter(id: number): void {
    if (this.list !== undefined) this.follow(undefined)
    this.step(id << CHUNK_WORDS_SHIFT, 0)
  }

  /** @internal Will stand on chunks of a list, or on any. */
  follow(list: ChunkList | undefined): void {
    this.list = list
    this.known = list === undefined ? this.nothing : list.columns
    this.firstKnown = this.known[0] ?? []
  }

  /** @internal Stands on all rows of the chunk at a place of the list; its descriptor is so many words from Heap.chunks. */
  step(chunkOffset: number, place: number): void {
    const { heap } = this
    this.place = place
    this.chunkOffset = chunkOffset
    this.start = 0
    this.end = heap.u32[heap.chunks + chunkOffset + CHUNK_ROWS_WORD] as number
  }

  /** A word of the descriptor. */
  private word(word: number): number {
    const { u32, chunks } = this.heap
    return u32[chunks + this.chunkOffset + word] as number
  }

  /** @internal */
  get id(): number {
    return this.chunkOffset >> CHUNK_WORDS_SHIFT
  }

  /** @internal Address of the rows. */
  get data(): number {
    return this.word(CHUNK_DATA_WORD)
  }

  /** @internal */
  get layoutKey(): number {
    return this.word(CHUNK_LAYOUT_KEY_WORD)
  }

  /** @internal The id of the archetype (or component, for a pool) that owns the chunk. */
  get owner(): number {
    return this.word(CHUNK_OWNER_WORD)
  }

  /** @internal Whether the rows are those of the component's own pool. */
  isOf({ pool }: Registration): boolean {
    return this.word(CHUNK_TABLE_WORD) === pool
  }

  /** Handles of the rows. */
  get entities(): EntityArray {
    return this.entityArrays.of(this.id, this.data, this.word(CHUNK_CAPACITY_WORD))
  }

  /** The columns of a component for looking; undefined where the chunk has none. Marks nothing. */
  read(component: unknown): unknown {
    return this.columns(component, 'read').arrays
  }

  /** The columns of a component for writing; undefined where the chunk has none. Marks them changed. */
  write(component: unknown): unknown {
    const columns = this.columns(component, 'write')
    if (columns.tick !== 0) this.mark(columns, this.start, this.end)
    return columns.arrays
  }

  /** Marks a component changed, in one row or in all of this run, for loops that write through `heap` or `read`. */
  markChanged(component: unknown, row?: number): void {
    const columns = this.columns(component, 'markChanged')
    if (columns.tick === 0) return
    if (row === undefined) this.mark(columns, this.start, this.end)
    else this.mark(columns, row, row + 1)
  }

  private mark(columns: ChunkColumns, start: number, end: number): void {
    const { u32, chunks } = this.heap
    const now = u32[WORLD_TICK_WORD] as number
    u32[columns.tick] = now
    u32[chunks + this.chunkOffset + CHUNK_CHANGED_WORD] = now
    if (columns.rowTicks !== undefined) columns.rowTicks.fill(now, start, end)
  }

  /** Index of row 0 of a field's column in the heap-wide array of its kind; -1 where the chunk has none. */
  index(component: unknown, field: string): number {
    const columns = this.columns(component, 'index')
    const k = fieldNumber(component as Definition, field)
    return columns.tick === 0 ? -1 : (columns.indices[k] as number)
  }

  /** Access by row for a component that may lie elsewhere: `cursor(Health).at(i)`. */
  cursor(component: unknown): ChunkCursor {
    const k = this.find(component)
    return this.cursors[k] ?? this.makeCursor(k, component)
  }

  private makeCursor(k: number, component: unknown): ChunkCursor {
    if (k < 0) throw notInQuery(this.access, component, 'cursor')
    if ((component as Definition).kind === 'object') throw this.notAColumn(component as Definition, 'cursor')
    const { definitions, registrations, isColumn } = this.access
    const made = new ChunkCursor(this, definitions[k] as Definition, registrations[k], isColumn[k] as boolean)
    this.cursors[k] = made
    return made
  }

  /** The values of an object component, from start to end; undefined where the chunk has none. */
  objects(component: unknown): readonly unknown[] | undefined {
    const k = this.find(component)
    if (k < 0) throw notInQuery(this.access, component, 'objects')
    const registration = this.access.registrations[k]
    if (registration === undefined) return undefined
    if (registration.objects === undefined) throw notAnObject(component, 'chunk.objects')
    // Rows of a pool belong to entities of many archetypes: there each row says for itself.
    if (!this.access.walksPool && !registration.isIn(this.owner)) return undefined
    const array = (this.objectArrays[k] ??= [])
    registration.objects.fill(array, this.heap.u32, this.data >> 2, this.start, this.end)
    return array
  }

  private find(component: unknown): number {
    const definitions = this.access.definitions
    for (let k = 0; k < definitions.length; k++) if (definitions[k] === component) return k
    return -1
  }

  /** What a component has in this chunk. */
  private columns(component: unknown, operation: string): ChunkColumns {
    const known = component === this.first ? this.firstKnown[this.place] : this.otherKnown(component)
    return known ?? this.findColumns(component, operation)
  }

  private otherKnown(component: unknown): ChunkColumns | undefined {
    const { definitions } = this.access
    for (let k = 1; k < definitions.length; k++)
      if (definitions[k] === component) return (this.known[k] as (ChunkColumns | undefined)[])[this.place]
    return undefined
  }

  /** What is not known yet. */
  private findColumns(component: unknown, operation: string): ChunkColumns {
    // A chunk may be kept for longer than its world.
    this.state.refuseDisposed()
    const k = this.find(component)
    if (k < 0) throw notInQuery(this.access, component, operation)
    if (!(this.access.isColumn[k] as boolean)) throw this.notAColumn(component as Definition, operation)
    const registration = this.access.registrations[k]
    if (registration === undefined) return NO_COLUMNS
    return this.list !== undefined
      ? this.list.findColumns(k, this.place, registration)
      : registration.columnsOf(this.id, this.data, this.layoutKey)
  }

  private notAColumn(definition: Definition, operation: string): StrataTypeError {
    const name = definition.componentName
    if (definition.kind === 'object') {
      return new StrataTypeError(
        'NOT_A_COLUMN',
        `chunk.${operation}: ${name} is an object component: take its values from chunk.objects(${name}).`,
      )
    }
    return new StrataTypeError(
      'NOT_A_COLUMN',
      `chunk.${operation}: ${name} is not a column of ${this.access.describe()}: reach it by row through chunk.cursor(${name}).at(i).`,
    )
  }
}

/** Reaches one component by the row numbers of a chunk, wherever its own rows are. */
export class ChunkCursor {
  private readonly ring: CursorRing

  constructor(
    private readonly chunk: ChunkView,
    private readonly definition: Definition,
    readonly registration: Registration | undefined,
    private readonly isColumn: boolean,
  ) {
    this.ring = new CursorRing(definition, chunk.heap)
  }

  /** @internal */
  [INSPECT](): string {
    return `Cursor(${this.definition.componentName})`
  }

  /** The values of row i, through one of eight cursors, which are used in turn. Undefined where the entity has none. */
  at(row: number): object | undefined {
    const { registration, chunk } = this
    if (registration === undefined) return undefined
    // Of several pools the one that is walked has its rows here.
    const ref =
      this.isColumn || chunk.isOf(registration)
        ? registration.locateIn(chunk.chunkOffset, row)
        : registration.locate(chunk.heap.u32[(chunk.data >> 2) + row] as number)
    if (ref === undefined) return undefined
    return this.ring.stand(ref)
  }
}
