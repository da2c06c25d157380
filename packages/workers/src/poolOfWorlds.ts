// Owns a pool as worlds and programs have it: what createWorld and createKernel ask of it, and what has become of their kernels.

import type { Workers, WorkersStats } from '../../../bindings/index'
import type { WorkerDivision, Division } from '../../../bindings/kernels/workerDivision'
import type { CompilePart } from '../../../bindings/memory/coreText'
import { SHARING, type Sharing, type SharedCore } from '../../../bindings/memory/workerMemory'
import { WorldDivision, type WorldInPool } from './division'
import type { Pool } from './pool'
import type { Threads } from './run'
import { sharedCore } from './sharedCore'

/** The worlds over a pool, and why worlds over it are what they are. */
export class PoolOfWorlds implements Workers, WorkerDivision {
  readonly [SHARING]: Sharing = this
  private readonly worlds = new Set<WorldInPool>()
  private readonly collected = new FinalizationRegistry((world: WorldInPool) => this.forget(world))

  /** @param pool threads, or what plays them in a test */
  constructor(private readonly pool: Threads & Partial<Pick<Pool, 'whenReady' | 'end' | 'shares'>>) {}

  get ready(): Promise<void> {
    return this.pool.whenReady?.() ?? Promise.resolve()
  }

  stats(): WorkersStats {
    const { pool } = this
    const kernels = [...this.worlds].flatMap((world) => world.kernels.map((kernel) => kernel.stats(pool.why)))
    const workers = pool.why === undefined ? pool.count : 0
    return { workers, why: pool.why, chunks: pool.shares?.() ?? [], kernels }
  }

  dispose(): void {
    this.pool.end?.('the pool was disposed of')
  }

  share(
    compile: CompilePart | undefined,
    form: { readonly initial: number; readonly maximum: number; readonly isFlexible: boolean },
  ): SharedCore | undefined {
    return this.pool.why === undefined ? sharedCore(compile, form) : undefined
  }

  begin(memory: WebAssembly.Memory, isOwnCore: boolean): Division {
    const { pool } = this
    const division = new WorldDivision(pool, memory, isOwnCore, (world) => {
      this.collected.unregister(world)
      this.forget(world)
    })
    const { world } = division
    this.worlds.add(world)
    this.collected.register(division, world, world)
    return division
  }

  private forget(world: WorldInPool): void {
    this.worlds.delete(world)
    if (world.isHanded) this.pool.forget(world.number, world.bytes)
  }
}
