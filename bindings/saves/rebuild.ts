// Owns building what a save says in a world: entities, rows, values column by column, links, resources, objects. It must never be
// given what was not checked and fitted; whatever a limit stops halfway is taken away again.

import {
  CHANGE_ADD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  ENTITY_INDEX_BITS,
  TEXTS_COUNT,
  WORLD_STATUS,
} from '../../build/layout'
import { destroyRows } from '../changes/entityRows'
import type { Definition } from '../components/definition'
import type { Field } from '../components/fields'
import { FAMILIES, type Kind } from '../components/fieldKinds'
import type { ResourceDeclaration } from '../components/resourceDeclaration'
import { INDEX_MASK, type Entity, NULL_ENTITY } from '../memory/entity'
import { limitError } from '../memory/errors'
import { ROW_MASK } from '../memory/heap'
import type { BundleNode } from '../state/bundle'
import { type Registration, onlyRowOf } from '../state/registration'
import { resourcesOf } from '../resources/resources'
import { type LinkSaving, linkSavingOf, savedDefinitionOf } from '../state/relationHooks'
import type { AbsentObject } from '../state/worldParticipants'
import type { RowRef } from '../cursors/rowRef'
import type { WorldState } from '../state/worldState'
import type { FittedColumns, FittedLinks, FittedRows, FittedWorld } from './migrate'
import { disposeLoaded } from './loadedObjects'
import { BuiltObjects, type Filling, revives } from './builtObjects'
import { ageInOrder } from './creationOrder'
import { NO_NUMBER, handlesOf, isOff, widthOf, words } from './savedWorld'

const GENERATION_BITS = 32 - ENTITY_INDEX_BITS

/** What has come of a save in a world. */
export interface Built {
  /** The handle that each entity of the save has now, by the one that it had. */
  readonly handles: () => ReadonlyMap<number, Entity>
  readonly absent: readonly AbsentObject[]
}

/**
 * Adds what a save says to a world, in which no loop is open. Resources that it has already stay as they are.
 *
 * @param order the numbers of the entities in the order of the indices that they are to have
 * @throws LimitError, StrataTypeError DUPLICATE_NAME: then nothing is left of it. What `revive` and listeners throw: then
 *   all is done
 */
export function rebuild(state: WorldState, fitted: FittedWorld, order: Float64Array): Built {
  const building = new Building(state, fitted)
  state.reporting?.subscribers.everything()
  building.build(order)
  return building.finish()
}

/** What is built of one save. */
export class Building {
  /** Theirs, which may be made in another world than this one. */
  objects = new BuiltObjects([])
  /** By number. */
  private handles = new Uint32Array(0)
  private made = 0
  /** By place among the texts; -1 while it is not interned. */
  private readonly textIds: Int32Array
  private readonly madeTexts: number[] = []
  private readonly madeResources: ResourceDeclaration[] = []

  constructor(
    private readonly state: WorldState,
    private readonly fitted: FittedWorld,
  ) {
    this.textIds = new Int32Array(fitted.texts.length).fill(-1)
  }

  /** Builds all that lies in memory, and sets the resources. All of it, or nothing. */
  build(order: Float64Array): void {
    const fillings = this.make(order)
    this.objects = new BuiltObjects(fillings)
    for (const { rows, entities } of fillings)
      rows.definitions.forEach((definition, i) =>
        this.fill(definition, entities, rows.columns[i] as FittedColumns, rows.off[i]),
      )
    this.enterLinks()
    this.fillResources()
  }

  /** Obtains all that needs memory: components, texts, resources, entities and their rows. All of it, or nothing. */
  private make(order: Float64Array): Filling[] {
    const { tables, pools, links, definitions } = this.fitted
    const added = [...pools, ...links]
    try {
      // In the order of the save, so that a save of this world has it, too.
      for (const definition of definitions) this.state.register(definition)
      const bundles = [...tables, ...added].map((rows) => this.bundleOf(rows))
      for (const rows of [...tables, ...added])
        rows.definitions.forEach((definition, i) =>
          this.internAll(savedDefinitionOf(definition), rows.columns[i] as FittedColumns),
        )
      this.makeResources()
      this.makeEntities(order)
      let first = 0
      const placed = tables.map((rows, t) => {
        const entities = this.handles.subarray(first, (first += rows.count))
        this.giveRows(entities, bundles[t] as BundleNode, false)
        return { rows, entities }
      })
      const pooled = added.map((rows, p) => {
        const entities = this.handlesAt(rows.entities)
        this.giveRows(entities, bundles[tables.length + p] as BundleNode, true)
        return { rows, entities }
      })
      for (const rows of links) this.obtainTargets(rows)
      // The values of links lie where only the relation finds them.
      return [...placed, ...pooled.slice(0, pools.length)]
    } catch (error) {
      this.undo()
      disposeLoaded(this.fitted)
      throw error
    }
  }

