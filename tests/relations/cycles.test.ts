// Shows that refusing circles costs no more than the smaller of what is above a target and what is below a source.

import { describe, expect, it } from 'vitest'
import { type Entity, relation } from '../../bindings/index'
import { refuseCycle } from '../../bindings/relations/cycles'
import type { LinkStore } from '../../bindings/relations/linkStore'
import { watchedWorld } from '../support/watched'

const KINDS = [
  ['exclusive', relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })],
  ['to many targets', relation('Needs', { onTargetDestroy: 'destroy' })],
] as const

/** Links in a plain map, which count how many entities they are asked about. */
function counted(targets: ReadonlyMap<number, number>, segments: unknown) {
  const sources = new Map<number, number[]>()
  for (const [source, target] of targets) sources.set(target, [...(sources.get(target) ?? []), source])
  const work = { asked: 0 }
  const links = {
    kind: { onTargetDestroy: 'destroy', segments },
    registration: { definition: { componentName: 'ChildOf' } },
    countOf: (target: number) => sources.get(target)?.length ?? 0,
    targetOf: (entity: number) => (work.asked++, targets.get(entity) ?? 0xffffffff),
    collectTargets: (entity: number, into: number[]) => {
      work.asked++
      if (targets.has(entity)) into.push(targets.get(entity) as number)
    },
    collect: (target: number, into: number[]) => {
      work.asked++
      into.push(...(sources.get(target) ?? []))
    },
  }
  return { links: links as unknown as LinkStore, work }
}

describe.each([
  ['exclusive', undefined],
  ['to many targets', {}],
])('Looking for a circle, %s,', (_, segments) => {
  it('takes few steps below a deep chain where little depends on the source', () => {
    const depth = 10_000
    const targets = new Map(Array.from({ length: depth }, (_, i) => [i + 2, i + 1]))
    targets.set(90_001, 90_000)
    const { links, work } = counted(targets, segments)
    refuseCycle(links, 90_000, depth)
    expect(work.asked).toBeLessThan(100)
  })

  it('takes few steps close to a root where very much depends on the source', () => {
    const targets = new Map(Array.from({ length: 10_000 }, (_, i) => [i + 10, 9]))
    targets.set(2, 1)
    const { links, work } = counted(targets, segments)
    refuseCycle(links, 9, 2)
    expect(work.asked).toBeLessThan(100)
  })
})

it.each(KINDS)('A circle is found at any depth, from both ends, and nothing changes (%s)', (_, Below) => {
  for (const depth of [1, 2, 63, 64, 65, 66, 130, 500]) {
    const world = watchedWorld()
    const chain: Entity[] = [world.spawn()]
    for (let i = 0; i < depth; i++) chain.push(world.spawn(Below(chain[i] as Entity)))
    const ends = [chain[0], chain[depth >> 1], chain[depth - 1]] as Entity[]
    for (const above of ends) {
      const link = () => world.add(above, Below(chain[depth] as Entity))
      expect(link).toThrow(expect.objectContaining({ code: 'RELATION_CYCLE' }))
    }
    expect(() => world.add(chain[0] as Entity, Below(chain[0] as Entity))).toThrow(/own target/)
    expect(world.targets(chain[0] as Entity, Below)).toHaveLength(0)
    const free = world.spawn()
    world.add(world.spawn(), Below(free))
    world.add(free, Below(chain[depth] as Entity))
    expect(world.target(free, Below)).toBe(chain[depth])
  }
})
