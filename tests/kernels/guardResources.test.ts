// Shows that the guard of the checked core tells a resource that a kernel may write from one that it may only read, and from what
// lies around both. What it does about rows is in guard.once.test.ts.

import { beforeEach, describe, expect, it } from 'vitest'
import { SMALL_CHUNK_BYTES } from '../../build/layout'
import { checkedCore } from '../../bindings/checked'
import {
  type World,
  createKernel,
  spawnMany,
  StrataError,
  component,
  createWorld,
  f32,
  f64,
  resource,
  tag,
  u8,
  vec,
} from '../../bindings/index'
import { dataOfResource } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { kernelsOf } from '../support/kernels'

const kernels = await kernelsOf(
  `
export function fill(rows: Rows, x: ReadonlyColumn<f32>, cells: Resource<f32>, first: i32, end: i32): void {
  for (let k = first; k < end; k++) cells[k] = 7
}
export function poke(rows: Rows, x: Column<f32>, cells: ReadonlyResource<f32>, k: i32): void {
  store<f32>(changetype<usize>(cells) + (<usize>k << 2), 7)
}
export function beyond(rows: Rows, x: Column<f32>, cells: ReadonlyResource<f32>, k: i32): void {
  x[k] = 7
}
export function fillAlone(cells: Resource<f32>, first: i32, end: i32): Sum<f32> {
  for (let k = first; k < end; k++) cells[k] = 7
  return cells[0]
}
export function pokeAlone(cells: ReadonlyResource<f32>, k: i32): void {
  store<f32>(changetype<usize>(cells) + (<usize>k << 2), 7)
}
export function pokeThenTrap(cells: ReadonlyResource<f32>, k: i32): void {
  store<f32>(changetype<usize>(cells) + (<usize>k << 2), 7)
  unreachable()
}
export function both(a: Resource<f32>, b: ReadonlyResource<f32>, k: i32): void {
  store<f32>(changetype<usize>(b) + (<usize>k << 2), 7)
}
export function flags(on: Resource<u8>, k: i32): void {
  on[k] = 7
}
`,
  'poke.kernel.ts',
)

const Place = component('Place', { x: f32 })
const Ground = resource('Ground', { cells: vec(f32, 20), age: f64, flags: vec(u8, 3), rest: u8 })
const Other = resource('Other', { cells: vec(f32, 20) })
const WIDE = 4200
/** Larger than a chunk: its fields lie one behind another. */
const Wide = resource('Wide', { cells: vec(f32, WIDE), next: vec(f32, 4), age: f64 })
/** 64 KiB are compared; this one has 64 KiB and 40 bytes. */
const COMPARED = 0x10000 / 4
const Large = resource('Large', { cells: vec(f32, COMPARED + 10) })

let world: World
beforeEach(() => {
  world = createWorld({ core: checkedCore(), memory: { initial: 2 ** 20 } })
  spawnMany(world, 5, [Place({ x: 1 })])
})

const places = () => [...world.query(Place).entities()].map((e) => world.get(e, Place)!.x)

/** Runs a kernel over the places, with the cells of a resource. */
function run(kernel: keyof typeof kernels, scalars: object, of: typeof Ground | typeof Large = Ground) {
  const step = createKernel(world, kernels[kernel]!, { x: [Place, 'x'], cells: [of, 'cells'] } as never)
  return world.query(Place).run(step, scalars as never)
}

function call(kernel: keyof typeof kernels, scalars: object, of: typeof Ground | typeof Large = Ground) {
  return createKernel(world, kernels[kernel]!, { cells: [of, 'cells'] }).run(scalars as never)
}

/** What an action is told to have overwritten; resources and places must be as they were. */
function overwritten(action: () => unknown): string {
  const read = () => [...[Ground, Other, Wide, Large].map((each) => world.getResource(each)), places()]
  world.resource(Ground)
  const before = read()
  try {
    action()
  } catch (error) {
    expect(error).toBeInstanceOf(StrataError)
    expect((error as StrataError).code).toBe('KERNEL_FAILED')
    expect((error as StrataError).message).toContain('That was put back.')
    expect(read()).toEqual(before)
    checkInvariants(world)
    return (error as StrataError).message
  }
  throw new Error('the kernel went through')
}

