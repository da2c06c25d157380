// Owns the calls on a world that copy its state, take it back, and compare it: docs/time-travel.md.
// It must never know what a snapshot holds: snapshots/ does.

import { WORLD_MAX_ENTITIES, WORLD_STRICT_IDS, BLOCKS_MAXIMUM } from '../../build/layout'
import type { AnyComponent, ComponentLike } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { notAComponent } from '../components/notAComponent'
import { type Resource, ResourceDeclaration } from '../components/resource'
import { observersOf } from '../events/observersOf'
import { checkFunction, checkOptions } from '../memory/arguments'
import { digestAll, digestOf } from '../snapshots/digest'
import { type RestoreReport, checkSnapshot, restoreSnapshot } from '../snapshots/restoring'
import { type Snapshot, takeSnapshot } from '../snapshots/snapshot'
import { type Saves, requireSaves } from '../saves/declaration'
import type { Merged, MergeOptions } from '../saves/loading'
import type { SaveOptions } from '../saves/selection'
import { WorldEvents } from './events'
import type { WorldOptions } from './options'
import type { World } from './world'

/** Options of world.snapshot. */
export interface SnapshotOptions {
  /** A snapshot to write into, in place of a new one: what it held is lost, its memory is used again. */
  readonly into?: Snapshot | undefined
}

/** The part of a world for its past: see world.ts. */
export abstract class WorldTime extends WorldEvents {
  /** @internal The module that the world was given. */
  protected readonly module: WebAssembly.Module | undefined
  private readonly saves: Saves | undefined

  /** @internal */
  protected constructor(options: WorldOptions) {
    super(options)
    this.module = options?.module
    this.saves = options?.saves
  }

  /** @internal A world with some options, of the same kind as this one. */
  protected abstract another(options: WorldOptions): World

  /**
   * Copies the whole state of the world: entities with their components, resources, change ticks, what queries with
   * `changed` and `added` have seen, what readers of removals have not taken, and the time and timers of its schedules. Objects and resources
   * that are JavaScript values are not copied, except by their `revive`, `save` and `load`. Outlives changes, reset and
   * dispose of the world.
   * Cost: a copy of the memory in use, about 0.1 ms per MB. With `into`, nothing is allocated unless the world has grown.
   *
   * @param options `into`: a snapshot whose memory is used again
   * @returns a new snapshot, or the one to write into
   * @throws StrataError WORLD_LOCKED inside a loop; StrataTypeError INVALID_SNAPSHOT if `into` is none; LimitError
   *   MEMORY_LIMIT; what the `save` of a resource throws
   * @example const before = world.snapshot()
   */
  snapshot(options: SnapshotOptions = {}): Snapshot {
    const { state } = this
    state.refuseDisposed()
    state.refuseWhileLocked('snapshot')
    checkOptions('snapshot', options)
    // Without a list of the names: a snapshot in each frame must not allocate.
    for (const name in options) if (name !== 'into') checkOptions('snapshot', options, ['into'])
    const into = options?.into
    if (into !== undefined) checkSnapshot(into, 'snapshot: into')
    return takeSnapshot(state, this.module, into)
  }

  /**
   * Takes the world back to a snapshot. Every handle names what it named then: entities that died since are alive, those
   * that were made since are not. Queries, accessors, kernels, schedules and subscriptions keep working. No events are
   * reported: listeners of onRestore and subscribers of queries are called once, at the end.
   * Commands that were recorded before are stale: see Commands. A schedule that is running keeps its time.
   * Cost: a copy of the memory that was in use; if components or archetypes were met since, everything that queries and
   * accessors have resolved is resolved anew when they are used next.
   *
   * @param snapshot of this world, or of another one with the same options and core
   * @throws StrataError WORLD_LOCKED inside a loop; StrataTypeError INVALID_SNAPSHOT; LimitError MEMORY_LIMIT. Nothing
   *   changes then. After restoring, the first error thrown by a listener, `revive`, `load` or `dispose`
   */
  restore(snapshot: Snapshot): void {
    const { state } = this
    state.refuseDisposed()
    state.refuseWhileLocked('restore')
    checkSnapshot(snapshot, 'restore')
    restoreSnapshot(state, this.module, snapshot)
  }

