// Shows what happens to sources when their target is destroyed, by call, in bulk, in loops and in listeners, with recycled
// handles too.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type World,
  clearWorld,
  cloneEntity,
  createCommands,
  destroyMany,
  queueDestroy,
  endFrame,
  NULL_ENTITY,
  component,
  f32,
  object,
  onAdd,
  onEnter,
  onRemove,
  relation,
  createRemovalReader,
  resetWorld,
  cloneMany,
  sparse,
  spawnMany,
  cloneTree,
  tag,
  depthOf,
  descendants,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { isChecked, testWorld } from '../support/world'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Velocity = component('Velocity', { x: f32 })
const Health = component('Health', { hp: f32 }, { storage: sparse })
const Frozen = tag('Frozen')
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const Follows = relation('Follows', { exclusive: true })
const Remembers = relation('Remembers', { exclusive: true, onTargetDestroy: 'keep' })

describe('the destruction of a target', () => {
  it.each([1, 2, 5, 100])('destroys the whole tree, %i levels deep and in any archetype', (depth) => {
    const world = watchedWorld()
    const root = world.spawn(Position)
    let level: Entity[] = [root]
    for (let k = 0; k < depth; k++) {
      const kinds = [[Position], [Velocity, Frozen], [Health], []]
      level = kinds.map((kind, i) =>
        world.spawn(...(kind as [typeof Position]), ChildOf(level[i % level.length] as Entity)),
      )
    }
    const bystander = world.spawn(Position)
    expect(world.destroy(root)).toBe(true)
    expect(world.stats().entities).toBe(1)
    expect(world.isAlive(bystander)).toBe(true)
    expect(world.query(ChildOf).count).toBe(0)
  })

  it('removes the link, keeps it, or destroys, as the relation says', () => {
    const world = watchedWorld()
    const target = world.spawn()
    const child = world.spawn(ChildOf(target))
    const follower = world.spawn(Position, Follows(target))
    const friend = world.spawn(Remembers(target))
    world.destroy(target)
    expect(world.isAlive(child)).toBe(false)
    expect(world.isAlive(follower)).toBe(true)
    expect(world.has(follower, Follows)).toBe(false)
    expect(world.target(friend, Remembers)).toBe(target)
    expect(world.has(friend, Remembers(target))).toBe(true)
    expect(world.sources(target, Remembers)).toHaveLength(0)
  })

  it('cleans up every relation that points at it, and at the entities destroyed with it', () => {
    const world = watchedWorld()
    const [a, b] = [world.spawn(), world.spawn()]
    const child = world.spawn(ChildOf(a))
    const both = world.spawn(Follows(a), Remembers(b))
    const second = world.spawn(Follows(child))
    world.add(child, Follows(b))
    world.destroy(a)
    expect(world.has(both, Follows)).toBe(false)
    expect(world.target(both, Remembers)).toBe(b)
    expect(world.has(second, Follows)).toBe(false)
    expect(world.sourceCount(b, Follows)).toBe(0)
  })

  it('does not lead to the entity that gets its index afterwards', () => {
    const world = watchedWorld({ maxEntities: 5 })
    const target = world.spawn()
    const friend = world.spawn(Remembers(target))
    const other = world.spawn(Remembers(target))
    world.destroy(target)
    let recycled = world.spawn()
    for (let i = 0; i < 20 && (recycled & 0xffffff) !== (target & 0xffffff); i++) {
      world.destroy(recycled)
      recycled = world.spawn()
    }
    expect(recycled & 0xffffff).toBe(target & 0xffffff)
    expect(recycled).not.toBe(target)
    expect(world.sourceCount(recycled, Remembers)).toBe(0)
    expect(world.query(Remembers(recycled)).count).toBe(0)
    const third = world.spawn(Remembers(recycled))
    world.remove(friend, Remembers)
    world.add(other, Remembers(recycled))
    expect(Array.from(world.sources(recycled, Remembers))).toEqual([third, other])
  })

  it('destroys a chain of a million without recursion', () => {
    const world = testWorld({ memory: { initial: 2 ** 26 } })
    const length = proofLength(isChecked ? 100_000 : 1_000_000)
    const root = world.spawn()
    let last = root
    for (let i = 1; i < length; i++) last = world.spawn(ChildOf(last))
    expect(world.stats().entities).toBe(length)
    expect(depthOf(world, last, ChildOf)).toBe(length - 1)
    expect(world.destroy(root)).toBe(true)
    expect(world.stats().entities).toBe(0)
    checkInvariants(world, 'tables')
    world.dispose()
  }, 120_000)

  it('happens once and leaves all lists whole, for several entities of a tree, or all that match', () => {
    const world = watchedWorld()
    const roots = Array.from({ length: 4 }, () => world.spawn(Position))
    const children = roots.map((root) => world.spawn(Position, ChildOf(root)))
    expect(destroyMany(world, [roots[0], children[0], children[1], roots[0]] as number[])).toBe(3)
    expect(world.stats().entities).toBe(5)
    expect(destroyMany(world.query(Position, ChildOf))).toBe(2)
    expect(world.sourceCount(roots[2] as Entity, ChildOf)).toBe(0)
    world.spawn(ChildOf(roots[3] as Entity))
    expect(destroyMany(world.query(Position))).toBe(3)
    expect(world.stats().entities).toBe(0)
  })

  it('leaves no answers after dispose, and does not disturb another world with the same relations', () => {
    const [world, other] = [testWorld(), watchedWorld()]
    const [root, same] = [world.spawn(), other.spawn()]
    world.spawn(ChildOf(root), Remembers(root))
    const child = other.spawn(ChildOf(same))
    world.dispose()
    for (const call of [
      () => world.sources(root, ChildOf),
      () => world.target(root, ChildOf),
      () => world.spawn(ChildOf(root)),
      () => cloneTree(world, root, 1),
    ])
      expect(call).toThrow(expect.objectContaining({ code: 'WORLD_DISPOSED' }))
    expect([...other.sources(same, ChildOf)]).toEqual([child])
  })

  it('leaves nothing after clear and after reset', () => {
    const world = watchedWorld()
    const root = world.spawn()
    world.spawn(ChildOf(root), Position)
    clearWorld(world)
    expect(world.query(ChildOf).count).toBe(0)
    const second = world.spawn()
    const child = world.spawn(ChildOf(second))
    expect(world.target(child, ChildOf)).toBe(second)
    resetWorld(world)
    const third = world.spawn()
    expect(world.sourceCount(third, ChildOf)).toBe(0)
    world.spawn(ChildOf(third))
    world.destroy(third)
    expect(world.stats().entities).toBe(0)
  })
})

