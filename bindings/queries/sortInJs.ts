// Owns sorting a query's handles in JavaScript: inside loops, because memory must not grow while one is open, and by what the
// core cannot sort by, texts and several fields.

import { loadField } from '../components/fieldMemory'
import { type Entity, type EntityArray, entityArray } from '../memory/entity'
import type { Registration } from '../state/registration'
import type { RowRef } from '../cursors/rowRef'
import type { WorldState } from '../state/worldState'
import { ageOf } from '../memory/handles'
import type { SortKey } from './sortQuery'

/** What is needed of a step of a loop. */
interface SortedRun {
  readonly entities: EntityArray
  readonly start: number
  readonly end: number
}

/** The first `limit` handles in order: by the first key, equal ones by the next, and so on; the older of equal ones first. */
export function sortInJs(
  state: WorldState,
  runs: Iterable<SortedRun>,
  registration: Registration,
  keys: readonly SortKey[],
  limit: number,
): EntityArray<ArrayBuffer> {
  const least = new Least(state, keys, limit)
  for (const { entities, start, end } of runs) {
    for (let row = start; row < end; row++) {
      const entity = entities[row] as Entity
      least.note(entity, registration.locate(entity) as RowRef)
    }
  }
  return least.inOrder()
}

/** As many times the handles that are wanted are kept before they are sorted and cut. */
const ROOM_A_HANDLE = 4
const LEAST_ROOM = 1024

/** Handles with their values, of which the ones that cannot be among the first are dropped on the way. */
class Least {
  private handles: Entity[] = []
  /** By key, then as the handles. */
  private values: unknown[][]
  private readonly room: number
  /** Whether the first `limit` are in order: what comes after the last of them is not wanted. */
  private bounded = false

  constructor(
    private readonly state: WorldState,
    private readonly keys: readonly SortKey[],
    private readonly limit: number,
  ) {
    this.values = keys.map(() => [])
    this.room = Math.max(limit * ROOM_A_HANDLE, LEAST_ROOM)
  }

  note(entity: Entity, { data, placement, row }: RowRef): void {
    const { handles, values, keys, limit } = this
    const place = handles.length
    handles[place] = entity
    for (let k = 0; k < keys.length; k++) {
      const { place: at, field } = keys[k] as SortKey
      const column = data + (placement.offsets[at] as number)
      ;(values[k] as unknown[])[place] = loadField(this.state.heap, field, column + (row << field.shift))
    }
    if (this.bounded && this.compare(place, limit - 1) > 0) this.dropLast()
    else if (place + 1 === this.room) this.cut()
  }

  inOrder(): EntityArray<ArrayBuffer> {
    this.cut()
    const sorted = entityArray(this.handles.length)
    sorted.set(this.handles)
    return sorted
  }

  private dropLast(): void {
    this.handles.pop()
    for (const column of this.values) column.pop()
  }

  /** Puts what is there in order, and drops what is not wanted. */
  private cut(): void {
    const { handles, values, limit } = this
    const places = handles.map((_, place) => place).sort((a, b) => this.compare(a, b))
    if (limit < places.length) places.length = limit
    this.handles = places.map((place) => handles[place] as Entity)
    this.values = values.map((column) => places.map((place) => column[place]))
    this.bounded = limit > 0
  }

  private compare(a: number, b: number): number {
    const { handles, values, keys, state } = this
    for (let k = 0; k < keys.length; k++) {
      const column = values[k] as number[]
      const difference = compareKeys(column[a] as number, column[b] as number, (keys[k] as SortKey).descends)
      if (difference !== 0) return difference
    }
    return ageOf(state.heap, handles[b] as number) - ageOf(state.heap, handles[a] as number)
  }
}

/** Numbers, or texts by their UTF-16 units; NaN behind everything, and -0 equal to 0. */
function compareKeys(a: number, b: number, descends: boolean): number {
  if (a < b) return descends ? 1 : -1
  if (a > b) return descends ? -1 : 1
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
}
