// Shows the threads of a pool: what a kernel that fails on any of them does, a worker that is lost, and a process that ends by
// itself.

import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { component, createWorld, digest, f32, kernelRuntime, u32, type World } from '../../bindings/index'
import { DONE, FAILED } from '../../bindings/workers/control'
import { caughtFrom } from '../support/caught'
import { eagerWorkers } from '../support/dividing'
import { kernelsOf } from '../support/kernels'
import { wat } from '../support/wat'

const kernels = await kernelsOf(`
export function trap(rows: Rows, n: Column<u32>, at: u32): void {
  for (let i = rows.start; i < rows.end; i++) if (n[i] == at) unreachable()
}
export function deep(rows: Rows, n: Column<u32>): void {
  for (let i = rows.start; i < rows.end; i++) n[i] = down(n[i])
}
function down(n: u32): u32 {
  return n == 0xffffffff ? 0 : 1 + down(n + 1) * 3
}
export function busy(rows: Rows, x: Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) for (let k = 0; k < 20; k++) x[i] = Mathf.sqrt(x[i] + 1)
}
export function add(rows: Rows, n: Column<u32>): void {
  for (let i = rows.start; i < rows.end; i++) n[i]++
}
`)
/** A kernel that calls abort, as those do that are compiled with asserts: "it is odd", line 7, column 9. */
function aborting(): object {
  const text = (value: string) =>
    [value.length * 2, 0, 0, 0, ...[...value].flatMap((one) => [one.charCodeAt(0), 0])]
      .map((byte) => `\\${byte.toString(16).padStart(2, '0')}`)
      .join('')
  const module = wat(`(module
    (import "env" "memory" (memory 0))
    (import "env" "abort" (func $abort (param i32 i32 i32 i32)))
    (data (i32.const 5000) "${text('it is odd')}")
    (func (export "odd") (param i32 i32) (call $abort (i32.const 5004) (i32.const 0) (i32.const 7) (i32.const 9))))`)
  const bytes = Buffer.from(module).toString('base64')
  const parameters = [{ name: 'n', role: 'column', kind: 'u32', length: 1, writes: true }]
  const code = { file: 'abort.kernel.ts', bytes }
  return { kernel: 'odd', format: 2, code, parameters, result: 'none', runtime: kernelRuntime }
}

const controlOf = (workers: object) => (workers as { pool: { control: Int32Array } }).pool.control

const Number = component('Number', { n: u32 })
const Position = component('Position', { x: f32 })
const ROWS = 20_000

function numbered(workers: ReturnType<typeof eagerWorkers> | undefined): World {
  const world = createWorld({ memory: { initial: 2 ** 21 }, workers })
  world.spawnMany(ROWS, [Number])
  let n = 0
  world.query(Number).each((_, number) => (number.n = n++))
  return world
}

const bind = (world: World, name: string) =>
  world.kernel(
    kernels[name] as never,
    (name === 'busy' ? { x: [Position, 'x'] } : { n: [Number, 'n'] }) as never,
  )
const run = (world: World, name: string, values?: object) =>
  world.query(Number).run(bind(world, name) as never, values as never)

describe('a kernel that fails', () => {
  it.each(['caller', 'worker'])('is an error with the sentence of the kernel, on the %s', (where) => {
    // One block a claim, and a pause before each: another thread runs the last chunk each time.
    const workers = eagerWorkers(2, { parts: -1 })
    const world = numbered(workers)
    const causes = new Set<unknown>()
    for (let i = 0; i < 40; i++) {
      const error = caughtFrom(() => run(world, 'trap', { at: where === 'caller' ? 0 : ROWS - 1 }))
      expect(error.code).toBe('KERNEL_FAILED')
      expect(error.cause).toBeInstanceOf(WebAssembly.RuntimeError)
      causes.add((error.cause as Error).message)
      expect(error.message).toContain('the kernel trap (test.kernel.ts) failed with "unreachable')
    }
    expect(causes.size).toBe(1)
    // The world goes on.
    const plain = numbered(undefined)
    for (const each of [world, plain]) run(each, 'add')
    expect(digest(world)).toBe(digest(plain))
  })

  it('says what abort says, whichever thread it failed on', () => {
    const workers = eagerWorkers(2, { parts: -1 })
    const messages = new Set<string>()
    const threads = new Set<number>()
    // Until a worker was the first to say it: the first block is anybody's.
    for (let i = 0; i < 2 || (i < 2000 && threads.size < 2); i++) {
      const world = numbered(i === 0 ? undefined : workers)
      const bound = world.kernel(aborting() as never, { n: [Number, 'n'] } as never)
      messages.add(caughtFrom(() => world.query(Number).run(bound as never)).message)
      if (i > 0) threads.add(controlOf(workers)[FAILED] as number)
      world.dispose()
    }
    expect([...messages]).toEqual([expect.stringContaining('failed with "it is odd (abort.kernel.ts:7:9)"')])
    expect(threads.size).toBeGreaterThan(1)
  })

  it('is an error where the stack is used up, too', () => {
    const world = numbered(eagerWorkers(2))
    const error = caughtFrom(() => run(world, 'deep'))
    expect(error.code).toBe('KERNEL_FAILED')
    expect(error.cause).toBeInstanceOf(RangeError)
  })
})

describe('a worker that is lost', () => {
  it('in the middle of a run ends the run with an error, and the world goes on without', () => {
    const workers = eagerWorkers(1, { patience: 0.2, parts: -1 })
    const world = numbered(workers)
    run(world, 'add')
    // As if a worker had taken a block and never come back: one block of the run is not done.
    const control = controlOf(workers)
    const { load } = Atomics
    Atomics.load = ((array: Int32Array, index: number) =>
      load(array, index) - (array === control && index === DONE ? 1 : 0)) as never
    let error
    try {
      error = caughtFrom(() => run(world, 'add'))
    } finally {
      Atomics.load = load
    }
    expect(error.code).toBe('KERNEL_FAILED')
    expect(error.message).toContain('a worker did not answer for 0.2 seconds')
    expect(workers.stats()).toMatchObject({ workers: 0, why: 'a worker was lost in the middle of a run' })
    expect(() => run(world, 'add')).not.toThrow()
  })

  it('between runs leaves everything to the caller', async () => {
    const started: Worker[] = []
    class Watched extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given)
        started.push(this)
      }
    }
    const workers = eagerWorkers(2, { Worker: Watched as never })
    const world = numbered(workers)
    const plain = numbered(undefined)
    run(world, 'add')
    await started[0]?.terminate()
    expect(workers.stats()).toMatchObject({ workers: 0, why: 'a worker ended' })
    run(world, 'add')
    for (let i = 0; i < 2; i++) run(plain, 'add')
    expect(digest(world)).toBe(digest(plain))
  })
})
