// Shows that kernels belong to their world: instances, reset, dispose, several worlds, several files.

import { describe, expect, it } from 'vitest'
import {
  type Kernel,
  type World,
  clearWorld,
  component,
  createKernel,
  createSchedule,
  f32,
  resetWorld,
  spawnMany,
  tag,
  u32,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { kernelsOf } from '../support/kernels'
import { STORAGES, STORED } from '../support/storages'
import { testWorld } from '../support/world'

const { add, total } = await kernelsOf(`
export function add(rows: Rows, n: Column<u32>, much: u32): void {
  for (let i = rows.start; i < rows.end; i++) n[i] += much
}
export function total(rows: Rows, n: ReadonlyColumn<u32>): Sum<u32> {
  let sum: u32 = 0
  for (let i = rows.start; i < rows.end; i++) sum += n[i]
  return sum
}`)

const Counter = component('Counter', { n: u32, x: f32 })
const Mark = tag('Mark')
const bind = (world: World, kernel: Kernel) => createKernel(world, kernel, { n: [Counter, 'n'] })

describe('the kernels of a world', () => {
  it('are instantiated once, however often they are bound, and compiled once for all worlds', () => {
    const code = { ...add.code }
    const [adding, totalling] = [add, total].map((kernel) => ({ ...kernel, code }))
    const [world, other] = [testWorld(), testWorld()]
    const { Instance, Module } = WebAssembly
    const made: string[] = []
    WebAssembly.Instance = class extends Instance {
      constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
        super(module, imports)
        made.push('instance')
      }
    }
    WebAssembly.Module = class extends Module {
      constructor(bytes: BufferSource) {
        super(bytes)
        made.push('module')
      }
    }
    try {
      bind(world, adding)
      bind(world, totalling)
      bind(world, adding)
      expect(made).toEqual(['module', 'instance'])
      bind(other, totalling)
      expect(made).toEqual(['module', 'instance', 'instance'])
    } finally {
      Object.assign(WebAssembly, { Instance, Module })
    }
  })

  it('belong to that world alone', () => {
    const [world, other] = [testWorld(), testWorld()]
    world.spawn(Counter({ n: 1 }))
    other.spawn(Counter({ n: 10 }))
    const steps = [world, other].map((each) => bind(each, add))
    world.query(Counter).run(steps[0], { much: 1 })
    other.query(Counter).run(steps[1], { much: 5 })
    const sums = [world, other].map((each) => each.query(Counter).run(bind(each, total), {}))
    expect(sums).toEqual([2, 15])
    expect(codeOf(() => world.query(Counter).run(steps[1], { much: 1 }))).toBe('INVALID_BINDING')
    for (const wrong of [add, undefined, null, {}, () => {}])
      expect(codeOf(() => world.query(Counter).run(wrong as never, { much: 1 } as never))).toBe(
        'INVALID_BINDING',
      )
  })

  it.each(STORAGES)('go on working after clear and reset, in %s storage', (storage) => {
    const First = component('First', { x: f32 }, { storage: STORED[storage as 'table'] })
    const Kept = component('Kept', { n: u32, x: f32 }, { storage: STORED[storage as 'table'] })
    const world = testWorld()
    const query = world.query(Kept)
    const step = createKernel(world, add, { n: [Kept, 'n'] })
    const sum = createKernel(world, total, { n: [Kept, 'n'] })
    for (let round = 0; round < 3; round++) {
      // Each time the component has another number in the core.
      for (let i = 0; i < round; i++) world.spawn(component(`Other${i}`, { x: f32 }), First, Mark)
      spawnMany(world, 1000, [Kept({ n: 1 })])
      query.run(step, { much: 2 })
      expect(query.run(sum, {})).toBe(3000)
      clearWorld(world)
      expect(query.run(sum, {})).toBe(0)
      resetWorld(world)
      expect(query.run(sum, {})).toBe(0)
    }
  })

  it('are gone with the world', () => {
    const world = testWorld()
    const query = world.query(Counter)
    const step = bind(world, add)
    query.run(step, { much: 1 })
    world.dispose()
    expect(codeOf(() => query.run(step, { much: 1 }))).toBe('WORLD_DISPOSED')
    expect(codeOf(() => bind(world, add))).toBe('WORLD_DISPOSED')
    // A function of the instance would keep the memory alive.
    const { loaded } = step as unknown as { loaded: { start: () => void } }
    expect(codeOf(() => loaded.start())).toBe('WORLD_DISPOSED')
  })

  it('run in the systems of a schedule', () => {
    const world = testWorld()
    const e = world.spawn(Counter)
    const query = world.query(Counter)
    const step = bind(world, add)
    const schedule = createSchedule(world)
    schedule.add(function count() {
      query.run(step, { much: 2 })
    })
    schedule.run(0.1)
    schedule.run(0.1)
    expect(world.get(e, Counter)?.n).toBe(4)
  })
})
