// Owns the queue of structural changes made while a loop is open, and their application in order.
// It must never lose a command: one that fails lets the later ones run, and its error is thrown at the end.
//
// The commands of one entity are chained as they are recorded, up to the next command that concerns many entities:
//
//   position   0      1      2      3      4               last: by entity index, the position of its last command
//            ┌──────┬──────┬──────┬──────┬──────┐
//   entity   │ a    │ b    │ a    │ a    │ c    │
//   head     │ 0    │ 1    │ 0    │ 0    │ 4    │          a chain is applied as one change, where its head is
//   next     │ 2    │ 0    │ 3    │ 0    │ 0    │          0: the last of its chain
//            └──────┴──────┴──────┴──────┴──────┘

import { STATUS_DEAD, STATUS_DONE, STATUS_NOTHING, STATUS_OUT_OF_MEMORY } from '../../build/layout'
import { type Definition, needsUpkeep } from '../components/definition'
import type { ValuesByComponent } from '../components/componentValues'
import { requireValues } from '../state/requiredValues'
import { INDEX_MASK } from '../memory/entity'
import { LimitError, StrataError, limitError } from '../memory/errors'
import type { Bundle, BundleNode } from '../state/bundle'
import { rowOf } from '../state/rowLimits'
import type { WorldState } from '../state/worldState'
import { applyAlike } from './commandRuns'
import { destroyEntity, perform, performNumbers } from './applyChange'
import type { FoldedChange } from './foldedChanges'
import { Folding } from './folding'
import { InsertionOrder } from './insertionOrder'
import { ADD, CommandLog, DESTROY, EXCHANGE, OTHER, type Payload, REMOVE, SPAWN } from './commandLog'

/** `base` grows with each flush, so that positions of earlier flushes are recognised. Above this value it starts again at 1. */
const LAST_BASE = 0x3fffffff

/** Handlers that still queue changes after so many rounds cause their own events. */
const MOST_ROUNDS = 100_000

/** The queue of a world, for those who record commands of one entity. */
export function queueOf(state: WorldState): CommandQueue {
  return state.commands as CommandQueue
}

/** later() for what decides nothing about the commands around it: those of one entity are one change also across it. */
export function waitBeside(queue: CommandQueue, action: () => void): void {
  const chainable = queue['chainable']
  queue.later(action)
  queue['chainable'] = chainable
}

/**
 * An object component needs its value, and a relation its target, when the change is queued: unless a change that waits may
 * have given it one by then.
 */
export function requireValuesLater(
  state: WorldState,
  entity: number,
  bundle: BundleNode,
  given: ValuesByComponent,
  operation: string,
): void {
  const asks = bundle.holdsObjects || bundle.relates
  if (asks && !bundle.definitions.some((definition) => queueOf(state).concerns(entity, definition)))
    requireValues(state, bundle, given, entity, operation)
}

export class CommandQueue extends CommandLog {
  private heads = new Int32Array(this.kinds.length)
  private next = new Int32Array(this.kinds.length)
  /** By entity index: `base` plus the position of its last command. */
  private last = new Int32Array(1024)
  /** What is below is of an earlier flush. */
  private base = 1
  /** What is below is of an earlier flush, or lies before a command that concerns many. */
  private chainable = 1
  /** The command to apply next. */
  private at = 0
  flushing = false
  /** How often what was queued meanwhile had to be applied in its turn. */
  private rounds = 0
  private roundEnd = 0
  private readonly folding: Folding
  /** Whether a command that gives a tag of the order of insertion is applied before its turn. */
  private ordering = false
  private readonly insertionOrder: InsertionOrder

  constructor(private readonly state: WorldState) {
    super()
    this.folding = new Folding(state)
    this.insertionOrder = new InsertionOrder(state)
  }

