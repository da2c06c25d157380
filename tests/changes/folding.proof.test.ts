// Shows that a block comes to its net change: the world that its commands would make one by one, and events for what differs at
// the end. The model to compare with knows nothing of folding.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  any,
  clearWorld,
  component,
  createCommands,
  not,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  restoreWorld,
  snapshotWorld,
  tag,
  text,
  u32,
  type ComponentLike,
  type Commands,
  type Entity,
  type Ingredient,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { STORAGES, STORED } from '../support/storages'
import { testWorld } from '../support/world'

class Owned {
  /** What happened to it, in order. */
  readonly life: string[] = []

  constructor(readonly part: ComponentLike) {}
}

const Numbers = STORAGES.map((storage) => {
  return component(`Number in ${storage}`, { n: u32.default(9), m: u32 }, { storage: STORED[storage] })
})
const Name = component('Name', { text })
const Plain = tag('Plain')
const Hand = tag('Hand', { order: 'insertion' })
const Deck = tag('Deck', { order: 'insertion' })
const Line = tag('Line', { order: 'insertion' })
const Own = object<Owned>('Own', {
  init: (value) => value.life.push('init'),
  dispose: (value) => value.life.push('dispose'),
})
const Other = object<Owned>('Other', { dispose: (value) => value.life.push('dispose') })
const Trigger = tag('Trigger')

const PARTS: readonly ComponentLike[] = [...Numbers, Name, Plain, Hand, Deck, Line, Own, Other]
const ORDERED = [Hand, Deck]
const COUNT = PARTS.length

/** Queries that somebody watches: the terms, and what they mean. */
const QUERIES: readonly { readonly terms: readonly any[]; readonly holds: (has: Has) => boolean }[] = [
  { terms: [], holds: () => true },
  { terms: [Plain], holds: (has) => has(Plain) },
  { terms: [Numbers[0], not(Plain)], holds: (has) => has(Numbers[0] as ComponentLike) && !has(Plain) },
  { terms: [any(Hand, Own)], holds: (has) => has(Hand) || has(Own) },
  { terms: [Own, Numbers[1]], holds: (has) => has(Own) && has(Numbers[1] as ComponentLike) },
  { terms: [not(Hand), not(Name)], holds: (has) => !has(Hand) && !has(Name) },
]

type Has = (part: ComponentLike) => boolean

interface Step {
  readonly kind: 'spawn' | 'add' | 'remove' | 'exchange' | 'destroy'
  readonly target: number
  /** Bits by the place in PARTS: what is added, what is removed, what is given values. */
  readonly added: number
  readonly removed: number
  readonly valued: number
}

const bits = fc.nat({ max: 2 ** COUNT - 1 })
/** Few at a time, so that the commands of a block meet each other's components in every way. */
const few = fc.tuple(bits, bits).map(([a, b]) => a & b)
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(['spawn', 'add', 'add', 'add', 'remove', 'remove', 'exchange', 'exchange', 'destroy'] as const),
  ),
  target: fc.nat({ max: 30 }),
  added: few,
  removed: few,
  valued: bits,
})
const script = fc.record({
  before: fc.array(few, { minLength: 2, maxLength: 5 }),
  steps: fc.array(step, { minLength: 4, maxLength: 30, size: 'max' }),
})
type Script = { readonly before: readonly number[]; readonly steps: readonly Step[] }

const named = (set: number) => PARTS.filter((_, i) => (set >> i) & 1)

/** What world and command buffer have in common. */
type Target = Pick<World, 'spawn' | 'add' | 'remove' | 'exchange' | 'destroy'>

/** One run of a script, entities by the number of their spawn. */
class Run {
  readonly entities: Entity[] = []
  /** Every object that was given, in the order of giving. */
  readonly given: Owned[] = []
  private readonly gone = new Set<number>()
  private values = 0

  constructor(readonly world: World) {}

  start({ before }: Script): void {
    for (const parts of before) this.spawn(this.world, parts, ~0)
  }

  take(target: Target, steps: readonly Step[]): void {
    for (const one of steps) this.perform(target, one)
  }

  private perform(target: Target, { kind, target: number, added, removed, valued }: Step): void {
    if (kind === 'spawn') return this.spawn(target, added, valued)
    const k = number % this.entities.length
    const entity = this.entities[k] as Entity
    // Inside a block a destroyed entity lives on: for all worlds it is gone from here.
    if (this.gone.has(k)) return
    if (kind === 'add') target.add(entity, ...this.ingredients(added, valued))
    else if (kind === 'remove') target.remove(entity, ...named(removed))
    else if (kind === 'exchange') target.exchange(entity, named(removed), this.ingredients(added, valued))
    else {
      this.gone.add(k)
      target.destroy(entity)
    }
  }

