// Shows that a kernel meets all chunks of a query, however many one call takes and whatever was kept of the last run: worlds of
// many small archetypes, by kernel and by loop, compared byte by byte.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CORE_START, KERNEL_ARGUMENTS_ADDRESS, KERNEL_ARGUMENTS_BYTES } from '../../build/layout'
import {
  type BoundKernel,
  type Query,
  type World,
  addMany,
  changed,
  component,
  createKernel,
  createSchedule,
  not,
  removeMany,
  resetWorld,
  spawnMany,
  tag,
  u32,
} from '../../bindings/index'
import { caughtFrom } from '../support/caught'
import { checkInvariants } from '../support/invariants'
import { kernelsOf } from '../support/kernels'
import { proofLength } from '../support/proofs'
import { isChecked, testWorld } from '../support/world'

/** With so many columns one call takes few blocks. */
const COLUMNS = 120
/** Blocks of one call: behind no numbers, each of two words and the columns. The guard sees one at a time. */
const MOST = isChecked ? 1 : Math.floor(KERNEL_ARGUMENTS_BYTES / (8 + 4 * COLUMNS))

const names = Array.from({ length: COLUMNS }, (_, k) => `c${k}`)
const kernels = await kernelsOf(`
export function wide(rows: Rows, ${names.map((name) => `${name}: Column<u32>`).join(', ')}): Count {
  for (let i = rows.start; i < rows.end; i++) c0[i] += 1
  return rows.end - rows.start
}
export function mix(rows: Rows, n: Column<u32>, salt: u32, who: Entities, m: ReadonlyColumn<u32>): Sum<u32> {
  let odd: u32 = 0
  for (let i = rows.start; i < rows.end; i++) {
    n[i] = n[i] * 3 + (who[i] & 0xff) + m[i] + salt
    odd += n[i] & 1
  }
  return odd
}
export function salted(rows: Rows, salt: u32, n: Column<u32>): void {
  for (let i = rows.start; i < rows.end; i++) n[i] += salt
}
export function increase(rows: Rows, n: Column<u32>): void {
  for (let i = rows.start; i < rows.end; i++) n[i] += 1
}
/** Traps in a chunk whose first row is 7. */
export function trap(rows: Rows, n: Column<u32>): void {
  if (n[rows.start] == 7) unreachable()
  for (let i = rows.start; i < rows.end; i++) n[i] += 1
}
`)

const Data = component('Data', { n: u32 })
const More = component('More', { m: u32 })
const Tracked = component('Tracked', { n: u32 }, { trackChanges: 'row' })
const Odd = tag('Odd')
const OWN = Array.from({ length: 200 }, (_, k) => component(`Own${k}`, { n: u32 }))
type Own = (typeof OWN)[number]

/** A world with a row in each of so many archetypes that have Data. */
function worldOf(archetypes: number): World {
  const world = testWorld({ memory: { initial: 2 ** 22 } })
  for (let k = 0; k < archetypes; k++) world.spawn(Data({ n: 100 + k }), OWN[k] as Own)
  return world
}

const wideColumns = Object.fromEntries(names.map((name) => [name, [Data, 'n']]))
/** Binds a kernel without scalars. */
const bind = (world: World, kernel: (typeof kernels)[string], columns: object) =>
  createKernel(world, kernel, columns as never) as unknown as BoundKernel<Record<never, never>, number>
const bindWide = (world: World) => bind(world, kernels.wide, wideColumns)
const bindIncrease = (world: World) => bind(world, kernels.increase, { n: [Data, 'n'] })
const valuesOf = (world: World, query: Query<any, any> = world.query(Data)) =>
  [...query.entities()].map((e) => world.get(e, Data)?.n)

/** Counts the calls into wasm of a bound kernel. */
function countCalls(step: unknown): { calls: number; blocks: number } {
  const { loaded } = step as { loaded: { start: (...given: number[]) => unknown } }
  const seen = { calls: 0, blocks: 0 }
  const { start } = loaded
  loaded.start = (...given) => {
    seen.calls++
    seen.blocks += given[1] as number
    return start(...given)
  }
  return seen
}

