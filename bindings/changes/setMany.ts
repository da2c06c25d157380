// Owns writing values of one component to listed entities: each list of values is checked and copied first, then written along
// runs of rows. It must never read what is a user's once it writes.

import type { Component } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { type Field, accepts, invalidValue, isVec, lengthOf, takeList } from '../components/fields'
import { KINDS } from '../components/kinds'
import { withoutFields } from '../components/notAComponent'
import type { Schema, Storage } from '../components/schema'
import { type TakenValue, noValues, unknownField } from '../components/taking'
import { takeElements } from '../memory/arguments'
import { StrataTypeError } from '../memory/errors'
import { type ListedColumn, type Listed, writeListed } from '../rows/listedValues'
import { runLength } from '../rows/rowRef'
import { stateOf } from '../rows/stateOf'
import type { WorldState } from '../rows/worldState'
import type { World } from '../world/world'
import { queueOf } from './queue'
import { setTaken } from './setting'

/**
 * What setMany takes: for each field a list of values, one after the other as in a column. A vec of n values takes n for each
 * handle.
 */
export type ValueLists<S extends Schema> = {
  readonly [K in keyof S]?: ArrayLike<S[K] extends Field<infer In> ? Item<In> : never> | undefined
}

/** What a list holds for a field: of a vec one of its values. */
type Item<In> = In extends string ? string : In extends boolean ? boolean | number : number

/**
 * Writes values of one component to all entities of a list, as `set` does it for each: an entity that does not have the
 * component gets it. Stale handles are skipped, together with their values. All values are checked before the first is
 * written.
 *
 * @param entities an array or typed array of handles
 * @param lists for each field to write a list of values, the first one for the first handle, and so on
 * @returns how many entities of the list are alive
 * @throws StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_VALUE, also for a list that is too
 *   short: nothing changes then. LimitError where the component must be added: those before have changed.
 * @example setMany(world, ships, Position, { x: new Float32Array(ships.length), y: heights })
 */
export function setMany<S extends Schema>(
  world: World,
  entities: ArrayLike<number>,
  component: Component<S, Storage>,
  lists: ValueLists<S>,
): number {
  const state = stateOf(world, 'setMany')
  state.refuseDisposed()
  const definition = definitionOf(component)
  if (definition?.kind !== 'component') throw withoutFields(component, 'setMany')
  // A copy: the list may be a view of this world's memory, which ends where adding a component lets memory grow.
  const handles = (takeElements('setMany', 'entities', entities) as unknown[]).slice()
  const columns = takeColumns(definition, handles.length, lists)
  state.refuseDisposed()
  const living = state.livingOf(handles)
  state.together(() => writeAll(state, handles, definition, columns))
  return living.length
}

function writeAll(
  state: WorldState,
  handles: ArrayLike<unknown>,
  definition: Definition,
  columns: readonly ListedColumn[],
): void {
  const hasTexts = columns.some(({ field }) => field.kind === 'text')
  for (let i = 0; i < handles.length;) {
    const entity = handles[i] as number
    const ref =
      hasTexts || isAttended(state, definition) ? undefined : state.known(definition)?.locateHandle(entity)
    if (ref !== undefined) {
      const count = runLength(ref, handles, i)
      writeListed(ref, count, columns, i)
      i += count
    } else {
      if (state.isAlive(entity)) setTaken(state, entity, definition, valuesAt(definition, columns, i))
      i++
    }
  }
}

/** Whether single values must be reported, or may have to wait. */
function isAttended(state: WorldState, definition: Definition): boolean {
  if (state.locks !== 0 && queueOf(state).count > 0) return true
  return state.watching !== 0 && state.reporting?.hearsSet(definition) === true
}

/** The values of one entity of the list. */
function valuesAt({ fields }: Definition, columns: readonly ListedColumn[], place: number): TakenValue[] {
  const taken = fields.map((): TakenValue => undefined)
  for (const { k, field, values } of columns) {
    const first = place * field.length
    if (isVec(field)) taken[k] = (values as Uint8Array).slice(first, first + field.length)
    else taken[k] = field.kind === 'bool' ? values[first] === 1 : values[first]
  }
  return taken
}

/** What is given for each field, checked and copied. */
function takeColumns(definition: Definition, count: number, lists: unknown): ListedColumn[] {
  if (typeof lists !== 'object' || lists === null) throw noValues(definition, lists)
  const columns: ListedColumn[] = []
  const { componentName, fieldNames, fields } = definition
  for (const [name, list] of Object.entries(lists)) {
    if (list === undefined) continue
    const k = fieldNames.indexOf(name)
    if (k < 0) throw unknownField(definition, name)
    const field = fields[k] as Field
    const where = `${componentName}.${name}`
    const given = takeElements('setMany', `values for ${where}`, list)
    const length = count * field.length
    if (given.length < length) {
      throw new StrataTypeError(
        'INVALID_VALUE',
        `setMany: ${where} has ${given.length} values for ${count} handles: give ${length}.`,
      )
    }
    columns.push({ k, field, values: takeColumn(field, given, length, componentName, name) })
  }
  return columns
}

function takeColumn(
  field: Field,
  given: ArrayLike<unknown>,
  length: number,
  component: string,
  name: string,
): Listed {
  const { kind } = field
  const { Column } = KINDS[kind]
  const values = kind === 'text' ? new Array<string>(length) : (new Column(length) as Uint8Array)
  // Its numbers are what the column can hold, but for 2 and more among booleans.
  const fits = kind !== 'text' && kind !== 'bool' && given instanceof Column && lengthOf(given) === length
  if (fits) (values as Uint8Array).set(given)
  else for (let i = 0; i < length; i++) values[i] = takeItem(field, given, i, component, name)
  return values
}

function takeItem(
  field: Field,
  given: ArrayLike<unknown>,
  i: number,
  component: string,
  name: string,
): number | string {
  const value = given[i]
  if (field.isNumber && typeof value === 'number' && !isVec(field)) return value
  if (isVec(field)) {
    if (accepts(field, value)) return Number(value)
    // What a vec takes besides, and what it says of other values, is its own.
    const { length } = field
    const first = i - (i % length)
    const items = Array.from({ length }, (_, item) => given[first + item])
    return takeList(field, items, component, name)[i - first] as number
  }
  if (field.kind === 'bool' && typeof value === 'number') return value === 1 ? 1 : 0
  if (!accepts(field, value)) throw invalidValue(field, value, `${component}.${name}[${i}]`)
  return typeof value === 'string' ? value : Number(value)
}