  private spawn(target: Target, parts: number, valued: number): void {
    this.entities.push(target.spawn(...this.ingredients(parts, valued)) as Entity)
  }

  private ingredients(parts: number, valued: number): Ingredient[] {
    return named(parts).map((part) => {
      const value = ++this.values
      if (part === Own || part === Other) {
        const owned = new Owned(part)
        this.given.push(owned)
        return part(owned) as Ingredient
      }
      if (((valued >> PARTS.indexOf(part)) & 1) === 0) return part as Ingredient
      if (part === Name) return Name({ text: `text ${value % 7}` })
      const Number = Numbers.find((one) => one === part)
      if (Number === undefined) return part as Ingredient
      return value % 2 === 0 ? Number({ n: value }) : Number({ m: value })
    })
  }

  /** What there is, entity by entity, and who stands where. */
  picture(): unknown {
    const { world, entities } = this
    const numbers = new Map(entities.map((entity, k) => [entity as number, k]))
    return {
      entities: entities.map((entity) => {
        if (!world.isAlive(entity)) return 'dead'
        const values = [...Numbers, Name].map((part) => world.get(entity, part as never))
        const owned = [Own, Other].map((part) => this.given.indexOf(world.get(entity, part) as Owned))
        return [values, owned, PARTS.map((part) => world.has(entity, part))]
      }),
      orders: ORDERED.map((one) => Array.from(world.query(one).entities(), (entity) => numbers.get(entity))),
      line: Array.from(world.query(Line).entities(), (entity) => numbers.get(entity)).sort(),
    }
  }

  /** Writes down what listeners are told, until it is called off. */
  listen(told: string[]): () => void {
    const { world, entities } = this
    const log = (what: string) => (entity: Entity) =>
      void told.push(`${what} ${entities.findIndex((one) => one === entity)}`)
    const stops = PARTS.flatMap((part) => [
      onAdd(world, part, log(`add ${part.componentName}`)),
      onRemove(world, part, log(`remove ${part.componentName}`)),
      onSet(world, part, log(`set ${part.componentName}`)),
    ])
    QUERIES.forEach(({ terms }, q) => {
      const query = world.query(...(terms as [])) as never
      stops.push(onEnter(query, log(`enter ${q}`)), onExit(query, log(`exit ${q}`)))
    })
    return () => stops.forEach((stop) => stop())
  }
}

/** One entity as the model sees it. */
class Imagined {
  readonly now: Set<ComponentLike>
  /** What it lost on the way, whether it has it again or not. */
  readonly lost = new Set<ComponentLike>()
  /** What has been given values since it came. */
  readonly valued = new Set<ComponentLike>()
  destroyed = false

  constructor(
    /** What it had before the block; undefined when it was made in it. */
    readonly before: ReadonlySet<ComponentLike> | undefined,
    parts: readonly ComponentLike[],
  ) {
    this.now = new Set(parts)
  }

  take({ kind, added, removed, valued }: Step): void {
    if (kind === 'remove' || kind === 'exchange') {
      for (const part of named(removed)) {
        this.now.delete(part)
        this.valued.delete(part)
        this.lost.add(part)
      }
    }
    if (kind !== 'remove') this.add(added, valued)
  }

  add(added: number, valued: number): void {
    for (const part of named(added)) {
      this.now.add(part)
      const takesValues = part === Name || Numbers.some((one) => one === part)
      const isGiven = takesValues && ((valued >> PARTS.indexOf(part)) & 1) === 1
      if (isGiven || part === Own || part === Other) this.valued.add(part)
    }
  }

  /** What listeners are told of the difference. */
  events(k: number): string[] {
    const before = this.before ?? new Set<ComponentLike>()
    const events: string[] = []
    const tell = (what: string) => events.push(`${what} ${k}`)
    const after = this.destroyed ? new Set<ComponentLike>() : this.now
    const startsOver = (part: ComponentLike) => before.has(part) && after.has(part) && this.lost.has(part)
    for (const part of PARTS) {
      if (before.has(part) && (!after.has(part) || startsOver(part))) tell(`remove ${part.componentName}`)
      if (after.has(part) && (!before.has(part) || startsOver(part))) tell(`add ${part.componentName}`)
      if (after.has(part) && this.valued.has(part)) tell(`set ${part.componentName}`)
    }
    QUERIES.forEach(({ holds }, q) => {
      const was = this.before !== undefined && holds((part) => before.has(part))
      const is = !this.destroyed && holds((part) => after.has(part))
      const kept =
        holds((part) => before.has(part) && !startsOver(part)) &&
        holds((part) => after.has(part) && !startsOver(part))
      if (was && (!is || !kept)) tell(`exit ${q}`)
      if (is && (!was || !kept)) tell(`enter ${q}`)
    })
    return events
  }
}