describe('all chunks are visited', () => {
  it.each([0, 1, MOST - 1, MOST, MOST + 1, 3 * MOST + 1])('%i of them, run after run', (chunks) => {
    const world = worldOf(chunks)
    const query = world.query(Data)
    const step = bindWide(world)
    const seen = countCalls(step)
    for (let run = 1; run <= 4; run++) {
      expect(query.run(step)).toBe(chunks)
      expect(seen).toEqual({ calls: run * Math.ceil(chunks / MOST), blocks: run * chunks })
      expect(valuesOf(world)).toEqual(Array.from({ length: chunks }, (_, k) => 100 + k + run))
    }
  })

  it('when some lose all rows, in the middle, and get rows again', () => {
    const world = worldOf(9)
    const query = world.query(Data)
    const step = bindIncrease(world)
    const seen = countCalls(step)
    const handles = [...query.entities()]
    for (let run = 0; run < 3; run++) query.run(step)
    for (const k of [3, 4, 8]) world.destroy(handles[k] as number)
    for (let run = 0; run < 3; run++) query.run(step)
    expect(seen.blocks).toBe(3 * 9 + 3 * 6)
    const back = world.spawn(Data({ n: 50 }), OWN[4] as Own)
    for (let run = 0; run < 3; run++) query.run(step)
    expect(seen.blocks).toBe(3 * 9 + 3 * 6 + 3 * 7)
    expect(world.get(back, Data)?.n).toBe(53)
    handles.forEach((e, k) => expect(world.get(e, Data)?.n).toBe([3, 4, 8].includes(k) ? undefined : 109 + k))
  })

  it('with their current rows, in a world that grows and shrinks between runs', () => {
    const world = worldOf(5)
    const query = world.query(Data)
    const step = bindIncrease(world)
    const counted = bindWide(world)
    const expected = new Map([...query.entities()].map((e) => [e, world.get(e, Data)?.n as number]))
    for (let round = 0; round < 120; round++) {
      const own = OWN[(round * 7) % 11] as Own
      if (round % 3 === 0) for (const e of spawnMany(world, round * 2, [Data, own])) expected.set(e, 0)
      if (round % 5 === 4) {
        for (const e of [...expected.keys()].filter((_, i) => i % 3 === 0)) {
          world.destroy(e)
          expected.delete(e)
        }
      }
      query.run(step)
      expect(query.run(counted)).toBe(expected.size)
      for (const [e, n] of expected) expected.set(e, n + 2)
    }
    for (const [e, n] of expected) expect(world.get(e, Data)?.n).toBe(n)
    expect(expected.size).toBeGreaterThan(500)
    checkInvariants(world)
  })

  it('when a whole table turns into another one, chunks and all', () => {
    const world = worldOf(3)
    const query = world.query(Data)
    const odd = world.query(Data, Odd)
    const step = bindIncrease(world)
    const handles = [...query.entities()]
    for (let run = 0; run < 3; run++) {
      query.run(step)
      odd.run(step)
    }
    addMany(query, Odd)
    for (let run = 0; run < 3; run++) {
      query.run(step)
      odd.run(step)
    }
    expect(handles.map((e) => world.get(e, Data)?.n)).toEqual([109, 110, 111])
    removeMany(odd, Odd)
    for (let run = 0; run < 3; run++) odd.run(step)
    expect(handles.map((e) => world.get(e, Data)?.n)).toEqual([109, 110, 111])
  })

  it('of two queries that alternate with one kernel', () => {
    const world = worldOf(12)
    const [all, some] = [world.query(Data), world.query(Data, OWN[2] as Own)]
    const step = bindWide(world)
    for (let run = 1; run <= 4; run++) {
      expect(all.run(step)).toBe(12)
      expect(some.run(step)).toBe(1)
    }
    expect(valuesOf(world)).toEqual(Array.from({ length: 12 }, (_, k) => 104 + k + (k === 2 ? 4 : 0)))
  })

  it('with the scalars of each run', () => {
    const world = worldOf(4)
    const query = world.query(Data, not(More))
    const step = createKernel(world, kernels.salted, { n: [Data, 'n'] })
    for (let salt = 1; salt <= 5; salt++) query.run(step, { salt })
    expect(valuesOf(world)).toEqual([115, 116, 117, 118])
  })

  it('by a system inside a loop over another query, where changes wait', () => {
    const world = worldOf(6)
    const query = world.query(Data)
    const step = bindIncrease(world)
    const schedule = createSchedule(world)
    schedule.add(function grow() {
      for (const chunk of world.query(OWN[0] as Own)) {
        const late = world.spawn(Data, OWN[50] as Own)
        world.destroy(chunk.entities[0] as number)
        for (let run = 0; run < 3; run++) query.run(step)
        expect(world.has(late, Data)).toBe(false)
      }
      query.run(step)
    })
    schedule.run(0.1)
    // The first one is gone behind the loop, and the new one came.
    const values = (valuesOf(world) as number[]).sort((a, b) => a - b)
    expect(values).toEqual([1, 105, 106, 107, 108, 109])
  })

  it('after reset', () => {
    const world = worldOf(3)
    const step = bindIncrease(world)
    const query = world.query(Data)
    for (let run = 0; run < 3; run++) query.run(step)
    resetWorld(world)
    const handles = [1, 2, 3, 4].map((k) => world.spawn(Data({ n: k }), OWN[k + 20] as Own))
    for (let run = 0; run < 3; run++) query.run(step)
    expect(handles.map((e) => world.get(e, Data)?.n)).toEqual([4, 5, 6, 7])
  })
})

