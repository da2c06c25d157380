// Checks archetypes, their signatures and their rows, and bundles. Their chunks are checked in tables.ts.

import { LAYOUT } from '../layout'
import type { Components } from './components'
import type { Entities } from './entities'
import { fail } from './failure'
import type { Memory } from './memory'
import type { TableWalk, Tables } from './tables'

const L = LAYOUT

export class Archetypes {
  /** Their addresses. */
  readonly all: readonly number[]
  /** How many archetypes the lists of all components name. */
  private listings = 0
  // Both are asked for each query.
  private readonly signatures: (readonly number[])[] = []
  private readonly hidingTags: (readonly number[])[] = []

  constructor(
    private readonly memory: Memory,
    private readonly entities: Entities,
    private readonly components: Components,
    private readonly tables: Tables,
  ) {
    this.all = memory.listed(memory.word(L.ARCHETYPES_ALL), 'the list of archetypes')
  }

  addressOf(archetype: number): number {
    return this.all[archetype] as number
  }

  signatureOf(archetype: number): readonly number[] {
    return (this.signatures[archetype] ??= this.readSignature(archetype))
  }

  private readSignature(archetype: number): number[] {
    const { memory } = this
    const address = this.addressOf(archetype)
    return memory.numbersAt(
      memory.word(address + L.ARCHETYPE_SIGNATURE),
      memory.word(address + L.ARCHETYPE_SIGNATURE_COUNT),
    )
  }

  /** Its tags whose entities are only in queries that name them. */
  hidingTagsOf(archetype: number): readonly number[] {
    return (this.hidingTags[archetype] ??= this.signatureOf(archetype).filter((id) =>
      this.components.isHiding(id),
    ))
  }

  /** The signature of the archetype at an address, as text. */
  signatureAt(address: number): string {
    return this.signatureOf(this.memory.word(address + L.TABLE_OWNER)).join()
  }

  hasComponent(archetype: number, component: number): boolean {
    return this.signatureOf(archetype).includes(component)
  }

  /** The component's list must be exactly the archetypes whose signature names it. */
  checkListOf(id: number, component: number): void {
    const { memory } = this
    const ids = memory.listed(
      memory.word(component + L.COMPONENT_ARCHETYPES),
      `the archetype list of component ${id}`,
    )
    let previous = -1
    for (const archetype of ids) {
      if (archetype <= previous) fail(`the archetype list of component ${id} is not ascending`)
      previous = archetype
      if (archetype >= this.all.length || !this.hasComponent(archetype, id)) {
        fail(`component ${id} lists archetype ${archetype}, which does not have it`)
      }
    }
    this.listings += ids.length
  }

  /** Checks each archetype; the lists of all components were looked at before. */
  check(): void {
    const { memory } = this
    const signatures = new Map<string, number>()
    let named = 0
    this.all.forEach((address, id) => {
      const name = `archetype ${id}`
      memory.ledger.claim(address, L.ARCHETYPE_BYTES, name)
      const signature = this.signatureOf(id)
      memory.ledger.claim(
        memory.word(address + L.ARCHETYPE_SIGNATURE),
        Math.max(signature.length, 1) * 4,
        `the signature of ${name}`,
      )
      this.checkSignature(signature, name)
      if (memory.word(address + L.ARCHETYPE_HIDING_COUNT) !== this.hidingTagsOf(id).length)
        fail(`${name} counts its tags that keep entities out of queries wrongly`)
      const needsUpkeep = signature.some((component) => this.components.needsUpkeep(component))
      if ((memory.word(address + L.ARCHETYPE_UPKEEP) !== 0) !== needsUpkeep)
        fail(`${name} is wrong about whether one of its components needs upkeep`)
      named += signature.length
      const key = signature.join()
      if (signatures.has(key)) fail(`archetypes ${signatures.get(key)} and ${id} have the same signature`)
      signatures.set(key, id)
      this.checkRows({ address, owner: id, name, isPool: false })
      this.checkState(address, name)
    })
    if (this.listings !== named) fail('a component does not list all archetypes that have it')
    memory.checkFiled(memory.word(L.ARCHETYPES_BY_SIGNATURE), this.all.length, 'the table of archetypes')
  }

