// Shows the threads of a pool: what a kernel that fails on any of them does and leaves, a worker that takes long, and one that has
// ended.

import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  component,
  createKernel,
  createWorld,
  digestWorld,
  f32,
  kernelRuntime,
  spawnMany,
  u32,
  type World,
} from '../../../bindings/index'
import { CONTROL_WORDS, FAILED, failedThread } from '../src/control'
import { caughtFrom } from '../../../tests/support/caught'
import { eagerWorkers, workersThat } from './support/dividing'
import { kernelsOf } from '../../../tests/support/kernels'
import { wat } from '../../../tests/support/wat'

const kernels = await kernelsOf(`
export function trap(rows: Rows, n: Column<u32>, at: u32): void {
  for (let i = rows.start; i < rows.end; i++) if (n[i] == at) unreachable()
}
export function fail(rows: Rows, n: Column<u32>, first: u32, second: u32): void {
  for (let i = rows.start; i < rows.end; i++) {
    if (n[i] == first) unreachable()
    if (n[i] == second) n[i] /= n[i] - n[i]
    n[i] += 1000000
  }
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
  spawnMany(world, ROWS, [Number])
  let n = 0
  world.query(Number).each((_, number) => (number.n = n++))
  return world
}

const bind = (world: World, name: string) =>
  createKernel(
    world,
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
    expect(digestWorld(world)).toBe(digestWorld(plain))
  })

  it('reports the message of abort, whichever thread it failed on', () => {
    const workers = eagerWorkers(2, { parts: -1 })
    const messages = new Set<string>()
    const threads = new Set<number>()
    // Until a worker was the first to say it: the first block is anybody's.
    for (let i = 0; i < 2 || (i < 2000 && threads.size < 2); i++) {
      const world = numbered(i === 0 ? undefined : workers)
      const bound = createKernel(world, aborting() as never, { n: [Number, 'n'] } as never)
      messages.add(caughtFrom(() => world.query(Number).run(bound as never)).message)
      if (i > 0) threads.add(failedThread(controlOf(workers)[FAILED] as number))
      world.dispose()
    }
    expect([...messages]).toEqual([expect.stringContaining('failed with "it is odd (abort.kernel.ts:7:9)"')])
    expect(threads.size).toBeGreaterThan(1)
  })

  it('is an error even if the stack is used up', () => {
    const world = numbered(eagerWorkers(2))
    const error = caughtFrom(() => run(world, 'deep'))
    expect(error.code).toBe('KERNEL_FAILED')
    expect(error.cause).toBeInstanceOf(RangeError)
  })
})

/** The numbers of all rows, by chunks. */
const chunksOf = (world: World) =>
  [...world.query(Number)].map((chunk) => [...chunk.read(Number).n.subarray(chunk.start, chunk.end)])

describe('a run whose kernel fails', () => {
  it.each([
    ['in its first chunk and its last', 3, ROWS - 3],
    ['in its last chunk and its first', ROWS - 3, 3],
    ['in two chunks that follow each other', 3000, 5000],
    ['in the last row', ROWS - 1, ROWS],
  ])(
    '%s fails and leaves the same as on one thread, except for chunks past the failed one',
    (_, first, second) => {
      const failing = (world: World) => caughtFrom(() => run(world, 'fail', { first, second }))
      const plain = numbered(undefined)
      const before = chunksOf(plain)
      const error = failing(plain)
      const right = chunksOf(plain)
      const failed = right.findIndex((numbers) => numbers.some((n) => n === Math.min(first, second)))
      // What a chunk past the failed one is if it was run, to its end or to a failure of its own.
      const whole = before.map((numbers) => {
        const stop = numbers.findIndex((n) => n === first || n === second)
        return numbers.map((n, i) => (stop < 0 || i < stop ? n + 1_000_000 : n))
      })
      const workers = eagerWorkers(2, { parts: -1 })
      for (let i = 0; i < 10; i++) {
        const world = numbered(workers)
        const { message } = failing(world)
        expect(message).toBe(error.message)
        const left = chunksOf(world)
        expect(left.slice(0, failed + 1)).toEqual(right.slice(0, failed + 1))
        for (let k = failed + 1; k < left.length; k++)
          expect([`${before[k]}`, `${whole[k]}`]).toContain(`${left[k]}`)
        world.dispose()
      }
    },
  )
})

describe('a worker that takes long', () => {
  it('is waited for', () => {
    // Longer than the caller sleeps before it looks whether workers have ended.
    const workers = workersThat('for (const end = performance.now() + 1500; performance.now() < end;);', 1)
    const world = numbered(workers)
    const plain = numbered(undefined)
    do for (const each of [world, plain]) run(each, 'add')
    while (workers.stats().chunks[1] === 0)
    expect(digestWorld(world)).toBe(digestWorld(plain))
    expect(workers.stats()).toMatchObject({ workers: 1, why: undefined })
  })

  it('is waited for through any number of looks and hours', () => {
    const [LOOKS, HOUR] = [1000, 3_600_000]
    // The last word of the array that all threads share is free: the worker waits until it is another.
    const gate = CONTROL_WORDS - 1
    const workers = workersThat(`Atomics.wait(array, ${gate}, 0)`, 1)
    const control = controlOf(workers)
    const world = numbered(workers)
    const plain = numbered(undefined)
    const { wait } = Atomics
    const clocks = [performance.now.bind(performance), Date.now] as const
    let looks = 0
    onTestFinished(() => void vi.restoreAllMocks())
    vi.spyOn(performance, 'now').mockImplementation(() => clocks[0]() + looks * HOUR)
    vi.spyOn(Date, 'now').mockImplementation(() => clocks[1]() + looks * HOUR)
    vi.spyOn(Atomics, 'wait').mockImplementation((...given: Parameters<typeof wait>) => {
      if (++looks <= LOOKS) return 'timed-out'
      Atomics.store(control, gate, 1)
      Atomics.notify(control, gate)
      return wait(...given)
    })
    do for (const each of [world, plain]) run(each, 'add')
    while (workers.stats().chunks[1] === 0)
    expect(looks).toBeGreaterThan(LOOKS)
    expect(digestWorld(world)).toBe(digestWorld(plain))
    expect(workers.stats()).toMatchObject({ workers: 1, why: undefined })
  })
})

describe('a worker that has ended', () => {
  it('in the middle of a run ends the run with an error, and the world goes on without it', async () => {
    const workers = workersThat('process.exit()', 1)
    await workers.ready
    const world = numbered(workers)
    const error = caughtFrom(() => {
      for (;;) run(world, 'add')
    })
    expect(error.code).toBe('KERNEL_FAILED')
    expect(error.message).toContain('a worker was ended in the middle of a run, and its rows are half done')
    expect(workers.stats()).toMatchObject({ workers: 0, why: 'a worker was lost in the middle of a run' })
    expect(() => run(world, 'add')).not.toThrow()
  })

  class Watched extends Worker {
    static last: Watched
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given)
      Watched.last = this
    }
  }

  /** The state of a world that has moved twice, as a plain one is. */
  const moved = () => {
    const plain = numbered(undefined)
    for (let i = 0; i < 2; i++) run(plain, 'add')
    return digestWorld(plain)
  }

  it('by terminate() is not counted on from then on', () => {
    const workers = eagerWorkers(2, { Worker: Watched as never })
    const world = numbered(workers)
    run(world, 'add')
    void Watched.last.terminate()
    expect(workers.stats()).toMatchObject({ workers: 0, why: 'a worker was ended by terminate()' })
    run(world, 'add')
    expect(digestWorld(world)).toBe(moved())
  })

  it('in a way that the pool does not see is missed by no run, and recorded with its event', async () => {
    const workers = eagerWorkers(2, { Worker: Watched as never })
    const world = numbered(workers)
    run(world, 'add')
    const hasEnded = Worker.prototype.terminate.call(Watched.last)
    expect(workers.stats()).toMatchObject({ workers: 2, why: undefined })
    await hasEnded
    expect(workers.stats()).toMatchObject({ workers: 0, why: 'a worker ended' })
    run(world, 'add')
    expect(digestWorld(world)).toBe(moved())
  })
})
