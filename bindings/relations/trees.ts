// Owns copies of whole trees: an entity with all that depends on it, where what leads inside leads inside of the copy.
// It must never change the model.

import { cloneMany, placeClones, reserveCopies } from '../changes/clones'
import { copyWith } from '../changes/lists'
import type { Ingredient } from '../components/ingredients'
import { checkWhole } from '../memory/arguments'
import { type Entity, type EntityArray } from '../memory/entity'
import { refuseShared } from '../rows/objects'
import type { Registration } from '../rows/registration'
import { readRow, writeRow } from '../rows/values'
import type { WorldState } from '../rows/worldState'
import { dependentsOf, destroyWithDependents } from './cleanUp'
import type { Inside } from './keeping'
import type { Relations } from './relations'

/**
 * `count` copies of a model and of all that is destroyed with it; those of the model are returned, and get the overrides.
 * Inside a loop the copies wait, and have what is there by then.
 */
export function copyTree(
  relations: Relations,
  model: number,
  count: number,
  overrides: readonly Ingredient[],
): EntityArray<ArrayBuffer> {
  const { state } = relations
  checkWhole('spawnTree', 'the count', count)
  const bundle = state.bundles.followAll(overrides, 'spawnTree')
  refuseShared(bundle.definitions, 'spawnTree')
  if (!state.isAlive(model)) throw state.dead(model, 'spawnTree')
  const copy = () =>
    state.locks === 0
      ? copyNodes(relations, model, count, undefined)
      : reserveCopies(state, count, (reserved) => {
          // Those of a model that has died meanwhile die, as copies of a single entity do.
          if (!state.isAlive(model)) placeClones(state, reserved, model as Entity)
          else copyNodes(relations, model, count, reserved)
        })
  return copyWith(state, copy, bundle, overrides)
}

function copyNodes(
  relations: Relations,
  model: number,
  count: number,
  /** Handles for the copies of the model. */
  reserved: EntityArray | undefined,
): EntityArray<ArrayBuffer> {
  const { state } = relations
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
        placeClones(state, reserved, model as Entity)
      } else {
        copies = cloneMany(state, node as Entity, count)
        for (let i = 0; i < count; i++) made.push(copies[i] as number)
      }
      inside.set(node, copies)
    }
    for (const node of nodes) redirect(relations, inside, node)
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
function redirect(relations: Relations, inside: Inside, node: number): void {
  const { state } = relations
  const copies = inside.get(node) as ArrayLike<number>
  for (const links of relations.leading(copies[0] as number)) links.redirect(copies, inside)
  for (const registration of state.allKnown()) {
    const { fields } = registration.definition
    if (fields.some(({ kind }) => kind === 'entity') && registration.isOn(node))
      redirectFields(state, registration, inside, node, copies)
  }
}

function redirectFields(
  state: WorldState,
  registration: Registration,
  inside: Inside,
  node: number,
  copies: ArrayLike<number>,
): void {
  const { fields, fieldNames } = registration.definition
  const ref = registration.locate(node)
  if (ref === undefined) return
  const values = readRow(ref)
  for (let i = 0; i < copies.length; i++) {
    const inner = (handle: number) => inside.get(handle)?.[i] ?? handle
    const taken = fields.map(({ kind }, k) => {
      const value = values[fieldNames[k] as string]
      if (kind !== 'entity') return undefined
      return typeof value === 'number' ? inner(value) : Array.from(value as Uint32Array, inner)
    })
    const copy = state.isAlive(copies[i] as number) ? registration.locate(copies[i] as number) : undefined
    if (copy !== undefined) writeRow(copy, taken)
  }
}
