// Compares links with those of the plain world: the sources of every entity, which of them lead to a target, and what is said of
// targets that died. The targets of an entity are compared with it, in state.ts.

import { expect } from 'vitest'
import { ancestors, depthOf, descendants, isNull, not } from '../../../../bindings/index'
import { ascending } from '../numbers'
import type { Kind } from '../plainWorld'
import { RELATIONS, pairOf, relationOf } from '../relations'
import type { State } from '../state'

/** Who leads to a target, in order, by every question. */
export function compareSources(session: State, kind: Kind, target: number): void {
  const { plain, world } = session
  const sources = plain.sourcesOf(kind, target)
  const pair = pairOf(kind, target)
  expect([...world.query(pair).entities()]).toEqual(sources)
  const others = [...plain.entities.keys()].filter((handle) => !sources.includes(handle))
  expect(ascending(world.query(not(pair)).entities())).toEqual(ascending(others))
  for (const handle of plain.entities.keys())
    if (world.has(handle, pair) !== plain.links.targetsOf(kind, handle).has(target))
      throw new Error(`has(${handle}, ${kind.componentName}(${target})) is wrong`)
}

/** The sources of everyone, in their order, and who has no target any longer. */
export function compareLinks(session: State): void {
  if (!session.isLinked) return
  const { plain, stale, world } = session
  for (const { kind } of RELATIONS) {
    const relation = relationOf(kind)
    for (const handle of plain.entities.keys()) {
      const expected = plain.sourcesOf(kind, handle)
      const sources = [...world.sources(handle, relation)]
      if (sources.join() !== expected.join())
        throw new Error(
          `the sources of ${handle} in ${kind.componentName} are ${sources.join()}, not ${expected.join()}`,
        )
      if (world.sourceCount(handle, relation) !== expected.length)
        throw new Error(`sourceCount(${handle}, ${kind.componentName}) is wrong`)
    }
    compareWalks(session, kind)
    for (const handle of stale.slice(-5)) {
      expect([...world.targets(handle, relation), ...world.sources(handle, relation)]).toEqual([])
      expect(isNull(world.target(handle, relation))).toBe(true)
      expect(world.sourceCount(handle, relation)).toBe(0)
    }
  }
  session.watched.compare(plain)
}

/** What is above and below some entities, level by level; where links may lead in a circle, an exclusive relation refuses to say. */
function compareWalks({ plain, world }: State, kind: Kind): void {
  const { isExclusive, onTargetDestroy } = plain.links.relationOf(kind)
  // Links to the dead that were kept are no way up.
  if (onTargetDestroy === 'keep' || (isExclusive && onTargetDestroy !== 'destroy')) return
  const relation = relationOf(kind)
  for (const handle of [...plain.entities.keys()].slice(-8)) {
    const above = walk(handle, (one) => plain.links.targetsOf(kind, one).keys())
    expect([...ancestors(world, handle, relation)]).toEqual(above)
    expect([...descendants(world, handle, relation)]).toEqual(
      walk(handle, (one) => plain.sourcesOf(kind, one)),
    )
    if (isExclusive) expect(depthOf(world, handle, relation as never)).toBe(above.length)
  }
}

function walk(from: number, next: (one: number) => Iterable<number>): number[] {
  const found = new Set([from])
  for (const one of found) for (const other of next(one)) found.add(other)
  found.delete(from)
  return [...found]
}

/** A target that died: nobody is linked to it any longer, unless the links are kept. */
export function askDeadTarget(session: State, handle: number): void {
  if (!session.isLinked) return
  const { plain, world } = session
  for (const { kind } of RELATIONS) {
    const having = [...plain.entities.keys()].filter((one) => world.has(one, pairOf(kind, handle)))
    const expected = [...plain.links.sourcesOf(kind, handle)].filter((one) => plain.entities.has(one))
    expect(having).toEqual(having.filter((one) => expected.includes(one)))
    expect(having.length).toBe(expected.length)
    expect(world.query(pairOf(kind, handle)).count).toBe(0)
    const source = session.pick(handle)
    if (source !== undefined)
      expect(() => world.add(source, pairOf(kind, handle))).toThrow(
        expect.objectContaining({ code: 'DEAD_ENTITY' }),
      )
  }
}
