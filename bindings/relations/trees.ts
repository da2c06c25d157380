// Owns copies of whole trees: an entity with everything that depends on it, where links inside the tree lead inside the copy.

import { copyMany, fillClones, readyOverrides, reserveCopies } from '../changes/clones'
import { checkCount } from '../changes/spawn'
import { noOverrides, type Override, type Overrides, takeOverrides } from '../changes/cloneOverrides'
import { type Ingredient, type Shared, valuesIn } from '../components/componentValues'
import type { CopiedValues } from '../components/copiedValues'
import { type Entity, type EntityArray } from '../memory/entity'
import { refuseShared } from '../components/objectOptions'
import type { Registration } from '../state/registration'
import { type WorldState, stateOf } from '../state/worldState'
import { readRow, writeRow } from '../values/rowValues'
import type { World } from '../world/world'
import { dependentsOf, destroyWithDependents } from './dependents'
import type { Inside } from './linkStore'
import { targetsIn } from './linkList'
import type { Relations } from './relations'

/**
 * Copies an entity with everything below it: all that would be destroyed with it, by relations declared with
 * `onTargetDestroy: 'destroy'`. Links and `entity` fields that lead to something inside lead inside of the copy; all
 * others stay as they are, so a copy has the same target as the model, and so does what the call gives: with `ChildOf(model)`
 * the copies hang below the model. Tags declared with `{ excludeFromQueries: true }` are not copied. Inside a loop the copies are made
 * when it ends; the handles are alive at once.
 *
 * @param model a living entity
 * @param count how many copies, from 0
 * @param overrides what the copies of `model` itself get in addition, or in place of its values, no object components; and
 *   `omit(…)`, for what they do not get
 * @returns the handles of the copies of `model`
 * @throws DeadEntityError DEAD_ENTITY; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_COMPONENT, INVALID_VALUE;
 *   LimitError. Nothing changes then.
 * @example const [first] = cloneTree(world, tank, 10, Position({ x: 5 }))
 */
export function cloneTree<const T extends readonly Override[]>(
  world: World,
  model: Entity | number,
  count: number,
  ...overrides: Shared<T>
): EntityArray<ArrayBuffer> {
  const state = stateOf(world, 'cloneTree')
  state.refuseDisposed()
  checkCount(count, 'cloneTree')
  const taken = takeOverrides(state, overrides, 'cloneTree')
  refuseShared(taken.bundle.definitions, 'cloneTree')
  if (!state.isAlive(model)) throw state.dead(model, 'cloneTree')
  const relations = state.relations as Relations | undefined
  if (relations === undefined) return copyMany(state, model as Entity, count, taken)
  // What listeners of one copy change waits until the tree is whole.
  if (state.locks === 0) return state.together(() => copyNodes(relations, model, count, undefined, taken))
  return reserveCopies(state, count, (reserved) => {
    const living = state.isAlive(model) ? readyOverrides(state, taken, count) : undefined
    // Where the copies of the model die, as those of a single entity do, nothing hangs on them.
    if (living === undefined) fillClones(state, reserved, model as Entity, taken)
    else copyNodes(relations, model, count, reserved, living)
  })
}

function copyNodes(
  relations: Relations,
  model: number,
  count: number,
  /** Handles for the copies of the model. */
  reserved: EntityArray | undefined,
  /** What they get in addition, and drop. */
  overrides: Overrides,
): EntityArray<ArrayBuffer> {
  const { state } = relations
  const none = noOverrides(state)
  const nodes = dependentsOf(relations, [model]).list
  const inside = new Map<number, ArrayLike<number>>()
  const made: number[] = []
  relations.inside = inside
  try {
    // Those above first: links that own lead to what was copied before.
    for (const node of nodes) {
      let copies: ArrayLike<number>
      if (node === model && reserved !== undefined) {
        copies = reserved
        for (const copy of reserved) made.push(copy)
        fillClones(state, reserved, model as Entity, overrides)
      } else {
        copies = copyMany(state, node as Entity, count, node === model ? overrides : none)
        for (let i = 0; i < count; i++) made.push(copies[i] as number)
      }
      inside.set(node, copies)
    }
    for (const node of nodes) redirect(relations, inside, node, node === model ? overrides : none)
  } catch (error) {
    relations.inside = undefined
    destroyWithDependents(
      relations,
      made.filter((copy) => state.isAlive(copy)),
      undefined,
    )
    throw error
  } finally {
    relations.inside = undefined
  }
  return inside.get(model) as EntityArray<ArrayBuffer>
}

/** Lets the links and the fields of the copies of a node lead inside, where those of the node do. */
function redirect(relations: Relations, inside: Inside, node: number, overrides: Overrides): void {
  const { state } = relations
  const copies = inside.get(node) as ArrayLike<number>
  for (const links of relations.leading(copies[0] as number)) {
    const given = Array.from(targetsIn(givenFor(overrides, links.registration)))
    const others =
      given.length === 0 ? inside : new Map([...inside].filter(([node]) => !given.includes(node)))
    links.redirect(copies, others)
  }
  for (const registration of state.allKnown()) {
    const { fields } = registration.definition
    if (fields.some(({ kind }) => kind === 'entity') && registration.isOn(node)) {
      const given = valuesIn(givenFor(overrides, registration)) as CopiedValues | undefined
      redirectFields(state, registration, inside, node, copies, given)
    }
  }
}

/** What a call gives copies for a component or a relation; it stays as it is. */
function givenFor({ bundle, given }: Overrides, { definition }: Registration): Ingredient | undefined {
  return given[bundle.definitions.indexOf(definition)]
}

function redirectFields(
  state: WorldState,
  registration: Registration,
  inside: Inside,
  node: number,
  copies: ArrayLike<number>,
  given: CopiedValues | undefined,
): void {
  const { fields, fieldNames } = registration.definition
  const ref = registration.locate(node)
  if (ref === undefined) return
  const values = readRow(ref)
  for (let i = 0; i < copies.length; i++) {
    const inner = (handle: number) => inside.get(handle)?.[i] ?? handle
    const taken = fields.map(({ kind }, k) => {
      const value = values[fieldNames[k] as string]
      if (kind !== 'entity' || given?.[k] !== undefined) return undefined
      return typeof value === 'number' ? inner(value) : Array.from(value as Uint32Array, inner)
    })
    const copy = state.isAlive(copies[i] as number) ? registration.locate(copies[i] as number) : undefined
    if (copy !== undefined) writeRow(copy, taken)
  }
}