function expectedEvents({ before, steps }: Script): string[] {
  const all = before.map((parts) => new Imagined(new Set(named(parts)), named(parts)))
  for (const one of steps) {
    if (one.kind === 'spawn') {
      const made = new Imagined(undefined, [])
      made.add(one.added, one.valued)
      all.push(made)
      continue
    }
    const target = all[one.target % all.length] as Imagined
    if (target.destroyed) continue
    if (one.kind === 'destroy') target.destroyed = true
    else target.take(one)
  }
  return all.flatMap((one, k) => one.events(k)).sort()
}

/** Ways to make all changes of a script as one block. */
const WAYS: Record<string, (run: Run, steps: readonly Step[], trigger: Entity) => void> = {
  'a batch': (run, steps) => run.world.batch(() => run.take(run.world, steps)),
  'a loop': (run, steps) => {
    let done = false
    run.world.query(Trigger).each(() => {
      if (!done) run.take(run.world, steps)
      done = true
    })
  },
  'a command buffer': (run, steps) => {
    const commands = createCommands(run.world)
    run.take(commands as unknown as Target, steps)
    commands.apply()
  },
  'a listener': (run, steps, trigger) => {
    const stop = onRemove(run.world, Trigger, () => run.take(run.world, steps))
    run.world.remove(trigger, Trigger)
    stop()
  },
}

/** Lets a world fold ten thousand chains, no two alike. */
function makeVeteran(world: World): World {
  const marks = Array.from({ length: 13 }, (_, i) => tag(`Mark ${i}`))
  for (let n = 1; n <= proofLength(10_000); n++) {
    const entity = world.spawn(Plain)
    world.batch(() => {
      for (let i = 0; i < marks.length; i++) {
        const mark = marks[(i + n) % marks.length] as ComponentLike
        if ((n >> i) & 1) world.add(entity, mark as never)
        else if (i < 3) world.remove(entity, mark)
      }
      if (n % 3 === 0) world.remove(entity, Plain)
      world.add(entity, PARTS[n % 7] as never)
    })
    world.destroy(entity)
  }
  return world
}

/** What a value has lived through: init when it came to live, dispose when it ended or never lived. */
function expectedLife(owned: Owned, livedBefore: boolean, lives: boolean): string {
  const life = lives ? ['init'] : livedBefore ? ['init', 'dispose'] : ['dispose']
  // Other has no init.
  return life.filter((event) => owned.part === Own || event === 'dispose').join()
}

/** Runs a script as one block and compares it with the same commands one by one, and with the model. */
function check(world: World, one: Script, way: string): void {
  const reference = new Run(testWorld())
  reference.start(one)
  reference.take(reference.world, one.steps)
  const run = new Run(world)
  const trigger = world.spawn(Trigger)
  run.start(one)
  const before = new Set(run.given)
  const told: string[] = []
  const stop = run.listen(told)
  WAYS[way]?.(run, one.steps, trigger)
  stop()
  expect(run.picture()).toEqual(reference.picture())
  expect(told.sort()).toEqual(expectedEvents(one))
  const living = new Set(
    run.entities.flatMap((entity) => [Own, Other].map((part) => world.get(entity, part))),
  )
  const lives = run.given.map((owned) => owned.life.join())
  expect(lives).toEqual(run.given.map((owned) => expectedLife(owned, before.has(owned), living.has(owned))))
  reference.world.dispose()
}

describe('a block of random commands', () => {
  it.each(Object.keys(WAYS))(
    'in %s, in a new world, has the effect of its commands one by one and reports the net change',
    (way) => {
      fc.assert(
        fc.property(script, (one) => {
          const world = testWorld()
          check(world, one, way)
          checkInvariants(world)
          world.dispose()
        }),
        { numRuns: 50, seed: 4096 },
      )
    },
  )

  it('has the same effect and events in a world that has folded thousands of others, in a block, loop, buffer and listener', () => {
    const veteran = makeVeteran(testWorld())
    fc.assert(
      fc.property(script, fc.constantFrom(...Object.keys(WAYS)), (one, way) => {
        check(veteran, one, way)
        clearWorld(veteran)
      }),
      { numRuns: 60, seed: 4096 },
    )
    checkInvariants(veteran)
    veteran.dispose()
  })
})

