// Owns the calls on a world that read and write the values that one entity has for a component.
// It must never look at more than one entity.

import { queueOf } from '../changes/queue'
import type {
  AnyComponent,
  AnyObject,
  AnyRelation,
  Component,
  ObjectComponent,
  Relation,
} from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { type CompleteIngredient, ComponentValue, hold } from '../components/ingredients'
import { notAComponent, withoutFields } from '../components/notAComponent'
import type { Pair } from '../components/pair'
import type { Input, Schema, Storage, Value } from '../components/schema'
import { type Taken, listedIn, takeFew, takeValues } from '../components/taking'
import { refuseUntargeted } from '../components/untargeted'
import type { Entity } from '../memory/entity'
import { type AccessorOf, ComponentAccessor } from '../rows/accessor'
import type { ObjectStore } from '../rows/objects'
import type { Registration } from '../rows/registration'
import { relatingOfPair } from '../rows/relating'
import { equalsRow, readRow, writeFloats, writeRow } from '../rows/values'
import type { WorldState } from '../rows/worldState'
import { WorldComponents } from './components'

/** The part of a world for values: see world.ts. */
export abstract class WorldValues extends WorldComponents {
  /** @internal */
  protected readonly accessors = new Map<Definition, ComponentAccessor>()

  /**
   * A copy of the values that an entity has for a component; for an object component the value itself, not a copy.
   * Inside a loop, queued changes are not seen. Allocates an object at each call: use an accessor or a cursor in hot
   * code.
   *
   * @returns undefined if the entity is dead or does not have the component
   * @throws StrataTypeError NOT_A_COMPONENT
   */
  get<T>(entity: Entity | number, component: ObjectComponent<T>): T | undefined
  get<S extends Schema>(entity: Entity | number, component: Component<S, Storage>): Value<S> | undefined
  get<S extends Schema>(entity: Entity | number, relation: Relation<S>): Value<S> | undefined
  get<S extends Schema>(entity: Entity | number, pair: Pair<S, Schema>): Value<S> | undefined
  get(entity: Entity | number, component: AnyComponent | AnyObject | AnyRelation | ComponentValue): unknown {
    const state = this.state
    if (typeof component === 'object')
      return relatingOfPair(component, 'get').getOfPair(state, this, entity, component)
    const definition = component as unknown as Definition
    const registration = registrationOf(state, definition, 'get')
    if (registration?.gives === true) {
      if (!registration.isTag) {
        const ref = registration.locateHandle(entity)
        if (ref !== undefined) return readRow(ref)
      } else if (state.isAlive(entity)) {
        if (registration.objects !== undefined) return registration.objects.get(entity)
        // A component without fields is kept like a tag: being there is all it can tell.
        if (registration.isOn(entity)) return {}
      }
    }
    this.refuse(entity, 'get')
    refuseUntargeted(definition)
    return undefined
  }

  /**
   * Writes the named fields of a component; if the entity does not have it, adds it with defaults for the other
   * fields. Values are read once, at the call. Inside a loop, a write to a component that is there takes effect at
   * once, unless a queued change concerns the same component; adding waits.
   * For an object component, replaces the value: the old one is disposed of and the new one initialised. Setting the
   * very same value does nothing. For a relation with its target it does what add does with these values.
   *
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError NOT_A_COMPONENT, INVALID_VALUE, UNKNOWN_FIELD; LimitError.
   *   Nothing changes then.
   * @example world.set(ship, Position, { x: 3 })
   */
  set<T>(entity: Entity | number, component: ObjectComponent<T>, value: T): void
  set<S extends Schema>(entity: Entity | number, relation: Relation<S>, values: Input<S>): void
  set<S extends Schema>(entity: Entity | number, pair: Pair<S, Schema>, values: Input<S>): void
  // The last one is the one that the compiler complains about.
  set<S extends Schema>(entity: Entity | number, component: Component<S, Storage>, values: Input<S>): void
  set(
    entity: Entity | number,
    component: AnyComponent | AnyObject | AnyRelation | ComponentValue,
    given: unknown,
  ): void {
    if (typeof component === 'object')
      return void this.add(
        entity,
        relatingOfPair(component, 'set').pairWith(component, given) as CompleteIngredient,
      )
    const definition = component as unknown as Definition
    registrationOf(this.state, definition, 'set')
    if (definition.kind === 'object') this.setObject(entity, definition, given)
    else if (definition.details.hasFewFloats && typeof given === 'object' && given !== null)
      this.setFloats(entity, definition, given as Record<string, unknown>)
    else this.setTaken(entity, definition, takeValues(definition, given))
  }