describe('destruction in a loop or a block', () => {
  it('waits for the end of the loop, and then destroys the tree', () => {
    const world = watchedWorld()
    const root = world.spawn(Position)
    const child = world.spawn(Position, ChildOf(root))
    const follower = world.spawn(Position, Follows(root))
    for (const chunk of world.query(Position)) {
      world.destroy(root)
      expect(world.isAlive(child)).toBe(true)
      expect(chunk.end).toBeGreaterThan(0)
    }
    expect([root, child, follower].map((e) => world.isAlive(e))).toEqual([false, false, true])
    expect(world.has(follower, Follows)).toBe(false)
  })

  it('treats a target that dies before its turn like one that dies right after', () => {
    const world = watchedWorld()
    const root = world.spawn()
    const [stays, goes] = [world.spawn(), world.spawn()]
    let made: Entity = NULL_ENTITY
    let many: ArrayLike<number> = []
    world.batch(() => {
      world.destroy(root)
      world.add(stays, Position({ x: 2 }), Follows(root))
      world.add(goes, ChildOf(root))
      made = world.spawn(Position, ChildOf(root))
      many = spawnMany(world, 3, [Position, ChildOf(root)])
    })
    expect(world.get(stays, Position)).toEqual({ x: 2 })
    expect(world.has(stays, Follows)).toBe(false)
    expect(world.isAlive(goes)).toBe(false)
    expect(world.isAlive(made)).toBe(false)
    expect(Array.from(many).some((e) => world.isAlive(e))).toBe(false)
    expect(world.stats().entities).toBe(1)
  })

  it('ignores other links of what dies with a target before its turn', () => {
    const world = watchedWorld()
    const [root, child] = [world.spawn(), world.spawn()]
    const buffer = createCommands(world)
    const reserved = buffer.spawn()
    world.batch(() => {
      world.destroy(root)
      world.add(child, Follows(reserved), ChildOf(root))
    })
    expect(world.isAlive(child)).toBe(false)
    // A link would have given it a row.
    expect(world.query().count).toBe(0)
    buffer.apply()
    expect([...world.query().entities()]).toEqual([reserved])
  })

  it('still links entities that are spawned in the same block, in any order, and in buffers', () => {
    const world = watchedWorld()
    const buffer = createCommands(world)
    const parent = buffer.spawn(Position)
    const child = buffer.spawn(Position, ChildOf(parent))
    buffer.add(child, Follows(parent))
    buffer.apply()
    expect(Array.from(world.sources(parent, ChildOf))).toEqual([child])
    expect(world.target(child, Follows)).toBe(parent)
    let second: Entity = NULL_ENTITY
    let third: Entity = NULL_ENTITY
    world.batch(() => {
      second = world.spawn(Position)
      third = world.spawn(ChildOf(second))
      world.add(second, ChildOf(parent))
      world.remove(child, ChildOf(parent))
      world.add(child, ChildOf(third))
    })
    expect(Array.from(descendants(world, parent, ChildOf))).toEqual([second, third, child])
  })
})

