// Shows that links, and entities with them, end in a world whose memory is used up to the last byte.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  clearWorld,
  component,
  destroyMany,
  digestWorld,
  f32,
  forkWorld,
  loadWorld,
  relation,
  saveWorld,
  tag,
  trimWorld,
  vec,
} from '../../bindings/index'
import { leaveFree, withoutFreeObjects } from '../support/scarcity'
import { CORE } from '../support/world'
import { watchedWorld } from '../support/watched'

const Large = component('Large', { m: vec(f32, 60) })
const Red = tag('Red')
const MIB = 2 ** 20

/** By what happens to links when their target dies, and whether a source has several. */
const RELATIONS = (['remove', 'destroy', 'keep'] as const).flatMap((onTargetDestroy) =>
  [true, false].map((exclusive) =>
    exclusive
      ? relation(`One${onTargetDestroy}`, { exclusive, onTargetDestroy })
      : relation(`Many${onTargetDestroy}`, { onTargetDestroy }),
  ),
)
const memory = { initial: MIB, maximum: MIB }

describe.each(RELATIONS.map((R) => ({ name: R.componentName, R })))('in a full world, $name', ({ R }) => {
  const pair = (target: Entity) => (R as (target: Entity) => ReturnType<(typeof RELATIONS)[0]>)(target)

  /** A world with a target, seven sources that were spawned with their links, and some free KiB. */
  function stage(kib: number, prepare: (world: ReturnType<typeof watchedWorld>) => void = () => {}) {
    const world = watchedWorld({ memory })
    // A tag of each entity's own: no bundle of the relation alone has been wanted yet.
    const boss = world.spawn(Large, Red)
    const red = world.query(Red)
    expect(red.count).toBe(1)
    const other = world.spawn(Large)
    const sources = Array.from({ length: 7 }, () => world.spawn(Large, pair(boss)))
    if (!R.componentName.startsWith('One'))
      for (const source of sources.slice(0, 3)) world.add(source, Red, pair(other))
    prepare(world)
    leaveFree(world, kib)
    return { world, boss, sources, red }
  }

  const ENDS = [
    ['destroy of the target', (s) => s.world.destroy(s.boss)],
    ['destroyMany of the target and a source', (s) => destroyMany(s.world, [s.boss, s.sources[0] as Entity])],
    ['destroying by a query', (s) => destroyMany(s.red)],
    ['destroy of each source', (s) => s.sources.forEach((source) => s.world.destroy(source))],
    ['clearWorld', (s) => clearWorld(s.world)],
  ] satisfies [string, (staged: ReturnType<typeof stage>) => unknown][]

  it.each(ENDS)('%s succeeds', (_, end) => {
    for (let kib = 0; kib < 5; kib++) {
      const full = stage(kib)
      withoutFreeObjects(full.world, () => end(full))
      expect(
        full.sources.some((source) => full.world.isAlive(source) && full.world.has(source, pair(full.boss))),
      ).toBe(R.componentName.endsWith('keep') && full.world.isAlive(full.sources[6] as Entity))
    }
  })

  /** What takes links from sources that live on, with everything else that they have. */
  const LOSSES = [
    ['remove of the relation', ({ world, sources }) => sources.forEach((one) => world.remove(one, R))],
    ['remove of the pair', ({ world, sources, boss }) => sources.forEach((one) => world.remove(one, pair(boss)))],
    ['setTargets without a target', ({ world, sources }) => sources.forEach((one) => world.setTargets(one, R, []))],
    ['exchange for nothing', ({ world, sources }) => sources.forEach((one) => world.exchange(one, [R], []))],
  ] satisfies [string, (staged: ReturnType<typeof stage>) => unknown][] // prettier-ignore

  it.each(LOSSES)('%s succeeds', (_, lose) => {
    for (let kib = 0; kib < 5; kib++) {
      const full = stage(kib)
      const { world, boss, sources } = full
      withoutFreeObjects(world, () => lose(full))
      expect(sources.map((one) => [world.has(one, pair(boss)), world.has(one, Large)])).toEqual(
        sources.map(() => [false, true]),
      )
    }
  })

  it('the target is destroyed after archetypes were dropped, and in a fork', () => {
    const trimmed = stage(0, (world) => {
      for (let i = 0; i < 9; i++) world.destroy(world.spawn(tag(`${R.componentName}${i}`)))
      expect(trimWorld(world)).toBeGreaterThan(0)
    })
    withoutFreeObjects(trimmed.world, () => trimmed.world.destroy(trimmed.boss))
    expect(trimmed.world.isAlive(trimmed.boss)).toBe(false)
    const { world, boss } = stage(0)
    const copy = forkWorld(world)
    withoutFreeObjects(copy, () => copy.destroy(boss))
    expect(copy.isAlive(boss)).toBe(false)
    copy.dispose()
  })

  it('the target is destroyed in a world that was loaded', () => {
    const { world } = stage(100)
    const { world: loaded, handles } = loadWorld(saveWorld(world, { only: [R, Large, Red] }), {
      ...CORE,
      components: [Large, Red, ...RELATIONS],
      memory,
    })
    const red = loaded.query(Red)
    expect(red.count).toBeGreaterThan(0)
    leaveFree(loaded, 0)
    const before = digestWorld(loaded)
    withoutFreeObjects(loaded, () => destroyMany(red))
    expect(digestWorld(loaded)).not.toBe(before)
    expect(handles.size).toBeGreaterThan(8)
    loaded.dispose()
  })
})
