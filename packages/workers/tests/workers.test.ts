// Shows what a pool is to a program: its options, its errors, what `stats` says, and that a program goes on with the same results
// where there are no threads, where a pool was disposed of, and where a worker died.

import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { workerText } from '../../../build/workerText'
import { checkedCore } from '../../../bindings/checked'
import {
  createKernel,
  resetWorld,
  spawnMany,
  trimWorld,
  type World,
  type Workers,
  component,
  createWorld,
  digestWorld,
  f32,
  f64,
  forkWorld,
  loadWorld,
  restoreWorld,
  saveWorld,
  snapshotWorld,
} from '../../../bindings/index'
import type { KernelDescription } from '../../../bindings/kernels/kernel'
import { workers } from '../src/workers'
import { caughtFrom } from '../../../tests/support/caught'
import { eagerWorkers, fileOf, shuffledWorkers } from './support/dividing'
import { kernelsOf } from '../../../tests/support/kernels'
import { wat } from '../../../tests/support/wat'

const kernels = await kernelsOf(`
export function move(rows: Rows, x: Column<f32>, by: f32): void {
  for (let i = rows.start; i < rows.end; i++) x[i] += by
}
export function slow(rows: Rows, x: Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) for (let k = 0; k < 100; k++) x[i] = Mathf.sqrt(x[i] + 1)
}
`)
const { sum } = await kernelsOf(`
export function sum(rows: Rows, x: ReadonlyColumn<f64>): Sum<f64> {
  let total: f64 = 0
  for (let i = rows.start; i < rows.end; i++) total += x[i]
  return total
}
`)
const { told } = await kernelsOf(`
export function told(rows: Rows, x: Column<f32>): void {
  trace('at', 1, x[rows.start])
}
`)
const RELEASE = new URL('../../../build/release.wasm', import.meta.url)

const Position = component('Position', { x: f32 })

const bind = (world: World, name: string, options?: { divided?: boolean }) =>
  createKernel(
    world,
    (name === 'told' ? told : kernels[name]) as never,
    { x: [Position, 'x'] } as never,
    options,
  )

/** A world of so many rows, and what moves them. */
function moving(pool: Workers | undefined, rows = 20_000) {
  const world = createWorld({ memory: { initial: 2 ** 21 }, workers: pool })
  spawnMany(world, rows, [Position({ x: 1 })])
  const step = bind(world, 'move')
  const query = world.query(Position)
  return { world, move: () => query.run(step as never, { by: 0.5 }) }
}

/** Whether both are in the same state after some moves. */
function expectSame(...worlds: ReturnType<typeof moving>[]): void {
  for (const { move } of worlds) for (let i = 0; i < 3; i++) move()
  expect(new Set(worlds.map(({ world }) => digestWorld(world))).size).toBe(1)
}

const pool = (options?: Parameters<typeof workers>[0]) => {
  const made = workers(options)
  onTestFinished(() => made.dispose())
  return made
}

