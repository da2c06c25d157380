// Shows that a full world fails cleanly: whichever allocation of an operation finds no memory or no id, the caller gets a
// LimitError, nothing has changed, and the world goes on. Every KiB from none to plenty is tried, so that every site fails once;
// only `npm test` tries every eighth: others over the checked core than over the release core, and others without free objects.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  createAccessor,
  createCommands,
  destroyMany,
  internText,
  LimitError,
  any,
  component,
  f32,
  f64,
  not,
  removeMany,
  sparse,
  spawnAt,
  spawnMany,
  spawnManyAt,
  stable,
  tag,
  text,
  u16,
  u8,
  vec,
  type Entity,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { isShort } from '../support/proofs'
import { leaveFree, succeeds, tryEveryAmount } from '../support/scarcity'
import { isChecked, isSteady, testWorld } from '../support/world'

const MIB = 2 ** 20
/** KiB from one amount of memory to the next. */
const STEP = isShort ? 8 : 1
/** The first amount: of four kinds of runs, each tries amounts that the others pass over. */
const firstAmount = (hidesObjects: boolean) =>
  isShort ? (hidesObjects ? STEP / 2 : 0) + (isChecked ? STEP / 4 : 0) : 0
/** Rows of { x: f32, y: f32 } in a small chunk. */
const SMALL_ROWS = 84

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32.default(2), y: f64 })
const Health = component('Health', { hp: u16.default(9) }, { storage: sparse })
const Slot = component('Slot', { value: u8, wide: vec(f32, 3).default([1, 2, 3]) }, { storage: stable })
const Name = component('Name', { value: text.default('nobody'), home: text })
const Label = component('Label', { value: text }, { storage: stable })
const Frozen = tag('Frozen')
const Marks = Array.from({ length: 12 }, (_, i) => tag(`Mark${i}`))
const Large = component('Large', { a: vec(u8, 4000), b: vec(u8, 4000), c: vec(u8, 4000) })
const ALL = [Position, Velocity, Health, Slot, Name, Label, Frozen, ...Marks]
/** Texts with blocks of their own. */
const long = (name: string) => name.padEnd(3000, '.')
const NewInTable = component('NewInTable', {
  a: f32.default(4),
  b: vec(f64, 90).default(new Array(90).fill(1)),
})
const NewInPool = component('NewInPool', { a: f32.default(4) }, { storage: sparse })
const NewWithTexts = component(
  'NewWithTexts',
  { a: text.default(long('a')), b: text.default(long('b')) },
  { storage: sparse },
)

/** Everything a user can see of the entities, as text. */
function snapshot(world: World): string {
  const { entities, freeIds, retiredIds, texts } = world.stats()
  const lines = [...world.query().entities()].map((entity) => {
    const parts = ALL.filter((kind) => world.has(entity, kind)).map(
      (kind) =>
        kind.componentName +
        (kind.kind === 'tag' ? '' : JSON.stringify(world.get(entity, kind as typeof Position))),
    )
    return `${entity}: ${parts.join(' ')}`
  })
  return [`${entities} ${freeIds} ${retiredIds} ${texts}`, ...lines.sort()].join('\n')
}

interface Scenario {
  readonly name: string
  /** Makes what the operation needs, while there is memory. */
  readonly prepare?: (world: World) => void
  readonly act: (world: World) => void
  /** A change of several steps, each of which is whole or not at all. */
  readonly stepwise?: boolean
}

const first = (world: World): Entity => world.query(Position).first() as Entity

/** The one entity of a world that has no row. */
const reserved = new WeakMap<World, Entity>()

