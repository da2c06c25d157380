// Owns what one world knows of the components it has met: their names, their ids in the core, their bundles and texts.

import {
  COMPONENTS_RECORDS,
  COMPONENT_BYTES,
  COMPONENT_POOL,
  STATUS_ROW_TOO_LARGE,
  STORAGE_RESOURCE,
} from '../../build/layout'
import { type Definition, FAR_SERIALS, isHidden, isHiding } from '../components/definition'
import type { FieldDefinition } from '../components/fields'
import { DeclarationNames } from '../components/declarationNames'
import type { CoreExports } from '../memory/core'
import { limitError } from '../memory/errors'
import { BundleNode } from './bundle'
import { CursorPools } from '../cursors/cursor'
import { writeDescription } from './componentDescription'
import { type ObjectValues, Registration } from './registration'
import { type LinkUpkeep, relatingOf } from './relationHooks'
import { componentTooLarge } from './rowLimits'
import { WorldParticipants } from './worldParticipants'
import { Session } from './session'
import { NoTexts, type TextSource } from './textSource'
import type { Upkeep } from './upkeep'

export abstract class Registry extends Session {
  texts: TextSource = new NoTexts((definition) => this.textsFor(definition))
  /** The bundle without components; all others grow from it. */
  bundles = new BundleNode(undefined, undefined, 0)
  /** Names of components, tags and object components that were used since the world started over. */
  readonly names = new DeclarationNames()
  /** Tags whose entities are only in queries that name them. */
  hiding: Definition[] = []
  /** Grows with every group that is made, and with every tag in `hiding`: queries must be planned again. */
  groupings = 0
  readonly cursorPools = new CursorPools()
  /** What takes part in the life of this world. */
  readonly participants: WorldParticipants = new WorldParticipants()
  /** By the serial of the declaration, those from FAR_SERIALS on in the map. */
  private near: (Registration | undefined)[] = []
  private readonly far = new Map<number, Registration>()
  /** By the id in the core, without gaps. */
  readonly byId: Registration[] = []
  /** How many of them users do not know. */
  hidden = 0
  /** From the first relation on. */
  relations: LinkUpkeep | undefined = undefined
  /** From the first object component or relation on: what a change does to their values. */
  upkeep: Upkeep | undefined = undefined

  constructor(core: CoreExports) {
    super(core)
    this.heap.texts = this.texts
    this.heap.lock = () => this.lock()
    this.heap.unlock = () => this.unlock()
    this.bundles.names = this.names
    this.heap.readers.add({ memoryMoved: (replaced) => replaced && this.dropArrays() })
  }

  /** What this world knows of a component, or undefined when it never met it. */
  known(definition: Definition): Registration | undefined {
    const serial = definition?.serial
    return serial >= FAR_SERIALS ? this.far.get(serial) : this.near[serial]
  }

  /** What this world knows of a component, which is registered with the core if it is new. Allocates: not inside a loop. */
  register(definition: Definition): Registration {
    return this.known(definition) ?? this.registerNew(definition)
  }

  /** What this world knows of every component that it has met, in the order in which they were declared. */
  allKnown(): Registration[] {
    return [...this.byId].sort((a, b) => a.definition.serial - b.definition.serial)
  }

  /** The declarations of what this world knows, by their ids in the core. */
  definitionsById(): Definition[] {
    return this.byId.map(({ definition }) => definition)
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
    const registration = this.enter(definition, this.registerInCore(definition), undefined)
    this.reporting?.registered(registration)
    return registration
  }

  /** Knows a component that the core has under this id, with the values that objects have. */
  private enter(definition: Definition, id: number, objects: ObjectValues | undefined): Registration {
    if (definition.hasTexts) this.textsFor(definition)
    const pool = this.heap.word(this.heap.word(COMPONENTS_RECORDS) + id * COMPONENT_BYTES + COMPONENT_POOL)
    const registration = new Registration(this.heap, definition, id, pool, this.cursorPools, objects)
    const { serial } = definition
    if (serial >= FAR_SERIALS) this.far.set(serial, registration)
    else {
      while (this.near.length <= serial) this.near.push(undefined)
      this.near[serial] = registration
    }
    this.byId.push(registration)
    if (isHidden(definition)) this.hidden++
    if (isHiding(definition)) {
      this.hiding.push(definition)
      this.groupings++
    }
    if (registration.needsUpkeep) this.upkeepFor(definition).enter(registration)
    relatingOf(definition)?.enter(this, registration)
    return registration
  }

  /** The upkeep of the world, for a component that needs it, whether the world has met that or not. */
  upkeepFor(definition: Definition): Upkeep {
    if (this.upkeep === undefined) {
      this.upkeep = (definition.details.upkeep as (state: Registry) => Upkeep)(this)
      this.participants.add(this.upkeep)
    }
    return this.upkeep
  }

  /** The texts of the world, begun where there were none yet. */
  textsBy<T extends TextSource>(make: (session: Session) => T): T {
    if (this.texts instanceof NoTexts) this.heap.texts = this.texts = make(this)
    return this.texts as T
  }

  /** The texts of the world, for a component or resource that has some. */
  textsFor({ fields }: Definition): TextSource {
    const field = fields.find(({ kind }) => kind === 'text')
    return this.textsBy((field as unknown as FieldDefinition).brings as (session: Session) => TextSource)
  }

  /** Its id; nothing is left of it when it does not fit. */
  private registerInCore(definition: Definition): number {
    // Before the description: interning needs scratch too.
    const made = this.texts.prepareDefaults(definition)
    try {
      writeDescription(this.heap, definition)
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

  /** Forgets every component: the core has started over, or is gone. */
  protected forgetComponents(bundles: BundleNode): void {
    this.bundles = bundles
    bundles.names = this.names
    this.names.forget()
    // What users hold of the world as it was may be held for long, and arrays hold the memory.
    this.dropArrays()
    this.near = []
    this.far.clear()
    this.byId.length = 0
    this.hidden = 0
    this.hiding = []
    this.relations = undefined
    this.texts.forget()
    this.participants.restart()
  }

  private dropArrays(): void {
    for (const registration of this.byId) registration.dropArrays()
  }
}

/** The values that a world has of object components. */
export type ObjectStores = ReadonlyMap<Definition, ObjectValues | undefined>

export function storesOf(registry: Registry): ObjectStores {
  return new Map(registry.byId.map(({ definition, objects }) => [definition, objects]))
}

/**
 * Knows these components, by id, and no others: memory is that of another time.
 *
 * @param stores the values of its object components; a component that is not there has none
 */
export function adoptComponents(
  registry: Registry,
  definitions: readonly Definition[],
  stores: ObjectStores = storesOf(registry),
): void {
  registry['forgetComponents'](new BundleNode(undefined, undefined, 0))
  for (let id = 0; id < definitions.length; id++) {
    const definition = definitions[id] as Definition
    if (definition.storageCode !== STORAGE_RESOURCE) registry.claim(definition)
    const registration = registry['enter'](definition, id, stores.get(definition))
    registry.reporting?.registered(registration)
  }
}
