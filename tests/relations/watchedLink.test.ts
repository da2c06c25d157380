// Shows that listeners of one link agree with what world.has answers, whatever else the entity and its target have.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type World,
  any,
  cascade,
  not,
  onAdd,
  onRemove,
  relation,
  restoreWorld,
  snapshotWorld,
  spawnMany,
  tag,
  u8,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Likes = relation('Likes', { weight: u8 })
const In = relation('In', { exclusive: true })
const Prefab = tag('Prefab', { excludeFromQueries: true })
const Hidden = tag('Hidden', { excludeFromQueries: true })

const coded = (code: string): unknown => expect.objectContaining({ code })

/** Everything that is told of one link, with what world.has says meanwhile: a link that is about to go is there yet. */
function listening(world: World, pair: ReturnType<typeof Likes>): string[] {
  const heard: string[] = []
  const note = (sign: string) => (entity: Entity) => {
    heard.push(`${sign}${entity}`)
    expect(world.has(entity, pair)).toBe(true)
  }
  onAdd(world, pair, note('+'))
  onRemove(world, pair, note('-'))
  return heard
}

describe('a listener of a link', () => {
  it('is called for each way to make and to end it, and for no other link', () => {
    const world = watchedWorld()
    const [ann, bob, eve] = spawnMany(world, 3, []) as unknown as [Entity, Entity, Entity]
    const heard = listening(world, Likes(bob))
    const after = (change: () => unknown) => {
      change()
      return heard.splice(0)
    }
    expect(after(() => world.add(ann, Likes(eve)))).toEqual([])
    expect(after(() => world.add(ann, Likes(bob)))).toEqual([`+${ann}`])
    expect(after(() => world.add(ann, Likes(bob, { weight: 3 })))).toEqual([])
    expect(after(() => world.remove(ann, Likes(eve)))).toEqual([])
    expect(after(() => world.setTargets(ann, Likes, [eve]))).toEqual([`-${ann}`])
    expect(after(() => world.setTargets(ann, Likes, [eve, bob]))).toEqual([`+${ann}`])
    expect(after(() => world.remove(ann, Likes))).toEqual([`-${ann}`])
    const [kim] = [world.spawn(Likes(bob))]
    expect(heard.splice(0)).toEqual([`+${kim}`])
    expect(after(() => world.batch(() => (world.remove(kim, Likes), world.add(kim, Likes(bob)))))).toEqual([
      `-${kim}`,
      `+${kim}`,
    ])
    expect(after(() => world.destroy(kim))).toEqual([`-${kim}`])
    world.add(ann, Likes(bob))
    heard.length = 0
    expect(after(() => world.destroy(bob))).toEqual([`-${ann}`])
  })

  it('is called for entities that excluded tags keep out of queries, and not for those tags', () => {
    const world = watchedWorld()
    const [ann, bob] = spawnMany(world, 2, [Prefab]) as unknown as [Entity, Entity]
    const heard = listening(world, Likes(bob))
    world.add(ann, Likes(bob))
    expect(heard.splice(0)).toEqual([`+${ann}`])
    world.remove(ann, Prefab)
    world.add(ann, Hidden)
    world.add(bob, Hidden)
    world.remove(bob, Prefab)
    expect(heard).toEqual([])
    world.remove(ann, Likes(bob))
    expect(heard.splice(0)).toEqual([`-${ann}`])
    const model = world.spawn(Hidden, Likes(bob))
    world.destroy(model)
    expect(heard).toEqual([`+${model}`, `-${model}`])
  })

  it('is called for an exclusive link when it gets another target', () => {
    const world = watchedWorld()
    const [ann, bob, eve] = spawnMany(world, 3, []) as unknown as [Entity, Entity, Entity]
    const [ofBob, ofEve] = [listening(world, In(bob) as never), listening(world, In(eve) as never)]
    world.add(ann, In(bob))
    world.add(ann, In(eve))
    world.remove(ann, In)
    expect([ofBob, ofEve]).toEqual([
      [`+${ann}`, `-${ann}`],
      [`+${ann}`, `-${ann}`],
    ])
  })

  it.each([{}, { exclusive: true }] as const)(
    'is not called for a kept link whose target dies: %o',
    (option) => {
      const Keeps = relation('Keeps', { ...option, onTargetDestroy: 'keep' } as { onTargetDestroy: 'keep' })
      const world = watchedWorld()
      const [ann, bob] = spawnMany(world, 2, []) as unknown as [Entity, Entity]
      const heard = listening(world, Keeps(bob) as never)
      world.add(ann, Keeps(bob))
      world.destroy(bob)
      expect([heard.splice(0), world.has(ann, Keeps(bob))]).toEqual([[`+${ann}`], true])
      world.remove(ann, Keeps)
      expect([heard, world.has(ann, Keeps(bob))]).toEqual([[`-${ann}`], false])
    },
  )

  it('is called for existing sources, hidden ones included, if it asks for them', () => {
    const world = watchedWorld()
    const bob = world.spawn()
    const sources = [world.spawn(Likes(bob)), world.spawn(Likes(bob), Prefab)]
    world.spawn(Likes(sources[0] as Entity))
    const heard: number[] = []
    onAdd(world, Likes(bob), (entity) => void heard.push(entity), { existing: true })
    expect(heard).toEqual(sources)
  })

  it('is not called after it has ended, and goes on past a restore and a reset', () => {
    const world = watchedWorld()
    const [ann, bob] = spawnMany(world, 2, []) as unknown as [Entity, Entity]
    const before = snapshotWorld(world)
    let told = 0
    const stops = [onAdd(world, Likes(bob), () => void told++), onAdd(world, Likes(bob), () => void told++)]
    world.add(ann, Likes(bob))
    expect(told).toBe(2)
    restoreWorld(world, before)
    stops[0]?.()
    world.add(ann, Likes(bob))
    expect(told).toBe(3)
    stops[1]?.()
    world.remove(ann, Likes(bob))
    world.add(ann, Likes(bob))
    expect(told).toBe(3)
  })

  it.each([
    ['a target that is a component', Likes(Prefab as never)],
    ['its absence', not(Likes(1 as Entity))],
    ['an order', cascade(In)],
    ['alternatives', any(Likes, In)],
    ['nothing', null],
  ])('cannot ask for %s', (_, asked) => {
    const world = watchedWorld()
    for (const listen of [onAdd, onRemove])
      expect(() => listen(world, asked as never, () => {})).toThrow(coded('NOT_A_COMPONENT'))
    expect(() => onAdd(world, Likes(1 as Entity), 3 as never)).toThrow(coded('INVALID_OPTION'))
    world.dispose()
    expect(() => onRemove(world, Likes(1 as Entity), () => {})).toThrow(coded('WORLD_DISPOSED'))
  })
})