const SCENARIOS: readonly Scenario[] = [
  { name: 'spawn into a new archetype', act: (world) => world.spawn(Position({ x: 7 }), Velocity, Frozen) },
  { name: 'spawn of an entity without components', act: (world) => world.spawn() },
  {
    name: 'spawn that needs a second chunk',
    prepare: (world) => spawnMany(world, SMALL_ROWS, [Position, Frozen]),
    act: (world) => world.spawn(Position, Frozen),
  },
  { name: 'spawn with sparse components', act: (world) => world.spawn(Position, Health, Slot({ value: 3 })) },
  { name: 'spawn with sparse components only', act: (world) => world.spawn(Health({ hp: 3 }), Slot) },
  { name: 'add of a table component', act: (world) => world.add(first(world), Velocity({ x: 8 })) },
  { name: 'add of a sparse component', act: (world) => world.add(first(world), Health) },
  { name: 'add of a stable component', act: (world) => world.add(first(world), Slot) },
  { name: 'add of a tag', act: (world) => world.add(first(world), Frozen) },
  {
    name: 'add of all storages in one call',
    act: (world) => world.add(first(world), Velocity, Health, Slot, Frozen),
  },
  {
    name: 'add that makes an archetype which many queries match',
    prepare: (world) => {
      for (const mark of Marks) world.query(Frozen, not(mark))
      world.query(any(Frozen, Velocity))
      world.query(not(Velocity))
    },
    act: (world) => world.add(first(world), Frozen),
  },
  { name: 'remove', act: (world) => world.remove(first(world), Position, ...Marks) },
  {
    name: 'remove of table and sparse components',
    prepare: (world) => world.add(first(world), Health, Slot, Velocity),
    act: (world) => world.remove(first(world), Health, Position, Slot),
  },
  {
    name: 'exchange of table components',
    act: (world) => world.exchange(first(world), [Position, ...Marks], [Velocity({ x: 3 }), Frozen]),
  },
  {
    name: 'exchange of all storages',
    prepare: (world) => world.add(first(world), Health({ hp: 4 }), Frozen),
    act: (world) =>
      world.exchange(first(world), [Position, Health, Frozen], [Velocity, Health, Slot({ value: 2 })]),
  },
  {
    name: 'add to a reserved entity',
    prepare: (world) => reserved.set(world, createCommands(world).spawn(Position)),
    act: (world) => world.add(reserved.get(world) as Entity, Velocity({ x: 3 }), Health, Slot),
  },
  {
    name: 'exchange on a reserved entity',
    prepare: (world) => reserved.set(world, createCommands(world).spawn(Position)),
    act: (world) => world.exchange(reserved.get(world) as Entity, [Position], [Velocity, Health]),
  },
  {
    name: 'a buffer of reserved entities',
    act: (world) => {
      const commands = createCommands(world)
      try {
        commands.spawnMany(1100, [Frozen])
      } finally {
        commands.clear()
      }
    },
  },
  {
    name: 'a buffer that is applied',
    stepwise: true,
    act: (world) => {
      const commands = createCommands(world)
      const entity = first(world)
      try {
        for (let i = 0; i < 5; i++) commands.set(commands.spawn(Position({ x: i })), Velocity, { x: i })
        for (let i = 0; i < 1030; i++) commands.add(commands.spawn(), Frozen, Health)
      } finally {
        commands.add(entity, Velocity, Slot)
        commands.remove(entity, Position)
        commands.apply()
      }
    },
  },
  { name: 'set that adds', act: (world) => world.set(first(world), Velocity, { x: 5 }) },
  { name: 'set that adds a sparse component', act: (world) => world.set(first(world), Slot, { value: 5 }) },
  { name: 'spawnMany', act: (world) => spawnMany(world, 900, [Position, Velocity, Frozen]) },
  {
    name: 'spawnMany with sparse components',
    act: (world) => spawnMany(world, 700, [Position, Health, Slot]),
  },
  { name: 'spawnMany beyond the entity records', act: (world) => spawnMany(world, 1500, [Frozen]) },
  {
    name: 'spawnAt of a handle beyond the entity records',
    act: (world) => spawnAt(world, 3000, Position({ x: 7 }), Health, Slot, Name({ value: long('n') })),
  },
  {
    name: 'spawnManyAt of handles in any order',
    act: (world) =>
      spawnManyAt(
        world,
        Array.from({ length: 1500 }, (_, i) => 600 + ((i * 7) % 1500)),
        [Position({ x: 7 }), Health, Slot],
      ),
  },
  { name: 'a named handle in a buffer', act: (world) => createCommands(world).spawnAt(4000, Frozen) },
  {
    name: 'a new query',
    act: (world) => world.query(Position, not(Velocity), any(...(Marks as [typeof Frozen]))),
  },
  { name: 'a new query of alternatives', act: (world) => world.query(any(Position, Frozen)) },
  { name: 'a new query without required terms', act: (world) => world.query(not(Frozen)) },
  { name: 'a new query over a pool', act: (world) => world.query(Slot, not(Frozen)) },
  {
    name: 'registration of a table component',
    act: (world) => void world.query(NewInTable),
  },
  {
    name: 'registration of a sparse component',
    act: (world) => void world.query(NewInPool),
  },
  { name: 'addMany of a table component', act: (world) => addMany(world.query(Position), Velocity) },
  { name: 'addMany of a tag', act: (world) => addMany(world.query(Position), Frozen) },
  { name: 'addMany of a sparse component', act: (world) => addMany(world.query(Position), Health) },
  { name: 'addMany of a stable component', act: (world) => addMany(world.query(Position), Slot) },
  {
    name: 'addMany of all storages',
    act: (world) => addMany(world.query(Position), Velocity, Health, Slot, Frozen),
  },
  {
    name: 'addMany row by row',
    act: (world) => addMany(world.query(Position, not(Health)), Velocity, Slot),
  },
  {
    name: 'addMany by a pool',
    prepare: (world) => addMany(world.query(Position), Health),
    act: (world) => addMany(world.query(Health), Velocity, Frozen),
  },
  { name: 'removeMany', act: (world) => removeMany(world.query(Position), ...Marks) },
  { name: 'removeMany of a table component', act: (world) => removeMany(world.query(Position), Position) },
  {
    name: 'removeMany row by row',
    prepare: (world) => addMany(world.query(Position), Health, Velocity),
    act: (world) => removeMany(world.query(Position, Health), Velocity, Health),
  },
  {
    name: 'spawn with new texts',
    act: (world) =>
      world.spawn(Name({ value: long('a'), home: long('b') }), Label({ value: long('c') }), Frozen),
  },
  {
    name: 'spawn with the texts that make their table grow',
    prepare: (world) => {
      for (let i = 0; world.stats().texts < 63; i++) internText(world, `text ${i}`)
    },
    act: (world) => world.spawn(Name({ value: 'a', home: 'b' }), Label({ value: 'c' })),
  },
  {
    name: 'add with new texts',
    act: (world) => world.add(first(world), Name({ value: long('a') }), Label({ value: long('b') })),
  },
  {
    name: 'set with new texts',
    prepare: (world) => world.add(first(world), Name({ value: 'old', home: 'old' })),
    act: (world) => world.set(first(world), Name, { value: long('a'), home: long('b') }),
  },
  {
    name: 'a new text through an accessor',
    prepare: (world) => world.add(first(world), Name),
    act: (world) => (createAccessor(world, Name).of(world.query(Name).single()).value = long('a')),
  },
  {
    name: 'spawnMany with new texts',
    act: (world) => spawnMany(world, 400, [Name({ value: long('a'), home: long('b') })]),
  },
  {
    name: 'addMany with new texts',
    act: (world) => addMany(world.query(Position), Name({ value: long('a'), home: long('b') })),
  },
  { name: 'internText', act: (world) => internText(world, long('a')) },
  {
    name: 'registration of a component with default texts',
    act: (world) => void world.query(NewWithTexts),
  },
  {
    name: 'the end of a loop that wrote new texts',
    stepwise: true,
    prepare: (world) => addMany(world.query(Position), Name),
    act: (world) => {
      const entity = first(world)
      let count = 0
      world.query(Name).each((_, name) => (name.value = long(`text ${count++ % 9}`)))
      expect(world.get(entity, Name)?.value.length).toBe(3000)
    },
  },
  {
    name: 'the end of a batch with new texts',
    stepwise: true,
    act: (world) => {
      const entity = first(world)
      world.batch(() => {
        for (let i = 0; i < 5; i++) world.spawn(Name({ value: long(`spawn ${i}`) }), Label)
        world.add(entity, Label({ value: long('a') }), Name({ value: long('b'), home: long('c') }))
        addMany(world.query(Position, not(Name)), Name({ home: long('d') }))
      })
    },
  },
  {
    name: 'the end of a batch',
    stepwise: true,
    act: (world) => {
      const entity = first(world)
      world.batch(() => {
        for (let i = 0; i < 5; i++) world.spawn(Position({ x: i }), Velocity, Health)
        world.add(entity, Velocity, Slot)
        addMany(world.query(Position), Frozen)
        spawnMany(world, 1100, [Frozen])
      })
    },
  },
]

