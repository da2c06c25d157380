// Shows that a simulation inside wasm, in the one-module way, does what TypeScript does, in the memory and in every look at it,
// and that a module that would harm a world is refused.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ComponentLike,
  type Entity,
  type Query,
  type World,
  any,
  callModule,
  changed,
  component,
  createWorld,
  f32,
  f64,
  i32,
  not,
  object,
  objectsOf,
  onAdd,
  onEnter,
  relation,
  removals,
  tag,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import {
  CORE_START,
  HEAP_ADDRESS,
  LIST_ADDRESS,
  SCRATCH_ADDRESS,
  SIMULATION_COMMAND_CAPACITY,
  SIMULATION_LOCKS,
  SIMULATION_SPARE_LOOP,
  SIMULATION_WAITING_BYTES,
} from '../../build/layout'
import { pokeWord, wordAt } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { compileModule } from '../support/ownModule'
import { proofLength } from '../support/proofs'
import { isChecked } from '../support/world'
import { bytesOf } from '../support/bytes'

const seed = Number(process.env['STRATA_SEED'] ?? 20_250_101)

const Position = component('Position', { x: f32, y: f64 })
const Shape = component('Shape', { at: vec(f32, 3), kind: u8 }, { track: 'row' })
const Marked = tag('Marked')
const Health = component('Health', { hp: u16 }, { storage: 'sparse' })
const Node = component('Node', { serial: u32 }, { storage: 'stable' })
const Burning = component('Burning', { heat: i32 }, { toggle: true })
const COMPONENTS = [Position, Shape, Marked, Health, Node, Burning] as const
const SLOTS = 64
const SMALL = { memory: { initial: 2 ** 20 } }

let module: WebAssembly.Module
beforeAll(async () => {
  module = await compileModule('tests/assembly/oneModule.ts')
})

/** A world whose simulation is started. */
function startedWorld(options = {}): World {
  const world = createWorld({ ...SMALL, ...options, core: module })
  callModule(world, 'start', ...COMPONENTS)
  return world
}

/** The queries of the simulation, made in the same order. */
function queriesOf(world: World): Query[] {
  return [
    world.query(Position),
    world.query(Position, Shape, not(Marked)),
    world.query(Health),
    world.query(Node, not(Position)),
    world.query(Position, any(Health, Marked), any(Marked, Node)),
    world.query(Burning),
    world.query(Position, Health, not(Burning)),
    world.query(),
  ] as unknown as Query[]
}

// ── scripts ──────────────────────────────────────────────────────────────────────────────────────────────────

type Step = readonly [kind: number, slot: number, first: number, second: number]

const mask = fc.nat(63)
const slot = fc.nat(SLOTS - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constant(0), slot, mask, fc.constant(0)) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom(1, 2), slot, mask, fc.constant(0)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant(3), slot, mask, mask) },
  { weight: 3, arbitrary: fc.tuple(fc.constant(4), slot, fc.constant(0), fc.constant(0)) },
  { weight: 6, arbitrary: fc.tuple(fc.constant(5), slot, fc.nat(200), fc.constant(0)) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(6, 7), fc.constant(0), fc.nat(7), fc.integer({ min: 1, max: 63 })),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant(8), fc.constant(0), fc.nat(6), fc.constant(0)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant(9), fc.constant(0), mask, fc.integer({ min: 1, max: 40 })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant(10), slot, fc.nat(1), fc.constant(0)) },
)
const scripts = fc.array(fc.array(step, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 12 })

function playInside(world: World, script: readonly Step[], deferred: boolean): number {
  script.forEach((numbers, i) => callModule(world, 'writeStep', i, ...numbers))
  return callModule(world, 'play', script.length, deferred)
}

const chosen = (bits: number) => COMPONENTS.filter((_, i) => (bits >> i) & 1) as unknown as ComponentLike[]