  /** The components of rows, except objects of which no value can be made. */
  private bundleOf({ definitions, values }: FittedRows): BundleNode {
    const { state } = this
    const isMade = (definition: Definition, i: number) =>
      definition.kind !== 'object' || values?.[i] !== undefined || revives(definition)
    const known = definitions.every(isMade) ? definitions : definitions.filter(isMade)
    const bundle = state.bundles.withAll(known, 'load')
    bundle.addressIn(state)
    return bundle
  }

  private internAll(definition: Definition, columns: FittedColumns): void {
    if (!definition.hasTexts) return
    const { heap } = this.state
    const texts = this.state.textsFor(definition)
    definition.fields.forEach(({ kind }, k) => {
      const column = columns[k]
      if (kind !== 'text' || column === undefined) return
      for (const place of words(column)) {
        if (this.textIds[place] !== -1) continue
        const before = heap.word(TEXTS_COUNT)
        const id = texts.intern(this.fitted.texts[place] as string)
        if (heap.word(TEXTS_COUNT) !== before) this.madeTexts.push(id)
        this.textIds[place] = id
      }
    })
  }

  private makeResources(): void {
    const { state } = this
    for (const { declaration, columns } of this.fitted.resources) {
      const resources = resourcesOf(state)
      if (resources.has(declaration)) continue
      const { definition } = declaration
      if (definition !== undefined) {
        this.internAll(definition, columns)
        resources.set(declaration, {})
      }
      this.madeResources.push(declaration)
    }
  }

  /** Makes entities whose indices are in the given order of numbers; where the save has no order of making, they age in it, too. */
  private makeEntities(order: Float64Array): void {
    const { core, heap } = this.state
    const { length } = order
    this.handles = new Uint32Array(length)
    const made = new Uint32Array(length)
    let ascending = true
    for (let i = 0; i < length; i++) {
      const handle = core.entityCreate(length - i) >>> 0
      if (handle === NULL_ENTITY) {
        heap.check()
        throw limitError(heap.word(WORLD_STATUS) | 0, '')
      }
      this.handles[this.made++] = handle
      // The index first: so they are sorted as numbers.
      made[i] = (handle << GENERATION_BITS) | (handle >>> ENTITY_INDEX_BITS)
      if (i > 0 && (made[i] as number) < (made[i - 1] as number)) ascending = false
    }
    heap.check()
    if (!ascending) made.sort()
    for (let i = 0; i < length; i++) {
      const turned = made[i] as number
      this.handles[order[i] as number] = (turned >>> GENERATION_BITS) | (turned << ENTITY_INDEX_BITS)
    }
    const { making } = this.fitted
    // Made one after the other, they are of an age with their indices as long as these only went up.
    if (making !== undefined || !ascending) ageInOrder(heap, this.handles, making ?? order)
  }

  /** Gives entities the components of a bundle; with `adds` in addition to those that they have. */
  private giveRows(entities: Uint32Array, bundle: BundleNode, adds: boolean): void {
    const { core, heap } = this.state
    const address = bundle.address
    let status = 0
    for (let i = 0; i < entities.length && status >= 0; i++) {
      const entity = entities[i] as number
      status = adds ? core.entityChange(entity, CHANGE_ADD, address) : core.entityPlace(entity, address)
    }
    heap.check()
    if (status < 0) throw limitError(status, bundle.describeRows())
  }

  private handlesAt(numbers: Uint32Array): Uint32Array {
    return numbers.map((number) => (number === NO_NUMBER ? NULL_ENTITY : (this.handles[number] as number)))
  }

  private obtainTargets({ definitions: [definition], count, targets, order }: FittedLinks): void {
    const known = this.handlesAt(order.map((row) => targets[row] as number)).filter(
      (target) => target !== NULL_ENTITY,
    )
    const status = savingOf(definition).obtain(this.state, known, count)
    if (status < 0) throw limitError(status, '')
  }

  /** Makes the links, between entities that have their rows. */
  private enterLinks(): void {
    for (const { definitions, entities, targets, order, columns } of this.fitted.links) {
      const saving = savingOf(definitions[0])
      saving.enter(this.state, {
        sources: this.handlesAt(entities),
        targets: this.handlesAt(targets),
        order,
        columns: this.namedAll(saving.values, columns[0] as FittedColumns),
      })
    }
  }

