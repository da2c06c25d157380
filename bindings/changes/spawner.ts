// Owns the prepared spawn: components and fields are named once, and each call gives only the values. It makes, refuses and
// reports exactly what world.spawn does: where the values are not numbers that can be stored at once, it calls that.

import { NEW_ROW_LAYOUT_KEY_WORD, NEW_ROW_WORD } from '../../build/layout'
import type { AnyComponent, AnyObject, AnyRelation, ObjectComponent } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { storeScalar } from '../components/fieldMemory'
import { type Field, accepts, isVec } from '../components/fields'
import {
  type Complete,
  type CompleteIngredient,
  ComponentValue,
  type Ingredient,
} from '../components/componentValues'
import type { Kind, KindIn } from '../components/fieldKinds'
import { notAComponent } from '../components/notAComponent'
import type { Input, Schema } from '../components/schema'
import { unknownField } from '../components/copiedValues'
import { type Entity, INDEX_MASK, NULL_ENTITY } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { takeArray } from '../memory/givenLists'
import { ROW_MASK } from '../memory/heap'
import type { BundleNode } from '../state/bundle'
import type { Registration } from '../state/registration'
import { requireValues } from '../state/requiredValues'
import { type WorldState, stateOf } from '../state/worldState'
import { writeGiven } from '../values/rowValues'
import type { World } from '../world/world'
import { isDirectSpawn } from './applyChange'
import { notSpawned } from './spawn'

/**
 * What a spawner is made of: a component, a tag, or values, which all entities get alike; or a list of a component and the
 * fields that each call gives. Of an object component that is `'value'`, of a relation `'target'` and its fields.
 */
export type SpawnerPart = CompleteIngredient | readonly [Fielded, ...string[]]
type Fielded = AnyComponent | AnyObject | AnyRelation

type NamesOf<C> =
  | (C extends AnyObject ? 'value' : never)
  | (C extends AnyRelation ? 'target' : never)
  | (C extends { readonly schema: infer S extends Schema } ? keyof S & string : never)

type GivenTo<C, Name> =
  C extends ObjectComponent<infer T>
    ? T
    : C extends { readonly schema: infer S extends Schema }
      ? Name extends keyof S
        ? Exclude<Input<S>[Name], undefined>
        : Entity | number
      : never

/** The parts of a spawner; the compiler marks what is no field, and what needs a value that nothing gives. */
export type CheckedParts<T extends readonly unknown[]> = {
  [I in keyof T]: T[I] extends readonly [infer C, ...infer Names]
    ? readonly [C, ...{ [K in keyof Names]: NamesOf<C> }]
    : T[I] extends Ingredient
      ? Complete<[T[I]]>[0]
      : SpawnerPart
}

/** The values that each call of a spawner gives, in the order in which their fields were named. */
export type SpawnerValues<T extends readonly unknown[]> = T extends readonly [infer Part, ...infer Rest]
  ? [
      ...(Part extends readonly [infer C, ...infer Names]
        ? { [K in keyof Names]: GivenTo<C, Names[K]> }
        : []),
      ...SpawnerValues<Rest>,
    ]
  : []

/** Spawns an entity with the components that createSpawner named, and with these values in the fields that it named. */
export type Spawner<T extends readonly unknown[]> = (...values: SpawnerValues<T>) => Entity

/** A field that each call gives, of a component of numbers in the archetype's rows. */
interface SpawnerColumn {
  /** The place of the component among the parts. */
  readonly place: number
  readonly k: number
  readonly field: Field
}

type SpawnerKind = Exclude<Kind, KindIn<'text'>>

/** How many values a spawner stores without a list of them, and in a function that V8 puts into its caller. */
const MOST_FLOATS = 8
const FEW = 4

/**
 * Prepares a spawn: what `spawn(Position({ x, y }), Frozen)` names in each call is named once, and a call gives the values
 * alone. It makes what spawn makes, inside a loop too, and listeners hear the same. Numbers in table storage are stored
 * without an object for them: a call costs about what a spawn without values costs, and half of one with up to
 * eight f32 values in literals.
 *
 * @param parts components, tags and components with values; `[Position, 'x', 'y']` for fields that each call
 *   gives, in this order. Fields that are not named get their default. `[Sprite, 'value']` for an object component,
 *   `[ChildOf, 'target']` for a relation
 * @returns a function of the values. It throws what spawn throws, changing nothing then
 * @throws StrataTypeError NOT_A_COMPONENT, DUPLICATE_COMPONENT, UNKNOWN_FIELD, INVALID_OPTION for a field that is named
 *   twice, INVALID_VALUE for an object component without a value or a relation without a target
 * @example
 * const ship = createSpawner(world, [Position, 'x', 'y'], [Velocity, 'x', 'y'], Frozen)
 * ship(10, 20, 1, 0)
 */
