// Owns the queue of structural changes made while a loop is open, and their application in order.
// It must never lose a command: one that fails lets the later ones run, and its error is thrown at the end.

import { STATUS_DEAD, STATUS_OUT_OF_MEMORY } from '../build/layout'
import type { BundleNode } from './bundle'
import { placeClone } from './clones'
import { type Definition, copyValues } from './component'
import type { Entity } from './entity'
import { limitError } from './errors'
import { writeValues } from './values'
import type { WorldState } from './worldState'

const SPAWN = 0
const ADD = 1
const REMOVE = 2
const DESTROY = 3
const OTHER = 4
const CLONE = 5

type Values = Record<string, unknown> | undefined

/** What a queued command carries besides its entity and bundle. */
type Payload = readonly Values[] | (() => void) | Entity | undefined

const KEYS_PER_ENTITY = 0x10000

export class CommandQueue {
  count = 0
  // Parallel arrays that keep their length: queueing allocates nothing in the long run.
  private readonly kinds: number[] = []
  private readonly entities: number[] = []
  private readonly bundles: (BundleNode | undefined)[] = []
  private readonly payloads: Payload[] = []
  /** (entity, component) pairs that commands before `indexed` touch; built only when it is asked for. */
  private readonly touched = new Set<number>()
  private readonly touchedEntities = new Set<number>()
  private indexed = 0
  private touchesAll = false
  private flushing = false
  /** The first error of this flush. */
  private failure: { readonly error: unknown } | undefined

  constructor(private readonly state: WorldState) {}

  spawn(entity: Entity, bundle: BundleNode, values: readonly Values[] | undefined): void {
    this.push(SPAWN, entity, bundle, values?.map(copyValues))
  }

  add(entity: Entity, bundle: BundleNode, values: readonly Values[] | undefined): void {
    this.push(ADD, entity, bundle, values?.map(copyValues))
  }

  remove(entity: Entity, bundle: BundleNode): void {
    this.push(REMOVE, entity, bundle, undefined)
  }

  destroy(entity: Entity): void {
    this.push(DESTROY, entity, undefined, undefined)
  }

  /** Makes `entity`, a reserved one, a copy of `source` as that is when it comes to it. */
  clone(entity: Entity, source: Entity): void {
    this.push(CLONE, entity, undefined, source)
  }

  /** Handles of entities whose spawn is queued. */
  queuedSpawns(): number[] {
    return this.entities
      .slice(0, this.count)
      .filter((_, i) => this.kinds[i] === SPAWN || this.kinds[i] === CLONE)
  }

  /** Anything that concerns many entities. */
  later(action: () => void): void {
    this.push(OTHER, 0, undefined, action)
  }

  private push(kind: number, entity: number, bundle: BundleNode | undefined, payload: Payload): void {
    const i = this.count++
    this.kinds[i] = kind
    this.entities[i] = entity
    this.bundles[i] = bundle
    this.payloads[i] = payload
  }

  /** Whether a queued command decides about this component of this entity, so that a later set must wait too. */
  concerns(entity: number, definition: Definition): boolean {
    while (this.indexed < this.count) this.index(this.indexed++)
    return (
      this.touchesAll ||
      this.touchedEntities.has(entity) ||
      this.touched.has(entity * KEYS_PER_ENTITY + definition.serial)
    )
  }

  private index(i: number): void {
    const kind = this.kinds[i]
    const entity = this.entities[i] as number
    if (kind === OTHER) this.touchesAll = true
    else if (kind === SPAWN || kind === DESTROY) this.touchedEntities.add(entity)
    else if (kind === CLONE) this.touchedEntities.add(entity).add(this.payloads[i] as Entity)
    else {
      for (const definition of (this.bundles[i] as BundleNode).definitions) {
        this.touched.add(entity * KEYS_PER_ENTITY + definition.serial)
      }
    }
  }

  /** Applies everything, also what the commands themselves queue. Throws the first error at the end. */
  flush(): void {
    // A loop that closes while commands are applied adds to this flush; it must not start another one.
    if (this.flushing) return
    this.flushing = true
    for (let i = 0; i < this.count; i++) {
      if (this.state.promised > 0) this.adoptPromised()
      this.tryApply(i)
      this.bundles[i] = undefined
      this.payloads[i] = undefined
    }
    this.flushing = false
    this.count = 0
    this.forgetTouched()
    const failure = this.failure
    this.failure = undefined
    if (failure !== undefined) throw failure.error
  }

  private tryApply(i: number): void {
    try {
      this.apply(i)
    } catch (error) {
      this.failure ??= { error }
    }
  }

  private forgetTouched(): void {
    // Clearing a Set allocates, so it is left alone when nobody asked what the commands concern.
    if (this.indexed === 0) return
    this.indexed = 0
    this.touchesAll = false
    this.touched.clear()
    this.touchedEntities.clear()
  }

  /** Makes records for the handles promised while memory must not grow; when they cannot be had, they are dead. */
  private adoptPromised(): void {
    const { state } = this
    const count = state.promised
    state.promised = 0
    const status = state.core.entitiesAdopt(count)
    state.heap.check()
    if (status < 0) this.failure ??= { error: limitError(status, '') }
  }

  /** Gives a reserved entity its row. Without one no query would find it: then it dies. */
  private placeReserved(entity: number, bundle: BundleNode): number {
    const { core } = this.state
    let status = STATUS_OUT_OF_MEMORY
    try {
      status = core.entityPlace(entity, bundle.addressIn(this.state))
    } finally {
      if (status < 0) core.entityDestroy(entity)
    }
    return status
  }

  private apply(i: number): void {
    const { state } = this
    const entity = this.entities[i] as number
    const bundle = this.bundles[i] as BundleNode
    const payload = this.payloads[i]
    let status = 0
    switch (this.kinds[i]) {
      case SPAWN:
        status = this.placeReserved(entity, bundle)
        break
      case ADD:
        status = state.core.entityAdd(entity, bundle.addressIn(state))
        break
      case REMOVE:
        status = state.core.entityRemove(entity, bundle.addressIn(state))
        break
      case DESTROY:
        state.core.entityDestroy(entity)
        return
      case CLONE:
        placeClone(state, entity as Entity, payload as Entity)
        return
      default:
        ;(payload as () => void)()
        return
    }
    state.heap.check()
    // An entity destroyed earlier in the block: destroy wins.
    if (status === STATUS_DEAD) return
    if (status < 0) throw limitError(status, bundle.describeRows())
    if (payload !== undefined) writeValues(bundle, entity, payload as readonly Values[])
  }
}