describe('listeners and destruction', () => {
  const linking: [string, (world: World, source: Entity, target: Entity) => Entity][] = [
    ['spawn', (world, _, target) => world.spawn(Position({ x: 1 }), ChildOf(target))],
    [
      'spawnMany',
      (world, _, target) => spawnMany(world, 2, [Position({ x: 1 }), ChildOf(target)])[1] as Entity,
    ],
    ['clone', (world, source, target) => cloneEntity(world, source, ChildOf(target))],
    ['spawnFrom', (world, source, target) => cloneMany(world, source, 2, ChildOf(target))[1] as Entity],
  ]

  it.each(linking)(
    'a listener called for the row that a link gives its target waits for the link: %s',
    (_, link) => {
      for (const destroys of [false, true]) {
        const world = watchedWorld()
        const source = world.spawn(Position({ x: 1 }))
        const target = createCommands(world).spawn()
        onEnter(world.query(), (entity) => {
          if (entity !== target) return
          world.add(source, Frozen)
          if (destroys) for (const entity of [source, target]) world.destroy(entity)
        })
        const seen: unknown[] = []
        onAdd(world, Position, (entity) => seen.push(world.has(entity, Frozen)))
        const child = link(world, source, target)
        expect(new Set(seen)).toEqual(new Set([false]))
        expect([world.isAlive(target), world.isAlive(child), world.isAlive(source)]).toEqual(
          Array(3).fill(!destroys),
        )
      }
    },
  )

  it('a listener that destroys does not stop the cascade half-way (koota #284)', () => {
    const world = watchedWorld()
    const root = world.spawn()
    const children = Array.from({ length: 5 }, () => world.spawn(ChildOf(root), Position))
    const grandchildren = children.map((child) => world.spawn(ChildOf(child)))
    const told: number[] = []
    onRemove(world, ChildOf, (e) => {
      told.push(e)
      for (const other of [...children, ...grandchildren, root]) world.destroy(other)
    })
    world.destroy(root)
    expect(world.stats().entities).toBe(0)
    expect(told).toEqual([...children, ...grandchildren])
  })

  it('the ordered list never returns an entity that was destroyed (koota #215)', () => {
    const world = watchedWorld()
    const root = world.spawn()
    const children = Array.from({ length: 5 }, () => world.spawn(ChildOf(root)))
    world.destroy(children[1] as Entity)
    world.destroy(children[4] as Entity)
    expect(Array.from(world.sources(root, ChildOf))).toEqual([0, 2, 3].map((i) => children[i]))
    onRemove(world, ChildOf, () =>
      expect(Array.from(world.sources(root, ChildOf)).every((e) => world.isAlive(e))).toBe(true),
    )
    world.destroy(children[0] as Entity)
    expect(Array.from(world.sources(root, ChildOf))).toEqual([2, 3].map((i) => children[i]))
  })

  it('listeners are called before links end, while all of them can be read', () => {
    const world = watchedWorld()
    const root = world.spawn()
    const child = world.spawn(ChildOf(root), Position)
    const follower = world.spawn(Follows(root))
    const seen: unknown[] = []
    onRemove(world, ChildOf, (e) => seen.push(['ChildOf', e, world.target(e, ChildOf), world.isAlive(root)]))
    onRemove(world, Follows, (e) => seen.push(['Follows', e, world.target(e, Follows), world.isAlive(root)]))
    onRemove(world, Position, (e) => seen.push(['Position', e]))
    world.destroy(root)
    expect(seen).toEqual([
      ['Follows', follower, root, true],
      ['Position', child],
      ['ChildOf', child, root, true],
    ])
  })

  it('listeners may link to what dies, and the link is dropped or its source dies, too', () => {
    const world = watchedWorld()
    const root = world.spawn()
    const child = world.spawn(ChildOf(root))
    const bystander = world.spawn(Position)
    const doomed = world.spawn(Position)
    onRemove(world, ChildOf, (e) => {
      if (e !== child) return
      world.add(bystander, Follows(root))
      world.add(doomed, ChildOf(root))
    })
    world.destroy(root)
    expect(world.has(bystander, Follows)).toBe(false)
    expect(world.isAlive(doomed)).toBe(false)
    expect(world.stats().entities).toBe(1)
  })

  it('objects of all destroyed entities are disposed of', () => {
    const disposed: string[] = []
    const Mesh = object<string>('Mesh', { dispose: (mesh) => disposed.push(mesh) })
    const world = watchedWorld()
    const root = world.spawn(Mesh('root'))
    world.spawn(Mesh('child'), ChildOf(root))
    world.destroy(root)
    expect(disposed.sort()).toEqual(['child', 'root'])
  })
})

