// Owns the memory of the links of a relation with many targets: records in linear memory, found by numbers that never
// change, and the hash by which a source and a target lead to their link.
//
// Records lie in segments. Each is a hidden resource, a table with one row, so that snapshots, forks and the ledger of
// memory have it without more, and the core need not know what a link is. The next segment doubles what there is, and none
// ever moves. Values lie beside the records, each field in a column of its own.
//
//   record  ┌────────┬────────┬─────────────┬─────────────┬─────────────┬─────────────┬────────┬───────┐
//           │ source │ target │ of a source │ of a source │ of a target │ of a target │ bucket │ chain │
//           │        │        │ next        │ previous    │ next        │ previous    │        │       │
//           └────────┴────────┴─────────────┴─────────────┴─────────────┴─────────────┴────────┴───────┘
//   Handles, then numbers of links, 0 at the ends. `bucket` of record i begins the chain of bucket i, which has nothing to
//   do with link i: the hash grows with the records. Record 0 is no link: it counts. Of a free one the source is
//   NULL_ENTITY, and the first link leads to the next free one.

import { STATUS_DONE, STATUS_OUT_OF_MEMORY, TABLE_ROWS } from '../../build/layout'
import { type Definition, defineHidden } from '../components/definition'
import { type Field, u32, vec } from '../components/fields'
import { KINDS, type Kind, type KindIn } from '../components/fieldKinds'
import { rareOf } from '../memory/coreParts'
import { NULL_ENTITY } from '../memory/entity'
import { LimitError } from '../memory/errors'
import { NO_LAYOUT, Placement } from '../cursors/placement'
import { type Registration, onlyRowOf } from '../state/registration'
import { RowRef } from '../cursors/rowRef'
import type { WorldState } from '../state/worldState'

/** Words of a record, and their places in it. */
const RECORD_SHIFT = 3
export const SOURCE = 0
export const TARGET = 1
export const NEXT_OF_SOURCE = 2
export const PREVIOUS_OF_SOURCE = 3
export const NEXT_OF_TARGET = 4
export const PREVIOUS_OF_TARGET = 5
const BUCKET = 6
const CHAIN = 7
/** What record 0 has in place of a link: the lowest number never used, the first free one, how many are in use, buckets. */
const FRESH = 0
const FREE = 1
const LIVE = 2
const BUCKETS = 3

/** Bits of the numbers in the first segment, and in the first two; from the last one on all are of one size. */
const FIRST_BITS = 4
const SECOND_BITS = 9
const LAST_BITS = 20
const LAST_SEGMENT = LAST_BITS - SECOND_BITS + 1

/** The first number of a segment: the last one of those before, plus one. */
function startOf(segment: number): number {
  if (segment === 0) return 0
  if (segment === 1) return 1 << FIRST_BITS
  if (segment <= LAST_SEGMENT) return 1 << (segment + SECOND_BITS - 2)
  return (segment - LAST_SEGMENT) << LAST_BITS
}

function segmentOf(link: number): number {
  if (link < 1 << SECOND_BITS) return link < 1 << FIRST_BITS ? 0 : 1
  return link < 1 << LAST_BITS ? 32 - SECOND_BITS + 1 - Math.clz32(link) : LAST_SEGMENT + (link >>> LAST_BITS)
}

/** A field of a row that stands for many: as vec() makes it, of any length and also of texts. */
function manyOf(kind: Kind, length: number): Field {
  const properties = { kind, length, shift: KINDS[kind].shift }
  const descriptors = Object.entries(properties).map(([name, value]) => [name, { value }] as const)
  return Object.create(vec(u32, 1), Object.fromEntries(descriptors)) as Field
}

/** The declarations of the segments of a relation, made when a world needs them first. */
export class Segments {
  private readonly definitions: Definition[] = []

  constructor(
    private readonly name: string,
    /** The fields of a link. */
    readonly values: Definition,
  ) {}

  at(segment: number): Definition {
    while (this.definitions.length <= segment) {
      const number = this.definitions.length
      const links = startOf(number + 1) - startOf(number)
      const columns = this.values.fields.map(({ kind, length }) => manyOf(kind, length * links))
      const hidden = [manyOf('u32', links << RECORD_SHIFT), ...columns]
      this.definitions.push(defineHidden(`links ${number} of ${this.name}`, hidden))
    }
    return this.definitions[segment] as Definition
  }

