// Owns the proof by random scripts that relations do what a plain graph does, whatever the order of calls: links of both kinds
// and all policies in one world, both orders, values, recycled handles, listeners, what queries find, loops, copies, saves and
// restores. It must never pass by doing little: it counts what it did.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type Entity,
  type Ingredient,
  type ManyRelation,
  NULL_ENTITY,
  type Snapshot,
  type World,
  component,
  f32,
  not,
  relation,
  saveToJSON,
  saves,
  u32,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { load, loadJSON } from '../support/loaded'
import { PlainGraph } from '../support/plainGraph'
import { proofLength } from '../support/proofs'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const KINDS = ([true, false] as const).flatMap((exclusive) =>
  (['destroy', 'remove', 'keep'] as const).map((onTargetDestroy) => ({ exclusive, onTargetDestroy })),
)
const NAMES = ['Owns', 'Follows', 'Remembers', 'Needs', 'Likes', 'Mourns']
/** All of one type: what calls take and give is the same but for the number of targets. */
const RELATIONS = KINDS.map((kind, r) =>
  relation(NAMES[r] as string, { since: u32 }, kind as never),
) as unknown as ManyRelation<{ since: typeof u32 }>[]
const KNOWN = [Position, ...RELATIONS]
const MOST = 30

const seed = Number((globalThis.process?.env ?? {})['STRATA_SEED'] ?? 20_260_101)
let performed = 0

/** A step: what, and numbers to choose by. */
const steps = fc.array(fc.tuple(fc.nat(20), fc.nat(), fc.nat(), fc.nat(5), fc.nat(99)), {
  minLength: 1,
  maxLength: 150,
  size: 'max',
})
type Step = readonly [number, number, number, number, number]

class Session {
  world = testWorld({ memory: { initial: 2 ** 20 }, maxEntities: 3000, saves })
  plain = new PlainGraph(KINDS)
  order: Entity[] = []
  private kept: { snapshot: Snapshot; plain: PlainGraph; order: Entity[] } | undefined
  /** For each relation those whose first link was told of, and not yet the last one; undefined when nobody listens. */
  private heard: Set<number>[] | undefined
  /** Those that a query was told to have no link of one relation. */
  private without: Set<number> | undefined

  constructor(private readonly listens: boolean) {
    this.listen()
  }

  private listen(): void {
    const { world, plain } = this
    if (!this.listens) return
    const heard = RELATIONS.map((_, r) => new Set(plain.targets[r]?.keys()))
    this.heard = heard
    RELATIONS.forEach((Relation, r) => {
      world.onAdd(Relation, (entity) => {
        if (heard[r]?.has(entity) === true) throw new Error(`${NAMES[r]} of ${entity} was told twice`)
        heard[r]?.add(entity)
      })
      world.onRemove(Relation, (entity) => {
        if (heard[r]?.delete(entity) !== true) throw new Error(`${NAMES[r]} of ${entity} was never told`)
      })
    })
    const Likes = RELATIONS[4] as (typeof RELATIONS)[0]
    // Such a query concerns every entity, so the rows that targets get are changes that it has to look at.
    const others = world.query(not(Likes))
    const without = new Set<number>(others.entities())
    this.without = without
    world.onEnter(others, (entity) => {
      if (without.has(entity)) throw new Error(`${entity} was told to enter twice`)
      without.add(entity)
    })
    world.onExit(others, (entity) => {
      if (!without.delete(entity)) throw new Error(`${entity} was told to leave and never entered`)
    })
    world.query(Position, not(Likes)).subscribe(() => {})
  }

  private pick(n: number): Entity {
    return this.order[n % this.order.length] as Entity
  }

  private spawned(entity: number): void {
    this.plain.alive.add(entity)
    this.order.push(entity as Entity)
  }

  /** Makes a step in both worlds. In a block all handles that it names were alive before it. */
  perform(step: Step, inBlock: boolean): void {
    const { plain } = this
    performed++
    if (!inBlock) this.order = this.order.filter((entity) => plain.alive.has(entity))
    const [what, a, b, , value] = step
    if (this.order.length === 0 || (what === 0 && this.order.length < MOST)) {
      this.spawned(this.world.spawn(Position({ x: value })))
      return
    }
    const entity = this.pick(a)
    const target = this.pick(b)
    if (inBlock && !(plain.alive.has(entity) && plain.alive.has(target))) return
    if (what <= 13) this.change(step, entity, target, inBlock)
    else if (!inBlock) this.changeMany(step, entity, target)
  }

