// Owns the change tick up to which one query with `changed` or `added` has seen everything. It lies in linear memory
// (assembly/queries/seenTicks.ts), so that a restore takes it back; only its place is kept here. It must never throw: a loop ends
// with a look.

import {
  SEEN_TICKS_ITEMS_WORD,
  SEEN_TICK_SEEN,
  SEEN_TICK_STATE_WORD,
  SEEN_TICK_TICK_WORD,
  SEEN_TICK_UNSEEN,
  SEEN_TICK_WORDS,
  WORLD_TICK_WORD,
} from '../../build/layout'
import type { SeenChanges } from '../queryPlan/changeTermHooks'
import { rareOf } from '../memory/coreParts'
import { SeenTickOwners } from '../state/seenTickOwners'
import type { WorldState } from '../state/worldState'

/** What was seen before there was memory for a look. */
interface EarlySeenTick {
  readonly tick: number
  /** In which course of events: after a restore it was not seen. */
  readonly timeline: number
}

export class SeenTick implements SeenChanges {
  /** By which the world knows whose a look is: numbers are given again, and exist no longer after a restore. */
  private readonly serial: number
  private number = -1
  private early: EarlySeenTick | undefined
  private readonly seenTicks: SeenTickOwners

  /** @param owner the query: when the program has dropped it, and the garbage collector found it, its look is free */
  constructor(
    private readonly state: WorldState,
    owner: object,
  ) {
    this.seenTicks = state.seenTicks ??= new SeenTickOwners()
    this.serial = this.seenTicks.begin(owner)
  }

  /** The change tick up to which everything was seen; undefined when nothing was, or too long ago to be compared. */
  get seen(): number | undefined {
    this.state.cursorPools.settle()
    const at = this.find()
    const { early, state } = this
    if (at < 0) return early?.timeline === state.timeline ? early.tick : undefined
    const { u32 } = state.heap
    return u32[at + SEEN_TICK_STATE_WORD] === SEEN_TICK_UNSEEN ? undefined : u32[at + SEEN_TICK_TICK_WORD]
  }

  /** Everything up to now was seen; what is written from now on bears a later tick. */
  markSeen(): void {
    const { state } = this
    this.write(state.heap.u32[WORLD_TICK_WORD] as number)
    state.advance()
  }

  private write(tick: number): void {
    const { state } = this
    const at = this.make() ? this.find() : -1
    if (at < 0) {
      this.early = { tick, timeline: state.timeline }
      this.seenTicks.early.add(this)
      return
    }
    const { u32 } = state.heap
    u32[at + SEEN_TICK_TICK_WORD] = tick
    u32[at + SEEN_TICK_STATE_WORD] = SEEN_TICK_SEEN
    if (this.early !== undefined) this.forgetEarly()
  }

  /** Moves what was seen early into memory. Not inside a loop. */
  settle(): void {
    const { early, state } = this
    if (early?.timeline === state.timeline) this.write(early.tick)
    else this.forgetEarly()
  }

  /** It is never asked again. */
  dispose(): void {
    const { seenTicks } = this
    this.forgetEarly()
    seenTicks.end(this.serial)
    // The memory of a world that is gone is free already.
    if (this.state.disposed || this.find() < 0) return
    rareOf(this.state).seenTickRelease(this.number)
    seenTicks.owners[this.number] = 0
    this.number = -1
  }

  private forgetEarly(): void {
    this.early = undefined
    this.seenTicks.early.delete(this)
  }

  /** Index of the look in Heap.u32; -1 while there is none. */
  private find(): number {
    const { state } = this
    const { owners } = this.seenTicks
    if (this.number < 0 || owners[this.number] !== this.serial) this.number = owners.indexOf(this.serial)
    if (this.number < 0) return -1
    return ((state.heap.u32[SEEN_TICKS_ITEMS_WORD] as number) >> 2) + this.number * SEEN_TICK_WORDS
  }

  /** Whether it has a look, made now if need be. While a loop is open memory does not grow for it. */
  private make(): boolean {
    const { state } = this
    if (this.find() >= 0) return true
    const { seenTicks } = this
    let number = seenTicks.takeFree()
    if (number < 0) {
      number = rareOf(state).seenTickMake(state.locks === 0 ? 1 : 0)
      state.heap.check()
    }
    if (number < 0) return false
    seenTicks.give(number, this.serial)
    this.number = number
    return true
  }
}