describe('a kernel that may write a resource passes the guard', () => {
  it('wherever in the resource it writes', () => {
    run('fill', { first: 0, end: 20 })
    expect([...world.resource(Ground).cells]).toEqual(Array(20).fill(7))
    expect(world.getResource(Ground)).toMatchObject({ age: 0, rest: 0 })
    world.setResource(Ground, { cells: Array(20).fill(0) })
    expect(call('fillAlone', { first: 0, end: 20 })).toBe(7)
    checkInvariants(world)
  })

  it('even if it lies within what is compared around the chunk', () => {
    world.resource(Ground)
    // Of so many small chunks one lies beside it.
    for (let i = 0; i < 16; i++) world.spawn(Place, tag(`Mark${i}`))
    const chunks: number[] = []
    for (const { data } of world.query(Place) as Iterable<{ data?: number }>) chunks.push(data ?? 0)
    const ground = dataOfResource(world, Ground)
    expect(chunks.some((chunk) => Math.abs(chunk - ground) === SMALL_CHUNK_BYTES)).toBe(true)
    run('fill', { first: 0, end: 20 })
    expect([...world.resource(Ground).cells]).toEqual(Array(20).fill(7))
  })

  it('and if the last values do not fill a word', () => {
    createKernel(world, kernels.flags!, { on: [Ground, 'flags'] }).run({ k: 2 })
    expect([...world.resource(Ground).flags]).toEqual([0, 0, 7])
    expect(
      overwritten(() => createKernel(world, kernels.flags!, { on: [Ground, 'flags'] }).run({ k: 8 })),
    ).toMatch(/overwrote (Ground\.rest|memory that it is not bound to)/)
  })

  it('if it also binds the resource as read-only', () => {
    const step = createKernel(world, kernels.both!, { a: [Ground, 'cells'], b: [Ground, 'cells'] })
    step.run({ k: 19 })
    expect(world.resource(Ground).cells[19]).toBe(7)
  })
})

describe('a kernel is caught that overwrites', () => {
  it.each([0, 17, 19])('value %i of a resource that it only reads', (k) => {
    const sentence =
      'A kernel may write the rows that it is called for, and resources, where they are not read-only.'
    expect(overwritten(() => run('poke', { k }))).toBe(
      `query.run: the kernel poke (poke.kernel.ts), called for rows 0 to 4, overwrote Ground.cells[${k}]. That was put back. ${sentence}`,
    )
    expect(overwritten(() => call('pokeAlone', { k }))).toBe(
      `kernel.run: the kernel pokeAlone (poke.kernel.ts) overwrote Ground.cells[${k}]. That was put back. ${sentence}`,
    )
  })

  it.each([
    ['the value behind the last one', 20, 21, 'memory that it is not bound to, at 0x'],
    ['the value before the first one', -1, 0, 'memory that it is not bound to, at 0x'],
    ['what lies farther behind', 80, 84, 'memory that it is not bound to, at 0x'],
  ])('%s', (_, first, end, what) => {
    expect(overwritten(() => run('fill', { first, end }))).toContain(`overwrote ${what}`)
    expect(overwritten(() => call('fillAlone', { first, end }))).toContain(`overwrote ${what}`)
  })

  it('one resource, if it may write another', () => {
    const step = createKernel(world, kernels.both!, { a: [Other, 'cells'], b: [Ground, 'cells'] })
    expect(overwritten(() => step.run({ k: 3 }))).toContain('overwrote Ground.cells[3]')
  })

  it('another field of the resource, and its change ticks, by their names', () => {
    world.resource(Wide)
    const poke = createKernel(world, kernels.pokeAlone!, { cells: [Wide, 'cells'] })
    // Where they lie is found by looking: each word around the cells is overwritten in its turn.
    const around = (first: number) => Array.from({ length: 64 }, (_, i) => first + i)
    const named = [...around(-64), ...around(WIDE)].map((k) => {
      try {
        poke.run({ k })
      } catch (error) {
        return /overwrote (.+?)(?:, at 0x\w+)?\. That/.exec((error as Error).message)?.[1]
      }
      return 'nothing'
    })
    checkInvariants(world)
    expect(named).not.toContain('nothing')
    expect(named).toContain('the change ticks of Wide')
    for (const name of ['Wide.next[0]', 'Wide.next[3]', 'Wide.age']) expect(named).toContain(name)
  })

  it('something, and then traps: both are reported', () => {
    expect(overwritten(() => call('pokeThenTrap', { k: 1 }))).toContain('overwrote Ground.cells[1]')
    createKernel(world, kernels.flags!, { on: [Ground, 'flags'] }).run({ k: 0 })
  })

  it('a row, for a kernel that has a resource', () => {
    expect(overwritten(() => run('beyond', { k: 5 }))).toContain('overwrote Place.x of row 5')
  })

  it('the first 64 KiB of a resource that it only reads, and its end', () => {
    world.resource(Large)
    for (const k of [0, COMPARED - 1]) {
      expect(overwritten(() => call('pokeAlone', { k }, Large))).toContain(`overwrote Large.cells[${k}]`)
    }
    // The guide says so: more would take too long in each call.
    call('pokeAlone', { k: COMPARED }, Large)
    expect(world.resource(Large).cells[COMPARED]).toBe(7)
    const behind = overwritten(() => call('fillAlone', { first: COMPARED + 10, end: COMPARED + 11 }, Large))
    expect(behind).toContain('overwrote memory that it is not bound to')
  })
})
