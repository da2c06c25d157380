// Owns what the parts of one world share: its core, its memory, the components it knows, and whether a loop is open.
// It must never be handed to a user.

import {
  ARCHETYPES_ALL,
  COMPONENTS_RECORDS,
  COMPONENT_BYTES,
  COMPONENT_POOL,
  DESCRIBED_COLUMN_BYTES,
  COLUMN_ENTITY,
  COLUMN_PLAIN,
  COLUMN_TICK,
  COLUMN_TEXT,
  DESCRIBED_COLUMN_DEFAULT,
  DESCRIBED_COLUMN_KIND,
  DESCRIBED_COLUMN_WIDTH,
  DESCRIPTION_BYTES,
  DESCRIPTION_COLUMNS,
  DESCRIPTION_FLAGS,
  DESCRIPTION_STORAGE,
  DESCRIPTION_TEXT_BYTES,
  DESCRIPTION_TEXT_OFFSET,
  ENTITIES_FRESH,
  ENTITIES_LIMIT,
  FIRST_ENTITY_INDEX,
  FLAG_FRAME,
  LIST_COUNT,
  LIST_ITEMS,
  SCRATCH_ADDRESS,
  SCRATCH_BYTES,
  STATUS_OUT_OF_ENTITIES,
  STATUS_ROW_TOO_LARGE,
  STORAGE_RESOURCE,
  TABLE_VERSION,
  WORLD_STATUS,
} from '../../build/layout'
import { ArrayKeepers } from '../memory/arrayKeepers'
import { BundleNode } from './bundle'
import type { CommandQueue } from '../changes/queue'
import { type Definition, rowBytes } from '../components/component'
import type { CoreExports } from '../memory/core'
import { CursorPools } from './cursor'
import { INDEX_MASK, type Entity, NULL_ENTITY } from '../memory/entity'
import { StrataError, limitError } from '../memory/errors'
import { type Field, type Kind, isVec, storeDefault } from '../components/fields'
import { Heap, TICK } from '../memory/heap'
import type { Observers } from '../events/observers'
import { Names } from '../components/names'
import { type Named, OpenLoops } from './openLoops'
import { Registration } from './registration'
import { isWide } from '../components/resource'
import { componentTooLarge, descriptionTooLarge } from './rowLimits'
import { Texts } from './texts'

/** Where rows are tracked: the tick of the last change, then the tick of the adding. */
const ROW_TICK_COLUMNS = 2
/** Ticks in memory are looked over each time the world's tick has gone on by this much: see assembly/tables/ticks.ts. */
const AGING_MASK = 0x3fffffff

/** Bits of WorldState.watching: there are listeners for single entities, or subscribers to the result of a query. */
export const LISTENERS = 1
export const SUBSCRIBERS = 2

export class WorldState {
  readonly heap: Heap
  readonly texts: Texts
  /** The bundle without components; all others grow from it. */
  bundles = new BundleNode(undefined, undefined, 0)
  /** Names of components, tags and object components that were used since the world started over; those of resources. */
  readonly names = new Names()
  readonly resourceNames = new Names()
  /** How many loops, each calls and defer blocks are open. Structural changes wait while it is not 0. */
  locks = 0
  /** Number of the outermost loop that is, or was last, open. */
  loop = 0
  /** Which of these are loops over queries. */
  readonly loops = new OpenLoops()
  /** Grows with every reset: what was resolved before must be resolved again. */
  generation = 0
  /** Grows with every group that is made: queries over its components must be planned anew. */
  groupings = 0
  /** Handles promised beyond the records while memory must not grow; they follow the fresh index. */
  promised = 0
  disposed = false
  /** Components that live for one frame, in the order in which the world met them. */
  frameComponents: Definition[] = []
  /**
   * 0 while there are no listeners, no subscribers and no object components: the one test that every change makes.
   * Bits: LISTENERS, SUBSCRIBERS.
   */
  watching = 0
  /** What the versions of all tables came to before the last reset, in sum: those of queries go on from there. */
  versionsBefore = 0
  /** The listeners. Set by the world. */
  observers!: Observers
  /** Changes that wait for the end of a loop. Set by the world. */
  commands!: CommandQueue
  /** The first error of handlers and queued changes, thrown when all are done. */
  private failure: { readonly error: unknown } | undefined
  /** How often ticks in memory were aged: what a query has seen grows too old to be compared with them. */
  agings = 0
  /** Other holders of typed arrays over the memory: one for each query that was looped over. */
  readonly arrayKeepers = new ArrayKeepers()
  private readonly cursorPools = new CursorPools()
  /** By the serial of the declaration. */
  private registrations: (Registration | undefined)[] = []