  protected override push(
    kind: number,
    entity: number,
    bundle: BundleNode | undefined,
    removed: BundleNode | undefined,
    payload: Payload,
  ): void {
    this.state.refuseSealed()
    this.state.owed = true
    const position = this.count
    super.push(kind, entity, bundle, removed, payload)
    // A link concerns its target, too: like a change of many, it is made in its turn and by itself.
    const isApart = kind === OTHER || bundle?.relates === true || removed?.relates === true
    if (isApart) this.chainable = this.base + position
    if (kind !== OTHER) this.chain(position, entity)
    if (isApart) this.chainable++
    // It may give a row to one that is back, to which kept links lead.
    this.state.relations?.returnLater(entity)
  }

  protected override grow(capacity: number): void {
    super.grow(capacity)
    const { heads, next } = this
    this.heads = new Int32Array(capacity)
    this.heads.set(heads)
    this.next = new Int32Array(capacity)
    this.next.set(next)
  }

  private chain(position: number, entity: number): void {
    const index = entity & INDEX_MASK
    if (index >= this.last.length) this.growLast(index + 1)
    const before = this.last[index] as number
    this.last[index] = this.base + position
    this.next[position] = 0
    this.heads[position] = position
    if (before < this.chainable) return
    const previous = before - this.base
    // The earlier command names another generation of this index: one of the two handles is stale.
    if (this.entities[previous] !== entity) return
    this.next[previous] = position
    this.heads[position] = this.heads[previous] as number
    if (this.bundles[position]?.keepsInsertionOrder === true) this.ordering = true
  }

  private growLast(count: number): void {
    const longer = new Int32Array(Math.max(count, this.last.length * 2, this.state.heap.entityCapacity))
    longer.set(this.last)
    this.last = longer
  }

  /** Whether a queued command decides about this component of this entity, so that a later set must wait too. */
  concerns(entity: number, definition: Definition): boolean {
    if (this.chainable !== this.base) return true
    const last = (this.last[entity & INDEX_MASK] ?? 0) - this.base
    if (last < 0 || this.entities[last] !== entity) return false
    let i = this.heads[last] as number
    do {
      if (this.kinds[i] === DESTROY) return true
      if (this.bundles[i]?.contains(definition) || this.removals[i]?.contains(definition)) return true
      i = this.next[i] as number
    } while (i !== 0)
    return false
  }

  /** Applies everything, also what the commands themselves queue. Throws the first error at the end. */
  flush(): void {
    if (this.state.heap.leftBehind) this.state.heap.endLeftBehind()
    if (this.state.hasPromised()) this.adoptPromised()
    // A loop that closes while commands are applied adds to this flush; it must not start another one.
    if (this.flushing) return
    this.flushing = true
    // What comes up from here on is met by this flush, or sets it again.
    this.state.owed = false
    try {
      this.applyAll()
    } catch (error) {
      // The stack has ended: what is still to be applied waits for the end of the next loop, and what has failed before
      // is told now. Nothing is called here: there may be no room for it.
      this.flushing = false
      this.state.owed = true
      const { failure } = this.state
      this.state.failure = undefined
      throw failure === undefined ? error : failure.error
    }
    this.flushing = false
    this.startOver()
    const failure = this.state.takeFailure()
    if (failure !== undefined) throw failure.error
  }

  private applyAll(): void {
    if (this.state.texts.promisedCount > 0) this.keepTexts()
    this.rounds = 0
    this.roundEnd = 0
    do {
      if (this.setsWait) {
        this.rounds++
        this.state.reporting?.reportPending()
      }
      this.tryToApply()
      if (this.rounds > MOST_ROUNDS) this.drop()
    } while (this.at < this.count || this.setsWait || this.tellSubscribers())
    if (this.state.texts.promisedCount > 0) this.keepTexts()
  }

  /** Whether sets of listeners wait to be told. */
  private get setsWait(): boolean {
    return this.state.reporting?.pending === true
  }

  /** Calls the subscribers whose query result or resource has changed; returns whether there were any. */
  private tellSubscribers(): boolean {
    this.insertionOrder.settle()
    const told = this.state.reporting?.subscribers.tell() === true
    // A listener of a resource that writes it queues nothing.
    if (told) this.rounds++
    return told
  }