/** The same steps through the TypeScript API. Returns the sum of results as the simulation counts them. */
function playOutside(world: World, queries: Query[], slots: number[], script: readonly Step[]): number {
  let sum = 0
  for (const [kind, at, first, second] of script)
    sum += playStep(world, queries, slots, kind, at, first, second)
  return sum
}

function playStep(
  world: World,
  queries: Query[],
  slots: number[],
  kind: number,
  at: number,
  first: number,
  second: number,
): number {
  const entity = slots[at] as number
  const alive = world.isAlive(entity)
  const query = queries[first] as any
  if (kind === 0) {
    slots[at] = world.spawn(...(chosen(first) as any))
    return 1
  }
  // The dead are asked for, too: the bundles of the call are made all the same.
  const unlessDead = (change: () => boolean) => {
    if (alive) return Number(change())
    expect(catching(change)).toMatchObject({ code: 'DEAD_ENTITY' })
    return -1
  }
  if (kind === 1) return unlessDead(() => world.add(entity, ...(chosen(first) as any)))
  if (kind === 2) return world.remove(entity, ...chosen(first)) ? 1 : alive ? 0 : -1
  if (kind === 3) return unlessDead(() => world.exchange(entity, chosen(first), chosen(second) as any))
  if (kind === 4) return world.destroy(entity) ? 1 : -1
  if (kind === 5) {
    setPresent(world, entity, first)
    return 0
  }
  if (kind === 6) return query.add(...chosen(second))
  if (kind === 7) return query.remove(...chosen(second))
  if (kind === 8) return query.destroy()
  if (kind === 9) {
    world.spawnMany(second, chosen(first) as any)
    return 1
  }
  return Number(first === 0 ? world.disable(entity, Burning) : world.enable(entity, Burning))
}

function setPresent(world: World, entity: number, value: number): void {
  const has = (which: ComponentLike) => world.has(entity, which)
  if (has(Position)) world.set(entity, Position, { x: value, y: value / 3 })
  if (has(Shape)) {
    const at = [...(world.get(entity, Shape)?.at ?? [])] as [number, number, number]
    at[2] = value * 2
    world.set(entity, Shape, { at, kind: value & 255 })
  }
  if (has(Health)) world.set(entity, Health, { hp: value })
  if (has(Node)) world.set(entity, Node, { serial: value })
  if (has(Burning)) world.set(entity, Burning, { heat: -value })
}

/** Everything that can be asked of a world, by entity. */
function contents(world: World): unknown[] {
  return [...world.query().entities()]
    .sort((a, b) => a - b)
    .map((entity) => [
      entity,
      COMPONENTS.map((which) =>
        which === Marked ? world.has(entity, which) : world.get(entity, which as any),
      ),
      world.isEnabled(entity, Burning),
    ])
}

/** The memory without what belongs to one call, and without the queue of changes inside wasm. */
function memoryOf(world: World): Uint8Array {
  const bytes = bytesOf(world)
  bytes.fill(0, 0, CORE_START)
  bytes.fill(0, LIST_ADDRESS, HEAP_ADDRESS)
  expect(SCRATCH_ADDRESS).toBeLessThan(HEAP_ADDRESS)
  return bytes
}

// ── inside and outside ───────────────────────────────────────────────────────────────────────────────────────