  constructor(public core: CoreExports) {
    this.heap = new Heap(core.memory, () => this.dropArrays())
    this.texts = new Texts(this)
    this.heap.texts = this.texts
    this.heap.lock = () => this.lock()
    this.heap.unlock = () => this.unlock()
    this.bundles.names = this.names
  }

  /** Call before the core starts over, so that no query's version comes again. */
  keepVersions(): void {
    const { heap } = this
    const all = heap.word(ARCHETYPES_ALL)
    const items = heap.word(all + LIST_ITEMS)
    let sum = this.versionsBefore + 1
    for (let id = 0; id < heap.word(all + LIST_COUNT); id++)
      sum += heap.word(heap.word(items + id * 4) + TABLE_VERSION)
    for (const { pool, pooled } of this.allKnown()) if (pooled) sum += heap.word(pool + TABLE_VERSION)
    this.versionsBefore = sum >>> 0
  }

  /** Forgets every cache after the core started over. */
  restart(): void {
    this.bundles = new BundleNode(undefined, undefined, 0)
    this.bundles.names = this.names
    this.names.forget()
    this.resourceNames.forget()
    // What users hold of the world as it was may be held for long, and arrays hold the memory.
    this.dropArrays()
    this.registrations = []
    this.frameComponents = []
    this.generation++
    this.promised = 0
    this.texts.forget()
    this.heap.refresh()
    this.observers.restart()
  }

  /** Lets the memory go: nothing is alive from now on, and every table is empty. */
  dispose(): void {
    this.disposed = true
    this.promised = 0
    this.bundles = new DisposedBundle(this)
    this.texts.forget()
    // A program may hold the world, and all that came of it, for longer: nothing of that may hold the memory.
    this.heap.release()
    this.registrations = []
    this.arrayKeepers.clear()
    this.core = new Proxy({} as CoreExports, { get: () => () => this.refuseDisposed() })
    this.generation++
  }

  isAlive(entity: number): boolean {
    if (typeof entity !== 'number') return false
    const heap = this.heap
    const index = entity & INDEX_MASK
    if (index < heap.entityCapacity) return heap.u32[heap.records + (index << 1)] === entity
    return this.promised > 0 && this.isPromised(entity)
  }

  private isPromised(entity: number): boolean {
    const fresh = this.heap.word(ENTITIES_FRESH)
    return Number.isInteger(entity) && entity >= fresh && entity < fresh + this.promised
  }

  /** Whether a living entity has a row: one that is reserved has none yet. */
  hasRow(entity: number): boolean {
    const { heap } = this
    const index = entity & INDEX_MASK
    return index < heap.entityCapacity && heap.u32[heap.records + (index << 1) + 1] !== 0
  }

  /** Every handle that is alive, reserved ones too. Looks at all records. */
  livingHandles(): number[] {
    const { heap } = this
    const handles: number[] = []
    const fresh = heap.word(ENTITIES_FRESH)
    for (let index = FIRST_ENTITY_INDEX; index < fresh; index++) {
      const handle = heap.u32[heap.records + (index << 1)] as number
      if ((handle & INDEX_MASK) === index) handles.push(handle)
    }
    for (let i = 0; i < this.promised; i++) handles.push(fresh + i)
    return handles
  }

  /**
   * A handle that is alive at once and has no row. Inside a loop this never grows memory; outside, there is room
   * for `count` handles, this one and those asked for next, when this one is given.
   */
  reserve(count = 1): Entity {
    if (this.locks === 0) return this.reserveNow(count)
    const reserved = this.core.entityReserve(this.promised) >>> 0
    if (reserved !== NULL_ENTITY) return reserved as Entity
    const next = this.heap.word(ENTITIES_FRESH) + this.promised
    if (next >= this.heap.word(ENTITIES_LIMIT)) throw limitError(STATUS_OUT_OF_ENTITIES, '')
    this.promised++
    return next as Entity
  }

  private reserveNow(count: number): Entity {
    const entity = this.core.entityCreate(count) >>> 0
    this.heap.check()
    if (entity === NULL_ENTITY) throw limitError(this.heap.word(WORLD_STATUS) | 0, '')
    return entity as Entity
  }

  lock(): void {
    if (this.locks++ === 0) this.loop++
  }