  /**
   * Creates a world of its own in the same state, with the same options and handles. Objects are made by `revive`,
   * resources that are JavaScript values by `save` and `load`; those without are missing in the new world, until
   * setResource gives it one. Listeners, kernels and schedules stay behind, and a query made in the new world has seen no
   * changes yet. Dispose of worlds that are no longer needed: a page can have about 120.
   *
   * @throws as snapshot and restore do
   * @example const twin = world.fork()
   */
  fork(): World {
    const { heap } = this.state
    const snapshot = this.snapshot()
    const twin = this.another({
      // All of it at once: memory that grows makes every loop of the process slower.
      memory: { initial: heap.u8.length, maximum: heap.word(BLOCKS_MAXIMUM) },
      maxEntities: heap.word(WORLD_MAX_ENTITIES),
      ids: heap.word(WORLD_STRICT_IDS) === 0 ? 'recycle' : 'strict',
      module: this.module,
      saves: this.saves,
    })
    try {
      twin.restore(snapshot)
    } catch (error) {
      twin.dispose()
      throw error
    }
    return twin
  }

  /**
   * The entities with their components, and the resources, as a file of this package's own format, which a later version
   * of the program can load: docs/saving.md. Equal worlds give equal bytes. Resources that are
   * JavaScript values are saved if they have `save` and `load`, by what `save` returns; of object components it is saved
   * who has them. Changes that are recorded in command buffers, listeners, and what queries have seen are not saved.
   * Cost: about 1 ms per MB, and 10 ns per entity.
   *
   * @param options `only`, `entities`: what is saved
   * @returns a new array with the bytes of the file
   * @throws StrataError MISSING_SAVES unless the world was made by createWorld({ saves }), WORLD_LOCKED inside a loop;
   *   StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, INVALID_VALUE for a resource that no file can hold; what the
   *   `save` of a resource throws
   * @example const bytes = world.save({ only: [Position, Health], entities: world.query(Player) })
   */
  save(options: SaveOptions = {}): Uint8Array<ArrayBuffer> {
    return requireSaves(this.state, this.saves, 'save').save(this.state, options)
  }

  /**
   * Adds what world.save returned, here or elsewhere, to this world. Entities get new handles; `entity` fields that point
   * at entities of the save follow them. Rows count as added at the tick of this world, and listeners are told of them as
   * of copies: onAdd and onEnter, once everything is there. Resources that this world has already stay as they are.
   * Cost: about 0.3 ms per MB and 30 ns per entity.
   *
   * @param bytes a whole file; it is read at once
   * @param options `components`: what names stand for that this world does not know yet
   * @returns the new handles by the old ones, the names that are unknown, and the entities without their objects
   * @throws StrataError SAVE_REFUSED for bytes that are damaged or no save, MISSING_MIGRATION, MISSING_SAVES, WORLD_LOCKED
   *   inside a loop; StrataTypeError INVALID_OPTION, NOT_A_COMPONENT, DUPLICATE_NAME; LimitError; what migrations and
   *   `load` throw. Nothing changes then. After merging, the first error thrown by `revive` or a listener
   * @example const { handles } = world.merge(bytes, { components: [Position] })
   */
  merge(bytes: Uint8Array, options: MergeOptions = {}): Merged {
    return requireSaves(this.state, this.saves, 'merge').merge(this.state, bytes, options)
  }

  /**
   * Calls a listener after every restore, when everything else is done: for presentation, which is not told of single
   * changes then. The world is locked meanwhile; what the listener changes is changed afterwards.
   *
   * @param listener called with the world, and with which entities lost an object that could not be revived
   * @returns a function that unsubscribes
   * @throws StrataTypeError INVALID_OPTION if it is not a function
   * @example world.onRestore(() => renderer.rebuild())
   */
  onRestore(listener: (world: World, report: RestoreReport) => void): () => void {
    this.state.refuseDisposed()
    checkFunction('onRestore', listener)
    return observersOf(this.state).listenToRestore(listener as (world: World, report: unknown) => void)
  }

  /**
   * A number from 0 to 2^32 - 1 for what entities have: handles, names of components, values, and what is switched off;
   * for object components only who has them. Order of rows, change ticks and memory have no influence, so worlds that
   * went the same way have equal digests, also in different browsers.
   * Cost: a visit to every value, about 10 ns each. Allocates little. Allowed inside a loop.
   *
   * @param of components, or resources with fields; without any, all entities, components and resources
   * @throws StrataTypeError NOT_A_COMPONENT
   * @example if (world.digest(Position, Health) !== message.digest) resynchronise()
   */
  digest(...of: (ComponentLike | AnyComponent | Resource)[]): number {
    this.state.refuseDisposed()
    if (of.length === 0) return digestAll(this.state)
    return digestOf(this.state, of.map(digestible))
  }
}

function digestible(given: unknown): Definition {
  const definition = given instanceof ResourceDeclaration ? given.definition : definitionOf(given)
  if (definition === undefined) throw notAComponent(given, 'digest')
  return definition
}
