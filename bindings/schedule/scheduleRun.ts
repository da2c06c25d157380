// Owns one run of a schedule: phases in order, steps, conditions, times, systems that throw, and the warning for runs in
// milliseconds. It must never let a clock decide anything, and never leave a world locked.

import { SystemError, isStrataError } from '../memory/errors'
import { messageOf } from '../memory/realms'
import { leftOpenBy } from '../state/openLoops'
import { abandonLoops } from '../state/session'
import type { WorldState } from '../state/worldState'
import type { World } from '../world/world'
import type { Phase } from './phase'
import { type SystemRecord, refusePromise } from './system'

export class ScheduleRun {
  running = false
  /** The system whose turn it is. */
  current: SystemRecord | undefined
  /** Runs that came to their end. */
  runs = 0
  lastMs = 0
  totalMs = 0
  private readonly state: WorldState
  private readonly milliseconds = new SecondsWarning()

  constructor(
    private readonly world: World,
    public timing: boolean,
  ) {
    // The world does not show its state, and a run must see its locks.
    this.state = world['state']
  }

  /** Runs all phases. Returns what a failed system is to be reported with, or undefined. */
  run(phases: readonly Phase[], dt: number): Error | undefined {
    this.milliseconds.note(dt, phases)
    const began = this.timing ? clock() : 0
    let failure: Error | undefined
    this.running = true
    try {
      this.runPhases(phases, dt)
      this.runs++
    } catch (error) {
      failure = this.recover(error)
    } finally {
      this.running = false
      this.current = undefined
    }
    if (this.timing) {
      this.lastMs = clock() - began
      this.totalMs += this.lastMs
    }
    return failure
  }

  private runPhases(phases: readonly Phase[], dt: number): void {
    // Time has passed for all of them, also when the run ends early.
    for (let i = 0; i < phases.length; i++) (phases[i] as Phase).fixed?.add(dt)
    for (let i = 0; i < phases.length; i++) {
      const { fixed, order } = phases[i] as Phase
      if (fixed === undefined) {
        if (order.length > 0) this.runSystems(order, dt)
        continue
      }
      const steps = fixed.begin()
      for (let step = 0; step < steps; step++) {
        fixed.takeStep()
        this.runSystems(order, fixed.step)
      }
    }
  }

  private runSystems(order: readonly SystemRecord[], dt: number): void {
    const { world, timing, state } = this
    let before = timing ? clock() : 0
    for (let i = 0; i < order.length; i++) {
      const system = order[i] as SystemRecord
      if (!system.enabled || system.removed) continue
      this.current = system
      const { timer } = system
      if (timer !== undefined && !timer.advance(dt)) {
        system.skipped++
        continue
      }
      system.fired++
      if (system.conditions.length > 0 && !this.allHold(system)) {
        system.skipped++
        if (timing) before = clock()
        continue
      }
      const result = timer === undefined ? system.run(world, dt) : system.run(world, timer.elapsed)
      if (result !== undefined) refusePromise(system.name, result)
      if (state.locks !== 0) throw leftOpenBy(system.name, state.loops)
      system.runs++
      for (let k = 0; k < system.afterwards.length; k++) system.afterwards[k]?.()
      if (timing) {
        const now = clock()
        system.lastMs = now - before
        system.totalMs += system.lastMs
        before = now
      }
    }
  }

  /** Asks every condition, also behind one that said no: a change that was looked at is seen. */
  private allHold(system: SystemRecord): boolean {
    const { conditions } = system
    let hold = true
    for (let i = 0; i < conditions.length; i++) {
      const answer: unknown = conditions[i]?.(this.world)
      refusePromise(system.name, answer)
      if (this.state.locks !== 0) throw leftOpenBy(system.name, this.state.loops)
      if (!answer) hold = false
    }
    return hold
  }

  /** Unlocks the world behind a system that threw; the error to throw for it. */
  private recover(error: unknown): Error {
    const system = this.current as SystemRecord
    let cause = error
    try {
      abandonLoops(this.state)
    } catch (flushError) {
      const message = `${messageOf(error)} Then, in what it had queued: ${messageOf(flushError)}`
      cause = new AggregateError([error, flushError], message)
    }
    if (isStrataError(cause) && cause.code === 'ASYNC_SYSTEM') return cause
    return new SystemError(
      system.name,
      `System '${system.name}' of phase '${system.phase.name}' failed`,
      cause,
    )
  }
}

/** Milliseconds since some time. */
function clock(): number {
  return typeof performance === 'undefined' ? Date.now() : performance.now()
}

/** So many runs in a row are needed: fewer may be a page that was hidden. */
const RUNS = 60
/** What frames take at 240 and at 10 a second, in milliseconds. No page has 60 frames in a row of so many seconds. */
const LEAST = 4
const MOST = 100

class SecondsWarning {
  /** Runs in a row that were given LEAST or more. */
  private runs = 0
  /** The shortest and the longest of them. */
  private shortest = 0
  private longest = 0
  private warned = false

  /** Notes what a run is given. Costs a comparison unless it is very long. */
  note(dt: number, phases: readonly Phase[]): void {
    if (dt < LEAST) this.runs = 0
    else if (!this.warned) this.noteLong(dt, phases)
  }

  private noteLong(dt: number, phases: readonly Phase[]): void {
    this.shortest = this.runs === 0 ? dt : Math.min(this.shortest, dt)
    this.longest = this.runs === 0 ? dt : Math.max(this.longest, dt)
    if (++this.runs < RUNS) return
    if (this.isMeasured() || phases.some(({ fixed }) => fixed !== undefined && fixed.longest < this.shortest))
      this.warn(dt)
    this.runs = 0
  }

  /** Whether the runs were as long as frames, and not all alike: a unit of the program's own is a round number. */
  private isMeasured(): boolean {
    return this.longest <= MOST && this.shortest < this.longest
  }

  private warn(dt: number): void {
    this.warned = true
    console.warn(
      `schedule.run takes seconds, and each of the last ${RUNS} runs was given ${LEAST} or more, the last one ${Number(dt.toPrecision(4))}: if these are milliseconds, write schedule.run(dt / 1000).`,
    )
  }
}