  /**
   * Runs once what closes a loop. A function is compiled at its first call, which takes far more of the stack than the
   * call: a loop that the end of the stack ends must find it compiled, or the world would stay locked.
   */
  warmUp(): void {
    const nothing = { describe: () => '' }
    this.open(nothing)
    this.close(nothing)
    this.commands.flush()
  }

  /** Closes a loop; the outermost one applies what was queued, and makes room for handles and texts only promised. */
  unlock(): void {
    this.locks--
    this.settle()
  }

  /**
   * Call where a block ends by an error, with the locks and the number of open loops from before the block. Blocks inside
   * it that met the end of the stack may have had no room to unlock: only loops can still be open.
   */
  relock(locks: number, loopCount: number): void {
    this.locks = locks + 1 + this.loops.count - loopCount
  }

  /** Opens a loop over a query: all at once, or, where the stack ends, not at all. */
  open(query: Named): void {
    this.loops.open(query)
    if (this.locks++ === 0) this.loop++
  }

  /** Closes the loop over a query. */
  close(query: Named): void {
    this.loops.close(query)
    this.unlock()
  }

  /** Applies what was queued, and throws the first error, once no loop is open. Makes records for what was only promised. */
  settle(): void {
    if (this.locks !== 0) return
    if (
      this.commands.count > 0 ||
      this.promised > 0 ||
      this.texts.promisedCount > 0 ||
      this.failure !== undefined ||
      this.observers.pending ||
      this.observers.subscribers.pending
    ) {
      this.commands.flush()
    }
  }

  /** Whether single entities must be told of: then changes of many are made with a report around. */
  get reports(): boolean {
    return (this.watching & LISTENERS) !== 0
  }

  /** Makes several changes outside of any loop. To the subscribers of queries they are one. */
  together<R>(changes: () => R): R {
    if ((this.watching & SUBSCRIBERS) === 0) return changes()
    const { subscribers } = this.observers
    let result: R | undefined
    subscribers.held++
    try {
      result = changes()
    } catch (error) {
      this.fail(error)
    }
    subscribers.held--
    this.settle()
    return result as R
  }

  /** Keeps the first error until all is done. */
  fail(error: unknown): void {
    this.failure ??= { error }
  }

  takeFailure(): { readonly error: unknown } | undefined {
    const { failure } = this
    this.failure = undefined
    return failure
  }

  /** Moves the change tick on. */
  advance(): void {
    const u32 = this.heap.u32
    const tick = ((u32[TICK] as number) + 1) >>> 0
    u32[TICK] = tick
    if ((tick & AGING_MASK) === 0) {
      this.core.ticksAge()
      this.agings++
    }
  }

  /**
   * Closes the loops that were left open: iterators taken by hand and never returned. They end at their next
   * step, and what they queued is applied now.
   */
  abandonLoops(): void {
    if (this.locks === 0) return
    this.locks = 0
    this.loops.abandon()
    // An iterator of another loop than this one is over.
    this.loop++
    this.settle()
  }

  /** Refuses what cannot wait for the end of a loop. */
  refuseWhileLocked(operation: string): void {
    if (this.locks > 0) throw this.loops.refusal(operation)
  }

  /** What this world knows of a component, or undefined when it never met it. */
  known(definition: Definition): Registration | undefined {
    return this.registrations[definition?.serial]
  }

  /** What this world knows of a component, which is registered with the core if it is new. Allocates: not inside a loop. */
  register(definition: Definition): Registration {
    return this.registrations[definition.serial] ?? this.registerNew(definition)
  }

  /** What this world knows of every component that it has met. */
  allKnown(): Registration[] {
    return this.registrations.filter((registration) => registration !== undefined)
  }

  /**
   * Notes that this world uses a component, also when it only asks for it.
   *
   * @throws StrataTypeError DUPLICATE_NAME
   */
  claim(definition: Definition): void {
    this.names.claim(definition.componentName, definition)
  }

  private registerNew(definition: Definition): Registration {
    // Resources have names of their own: see resources.ts.
    if (definition.storageCode !== STORAGE_RESOURCE) this.claim(definition)
    const id = this.registerInCore(definition)
    const pool = this.heap.word(this.heap.word(COMPONENTS_RECORDS) + id * COMPONENT_BYTES + COMPONENT_POOL)
    const registration = new Registration(this.heap, definition, id, pool, this.cursorPools)
    while (this.registrations.length <= definition.serial) this.registrations.push(undefined)
    this.registrations[definition.serial] = registration
    if (definition.flags & FLAG_FRAME) this.frameComponents.push(definition)
    this.observers.registered(registration)
    return registration
  }