describe('workers', () => {
  it('keeps a process alive only while it waits for its workers', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
    const before = ports()
    const made = pool({ count: 2 })
    expect(ports()).toBe(before)
    const { ready } = made
    expect(ports()).toBeGreaterThan(before)
    await ready
    await new Promise((resolve) => setImmediate(resolve))
    expect(ports()).toBe(before)
  })

  it('starts as many workers as it is asked for', async () => {
    for (const count of [0, 1, 2]) {
      const made = pool({ count })
      await made.ready
      expect(made.stats().workers).toBe(count)
      expect(made.stats().why).toBe(count === 0 ? 'there are no workers: their count is 0' : undefined)
    }
  })

  it.each([
    [{ count: -1 }, 'count must be a whole number from 0 to 15, not -1'],
    [{ count: 16 }, 'count must be a whole number from 0 to 15, not 16'],
    [{ count: 1.5 }, 'count must be a whole number from 0 to 15, not 1.5'],
    [{ count: '2' }, "count must be a whole number from 0 to 15, not '2'"],
    [{ url: 5 }, 'url must be the address of the file strata-ecs/worker.js, not 5'],
    [{ url: null }, 'url must be the address of the file strata-ecs/worker.js, not null'],
    [{ Worker: {} }, 'Worker must be the class of node:worker_threads, not an object'],
    [{ threads: 2 }, "there is no option 'threads': the options are count, url, Worker"],
    [null, 'the options must be an object such as { count: 3 }, not null'],
    [[], 'the options must be an object such as { count: 3 }, not a list'],
  ])('refuses %o', (options, sentence) => {
    const error = caughtFrom(() => workers(options as never))
    expect(error).toMatchObject({ code: 'INVALID_OPTION', message: `workers: ${sentence}.` })
  })

  it('accepts the class of node:worker_threads, and the program as a file', async () => {
    const made = pool({ count: 1, Worker, url: new URL('../../../build/worker.js', import.meta.url) })
    await made.ready
    expect(made.stats()).toMatchObject({ workers: 1, why: undefined })
  })

  it('leaves it to the class what an address is', async () => {
    const address = { toString: () => 'of a policy' }
    const given: unknown[] = []
    class Trusting extends Worker {
      constructor(url: unknown, options: object) {
        given.push(url)
        super(new URL('../../../build/worker.js', import.meta.url), options)
      }
    }
    const made = pool({ count: 1, url: address, Worker: Trusting })
    await made.ready
    expect(given).toEqual([address])
    expect(made.stats()).toMatchObject({ workers: 1, why: undefined })
  })

  it.each([
    'setInterval(() => {}, 1000)',
    "require('node:worker_threads').parentPort.on('message', () => {})",
  ])('does without workers that never answer: %s', async (program) => {
    const made = eagerWorkers(2, { url: fileOf(program), patience: 1 })
    await made.ready
    expect(made.stats()).toMatchObject({
      workers: 0,
      why: 'a worker has not answered for 1 seconds: url must be the address of the file strata-ecs/worker.js',
    })
    expectSame(moving(made), moving(undefined))
    await made.ready
  })

  it('waits for workers that are slow to start', async () => {
    const slowly = `for (const end = performance.now() + 1500; performance.now() < end;);${workerText}`
    const made = eagerWorkers(1, { url: fileOf(slowly), patience: 10 })
    await made.ready
    expect(made.stats()).toMatchObject({ workers: 1, why: undefined })
  })

  it('runs everything on the caller if the class is not a worker', () => {
    const made = pool({ count: 1, Worker: class {} })
    expect(made.stats().why).toBe(
      'a worker could not be started: Worker is no class of workers: it has no terminate()',
    )
    expectSame(moving(made), moving(undefined))
  })

  it('runs everything on the caller where no worker can be started', async () => {
    const made = pool({ count: 1, url: new URL('file:///there/is/no/such.js') })
    await made.ready
    expect(made.stats()).toMatchObject({ workers: 0, why: expect.stringMatching(/^a worker failed with/) })
    expectSame(moving(made), moving(undefined))
    class Refused {
      constructor() {
        throw new Error('not here')
      }
    }
    expect(pool({ count: 1, Worker: Refused }).stats().why).toBe('a worker could not be started: not here')
    class RefusedWithNull {
      constructor() {
        throw null
      }
    }
    expect(pool({ count: 1, Worker: RefusedWithNull }).stats().why).toBe(
      'a worker could not be started: null',
    )
  })

  /** Ends a worker with the test, if the pool has not. */
  const endLater = (worker: Worker) => onTestFinished(() => void Worker.prototype.terminate.call(worker))

  it('takes a class whose prototype is frozen', async () => {
    class Frozen extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given)
        endLater(this)
      }
    }
    Object.defineProperty(Frozen.prototype, 'terminate', {
      value: Worker.prototype.terminate,
      writable: false,
    })
    Object.freeze(Frozen.prototype)
    const made = pool({ count: 1, Worker: Frozen })
    await made.ready
    expect(made.stats()).toMatchObject({ workers: 1, why: undefined })
  })

  it('ends a worker that was started and cannot be set up', async () => {
    let started = 0
    let ended = 0
    class Sealed extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given)
        Object.preventExtensions(this)
        started++
        this.on('exit', () => ended++)
        endLater(this)
      }
    }
    const made = pool({ count: 2, Worker: Sealed })
    expect(made.stats()).toMatchObject({ workers: 0, why: expect.stringContaining('could not be started') })
    expect(started).toBe(1)
    for (const until = performance.now() + 5000; ended < started && performance.now() < until;)
      await new Promise((resolve) => setTimeout(resolve, 10))
    expect(ended).toBe(started)
    expectSame(moving(made), moving(undefined))
  })

  it('runs everything on the caller in a page that is not isolated', () => {
    Object.defineProperty(globalThis, 'crossOriginIsolated', { value: false, configurable: true })
    try {
      const made = pool({ count: 1 })
      expect(made.stats().why).toMatch(/^the page is not cross-origin isolated/)
      const { world, move } = moving(made)
      expect(world['state'].heap.u8.buffer).toBeInstanceOf(ArrayBuffer)
      move()
      expect(made.stats().kernels).toMatchObject([{ kernel: 'move', calls: 0, why: made.stats().why }])
      expectSame(moving(made), moving(undefined))
    } finally {
      Reflect.deleteProperty(globalThis, 'crossOriginIsolated')
    }
  })
})

