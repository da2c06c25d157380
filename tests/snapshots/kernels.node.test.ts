// Shows that kernels work after a restore, and after loading into their world, as before: page 0 is theirs and is never taken back.

import { describe, expect, it } from 'vitest'
import {
  createKernel,
  destroyMany,
  spawnMany,
  type World,
  checkReplay,
  component,
  digestWorld,
  f32,
  forkWorld,
  loadInto,
  resource,
  restoreWorld,
  saveWorld,
  snapshotWorld,
} from '../../bindings/index'
import { wordAt } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { kernelsOf } from '../support/kernels'
import { LAYOUT } from '../support/layout'
import { isChecked, testWorld } from '../support/world'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Wind = resource('Wind', { x: f32 })

const kernels = await kernelsOf(`
const steps: StaticArray<f32> = [0.5, 1.5, 2.5, 3.5]
export function move(rows: Rows, x: Column<f32>, vx: ReadonlyColumn<f32>, wind: ReadonlyResource<f32>): void {
  for (let i = rows.start; i < rows.end; i++) x[i] += vx[i] * steps[i & 3] + wind[0]
}
// State that the compiler does not find, because the address is computed.
export function count(rows: Rows, x: Column<f32>): void {
  const calls = 60000 + 4 * <usize>(rows.start & 0)
  store<i32>(calls, load<i32>(calls) + 1)
  for (let i = rows.start; i < rows.end; i++) x[i] = <f32>load<i32>(calls)
}
`)

const bind = (world: World) =>
  createKernel(
    world,
    kernels['move'] as never,
    {
      x: [Position, 'x'],
      vx: [Velocity, 'x'],
      wind: [Wind, 'x'],
    } as never,
  ) as never

describe('kernels', () => {
  it('A kernel that was bound after the snapshot keeps its constants, and runs over what exists', () => {
    const world = testWorld()
    const before = snapshotWorld(world)
    const es = spawnMany(world, 1500, [Position, Velocity({ x: 1 })])
    const moving = world.query(Position, Velocity)
    const after = snapshotWorld(world)
    const step = bind(world)
    world.setResource(Wind, { x: 1 })
    for (let i = 0; i < 4; i++) moving.run(step)
    const moved = digestWorld(world, Position)
    restoreWorld(world, after)
    // The resource that it is bound to was made by the binding.
    expect(() => moving.run(step)).toThrow(expect.objectContaining({ code: 'MISSING_RESOURCE' }))
    world.setResource(Wind, { x: 1 })
    for (let i = 0; i < 4; i++) moving.run(step)
    expect(digestWorld(world, Position)).toBe(moved)
    restoreWorld(world, before)
    world.setResource(Wind, { x: 1 })
    moving.run(step)
    expect(world.isAlive(es[0] as never)).toBe(false)
    world.spawn(Position, Velocity({ x: 2 }))
    moving.run(step)
    expect(world.get(moving.single(), Position)?.x).toBe(2)
    checkInvariants(world)
  })

  it('Blocks that are kept from run to run are not confused with the blocks of other chunks', () => {
    const world = testWorld()
    const moving = world.query(Position, Velocity)
    const step = bind(world)
    const version = () => wordAt(world, LAYOUT.CHUNKS_VERSION)
    spawnMany(world, 10, [Position, Velocity({ x: 1 })])
    // Of the same layout, and not of the query.
    const Other = component('Other', { x: f32, y: f32 })
    const Another = component('Another', { x: f32, y: f32 })
    destroyMany(world, spawnMany(world, 2000, [Position, Velocity]))
    destroyMany(world, spawnMany(world, 2000, [Other, Another]))
    for (let i = 0; i < 3; i++) moving.run(step)
    const before = snapshotWorld(world)
    spawnMany(world, 2000, [Position, Velocity({ x: 1 })])
    for (let i = 0; i < 3; i++) moving.run(step)
    const seen = version()
    restoreWorld(world, before)
    // As many new chunks of another archetype: the version in memory comes up to one for which blocks were kept.
    const others: number[] = []
    while (version() < seen) others.push(world.spawn(Other, Another({ x: 1 })))
    expect(version()).toBe(seen)
    for (let i = 0; i < 3; i++) moving.run(step)
    for (const e of others) expect(world.get(e, Other)).toEqual({ x: 0, y: 0 })
    expect(moving.count).toBe(10)
  })

  it('A kernel is replayed to equal values', () => {
    const world = testWorld()
    const moving = world.query(Position, Velocity)
    const step = bind(world)
    world.setResource(Wind, { x: 0.125 })
    spawnMany(world, 700, [Position, Velocity({ x: 0.1 })])
    const report = checkReplay(
      world,
      () => {
        moving.run(step)
        spawnMany(world, 9, [Position, Velocity])
      },
      { frames: 6 },
    )
    expect(report.equal).toBe(true)
  })

  it('Memory page 0 of a kernel does not go back, and checkReplay finds it, or the checked core refuses it', () => {
    const world = testWorld()
    const all = world.query(Position)
    const counting = createKernel(world, kernels['count'] as never, { x: [Position, 'x'] } as never) as never
    const e = world.spawn(Position)
    if (isChecked) {
      expect(() => all.run(counting)).toThrow(expect.objectContaining({ code: 'KERNEL_FAILED' }))
      return
    }
    expect(checkReplay(world, () => void all.run(counting))).toEqual({
      equal: false,
      frame: 1,
      component: 'Position',
      entity: e,
    })
  })

  it('A kernel keeps working when its world takes over a save, as in a world that was built by hand', () => {
    const build = (world: World) => {
      world.setResource(Wind, { x: 3 })
      spawnMany(world, 1500, [Position, Velocity({ x: 2 })])
      return world
    }
    const components = [Position, Velocity, Wind]
    const world = testWorld()
    const moving = world.query(Position, Velocity)
    const step = bind(world)
    spawnMany(world, 10, [Position, Velocity({ x: 9 })])
    moving.run(step)
    const twin = build(testWorld())
    loadInto(world, saveWorld(twin), { components })
    moving.run(step)
    twin.query(Position, Velocity).run(bind(twin))
    const xs = (of: World) => of.query(Position).map((one) => of.get(one, Position)?.x)
    expect(xs(world).slice(0, 4)).toEqual([4, 6, 8, 10])
    expect(xs(world)).toEqual(xs(twin))
    checkInvariants(world)
  })

  it('A fork binds kernels of its own', () => {
    const world = testWorld()
    const moving = world.query(Position, Velocity)
    const step = bind(world)
    spawnMany(world, 100, [Position, Velocity({ x: 1 })])
    const twin = forkWorld(world)
    const own = bind(twin)
    moving.run(step)
    expect(() => twin.query(Position, Velocity).run(step)).toThrow(
      expect.objectContaining({ code: 'INVALID_BINDING' }),
    )
    twin.query(Position, Velocity).run(own)
    expect(digestWorld(twin)).toBe(digestWorld(world))
  })
})