  /** Its id; nothing is left of it when it does not fit. */
  private registerInCore(definition: Definition): number {
    // Before the description: interning needs scratch too.
    const made = this.texts.prepareDefaults(definition)
    try {
      this.writeDescription(definition)
      const id = this.core.componentRegister()
      this.heap.check()
      if (id === STATUS_ROW_TOO_LARGE) throw componentTooLarge(definition)
      if (id < 0) throw limitError(id, '')
      return id
    } catch (error) {
      this.texts.takeBack(made)
      throw error
    }
  }

  /** Lays out in scratch: the description, a description for each column, the defaults, the text. */
  private writeDescription(definition: Definition): void {
    const { fields, fieldNames } = definition
    const heap = this.heap
    const u32 = heap.u32
    const at = (offset: number) => (SCRATCH_ADDRESS + offset) >> 2
    const kinds = fields.map(
      (field, k) => `${fieldNames[k]}:${field.kind}${isVec(field) ? `*${field.length}` : ''}`,
    )
    const text = new TextEncoder().encode(`${definition.componentName}{${kinds.join(',')}}`)
    const columns = fields.length + (definition.tracksRows ? ROW_TICK_COLUMNS : 0)
    // The lists of a wide resource go where they belong when its row is made: see resources.ts.
    const wide = isWide(definition)
    const isLeftOut = (field: Field) => wide && isVec(field)
    const valueBytes = wide
      ? fields.reduce((sum, field) => (isLeftOut(field) ? sum : sum + (1 << field.shift)), 0)
      : rowBytes(definition)
    const bytes = DESCRIPTION_BYTES + columns * (DESCRIBED_COLUMN_BYTES + 8) + valueBytes
    if (bytes + text.length > SCRATCH_BYTES) throw descriptionTooLarge(definition, bytes + text.length)
    u32[at(DESCRIPTION_STORAGE)] = definition.storageCode
    u32[at(DESCRIPTION_FLAGS)] = definition.flags
    u32[at(DESCRIPTION_COLUMNS)] = columns
    let end = DESCRIPTION_BYTES + columns * DESCRIBED_COLUMN_BYTES
    const describeColumn = (k: number, width: number, kind: number, defaultOffset: number) => {
      const column = DESCRIPTION_BYTES + k * DESCRIBED_COLUMN_BYTES
      u32[at(column + DESCRIBED_COLUMN_WIDTH)] = width
      u32[at(column + DESCRIBED_COLUMN_KIND)] = kind
      u32[at(column + DESCRIBED_COLUMN_DEFAULT)] = defaultOffset
    }
    fields.forEach((field, k) => {
      const width = field.length << field.shift
      if (isLeftOut(field)) {
        describeColumn(k, width, columnKind(field.kind), 0)
        return
      }
      end = (end + 7) & ~7
      describeColumn(k, width, columnKind(field.kind), end)
      storeDefault(heap, field, SCRATCH_ADDRESS + end)
      end += width
    })
    for (let k = fields.length; k < columns; k++) describeColumn(k, 4, COLUMN_TICK, 0)
    u32[at(DESCRIPTION_TEXT_OFFSET)] = end
    u32[at(DESCRIPTION_TEXT_BYTES)] = text.length
    heap.u8.set(text, SCRATCH_ADDRESS + end)
  }

  private dropArrays(): void {
    for (const registration of this.registrations) registration?.dropArrays()
    this.arrayKeepers.forgetArrays()
    this.generationOfArrays++
  }

  /** Grows whenever typed arrays over the memory became stale. */
  generationOfArrays = 0

  /** Throws when the world is gone. */
  refuseDisposed(): void {
    if (this.disposed) {
      throw new StrataError('WORLD_DISPOSED', 'This world was disposed: create a new one with createWorld().')
    }
  }
}

/** What the core must know of a column's values: sweeps look for handles and texts. */
function columnKind(kind: Kind): number {
  if (kind === 'entity') return COLUMN_ENTITY
  return kind === 'text' ? COLUMN_TEXT : COLUMN_PLAIN
}

/** Stands in for the bundles of a world that is gone: the first component asked of it throws. */
class DisposedBundle extends BundleNode {
  constructor(private readonly state: WorldState) {
    super(undefined, undefined, 0)
  }

  override with(): never {
    this.state.refuseDisposed()
    throw new Error('unreachable')
  }

  override addressIn(): never {
    return this.with()
  }
}