describe('createWorld', () => {
  it.each([null, {}, [], 3, true, createWorld()])('refuses %s as workers', (given) => {
    const error = caughtFrom(() => createWorld({ workers: given as never }))
    expect(error).toMatchObject({ code: 'INVALID_OPTION' })
    expect((error as Error).message).toMatch(
      /^createWorld: workers must be what workers\(\) of strata-ecs\/workers returned, not /,
    )
  })

  it('gives the world a plain memory where the pool was disposed of', () => {
    const made = workers({ count: 1 })
    made.dispose()
    const late = moving(made)
    expect(late.world['state'].heap.u8.buffer).toBeInstanceOf(ArrayBuffer)
    expectSame(late, moving(undefined))
    expect(made.stats()).toMatchObject({
      workers: 0,
      kernels: [{ calls: 0, why: 'the pool was disposed of' }],
    })
  })

  it('gives the world a memory that threads share, as large as asked for', () => {
    const made = pool({ count: 1 })
    const world = createWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 21 }, workers: made })
    const { heap } = world['state']
    expect(heap.u8.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(heap.u8.length).toBe(2 ** 20)
    expect(caughtFrom(() => spawnMany(world, 2 ** 20, [Position]))).toMatchObject({ code: 'MEMORY_LIMIT' })
    expect(heap.u8.length).toBeLessThanOrEqual(2 ** 21)
  })

  it('asks for less if the host has no room for 2 GiB, and uses a plain memory if it has no room at all', () => {
    const { Memory } = WebAssembly
    const asked: number[] = []
    let most = 0
    class Scarce extends Memory {
      constructor(descriptor: WebAssembly.MemoryDescriptor) {
        const { maximum = 0, shared } = descriptor
        if (shared === true) asked.push(maximum)
        if (shared === true && maximum > most) throw new RangeError('no room')
        super(descriptor)
      }
    }
    WebAssembly.Memory = Scarce
    try {
      const made = pool({ count: 1 })
      most = 8192
      expect(createWorld({ workers: made })['state'].heap.u8.buffer).toBeInstanceOf(SharedArrayBuffer)
      expect(asked.splice(0)).toEqual([32768, 16384, 8192])
      most = 0
      const plain = moving(made)
      expect(plain.world['state'].heap.u8.buffer).toBeInstanceOf(ArrayBuffer)
      expect(asked.splice(0)).toEqual([32768, 16384, 8192, 4096])
      expect(made.stats().kernels[0]?.why).toBe(
        'is of a world with a plain memory: the host gave no shared one',
      )
      expectSame(plain, moving(undefined))
      // What a program asks for it gets, or a plain memory.
      asked.length = 0
      createWorld({ memory: { maximum: 2 ** 30 }, workers: made })
      expect(asked).toEqual([16384])
    } finally {
      WebAssembly.Memory = Memory
    }
  })
})

