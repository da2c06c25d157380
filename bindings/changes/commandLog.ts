// Owns the recording of structural changes to be made later: what kind, of which entity, with which values. commandQueue.ts
// applies them. The lists that it is given belong to it from then on.

import { CHANGE_ADD, CHANGE_DESTROY, CHANGE_EXCHANGE, CHANGE_REMOVE, CHANGE_SPAWN } from '../../build/layout'
import type { ValuesByComponent } from '../components/componentValues'
import type { BundleNode } from '../state/bundle'
import { QueuedNumbers } from './queuedNumbers'

export const SPAWN = CHANGE_SPAWN
export const ADD = CHANGE_ADD
export const REMOVE = CHANGE_REMOVE
export const EXCHANGE = CHANGE_EXCHANGE
export const DESTROY = CHANGE_DESTROY
/** Anything that concerns many entities. */
export const OTHER = 5

/** What a command carries besides its entity and bundles. */
export type Payload = ValuesByComponent | (() => void)

const FIRST_CAPACITY = 64

export class CommandLog {
  count = 0
  // Parallel arrays that keep their length: recording allocates nothing in the long run.
  kinds = new Uint8Array(FIRST_CAPACITY)
  entities = new Uint32Array(FIRST_CAPACITY)
  /** What is spawned with, added or removed. Bundles live as long as their world: they need not be released. */
  readonly bundles: (BundleNode | undefined)[] = []
  /** What an exchange removes. Undefined for all others, up to the capacity. */
  readonly removals: (BundleNode | undefined)[] = []
  readonly payloads: Payload[] = []
  /** Where the values of a command begin among `numbers`; 0 if they are not there. A command whose values are there has no payload. */
  starts = new Int32Array(FIRST_CAPACITY)
  readonly numbers = new QueuedNumbers()
  /** Whether something was put into `removals` or `payloads`. */
  private carries = false

  constructor() {
    this.fillUp(FIRST_CAPACITY)
  }

  spawn(entity: number, bundle: BundleNode, given: ValuesByComponent): void {
    this.push(SPAWN, entity, bundle, undefined, given)
  }

  add(entity: number, bundle: BundleNode, given: ValuesByComponent): void {
    this.push(ADD, entity, bundle, undefined, given)
  }

  remove(entity: number, bundle: BundleNode): void {
    this.push(REMOVE, entity, bundle, undefined, undefined)
  }

  exchange(entity: number, removed: BundleNode, added: BundleNode, given: ValuesByComponent): void {
    this.push(EXCHANGE, entity, added, removed, given)
  }

  destroy(entity: number): void {
    this.push(DESTROY, entity, undefined, undefined, undefined)
  }

  /** Anything that concerns many entities, or is decided in its turn. */
  later(action: () => void): void {
    this.push(OTHER, 0, undefined, undefined, action)
  }

  /** Appends all commands of another log. */
  append(log: CommandLog): void {
    for (let i = 0; i < log.count; i++) {
      const entity = log.entities[i] as number
      const bundle = log.bundles[i]
      const start = log.starts[i] as number
      // What is pushed may be followed at once by what it makes necessary.
      const position = this.count
      this.push(log.kinds[i] as number, entity, bundle, log.removals[i], log.payloads[i])
      if (start !== 0) this.starts[position] = this.numbers.copy(log.numbers, start, bundle as BundleNode)
    }
  }

  /** The values that a command brings. */
  givenAt(i: number): ValuesByComponent {
    const start = this.starts[i] as number
    return start === 0
      ? (this.payloads[i] as ValuesByComponent)
      : this.numbers.given(this.bundles[i] as BundleNode, start)
  }

  /** Whether a command brings values, or is an action. */
  bringsAt(i: number): boolean {
    return this.payloads[i] !== undefined || this.starts[i] !== 0
  }

  /** Forgets everything; the arrays keep their length. */
  empty(): void {
    if (this.carries) {
      this.removals.fill(undefined, 0, this.count)
      this.payloads.fill(undefined, 0, this.count)
      this.carries = false
    }
    if (!this.numbers.isEmpty) {
      this.starts.fill(0, 0, this.count)
      this.numbers.empty()
    }
    this.count = 0
  }

  protected push(
    kind: number,
    entity: number,
    bundle: BundleNode | undefined,
    removed: BundleNode | undefined,
    payload: Payload,
  ): void {
    const i = this.count
    if (i === this.kinds.length) this.grow(i * 2)
    this.kinds[i] = kind
    this.entities[i] = entity
    this.bundles[i] = bundle
    if (removed !== undefined) {
      this.removals[i] = removed
      this.carries = true
    }
    if (payload !== undefined) this.carry(i, bundle, payload)
    this.count = i + 1
  }

  private carry(i: number, bundle: BundleNode | undefined, payload: NonNullable<Payload>): void {
    const start = typeof payload === 'object' ? this.numbers.take(bundle as BundleNode, payload) : 0
    if (start !== 0) {
      this.starts[i] = start
      return
    }
    this.payloads[i] = payload
    this.carries = true
  }

  private fillUp(capacity: number): void {
    for (let i = this.bundles.length; i < capacity; i++) {
      this.bundles.push(undefined)
      this.removals.push(undefined)
      this.payloads.push(undefined)
    }
  }

  protected grow(capacity: number): void {
    const { kinds, entities, starts } = this
    this.fillUp(capacity)
    this.kinds = new Uint8Array(capacity)
    this.kinds.set(kinds)
    this.entities = new Uint32Array(capacity)
    this.entities.set(entities)
    this.starts = new Int32Array(capacity)
    this.starts.set(starts)
  }
}