  includes(definition: Definition): boolean {
    return this.definitions.includes(definition)
  }
}

export class LinkMemory {
  /** By segment: the index in the heap's u32 at which record 0 would lie, were all records in one piece. */
  private bases: number[] = []
  /** By segment: where its values are; the row is to be set. */
  private values: RowRef[] = []
  /** The timeline of the world for which these two hold. */
  private timeline = -1

  constructor(
    private readonly state: WorldState,
    private readonly segments: Segments,
  ) {}

  /** Index in the heap's u32 of the record of a link. */
  at(link: number): number {
    return (this.bases[segmentOf(link)] as number) + (link << RECORD_SHIFT)
  }

  /** Where the values of a link are; holds until the next call. */
  valuesOf(link: number): RowRef {
    const segment = segmentOf(link)
    const ref = this.values[segment] as RowRef
    ref.row = link - startOf(segment)
    return ref
  }

  /** To be called before anything else of a change or a question: finds the segments again after a restore. */
  check(): void {
    if (this.timeline !== this.state.timeline) this.enterAll()
  }

  /** How many links there are. */
  get count(): number {
    return this.bases.length === 0 ? 0 : (this.state.heap.u32[this.at(0) + LIVE] as number)
  }

  /** All numbers of links are less than this one. */
  get used(): number {
    return this.bases.length === 0 ? 0 : (this.state.heap.u32[this.at(0) + FRESH] as number)
  }

  // ── finding ────────────────────────────────────────────────────────────────────────────────────────────

  private bucketOf(source: number, target: number): number {
    let hash = Math.imul(source ^ Math.imul(target, 0x9e3779b1), 0x85ebca6b)
    hash ^= hash >>> 15
    return hash & ((this.state.heap.u32[this.at(0) + BUCKETS] as number) - 1)
  }

  /** The link from a source to a target; 0 when there is none. */
  find(source: number, target: number): number {
    if (this.bases.length === 0) return 0
    const { u32 } = this.state.heap
    let link = u32[this.at(this.bucketOf(source, target)) + BUCKET] as number
    while (link !== 0) {
      const record = this.at(link)
      if (u32[record + SOURCE] === source && u32[record + TARGET] === target) return link
      link = u32[record + CHAIN] as number
    }
    return 0
  }

  /** Enters a link into the hash: find returns it from now on. */
  enter(link: number): void {
    const { u32 } = this.state.heap
    const record = this.at(link)
    const bucket = this.at(this.bucketOf(u32[record + SOURCE] as number, u32[record + TARGET] as number))
    u32[record + CHAIN] = u32[bucket + BUCKET] as number
    u32[bucket + BUCKET] = link
  }

  /** Takes a link out of the hash. */
  leave(link: number): void {
    const { u32 } = this.state.heap
    const record = this.at(link)
    const bucket = this.bucketOf(u32[record + SOURCE] as number, u32[record + TARGET] as number)
    let at = this.at(bucket) + BUCKET
    while (u32[at] !== link) at = this.at(u32[at] as number) + CHAIN
    u32[at] = u32[record + CHAIN] as number
  }

  // ── taking and giving back ─────────────────────────────────────────────────────────────────────────────

  /** Makes sure that there is room for some more links. A negative status when there is no memory for them. */
  reserve(count: number): number {
    // Record 0 is none.
    while (startOf(this.bases.length) < this.count + 1 + count) {
      const status = this.grow()
      if (status < 0) return status
    }
    return STATUS_DONE
  }

  private grow(): number {
    const { state } = this
    const segment = this.bases.length
    let registration: Registration
    try {
      registration = state.register(this.segments.at(segment))
    } catch (error) {
      if (error instanceof LimitError) return STATUS_OUT_OF_MEMORY
      throw error
    }
    const status = rareOf(state).resourceMake(registration.id)
    state.heap.check()
    if (status < 0) return status
    this.enterSegment(registration)
    this.clear(startOf(segment), startOf(segment + 1) - startOf(segment))
    if (segment === 0) state.heap.u32[this.at(0) + FRESH] = 1
    this.spread(1 << (31 - Math.clz32(startOf(segment + 1))))
    return STATUS_DONE
  }

