// Owns the state that the parts of one world share, how it starts over and ends, and the check of a world that a call was given.
// See memory/handles.ts, session.ts and registry.ts for what it consists of.
//
//   Handles    the core, the memory, which handles are alive
//   Session    whether a loop is open, what waits for its end
//   Registry   the components that the world has met
//   WorldState ticks, versions, the world starting over
//
// They are one object, so that what every call reads lies side by side. A function takes the first of them that suffices.

import { TABLE_VERSION, WORLD_TICK_WORD } from '../../build/layout'
import type { ResourceDeclaration } from '../components/resourceDeclaration'
import { type CoreExports, noParts } from '../memory/core'
import { allArchetypes, versionOfList } from '../memory/coreTables'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import type { SharingWorkers } from '../memory/workerMemory'
import { BundleNode } from './bundle'
import type { ChangeCalls } from './changeHooks'
import type { Registration } from './registration'
import { Registry } from './registry'
import type { SeenTickOwners } from './seenTickOwners'

/** Ticks in memory are looked over each time the world's tick has gone on by this much: see assembly/tables/ticks.ts. */
const AGING_MASK = 0x3fffffff

/** What createGroup() leaves in a world, as WorldState.grouping. Groups lie in memory: a world that takes over memory takes it, too. */
export interface GroupHooks {
  /** The address of the group that consists of exactly these pools; 0 if they are not a group. */
  addressOf(state: WorldState, pools: readonly Registration[]): number
  /** The class of loops over a group: see iteration/strategyOf.ts. */
  readonly Loop: unknown
}

/** The resources of a world, as far as saves read them: Resources of resources/resources.ts implements it. */
export interface WorldResources {
  /** What the world has met. */
  declarations(): ResourceDeclaration[]
  /** What `save` gives of each value that the world has and that is chosen. */
  savedValues(chosen: (declaration: ResourceDeclaration) => boolean): [ResourceDeclaration, unknown][]
}

export class WorldState extends Registry {
  /**
   * Grows when cached addresses and ids become invalid: on reset, on trim, on dispose, and on a restore to before something
   * became known.
   */
  generation = 0
  /** Grows with every reset. */
  resets = 0
  /** Grows with every reset and every restore: command buffers recorded earlier no longer apply. */
  timeline = 0
  /** Which query owns each look in linear memory, from the first one on: see queries/seenTick.ts. */
  seenTicks: SeenTickOwners | undefined = undefined
  /** From the first group on: what finds and walks groups. It stays when a restore takes all groups away. */
  grouping: GroupHooks | undefined = undefined
  /** Sum of all table versions before the last reset or restore, so that no version of a query comes twice. */
  versionsBefore = 0
  /** The world itself, for functions of the program that are given it. Set by the world. */
  world!: object
  /** What stands around changes, once something does. */
  changes: ChangeCalls | undefined = undefined
  /** Set when the first resource is asked for: see resourcesOf. */
  resources: WorldResources | undefined = undefined

  /** The pool of threads that its kernels may use. Set by the world. */
  workers: SharingWorkers | undefined = undefined

  /** Call before the core starts over, or memory goes back, so that no query's version comes again. */
  keepVersions(): void {
    const { heap } = this
    let sum = this.versionsBefore + 1 + versionOfList(heap, allArchetypes(heap))
    for (const registration of this.byId) {
      if (registration.pooled) sum += heap.word(registration.pool + TABLE_VERSION)
    }
    this.versionsBefore = sum >>> 0
  }

  /** Forgets every cache after the core started over. */
  restart(): void {
    this.forgetComponents(new BundleNode(undefined, undefined, 0))
    this.generation++
    this.resets++
    this.timeline++
    this.seenTicks?.restore([])
    this.heap.refresh(true)
    this.heap.endLeftBehind()
  }

  /** Call after archetypes without rows were dropped with all bundles, and the other archetypes got new ids. */
  forgetArchetypes(): void {
    // A command buffer may hold some of the bundles.
    this.bundles.forgetAddresses()
    this.bundles = new BundleNode(undefined, undefined, 0)
    this.bundles.names = this.names
    for (const registration of this.byId) registration.forgetArchetypes()
    this.generation++
    this.relations?.bundlesDropped()
  }

  /** Lets the memory go: nothing is alive from now on, and every table is empty. */
  dispose(): void {
    this.disposed = true
    this.forgetComponents(new DisposedBundle(this))
    // A program may hold the world, and all that came of it, for longer: nothing of that may hold the memory.
    this.heap.release()
    this.heap.readers.clear()
    this.participants.dispose()
    // It passes for a whole core.
    this.core = new Proxy({} as CoreExports, { get: () => () => this.refuseDisposed(), has: () => true })
    this.parts = noParts(undefined)
    this.generation++
  }

  /** Moves the change tick on. */
  advance(): void {
    // What was written until now bears the tick of now.
    this.cursorPools.settle()
    const u32 = this.heap.u32
    const tick = ((u32[WORLD_TICK_WORD] as number) + 1) >>> 0
    u32[WORLD_TICK_WORD] = tick
    if ((tick & AGING_MASK) === 0) this.core.ticksAge()
  }
}

/** Stands in for the bundles of a world that is gone: the first component asked of it throws. */
class DisposedBundle extends BundleNode {
  constructor(private readonly state: WorldState) {
    super(undefined, undefined, 0)
  }

  override with(): never {
    this.state.refuseDisposed()
    throw new Error('unreachable')
  }

  override addressIn(): never {
    return this.with()
  }
}

/**
 * The state of the world that a call was given.
 *
 * @param wanted what the call takes, for the sentence
 * @throws StrataTypeError INVALID_OPTION for what is no world
 */
export function stateOf(world: unknown, operation: string, wanted = 'a world'): WorldState {
  const state = (world as { readonly state?: unknown } | null | undefined)?.state
  if (state instanceof WorldState) return state
  throw new StrataTypeError('INVALID_OPTION', `${operation} takes ${wanted}, not ${describe(world)}.`)
}