describe('change ticks', () => {
  it.each([
    ['a component', Data],
    ['a component whose rows are tracked', Tracked],
  ] as const)('are marked in every chunk, by every run, of %s', (_, C) => {
    const world = testWorld()
    for (let k = 0; k < 20; k++) spawnMany(world, k + 1, [C, OWN[k] as Own])
    const query = world.query(C)
    const moved = world.query(changed(C))
    const step = bind(world, kernels.increase, { n: [C, 'n'] })
    expect(moved.entities().length).toBe(210)
    for (let run = 0; run < 4; run++) {
      expect(moved.entities().length).toBe(0)
      query.run(step)
      expect(moved.entities().length).toBe(210)
    }
    world.spawn(C, OWN[3] as Own)
    expect(moved.count).toBe(C === Tracked ? 1 : 5)
  })

  it('are not marked by a kernel that only reads', () => {
    const world = testWorld()
    for (let k = 0; k < 20; k++) world.spawn(Data, More, OWN[k] as Own)
    const query = world.query(Data, More)
    const moved = world.query(changed(More))
    const step = createKernel(world, kernels.mix, { n: [Data, 'n'], m: [More, 'm'] })
    expect(moved.entities().length).toBe(20)
    for (let run = 0; run < 4; run++) query.run(step, { salt: run })
    expect(moved.count).toBe(0)
  })
})

describe('a trap in the middle', () => {
  it.each([1, 3])(
    'of run %i: what ran is written and marked, the world is unlocked, and later runs are whole',
    (at) => {
      const world = worldOf(10)
      const query = world.query(Data)
      const handles = [...query.entities()]
      const step = bind(world, kernels.trap, { n: [Data, 'n'] })
      const moved = world.query(changed(Data))
      for (let run = 1; run < at; run++) query.run(step)
      moved.entities()
      const before = valuesOf(world) as number[]
      // Written through a chunk, so that nothing is marked.
      for (const chunk of world.query(Data, OWN[6] as Own))
        (chunk.read(Data).n as Uint32Array)[chunk.start] = 7
      expect(caughtFrom(() => query.run(step))).toMatchObject({ code: 'KERNEL_FAILED' })
      expect(valuesOf(world)).toEqual(before.map((n, k) => (k < 6 ? n + 1 : k === 6 ? 7 : n)))
      const marked = new Set(moved.entities())
      for (const e of handles.slice(0, 7)) expect(marked).toContain(e)
      const spawned = world.spawn(Data({ n: 1 }))
      expect(world.has(spawned, Data)).toBe(true)
      world.destroy(spawned)
      for (const chunk of world.query(Data, OWN[6] as Own)) chunk.write(Data).n[chunk.start] = 0
      for (let run = 0; run < 3; run++) query.run(step)
      expect(valuesOf(world)).toEqual(before.map((n, k) => (k < 6 ? n + 4 : k === 6 ? 3 : n + 3)))
      expect(moved.entities().length).toBe(10)
    },
  )
})

it('A trap in a whole run leaves nothing that a run over fewer rows, and then a whole one, would repeat', () => {
  const world = worldOf(10)
  const query = world.query(Data)
  const step = bind(world, kernels.trap, { n: [Data, 'n'] })
  query.run(step)
  for (const chunk of world.query(Data, OWN[6] as Own)) chunk.write(Data).n[chunk.start] = 7
  expect(caughtFrom(() => query.run(step))).toMatchObject({ code: 'KERNEL_FAILED' })
  for (const chunk of world.query(Data, OWN[6] as Own)) chunk.write(Data).n[chunk.start] = 900
  query.where(Data, 'n', '>', 800).run(step)
  const before = valuesOf(world) as number[]
  query.run(step)
  query.run(step)
  expect(valuesOf(world)).toEqual(before.map((n) => n + 2))
})

