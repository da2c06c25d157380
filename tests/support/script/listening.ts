// What listeners hear in a script: for every component and for some queries, which entities have come and not yet gone.

import { expect } from 'vitest'
import { onAdd, onEnter, onExit, onRemove, type Query, type World } from '../../../bindings/index'
import { OBJECT_SORTS, SORTS, living } from './kinds'
import { ascending } from './numbers'
import type { Kind, PlainWorld } from './plainWorld'
import { RELATION_KINDS } from './relations'
import { ANY, pickTerms, queryTermsOf } from './terms'

/** What handlers have heard of, for every component and for some queries. */
export interface Heard {
  compare(plain: PlainWorld): void
  /** What was heard of is no more: this is what there is now. */
  rebuild(plain: PlainWorld): void
}

/** Everyone who has a component was heard of once, and nobody else; the same for queries. */
export function listen(world: World, isLinked: boolean): Heard {
  const byKind = new Map<Kind, Set<number>>()
  const kinds = [...SORTS, ...OBJECT_SORTS].map(({ kind }) => kind)
  for (const kind of isLinked ? [...kinds, ...RELATION_KINDS] : kinds) {
    const members = new Set<number>()
    byKind.set(kind, members)
    onAdd(world, kind, (handle) => {
      if (members.has(handle)) throw new Error(`${kind.componentName} was told to come twice`)
      if (!world.has(handle, kind)) throw new Error(`${kind.componentName} came and is not there`)
      members.add(handle)
    })
    onRemove(world, kind, (handle) => {
      if (!world.has(handle, kind)) throw new Error(`${kind.componentName} goes and is not there`)
      if (!members.delete(handle)) throw new Error(`${kind.componentName} goes and never came`)
    })
  }
  const byTerms = [1, 2, 3, 4].map((n) => {
    const terms = pickTerms(n, isLinked)
    const query = world.query(...queryTermsOf(terms))
    const members = new Set<number>()
    onEnter(query as Query, (handle) => {
      if (members.has(handle)) throw new Error(`${JSON.stringify(n)} was entered twice`)
      members.add(handle)
    })
    onExit(query as Query, (handle) => {
      if (!members.delete(handle)) throw new Error(`${JSON.stringify(n)} was left and never entered`)
    })
    return { terms, members }
  })
  const refill = (members: Set<number>, handles: Iterable<number>) => {
    members.clear()
    for (const handle of handles) members.add(handle)
  }
  return {
    rebuild(plain) {
      for (const [kind, members] of byKind)
        refill(members, plain.matchingSwitch({ ...ANY, required: [kind] }, kind))
      for (const { terms, members } of byTerms) refill(members, plain.matching(terms))
    },
    compare(plain) {
      for (const [kind, members] of byKind) {
        const expected = plain.matchingSwitch({ ...ANY, required: [kind] }, kind)
        expect(ascending(members), kind.componentName).toEqual(ascending(expected))
      }
      for (const { terms, members } of byTerms) {
        expect(ascending(members), 'a query that is watched').toEqual(ascending(plain.matching(terms)))
      }
      const objects = [...plain.entities.values()].flatMap((components) =>
        OBJECT_SORTS.filter(({ kind }) => components.has(kind)),
      )
      expect(living.get(world) ?? 0).toBe(objects.length)
    },
  }
}
