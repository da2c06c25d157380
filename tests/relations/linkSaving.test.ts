// Shows what becomes of links in saves: targets, values, the order of sources, and links that the program declares otherwise or a
// file should not have.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type MergeOptions,
  destroyMany,
  digestWorld,
  mergeWorld,
  NULL_ENTITY,
  type World,
  type ComponentLike,
  component,
  entity,
  f32,
  not,
  onAdd,
  onEnter,
  relation,
  saveToJSON,
  saveWorld,
  sparse,
  spawnMany,
  onChange,
  tag,
  text,
  u16,
  u8,
  vec,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { load, loadJSON } from '../support/loaded'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Chest = tag('Chest')
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const DockedAt = relation('DockedAt', { berth: u8, pilot: entity, name: text }, { exclusive: true })
const Remembers = relation('Remembers', { since: u16 }, { exclusive: true, onTargetDestroy: 'keep' })
const Likes = relation('Likes', { weight: f32.default(1), since: u8, of: entity, why: text, at: vec(u16, 3) })
const Needs = relation('Needs', { onTargetDestroy: 'destroy' })
const Mourns = relation('Mourns', { days: u16 }, { onTargetDestroy: 'keep' })
const KNOWN = [Position, Chest, ChildOf, DockedAt, Remembers, Likes, Needs, Mourns]

type AnyRelation = ComponentLike & (typeof ChildOf | typeof Likes)
type Loader = (world: World, options?: object) => ReturnType<typeof load>

/** Every way from a world to one that is made of it. */
const WAYS: readonly (readonly [string, Loader])[] = [
  ['bytes', (world, options = {}) => load(saveWorld(world, options), KNOWN)],
  ['JSON', (world, options = {}) => loadJSON(saveToJSON(world, options), KNOWN)],
  [
    'a merge',
    (world, options = {}) => {
      // A world that has links of its own, to other handles.
      const other = testWorld()
      const own = other.spawn(Position)
      for (let i = 0; i < 3; i++) other.spawn(ChildOf(own), DockedAt(own))
      const merged = mergeWorld(other, saveWorld(world, options), { components: KNOWN })
      checkInvariants(other)
      expect(other.sourceCount(own, ChildOf)).toBe(3)
      return { world: other, handles: merged.handles, unknown: merged.unknown, absent: merged.absent }
    },
  ],
]

const sources = (world: World, target: number, Relation: unknown = ChildOf) =>
  Array.from(world.sources(target as Entity, Relation as AnyRelation))
const targets = (world: World, source: number, Relation: unknown = Likes) =>
  Array.from(world.targets(source as Entity, Relation as AnyRelation))