  private change([what, , b, r, value]: Step, entity: Entity, target: Entity, inBlock: boolean): void {
    const { plain, world } = this
    const Relation = RELATIONS[r] as (typeof RELATIONS)[0]
    if (what <= 5) {
      if (plain.cycles(r, entity, target)) {
        if (!inBlock) expect(() => world.add(entity, Relation(target))).toThrow(/depend|own target/)
        return
      }
      const isNamed = what < 5
      world.add(entity, isNamed ? Relation(target, { since: value }) : Relation(target))
      plain.link(r, entity, target, isNamed ? value : undefined)
    } else if (what === 6) {
      this.addSeveral([entity], b, r, value, inBlock)
    } else if (what <= 8) {
      const removed = world.remove(entity, Relation(target))
      const expected = plain.unlink(r, entity, target)
      if (!inBlock) expect(removed).toBe(expected)
    } else if (what === 9) {
      const targets = [...plain.targetsOf(r, entity).keys()].filter((to) => to >= 0).slice(b % 3)
      world.remove(entity, Position, ...targets.map((one) => Relation(one as Entity)))
      for (const one of targets) plain.unlink(r, entity, one)
    } else if (what === 10) {
      const removed = world.remove(entity, Relation)
      const expected = plain.unlinkAll(r, entity)
      if (!inBlock) expect(removed).toBe(expected)
    } else if (what === 11) {
      world.destroy(entity)
      plain.destroy(entity)
    } else if (what === 12) {
      world.exchange(entity, [Relation], [Position({ x: value })])
      plain.unlinkAll(r, entity)
    } else if (this.order.length < MOST) {
      this.spawned(world.spawn(Position, Relation(target, { since: value })))
      plain.link(r, this.order.at(-1) as number, target, value)
    }
  }

  /** Links of three relations by one call. */
  private addSeveral(entities: Entity[], b: number, first: number, value: number, inBlock: boolean): void {
    const { plain, world } = this
    const links = [0, 1, 3].map((i) => [(first + i) % 6, this.pick(b + i * value)] as const)
    if (inBlock && links.some(([, target]) => !plain.alive.has(target))) return
    const given = links.map(([r, target]) =>
      (RELATIONS[r] as (typeof RELATIONS)[0])(target, { since: value }),
    ) as Ingredient[]
    const add = () => {
      if (entities.length === 1) world.add(entities[0] as Entity, ...given)
      else expect(world.addMany(entities, ...given)).toBe(entities.length)
    }
    // The links of one entity by the call may close a circle with those of another.
    const next = plain.copy()
    for (const entity of entities)
      for (const [r, target] of links) {
        if (next.cycles(r, entity, target)) {
          if (!inBlock && entities.length === 1) expect(add).toThrow(/depend|own target/)
          return
        }
        next.link(r, entity, target, value)
      }
    add()
    this.plain = next
  }

  private changeMany([what, a, b, r, value]: Step, entity: Entity, target: Entity): void {
    const { plain, world } = this
    const Relation = RELATIONS[r] as (typeof RELATIONS)[0]
    const hasRoom = this.order.length < MOST
    if (what === 14) {
      const siblings = plain.sourcesOf(r, target) as Entity[]
      if (siblings.length === 0) return
      const [one, sibling] = [a, b].map((n) => siblings[n % siblings.length]) as [Entity, Entity]
      const asked = KINDS[r]?.exclusive === true ? (Relation as never) : Relation(target)
      world.place(one, asked, value % 2 === 0 ? { before: sibling } : { after: sibling })
      plain.place(r, one, target, sibling, value % 2 === 0)
    } else if (what === 15 && hasRoom) {
      for (const copy of value % 2 === 0 ? [world.clone(entity)] : world.spawnFrom(entity, 3)) {
        this.spawned(copy)
        plain.copyLinks(entity, copy)
      }
    } else if (what === 16 && KINDS[r]?.exclusive === false && !plain.cycles(r, entity, target)) {
      world.exchange(entity, [Relation], [Position({ x: value }), Relation(target, { since: value })])
      plain.unlinkAll(r, entity)
      plain.link(r, entity, target, value)
    } else if (what === 17 && hasRoom) {
      for (const made of world.spawnMany(1 + (value % 4), [Position, Relation(target, { since: value })])) {
        this.spawned(made)
        plain.link(r, made, target, value)
      }
    } else if (what === 18) {
      const some = [entity, target, this.pick(value)]
      world.destroyMany(some)
      for (const one of some) plain.destroy(one)
    } else if (what === 19) {
      this.addSeveral([...new Set([entity, target, this.pick(value)])], b + 1, r, value, false)
    } else if (what === 20) this.goBack(value)
  }