describe('the destruction of several targets of one entity', () => {
  const Near = relation('Near', { x: f32 })
  const Doomed = tag('Doomed')
  const Destroy: Record<
    string,
    (world: ReturnType<typeof watchedWorld>, list: readonly Entity[]) => unknown
  > = {
    'a query': (world) => destroyMany(world.query(Doomed)),
    'a list': (world, list) => destroyMany(world, list),
    'a page': (world) => destroyMany(world.query(Doomed).slice(0, 9)),
    'a block': (world, list) => world.batch(() => list.forEach((one) => world.destroy(one))),
    'the end of a frame': (world, list) => (list.forEach((one) => queueDestroy(world, one)), endFrame(world)),
  }

  it.each(Object.keys(Destroy))('by %s leaves it without links, ready to be linked again', (way) => {
    const world = watchedWorld()
    const [a, b, c, d] = Array.from(spawnMany(world, 4, [Doomed])) as [Entity, Entity, Entity, Entity]
    const entity = world.spawn(Position({ x: 5 }), Follows(a), Near(b))
    world.add(entity, Near(c))
    world.add(entity, Near(d))
    world.add(a, Near(b), Follows(b))
    world.add(b, Follows(a))
    const lost: string[] = []
    for (const [name, R] of Object.entries({ Follows, Near }))
      onRemove(world, R, (one) => void (one === entity && lost.push(name)))
    Destroy[way]?.(world, [a, b, c, d])
    expect([a, b, c, d].some((one) => world.isAlive(one))).toBe(false)
    expect([world.has(entity, Follows), Array.from(world.targets(entity, Near))]).toEqual([false, []])
    expect([world.query(Follows).count, world.query(Near).count, lost.sort()]).toEqual([
      0,
      0,
      ['Follows', 'Near'],
    ])
    const other = world.spawn()
    world.add(entity, Follows(other), Near(other, { x: 2 }))
    expect([world.get(entity, Position), world.get(entity, Near(other))]).toEqual([{ x: 5 }, { x: 2 }])
  })
})

it.each([
  ['many targets', relation('Likes')],
  ['one target', Follows],
])('A source that dies with its target loses a link of a relation with %s once, when it dies', (_, Link) => {
  const world = watchedWorld()
  const parent = world.spawn()
  const child = world.spawn(ChildOf(parent), Link(parent))
  const orphan = world.spawn(Link(parent))
  const lost = createRemovalReader(world, Link)
  const calls: Entity[] = []
  onRemove(world, Link, (one) => void calls.push(one))
  world.destroy(parent)
  expect(calls.sort()).toEqual([child, orphan].sort())
  const gone = lost.read().map(({ entity, died }) => [entity, died])
  expect(gone.sort()).toEqual([[child, true], [orphan, false]].sort()) // prettier-ignore
})