  private undo(): void {
    const { state, handles, made } = this
    state.heap.check()
    destroyRows(state, handles.subarray(0, made))
    for (const declaration of this.madeResources) resourcesOf(state).remove(declaration)
    state.texts.takeBack(this.madeTexts)
  }

  /** Writes the values of a component into the rows of entities: as many at once as follow each other. */
  private fill(
    definition: Definition,
    entities: Uint32Array,
    columns: FittedColumns,
    off: Uint8Array | undefined,
  ): void {
    // Most tables have more tags than components: of those there is nothing to fill.
    if (definition.kind === 'object' || (columns.length === 0 && off === undefined)) return
    const registration = this.state.known(definition) as Registration
    const named = this.namedAll(definition, columns)
    if (named.some((column) => column !== undefined))
      for (let i = 0; i < entities.length;) i += this.fillRun(registration, entities, i, named)
    if (off === undefined) return
    for (let i = 0; i < entities.length; i++)
      if (isOff(off, i)) registration.switchHandle(entities[i] as number, true)
  }

  /** Fills the rows from the one of an entity on that follow each other. Returns how many. */
  private fillRun(
    registration: Registration,
    entities: Uint32Array,
    first: number,
    columns: FittedColumns,
  ): number {
    const { heap } = this.state
    const location = locationOf(registration, entities[first] as number)
    let count = 1
    while (
      first + count < entities.length &&
      locationOf(registration, entities[first + count] as number) === location + count
    )
      count++
    const descriptor = heap.descriptorAt(location)
    const data = heap.u32[descriptor + CHUNK_DATA_WORD] as number
    const { offsets } = registration.placement(heap.u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number)
    const { fields } = registration.definition
    for (let k = 0; k < fields.length; k++) {
      const column = columns[k]
      if (column === undefined) continue
      const width = widthOf(fields[k] as Field)
      const at = data + (offsets[k] as number) + (location & ROW_MASK) * width
      const isAll = count === entities.length
      heap.u8.set(isAll ? column : column.subarray(first * width, (first + count) * width), at)
    }
    return count
  }

  private fillResources(): void {
    const { state } = this
    for (const { declaration, columns, value } of this.fitted.resources) {
      if (!this.madeResources.includes(declaration)) continue
      state.reporting?.subscribers.wrote(declaration)
      const { definition } = declaration
      if (definition === undefined) {
        resourcesOf(state).set(declaration, value)
        continue
      }
      const { data, placement } = onlyRowOf(state.known(definition)) as RowRef
      this.namedAll(definition, columns).forEach((column, k) => {
        if (column !== undefined) state.heap.u8.set(column, data + (placement.offsets[k] as number))
      })
    }
  }

  private namedAll({ fields }: Definition, columns: FittedColumns): FittedColumns {
    return fields.some(({ kind }) => FAMILIES[kind] === 'text' || FAMILIES[kind] === 'entity')
      ? columns.map((column, k) => column && this.named((fields[k] as Field).kind, column))
      : columns
  }

  /** A column with handles in place of numbers, and ids of texts in place of their places. */
  private named(kind: Kind, column: Uint8Array): Uint8Array {
    const naming = (nameOf: (value: number) => number) =>
      new Uint8Array(words(column).map((value) => nameOf(value)).buffer)
    switch (FAMILIES[kind]) {
      case 'integer':
      case 'float':
      case 'bool':
        return column
      case 'text':
        return naming((place) => this.textIds[place] as number)
      case 'entity':
        return naming((number) => (number === NO_NUMBER ? NULL_ENTITY : (this.handles[number] as number)))
    }
  }

  /** Makes the values of objects, and tells listeners of all entities. */
  finish(): Built {
    const { state, objects } = this
    objects.giveLoaded(state)
    objects.makeOthers(state)
    return this.tell(state)
  }

  /** Tells the listeners of a world, whose memory is that in which was built, of all entities. */
  tell(state: WorldState): Built {
    const { handles, fitted, objects } = this
    state.changes?.tellMade(state, handles)
    state.settle()
    const old = handlesOf(fitted.tables)
    return { handles: () => mapOf(old, handles), absent: objects.absent }
  }
}

function savingOf(definition: Definition | undefined): LinkSaving {
  return linkSavingOf(definition as Definition) as LinkSaving
}

function mapOf(old: Uint32Array, handles: Uint32Array): Map<number, Entity> {
  const map = new Map<number, Entity>()
  for (let number = 0; number < old.length; number++)
    map.set(old[number] as number, handles[number] as Entity)
  return map
}

function locationOf(registration: Registration, entity: number): number {
  const index = entity & INDEX_MASK
  return registration.pooled ? registration.findRow(index) : registration.heap.locationAt(index)
}
