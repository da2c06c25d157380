// Owns what runs before and after a change: the report to listeners, and the upkeep of objects and links, each only if the change
// needs it. events/report.ts has the order in which listeners are called. It must never stand around two changes at once.

import type { Definition } from '../components/definition'
import type { Bundle } from './bundle'
import type { ChangeReport, GivenList } from './changeObserver'
import type { Upkeep } from './upkeep'
import type { WorldState } from './worldState'

export class Around {
  private report: ChangeReport | undefined
  private upkeep: Upkeep | undefined
  private readonly single = [0]

  constructor(private readonly state: WorldState) {}

  /** A reused list of one entity; valid until the next call. */
  one(entity: number): ArrayLike<number> {
    this.single[0] = entity
    return this.single
  }

  /** Entities were made with the components of a bundle, and their values written. */
  spawned(entities: ArrayLike<number>, bundle: Bundle, given: GivenList): void {
    if (!this.open(bundle.needsUpkeep, this.hears(bundle))) return
    this.report?.spawned(entities, bundle, given)
    this.upkeep?.changing(entities, bundle, undefined, given)
    this.after()
  }

  /**
   * Entities were made with whatever they have now, such as copies.
   *
   * @param bundle what they were given by the call, and the values
   * @param makers those of it that made their values
   */
  born(
    entities: ArrayLike<number>,
    bundle?: Bundle,
    given?: GivenList,
    makers?: readonly Definition[],
  ): void {
    this.open(true, this.state.reports)
    this.report?.born(entities, bundle, given, makers)
    this.upkeep?.born(entities)
    this.after()
  }

  /**
   * Entities will get the components of one bundle, and lose those of another. If it returns true, call before(), make the
   * change, then call after() or failed().
   */
  changing(
    entities: ArrayLike<number>,
    gains: Bundle | undefined,
    losses: Bundle | undefined,
    given: GivenList,
  ): boolean {
    const needsUpkeep = gains?.needsUpkeep === true || losses?.needsUpkeep === true
    const isHeard = (gains !== undefined && this.hears(gains)) || (losses !== undefined && this.hears(losses))
    if (!this.open(needsUpkeep, isHeard)) return false
    this.report?.changing(entities, gains, losses, given)
    this.upkeep?.changing(entities, gains, losses, given)
    return true
  }

  /** Living entities, each named once, will be destroyed. */
  destroying(entities: ArrayLike<number>): void {
    this.open(true, this.state.reports)
    this.report?.destroying(entities)
    this.upkeep?.destroying(entities)
  }

  /** Whether a listener may listen for a change of these components. */
  hears(bundle: Bundle): boolean {
    const { state } = this
    return state.reports && state.reporting?.hears(bundle) === true
  }

  private open(needsUpkeep: boolean, isHeard: boolean): boolean {
    this.report = isHeard ? this.state.reporting?.report : undefined
    this.upkeep = needsUpkeep ? this.state.upkeep : undefined
    return this.report !== undefined || this.upkeep !== undefined
  }

  /** Tells of what will end. Returns whether a listener was called. What it queued waits for after(). */
  before(): boolean {
    const told = this.report?.before() === true
    // As late as this: listeners see the links that end.
    this.upkeep?.detach()
    return told
  }

  /** Some entities could not be changed: what before() announced for them is taken back, and after() reports the others. */
  without(unchanged: ReadonlySet<number>): void {
    this.upkeep?.without(unchanged)
    this.report?.without(unchanged)
  }

  /** The change is made: tells of what began, then applies what was queued and throws the first error. */
  after(): void {
    const { state, report, upkeep } = this
    this.close()
    upkeep?.made()
    // The lives of its values begin with that of the entity.
    if (state.completing) upkeep?.forgetCalls()
    else if (report !== undefined) report.after(upkeep)
    else {
      if (upkeep?.calls === true) this.call(upkeep)
      state.settle()
    }
  }

  /** The change could not be made. */
  failed(): void {
    const { state, report, upkeep } = this
    this.close()
    upkeep?.failed()
    if (report !== undefined) report.failed()
    else state.settle()
  }

  /** The world starts over or goes, and all of it ends: nothing begins, and what was queued is dropped by the caller. */
  endOfWorld(): void {
    const { report, upkeep } = this
    this.close()
    upkeep?.made()
    if (report !== undefined) report.endOfWorld(upkeep)
    else if (upkeep?.calls === true) this.call(upkeep)
  }

  private call(upkeep: Upkeep): void {
    const nested = this.state.beginCalls()
    try {
      upkeep.call()
    } finally {
      this.state.endCalls(nested)
    }
  }

  private close(): void {
    this.report = undefined
    this.upkeep = undefined
  }
}