describe('createKernel with divided: true', () => {
  it('refuses a kernel whose rows can never be divided, and changes nothing', () => {
    const world = createWorld({ workers: shuffledWorkers(1, 1) })
    const error = caughtFrom(() => bind(world, 'told', { divided: true }))
    expect(error).toMatchObject({
      code: 'INVALID_BINDING',
      message:
        'createKernel: the kernel told (test.kernel.ts) is in a file that calls trace, so its rows cannot be divided: leave out divided, or change the kernel.',
    })
    expect(world.componentByName('Position')).toBeUndefined()
    expect(() => bind(world, 'move', { divided: true })).not.toThrow()
    expect(() => bind(world, 'told', { divided: false })).not.toThrow()
  })

  it('refuses a module with global variables, which each thread would have for itself', () => {
    const bytes = wat(`(module (import "env" "memory" (memory 0)) (global $rows (mut i32) (i32.const 0))
      (func (export "move") (param i32 i32) (global.set $rows (i32.add (global.get $rows) (i32.const 1)))))`)
    const move = kernels['move'] as unknown as KernelDescription
    const parameters = move.parameters.filter(({ role }) => role === 'column')
    const code = { file: 'counting.wat', bytes: btoa(String.fromCharCode(...bytes)) }
    const counting = { ...move, code, parameters } as unknown as Parameters<typeof createKernel>[1]
    const world = createWorld({ workers: shuffledWorkers(1, 1) })
    const bindings = { x: [Position, 'x'] } as never
    expect(caughtFrom(() => createKernel(world, counting, bindings, { divided: true }))).toMatchObject({
      code: 'INVALID_BINDING',
      message: expect.stringContaining(
        'move (counting.wat) is in a module with global variables, of which each thread has its own, so its rows',
      ),
    })
    spawnMany(world, 20_000, [Position])
    world.query(Position).run(createKernel(world, counting, bindings) as never)
  })

  it('has no effect in a world without workers', () => {
    expect(() => bind(createWorld(), 'told', { divided: true })).not.toThrow()
  })

  it('refuses other options', () => {
    expect(caughtFrom(() => bind(createWorld(), 'move', { parallel: true } as never))).toMatchObject({
      code: 'INVALID_OPTION',
      message: "createKernel: there is no option 'parallel': the options are divided.",
    })
  })
})

