// Owns which entity each instance is of, and which rows must be written: those that came or moved, and those whose values have
// changed since the last pass.
//
// Instances stand in the order of a loop over the query. While `query.version` stays the same, so does that order, and only the
// runs that `changed` finds are looked at. When it has moved on, the handles of all rows are compared with those of before.

import {
  type AnyComponent,
  type Entity,
  NULL_ENTITY,
  type Optional,
  type Query,
  StrataError,
  type Term,
  type World,
  changed,
  onRestore,
  optional,
} from '../../../bindings/index'
import type { Buffer } from './buffer'
import { takeArray } from '../../../bindings/memory/givenLists'
import { type BufferRun, refusal } from './source'

/** The part of a handle that is an index. */
const INDEX_MASK = 0xffffff
const LEAST_CAPACITY = 64

/** What finds the runs in which a component has changed, and the buffers that it is in. */
interface Watch {
  readonly query: Query
  readonly buffers: readonly Buffer[]
}

export class Feed {
  /** How many instances there are. */
  count = 0
  private capacity = 0
  private pass = 0
  private version: number | undefined
  /** Whether every row must be written: at first, and when memory is that of another time. */
  private stale = true
  private disposed = false
  /** By instance. */
  private handles = new Uint32Array(0)
  /** By instance: which of the components that its entity may lack it had. */
  private present = new Int32Array(0)
  /** By index of an entity: its instance, as it was at last. */
  private places = new Uint32Array(0)
  private readonly watches: readonly Watch[]
  private readonly stop: () => void

  /**
   * @param made the call that made it, for a sentence
   * @param release called before the buffers get other attributes: frees what three.js has made of these
   */
  constructor(
    world: World,
    terms: readonly Term[],
    private readonly query: Query,
    private readonly made: string,
    private readonly buffers: readonly Buffer[],
    private readonly release: () => void,
  ) {
    const components = [...new Set(buffers.flatMap((buffer) => buffer.components))]
    this.watches = components.map((component) => ({
      query: world.query(...requiring(terms, component), changed(component)),
      buffers: buffers.filter((buffer) => buffer.components.includes(component)),
    }))
    this.stop = onRestore(world, () => (this.stale = true))
  }

  /** Brings the buffers up to date; returns how many rows of them were written. */
  update(): number {
    if (this.disposed) throw endedBy(this.made)
    this.pass++
    let written = 0
    const { version } = this.query
    if (this.stale || version !== this.version) written += this.arrange()
    const { stale } = this
    this.version = version
    this.stale = false
    for (const { query, buffers } of this.watches) {
      // After all rows were written this is only a look: what it would find has been written.
      for (const run of query as unknown as Iterable<BufferRun>)
        if (!stale) written += this.refresh(run, buffers)
    }
    return written
  }

  /** Makes room for so many instances at least. */
  reserve(count: number): void {
    if (count <= this.capacity) return
    this.capacity = Math.max(LEAST_CAPACITY, this.capacity * 2, count)
    this.handles = copied(this.handles, new Uint32Array(this.capacity))
    this.present = copied(this.present, new Int32Array(this.capacity))
    this.release()
    for (const buffer of this.buffers) buffer.grow(this.capacity)
  }

  /** Walks all rows: gives each its instance, and writes those that had another one. */
  private arrange(): number {
    this.reserve(this.query.count)
    let written = 0
    let first = 0
    for (const run of this.query as unknown as Iterable<BufferRun>) {
      this.reserve(first + run.end - run.start)
      written += this.place(run, first)
      first += run.end - run.start
    }
    this.count = first
    return written
  }

  private place(run: BufferRun, first: number): number {
    const { buffers, handles, present, stale, count } = this
    const { start, end, entities } = run
    let bits = 0
    for (const buffer of buffers) bits = Math.imul(bits, 31) + buffer.look(run)
    let [from, to] = [end, start]
    for (let row = start, instance = first; row < end; row++, instance++) {
      const handle = entities[row] as number
      const isSame = handles[instance] === handle && present[instance] === bits && instance < count
      if (!isSame || stale) {
        if (from > row) from = row
        to = row + 1
      }
      handles[instance] = handle
      present[instance] = bits
      this.remember(handle & INDEX_MASK, instance)
    }
    let written = 0
    if (from >= to) return 0
    for (const buffer of buffers) written += buffer.write(from, to, first + from - start, this.pass)
    return written
  }

  private remember(index: number, instance: number): void {
    if (index >= this.places.length) {
      this.places = copied(this.places, new Uint32Array(Math.max(LEAST_CAPACITY, index * 2)))
    }
    this.places[index] = instance
  }

  /** Writes the rows of a run in which something has changed. */
  private refresh(run: BufferRun, buffers: readonly Buffer[]): number {
    const { entities, end } = run
    const { handles } = this
    for (const buffer of buffers) buffer.look(run)
    let written = 0
    let from = run.start
    while (from < end) {
      const first = this.indexOf(entities[from] as number)
      let to = from + 1
      if (first >= 0) {
        // Rows that follow each other are instances that do, but where another walk than that of `arrange` was cheaper.
        while (to < end && handles[first + to - from] === entities[to]) to++
        for (const buffer of buffers) written += buffer.write(from, to, first, this.pass)
      }
      from = to
    }
    return written
  }

  /** The entity of an instance, NULL_ENTITY for none. */
  entityAt(instance: number | undefined): Entity {
    if (instance === undefined || !(instance < this.count)) return NULL_ENTITY
    return (this.handles[instance] ?? NULL_ENTITY) as Entity
  }

  /** The instance of an entity, -1 for none. */
  indexOf(entity: number): number {
    const place = this.places[entity & INDEX_MASK]
    return place !== undefined && place < this.count && this.handles[place] === entity ? place : -1
  }

  dispose(): void {
    this.disposed = true
    this.stop()
    this.count = 0
    this.stale = true
    for (const { query } of this.watches) query.dispose()
  }
}

function endedBy(made: string): StrataError {
  return new StrataError(
    'QUERY_DISPOSED',
    `update: what ${made} made was disposed of: make it again with ${made}.`,
  )
}

function copied<A extends Uint32Array | Int32Array>(from: A, to: A): A {
  to.set(from)
  return to
}

/** The terms with a component required that may be optional among them: what lacks it has no values that change. */
function requiring(terms: readonly Term[], component: AnyComponent): readonly Term[] {
  return terms.flatMap((term) => {
    const { operator, components } = term as Partial<Optional>
    if (operator !== 'optional' || components === undefined) return [term]
    const others = components.filter((one) => one !== component)
    return others.length > 0 ? [optional(...(others as [AnyComponent, ...AnyComponent[]]))] : []
  })
}

/** Makes the query over the terms; refuses what is no list of them. */
export function queryOf(what: string, world: World, terms: readonly Term[]): Query {
  if (!Array.isArray(terms))
    throw refusal(`${what} takes the terms of a query as a list, [Position, not(Frozen)].`)
  const listed = takeArray(what, 'terms', terms as readonly Term[])
  const operators = (listed as readonly ({ readonly operator?: string } | null | undefined)[]).map(
    // What is no term at all is refused by the query.
    (term) => term?.operator,
  )
  if (operators.includes('changed') || operators.includes('added'))
    throw refusal(`${what} finds changes by itself: leave changed and added out of the terms.`)
  return world.query(...listed)
}
