// Owns what a change does to values that are more than a row: objects begin and end, links enter and leave their lists. object()
// and relation() bring it, and a program without them does not carry it. changes/apply.ts has the order.
//
// The steps of a change whose values are more than a row, in their order, for each kind of value:
//
//              asked for              made ready                    written                     undone         ended
//   texts      when they are taken    texts.prepareGiven            rowValues.ts, as their id   takeBack       sweepTexts
//   objects    requireValues          makeValues                    finish()                    disposeUnused  finish(), call()
//   links      requireValues          prepare, prepareMany          rowValues.ts, links.write   tidy()         leave(), finish()
//
//   upkeep.begin(…) | destroying(…) | born(…)        what will happen, or has; nothing is touched
//   upkeep.leave()                                   links that end leave their lists
//   the change, values written
//   upkeep.finish()                                  values change hands, links are released
//   upkeep.call()                                    dispose, init

import { SCRATCH_ADDRESS_WORD, SCRATCH_WORDS } from '../../build/layout'
import type { Definition } from '../components/definition'
import {
  ComponentValue,
  type ValuesByComponent,
  ObjectBox,
  hold,
  valuesIn,
} from '../components/componentValues'
import type { HandleList } from '../memory/handleList'
import { archetypeOf, firstPooled, hasUpkeep, nextPooled, signatureOf } from './entityComponents'
import type { Bundle } from './bundle'
import type { Change } from './change'
import { ObjectCalls } from './objectCalls'
import type { ObjectValues, Registration } from './registration'
import type { Losing } from './relationHooks'
import type { ChangeParts, GivenList } from './changeObserver'
import { calling } from './session'
import type { AbsentObject, ParticipantState as KeptRoom, WorldParticipant } from './worldParticipants'
import type { WorldState } from './worldState'

const NONE: ArrayLike<number> = []

/** A registration of what needs upkeep. */
type Kept = Registration & Losing

/** How objects/ puts values in order after a restore: AnyOptions.reviveObjects. */
export type ReviveObjects = (
  state: WorldState,
  store: ObjectValues,
  registration: Registration | undefined,
  calls: ObjectCalls,
  absent: AbsentObject[],
  kept?: readonly KeptRoom[],
) => void

/** What keeps values for snapshots and forks: AnyOptions.states. */
export type ObjectStatesClass = new (upkeep: { readonly stores: readonly ObjectValues[] }) => WorldParticipant

/** In the order of their declarations: which of them the world met first may depend on who looked. */
const byDeclaration = (a: Kept, b: Kept): number => a.definition.serial - b.definition.serial

export class Upkeep implements WorldParticipant {
  readonly objects: ObjectCalls
  /** What the world knows of components that need upkeep, in the order in which it met them. */
  private readonly all: Kept[] = []
  /** Values of those that the world knew before a restore. */
  private left: readonly ObjectValues[] = []
  /** Those that entities lose by the change. */
  private concerned: Kept[] = []
  /** Values of objects whose life begins or ends: store, entity, value, and so on. */
  private readonly starting: unknown[] = []
  private readonly ending: unknown[] = []
  private entities: ArrayLike<number> = NONE
  private gains: Bundle | undefined
  private given: GivenList
  /** What snapshots keep of values, once a component says how. */
  private states: WorldParticipant | undefined

  constructor(private readonly state: WorldState) {
    this.objects = new ObjectCalls(state)
  }

  /** A component that needs it became known. */
  enter(registration: Registration): void {
    this.all.push(registration as Kept)
    const States = registration.objects?.options.states as ObjectStatesClass | undefined
    if (States !== undefined && this.states === undefined)
      this.state.participants.add((this.states = new States(this)))
  }