describe('a pool', () => {
  it('divides runs that are worth it, and leaves small ones to the caller', async () => {
    const made = pool({ count: 1 })
    await made.ready
    const { world, move } = moving(made, 1000)
    const many = world.query(Position)
    for (let i = 0; i < 50; i++) move()
    expect(made.stats().kernels).toMatchObject([
      { kernel: 'move', file: 'test.kernel.ts', calls: 50, divided: 0 },
    ])
    spawnMany(world, 40_000, [Position({ x: 1 })])
    const slow = bind(world, 'slow', { divided: true })
    const until = performance.now() + 20_000
    const divided = () => made.stats().kernels[1]?.divided as number
    while (divided() === 0 && performance.now() < until) many.run(slow as never)
    expect(divided()).toBeGreaterThan(0)
    const {
      chunks,
      kernels: [, stats],
    } = made.stats()
    expect(chunks).toHaveLength(2)
    expect(chunks[0]! + chunks[1]!).toBeGreaterThan(0)
    expect(stats?.chunkMicroseconds).toBeGreaterThan(0)
  })

  it('is shared by worlds, forks and loaded worlds, and forgets disposed worlds', () => {
    const made = eagerWorkers(1)
    const { world, move } = moving(made)
    move()
    const twin = forkWorld(world)
    const { world: loaded } = loadWorld(saveWorld(world), { components: [Position], workers: made })
    for (const other of [twin, loaded]) {
      expect(other['state'].heap.u8.buffer).toBeInstanceOf(SharedArrayBuffer)
      other.query(Position).run(bind(other, 'move') as never, { by: 1 })
      expect(digestWorld(other)).toBe(digestWorld(twin))
    }
    expect(made.stats().kernels.map(({ divided }) => divided)).toEqual([1, 1, 1])
    for (const other of [twin, loaded, world]) other.dispose()
    expect(made.stats().kernels).toEqual([])
    expect(caughtFrom(move)).toMatchObject({ code: 'WORLD_DISPOSED' })
  })

  it('adds up the results of the blocks in their order, rounding every sum', () => {
    const Weight = component('Weight', { kg: f64 })
    const made = eagerWorkers(2)
    const totalOf = (workers: Workers | undefined) => {
      const world = createWorld({ workers })
      // In another order the 1 is not lost.
      const firsts = [1, 1e16, -1e16]
      spawnMany(world, 20_000, [Weight], (chunk) => {
        chunk.write(Weight).kg[chunk.start] = firsts.shift() ?? 0
      })
      return world
        .query(Weight)
        .run(createKernel(world, sum as never, { x: [Weight, 'kg'] } as never) as never)
    }
    expect([totalOf(undefined), totalOf(made)]).toEqual([0, 0])
    expect(made.stats().kernels).toMatchObject([{ kernel: 'sum', divided: 1 }])
  })

  it('leaves worlds as they are when it is disposed of', () => {
    const made = eagerWorkers(2)
    const shared = moving(made)
    const plain = moving(undefined)
    expectSame(shared, plain)
    made.dispose()
    made.dispose()
    expect(made.stats()).toMatchObject({ workers: 0, why: 'the pool was disposed of' })
    const { divided } = made.stats().kernels[0]!
    expectSame(shared, plain)
    expect(made.stats().kernels[0]).toMatchObject({ divided, why: 'the pool was disposed of' })
  })

  it('accepts every call of worlds that were created before and after it was disposed of', async () => {
    const made = eagerWorkers(2)
    const worlds = [moving(made), moving(undefined)]
    expectSame(...worlds)
    made.dispose()
    await made.ready
    const states = worlds.map(({ world, move }) => {
      const before = snapshotWorld(world)
      move()
      world.query(Position).run(bind(world, 'slow', { divided: true }) as never)
      const twin = forkWorld(world)
      twin.query(Position).run(bind(twin, 'move') as never, { by: 2 })
      const options = { components: [Position], workers: world === worlds[0]?.world ? made : undefined }
      const { world: loaded } = loadWorld(saveWorld(twin), options)
      restoreWorld(loaded, snapshotWorld(twin))
      loaded.query(Position).run(bind(loaded, 'move') as never, { by: 2 })
      const digests = [world, twin, loaded].map((each) => digestWorld(each))
      restoreWorld(world, before)
      spawnMany(world, 2 ** 20, [Position])
      trimWorld(world)
      move()
      digests.push(digestWorld(world))
      resetWorld(world)
      for (const each of [world, twin, loaded]) each.dispose()
      return digests
    })
    expect(states[0]).toEqual(states[1])
    made.dispose()
    await made.ready
    expect(made.stats()).toMatchObject({ workers: 0, why: 'the pool was disposed of', kernels: [] })
  })

  it('guards kernels one by one over the checked core', () => {
    const made = eagerWorkers(1)
    const world = createWorld({ core: checkedCore(), workers: made })
    spawnMany(world, 9000, [Position({ x: 1 })])
    world.query(Position).run(bind(world, 'move') as never, { by: 1 })
    expect(world.query(Position).first()).toBeDefined()
    expect(made.stats().kernels).toMatchObject([
      { divided: 0, why: 'is guarded: over the checked core each chunk is a call of its own' },
    ])
  })

  it('leaves a world with a core of its own on the caller', () => {
    const made = eagerWorkers(1)
    const core = new WebAssembly.Module(readFileSync(RELEASE))
    const world = createWorld({ core, workers: made })
    spawnMany(world, 9000, [Position])
    world.query(Position).run(bind(world, 'move') as never, { by: 1 })
    expect(made.stats().kernels).toMatchObject([
      {
        calls: 0,
        why: 'is of a world with a core of its own: only those of this package can share a memory',
      },
    ])
  })

  it('goes back in time with its worlds', () => {
    const made = eagerWorkers(2)
    const { world, move } = moving(made)
    const before = snapshotWorld(world)
    move()
    const after = digestWorld(world)
    restoreWorld(world, before)
    move()
    expect(digestWorld(world)).toBe(after)
  })
})