describe('a script of changes inside wasm', () => {
  it('leaves the memory as TypeScript does, byte for byte, and says the same', () => {
    const property = fc.property(scripts, (parts) => {
      const inside = startedWorld()
      const outside = startedWorld()
      const slots = new Array<number>(SLOTS).fill(0)
      const queries = queriesOf(outside)
      queriesOf(inside)
      for (const part of parts) {
        expect(playInside(inside, part, false)).toBe(playOutside(outside, queries, slots, part))
        checkInvariants(inside)
        for (let i = 0; i < SLOTS; i++) expect(callModule(inside, 'handleAt', i) >>> 0).toBe(slots[i])
      }
      expect(contents(inside)).toEqual(contents(outside))
      expect(Buffer.compare(memoryOf(inside), memoryOf(outside))).toBe(0)
    })
    fc.assert(property, { seed, numRuns: proofLength(60) })
  })

  it('leads to the same when it is deferred', () => {
    const property = fc.property(scripts, (parts) => {
      const worlds = [startedWorld(), startedWorld()] as const
      for (const part of parts) {
        playInside(worlds[0], part, false)
        playInside(worlds[1], part, true)
        checkInvariants(worlds[1])
        expect(contents(worlds[1])).toEqual(contents(worlds[0]))
      }
    })
    fc.assert(property, { seed: seed + 1, numRuns: proofLength(60) })
  })

  it('leads to the same in a world with relations, where all of it waits until the call returns', () => {
    const Near = relation('Near', { exclusive: true })
    const property = fc.property(scripts, (parts) => {
      const worlds = [startedWorld(), startedWorld()] as const
      const pairs = worlds.map((world) => [world.spawn(), world.spawn()] as const)
      worlds[1].add(pairs[1]?.[0] as Entity, Near(pairs[1]?.[1] as Entity))
      for (const part of parts) {
        playInside(worlds[0], part, true)
        playInside(worlds[1], part, true)
        checkInvariants(worlds[1])
        expect(contents(worlds[1])).toEqual(contents(worlds[0]))
      }
    })
    fc.assert(property, { seed: seed + 3, numRuns: proofLength(60) })
  })

  it('is followed by the same looks: loops, counts, fields of every storage', () => {
    const property = fc.property(scripts, (parts) => {
      const world = startedWorld()
      const queries = queriesOf(world)
      for (const part of parts) playInside(world, part, false)
      queries.forEach((query, i) => {
        const found = Array.from(
          { length: callModule(world, 'collect', i) },
          (_, k) => callModule(world, 'foundAt', k) >>> 0,
        )
        expect(found.sort((a, b) => a - b)).toEqual([...query.entities()].sort((a, b) => a - b))
        expect(callModule(world, 'count', i)).toBe(found.length)
        expect(callModule(world, 'countPairs', i)).toBe(found.length ** 2)
      })
      let sum = 0
      for (const entity of (queries[0] as Query).entities() as unknown as Entity[]) {
        const { x, y } = world.get(entity, Position) ?? { x: 0, y: 0 }
        const hp = world.get(entity, Health)?.hp ?? 0
        sum +=
          x + y + (world.get(entity, Shape)?.at[2] ?? 0) + 2 * hp + (world.get(entity, Node)?.serial ?? 0)
      }
      expect(callModule(world, 'sumFields')).toBeCloseTo(sum, 6)
      checkInvariants(world)
    })
    fc.assert(property, { seed: seed + 2, numRuns: proofLength(30) })
  })
})

