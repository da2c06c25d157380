// Owns writing the values that one entity has for a component: at once, after the open loop, or by adding the component.

import { type Definition } from '../components/definition'
import { ComponentValue, ObjectBox, type Ingredient, hold } from '../components/componentValues'
import { notAComponent } from '../components/notAComponent'
import {
  type CopiedValues,
  type CopiedValue,
  listedIn,
  takeFew,
  takeSome,
  takeValues,
} from '../components/copiedValues'
import { isHandle } from '../memory/entity'
import { writeFloats } from '../values/handleAccess'
import { registrationOf } from '../state/entityComponents'
import type { ObjectValues } from '../state/registration'
import { equalsRow, writeRow, writeSome } from '../values/rowValues'
import type { WorldState } from '../state/worldState'
import { queueOf, requireValuesLater } from './commandQueue'
import { addOne, addSlowly } from './entityChanges'

/** setTaken for a component of one to four f32: where the row is there and nothing waits, no list is made of them. */
export function setFloats(
  state: WorldState,
  entity: number,
  definition: Definition,
  given: Readonly<Record<string, unknown>>,
): void {
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
  const mayWrite =
    (listed & ~numbers) === 0 &&
    (state.locks === 0 || queueOf(state).count === 0) &&
    (state.watching === 0 || state.reporting?.hearsSet(definition) !== true)
  const registration = mayWrite ? state.known(definition) : undefined
  const wrote =
    registration !== undefined &&
    writeFloats(registration, entity, listed, a as number, b as number, c as number, d as number)
  if (!wrote) setTaken(state, entity, definition, takeFew(definition, listed, a, b, c, d))
}

/** setTaken for a component of more fields: it costs what is given, not what the component has. */
export function setSome(
  state: WorldState,
  entity: number,
  definition: Definition,
  given: Record<string, unknown>,
): void {
  const places: number[] = []
  const values = takeSome(definition, given, places)
  const mayWrite = !definition.hasTexts && (state.locks === 0 || queueOf(state).count === 0)
  const ref = mayWrite ? state.known(definition)?.locateHandle(entity) : undefined
  if (ref === undefined) {
    const taken = definition.fields.map((): CopiedValue => undefined)
    places.forEach((place, i) => (taken[place] = values[i]))
    setTaken(state, entity, definition, taken)
    return
  }
  noteBefore(state, definition, entity)
  writeSome(ref, places, values)
  if (state.watching !== 0) state.reporting?.reportSet(definition, entity)
}

/** Lets listeners that ask for it know what the values were. */
function noteBefore(state: WorldState, definition: Definition, entity: number): void {
  if (state.watching !== 0) state.reporting?.noteBefore(definition, entity)
}

/** Writes values that were read and checked. */
export function setTaken(
  state: WorldState,
  entity: number,
  definition: Definition,
  values: CopiedValues,
): void {
  if (!state.isAlive(entity)) throw state.dead(entity, 'set')
  const commands = queueOf(state)
  const registration = state.known(definition)
  if (state.locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)) {
    const value = new ComponentValue(definition as never, values)
    commands.add(entity, state.bundles.with(definition, 'set'), [value])
    return
  }
  const ref = registration?.isTag === false ? registration.locate(entity) : undefined
  if (ref === undefined) {
    addOne(state, entity, new ComponentValue(definition as never, values))
    return
  }
  if (definition.hasTexts) {
    state.texts.prepare(definition, values)
    // A new text may let memory grow, and tables move with it: the reference must stand on the row again.
    registration?.locate(entity)
  }
  noteBefore(state, definition, entity)
  writeRow(ref, values)
  if (state.watching !== 0) state.reporting?.reportSet(definition, entity)
}

/** world.set for an object component. */
export function setObject(state: WorldState, entity: number, definition: Definition, value: unknown): void {
  const commands = queueOf(state)
  const held = hold(definition.componentName, value)
  if (!state.isAlive(entity)) throw state.dead(entity, 'set')
  const registration = state.known(definition)
  const ingredient = new ComponentValue(definition as never, held)
  const waits = state.locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)
  if (waits) commands.add(entity, state.bundles.with(definition, 'set'), [ingredient])
  else if (registration?.isOn(entity) === true) {
    noteBefore(state, definition, entity)
    registration.noteGiven(entity)
    state.upkeep?.objects.replace(definition, registration.objects as ObjectValues, entity, held)
    state.reporting?.reportSet(definition, entity)
    if (!state.emitting) state.settle()
  } else addOne(state, entity, ingredient)
}

/** world.set of several components with their values. */
export function setAll(state: WorldState, entity: number, values: readonly unknown[]): void {
  const list = [...values] as Ingredient[]
  for (const value of list)
    if (!(value instanceof ComponentValue)) throw notAComponent(value, 'set', 'components with values')
  const node = state.bundles.followAll(list, 'set')
  if (!isHandle(entity) || !state.isAlive(entity)) throw state.dead(entity, 'set')
  if (state.locks === 0) {
    addSlowly(state, entity, node, list)
    return
  }
  requireValuesLater(state, entity, node, list, 'set')
  for (const value of list as ComponentValue[]) {
    const definition = value.component as unknown as Definition
    const { values: given } = value
    if (given instanceof ObjectBox) setObject(state, entity, definition, given.value)
    else if (definition.kind === 'component') setTaken(state, entity, definition, given ?? [])
    else addOne(state, entity, value as Ingredient)
  }
}

/** world.setIfDifferent */
export function setIfDifferent(
  state: WorldState,
  entity: number,
  component: unknown,
  values: unknown,
): boolean {
  const definition = component as Definition
  registrationOf(state, definition, 'setIfDifferent')
  const taken = takeValues(definition, values)
  const registration = state.known(definition)
  const commands = queueOf(state)
  // What is queued for the entity comes before this value, so what is there now says nothing.
  const waits = state.locks !== 0 && commands.count > 0 && commands.concerns(entity, definition)
  const ref = waits || registration?.isTag === true ? undefined : registration?.locateHandle(entity)
  if (ref !== undefined && equalsRow(ref, taken)) return false
  setTaken(state, entity, definition, taken)
  return true
}
