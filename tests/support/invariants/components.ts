// Checks registered components, and texts. The texts in columns are checked in tables.ts.

import { LAYOUT } from '../layout'
import { fail } from './failure'
import type { Memory } from './memory'

const L = LAYOUT

const UTF8 = new TextDecoder()

export class Components {
  /** How many are registered: their ids are the numbers below. */
  readonly count: number
  private readonly texts: string[] = []

  constructor(private readonly memory: Memory) {
    this.count = memory.word(L.COMPONENTS_COUNT)
  }

  addressOf(id: number): number {
    return this.memory.word(L.COMPONENTS_RECORDS) + id * L.COMPONENT_BYTES
  }

  /** Its name, and its fields in braces. */
  textOf(id: number): string {
    return (this.texts[id] ??= this.readText(id))
  }

  private readText(id: number): string {
    const { memory } = this
    const component = this.addressOf(id)
    const bytes = new Uint8Array(
      memory.u32.buffer,
      memory.word(component + L.COMPONENT_TEXT),
      memory.word(component + L.COMPONENT_TEXT_BYTES),
    )
    return UTF8.decode(bytes)
  }

  storageOf(id: number): number {
    return this.memory.word(this.addressOf(id) + L.COMPONENT_STORAGE)
  }

  isPooled(id: number): boolean {
    return this.storageOf(id) === L.STORAGE_SPARSE || this.storageOf(id) === L.STORAGE_STABLE
  }

  canToggle(id: number): boolean {
    return (this.memory.word(this.addressOf(id) + L.COMPONENT_FLAGS) & L.FLAG_TOGGLE) !== 0
  }

  /** Whether its entities are only in queries that name it. */
  isHiding(id: number): boolean {
    return (this.memory.word(this.addressOf(id) + L.COMPONENT_FLAGS) & L.FLAG_EXCLUDED) !== 0
  }

  /** Whether what an entity has of it is more than a row. */
  needsUpkeep(id: number): boolean {
    return (this.memory.word(this.addressOf(id) + L.COMPONENT_FLAGS) & L.FLAG_UPKEEP) !== 0
  }

  /** Whether it has columns besides those with change ticks. */
  hasFields(id: number): boolean {
    const { memory } = this
    const shapes = memory.word(this.addressOf(id) + L.COMPONENT_COLUMNS)
    const count = memory.word(this.addressOf(id) + L.COMPONENT_COLUMN_COUNT)
    for (let i = 0; i < count; i++)
      if (memory.word(shapes + i * L.SHAPE_BYTES + L.SHAPE_KIND) !== L.COLUMN_TICK) return true
    return false
  }

  /** Checks each component; calls back for it with its id and address. */
  check(visit: (id: number, component: number) => void): void {
    const { memory } = this
    const ids = Array.from({ length: this.count }, (_, id) => id)
    const hiding = ids.filter((id) => this.isHiding(id)).length
    if (memory.word(L.COMPONENTS_HIDING) !== hiding)
      fail(`${hiding} tags keep entities out of queries, and ${memory.word(L.COMPONENTS_HIDING)} are counted`)
    const upkeep = ids.filter((id) => this.needsUpkeep(id) && this.isPooled(id)).length
    if (memory.word(L.COMPONENTS_UPKEEP_POOLS) !== upkeep)
      fail(`${upkeep} pools need upkeep, and ${memory.word(L.COMPONENTS_UPKEEP_POOLS)} are counted`)
    for (let id = 0; id < this.count; id++) {
      const component = this.addressOf(id)
      this.claimShapes(component)
      memory.ledger.claim(
        memory.word(component + L.COMPONENT_TEXT),
        memory.word(component + L.COMPONENT_TEXT_BYTES),
        'the text of a component',
      )
      const hasTable = this.isPooled(id) || this.storageOf(id) === L.STORAGE_RESOURCE
      if (hasTable !== (memory.word(component + L.COMPONENT_POOL) !== 0))
        fail(`component ${id} has a pool although it is not sparse, or none`)
      visit(id, component)
    }
  }

  private claimShapes(component: number): void {
    const { memory } = this
    const count = memory.word(component + L.COMPONENT_COLUMN_COUNT)
    if (count === 0) return
    const shapes = memory.word(component + L.COMPONENT_COLUMNS)
    memory.ledger.claim(shapes, count * L.SHAPE_BYTES, 'the columns of a component')
    for (let i = 0; i < count; i++) {
      const bytes = memory.word(shapes + i * L.SHAPE_BYTES + L.SHAPE_DEFAULT_BYTES)
      if (bytes !== 0)
        memory.ledger.claim(
          bytes,
          memory.word(shapes + i * L.SHAPE_BYTES + L.SHAPE_WIDTH),
          'the default of a column',
        )
    }
  }

  claimRecords(): void {
    const { memory } = this
    const capacity = memory.word(L.COMPONENTS_CAPACITY)
    if (capacity > 0)
      memory.ledger.claim(
        memory.word(L.COMPONENTS_RECORDS),
        capacity * L.COMPONENT_BYTES,
        'the component records',
      )
  }
}