  /**
   * Destroys a list unless the death of some in it needs upkeep. Returns these; undefined for a list of several parts where there are
   * none: it is asked as a whole, and is yet to be destroyed.
   */
  spare(entities: ArrayLike<unknown>): number[] | undefined {
    const { state } = this
    const end = entities.length
    const isOnePart = end <= SCRATCH_WORDS
    const found: number[] = []
    for (let done = 0; done < end; done += SCRATCH_WORDS) {
      const count = state.listPart(entities, done)
      const gathered = state.core.entitiesDestroy(count, true, 0, isOnePart)
      for (let i = 0; i < gathered; i++) found.push(state.heap.u32[SCRATCH_ADDRESS_WORD + i] as number)
    }
    return found.length === 0 && !isOnePart ? undefined : found
  }

  /** The values of the object components that the world knows. */
  get stores(): ObjectValues[] {
    return this.all.flatMap(({ objects }) => objects ?? [])
  }

  restart(): void {
    this.left = this.stores
    this.all.length = 0
  }

  /** Objects got other values as a whole: no restore has anything to do with those of before. */
  forgetLeft(): void {
    this.left = []
  }

  /** Puts the values of objects in order: memory says who has one now. */
  restored(kept: readonly KeptRoom[]): readonly AbsentObject[] {
    const { state, objects, left, stores } = this
    const absent: AbsentObject[] = []
    for (const store of left)
      if (!stores.includes(store))
        (store.options.reviveObjects as ReviveObjects | undefined)?.(state, store, undefined, objects, absent)
    this.left = []
    for (const store of stores) {
      const { definition, options } = store
      ;(options.reviveObjects as ReviveObjects | undefined)?.(
        state,
        store,
        state.known(definition),
        objects,
        absent,
        kept,
      )
    }
    return absent
  }

  /** Entities will get a bundle, or get it and lose another one, or lose one. */
  begin({ entities, gains, losses, given }: ChangeParts): void {
    this.release()
    this.entities = entities
    this.gains = gains
    this.given = given
    if (losses?.needsUpkeep === true) this.collect(losses.registrations)
  }

  /** Entities will be destroyed. */
  destroying(entities: ArrayLike<number>): void {
    this.release()
    this.entities = entities
    this.collectAll(entities)
  }

  /** Copies of entities were made, whose objects are in the stores already. */
  born(entities: ArrayLike<number>): void {
    this.release()
    this.collectAll(entities)
    for (const { lost, objects: store } of this.concerned) {
      for (let k = 0; store !== undefined && k < lost.count; k++) {
        const entity = lost.items[k] as number
        this.starting.push(store, entity, store.get(entity))
      }
    }
    // None of it is lost.
    this.release()
  }

  /** Whether an entity may have something that needs upkeep, or be a target. */
  mayConcern(entity: number): boolean {
    const { heap } = this.state
    return hasUpkeep(heap, archetypeOf(heap, entity)) || firstPooled(heap, entity) >= 0
  }

  /** What an entity has that needs upkeep, in the order of the declarations. */
  keptOf(entity: number): readonly Kept[] {
    const { byId, heap } = this.state
    const archetype = archetypeOf(heap, entity)
    const kept: Kept[] = []
    if (hasUpkeep(heap, archetype)) {
      for (const id of signatureOf(heap, archetype)) {
        const registration = byId[id] as Kept
        if (registration.needsUpkeep) kept.push(registration)
      }
    }
    for (let id = firstPooled(heap, entity); id >= 0; id = nextPooled(heap, id, entity)) {
      const registration = byId[id] as Kept
      // What targets have is kept by their relation.
      if (registration.needsUpkeep) kept.push(registration)
    }
    return kept.length > 1 ? kept.sort(byDeclaration) : kept
  }

  /** Collects what the entities have. */
  private collectAll(entities: ArrayLike<number>): void {
    const { concerned } = this
    for (let k = 0; k < entities.length; k++) {
      const entity = entities[k] as number
      for (const registration of this.keptOf(entity)) {
        if (registration.lost.count === 0) concerned.push(registration)
        registration.lost.push(entity)
      }
    }
    if (concerned.length > 1) concerned.sort(byDeclaration)
  }

