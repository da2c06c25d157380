// Owns the World that createWorld returns. Its calls are spread over ten classes, each built on the one before; they check
// arguments and hand them on:
//
//   WorldEntities    entities.ts     spawn, spawnMany, spawnAt, spawnManyAt, clone, spawnFrom, isAlive, destroy, destroyMany
//   WorldComponents  components.ts   add, remove, exchange, has, enable, disable, isEnabled
//   WorldValues      values.ts       get, set, setIfDifferent, accessor
//   WorldLists       lists.ts        componentsOf, components, componentNamed, addMany, removeMany, setMany
//   WorldQueries     queries.ts      query, group, sort, sortAs
//   WorldRelations   relations.ts    target, targets, sources, sourceCount, place, spawnTree
//   WorldResources   resources.ts    resource, setResource, getResource, hasResource, removeResource; texts
//   WorldEvents      events.ts       onAdd, onRemove, onSet, onEnter, onExit, removed, removals, objectsOf
//   WorldTime        time.ts         snapshot, restore, fork, onRestore, digest
//   World            below           defer, commands, kernels, modules; frames; clear, reset, dispose, stats
//
// They are one object. It must never hold simulation state: that is in linear memory; what is here can be rebuilt from it.

import {
  ARCHETYPES_ALL,
  BLOCKS_USED,
  CHUNKS_COUNT,
  COMPONENTS_COUNT,
  ENTITIES_ALIVE,
  ENTITIES_FREE_COUNT,
  ENTITIES_RETIRED_COUNT,
  LIST_COUNT,
  SCRATCH_ADDRESS,
  SCRATCH_BYTES,
  TEXTS_COUNT,
  WORLD_TICK_WORD,
} from '../../build/layout'
import { Commands } from '../changes/buffer'
import { isHidden } from '../components/definition'
import { destroyAll, endAll } from '../changes/changeAll'
import { SEVERAL } from '../rows/reporting'
import type { BoundKernel } from '../kernels/binding'
import type { AnyKernel, KernelFunction } from '../kernels/kernel'
import type {
  BoundSources,
  ColumnBindings,
  HasRows,
  ResultOf,
  ScalarArguments,
  ScalarsOf,
} from '../kernels/types'
import { type WorldKernels, requireBound, runtimeOf } from '../kernels/runtime'
import { MAKING, checkCallback, refuseByHand, refusePromise } from '../memory/arguments'
import type { Entity } from '../memory/entity'
import { limitError } from '../memory/errors'
import { INSPECT } from '../memory/inspection'
import { Discarded, FrameEnd } from './frame'
import { showWorld } from './inspection'
import { type CallArgument, callModule } from './moduleCalls'
import type { WorldOptions } from './options'
import { WorldTime } from './time'

/** Counts and memory use of a world, at the time of the call. Returned by world.stats(). */
export interface WorldStats {
  /** Entities alive. */
  readonly entities: number
  /** Archetypes: one for each set of table components and tags. */
  readonly archetypes: number
  /** Chunks of rows. */
  readonly chunks: number
  /** Components, tags and object components that the world has met. */
  readonly components: number
  /** Bytes of linear memory in use, including the first three pages, which are fixed. */
  readonly bytesUsed: number
  /** Bytes of linear memory. */
  readonly bytesReserved: number
  /** Entity indices that are waiting to be reused. */
  readonly freeIds: number
  /** Entity indices whose 8-bit generations are used up. */
  readonly retiredIds: number
  /** Different strings stored for text fields, without the empty one. */
  readonly texts: number
}

/**
 * Creates a world with a linear memory of its own. Synchronous.
 *
 * @param options memory, limits and the core to use: see WorldOptions
 * @throws StrataTypeError INVALID_OPTION; LimitError MEMORY_LIMIT if the host has no memory left; StrataError
 *   WASM_REFUSED if the host does not compile WebAssembly
 * @example const world = createWorld({ memory: { maximum: 64 * 2 ** 20 } })
 */
export function createWorld(options: WorldOptions = {}): World {
  return World.make(options)
}

/**
 * Holds entities, their components and resources in one linear memory. Made by createWorld. After dispose, every call
 * except isAlive and dispose throws StrataError WORLD_DISPOSED.
 */
export class World extends WorldTime {
  private readonly frameEnd: FrameEnd
  /** Begun with the first kernel. */
  private kernels: WorldKernels | undefined

  /** @internal Use createWorld. */
  static make(options: WorldOptions): World {
    return new World(options, MAKING)
  }

  private constructor(options: WorldOptions, key: symbol) {
    refuseByHand(key, 'World', 'createWorld(…)')
    super(options)
    this.frameEnd = new FrameEnd(this.state, this)
    this.kernels = undefined
  }

  /** @internal */
  protected override another(options: WorldOptions): World {
    return World.make(options)
  }

