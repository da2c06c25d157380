// Shows that what kernels trace is printed when they are done, so that a console that touches the world disturbs nothing.

import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type Kernel,
  type World,
  addMany,
  component,
  createKernel,
  f32,
  relation,
  resource,
  cascade,
  restoreWorld,
  snapshotWorld,
  spawnMany,
  tag,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { kernelsOf } from '../support/kernels'
import { testWorld } from '../support/world'

const P = component('P', { x: f32 })
const Q = component('Q', { x: f32 })
const T = tag('T')
const Link = relation('Link', { exclusive: true })
const Field = resource('Field', { value: f32 })

type OverX = Kernel<{ x: 'f32' }, { value: number }, number>

let compiled: Record<string, OverX>

beforeAll(async () => {
  compiled = (await kernelsOf(`
export function outer(rows: Rows, x: Column<f32>, value: f32): Count {
  trace('outer', 2, rows.start, value)
  let n: u32 = 0
  for (let i = rows.start; i < rows.end; i++) { x[i] = value; n++ }
  return n
}
export function inner(rows: Rows, x: Column<f32>, value: f32): Count {
  for (let i = rows.start; i < rows.end; i++) x[i] += value
  return rows.end - rows.start
}
export function up(rows: Rows, x: ParentColumn<f32>, value: f32): Count {
  trace('up')
  return rows.end - rows.start
}
export function once(cells: Resource<f32>, value: f32): Count {
  trace('once', 1, value)
  cells[0] += value
  return 7
}
export function failing(rows: Rows, x: Column<f32>, value: f32): Count {
  trace('failing')
  unreachable()
  return 0
}`)) as Record<string, OverX>
})

afterEach(() => void vi.restoreAllMocks())

/** A world with rows in two archetypes of each component, and its kernels. */
function begin() {
  const world = testWorld()
  spawnMany(world, 40, [P({ x: 1 })])
  spawnMany(world, 3, [P({ x: 1 }), T])
  spawnMany(world, 40, [Q({ x: 7 })])
  spawnMany(world, 3, [Q({ x: 7 }), T])
  const outer = createKernel(world, compiled['outer']!, { x: [P, 'x'] })
  const inner = createKernel(world, compiled['inner']!, { x: [Q, 'x'] })
  return { world, outer, inner }
}

const valuesOf = (world: World, one: typeof P | typeof Q) => {
  const values = new Set<number>()
  world.query(one).each((_, { x }) => void values.add(x))
  return [...values]
}

type Act = (parts: ReturnType<typeof begin>) => void

/** What a console does, and how many rows of P there are then, and what is in Q. */
const ACTS: [string, Act, rows: number, inQ: number[]][] = [
  ['runs another kernel', ({ world, inner }) => void world.query(Q).run(inner, { value: 2 }), 43, [11]],
  [
    'runs the same kernel over the other rows',
    ({ world, outer }) => void world.query(P, T).run(outer, { value: 5 }),
    43,
    [7],
  ],
  [
    'runs the same kernel over the same rows',
    ({ world, outer }) => void world.query(P).run(outer, { value: 5 }),
    43,
    [7],
  ],
  ['spawns many', ({ world }) => void spawnMany(world, 20_000, [P({ x: 5 })]), 20_043, [7]],
  ['sets a value', ({ world }) => world.set(world.query(Q).first()!, Q, { x: 3 }), 43, [3, 7]],
  ['adds a tag', ({ world }) => void addMany(world.query(P), T), 43, [7]],
  [
    'loops',
    ({ world }) => {
      for (const chunk of world.query(P)) chunk.write(P).x[chunk.start] = 5
    },
    43,
    [7],
  ],
]

describe('A console', () => {
  it.each(ACTS)(
    'that %s while a kernel traces disturbs neither the kernel nor the world',
    (_, act, rows, inQ) => {
      const parts = begin()
      const { world, outer } = parts
      // A run repeats the calls of the one before it.
      vi.spyOn(console, 'log').mockImplementation(() => {})
      world.query(P).run(outer, { value: 4 })
      let printed = 0
      vi.spyOn(console, 'log').mockImplementation(() => {
        // Once for each of the two runs of rows; not for what it traces itself.
        if (printed++ < 2) act(parts)
      })
      expect(world.query(P).run(outer, { value: 5 })).toBe(43)
      expect(printed).toBeGreaterThanOrEqual(2)
      expect(world.query(P).count).toBeGreaterThanOrEqual(rows)
      expect(valuesOf(world, P)).toEqual([5])
      expect(valuesOf(world, Q).sort()).toEqual(inQ)
      expect(world.query(Q).count).toBe(43)
      checkInvariants(world)
      vi.spyOn(console, 'log').mockImplementation(() => {})
      expect(world.query(P).run(outer, { value: 6 })).toBe(world.query(P).count)
      expect(valuesOf(world, P)).toEqual([6])
    },
  )

  it('that throws ends the run after its work, and the next run prints its own trace', () => {
    const { world, outer } = begin()
    vi.spyOn(console, 'log').mockImplementation(() => {
      throw new Error('no console')
    })
    expect(() => world.query(P).run(outer, { value: 5 })).toThrow('no console')
    expect(valuesOf(world, P)).toEqual([5])
    const log = vi
      .spyOn(console, 'log')
      .mockClear()
      .mockImplementation(() => {})
    world.query(P).run(outer, { value: 6 })
    expect(log.mock.calls.map(([text, , value]) => [text, value])).toEqual([
      ['trace: outer', 6],
      ['trace: outer', 6],
    ])
  })

  it('cannot restore the world, like any code inside a loop', () => {
    const { world, outer } = begin()
    const before = snapshotWorld(world)
    vi.spyOn(console, 'log').mockImplementation(() => restoreWorld(world, before))
    expect(() => world.query(P).run(outer, { value: 5 })).toThrow(
      expect.objectContaining({ code: 'WORLD_LOCKED' }),
    )
    checkInvariants(world)
  })

  it('names kernels without rows, kernels that read parents, and kernels that fail', () => {
    const { world } = begin()
    const parent = world.spawn(P({ x: 1 }))
    world.spawn(P({ x: 1 }), Link(parent))
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    const once = createKernel(
      world,
      compiled['once'] as unknown as Kernel<{ cells: { resource: 'f32' } }, { value: number }, number, false>,
      { cells: [Field, 'value'] },
    )
    expect(once.run({ value: 3 })).toBe(7)
    const up = createKernel(
      world,
      compiled['up'] as unknown as Kernel<{ x: { parent: 'f32' } }, { value: number }, number>,
      { x: [Link, P, 'x'] },
    )
    world.query(P, cascade(Link)).run(up, { value: 3 })
    const failing = createKernel(world, compiled['failing']!, { x: [P, 'x'] })
    expect(() => world.query(P).run(failing, { value: 3 })).toThrow(
      expect.objectContaining({
        code: 'KERNEL_FAILED',
        message: expect.stringMatching(
          /stays written; if that is within its rows, the world goes on working/,
        ),
      }),
    )
    const lines = log.mock.calls.map(([text]) => text as string)
    expect(new Set(lines)).toEqual(new Set(['trace: once', 'trace: up', 'trace: failing']))
    expect(lines.at(-1)).toBe('trace: failing')
  })
})