export function createSpawner<const T extends readonly SpawnerPart[]>(
  world: World,
  ...parts: T & CheckedParts<T>
): Spawner<T> {
  const state = stateOf(world, 'createSpawner')
  state.refuseDisposed()
  const taken = (parts as readonly SpawnerPart[]).map(takePart)
  const definitions = taken.map(({ definition }) => definition)
  requireComplete(state, taken)
  const count = taken.reduce((sum, { names }) => sum + names.length, 0)
  const columns = columnsOf(taken)
  const areFloats = columns?.every(({ field }) => field.kind === 'f32') === true && count <= MOST_FLOATS
  const alike = taken.map(({ ingredient }) => ingredient)
  const hasAlike = alike.some((ingredient) => typeof ingredient === 'object')
  /** Where the world keeps what is known of the components; other ones after a reset, or when archetypes were dropped. */
  let root: BundleNode | undefined
  let generation = -1
  let node = state.bundles.followAll(definitions, 'createSpawner')
  /** The layout of the chunk that was written last, and from a row's handle to each column there: values of f32, or bytes. */
  let layoutKey = -1
  const offsets = new Int32Array(Math.max(count, MOST_FLOATS))

  function open(): void {
    node = state.bundles.followAll(definitions, 'createSpawner')
    root = state.bundles
    generation = state.generation
    layoutKey = -1
  }

  /** Makes `offsets` be about the row that was made last. */
  function findOffsets(): void {
    const key = state.heap.u32[NEW_ROW_LAYOUT_KEY_WORD] as number
    if (key !== layoutKey) learn(key)
  }

  function learn(key: number): void {
    columns?.forEach(({ place, k, field }, i) => {
      const offset = (node.registrations[place] as Registration).placement(key).offsets[k] as number
      offsets[i] = areFloats ? offset >> field.shift : offset
    })
    layoutKey = key
  }

  /** Index in Heap.f32 of the handle of the row that was made last, from where `offsets` counts. */
  function findRow(): number {
    findOffsets()
    return (state.heap.u32[NEW_ROW_WORD] as number) >> 2
  }

  function spawnSlowly(values: readonly unknown[]): Entity {
    let given = 0
    const ingredients = taken.map((part) => {
      const mine = values.slice(given, (given += part.names.length))
      return part.give(mine)
    })
    return world.spawn(...(ingredients as CompleteIngredient[]))
  }

  /** Makes the entity, whose values have been checked. */
  function make(): Entity {
    const entity = state.core.entitySpawn(node.directAddress) >>> 0
    state.heap.check()
    if (entity === NULL_ENTITY) throw notSpawned(state, node)
    if (hasAlike) alike.forEach((ingredient, place) => writeGiven(node, place, entity, ingredient))
    return entity as Entity
  }

  function isDirect(): boolean {
    if (state.bundles !== root || state.generation !== generation) open()
    return node.directAddress !== 0 && ((state.locks | state.watching) === 0 || isDirectSpawn(state, node))
  }

  function spawnNumbers(...values: unknown[]): Entity {
    const fields = columns as readonly SpawnerColumn[]
    if (!isDirect()) return spawnSlowly(values)
    for (let i = 0; i < count; i++)
      if (!accepts((fields[i] as SpawnerColumn).field, values[i])) return spawnSlowly(values)
    const entity = make()
    const { heap } = state
    findOffsets()
    const row = heap.locationAt(entity & INDEX_MASK) & ROW_MASK
    const data = (heap.u32[NEW_ROW_WORD] as number) - row * 4
    for (let i = 0; i < count; i++) {
      const { kind, shift } = (fields[i] as SpawnerColumn).field
      storeScalar(
        heap,
        kind as SpawnerKind,
        data + (offsets[i] as number) + (row << shift),
        values[i] as number,
      )
    }
    return entity
  }

  // Values by name: a list that a loop reads would be made at each call. Up to four in a function of their own, short enough
  // for V8 to put it into its caller, which then boxes no handle.
  function spawnFew(a?: unknown, b?: unknown, c?: unknown, d?: unknown): Entity {
    if (
      typeof a !== 'number' ||
      (count > 1 && typeof b !== 'number') ||
      (count > 2 && typeof c !== 'number') ||
      (count > 3 && typeof d !== 'number') ||
      !isDirect()
    )
      return spawnSlowly([a, b, c, d])
    const entity = make()
    const { f32 } = state.heap
    const row = findRow()
    f32[row + (offsets[0] as number)] = a
    if (count > 1) f32[row + (offsets[1] as number)] = b as number
    if (count > 2) f32[row + (offsets[2] as number)] = c as number
    if (count > 3) f32[row + (offsets[3] as number)] = d as number
    return entity
  }

  function spawnFloats(
    a?: unknown,
    b?: unknown,
    c?: unknown,
    d?: unknown,
    e?: unknown,
    f?: unknown,
    g?: unknown,
    h?: unknown,
  ): Entity {
    if (
      typeof a !== 'number' ||
      typeof b !== 'number' ||
      typeof c !== 'number' ||
      typeof d !== 'number' ||
      typeof e !== 'number' ||
      (count > 5 && typeof f !== 'number') ||
      (count > 6 && typeof g !== 'number') ||
      (count > 7 && typeof h !== 'number') ||
      !isDirect()
    )
      return spawnSlowly([a, b, c, d, e, f, g, h])
    const entity = make()
    const { f32 } = state.heap
    const row = findRow()
    f32[row + (offsets[0] as number)] = a
    f32[row + (offsets[1] as number)] = b
    f32[row + (offsets[2] as number)] = c
    f32[row + (offsets[3] as number)] = d
    f32[row + (offsets[4] as number)] = e
    if (count > 5) f32[row + (offsets[5] as number)] = f as number
    if (count > 6) f32[row + (offsets[6] as number)] = g as number
    if (count > 7) f32[row + (offsets[7] as number)] = h as number
    return entity
  }

  if (columns === undefined) return (...values) => spawnSlowly(values)
  if (count === 0) return () => (isDirect() ? make() : spawnSlowly([]))
  return !areFloats ? spawnNumbers : count > FEW ? spawnFloats : spawnFew
}