describe.each(WAYS)('links through %s', (_, way) => {
  it('The sources of every target keep their order, whatever produced it', () => {
    const world = testWorld()
    const [a, b] = [world.spawn(Position), world.spawn(Position)]
    const parts = Array.from({ length: 70 }, (_, i) => world.spawn(Position, ChildOf(i % 3 === 0 ? b : a)))
    world.reorder(parts[60] as Entity, ChildOf, { before: parts[3] as Entity })
    world.reorder(parts[4] as Entity, ChildOf, { after: parts[65] as Entity })
    world.remove(parts[7] as Entity, ChildOf)
    world.destroy(parts[30] as Entity)
    world.add(parts[7] as Entity, ChildOf(parts[8] as Entity))
    const { world: loaded, handles } = way(world)
    checkInvariants(loaded)
    for (const entity of world.query().entities()) {
      const now = handles.get(entity) as Entity
      expect(sources(loaded, now)).toEqual(sources(world, entity).map((source) => handles.get(source)))
      const target = world.target(entity, ChildOf)
      expect(loaded.target(now, ChildOf)).toBe(handles.get(target) ?? NULL_ENTITY)
    }
    // What lists are for: the whole tree goes with its root.
    loaded.destroy(handles.get(a) as Entity)
    checkInvariants(loaded)
    expect(loaded.isAlive(handles.get(parts[7] as Entity) as Entity)).toBe(false)
    expect(loaded.isAlive(handles.get(parts[6] as Entity) as Entity)).toBe(true)
  })

  it('Values are saved too, with the handles they hold', () => {
    const world = testWorld()
    const port = world.spawn(Chest)
    const pilot = world.spawn(Position)
    const ship = world.spawn(DockedAt(port, { berth: 3, pilot, name: 'Ann' }))
    world.spawn(DockedAt(port, { berth: 4 }))
    const { world: loaded, handles } = way(world)
    expect(loaded.get(handles.get(ship) as Entity, DockedAt)).toEqual({
      berth: 3,
      pilot: handles.get(pilot),
      name: 'Ann',
    })
    expect(loaded.query(DockedAt(Chest)).count).toBe(2)
    expect(loaded.query(DockedAt(handles.get(port) as Entity)).count).toBe(2)
  })

  it('Queries visit sources, and targets with a component, in the same order as before', () => {
    const world = testWorld()
    const chests = Array.from({ length: 5 }, () => world.spawn(Chest))
    const things = Array.from({ length: 40 }, (_, i) => world.spawn(DockedAt(chests[(i * 3) % 5] as Entity)))
    for (const i of [0, 9, 17]) world.remove(things[i] as Entity, DockedAt)
    for (let i = 0; i < 40; i += 5) world.remove(things[i] as Entity, DockedAt)
    const { world: loaded, handles } = way(world)
    const own = new Set(handles.values())
    const third = chests[3] as Entity
    const asked = [
      [world.query(DockedAt), loaded.query(DockedAt)],
      [world.query(DockedAt(Chest)), loaded.query(DockedAt(Chest))],
      [world.query(DockedAt(third)), loaded.query(DockedAt(handles.get(third) as Entity))],
    ] as const
    for (const [before, after] of asked) {
      expect(before.count).toBeGreaterThan(4)
      expect([...after.entities()].filter((one) => own.has(one))).toEqual(
        [...before.entities()].map((one) => handles.get(one)),
      )
    }
  })

  it('A link to an entity outside the file is left out, and a kept one stays without its target', () => {
    const world = testWorld()
    const [a, b] = [world.spawn(Chest), world.spawn()]
    const ship = world.spawn(Position, DockedAt(a), Remembers(b, { since: 9 }), ChildOf(a))
    const other = world.spawn(Position, DockedAt(ship, { berth: 2 }))
    const { world: loaded, handles } = way(world, { entities: world.query(Position) })
    expect(handles.size).toBe(2)
    const now = handles.get(ship) as Entity
    expect([loaded.has(now, DockedAt), loaded.has(now, ChildOf), loaded.has(now, Remembers)]).toEqual([
      false,
      false,
      true,
    ])
    expect([loaded.target(now, Remembers), loaded.targets(now, Remembers).length]).toEqual([NULL_ENTITY, 0])
    expect(loaded.get(now, Remembers)).toEqual({ since: 9 })
    expect(sources(loaded, now, DockedAt)).toEqual([handles.get(other)])
    world.destroy(b)
    const { world: later, handles: known } = way(world)
    const kept = known.get(ship) as Entity
    expect([later.target(kept, Remembers), later.get(kept, Remembers)]).toEqual([NULL_ENTITY, { since: 9 }])
    // It can be given a target again, and be removed.
    later.add(kept, Remembers(known.get(a) as Entity))
    expect(sources(later, known.get(a) as Entity, Remembers)).toEqual([kept])
    later.remove(kept, Remembers)
    checkInvariants(later)
  })
})