  private checkSignature(signature: readonly number[], name: string): void {
    const { components } = this
    signature.forEach((id, i) => {
      if (id >= components.count) fail(`${name} has the component ${id}, never registered`)
      if (components.isPooled(id)) fail(`${name} has the sparse component ${id} in its signature`)
      if (components.storageOf(id) === L.STORAGE_RESOURCE)
        fail(`${name} has the resource ${id} in its signature`)
      if (i > 0 && id <= (signature[i - 1] as number)) fail(`the signature of ${name} is not ascending`)
    })
  }

  private checkRows(table: TableWalk): void {
    const { entities, memory, tables } = this
    tables.check(table, (id, chunk) => {
      if (memory.depth !== 'all') return
      const data = memory.word(chunk + L.CHUNK_DATA)
      const rows = memory.word(chunk + L.CHUNK_ROWS)
      for (let row = 0; row < rows; row++) {
        const entity = memory.word(data + row * 4)
        const index = entities.indexOf(entity)
        if (index >= entities.fresh || entities.handleOf(index) !== entity)
          fail(`row ${row} of chunk ${id} holds the dead handle ${entity}`)
        if (entities.locationOf(index) !== id * 2 ** L.ROW_BITS + row)
          fail(`the entity in row ${row} of chunk ${id} has its record point elsewhere`)
      }
    })
  }

  private checkState(address: number, name: string): void {
    const { memory } = this
    const active = memory.word(address + L.ARCHETYPE_ACTIVE) !== 0
    if (active !== (memory.word(address + L.TABLE_ROWS) !== 0))
      fail(`${name} is ${active ? '' : 'not '}marked active`)
    if (
      memory.word(address + L.ARCHETYPE_INCOMING_ROWS) !== 0 ||
      memory.word(address + L.ARCHETYPE_INCOMING_CHUNKS) !== 0
    ) {
      fail(`${name} still expects rows of a bulk change that is over`)
    }
  }

  /** Rows were found to point at their records; the other way round it is enough to look at each location. */
  checkRecordsPointAtRows(): void {
    const { entities, memory, tables } = this
    for (let index = L.FIRST_ENTITY_INDEX; index < entities.fresh; index++) {
      if (!entities.isAlive(index)) continue
      const location = entities.locationOf(index)
      const chunkId = location >>> L.ROW_BITS
      if (location === 0) {
        // A reserved entity: it has no row yet, in no table. Those in an archetype were found to be named by it.
        const heads = memory.word(L.ENTITIES_SPARSE_HEADS)
        if (heads !== 0 && memory.u16[(heads >>> 1) + index] !== 0)
          fail(`the living index ${index} has sparse components and no row`)
        continue
      }
      if (!tables.isOfArchetype(chunkId)) {
        fail(`the living index ${index} points at chunk ${chunkId}, which no archetype has`)
      }
      const chunk = tables.chunkAt(chunkId)
      const row = tables.rowOf(location)
      if (row >= memory.word(chunk + L.CHUNK_ROWS))
        fail(`the living index ${index} points behind the rows of chunk ${chunkId}`)
      if (memory.word(memory.word(chunk + L.CHUNK_DATA) + row * 4) !== entities.handleOf(index)) {
        fail(`the living index ${index} points at a row of another entity`)
      }
    }
  }
}

export class Bundles {
  private bundles: number[] = []

  constructor(
    private readonly memory: Memory,
    private readonly components: Components,
    private readonly archetypes: Archetypes,
  ) {}

  /** Undefined for a bundle that is not there. */
  addressOf(id: number): number | undefined {
    return this.bundles[id]
  }

