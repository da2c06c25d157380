// Owns the calls of a world about all targets of one entity: world.targets and world.setTargets. A list of links is one change
// like any other.

import { changeError, destroyEntity, perform } from '../changes/applyChange'
import { ADD } from '../changes/commandLog'
import { removeSlowly } from '../changes/entityChanges'
import type { Ingredient } from '../components/componentValues'
import type { Pair } from '../components/pair'
import { takeColumns } from '../components/valueLists'
import { checkOptions } from '../memory/arguments'
import { type EntityArray, entityArray, isHandle } from '../memory/entity'
import { DeadEntityError, StrataTypeError } from '../memory/errors'
import { checkInto, takeHandles } from '../memory/givenLists'
import type { WorldState } from '../state/worldState'
import type { RelationType } from './relationType'
import { LinkList, linkedTwice } from './linkList'
import type { LinkReader } from './linkStore'

/** Shorter lists are looked through for repeats: a set of them takes longer to make. */
const MOST_COMPARED = 40

const READ_OPTIONS = ['into']
const SET_OPTIONS = ['values']

/** world.targets */
export function readTargets(links: LinkReader, entity: number, options: unknown): unknown {
  const count = links.targetCount(entity)
  const into = intoOf(options)
  if (into === undefined) {
    const handles = entityArray(count)
    links.fillTargets(entity, handles)
    return handles
  }
  checkInto('targets', into, Uint32Array, count)
  links.fillTargets(entity, into as Uint32Array)
  return count
}

function intoOf(options: unknown): unknown {
  checkOptions('targets', options, READ_OPTIONS)
  return (options as { readonly into?: unknown } | undefined)?.into
}

/** world.setTargets */
export function setTargets(
  state: WorldState,
  kind: RelationType,
  entity: number,
  targets: unknown,
  options: unknown,
): void {
  checkOptions('setTargets', options, SET_OPTIONS)
  const values = (options as { readonly values?: unknown } | undefined)?.values
  const given = takeHandles('setTargets', targets)
  const columns =
    values === undefined ? undefined : takeColumns('setTargets', kind.fields, given.length, values)
  // To read lists may run code of the user's.
  state.refuseDisposed()
  if (!isHandle(entity) || !state.isAlive(entity)) throw state.dead(entity, 'setTargets')
  const list = new LinkList(
    kind.definition,
    takeTargets(state, kind, given),
    kind.fields,
    columns,
    undefined,
    true,
  )
  if (state.locks === 0) return change(state, kind, entity, list)
  state.claim(kind.definition)
  state.commands.later(() => changeLater(state, kind, entity, list))
}

/** The handles of a list, each alive and named once. */
function takeTargets(state: WorldState, kind: RelationType, given: ArrayLike<unknown>): EntityArray {
  const { length } = given
  const { definition } = kind
  const name = definition.componentName
  if (kind.isExclusive && length > 1) {
    throw new StrataTypeError(
      'INVALID_VALUE',
      `setTargets: an entity has one target of ${name} at most, because it is exclusive, and ${length} are given. Give one, or declare ${name} without { exclusive: true }.`,
    )
  }
  const handles = entityArray(length)
  for (let i = 0; i < length; i++) {
    const target = given[i] as number
    if (!state.isAlive(target)) throw new DeadEntityError(target, `setTargets: ${name}`)
    handles[i] = target as never
  }
  const isRepeated = length > MOST_COMPARED ? new Set(handles).size < length : repeats(handles)
  if (isRepeated) {
    const twice = handles.find((target, i) => handles.indexOf(target) !== i) as number
    throw linkedTwice(definition, twice, 'setTargets')
  }
  return handles
}

function repeats(handles: EntityArray): boolean {
  for (let i = 1; i < handles.length; i++)
    for (let k = 0; k < i; k++) if (handles[i] === handles[k]) return true
  return false
}

function change(state: WorldState, kind: RelationType, entity: number, list: LinkList): void {
  const bundle = state.bundles.with(kind.definition, 'setTargets')
  if (list.targets.length === 0) return void removeSlowly(state, entity, bundle)
  const ingredient = kind.isExclusive ? pairOf(kind, list) : (list as Ingredient)
  const status = perform(state, ADD, entity, bundle, undefined, [ingredient])
  if (status < 0) throw changeError(state, status, bundle, entity, 'setTargets')
}

/** The one link of a list. */
function pairOf({ definition }: RelationType, list: LinkList): Ingredient {
  const taken = list.valuesAt(0)
  const values = taken && Object.fromEntries(definition.fieldNames.map((name, k) => [name, taken[k]]))
  const relation = definition as unknown as (target: number, values?: unknown) => Pair
  return relation(list.targets[0] as number, values)
}

/** The change after the loop in which it was asked for: a target may be dead by now. */
function changeLater(state: WorldState, kind: RelationType, entity: number, list: LinkList): void {
  if (!state.isAlive(entity)) return
  const living = list.only((target) => state.isAlive(target))
  if (living !== list && kind.onTargetDestroy === 'destroy') destroyEntity(state, entity)
  else change(state, kind, entity, living)
}