describe('a loop inside wasm', () => {
  it('does not visit what is spawned in it, and destroys when it ends', () => {
    const world = startedWorld()
    world.spawnMany(300, [Position({ x: 1 })])
    for (let i = 0; i < 4; i++) {
      const before = world.query(Position).count
      expect(callModule(world, 'split')).toBe(before)
      expect(world.query(Position).count).toBe(2 * before)
      checkInvariants(world)
    }
    let sum = 0
    world.query(Position).each((_, position) => {
      sum += position.x
    })
    // Of every pair the second one is moved by a quarter.
    expect(sum).toBe(300 * 16 + (300 * 16 * 4 * 0.25) / 2)
  })

  it.each([true, false])('may be left early, end() called: %s', (says) => {
    const world = startedWorld()
    world.spawn(Position, Shape)
    callModule(world, 'leaveEarly', says)
    expect(world.query(Position).count).toBe(3)
    checkInvariants(world)
    expect(callModule(world, 'collect', 0)).toBe(3)
  })

  it('keeps its memory where the invariant checker counts it', () => {
    const world = startedWorld()
    world.spawn(Position)
    callModule(world, 'split')
    checkInvariants(world)
    for (const address of [SIMULATION_COMMAND_CAPACITY, SIMULATION_WAITING_BYTES, SIMULATION_SPARE_LOOP]) {
      const kept = wordAt(world, address)
      pokeWord(world, address, 0)
      expect(() => checkInvariants(world)).toThrow(/lost|have an owner/)
      pokeWord(world, address, kept)
    }
    pokeWord(world, SIMULATION_LOCKS, 1)
    expect(() => checkInvariants(world)).toThrow(/is open between two calls/)
  })

  it('marks what it writes changed: the chunk, and the rows that are tracked', () => {
    const world = startedWorld()
    const [still, moved, alone] = [
      world.spawn(Position),
      world.spawn(Position, Shape),
      world.spawn(Position, Marked),
    ]
    const seen = world.query(Position, changed(Position))
    const rows = world.query(changed(Shape))
    expect([seen.entities().length, rows.entities().length]).toEqual([3, 1])
    callModule(world, 'shift', 2)
    expect([...seen.entities()]).toEqual([moved])
    expect([...rows.entities()]).toEqual([moved])
    callModule(world, 'shiftOne', alone, 3)
    expect([...seen.entities()]).toEqual([alone])
    expect(world.get(moved, Position)?.x).toBe(2)
    expect([...(world.get(moved, Shape)?.at ?? [])]).toEqual([2, 0, 0])
    expect(world.get(alone, Position)?.x).toBe(3)
    expect(world.get(still, Position)?.x).toBe(0)
  })

  it('a call throws at its end when what waited finds no memory; the rest is done', () => {
    const world = startedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    expect(() => callModule(world, 'fillLater', 63, 8000)).toThrow(
      expect.objectContaining({ code: 'MEMORY_LIMIT' }),
    )
    checkInvariants(world)
    // Whoever found no row is dead.
    expect(world.query(Position).count).toBe(world.stats().entities)
    expect(world.stats().entities).toBeGreaterThan(1000)
    world.clear()
    expect(callModule(world, 'leaveEarly', true)).toBe(0)
  })
})

describe('a limit reached inside wasm', () => {
  it.each([false, true])('is a status and leaves the world as it was, deferred: %s', (deferred) => {
    const world = startedWorld({ maxEntities: 500 })
    expect(callModule(world, 'fill', 1 | 8, deferred)).toBe(-3)
    expect(world.stats().entities).toBe(500)
    expect(world.query(Position, Health).count).toBe(500)
    checkInvariants(world)
    const full = startedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    expect(callModule(full, 'fill', 1 | 8, deferred)).toBe(-2)
    checkInvariants(full)
    full.clear()
    expect(full.isAlive(full.spawn(Position, Health))).toBe(true)
  })

  it('null bundles, dead handles and ids that are none are refused, and nothing happens', () => {
    const world = startedWorld()
    expect(callModule(world, 'askNonsense')).toBe(1)
    expect(world.stats().entities).toBe(0)
    checkInvariants(world)
  })
})

// ── callModule ───────────────────────────────────────────────────────────────────────────────────────────────