  check(): void {
    const { memory } = this
    const bundles = memory.listed(memory.word(L.BUNDLES_ALL), 'the list of bundles')
    this.bundles = bundles
    bundles.forEach((bundle, id) => {
      memory.ledger.claim(bundle, L.BUNDLE_BYTES, `bundle ${id}`)
      const total = this.checkBundle(bundle, `bundle ${id}`)
      memory.ledger.claim(
        memory.word(bundle + L.BUNDLE_TABLE_IDS),
        Math.max(total, 1) * 4,
        'the ids of a bundle',
      )
    })
    memory.checkFiled(memory.word(L.BUNDLES_BY_IDS), bundles.length, 'the table of bundles')
    this.checkLoose()
  }

  /** Looks at the components of a bundle; how many there are. */
  private checkBundle(bundle: number, name: string): number {
    const { archetypes, components, memory } = this
    const tables = memory.word(bundle + L.BUNDLE_TABLE_COUNT)
    const total = tables + memory.word(bundle + L.BUNDLE_SPARSE_COUNT)
    const ids = memory.numbersAt(memory.word(bundle + L.BUNDLE_TABLE_IDS), total)
    ids.forEach((component, i) => {
      if (components.isPooled(component) !== i >= tables) fail(`${name} mixes table and sparse components`)
      if (components.storageOf(component) === L.STORAGE_RESOURCE)
        fail(`${name} names the resource ${component}`)
      if (i !== 0 && i !== tables && component <= (ids[i - 1] as number)) fail(`${name} is not ascending`)
    })
    const spawns = memory.word(bundle + L.BUNDLE_SPAWN_ARCHETYPE)
    if (spawns !== 0 && archetypes.signatureAt(spawns) !== ids.slice(0, tables).join())
      fail(`${name} spawns into an archetype of other components`)
    return total
  }

  /** Each pair is what a change removes, and what it adds; both remember where the change led last. */
  private checkLoose(): void {
    const { archetypes, memory } = this
    const first = memory.word(L.BUNDLES_LOOSE)
    if (first === 0) return
    const bytes = L.LOOSE_BUNDLE_BYTES + L.LOOSE_BUNDLE_IDS * 4
    memory.ledger.claim(first, bytes * L.LOOSE_BUNDLES, 'the loose bundles')
    const tablesOf = (bundle: number) =>
      memory.numbersAt(memory.word(bundle + L.BUNDLE_TABLE_IDS), memory.word(bundle + L.BUNDLE_TABLE_COUNT))
    for (let number = 0; number < L.LOOSE_BUNDLES; number++) {
      const bundle = first + number * bytes
      const total = this.checkBundle(bundle, `loose bundle ${number}`)
      const capacity = memory.word(bundle + L.LOOSE_BUNDLE_CAPACITY)
      const ids = memory.word(bundle + L.BUNDLE_TABLE_IDS)
      if (total > capacity) fail(`loose bundle ${number} has more components than room`)
      if (capacity > L.LOOSE_BUNDLE_IDS) memory.ledger.claim(ids, capacity * 4, 'the ids of a loose bundle')
      else if (ids !== bundle + L.LOOSE_BUNDLE_BYTES) fail(`loose bundle ${number} has its ids elsewhere`)
      const source = memory.word(bundle + L.LOOSE_BUNDLE_LAST_SOURCE)
      if (source === 0) continue
      const removed = tablesOf(first + (number & ~1) * bytes)
      const added = tablesOf(first + (number | 1) * bytes)
      const rest = archetypes
        .signatureOf(memory.word(source + L.TABLE_OWNER))
        .filter((id) => !removed.includes(id) && !added.includes(id))
      const expected = [...rest, ...added].sort((a, b) => a - b).join()
      if (archetypes.signatureAt(memory.word(bundle + L.LOOSE_BUNDLE_LAST_TARGET)) !== expected)
        fail(`loose bundle ${number} remembers a way to an archetype of other components`)
    }
  }
}