export class Texts {
  constructor(
    private readonly memory: Memory,
    private readonly components: Components,
  ) {}

  private textAt(id: number): number {
    return this.memory.word(L.TEXTS_RECORDS) + id * L.TEXT_BYTES
  }

  isText(id: number): boolean {
    const { memory } = this
    if (id === L.EMPTY_TEXT) return true
    return (
      id < memory.word(L.TEXTS_FRESH) && (memory.word(this.textAt(id) + L.TEXT_STATE) & L.TEXT_LIVE) !== 0
    )
  }

  /** Every text is there once and can be found; every other id below the fresh one is free, once. */
  check(): void {
    const { memory } = this
    const capacity = memory.word(L.TEXTS_CAPACITY)
    const fresh = memory.word(L.TEXTS_FRESH)
    if (capacity > 0) memory.ledger.claim(memory.word(L.TEXTS_RECORDS), capacity * L.TEXT_BYTES, 'the texts')
    if ((capacity & (capacity - 1)) !== 0) fail(`there is room for ${capacity} texts, no power of two`)
    if (fresh > Math.max(capacity, 1)) fail(`the fresh text ${fresh} is beyond the ${capacity} records`)
    const known = new Map<string, number>()
    for (let id = L.EMPTY_TEXT + 1; id < capacity; id++) this.checkText(id, fresh, known)
    if (known.size !== memory.word(L.TEXTS_COUNT))
      fail(`${memory.word(L.TEXTS_COUNT)} texts are counted and there are ${known.size}`)
    this.checkBuckets(capacity, known.size)
    this.checkFree(fresh, known.size)
  }

  private checkText(id: number, fresh: number, known: Map<string, number>): void {
    const { memory } = this
    const record = this.textAt(id)
    const state = memory.word(record + L.TEXT_STATE)
    if (state === 0) return
    if (id >= fresh) fail(`text ${id}, never given out, has the state ${state}`)
    if ((state & ~L.TEXT_WIDE) !== L.TEXT_LIVE) fail(`text ${id} has the state ${state}`)
    const wide = (state & L.TEXT_WIDE) !== 0
    const length = memory.word(record + L.TEXT_LENGTH)
    const units = memory.word(record + L.TEXT_UNITS)
    if (length === 0 || length > L.MAX_TEXT_LENGTH) fail(`text ${id} has ${length} units`)
    memory.ledger.claim(units, wide ? length * 2 : length, 'the units of a text')
    const bytes = new Uint8Array(memory.u32.buffer)
    const read = Array.from({ length }, (_, i) =>
      wide ? (memory.u16[(units >>> 1) + i] as number) : (bytes[units + i] as number),
    )
    if (wide && read.every((unit) => unit < 256)) fail(`text ${id} takes two bytes a unit and needs one`)
    const key = read.join()
    if (known.has(key)) fail(`texts ${known.get(key)} and ${id} are the same`)
    known.set(key, id)
  }

  private checkBuckets(capacity: number, count: number): void {
    const { memory } = this
    let found = 0
    for (let bucket = 0; bucket < capacity; bucket++) {
      let id = memory.word(this.textAt(bucket) + L.TEXT_BUCKET)
      for (; id !== 0; id = memory.word(this.textAt(id) + L.TEXT_NEXT)) {
        if (++found > count) fail(`the buckets of texts name more than the ${count} there are`)
        if (!this.isText(id)) fail(`bucket ${bucket} names text ${id}, which is none`)
        if ((memory.word(this.textAt(id) + L.TEXT_HASH) & (capacity - 1)) !== bucket)
          fail(`text ${id} is in bucket ${bucket}, where its hash does not lead`)
      }
    }
    // Each bucket names texts of its own hash, and no chain runs in a circle: equal counts mean equal sets.
    if (found !== count) fail(`the buckets name ${found} of ${count} texts`)
  }

  private checkFree(fresh: number, count: number): void {
    const { memory } = this
    let free = 0
    let id = memory.word(L.TEXTS_FREE_FIRST)
    for (; id !== 0; id = memory.word(this.textAt(id) + L.TEXT_NEXT)) {
      if (id >= fresh || this.isText(id)) fail(`the list of free texts names ${id}, which is not free`)
      if (++free > fresh) fail('the list of free texts does not end')
    }
    if (free + count + 1 !== fresh) fail(`a text id is lost: ${fresh} ids, ${count} texts, ${free} free`)
  }

  checkDefaults(): void {
    const { components, memory } = this
    for (let id = 0; id < components.count; id++) {
      const component = components.addressOf(id)
      const shapes = memory.word(component + L.COMPONENT_COLUMNS)
      for (let i = 0; i < memory.word(component + L.COMPONENT_COLUMN_COUNT); i++) {
        const shape = shapes + i * L.SHAPE_BYTES
        if (memory.word(shape + L.SHAPE_KIND) !== L.COLUMN_TEXT) continue
        if (!this.isText(memory.word(shape + L.SHAPE_DEFAULT_WORD)))
          fail(`the default of column ${i} of component ${id} is a text that is none`)
      }
    }
  }
}
