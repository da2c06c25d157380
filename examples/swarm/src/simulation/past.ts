// The last seconds of a swarm: it saves the world now and then, and comes to any step between by going back to the save before it
// and making the steps since then again, with all that people did.

import { createHistory, type History } from 'strata-ecs'
import { STEP } from './settings.ts'
import type { Swarm } from './swarm.ts'

/** Steps that the past reaches back: ten seconds. */
export const SPAN = 10 / STEP
/**
 * Steps from one save to the next. A save of 100,000 agents takes 6 MB and a millisecond, a step 2 to 4 ms: every 32 steps
 * it costs nothing that one could see, 21 saves take 125 MB, and half a second is made again within some frames.
 */
const LEAST_EVERY = 32
/** Where more agents leave room for fewer saves, these are further apart, and then the past is shorter. */
const MOST_EVERY = 64
const MOST_SAVES = SPAN / LEAST_EVERY + 1
const LEAST_SAVES = 3
/** By how much all saves may outgrow the budget before they are made anew: the swarm's size goes up and down a little. */
const SLACK = 1.15

export class Past {
  /** Called when `goTo` has arrived. */
  arrived: () => void = () => {}

  private history!: History
  private saves = 0
  private every = 0
  /** The step at which each slot of the history was saved. */
  private ticks: number[] = []
  private savedAt = 0
  private target: number | undefined
  /** The last step that was made, or will be made again. */
  private last: number

  /** @param budget bytes that all saves together may take; with more than a million agents, three saves take more */
  constructor(
    private readonly swarm: Swarm,
    private readonly budget = 128e6,
  ) {
    this.last = swarm.tick
    this.begin()
    swarm.journal.onAdd = () => this.forget()
  }

  /** The last step that was made before anybody went back: the present. */
  get newest(): number {
    return Math.max(this.last, this.swarm.tick)
  }

  /** The earliest step that can be gone to. */
  get oldest(): number {
    return Math.max(this.ticks[this.history.oldest % this.saves], this.newest - SPAN)
  }

  /** Whether there is a recorded future. */
  get isBehind(): boolean {
    return this.swarm.tick < this.newest
  }

  /** Whether it is on its way to where `goTo` was told to go. */
  get isUnderway(): boolean {
    return this.target !== undefined
  }

  /** Bytes that the saves take at most, by the world's present size. */
  get bytes(): number {
    return this.saves * this.swarm.world.stats().bytesUsed
  }

  /** Makes a step, in the past one that was made before, and saves when it is time to. */
  step(): void {
    this.swarm.step()
    const { tick } = this.swarm
    this.last = this.newest
    if (tick - this.savedAt >= this.every) this.save()
  }

  /** Sets out for a step between `oldest` and `newest`; `approach` goes there. */
  goTo(tick: number): void {
    this.target = Math.min(Math.max(tick, this.oldest), this.newest)
  }

  /** Sets out for a step in the future: a recorded one, of which only the journal is known. */
  replayTo(tick: number): void {
    this.last = Math.max(this.last, tick)
    this.target = tick
  }

  /** Stays where it is. */
  stop(): void {
    this.target = undefined
  }

  /**
   * Comes nearer to where it is going, for some milliseconds.
   *
   * @param until milliseconds of `now` at which no other step is begun; one is made in any case
   */
  approach(until: number, now: () => number = () => performance.now()): void {
    const { target, swarm } = this
    if (target === undefined) return
    if (target < swarm.tick) this.goBack(target)
    while (swarm.tick < target) {
      this.step()
      if (now() >= until) break
    }
    if (swarm.tick < target) return
    this.target = undefined
    // The present includes what was done after its last step.
    if (target === this.newest) swarm.catchUp()
    this.arrived()
  }

  /** Makes this moment the present: what came after it is forgotten. */
  cut(): void {
    this.swarm.journal.cut()
    this.forget()
  }

  private forget(): void {
    this.stop()
    this.last = this.swarm.tick
  }

  /** To the last save that is not after a step. */
  private goBack(tick: number): void {
    const { history, swarm } = this
    let frame = history.frame
    while (this.ticks[frame % this.saves] > tick) frame--
    history.rewind(history.frame - frame)
    this.savedAt = swarm.tick
    swarm.journal.returnTo(this.savedAt)
  }

  private save(): void {
    if (this.mustRefit()) return this.begin()
    this.history.save()
    this.savedAt = this.swarm.tick
    this.ticks[this.history.frame % this.saves] = this.savedAt
  }

  private mustRefit(): boolean {
    const fitting = this.savesThatFit()
    return (this.bytes > this.budget * SLACK && fitting < this.saves) || fitting >= this.saves * 1.5
  }

  private savesThatFit(): number {
    const fitting = Math.floor(this.budget / this.swarm.world.stats().bytesUsed)
    return Math.min(Math.max(fitting, LEAST_SAVES), MOST_SAVES)
  }

  /** Begins a new past, with as many saves as there is room for. */
  private begin(): void {
    this.saves = this.savesThatFit()
    this.every = Math.min(Math.max(Math.ceil(SPAN / (this.saves - 1)), LEAST_EVERY), MOST_EVERY)
    this.history = createHistory(this.swarm.world, { frames: this.saves })
    this.ticks = []
    this.history.save()
    this.savedAt = this.ticks[0] = this.swarm.tick
  }
}