  private collect(registrations: readonly Registration[]): void {
    const { entities } = this
    for (let i = 0; i < registrations.length; i++) {
      const registration = registrations[i] as Registration
      if (!registration.needsUpkeep) continue
      const lost = registration.lost as HandleList
      for (let k = 0; k < entities.length; k++) {
        const entity = entities[k] as number
        if (registration.isOn(entity)) lost.push(entity)
      }
      if (lost.count > 0) this.concerned.push(registration as Kept)
    }
  }

  /** The object components of a change that make a value of their own for it: they come, and without one. */
  makersOf(
    entity: number,
    gains: Bundle,
    losses: Bundle | undefined,
    given: ValuesByComponent,
  ): readonly Definition[] {
    const { state } = this
    return gains.definitions.filter(
      (definition, i) =>
        definition.details.make !== undefined &&
        !(valuesIn(given?.[i]) instanceof ObjectBox) &&
        (losses?.contains(definition) === true || state.known(definition)?.isOn(entity) !== true),
    )
  }

  /** Makes the values that the makers of a change make. What was made is noted in it, also where a maker throws. */
  makeValues(change: Change): void {
    const { state } = this
    const { entity, losses, given } = change
    const gains = change.gains as Bundle
    const makers = this.makersOf(entity, gains, losses, given)
    if (makers.length === 0) return
    const values: unknown[] = []
    change.makers = makers
    change.made = values
    calling(state, () => {
      for (const { componentName, details } of makers)
        values.push(hold(componentName, details.make?.()).value)
    })
    change.given = gains.definitions.map((definition, i) => {
      const made = makers.indexOf(definition)
      return made < 0 ? given?.[i] : new ComponentValue(definition as never, new ObjectBox(values[made]))
    }) as ValuesByComponent
  }

  leave(): void {
    if (this.concerned.length > 0) this.state.relations?.leave(this.concerned)
  }

  finish(): void {
    this.takeObjects()
    this.storeObjects()
    this.state.relations?.finish()
    this.release()
  }

  /** Whether the life of a value has begun or ended. */
  get calls(): boolean {
    return this.starting.length + this.ending.length > 0
  }

  call(): void {
    const { starting, ending, objects } = this
    for (let i = 0; i < ending.length; i += 3)
      objects.disposeOf((ending[i] as ObjectValues).definition, ending[i + 1] as number, ending[i + 2])
    for (let i = 0; i < starting.length; i += 3)
      objects.initialise(starting[i] as ObjectValues, starting[i + 1] as number, starting[i + 2])
    // An array that is cut to nothing gives its memory back and has to find it again.
    if (ending.length > 0) ending.length = 0
    if (starting.length > 0) starting.length = 0
  }

  forgetCalls(): void {
    this.starting.length = this.ending.length = 0
  }

  private takeObjects(): void {
    for (const { lost, objects } of this.concerned) {
      for (let k = 0; objects !== undefined && k < lost.count; k++) {
        const entity = lost.items[k] as number
        const value = objects.take(entity)
        if (value !== undefined) this.ending.push(objects, entity, value)
      }
    }
  }

  private storeObjects(): void {
    const { gains, given, entities } = this
    if (gains?.holdsObjects !== true || given === undefined) return
    for (let i = 0; i < gains.registrations.length; i++) {
      const held = valuesIn(given[i])
      if (!(held instanceof ObjectBox)) continue
      const registration = gains.registrations[i] as Registration
      const store = registration.objects as ObjectValues
      for (let k = 0; k < entities.length; k++) {
        const entity = entities[k] as number
        const old = store.put(entity, held)
        registration.noteGiven(entity)
        if (old === held.value) continue
        if (old !== undefined) this.ending.push(store, entity, old)
        this.starting.push(store, entity, held.value)
      }
    }
  }

  /** Clears the state of the change, also of one that a stack overflow left half prepared. */
  private release(): void {
    for (const { lost } of this.concerned) lost.clear()
    if (this.concerned.length > 0) this.concerned = []
    this.entities = NONE
    this.gains = undefined
    this.given = undefined
  }
}