  /** Drops everything queued, because listeners keep triggering each other. Entities whose spawn was queued die. */
  private drop(): void {
    this.state.fail(endlessEvents(MOST_ROUNDS))
    this.state.reporting?.forgetPending()
    this.state.reporting?.subscribers.drop()
    for (let i = this.at; i < this.count; i++) {
      if (this.kinds[i] === SPAWN && !this.state.hasRow(this.entities[i] as number)) {
        this.state.core.entityDestroy(this.entities[i] as number, 0)
      }
    }
    this.at = this.count
  }

  /** Forgets what was queued: the world it was meant for is no more. */
  forget(): void {
    this.startOver()
  }

  private startOver(): void {
    this.base += this.count
    if (this.base > LAST_BASE) {
      this.last.fill(0)
      this.base = 1
    }
    this.chainable = this.base
    this.at = 0
    this.ordering = false
    this.empty()
  }

  /** Goes on until a command fails, or all are applied. */
  private tryToApply(): void {
    try {
      while (this.at < this.count && this.rounds <= MOST_ROUNDS) {
        if (this.at >= this.roundEnd) {
          this.rounds++
          this.roundEnd = this.count
        }
        // What is queued from here on is applied behind all that waits: it must not be chained to that.
        this.chainable = this.base + this.count
        const end = this.count
        while (this.at < end) {
          // Where some are applied before their turn, each is noted, so that orders of insertion can be mended.
          if (!this.ordering) this.at += applyAlike(this.state, this, this.heads, this.next, this.at, end)
          if (this.at < end) this.applyAt(this.at++)
        }
        this.insertionOrder.settle()
        if (this.setsWait) return
      }
    } catch (error) {
      this.state.fail(error)
    }
  }

  private applyAt(i: number): void {
    if (this.kinds[i] === OTHER) {
      this.insertionOrder.settle()
      ;(this.payloads[i] as () => void)()
    } else if (this.heads[i] === i) {
      if (this.ordering) this.applyOrdered(i)
      else this.applyFrom(i)
    }
  }

  /** Applies the command, and all later ones of the same chain. */
  private applyFrom(first: number): void {
    if (this.next[first] === 0) this.apply(first)
    else this.applyChain(first)
  }

  /** Also notes which entities got a tag with the order of insertion. */
  private applyOrdered(first: number): void {
    this.insertionOrder.before(this, this.next, first)
    try {
      this.applyFrom(first)
    } finally {
      this.insertionOrder.after(this, this.next, first)
    }
  }

  private applyChain(first: number): void {
    const { folding } = this
    let status = STATUS_OUT_OF_MEMORY
    try {
      status = this.applyFolded(first)
      if (status >= 0 && folding.unused.length > 0) {
        const { unusedOf, unused } = folding
        const { objects } = this.state.upkeepFor(unusedOf[0] as Definition)
        objects.disposeUnused(this.entities[first] as number, unusedOf, unused)
      }
    } catch (error) {
      if (!(error instanceof LimitError)) throw error
    } finally {
      folding.finish()
    }
    // Nothing has changed then. One by one, those that fit are applied and the others say why not.
    if (status < 0) this.applyEach(first)
  }

  /** Makes all changes of a chain as one. A negative status of the core, or a LimitError, when that met a limit. */
  private applyFolded(first: number): number {
    const { state, folding } = this
    const entity = this.entities[first] as number
    if (!state.isAlive(entity)) {
      folding.foldDead(this, this.next, first)
      return STATUS_DONE
    }
    folding.fold(this, this.next, first)
    if (folding.destroyed) return destroyEntity(state, entity) ? STATUS_DONE : STATUS_NOTHING
    const { spawned } = folding
    const { removes, removed, adds, added } = folding.change as FoldedChange
    if (removes && !adds && !spawned) return perform(state, REMOVE, entity, undefined, removed, undefined)
    if (removes) return this.performFolded(EXCHANGE, entity, added, removed)
    return this.performFolded(spawned ? SPAWN : ADD, entity, added, undefined)
  }