  /**
   * Binds a compiled kernel to components and resources of this world. Run the result with query.run, or with
   * world.run if the kernel takes no rows. Everything is checked here, once, and missing resources are created. Keep
   * the result and reuse it: it works for every query that has the columns, and also after a reset, once its
   * resources exist again.
   *
   * @param kernel what you import from a compiled `.kernel.ts` file
   * @param columns for each parameter that is a column or a resource: the component or resource, and the name of a
   *   field of the same kind
   * @throws StrataTypeError INVALID_KERNEL for what is not a kernel or must not share the memory, INVALID_BINDING for
   *   a parameter without a fitting field; StrataError WORLD_LOCKED inside a loop; LimitError. Nothing changes then.
   * @example const step = world.kernel(move, { px: [Position, 'x'], vx: [Velocity, 'x'] })
   */
  kernel<K extends AnyKernel | KernelFunction, C extends BoundSources<K>>(
    kernel: K,
    columns: ColumnBindings<K, C>,
  ): BoundKernel<ScalarsOf<K>, ResultOf<K>, HasRows<K>>
  kernel(kernel: unknown, columns: unknown): unknown {
    this.state.refuseDisposed()
    this.state.refuseWhileLocked('world.kernel')
    const runtime = runtimeOf(kernel)
    if (this.kernels === undefined) {
      this.kernels = runtime.begin(this.state, this.module)
      this.state.rooms.add(this.kernels)
    }
    return this.kernels.bind(kernel, columns)
  }

  /**
   * Calls a kernel that takes no rows, once. Allowed inside a loop. Cost: one call into its module, about 100 ns, in
   * addition to its own work.
   *
   * @param kernel returned by world.kernel, for a function whose parameters are only resources and scalars
   * @param scalars a value for each scalar parameter; leave it out if there are none
   * @returns what a kernel with a Sum, Min, Max or Count returns; otherwise undefined
   * @throws StrataTypeError INVALID_BINDING or StrataError MISSING_RESOURCE before it runs; StrataError KERNEL_FAILED
   *   if it traps or grows the memory: what it has written until then stays written
   * @example world.run(blur, { decay: 0.9 })
   */
  run<S, R>(kernel: BoundKernel<S, R, false>, ...scalars: ScalarArguments<S>): R
  run(kernel: BoundKernel<unknown, unknown, boolean>, scalars?: unknown): unknown {
    const { state } = this
    state.refuseDisposed()
    requireBound(kernel, 'world.run')
    const taken = kernel.check(state, 'world.run', scalars)
    state.lock()
    try {
      return kernel.once(taken)
    } finally {
      state.unlock()
    }
  }

  /**
   * Calls `action` and queues the structural changes that it makes. They are applied when it ends, also when it
   * throws: the changes of each entity become one net change. Blocks nest; the changes are applied when the outermost
   * one ends.
   *
   * @param action a function that is not async
   * @returns what `action` returns
   * @throws StrataTypeError INVALID_OPTION, ASYNC_CALLBACK if `action` is async or returns a promise; LimitError, the
   *   first one, after all queued changes have been tried
   */
  defer<R>(action: () => R): R {
    this.state.refuseDisposed()
    checkCallback('defer', action)
    const { state } = this
    const { locks, loops } = state
    const { count } = loops
    state.lock()
    try {
      const result = action()
      refusePromise('defer', result)
      return result
    } catch (error) {
      state.relock(locks, count)
      throw error
    } finally {
      state.unlock()
    }
  }

  /**
   * Calls a function that is exported by the module this world was created with. Cost: one call into WebAssembly, and
   * a look at every object component.
   *
   * @param name the name of the export
   * @param args numbers, booleans, and components, which are registered if they are new and passed as their ids
   * @returns the number that the function returns, or 0 if it returns nothing; integers are signed, so
   *   `world.call('spawnOne') >>> 0` is a handle
   * @throws StrataTypeError INVALID_OPTION for a name or number of arguments that the module does not have,
   *   NOT_A_COMPONENT; StrataError WORLD_LOCKED inside a loop, WORLD_OBSERVED while there are listeners for changes:
   *   the function was not called. StrataError KERNEL_FAILED if the function traps; LimitError if a change queued
   *   inside WebAssembly found no memory: the others were made.
   * @example world.call('start', Position, Velocity)
   */
  call(name: string, ...args: CallArgument[]): number {
    this.state.refuseDisposed()
    return callModule(this.state, name, args)
  }

  /** A command buffer: it records changes now and makes them all when you call its apply(). See Commands. */
  commands(): Commands {
    this.state.refuseDisposed()
    return new Commands(this.state)
  }

  /** The change tick, from 0 to 2^32 - 1. Each column stores the tick at which it was last written. */
  get tick(): number {
    this.state.refuseDisposed()
    return this.state.heap.u32[WORLD_TICK_WORD] as number
  }