describe('callModule', () => {
  it('gives back the number, 0 where there is none', () => {
    const world = startedWorld()
    expect(callModule(world, 'answer')).toBe(0.5)
    expect(callModule(world, 'nothing')).toBe(0)
    expect(callModule(world, 'advance')).toBe(world.tick)
  })

  it('refuses what the module has not, with the list of what it has', () => {
    const world = startedWorld()
    expect(() => callModule(world, 'fly')).toThrow(/no function 'fly'.*start, .*nothing/)
    // The core's own functions are not for users.
    for (const name of ['worldReset', 'simulationEnd', 'memory']) {
      expect(() => callModule(world, name)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    }
    expect(() => callModule(createWorld(SMALL), 'step')).toThrow(/none besides the core/)
  })

  it('refuses wrong arguments', () => {
    const world = startedWorld()
    expect(() => callModule(world, 'shift')).toThrow(/'shift' takes 1 arguments, not 0/)
    expect(() => callModule(world, 'shift', 'x' as any)).toThrow(
      expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
    )
    expect(() => callModule(world, 'shift', object('Sprite'))).toThrow(
      /Sprite, whose values are in JavaScript/,
    )
    expect(() => callModule(world, 'shift', Position({ x: 1 }) as any)).toThrow(
      expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
    )
  })

  it('is refused inside a loop, and when the world is gone', () => {
    const world = startedWorld()
    world.spawn(Position)
    const locked = expect.objectContaining({ code: 'WORLD_LOCKED' })
    for (const _ of world.query(Position)) expect(() => callModule(world, 'nothing')).toThrow(locked)
    expect(() => world.defer(() => callModule(world, 'nothing'))).toThrow(locked)
    world.dispose()
    expect(() => callModule(world, 'nothing')).toThrow(expect.objectContaining({ code: 'WORLD_DISPOSED' }))
  })

  it('tells of a trap by the name of the function; what waited is applied, and the world goes on', () => {
    const world = startedWorld()
    world.spawn(Position)
    const error = catching(() => callModule(world, 'trap'))
    expect(error).toMatchObject({ code: 'KERNEL_FAILED', message: expect.stringContaining("'trap'") })
    expect((error as Error).cause).toBeInstanceOf(WebAssembly.RuntimeError)
    checkInvariants(world)
    expect(world.query(Position, Shape).count).toBe(1)
    expect(callModule(world, 'split')).toBe(2)
    for (const chunk of world.query(Position)) expect(chunk.end).toBeGreaterThan(0)
    checkInvariants(world)
  })

  it('is refused while somebody listens, for nobody would be told', () => {
    const world = startedWorld()
    const stop = onAdd(world, Health, () => {})
    const observed = expect.objectContaining({
      code: 'WORLD_OBSERVED',
      message: expect.stringContaining('Health'),
    })
    expect(() => callModule(world, 'nothing')).toThrow(observed)
    stop()
    expect(callModule(world, 'nothing')).toBe(0)
    const leave = onEnter(world.query(Position), () => {})
    expect(() => callModule(world, 'nothing')).toThrow(/a watched query/)
    leave()
    removals(world, Marked)
    expect(() => callModule(world, 'nothing')).toThrow(/Marked/)
  })

  it('disposes of the objects of entities that died inside wasm, once, also where the index is used again', () => {
    const disposed: unknown[] = []
    const Sprite = object<string>('Sprite', { dispose: (value, entity) => disposed.push([value, entity]) })
    const world = startedWorld()
    const kept = world.spawn(Marked, Sprite('kept'))
    const lost = world.spawn(Position, Sprite('lost'))
    callModule(world, 'split')
    expect(disposed).toEqual([['lost', lost]])
    expect(world.get(kept, Sprite)).toBe('kept')
    expect([...objectsOf(world, Sprite)].map(([entity]) => entity)).toEqual([kept])
    for (let i = 0; i < 8; i++) callModule(world, 'split')
    expect(disposed.length).toBe(1)
    world.destroy(kept)
    expect(disposed.length).toBe(2)
  })

  it('goes on after clear, and after reset once the simulation is started again', () => {
    const world = startedWorld()
    world.spawn(Position)
    callModule(world, 'split')
    world.clear()
    expect(callModule(world, 'count', 0)).toBe(0)
    world.reset()
    callModule(world, 'start', ...COMPONENTS)
    world.spawn(Position)
    expect(callModule(world, 'split')).toBe(1)
    checkInvariants(world)
  })

  it('keeps the order of ticks when wasm counts over the edge at which they are aged', () => {
    const world = startedWorld()
    const ship = world.spawn(Position)
    const seen = world.query(changed(Position))
    seen.entities()
    for (let i = 0; i < 3; i++) callModule(world, 'advance')
    expect(seen.entities().length).toBe(0)
    callModule(world, 'shiftOne', ship, 1)
    expect([...seen.entities()]).toEqual([ship])
  })
})

function catching(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

// ── the example ──────────────────────────────────────────────────────────────────────────────────────────────

describe('the example', () => {
  it('is printed in the guide as it is', () => {
    const text = (path: string) =>
      readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
    expect(text('docs/one-module.md')).toContain(text('examples/oneModule/cells.ts'))
  })

  it('grows, divides and dies inside wasm, the same each time', async () => {
    const cells = await compileModule('examples/oneModule/cells.ts')
    const runs = [1, 2].map(() => {
      const world = createWorld({ ...SMALL, core: cells })
      const Cell = component('Cell', { x: f32, energy: f32, age: u32 })
      expect(callModule(world, 'start', Cell)).toBe(1)
      expect(callModule(world, 'sow', 500)).toBe(500)
      const evenings = Array.from({ length: 80 }, () => callModule(world, 'day'))
      checkInvariants(world)
      expect(world.query(Cell).count).toBe(evenings.at(-1))
      for (const entity of world.query(Cell).entities().slice(0, 50)) {
        const cell = world.get(entity, Cell)
        expect(cell?.age).toBeLessThanOrEqual(60)
        expect(cell?.x).toBeGreaterThanOrEqual(0)
        expect(cell?.x).toBeLessThan(1)
      }
      return { evenings, memory: memoryOf(world) }
    })
    const { evenings, memory } = runs[0] as (typeof runs)[0]
    expect(Math.max(...evenings)).toBeGreaterThan(2000)
    expect(runs[1]?.evenings).toEqual(evenings)
    expect(Buffer.compare(memory, runs[1]?.memory as Uint8Array)).toBe(0)
  })
})

// ── modules that are refused ─────────────────────────────────────────────────────────────────────────────────

describe('createWorld', () => {
  const own = "export * from 'strata-ecs/assembly/module'\n"
  // They are refused before a call is made, so nothing is gained by making them fast.
  const refused = async (source: string, flags: string[] = []) => {
    const wrong = await compileModule(source, flags, { quickly: true })
    return expect(() => createWorld({ core: wrong }))
  }

  it('takes one module for many worlds, each with its own memory', () => {
    const [a, b] = [startedWorld(), startedWorld()]
    a.spawn(Position)
    expect([callModule(a, 'count', 7), callModule(b, 'count', 7)]).toEqual([1, 0])
  })

  it('refuses a module without the core', async () => {
    const assertion = await refused('export function step(): void {}')
    assertion.toThrow(/not a strata core of this version.*assembly\/module/)
  })

  it('refuses imports that a world does not give', async () => {
    const assertion = await refused(
      `${own}@external('env', 'fetch') declare function get(): i32\nexport function step(): i32 { return get() }`,
    )
    assertion.toThrow(/imports env\.fetch/)
  })

  it('refuses static data where the world begins', async () => {
    const statics = `${own}export function at(): usize { return memory.data<u8>([1, 2, 3]) }`
    const assertion = await refused(statics, ['--lowMemoryLimit', '0', '--memoryBase', '65536'])
    assertion.toThrow(/beyond page 0/)
  })

  it('refuses what is no module', () => {
    expect(() => createWorld({ core: {} as any })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
  })

  // Only asserts can tell.
  if (isChecked)
    it('lets the checked compile say which rule was broken, by the name of the function', async () => {
      const source = `import { Query } from 'strata-ecs/assembly'\n${own}
      export function wrong(position: u32): f32 {
        const query = Query.with(position).open()
        query.begin()
        while (query.next()) return query.read<f32>(position + 1, 0)[0]
        return 0
      }`
      const world = createWorld({ core: await compileModule(source) })
      world.spawn(Position)
      const error = catching(() => callModule(world, 'wrong', Position))
      expect(error).toMatchObject({ code: 'KERNEL_FAILED', cause: { code: 'CHECK_FAILED' } })
      expect((error as Error).message).toMatch(/'wrong'.*where the rows have it/)
    })
})
