// Shows the calls about all targets of one entity: world.setTargets, world.targets into an array of the caller's, and several
// links named by one call.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  addMany,
  component,
  createCommands,
  digestWorld,
  entity,
  f32,
  NULL_ENTITY,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  relation,
  spawnAt,
  spawnMany,
  text,
  u8,
  vec,
  type World,
} from '../../bindings/index'
import { caughtFrom, codeOf } from '../support/caught'
import { checkInvariants } from '../support/invariants'
import { leaveFree } from '../support/scarcity'
import { testWorld } from '../support/world'

const POLICIES = ['remove', 'destroy', 'keep'] as const
const Position = component('Position', { x: f32 })
const Likes = relation('Likes', { weight: f32.default(1), note: u8 })
const ChildOf = relation('ChildOf', { since: u8.default(7) }, { exclusive: true })
const anything = (value: unknown) => value as never

function people(count: number, world: World = testWorld()) {
  return { world, all: Array.from({ length: count }, () => world.spawn(Position)) as Entity[] }
}

/** Targets with their weights, in their order. */
const weights = (world: World, source: Entity) =>
  Array.from(world.targets(source, Likes), (target) => [target, world.get(source, Likes(target))?.weight])

/** Numbers from 0 to below a limit, the same ones in each run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

describe('setTargets', () => {
  it('makes the links of a list, ends all others, and keeps the values of links that stay', () => {
    const { world, all } = people(5)
    const [ann, bob, eve, joe, kim] = all as [Entity, Entity, Entity, Entity, Entity]
    world.add(ann, Likes(bob, { weight: 2 }), Likes(eve, { weight: 3 }))
    world.setTargets(ann, Likes, [kim, eve, joe])
    expect(weights(world, ann)).toEqual([
      [kim, 1],
      [eve, 3],
      [joe, 1],
    ])
    expect(world.target(ann, Likes)).toBe(kim)
    expect(world.has(ann, Likes(bob))).toBe(false)
    expect([bob, eve, joe, kim].map((one) => world.sourceCount(one, Likes))).toEqual([0, 1, 1, 1])
    checkInvariants(world)
    world.setTargets(ann, Likes, new Uint32Array([eve]))
    expect(weights(world, ann)).toEqual([[eve, 3]])
    checkInvariants(world)
    world.setTargets(ann, Likes, [])
    expect(world.has(ann, Likes)).toBe(false)
    expect(world.targets(ann, Likes)).toHaveLength(0)
    checkInvariants(world)
    // Those that ended start over.
    world.setTargets(ann, Likes, [eve])
    expect(weights(world, ann)).toEqual([[eve, 1]])
    checkInvariants(world)
  })

  it('writes the fields that are given by column, and leaves the others as they are', () => {
    const { world, all } = people(4)
    const [ann, bob, eve, joe] = all as [Entity, Entity, Entity, Entity]
    world.add(ann, Likes(bob, { weight: 2, note: 9 }))
    world.setTargets(ann, Likes, [eve, bob], { values: { weight: new Float32Array([4, 5]) } })
    expect(world.get(ann, Likes(eve))).toEqual({ weight: 4, note: 0 })
    expect(world.get(ann, Likes(bob))).toEqual({ weight: 5, note: 9 })
    world.setTargets(ann, Likes, [bob, joe], { values: { note: [1, 2], weight: undefined } })
    expect(world.get(ann, Likes(bob))).toEqual({ weight: 5, note: 1 })
    expect(world.get(ann, Likes(joe))).toEqual({ weight: 1, note: 2 })
    checkInvariants(world)
  })

  it('writes fields of every kind', () => {
    const Of = relation('Of', { at: vec(f32, 2), who: entity, note: text.default('none') })
    const { world, all } = people(3)
    const [ann, bob, eve] = all as [Entity, Entity, Entity]
    const values = { at: [1, 2, 3, 4], who: [bob, ann], note: ['first', 'second'] }
    world.setTargets(ann, Of, [bob, eve], { values })
    expect(world.get(ann, Of(eve))).toEqual({ at: Float32Array.of(3, 4), who: ann, note: 'second' })
    world.setTargets(ann, Of, [eve])
    expect(world.get(ann, Of(eve))).toEqual({ at: Float32Array.of(3, 4), who: ann, note: 'second' })
    world.setTargets(ann, Of, [bob])
    expect(world.get(ann, Of(bob))).toEqual({ at: new Float32Array(2), who: NULL_ENTITY, note: 'none' })
    checkInvariants(world)
  })

  it('gives an exclusive relation its one target, or removes it', () => {
    const { world, all } = people(3)
    const [car, van, wheel] = all as [Entity, Entity, Entity]
    world.setTargets(wheel, ChildOf, [car], { values: { since: [3] } })
    expect(world.get(wheel, ChildOf)).toEqual({ since: 3 })
    world.setTargets(wheel, ChildOf, [car])
    expect(world.get(wheel, ChildOf)).toEqual({ since: 3 })
    world.setTargets(wheel, ChildOf, [van])
    expect([world.target(wheel, ChildOf), world.get(wheel, ChildOf)]).toEqual([van, { since: 7 }])
    checkInvariants(world)
    const before = digestWorld(world)
    const error = caughtFrom(() => world.setTargets(wheel, ChildOf, [car, van]))
    expect(error.code).toBe('INVALID_VALUE')
    expect(error.message).toContain('one target of ChildOf at most')
    expect(digestWorld(world)).toBe(before)
    world.setTargets(wheel, ChildOf, [])
    expect(world.target(wheel, ChildOf)).toBe(NULL_ENTITY)
    checkInvariants(world)
  })

  it.each([0, 1, 15, 16, 17, 39, 40, 41, 64, 500])('takes %i targets, and each once', (count) => {
    const { world, all } = people(count + 1)
    const [hub, ...others] = all as [Entity, ...Entity[]]
    world.setTargets(hub, Likes, others)
    expect([...world.targets(hub, Likes)]).toEqual(others)
    checkInvariants(world)
    const back = [...others].reverse()
    world.setTargets(hub, Likes, back)
    expect([...world.targets(hub, Likes)]).toEqual(back)
    checkInvariants(world)
    if (count === 0) return
    const before = digestWorld(world)
    expect(codeOf(() => world.setTargets(hub, Likes, [...others, others[count - 1] as Entity]))).toBe(
      'DUPLICATE_COMPONENT',
    )
    expect(digestWorld(world)).toBe(before)
  })

  it.each([
    [
      'DEAD_ENTITY',
      (world: World, [ann, bob, , dead]: Entity[]) => world.setTargets(ann!, Likes, [bob!, dead!]),
    ],
    [
      'DEAD_ENTITY',
      (world: World, [ann, bob]: Entity[]) => world.setTargets(ann!, Likes, [bob!, NULL_ENTITY]),
    ],
    ['DEAD_ENTITY', (world: World, [, bob, , dead]: Entity[]) => world.setTargets(dead!, Likes, [bob!])],
    ['DEAD_ENTITY', (world: World, [, , , dead]: Entity[]) => world.setTargets(dead!, Likes, [])],
    ['DEAD_ENTITY', (world: World, [ann]: Entity[]) => world.setTargets(ann!, Likes, [-1])],
    ['NOT_AN_ENTITY', (world: World, [ann]: Entity[]) => world.setTargets(ann!, Likes, anything(['x']))],
    ['INVALID_OPTION', (world: World, [ann]: Entity[]) => world.setTargets(ann!, Likes, anything(7))],
    [
      'INVALID_OPTION',
      (world: World, [ann]: Entity[]) => world.setTargets(ann!, Likes, [], anything({ into: 1 })),
    ],
    ['NOT_A_RELATION', (world: World, [ann]: Entity[]) => world.setTargets(ann!, anything(Position), [])],
    [
      'UNKNOWN_FIELD',
      (world: World, [ann, bob]: Entity[]) =>
        world.setTargets(ann!, Likes, [bob!], { values: anything({ wait: [1] }) }),
    ],
    [
      'INVALID_VALUE',
      (world: World, [ann, bob, eve]: Entity[]) =>
        world.setTargets(ann!, Likes, [bob!, eve!], { values: { weight: [1] } }),
    ],
    [
      'INVALID_VALUE',
      (world: World, [ann, bob]: Entity[]) =>
        world.setTargets(ann!, Likes, [bob!], { values: { weight: anything(['x']) } }),
    ],
  ] as const)('is refused with %s, in a loop too, and changes nothing: %s', (code, call) => {
    const { world, all } = people(4)
    world.add(all[0] as Entity, Likes(all[2] as Entity, { weight: 5 }))
    world.destroy(all[3] as Entity)
    const before = digestWorld(world)
    expect(codeOf(() => call(world, all))).toBe(code)
    expect(codeOf(() => world.batch(() => call(world, all)))).toBe(code)
    expect(digestWorld(world)).toBe(before)
    checkInvariants(world)
  })

  it('refuses a circle of dependent entities', () => {
    const Needs = relation('Needs', { onTargetDestroy: 'destroy' })
    const { world, all } = people(3)
    const [a, b, c] = all as [Entity, Entity, Entity]
    world.setTargets(b, Needs, [a])
    world.setTargets(c, Needs, [b])
    const before = digestWorld(world)
    expect(codeOf(() => world.setTargets(a, Needs, [c]))).toBe('RELATION_CYCLE')
    expect(codeOf(() => world.setTargets(b, Needs, [a, c]))).toBe('RELATION_CYCLE')
    expect(digestWorld(world)).toBe(before)
    checkInvariants(world)
  })

  it('waits in a loop, and reads its list at the call', () => {
    const { world, all } = people(4)
    const [ann, bob, eve, joe] = all as [Entity, Entity, Entity, Entity]
    world.add(ann, Likes(bob, { weight: 2 }))
    const list = [eve, bob]
    const weight = new Float32Array([6, 7])
    let born = NULL_ENTITY as Entity
    world.batch(() => {
      world.setTargets(ann, Likes, list, { values: { weight } })
      list.length = 0
      weight.fill(0)
      born = world.spawn(Position)
      world.setTargets(born, Likes, [ann, joe])
      world.setTargets(joe, Likes, [born])
      expect(weights(world, ann)).toEqual([[bob, 2]])
    })
    expect(weights(world, ann)).toEqual([
      [eve, 6],
      [bob, 7],
    ])
    expect([...world.targets(born, Likes)]).toEqual([ann, joe])
    expect([...world.targets(joe, Likes)]).toEqual([born])
    checkInvariants(world)
    world.batch(() => {
      world.setTargets(ann, Likes, [joe])
      world.setTargets(ann, Likes, [joe, eve])
      world.setTargets(bob, Likes, [ann])
      world.destroy(bob)
    })
    expect([...world.targets(ann, Likes)]).toEqual([joe, eve])
    expect(world.isAlive(bob)).toBe(false)
    checkInvariants(world)
  })

  it.each(POLICIES)('leaves out entities that die before the loop ends: %s', (onTargetDestroy) => {
    const Has = relation('Has', { n: u8 }, { onTargetDestroy })
    const Of = relation('Of', { exclusive: true, onTargetDestroy })
    const { world, all } = people(4)
    const [ann, bob, eve, joe] = all as [Entity, Entity, Entity, Entity]
    world.batch(() => {
      world.destroy(bob)
      world.setTargets(ann, Has, [bob, eve], { values: { n: [1, 2] } })
      world.setTargets(joe, Of, [bob])
    })
    const dies = onTargetDestroy === 'destroy'
    expect([world.isAlive(ann), world.isAlive(joe)]).toEqual([!dies, !dies])
    expect([...world.targets(ann, Has)]).toEqual(dies ? [] : [eve])
    expect(world.get(ann, Has(eve))).toEqual(dies ? undefined : { n: 2 })
    expect(world.has(joe, Of)).toBe(false)
    checkInvariants(world)
  })

  it('changes nothing when memory runs out', () => {
    const Has = relation('Has', { note: text })
    let failed = 0
    for (let kib = 0; kib < 40; kib += 3) {
      const { world, all } = people(300, testWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } }))
      const [hub, ...others] = all as [Entity, ...Entity[]]
      world.setTargets(hub, Has, others.slice(0, 3))
      leaveFree(world, kib)
      const before = digestWorld(world)
      const note = others.map((one) => `note ${one}`)
      const code = codeOf(() => world.setTargets(hub, Has, others, { values: { note } }))
      if (code === 'nothing thrown') expect([...world.targets(hub, Has)]).toEqual(others)
      else {
        expect(code).toMatch(/LIMIT/)
        expect(digestWorld(world)).toBe(before)
        failed++
      }
      checkInvariants(world)
      world.dispose()
    }
    expect(failed).toBeGreaterThan(1)
  })

  it('calls listeners for the first link and the last one, and queries for each', () => {
    const { world, all } = people(4)
    const [ann, bob, eve, joe] = all as [Entity, Entity, Entity, Entity]
    const told: string[] = []
    const name = (one: Entity) => 'abej'[all.indexOf(one)] as string
    onAdd(world, Likes, (one) => told.push(`add ${name(one)}`))
    onRemove(world, Likes, (one) => told.push(`remove ${name(one)} of ${world.targets(one, Likes).length}`))
    onSet(world, Likes, (one) => told.push(`set ${name(one)}`))
    for (const target of [bob, eve, joe]) {
      onEnter(world.query(Likes(target)), (one) => told.push(`${name(one)} enters ${name(target)}`))
      onExit(world.query(Likes(target)), (one) => told.push(`${name(one)} leaves ${name(target)}`))
    }
    const heard = (call: () => void) => {
      told.length = 0
      call()
      checkInvariants(world)
      return [...told].sort()
    }
    expect(heard(() => world.setTargets(ann, Likes, [bob, eve]))).toEqual([
      'a enters b',
      'a enters e',
      'add a',
    ])
    expect(heard(() => world.setTargets(ann, Likes, [eve, joe]))).toEqual(['a enters j', 'a leaves b'])
    expect(heard(() => world.setTargets(ann, Likes, [joe], { values: { weight: [3] } }))).toEqual([
      'a leaves e',
      'set a',
    ])
    expect(heard(() => world.batch(() => world.setTargets(ann, Likes, [])))).toEqual([
      'a leaves j',
      'remove a of 1',
    ])
    expect(heard(() => world.add(ann, Likes(bob), Likes(joe)))).toEqual(['a enters b', 'a enters j', 'add a'])
  })

  it('may be called by a listener, and waits until the change is made', () => {
    const { world, all } = people(4)
    const [ann, bob, eve, joe] = all as [Entity, Entity, Entity, Entity]
    onAdd(world, Likes, (one) => {
      if (one === ann) world.setTargets(bob, Likes, [eve, joe])
    })
    world.setTargets(ann, Likes, [bob])
    expect([...world.targets(bob, Likes)]).toEqual([eve, joe])
    checkInvariants(world)
  })

  it('marks the source as changed, and changes the versions of queries', () => {
    const { world, all } = people(3)
    const [ann, bob, eve] = all as [Entity, Entity, Entity]
    world.setTargets(ann, Likes, [bob])
    const query = world.query(Likes(eve))
    const { version } = query
    world.setTargets(ann, Likes, [bob, eve])
    expect(query.version).not.toBe(version)
    expect([...query.entities()]).toEqual([ann])
  })
})

describe.each(POLICIES)('Random links with onTargetDestroy %s', (onTargetDestroy) => {
  it('equal those of a plain model, whether set as a list or one by one', () => {
    const Has = relation('Has', { n: u8.default(3) }, { onTargetDestroy })
    for (let seed = 1; seed <= 12; seed++) {
      const world = testWorld()
      const below = numbers(seed)
      let living = Array.from({ length: 9 }, () => world.spawn(Position))
      // By source its targets in their order, by target its sources in theirs.
      const links = new Map<Entity, Map<Entity, number>>()
      const sources = new Map<Entity, Entity[]>()
      const end = (source: Entity, target: Entity) => {
        links.get(source)?.delete(target)
        sources.set(
          target,
          sourcesOf(target).filter((one) => one !== source),
        )
      }
      const sourcesOf = (target: Entity) => sources.get(target) ?? []
      const begin = (source: Entity, target: Entity, n: number | undefined) => {
        const known = links.get(source) ?? new Map<Entity, number>()
        links.set(source, known)
        if (!known.has(target)) sources.set(target, [...sourcesOf(target), source])
        known.set(target, n ?? known.get(target) ?? 3)
      }
      for (let step = 0; step < 120; step++) {
        const source = living[below(living.length)] as Entity
        const place = living.indexOf(source)
        // With a policy that kills, links lead to older ones: there are no circles then.
        const candidates = onTargetDestroy === 'destroy' ? living.slice(0, place) : living
        const list = candidates.filter(() => below(3) > 0)
        for (let i = list.length - 1; i > 0; i--) {
          const k = below(i + 1)
          ;[list[i], list[k]] = [list[k] as Entity, list[i] as Entity]
        }
        const n = list.map(() => below(200))
        const isDeferred = below(3) === 0
        const isValued = below(2) === 0
        const kind = below(8)
        const call = () => {
          if (kind < 4) world.setTargets(source, Has, list, isValued ? { values: { n } } : undefined)
          else if (kind < 6)
            world.add(source, ...list.map((one, i) => (isValued ? Has(one, { n: n[i] }) : Has(one))))
          else if (kind === 6) for (const one of list) world.remove(source, Has(one))
          else if (living.length > 5) world.destroy(source)
        }
        if (isDeferred) world.batch(call)
        else call()
        if (kind < 4) {
          const before = new Map(links.get(source))
          for (const target of before.keys()) if (!list.includes(target)) end(source, target)
          links.delete(source)
          list.forEach((target, i) => {
            const known = before.get(target)
            if (known !== undefined) {
              links.set(source, (links.get(source) ?? new Map<Entity, number>()).set(target, known))
            }
            begin(source, target, isValued ? n[i] : undefined)
          })
        } else if (kind < 6) list.forEach((target, i) => begin(source, target, isValued ? n[i] : undefined))
        else if (kind === 6) for (const target of list) end(source, target)
        else if (living.length > 5) {
          const dying = [source]
          for (let i = 0; i < dying.length && onTargetDestroy === 'destroy'; i++)
            for (const one of sourcesOf(dying[i] as Entity)) if (!dying.includes(one)) dying.push(one)
          for (const dead of dying) {
            for (const target of [...(links.get(dead)?.keys() ?? [])]) end(dead, target)
            if (onTargetDestroy !== 'keep') for (const one of sourcesOf(dead)) end(one, dead)
          }
          living = living.filter((one) => !dying.includes(one))
          while (living.length < 9) living.push(world.spawn(Position))
        }
        checkInvariants(world)
        for (const one of living) {
          const expected = [...(links.get(one) ?? new Map<Entity, number>())]
          const found = Array.from(world.targets(one, Has), (target) => [
            target,
            world.get(one, Has(target))?.n,
          ])
          expect(found, `seed ${seed}, step ${step}`).toEqual(expected)
          expect([...world.sources(one, Has)]).toEqual(sourcesOf(one).filter((each) => living.includes(each)))
        }
      }
    }
  })
})

describe('targets', () => {
  it.each([0, 1, 2, 20])('fills an array of the caller with %i handles and returns how many', (count) => {
    const { world, all } = people(count + 1)
    const [hub, ...others] = all as [Entity, ...Entity[]]
    world.setTargets(hub, Likes, others)
    const into = new Uint32Array(count + 2).fill(9)
    expect(world.targets(hub, Likes, { into })).toBe(count)
    expect([...into]).toEqual([...others, 9, 9])
    expect(world.targets(hub, Likes, { into: new Uint32Array(count) })).toBe(count)
    if (count === 0) return
    const short = new Uint32Array(count - 1).fill(9)
    const error = caughtFrom(() => world.targets(hub, Likes, { into: short }))
    expect(error.code).toBe('INVALID_OPTION')
    expect(error.message).toContain(`give a Uint32Array of at least ${count} elements`)
    expect(short.every((one) => one === 9)).toBe(true)
  })

  it('fills it for an exclusive relation, for the dead, and for a relation that the world has not met', () => {
    const { world, all } = people(2)
    const [car, wheel] = all as [Entity, Entity]
    const into = new Uint32Array(4)
    expect(world.targets(wheel, ChildOf, { into })).toBe(0)
    world.add(wheel, ChildOf(car))
    expect(world.targets(wheel, ChildOf, { into })).toBe(1)
    expect(into[0]).toBe(car)
    world.destroy(wheel)
    expect(world.targets(wheel, ChildOf, { into })).toBe(0)
    expect(world.targets(NULL_ENTITY, ChildOf, { into })).toBe(0)
  })

  it.each([[[]], [new Float64Array(9)], [null], ['x']])('refuses to fill %s', (into) => {
    const { world, all } = people(1)
    expect(codeOf(() => world.targets(all[0] as Entity, Likes, { into: anything(into) }))).toBe(
      'INVALID_OPTION',
    )
    expect(codeOf(() => world.targets(all[0] as Entity, Likes, anything({ inot: 1 })))).toBe('INVALID_OPTION')
  })
})

describe('Several links of one relation in one call', () => {
  it('are made by add, spawn, exchange, lists and command buffers, together with other components', () => {
    const { world, all } = people(4)
    const [ann, bob, eve, joe] = all as [Entity, Entity, Entity, Entity]
    const Name = component('Name', { value: text })
    const both = [
      [bob, 1],
      [eve, 5],
    ]
    expect(world.add(ann, Likes(bob), Name({ value: 'Ann' }), Likes(eve, { weight: 5 }))).toBe(true)
    expect(weights(world, ann)).toEqual(both)
    expect(world.get(ann, Name)).toEqual({ value: 'Ann' })
    expect(world.add(ann, Likes(bob), Likes(joe))).toBe(false)
    expect([...world.targets(ann, Likes)]).toEqual([bob, eve, joe])
    checkInvariants(world)
    world.exchange(ann, [Likes], [Likes(bob), Likes(eve, { weight: 5 })])
    expect(weights(world, ann)).toEqual(both)
    checkInvariants(world)
    const born = [
      world.spawn(Likes(bob), Likes(eve, { weight: 5 })),
      world.spawn(Name({ value: 'a' }), Likes(bob), Position({ x: 3 }), Likes(eve, { weight: 5 })),
      ...spawnMany(world, 3, [Likes(bob), Position, Likes(eve, { weight: 5 })]),
      world.batch(() => world.spawn(Likes(bob), Likes(eve, { weight: 5 }), Name)),
      spawnAt(world, 9000, Likes(bob), Likes(eve, { weight: 5 })),
    ]
    const commands = createCommands(world)
    born.push(commands.spawn(Likes(bob), Likes(eve, { weight: 5 })))
    commands.add(joe, Likes(bob), Likes(eve, { weight: 5 }))
    commands.apply()
    for (const one of [...born, joe]) expect(weights(world, one)).toEqual(both)
    checkInvariants(world)
    expect(addMany(world, [born[0] as Entity, joe], Likes(ann), Likes(joe, { weight: 9 }))).toBe(2)
    expect([...world.targets(born[0] as Entity, Likes)]).toEqual([bob, eve, ann, joe])
    addMany(world.query(Likes(joe)), Likes(ann, { weight: 8 }), Likes(born[1] as Entity))
    expect(weights(world, joe).slice(2)).toEqual([
      [ann, 8],
      [joe, 9],
      [born[1], 1],
    ])
    checkInvariants(world)
  })

  it('are refused as a whole if one names a dead entity, the same target twice, or none', () => {
    const { world, all } = people(3)
    const [ann, bob, eve] = all as [Entity, Entity, Entity]
    world.destroy(eve)
    const before = digestWorld(world)
    for (const call of [
      () => world.add(ann, Likes(bob), Likes(eve)),
      () => world.spawn(Likes(bob), Likes(eve)),
      () => spawnMany(world, 2, [Likes(bob), Likes(eve)]),
      () => world.batch(() => world.add(ann, Likes(bob), Likes(eve))),
      () => addMany(world, [ann], Likes(bob), Likes(eve)),
    ])
      expect(codeOf(call)).toBe('DEAD_ENTITY')
    for (const call of [
      () => world.add(ann, Likes(bob), Likes(bob)),
      () => world.add(ann, Likes(bob), Likes(ann), Likes(bob)),
      () => world.spawn(Likes(bob), Likes(bob)),
      () => world.batch(() => world.add(ann, Likes(bob), Likes(bob))),
      () => world.add(ann, anything(Likes), Likes(bob)),
      () => world.add(ann, Likes(bob), anything(Likes)),
      () => world.add(ann, anything(Likes), anything(Likes)),
      () => world.add(ann, ChildOf(bob), ChildOf(ann)),
      () => world.remove(ann, Likes, Likes),
    ])
      expect(codeOf(call)).toBe('DUPLICATE_COMPONENT')
    expect(digestWorld(world)).toBe(before)
    checkInvariants(world)
  })
})