  /** Increments the change tick, which wraps around after 2^32. Call it once per frame. */
  advance(): void {
    this.state.refuseDisposed()
    this.state.advance()
  }

  /**
   * Marks an entity for destruction at the end of the frame, by adding the tag Discarded. Until endFrame destroys it,
   * the entity stays as it is and still matches queries without not(Discarded). Inside a loop the mark is added when
   * the loop ends.
   *
   * @returns false if it was not alive or was marked already
   * @throws LimitError. Nothing changes then.
   */
  discard(entity: Entity | number): boolean {
    return this.state.isAlive(entity) ? this.add(entity, Discarded) : this.refuse(entity, 'discard')
  }

  /**
   * Ends a frame: destroys the discarded entities, then removes every component declared with `{ lifetime: 'frame' }`
   * from all entities, each in one call. Does not advance the change tick: see
   * advance. Inside a loop this waits until the loop ends. Cost: proportional to what there is to destroy and remove.
   *
   * @throws StrataError WORLD_LOCKED at the second call inside one loop: an earlier frame left that loop open, most
   *   likely because of an `await` in it
   * @throws LimitError, the first one: a component whose entities cannot be moved stays on all of them; everything
   *   else is done
   */
  endFrame(): void {
    const { state } = this
    state.refuseDisposed()
    if (state.locks === 0) return state.together(() => this.frameEnd.run())
    state.loops.awaitEnd(state.loop)
    state.commands.later(() => this.endFrame())
  }

  /**
   * Destroys all entities. Resources stay, and stale handles never become alive again. Inside a loop this waits until
   * the loop ends, and then destroys the entities that were alive at the call.
   */
  clear(): void {
    this.state.refuseDisposed()
    const { state } = this
    if (state.locks !== 0) this.clearLater()
    else if (state.reports || state.upkeep !== undefined) {
      destroyAll(state, state.livingHandles(), () => state.core.worldClear())
    } else {
      state.reporting?.subscribers.dying(SEVERAL)
      state.core.worldClear()
      state.settle()
    }
  }

  /** Only entities that are alive now are destroyed: those spawned later in the loop stay. */
  private clearLater(): void {
    const doomed = this.state.livingHandles()
    this.state.commands.later(() => void this.destroyMany(doomed))
  }

  /**
   * Starts the world over: empty as when it was created, with the memory that it has. Old handles may name new
   * entities afterwards. Resources are removed and names are freed; queries, accessors and subscriptions keep
   * working.
   *
   * @throws StrataError WORLD_LOCKED inside a loop
   */
  reset(): void {
    this.state.refuseDisposed()
    this.state.refuseWhileLocked('reset')
    endAll(this.state)
    this.state.reporting?.subscribers.ending()
    this.state.keepVersions()
    const status = this.state.core.worldReset()
    this.state.restart()
    if (status < 0) throw limitError(status, '')
    this.state.settle()
  }

  /**
   * Counts of entities, archetypes, chunks, components, ids and texts, and memory use in bytes. Allocates one object.
   */
  stats(): WorldStats {
    this.state.refuseDisposed()
    const { heap } = this.state
    return {
      entities: heap.word(ENTITIES_ALIVE) + this.state.promised,
      archetypes: heap.word(heap.word(ARCHETYPES_ALL) + LIST_COUNT),
      chunks: heap.word(CHUNKS_COUNT),
      components:
        heap.word(COMPONENTS_COUNT) -
        this.state.allKnown().filter(({ definition }) => isHidden(definition)).length,
      bytesUsed: heap.word(BLOCKS_USED) + SCRATCH_ADDRESS + SCRATCH_BYTES,
      bytesReserved: heap.u8.length,
      freeIds: heap.word(ENTITIES_FREE_COUNT),
      retiredIds: heap.word(ENTITIES_RETIRED_COUNT),
      texts: heap.word(TEXTS_COUNT) + this.state.texts.promisedCount,
    }
  }

  /**
   * Frees the memory of the world. No entity is alive afterwards, and every later call except isAlive and dispose
   * throws WORLD_DISPOSED. A second call does nothing.
   *
   * @throws StrataError WORLD_LOCKED inside a loop; after disposing, the first error thrown by a listener
   */
  dispose(): void {
    if (this.state.disposed) return
    this.state.refuseWhileLocked('dispose')
    endAll(this.state)
    this.state.dispose()
    this.queries = new Map()
    this.accessors.clear()
    const failure = this.state.takeFailure()
    if (failure !== undefined) throw failure.error
  }

  /** @internal */
  [INSPECT](): string {
    return showWorld(this.state, () => this.stats())
  }

  /** @internal */
  override toString(): string {
    return this[INSPECT]()
  }

  /** @internal */
  toJSON(): string {
    return this[INSPECT]()
  }
}