  /** setTaken for a component of one to four f32: where the row is there and nothing waits, no list is made of them. */
  private setFloats(entity: number, definition: Definition, given: Readonly<Record<string, unknown>>): void {
    const { state } = this
    const { fieldNames: names } = definition
    const { length } = names
    const a = given[names[0] as string]
    const b = length > 1 ? given[names[1] as string] : undefined
    const c = length > 2 ? given[names[2] as string] : undefined
    const d = length > 3 ? given[names[3] as string] : undefined
    const listed = listedIn(definition, given)
    const numbers =
      (typeof a === 'number' ? 1 : 0) |
      (typeof b === 'number' ? 2 : 0) |
      (typeof c === 'number' ? 4 : 0) |
      (typeof d === 'number' ? 8 : 0)
    // Whatever is listed and no number is an error, or was not given after all.
    const mayWrite = (listed & ~numbers) === 0 && (state.locks === 0 || queueOf(state).count === 0)
    const ref = mayWrite ? state.known(definition)?.locateHandle(entity) : undefined
    if (ref === undefined) {
      this.setTaken(entity, definition, takeFew(definition, listed, a, b, c, d))
      return
    }
    writeFloats(ref, listed, a as number, b as number, c as number, d as number)
    if (state.watching !== 0) state.reporting?.reportSet(definition, entity)
  }

  /** @internal */
  protected setTaken(entity: number, definition: Definition, values: Taken): void {
    const { state } = this
    if (!state.isAlive(entity)) throw this.state.dead(entity, 'set')
    const commands = queueOf(state)
    const registration = state.known(definition)
    if (state.locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)) {
      const value = new ComponentValue(definition as never, values)
      commands.add(entity, state.bundles.with(definition, 'set'), [value])
      return
    }
    const ref = registration?.isTag === false ? registration.locate(entity) : undefined
    if (ref === undefined) {
      this.add(entity, new ComponentValue(definition as never, values))
      return
    }
    if (definition.hasTexts) {
      state.texts.prepare(definition, values)
      // A new text may let memory grow, and tables move with it: the reference must stand on the row anew.
      registration?.locate(entity)
    }
    writeRow(ref, values)
    if (state.watching !== 0) state.reporting?.reportSet(definition, entity)
  }

  private setObject(entity: number, definition: Definition, value: unknown): void {
    const { state } = this
    const commands = queueOf(state)
    const held = hold(definition.componentName, value)
    if (!state.isAlive(entity)) throw this.state.dead(entity, 'set')
    const registration = state.known(definition)
    const ingredient = new ComponentValue(definition as never, held)
    const waits = state.locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)
    if (waits) commands.add(entity, state.bundles.with(definition, 'set'), [ingredient])
    else if (registration?.isOn(entity) === true) {
      registration.noteGiven(entity)
      state.upkeep?.objects.replace(definition, registration.objects as ObjectStore, entity, held)
      state.reporting?.reportSet(definition, entity)
      if (!state.emitting) state.settle()
    } else this.add(entity, ingredient)
  }

  /**
   * Writes the named fields of a component if at least one of them differs from what is stored. Equal values are not
   * written, call no listener, and do not mark the component as changed. If the entity does not have the component,
   * adds it.
   *
   * @returns whether anything was written or added; inside a loop, also true if the write is queued
   * @throws DeadEntityError DEAD_ENTITY; StrataTypeError NOT_A_COMPONENT, INVALID_VALUE, UNKNOWN_FIELD; LimitError.
   *   Nothing changes then.
   */
  setIfDifferent<S extends Schema>(
    entity: Entity | number,
    component: Component<S, Storage>,
    values: Input<S>,
  ): boolean {
    const definition = component as unknown as Definition
    registrationOf(this.state, definition, 'setIfDifferent')
    const taken = takeValues(definition, values)
    const registration = this.state.known(definition)
    const { locks } = this.state
    const commands = queueOf(this.state)
    // What is queued for the entity comes before this value, so what is there now says nothing.
    const waits = locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)
    const ref = waits || registration?.isTag === true ? undefined : registration?.locateHandle(entity)
    if (ref !== undefined && equalsRow(ref, taken)) return false
    this.setTaken(entity, definition, taken)
    return true
  }

  /**
   * An accessor, which reads and writes one component of any entity without allocation. Keep it and reuse it; every
   * call returns the same one. For a component in stable storage it also works by row number.
   *
   * @throws StrataTypeError NOT_A_COMPONENT for what is not a component with fields
   * @example const positions = world.accessor(Position); positions.of(ship).x += 1
   */
  accessor<C extends AnyComponent>(component: C): AccessorOf<C> {
    const definition = definitionOf(component)
    if (definition?.kind !== 'component') throw withoutFields(component, 'accessor')
    let accessor = this.accessors.get(definition)
    if (accessor === undefined) {
      this.state.claim(definition)
      accessor = new ComponentAccessor(this.state, definition)
      this.accessors.set(definition, accessor)
    }
    return accessor as unknown as AccessorOf<C>
  }
}

/** The registration of a component in a world; undefined if the world has not met it. */
function registrationOf(
  state: WorldState,
  component: Definition,
  operation: string,
): Registration | undefined {
  const registration = state.known(component)
  if (registration !== undefined && registration.definition === component) return registration
  if (definitionOf(component) === undefined) throw notAComponent(component, operation)
  state.claim(component)
  return undefined
}