  /** Keeps what there is, or goes back to what was kept. */
  private goBack(value: number): void {
    const { kept, world } = this
    if (kept === undefined || value % 2 === 0) {
      this.kept = { snapshot: world.snapshot(), plain: this.plain.copy(), order: [...this.order] }
      return
    }
    world.restore(kept.snapshot)
    this.plain = kept.plain.copy()
    this.order = [...kept.order]
    this.heard?.forEach((members, r) => {
      members.clear()
      for (const entity of this.plain.targets[r]?.keys() ?? []) members.add(entity)
    })
    this.without?.clear()
    for (const entity of this.plain.alive)
      if (this.plain.targetsOf(4, entity).size === 0) this.without?.add(entity)
  }

  /** Goes on in a world that was loaded from a save of this one. */
  reload(asJSON: boolean): void {
    const { plain, world } = this
    const { world: loaded, handles } = asJSON ? loadJSON(saveToJSON(world), KNOWN) : load(world.save(), KNOWN)
    world.dispose()
    this.world = loaded
    // A target that was kept though it is gone is nobody now: below 0, each another one.
    let gone = 0
    this.plain = plain.copy((handle) => (handle < 0 ? undefined : handles.get(handle)) ?? --gone)
    this.order = [...this.plain.alive] as Entity[]
    this.kept = undefined
    this.listen()
  }

  compare(): void {
    const { plain, world } = this
    for (const entity of this.order) expect(world.isAlive(entity)).toBe(plain.alive.has(entity))
    RELATIONS.forEach((Relation, r) => {
      let linked = 0
      for (const entity of plain.alive as Iterable<Entity>) {
        const links = plain.targetsOf(r, entity)
        if (links.size > 0) linked++
        const targets = [...links.keys()].map((target) => (target < 0 ? NULL_ENTITY : target))
        const listed = targets.filter((target) => KINDS[r]?.exclusive !== true || target !== NULL_ENTITY)
        expect(Array.from(world.targets(entity, Relation))).toEqual(listed)
        expect(world.target(entity, Relation)).toBe(targets[0] ?? NULL_ENTITY)
        expect(world.has(entity, Relation)).toBe(links.size > 0)
        for (const [target, since] of links)
          if (target >= 0) expect(world.get(entity, Relation(target as Entity))).toEqual({ since })
        const sources = plain.sourcesOf(r, entity)
        expect(Array.from(world.sources(entity, Relation))).toEqual(sources)
        expect(world.sourceCount(entity, Relation)).toBe(sources.length)
      }
      expect(world.query(Relation).count).toBe(linked)
      if (this.heard !== undefined) expect(this.heard[r]?.size).toBe(linked)
      if (r === 4 && this.without !== undefined) expect(this.without.size).toBe(plain.alive.size - linked)
    })
    for (const target of [...plain.alive].slice(0, 2)) this.compareQueries(world, target as Entity)
  }

  private compareQueries(world: World, target: Entity): void {
    const { plain } = this
    RELATIONS.forEach((Relation, r) => {
      const sources = plain.sourcesOf(r, target)
      expect(Array.from(world.query(Relation(target)).entities())).toEqual(sources)
      expect(world.query(not(Relation(target))).count).toBe(plain.alive.size - sources.length)
      for (const entity of plain.alive as Iterable<Entity>)
        expect(world.has(entity, Relation(target))).toBe(plain.targetsOf(r, entity).has(target))
    })
  }
}

describe('relations after any sequence of calls', () => {
  afterAll(() => expect(performed).toBeGreaterThan(proofLength(8_000)))

  it('links, orders, values and living entities are those of a plain graph, memory whole after every step', () => {
    const property = fc.property(steps, fc.boolean(), (script, listens) => {
      const session = new Session(listens)
      for (const step of script) {
        session.perform(step, false)
        checkInvariants(session.world)
        session.compare()
      }
      session.world.dispose()
    })
    fc.assert(property, { seed, numRuns: proofLength(200), endOnFailure: true })
  })

  it('a world that is loaded from a save has the same links, and goes on in the same way', () => {
    const property = fc.property(
      steps,
      steps,
      fc.boolean(),
      fc.boolean(),
      (first, second, asJSON, listens) => {
        const session = new Session(listens)
        for (const step of first) session.perform(step, false)
        session.reload(asJSON)
        session.compare()
        for (const step of second) session.perform(step, false)
        checkInvariants(session.world)
        session.compare()
        session.world.dispose()
      },
    )
    fc.assert(property, { seed: seed + 2, numRuns: proofLength(100), endOnFailure: true })
  })

  it('the same changes made in a block lead to the same links', () => {
    const property = fc.property(steps, steps, fc.boolean(), (first, second, listens) => {
      const session = new Session(listens)
      for (const step of first) session.perform(step, false)
      session.world.defer(() => {
        for (const step of second) session.perform(step, true)
      })
      checkInvariants(session.world)
      session.compare()
      session.world.dispose()
    })
    fc.assert(property, { seed: seed + 1, numRuns: proofLength(150), endOnFailure: true })
  })
})