  /** Takes a record for a link. There must be room. */
  take(): number {
    const { u32 } = this.state.heap
    const counts = this.at(0)
    u32[counts + LIVE] = (u32[counts + LIVE] as number) + 1
    const free = u32[counts + FREE] as number
    if (free !== 0) {
      u32[counts + FREE] = u32[this.at(free) + NEXT_OF_SOURCE] as number
      return free
    }
    const fresh = u32[counts + FRESH] as number
    u32[counts + FRESH] = fresh + 1
    return fresh
  }

  /** Gives the record of a link back to which nothing leads any more. */
  give(link: number): void {
    const { u32 } = this.state.heap
    const counts = this.at(0)
    const record = this.at(link)
    u32[record + SOURCE] = NULL_ENTITY
    u32[record + NEXT_OF_SOURCE] = u32[counts + FREE] as number
    u32[counts + FREE] = link
    u32[counts + LIVE] = (u32[counts + LIVE] as number) - 1
    this.clear(link, 1)
  }

  /** Leaves no handle and no text in free records of a segment: sweeps would find them. */
  private clear(first: number, count: number): void {
    const { data, placement, row } = this.valuesOf(first)
    this.segments.values.fields.forEach(({ kind, length }, k) => {
      if (kind !== 'text' && kind !== 'entity') return kind satisfies KindIn<'integer' | 'float' | 'bool'>
      const column = (data + (placement.offsets[k] as number)) >> 2
      const empty = kind === 'text' ? 0 : NULL_ENTITY
      this.state.heap.u32.fill(empty, column + row * length, column + (row + count) * length)
    })
  }

  /** Gives the segments back, but for the first one, when no link is left. */
  shrink(): void {
    if (this.bases.length < 2 || this.count > 0) return
    const { state } = this
    for (let segment = 1; segment < this.bases.length; segment++)
      rareOf(state).resourceRemove((state.known(this.segments.at(segment)) as Registration).id)
    state.heap.check()
    this.bases.length = this.values.length = 1
    const counts = this.at(0)
    state.heap.u32[counts + FRESH] = 1
    state.heap.u32[counts + FREE] = 0
    this.spread(1 << FIRST_BITS)
  }

  /** Enters all links into so many buckets. */
  private spread(buckets: number): void {
    const { u32 } = this.state.heap
    const counts = this.at(0)
    if (u32[counts + BUCKETS] === buckets) return
    u32[counts + BUCKETS] = buckets
    for (let bucket = 0; bucket < buckets; bucket++) u32[this.at(bucket) + BUCKET] = 0
    const fresh = u32[counts + FRESH] as number
    for (let link = 1; link < fresh; link++) if (u32[this.at(link) + SOURCE] !== NULL_ENTITY) this.enter(link)
  }

  /** Visits all links, those that were made first and never given back among them first. */
  each(visit: (link: number) => void): void {
    const { used } = this
    for (let link = 1; link < used; link++)
      if (this.state.heap.u32[this.at(link) + SOURCE] !== NULL_ENTITY) visit(link)
  }

  // ── where the segments are ─────────────────────────────────────────────────────────────────────────────

  private enterAll(): void {
    this.timeline = this.state.timeline
    this.bases = []
    this.values = []
    for (;;) {
      const registration = this.state.known(this.segments.at(this.bases.length))
      if (registration === undefined || this.state.heap.word(registration.pool + TABLE_ROWS) === 0) return
      this.enterSegment(registration)
    }
  }

  private enterSegment(registration: Registration): void {
    const segment = this.bases.length
    const { data, chunkOffset, placement } = onlyRowOf(registration) as RowRef
    const { offsets, tickOffset } = placement
    this.bases.push(((data + (offsets[0] as number)) >> 2) - (startOf(segment) << RECORD_SHIFT))
    const ref = new RowRef(this.state.heap, this.segments.values)
    ref.data = data
    ref.chunkOffset = chunkOffset
    ref.placement = new Placement(NO_LAYOUT, true, offsets.slice(1), tickOffset)
    this.values.push(ref)
  }
}