/** A part as it was named: what all entities get of it, and the ingredient of one entity with the values of a call. */
interface TakenPart {
  readonly definition: Definition
  readonly names: readonly string[]
  /** What is the same for all; undefined where calls give values. */
  readonly ingredient: Ingredient | undefined
  readonly give: (values: readonly unknown[]) => Ingredient
}

type Making = (...given: unknown[]) => Ingredient

function takePart(part: unknown): TakenPart {
  const [component, ...names] = Array.isArray(part)
    ? (takeArray('createSpawner', 'a component and its fields', part) as [unknown, ...string[]])
    : [part]
  const definition = definitionOf(component instanceof ComponentValue ? component.component : component)
  if (definition === undefined) throw notAComponent(component, 'createSpawner')
  if (names.length === 0)
    return { definition, names, ingredient: component as Ingredient, give: () => component as Ingredient }
  const make = component as Making
  checkNames(definition, names)
  if (definition.kind === 'object')
    return { definition, names, ingredient: undefined, give: ([value]) => make(value) }
  const named = (values: readonly unknown[], from: number) =>
    Object.fromEntries(names.slice(from).map((name, i) => [name, values[from + i]]))
  const isRelation = definition.details.relating !== undefined
  return {
    definition,
    names,
    ingredient: undefined,
    give: isRelation ? (values) => make(values[0], named(values, 1)) : (values) => make(named(values, 0)),
  }
}

function checkNames(definition: Definition, names: readonly string[]): void {
  const { componentName, details, kind } = definition
  // Of a relation to many, its links have the fields.
  const fieldNames = Object.keys(definition.schema)
  const first = kind === 'object' ? 'value' : details.relating === undefined ? undefined : 'target'
  if (first !== undefined && names[0] !== first) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `createSpawner: what is given of ${componentName} begins with its ${first}: [${componentName}, '${first}'].`,
    )
  }
  names.forEach((name, i) => {
    if (names.indexOf(name) !== i) {
      throw new StrataTypeError(
        'INVALID_OPTION',
        `createSpawner names ${componentName}.${name} twice: each call gives a field one value.`,
      )
    }
    const isField = fieldNames.includes(name) || (i === 0 && first !== undefined)
    if (!isField) throw unknownField({ componentName, fieldNames }, String(name))
  })
}

/** Throws where something needs a value that neither the part nor the calls give. */
function requireComplete(state: WorldState, taken: readonly TakenPart[]): void {
  const alike = taken.flatMap(({ ingredient }) => ingredient ?? [])
  requireValues(state, state.bundles.followAll(alike, 'createSpawner'), alike, NULL_ENTITY, 'createSpawner')
}

/** The fields that calls give, in their order; undefined unless all are numbers in rows of archetypes. */
function columnsOf(taken: readonly TakenPart[]): readonly SpawnerColumn[] | undefined {
  const columns: SpawnerColumn[] = []
  for (const [place, { definition, names }] of taken.entries()) {
    if (names.length === 0) continue
    if (definition.kind !== 'component' || definition.storage !== 'table') return undefined
    for (const name of names) {
      const k = definition.fieldNames.indexOf(name)
      const field = definition.fields[k] as Field
      if (isVec(field) || field.kind === 'text') return undefined
      columns.push({ place, k, field })
    }
  }
  return columns
}