/** A world with many archetypes, its queries, and a kernel bound for all of them. */
class Twin {
  readonly world = testWorld({ memory: { initial: 2 ** 22 } })
  readonly handles: number[] = []
  private readonly queries: Query<any, any>[]
  private readonly step: BoundKernel<{ salt: number }, number>

  constructor() {
    const { world } = this
    this.queries = [
      world.query(Data, More),
      world.query(Data, More, Odd),
      world.query(Data, not(OWN[1] as Own), More),
      world.query(Data, More, not(Odd)),
      world.query(changed(Data), More),
    ]
    this.step = createKernel(world, kernels.mix, { n: [Data, 'n'], m: [More, 'm'] }) as never
    // In both worlds, so that both know the same components in the same order.
    for (const own of OWN) world.spawn(own)
  }

  change([kind, a, b]: readonly [number, number, number]): void {
    const { world, handles } = this
    const own = OWN[a % OWN.length] as Own
    const e = handles[b % Math.max(1, handles.length)] ?? 0
    if (kind < 3) handles.push(world.spawn(Data({ n: a }), More({ m: b }), own))
    else if (kind === 3)
      handles.push(...spawnMany(world, b % 300, [Data({ n: a }), More, own, ...(a & 1 ? [Odd] : [])]))
    else if (kind === 4) world.destroy(e)
    else if (kind === 5 && world.isAlive(e)) world.add(e, own)
    else if (kind === 6 && world.isAlive(e)) world.remove(e, a & 1 ? own : More)
    else if (kind === 7) (b & 1 ? addMany : removeMany)(this.queries[a % 2]!, Odd)
    else if (kind === 8) world.advanceTick()
    else if (kind === 9) for (let i = b % 3; i < handles.length; i += 3) world.destroy(handles[i] as number)
  }

  runKernel(shape: number, salt: number): number {
    return (this.queries[shape] as Query<any, any>).run(this.step, { salt })
  }

  runLoop(shape: number, salt: number): number {
    let odd = 0
    for (const chunk of this.queries[shape] as Query<[typeof Data, typeof More]>) {
      const { n } = chunk.write(Data)
      const { m } = chunk.read(More)
      for (let i = chunk.start; i < chunk.end; i++) {
        n[i] = Math.imul(n[i] as number, 3) + ((chunk.entities[i] as number) & 0xff) + (m[i] as number) + salt
        odd += (n[i] as number) & 1
      }
    }
    return odd
  }

  /** All of memory but page 0 and the arguments of kernels. */
  bytes(): Buffer {
    const { memory } = (this.world as unknown as { state: { core: { memory: WebAssembly.Memory } } }).state
      .core
    const copy = Buffer.from(memory.buffer.slice(CORE_START))
    const first = KERNEL_ARGUMENTS_ADDRESS - CORE_START
    return copy.fill(0, first, first + KERNEL_ARGUMENTS_BYTES)
  }
}

it('agrees with a loop after anything that can happen to many archetypes', () => {
  const number = fc.nat(0xffff)
  const change = fc.tuple(fc.nat(9), number, number)
  const runs = fc.record({ shape: fc.nat(4), salt: fc.nat(0xff), times: fc.integer({ min: 1, max: 4 }) })
  const step = fc.record({
    changes: fc.array(change, { maxLength: 40 }),
    runs: fc.array(runs, { maxLength: 4 }),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (steps) => {
      const [byKernel, byLoop] = [new Twin(), new Twin()]
      for (const { changes, runs } of steps) {
        for (const twin of [byKernel, byLoop]) for (const one of changes) twin.change(one)
        for (const { shape, salt, times } of runs) {
          for (let k = 0; k < times; k++)
            expect(byKernel.runKernel(shape, salt)).toBe(byLoop.runLoop(shape, salt))
        }
        expect(byKernel.bytes().equals(byLoop.bytes())).toBe(true)
      }
      byKernel.world.dispose()
      byLoop.world.dispose()
    }),
    { numRuns: proofLength(40) },
  )
})