describe.each(WAYS)('links to many targets through %s', (_, way) => {
  it('The targets of every source and the sources of every target keep their orders, which are independent', () => {
    const world = testWorld()
    const all = Array.from({ length: 40 }, () => world.spawn(Position))
    const at = (i: number) => all[i % 40] as Entity
    for (let i = 0; i < 900; i++) {
      world.add(at(i * 7), Likes(at(i * 3 + (i >> 4)), { since: i % 251 }))
      if (i % 3 === 0) world.remove(at(i * 11), Likes(at(i)))
    }
    world.reorder(world.sources(at(3), Likes).at(-1) as Entity, Likes(at(3)), {
      before: world.sources(at(3), Likes)[0] as Entity,
    })
    world.destroy(at(12))
    const { world: loaded, handles } = way(world)
    const now = (entity: number) => handles.get(entity) as Entity
    let links = 0
    for (const entity of world.query(Position).entities()) {
      expect(targets(loaded, now(entity))).toEqual(targets(world, entity).map(now))
      expect(sources(loaded, now(entity), Likes)).toEqual(sources(world, entity, Likes).map(now))
      for (const target of world.targets(entity, Likes)) {
        links++
        const values = world.get(entity, Likes(target))
        expect(loaded.get(now(entity), Likes(now(target)))).toEqual({ ...values, of: NULL_ENTITY })
      }
    }
    expect(links).toBeGreaterThan(200)
    // What lists are for.
    loaded.destroy(now(at(3)))
    checkInvariants(loaded)
    expect(loaded.query(Likes(now(at(4)))).count).toBe(
      world.sourceCount(at(4), Likes) - Number(world.has(at(3), Likes(at(4)))),
    )
  })

  it('Values of every kind are saved for each link, with the handles they hold', () => {
    const world = testWorld()
    const [ann, bob, cid] = [world.spawn(Chest), world.spawn(Chest), world.spawn(Chest)]
    const weights = { weight: -0.5, since: 255, of: cid, why: 'Ürsache', at: [1, 65535, 3] }
    world.add(ann, Likes(bob, weights))
    world.add(ann, Likes(cid))
    world.add(bob, Likes(bob, { why: 'vain' }))
    const { world: loaded, handles } = way(world)
    const now = (entity: number) => handles.get(entity) as Entity
    expect(loaded.get(now(ann), Likes(now(bob)))).toEqual({
      ...weights,
      of: now(cid),
      at: Uint16Array.of(1, 65535, 3),
    })
    expect(loaded.get(now(ann), Likes(now(cid)))?.weight).toBe(1)
    expect(loaded.get(now(bob), Likes(now(bob)))?.why).toBe('vain')
    // Links made later are as those that were loaded.
    loaded.add(now(cid), Likes(now(bob), { since: 4 }))
    expect(sources(loaded, now(bob), Likes)).toEqual([now(ann), now(bob), now(cid)])
    checkInvariants(loaded)
  })

  it.each([0, 1, 14, 15, 16, 17, 510, 511, 512, 513])(
    '%i links of one source fill as many records as they need',
    (count) => {
      const world = testWorld()
      const source = world.spawn(Chest)
      const all = Array.from({ length: count }, (_, i) => world.spawn(Position({ x: i })))
      for (const [i, target] of all.entries()) world.add(source, Likes(target, { weight: i }), Needs(target))
      const { world: loaded, handles } = way(world)
      const now = handles.get(source) as Entity
      expect(targets(loaded, now)).toEqual(all.map((target) => handles.get(target)))
      expect(targets(loaded, now, Needs)).toEqual(all.map((target) => handles.get(target)))
      const middle = all[count >> 1]
      if (middle === undefined) return
      expect(loaded.get(now, Likes(handles.get(middle) as Entity))?.weight).toBe(count >> 1)
      loaded.destroy(handles.get(middle) as Entity)
      expect(loaded.isAlive(now)).toBe(false)
      checkInvariants(loaded)
    },
  )

  it('Links to entities outside the file are left out, and kept ones stay, each with its values', () => {
    const world = testWorld()
    const [a, b, c, d] = Array.from({ length: 4 }, () => world.spawn(Chest)) as [
      Entity,
      Entity,
      Entity,
      Entity,
    ]
    const ship = world.spawn(Position, Likes(a), Needs(a))
    const other = world.spawn(Position, Likes(ship, { since: 2 }))
    world.add(other, Likes(b))
    for (const [i, lost] of [a, ship, c, d].entries()) world.add(other, Mourns(lost, { days: i }))
    world.destroy(c)
    const { world: loaded, handles } = way(world, { entities: world.query(Position) })
    expect(handles.size).toBe(2)
    const [first, second] = [ship, other].map((entity) => handles.get(entity) as Entity) as [Entity, Entity]
    expect([loaded.has(first, Likes), loaded.has(first, Needs)]).toEqual([false, false])
    expect(targets(loaded, second)).toEqual([first])
    expect(targets(loaded, second, Mourns)).toEqual([NULL_ENTITY, first, NULL_ENTITY, NULL_ENTITY])
    expect(sources(loaded, first, Mourns)).toEqual([second])
    // They end one by one, or all at once.
    expect(loaded.get(second, Mourns(first))).toEqual({ days: 1 })
    loaded.remove(second, Mourns(first))
    expect(targets(loaded, second, Mourns)).toEqual([NULL_ENTITY, NULL_ENTITY, NULL_ENTITY])
    const { world: again, handles: known } = way(loaded, { entities: [second] })
    expect(targets(again, known.get(second) as Entity, Mourns)).toEqual([
      NULL_ENTITY,
      NULL_ENTITY,
      NULL_ENTITY,
    ])
    loaded.remove(second, Mourns)
    expect(loaded.has(second, Mourns)).toBe(false)
    checkInvariants(loaded)
  })
})