  private performFolded(kind: number, entity: number, added: Bundle, removed: Bundle | undefined): number {
    const { state, folding } = this
    return folding.start === 0
      ? perform(state, kind, entity, added, removed, folding.given)
      : performNumbers(state, kind, entity, added, removed, folding.numbers, folding.start)
  }

  private applyEach(first: number): void {
    let i = first
    do {
      try {
        this.apply(i)
      } catch (error) {
        this.state.fail(error)
      }
      i = this.next[i] as number
    } while (i !== 0)
  }

  private apply(i: number): void {
    const bundle = this.bundles[i]
    const status = bundle?.holdsObjects === true ? this.changeWithObjects(i, bundle) : this.change(i)
    // An entity destroyed earlier in the block: destroy wins.
    if (status >= 0 || status === STATUS_DEAD) return
    throw limitError(
      status,
      (bundle as BundleNode).describeRows(rowOf(this.state, this.entities[i] as number)),
    )
  }

  /** Values that come to nothing are disposed of. */
  private changeWithObjects(i: number, bundle: BundleNode): number {
    let status = STATUS_OUT_OF_MEMORY
    try {
      status = this.change(i)
      return status
    } finally {
      if (status < 0) {
        const object = bundle.definitions.find(needsUpkeep) as Definition
        const given = this.givenAt(i)
        this.state.upkeepFor(object).objects.abandon(this.entities[i] as number, bundle, given)
      }
    }
  }

  private change(i: number): number {
    const { state } = this
    const entity = this.entities[i] as number
    const bundle = this.bundles[i] as BundleNode
    const kind = this.kinds[i] as number
    if (kind === DESTROY) return destroyEntity(state, entity) ? STATUS_DONE : STATUS_NOTHING
    if (kind === SPAWN) return this.placeReserved(i, entity, bundle)
    if (kind === REMOVE) return perform(state, REMOVE, entity, undefined, bundle, undefined)
    return this.performGiven(i, entity, bundle)
  }

  /** Makes a change that may bring values. */
  private performGiven(i: number, entity: number, bundle: BundleNode): number {
    const { state, numbers } = this
    const [kind, removed, start] = [this.kinds[i] as number, this.removals[i], this.starts[i] as number]
    return start === 0
      ? perform(state, kind, entity, bundle, removed, this.payloads[i] as ValuesByComponent)
      : performNumbers(state, kind, entity, bundle, removed, numbers, start)
  }

  /** Gives a reserved entity its row. Without one no query would find it: then it dies. */
  private placeReserved(i: number, entity: number, bundle: BundleNode): number {
    const { state } = this
    let status = STATUS_OUT_OF_MEMORY
    try {
      status = this.performGiven(i, entity, bundle)
    } finally {
      if (status < 0 && !state.hasRow(entity)) destroyEntity(state, entity)
    }
    return status
  }

  /** Makes records for the handles promised while memory must not grow; when they cannot be had, they are dead. */
  private adoptPromised(): void {
    const { state } = this
    const status = state.core.entitiesAdopt()
    state.heap.check()
    if (status < 0) state.fail(limitError(status, ''))
  }

  /** Stores the texts promised while memory must not grow; rows whose text finds no memory read as ''. */
  private keepTexts(): void {
    try {
      this.state.texts.keepPromised()
    } catch (error) {
      this.state.fail(error)
    }
  }
}

/** The error for handlers that go on causing each other's events. */
function endlessEvents(rounds: number): StrataError {
  return new StrataError(
    'ENDLESS_EVENTS',
    `Listeners have caused each other's events for ${rounds} rounds, and what was queued is dropped: one makes the change that it listens to. Let it test whether the change is needed.`,
  )
}
