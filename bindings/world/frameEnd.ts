// Owns the end of a frame: it destroys entities with the tag QueuedForDestroy, and removes frame components from all entities.

import { COMPONENTS_COUNT, FLAG_FRAME } from '../../build/layout'
import { changeAll } from '../changes/applyBulk'
import { isHeard } from '../changes/applyChange'
import { REMOVE } from '../changes/commandLog'
import { addressOf } from '../changes/entityRows'
import { tag } from '../components/component'
import type { Definition } from '../components/definition'
import { rareOf } from '../memory/coreParts'
import type { Entity } from '../memory/entity'
import { limitError } from '../memory/errors'
import type { Query } from '../queries/query'
import { destroyMatching } from '../queries/queryChanges'
import { type WorldQueries, holdersOf } from '../queries/queryCache'
import { frameLeftOpen } from '../state/openLoops'
import type { RowChange } from '../state/change'
import { type WorldState, stateOf } from '../state/worldState'
import type { World } from './world'

/**
 * The tag that queueDestroy(world) adds. Entities with it can still be read, and match queries without `not(QueuedForDestroy)`;
 * endFrame(world) destroys them.
 */
export const QueuedForDestroy = /* @__PURE__ */ tag('QueuedForDestroy')
const QUEUED = QueuedForDestroy as unknown as Definition

class FrameEnd {
  private queued: Query | undefined
  /** Number of the outermost loop, in the count of WorldState, for whose end a frame waits. */
  private awaited = 0
  /** The first error of this end of a frame. */
  private failure: { readonly error: unknown } | undefined
  /** Components that live for one frame, in the order of their declarations. */
  private shortLived: readonly Definition[] = []
  /** Of which components they are: these numbers tell when to look again. */
  private generation = -1
  private known = 0

  constructor(
    private readonly state: WorldState,
    private readonly queries: WorldQueries,
  ) {}

  /** Ends the frame, now or after the open loop. */
  end(): void {
    const { state } = this
    state.refuseDisposed()
    if (state.locks === 0) return state.together(() => this.run())
    const { names } = state.loops
    // The loop was left open in an earlier frame.
    if (names !== undefined && this.awaited === state.loop) throw frameLeftOpen(names)
    this.awaited = state.loop
    state.commands.later(() => this.end())
  }

  /** Ends the frame now. What finds no memory does not keep the rest from being done. */
  private run(): void {
    const { state } = this
    if (state.known(QUEUED) !== undefined) this.attempt(() => this.destroyQueued())
    this.lookUp()
    for (const definition of this.shortLived) this.attempt(() => clearComponent(state, definition))
    const { failure } = this
    this.failure = undefined
    if (failure !== undefined) throw failure.error
  }

  /** Finds what lives for one frame, if the world has met other components since the last time. */
  private lookUp(): void {
    const { state, generation, known } = this
    this.generation = state.generation
    this.known = state.heap.word(COMPONENTS_COUNT)
    if (this.generation === generation && this.known === known) return
    this.shortLived = state
      .definitionsById()
      .filter(({ flags }) => (flags & FLAG_FRAME) !== 0)
      .sort((a, b) => a.serial - b.serial)
  }

  private attempt(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.failure ??= { error }
    }
  }

  private destroyQueued(): void {
    this.queued ??= holdersOf(this.queries, QueuedForDestroy)
    destroyMatching(this.queued)
  }
}

/** The rows of all entities that have one component. */
const clearedRows: RowChange = {
  isOne: false,

  hold(state, { losses }) {
    const status = rareOf(state).componentPrepare(addressOf(state, losses))
    state.heap.check()
    return status
  },

  make(state, { losses }) {
    const status = rareOf(state).componentClear(addressOf(state, losses))
    state.heap.check()
    return status
  },

  write() {},
}

/** Takes a component from every entity in one call: from all that have it, or from none if memory runs out. */
function clearComponent(state: WorldState, definition: Definition): void {
  const bundle = state.bundles.with(definition, 'endFrame')
  const address = bundle.addressIn(state)
  if (bundle.needsUpkeep || isHeard(state, bundle)) {
    const registration = state.register(definition)
    const holders = state.livingHandles().filter((entity) => registration.isOn(entity))
    changeAll(state, REMOVE, holders, bundle, undefined, clearedRows)
    return
  }
  state.reporting?.subscribers.naming(bundle, undefined)
  const status = rareOf(state).componentClear(address)
  state.heap.check()
  if (status < 0) throw limitError(status, bundle.describeRows())
}

/** By world: what each keeps from one end of a frame to the next. */
const frameEnds = /* @__PURE__ */ new WeakMap<World, FrameEnd>()

/**
 * Marks an entity for destruction at the end of the frame, by adding the tag QueuedForDestroy. Until endFrame destroys it,
 * the entity stays as it is and still matches queries without not(QueuedForDestroy). Inside a loop the mark is added when
 * the loop ends.
 *
 * @returns false if it was not alive or was marked already
 * @throws LimitError. Nothing changes then.
 */
export function queueDestroy(world: World, entity: Entity | number): boolean {
  const state = stateOf(world, 'queueDestroy')
  return state.isAlive(entity) ? world.add(entity, QueuedForDestroy) : state.refuse(entity, 'queueDestroy')
}

/**
 * Ends a frame: destroys the entities that wait for it, then removes every component declared with `{ lifetime: 'frame' }`
 * from all entities, each in one call. Does not advance the change tick: see
 * advance. Inside a loop this waits until the loop ends. Cost: proportional to what there is to destroy and remove.
 *
 * @throws StrataError WORLD_LOCKED at the second call inside one loop: an earlier frame left that loop open, most
 *   likely because of an `await` in it
 * @throws LimitError, the first one: a component whose entities cannot be moved stays on all of them; everything
 *   else is done
 */
export function endFrame(world: World): void {
  const state = stateOf(world, 'endFrame')
  let frameEnd = frameEnds.get(world)
  if (frameEnd === undefined) frameEnds.set(world, (frameEnd = new FrameEnd(state, world['queries'])))
  frameEnd.end()
}