/** A world with a few archetypes, some memory that can be given back, and `kib` KiB left. */
function scarceWorld(scenario: Scenario, kib: number): World {
  const world = testWorld({ memory: { maximum: MIB } })
  for (const mark of Marks) spawnMany(world, 7, [Position({ x: 1 }), mark])
  world.spawn(Position({ x: 4, y: 5 }))
  world.query(Large)
  world.query()
  for (const kind of ALL) world.query(kind)
  spawnMany(world, 18, [Large])
  scenario.prepare?.(world)
  leaveFree(world, kib)
  return world
}

function tryWith(scenario: Scenario, kib: number, hidesObjects: boolean): boolean {
  const world = scarceWorld(scenario, kib)
  const before = snapshot(world)
  const done = succeeds(() => scenario.act(world), hidesObjects ? world : undefined)
  // What was broken before or is broken between two walks stays so: one after the operation and one at the end find it.
  checkInvariants(world)
  if (!done) {
    if (scenario.stepwise !== true) expect(snapshot(world)).toBe(before)
    destroyMany(world.query(Large))
    scenario.act(world)
    checkInvariants(world)
  }
  return done
}

describe('an operation when memory is used up', () => {
  for (const scenario of SCENARIOS) {
    for (const hidesObjects of [false, true]) {
      const how = hidesObjects ? ' and every small object needs a block' : ''
      it(`${scenario.name}: fails whole and can be repeated, whatever is left${how}`, () => {
        const amounts = { from: firstAmount(hidesObjects), step: STEP }
        tryEveryAmount((kib) => tryWith(scenario, kib, hidesObjects), amounts)
      })
    }
  }

  it('throws a LimitError whose sentence says what to do', () => {
    const world = testWorld({ memory: { maximum: MIB } })
    expect(() => spawnMany(world, 100_000, [Position, Velocity])).toThrow(/memory.*memory\.maximum/)
    expect(world.stats().entities).toBe(0)
    checkInvariants(world)
  })

  it.runIf(isSteady)('spawns until nothing fits, and the last chunk is full', () => {
    const world = testWorld({ memory: { maximum: MIB } })
    let count = 0
    while (succeeds(() => world.spawn(Position({ x: count })))) count++
    expect(count).toBeGreaterThan(30_000)
    expect(world.stats().entities).toBe(count)
    checkInvariants(world)
    const last = world.query(Position).entities()[count - 1] as number
    expect(world.get(last, Position)?.x).toBe(count - 1)
    expect(world.destroy(last)).toBe(true)
    world.spawn(Position)
    checkInvariants(world)
  })

  it('memory.initial beyond the memory of the host is refused before anything is made', () => {
    expect(() => testWorld({ memory: { initial: 2 * MIB, maximum: MIB } })).toThrow(TypeError)
  })
})