describe('a part of the links', () => {
  it('With `only`, a relation brings its sources and their targets, and nothing else', () => {
    const world = testWorld()
    const [root, stranger] = [world.spawn(Chest), world.spawn(Position)]
    const child = world.spawn(Position, ChildOf(root), DockedAt(stranger))
    const { world: loaded, handles, unknown } = load(saveWorld(world, { only: [ChildOf] }), KNOWN)
    expect(unknown).toEqual([])
    expect(loaded.stats().entities).toBe(2)
    expect(loaded.target(handles.get(child) as Entity, ChildOf)).toBe(handles.get(root))
    expect(loaded.query(Position).count + loaded.query(DockedAt).count).toBe(0)
    const without = load(saveWorld(world, { only: [Position] }), KNOWN).world
    expect([without.stats().entities, without.query(ChildOf).count]).toEqual([2, 0])
  })

  it('A relation that the program does not know is left out and reported, without the name of its lists', () => {
    const world = testWorld()
    const root = world.spawn(Position)
    world.spawn(Position, ChildOf(root))
    const { world: loaded, unknown } = load(saveWorld(world), [Position])
    expect(unknown).toEqual(['ChildOf'])
    expect(loaded.query(Position).count).toBe(2)
  })
})

describe('a program that declares its links differently', () => {
  const world = testWorld()
  const port = world.spawn(Position)
  const ship = world.spawn(DockedAt(port, { berth: 3, pilot: port, name: 'Ann' }))
  const bytes = saveWorld(world)

  it('New fields get their defaults, widened ones keep the value, and removed ones are reported', () => {
    const Later = relation('DockedAt', { berth: u16, paid: u8.default(7) }, { exclusive: true })
    const { world: loaded, handles, unknown } = load(bytes, [Position, Later])
    expect(loaded.get(handles.get(ship) as Entity, Later)).toEqual({ berth: 3, paid: 7 })
    expect(unknown).toEqual(['DockedAt.pilot', 'DockedAt.name'])
    expect(loaded.target(handles.get(ship) as Entity, Later)).toBe(handles.get(port))
  })

  it('Values of an earlier version are migrated, and the target stays', () => {
    const Later = relation(
      'DockedAt',
      { place: text },
      { exclusive: true, version: 2, migrate: { 1: (old) => ({ place: `${old.name} ${old.berth}` }) } },
    )
    const { world: loaded, handles } = load(bytes, [Position, Later])
    expect(loaded.get(handles.get(ship) as Entity, Later)).toEqual({ place: 'Ann 3' })
    expect(loaded.target(handles.get(ship) as Entity, Later)).toBe(handles.get(port))
  })

  it('The fields of links to many targets change in the same ways, and one that may have many takes those of an exclusive one', () => {
    const Old = relation('Ties', { weight: u8, gone: u8 })
    const old = testWorld()
    const [ann, bob] = [old.spawn(), old.spawn()]
    old.add(ann, Old(bob, { weight: 3 }))
    old.add(ann, Old(ann, { weight: 4 }))
    const Wider = relation('Ties', { weight: u16, more: u8.default(9) })
    const { world: wider, handles: now, unknown } = load(saveWorld(old), [Wider])
    expect(unknown).toEqual(['Ties.gone'])
    expect(wider.get(now.get(ann) as Entity, Wider(now.get(bob) as Entity))).toEqual({ weight: 3, more: 9 })
    const migrate = { 1: ({ weight }: { weight?: number }) => ({ label: `w${weight}` }) }
    const Newer = relation('Ties', { label: text }, { version: 2, migrate: migrate as never })
    const { world: newer, handles } = load(saveWorld(old), [Newer])
    expect(newer.get(handles.get(ann) as Entity, Newer(handles.get(ann) as Entity))).toEqual({ label: 'w4' })
    const Many = relation('DockedAt', { berth: u8 })
    const { world: many, handles: known } = load(bytes, [Position, Many])
    expect(many.get(known.get(ship) as Entity, Many(known.get(port) as Entity))).toEqual({ berth: 3 })
    checkInvariants(many)
  })

  it('Several targets are refused if the program declares one', () => {
    const world = testWorld()
    const [ann, bob] = [world.spawn(), world.spawn()]
    world.add(ann, Needs(bob))
    const Single = relation('Needs', { exclusive: true })
    expect(load(saveWorld(world), [Single]).world.query(Single).count).toBe(1)
    world.add(ann, Needs(world.spawn()))
    expect(() => load(saveWorld(world), [Single])).toThrow(
      expect.objectContaining({
        code: 'MISSING_MIGRATION',
        message: `Needs is exclusive here, and entity ${ann} has several targets in the save: load it with a relation that is not, remove all but one, and save again. Nothing has changed.`,
      }),
    )
  })

  it('A component with the name of a relation, and a relation with the name of a component, are refused', () => {
    const Component = component('DockedAt', { berth: u8 })
    expect(() => load(bytes, [Position, Component])).toThrow(
      expect.objectContaining({
        code: 'MISSING_MIGRATION',
        message:
          'DockedAt is a relation in the save, and a component here: give the component another name. Nothing has changed.',
      }),
    )
    const Related = relation('Position', { exclusive: true })
    expect(() => load(bytes, [Related])).toThrow('Position is a component in the save, and a relation here')
  })

  it('Links in a circle load, unless sources are destroyed with their targets', () => {
    const Follows = relation('Follows', { exclusive: true })
    const Owns = relation('Follows', { exclusive: true, onTargetDestroy: 'destroy' })
    const round = testWorld()
    const [a, b, c, d] = Array.from({ length: 4 }, () => round.spawn()) as [Entity, Entity, Entity, Entity]
    round.add(a, Follows(b))
    round.add(b, Follows(c))
    round.add(c, Follows(a))
    round.add(d, Follows(d))
    const { world: loaded, handles } = load(saveWorld(round), [Follows])
    expect(loaded.target(handles.get(d) as Entity, Follows)).toBe(handles.get(d))
    expect(loaded.target(handles.get(c) as Entity, Follows)).toBe(handles.get(a))
    const target = testWorld()
    target.spawn(Position)
    const before = digestWorld(target)
    for (const bytes of [saveWorld(round), saveWorld(round, { entities: [d] })]) {
      const options: MergeOptions = { components: [Owns] }
      expect(() => mergeWorld(target, bytes, options)).toThrow(
        expect.objectContaining({
          code: 'RELATION_CYCLE',
          message: expect.stringContaining('in a circle') as string,
        }),
      )
    }
    expect([digestWorld(target), target.stats().entities]).toEqual([before, 1])
  })

  it('A component with the name of the hidden lists of targets does not reach them', () => {
    const Forged = component('sources of DockedAt', { count: u16 }, { storage: sparse })
    const forger = testWorld()
    forger.spawn(Forged({ count: 9 }))
    const { unknown } = mergeWorld(world, saveWorld(forger))
    expect(unknown).toEqual(['sources of DockedAt'])
    checkInvariants(world)
  })
})

