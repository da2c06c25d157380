// Gives a test pools that divide whatever can be divided: real workers, and an imitation that runs blocks on the caller in a random
// order, which shows without threads that nothing depends on the order, and fails in the same way each time.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { KERNEL_ARGUMENTS_ADDRESS, SCRATCH_ADDRESS } from '../../../../build/layout'
import { workerText } from '../../../../build/workerText'
import { TICKET } from '../../src/control'
import { Pool, type PoolOptions } from '../../src/pool'
import type { DividedCall, Threads } from '../../src/run'
import { PoolOfWorlds } from '../../src/poolOfWorlds'

/** Workers that are waited for, so that every call is divided that can be. */
class EagerPool extends Pool {
  override knows(id: number): boolean {
    const until = performance.now() + 30_000
    while (!super.knows(id)) if (performance.now() > until) throw new Error('the workers do not start')
    return true
  }
}

/** So many workers, which take part in every call of two blocks or more. They end with the process. */
export function lastingWorkers(count: number, options: Partial<PoolOptions> = {}): PoolOfWorlds {
  return new PoolOfWorlds(new EagerPool({ count, url: undefined, Worker: undefined, worth: 0, ...options }))
}

/** Workers that end with the test. */
export function eagerWorkers(count: number, options: Partial<PoolOptions> = {}): PoolOfWorlds {
  const workers = lastingWorkers(count, options)
  onTestFinished(() => workers.dispose())
  return workers
}

/** Before a claim a worker stops for a while, as one does whose processor was taken away. */
const STOPS = `
const { compareExchange } = Atomics
Atomics.compareExchange = (array, ...given) => {
  if (Math.random() < 0.3) for (const end = performance.now() + Math.random() * 0.3; performance.now() < end;);
  return compareExchange(array, ...given)
}
`

/** Workers that stop for random times between claims. */
export function stoppingWorkers(count: number): PoolOfWorlds {
  return eagerWorkers(count, { url: fileOf(`${STOPS}${workerText}`), parts: -1 })
}

/** Workers that run this once they have taken blocks, and before they begin with them. */
export function workersThat(then: string, count: number): PoolOfWorlds {
  const program = `
    const { compareExchange } = Atomics
    Atomics.compareExchange = (array, index, expected, wanted) => {
      const seen = compareExchange(array, index, expected, wanted)
      if (index === ${TICKET} && seen === expected) { ${then} }
      return seen
    }
    ${workerText}`
  return eagerWorkers(count, { url: fileOf(program), parts: -1 })
}

/** The address of a file with this program, until the test has finished. */
export function fileOf(program: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'strata-workers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'worker.cjs')
  writeFileSync(file, program)
  return pathToFileURL(file)
}

/** Workers for which worlds share their memory, and which never come. */
export function absentWorkers(): PoolOfWorlds {
  const threads: Threads = {
    count: 1,
    why: undefined,
    worth: 0,
    needsSharing: true,
    hand: () => 0,
    knows: () => false,
    forget: () => {},
    run: () => {
      throw new Error('a run was divided among workers that are not there')
    },
  }
  return new PoolOfWorlds(threads)
}

const EMPTY = { none: 0, sum: 0, count: 0, min: Infinity, max: -Infinity }

class ShuffledThreads implements Threads {
  readonly why = undefined
  readonly worth = 0
  readonly needsSharing = false

  constructor(
    readonly count: number,
    private seed: number,
  ) {}

  /** A linear congruential generator; its low bits are poor. */
  private random(below: number): number {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0
    return Math.floor((this.seed / 2 ** 32) * below)
  }

  hand(): number {
    return 0
  }

  knows(): boolean {
    return true
  }

  forget(): void {}

  run({ kernel: { start, u32 }, result, blocks, sofar, firstBlock, blockWords }: DividedCall): number {
    const head = firstBlock - (KERNEL_ARGUMENTS_ADDRESS >> 2)
    const results = new Float64Array(blocks)
    for (const block of this.shuffled(blocks)) {
      const thread = this.random(this.count + 1)
      const area = (SCRATCH_ADDRESS >> 2) + thread * 1024
      u32.copyWithin(area, KERNEL_ARGUMENTS_ADDRESS >> 2, firstBlock)
      u32.copyWithin(area + head, firstBlock + block * blockWords, firstBlock + (block + 1) * blockWords)
      results[block] = start(area << 2, 1, EMPTY[result]) as number
    }
    if (result === 'none') return 0
    const join = (a: number, b: number) =>
      result === 'min' ? Math.min(a, b) : result === 'max' ? Math.max(a, b) : a + b
    return results.reduce(join, sofar)
  }

  private shuffled(count: number): number[] {
    const order = Array.from({ length: count }, (_, i) => i)
    for (let i = count - 1; i > 0; i--) {
      const other = this.random(i + 1)
      ;[order[i], order[other]] = [order[other] as number, order[i] as number]
    }
    return order
  }
}

/** Blocks run on the caller, one by one in a random order, each with the arguments of one of so many threads. */
export function shuffledWorkers(count: number, seed: number): PoolOfWorlds {
  return new PoolOfWorlds(new ShuffledThreads(count, seed))
}