describe('a world whose entities are used up', () => {
  for (const limit of [1, 2, 100, 1023, 1024, 1025, 5000]) {
    it(`gives ${limit} handles, then a LimitError, and goes on when one is free`, () => {
      const world = testWorld({ maxEntities: limit })
      const handles = Array.from({ length: limit }, () => world.spawn(Position))
      expect(() => world.spawn(Position)).toThrow(LimitError)
      expect(() => spawnMany(world, 1, [Health])).toThrow(LimitError)
      expect(world.stats().entities).toBe(limit)
      checkInvariants(world)
      world.destroy(handles[0])
      const next = world.spawn(Position)
      expect(next).not.toBe(handles[0])
      expect(world.isAlive(handles[0])).toBe(false)
      expect(() => world.spawn()).toThrow(LimitError)
      checkInvariants(world)
    })
  }

  it('refuses a spawnMany that would go one beyond the limit, whole', () => {
    const world = testWorld({ maxEntities: 1000 })
    spawnMany(world, 400, [Position])
    expect(() => spawnMany(world, 601, [Position, Health])).toThrow(LimitError)
    expect(world.stats().entities).toBe(400)
    checkInvariants(world)
    expect(spawnMany(world, 600, [Position, Health]).length).toBe(600)
    checkInvariants(world)
  })

  it('refuses the spawn of a batch at the call, and keeps the others', () => {
    const world = testWorld({ maxEntities: 3 })
    world.spawn(Position)
    const handles: Entity[] = []
    world.batch(() => {
      handles.push(world.spawn(Position), world.spawn(Health))
      expect(() => world.spawn(Position)).toThrow(LimitError)
    })
    expect(handles.every((handle) => world.isAlive(handle))).toBe(true)
    expect(world.stats().entities).toBe(3)
    checkInvariants(world)
  })
})

