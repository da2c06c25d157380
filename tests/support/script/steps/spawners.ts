// The step that spawns by a spawner: what a script draws is named once, and what each call gives is in its order.

import { expect } from 'vitest'
import * as strata from '../../../../bindings/index'
import { isObject } from '../kinds'
import { mix } from '../numbers'
import { To } from '../plainLinks'
import type { Given, Kind } from '../plainWorld'
import type { State } from '../state'

/** One to three entities by a spawner, the second and third with other values in the fields that each call gives. */
export function spawnPrepared(session: State, a: number, b: number, c: number): void {
  const kinds = a % 11 === 0 ? [] : session.pickAny(a)
  const first = session.valuesFor(kinds, b)
  const givenNames = kinds.map((kind, i) => namesGiven(kind, first[i], mix(c, i)))
  const parts = kinds.map((kind, i) => {
    const names = givenNames[i] as readonly string[]
    return names.length === 0 ? session.ingredients([kind], [first[i]])[0] : [kind, ...names]
  })
  const spawner = strata.createSpawner(session.world, ...(parts as never[])) as Spawn
  for (let turn = 0; turn <= c % 3; turn++) {
    const values =
      turn === 0 ? first : kinds.map((kind, i) => again(session, kind, first[i], givenNames[i], mix(b, turn)))
    const spawn = () =>
      spawner(...kinds.flatMap((_, i) => (givenNames[i] ?? []).map((name) => valueOf(values[i], name))))
    if (session.free === 0) {
      expect(spawn).toThrow(strata.LimitError)
      return
    }
    const handle = spawn()
    session.born(handle, kinds, values)
    session.compareEntity(handle)
  }
}

type Spawn = (...given: unknown[]) => number

/** What each call gives of a component: none of its fields, or those that values were drawn for; a link's target always. */
function namesGiven(kind: Kind, given: Given, n: number): string[] {
  if (given instanceof To) return ['target', ...Object.keys(given.values ?? {})]
  if (given === undefined || kind.kind === 'tag') return []
  if (isObject(kind)) return ['value']
  return n % 4 === 0 ? [] : Object.keys(given)
}

/** The values of another call: others where it gives them. */
function again(session: State, kind: Kind, first: Given, names: readonly string[] = [], n: number): Given {
  if (names.length === 0) return first
  if (isObject(kind)) return session.make(kind, n)
  const made = session.make(kind, n)
  const fields = names.filter((name) => name !== 'target')
  const before = first instanceof To ? first.values : first
  const values = Object.fromEntries(fields.map((name) => [name, made[name] ?? before?.[name]]))
  if (!(first instanceof To)) return values
  return new To(session.pick(n) as number, first.values && values)
}

function valueOf(given: Given, name: string): unknown {
  if (name === 'target') return (given as To).target
  if (name === 'value') return given
  return (given instanceof To ? given.values : given)?.[name]
}