describe('a block in a world with a long past', () => {
  /** What counts the commands and the components named in them: far enough for the numbers to run out. */
  interface Counting {
    readonly state: { readonly commands: { base: number; chainable: number; folding: { stamp: number } } }
  }
  const [Counted] = Numbers as unknown as [(typeof Numbers)[0]]

  /** Blocks that come to nothing, to one component, and to another value; returns what listeners were told. */
  function play(world: World, entity: Entity): string[] {
    const told: string[] = []
    const stops = [
      onAdd(world, Plain, () => told.push('add')),
      onRemove(world, Plain, () => told.push('remove')),
      onAdd(world, Counted, () => told.push('count')),
    ]
    for (let round = 0; round < 3; round++) {
      world.batch(() => {
        world.add(entity, Plain)
        world.remove(entity, Plain)
        world.remove(entity, Counted)
        world.add(entity, Counted({ n: 1 }))
        world.set(entity, Counted, { m: round })
      })
      told.push(world.has(entity, Plain) ? 'there' : 'gone', JSON.stringify(world.get(entity, Counted)))
    }
    for (const stop of stops) stop()
    return told
  }

  it('has the same result when numbers of commands and of folded components start over', () => {
    const [young, old] = [testWorld(), testWorld()]
    const entities = [young, old].map((world) => world.spawn(Counted)) as [Entity, Entity]
    const { commands } = (old as unknown as Counting).state
    commands.base = commands.chainable = 2 ** 31 - 4
    commands.folding.stamp = 2 ** 31 - 4
    for (const [i, world] of [young, old].entries()) {
      world.batch(() => world.add(entities[i] as Entity, Name))
    }
    expect(play(old, entities[1])).toEqual(play(young, entities[0]))
    young.dispose()
    old.dispose()
  })

  it('has the same result after a restore to a time when other blocks had been folded', () => {
    const tags = Array.from({ length: 16 }, (_, i) => tag(`Folded ${i}`))
    const pairs = tags.flatMap((one, i) => tags.slice(i + 1).map((other) => [one, other] as const))
    const world = testWorld()
    /** Gives every pair whose place is even, or odd, in a block each; returns what the entities have then. */
    const fold = (rest: number) =>
      pairs
        .filter((_, i) => i % 2 === rest)
        .map((pair) => {
          const entity = world.spawn()
          world.batch(() => pair.forEach((part) => world.add(entity, part)))
          return tags.filter((part) => world.has(entity, part))
        })
    const expected = pairs.filter((_, i) => i % 2 === 1).map((pair) => [...pair])
    // Nothing is made known after the snapshot: memory is the only thing that goes back.
    fold(1)
    fold(0)
    const before = snapshotWorld(world)
    expect(fold(1)).toEqual(expected)
    restoreWorld(world, before)
    expect(fold(1)).toEqual(expected)
    world.dispose()
  })

  it.each(['block', 'buffer'])(
    'distinguishes two exchanges in a %s that only remove something else',
    (way) => {
      const world = testWorld()
      const both = [world.spawn(Name, Line), world.spawn(Name, Line)] as [Entity, Entity]
      const change = (target: World | Commands) =>
        [Name, Line].forEach((gone, i) => {
          target.exchange(both[i] as Entity, [gone], [Plain])
          target.add(both[i] as Entity, Counted)
        })
      if (way === 'block') world.batch(() => change(world))
      else {
        const commands = createCommands(world)
        change(commands)
        commands.apply()
      }
      const left = both.map((one) => [Name, Line, Plain, Counted].map((part) => world.has(one, part)))
      expect(left).toEqual([
        [false, true, true, true],
        [true, false, true, true],
      ])
      world.dispose()
    },
  )
})

it.each(['removed', 'replaced', 'destroyed'])(
  'An object given twice in a block is disposed of once when it is %s there',
  (end) => {
    const world = testWorld()
    const entity = world.spawn()
    const [owned, later] = [new Owned(Own), new Owned(Own)]
    world.batch(() => {
      world.add(entity, Own(owned))
      world.add(entity, Plain, Own(owned))
      if (end === 'removed') world.remove(entity, Own)
      else if (end === 'replaced') world.add(entity, Own(later))
      else world.destroy(entity)
    })
    expect(owned.life.filter((event) => event === 'dispose')).toEqual(['dispose'])
    expect(later.life).toEqual(end === 'replaced' ? ['init'] : [])
    world.dispose()
  },
)