describe('an index whose generations are used up', () => {
  const GENERATIONS = 256
  /** An index comes back when this many are free. */
  const RESTING = 1024
  const ROUND = 64

  it('retires, and none of its handles is alive again while others are left', () => {
    const world = testWorld()
    const seen = new Set<number>()
    destroyMany(world, spawnMany(world, RESTING - 1, [Position]))
    const oldest = spawnMany(world, ROUND, [Position])
    let handles = oldest
    // Each index is used once in so many rounds: twice that often, and a few more, uses up all generations.
    const rounds = Math.ceil((RESTING + ROUND) / ROUND) * (GENERATIONS + 4)
    for (let round = 0; round < rounds; round++) {
      for (const handle of handles) {
        if (seen.has(handle)) throw new Error(`handle ${handle} was given out twice`)
        seen.add(handle)
      }
      expect(destroyMany(world, handles)).toBe(ROUND)
      handles = spawnMany(world, ROUND, [Position])
      if (round % 500 === 0) checkInvariants(world)
    }
    expect([...oldest].some((handle) => world.isAlive(handle))).toBe(false)
    expect(world.stats().retiredIds).toBeGreaterThan(RESTING / 2)
    checkInvariants(world)
  })

  it('never returns in a strict world: a LimitError when all handles are spent', () => {
    const world = testWorld({ maxEntities: 2, ids: 'strict' })
    const seen = new Set<number>()
    for (let i = 0; i < 2 * GENERATIONS; i++) {
      const handle = world.spawn(Position)
      expect(seen.has(handle)).toBe(false)
      seen.add(handle)
      world.destroy(handle)
    }
    expect(() => world.spawn(Position)).toThrow(LimitError)
    expect(() => spawnMany(world, 1, [Position])).toThrow(LimitError)
    expect(world.stats()).toMatchObject({ entities: 0, freeIds: 0, retiredIds: 2 })
    checkInvariants(world)
  })

  it('returns, oldest first, when the index space is used up otherwise', () => {
    const world = testWorld({ maxEntities: 2 })
    const order: number[] = []
    for (let i = 0; i < 2 * GENERATIONS; i++) {
      order.push(world.spawn(Position))
      world.destroy(order[i] as number)
    }
    expect(new Set(order).size).toBe(2 * GENERATIONS)
    expect(world.stats().retiredIds).toBe(2)
    expect(world.spawn(Position)).toBe(order[0])
    checkInvariants(world)
  })
})