describe('a merge of links', () => {
  it('calls listeners once for each link, when all of them are there', () => {
    const file = testWorld()
    const car = file.spawn(Position)
    const wheels = [file.spawn(ChildOf(car)), file.spawn(ChildOf(car), DockedAt(car))]
    const world = testWorld()
    const own = world.spawn(Chest)
    world.spawn(ChildOf(own))
    const added: number[] = []
    const entered: number[] = []
    let changes = 0
    const late: number[] = []
    onAdd(world, ChildOf, (entity) => {
      added.push(entity)
      late.push(world.sourceCount(world.target(entity, ChildOf), ChildOf))
    })
    onEnter(world.query(ChildOf, not(DockedAt)), (entity) => entered.push(entity))
    onEnter(world.query(ChildOf(own)), () => expect.unreachable())
    onChange(world.query(DockedAt), () => changes++)
    const { handles } = mergeWorld(world, saveWorld(file), { components: KNOWN })
    expect(added).toEqual(wheels.map((wheel) => handles.get(wheel)))
    expect(late).toEqual([2, 2])
    expect(entered).toEqual([handles.get(wheels[0] as Entity)])
    expect(changes).toBe(1)
    checkInvariants(world)
  })

  it('for which memory runs out anywhere on its way leaves nothing behind', () => {
    const file = testWorld()
    const roots = Array.from({ length: 20 }, () => file.spawn())
    for (let i = 0; i < 300; i++) {
      const [root, port] = [roots[i % 20] as Entity, roots[i % 7] as Entity]
      file.add(file.spawn(ChildOf(root), DockedAt(port), Likes(root, { why: `${i}` })), Likes(port))
    }
    const bytes = saveWorld(file)
    const world = testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const own = world.spawn(Position)
    world.spawn(ChildOf(own), DockedAt(own))
    let refusals = 0
    // The world is filled up bit by bit: memory ends at another step each time.
    for (let filled = 0; refusals < 3 && filled < 60_000; filled += 500) {
      const digested = digestWorld(world)
      try {
        const { handles } = mergeWorld(world, bytes)
        checkInvariants(world)
        destroyMany(world, [...handles.values()])
      } catch (error) {
        expect(error).toMatchObject({ code: 'MEMORY_LIMIT' })
        refusals++
      }
      checkInvariants(world)
      expect(digestWorld(world)).toBe(digested)
      expect([...world.sources(own, ChildOf)].length).toBe(1)
      try {
        spawnMany(world, 500, [Position])
      } catch {
        spawnMany(world, 20, [Chest])
      }
    }
    expect(refusals).toBe(3)
  })
})
