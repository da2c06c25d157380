// Owns what a snapshot holds of a schedule: the time that phases carry, timers, and which systems are enabled. Which systems
// there are, and what was measured of them, belongs to the program and is not taken back.

import type { ParticipantState, WorldParticipant } from '../state/worldParticipants'
import type { WorldState } from '../state/worldState'
import type { Phase, PhaseList } from './phase'
import type { ScheduleRun } from './scheduleRun'
import type { SystemRecord } from './system'
import type { SystemList } from './systemList'

/** Numbers of a phase: see FixedStep.save. */
const PHASE_NUMBERS = 3
/** Numbers of a system: whether it is enabled, how often it was due, and four of its timer. */
const SYSTEM_NUMBERS = 6

export class ScheduleState implements WorldParticipant {
  constructor(
    readonly state: WorldState,
    private readonly phases: PhaseList,
    private readonly systems: SystemList,
    private readonly runner: ScheduleRun,
  ) {}

  keep(kept: ParticipantState | undefined): KeptSchedule {
    const schedule = kept instanceof KeptSchedule ? kept : new KeptSchedule(this)
    schedule.take(this.phases.all, this.systems)
    return schedule
  }

  /** Whether it runs: then it is what drives the restore, and its time goes on. */
  get runs(): boolean {
    return this.runner.running
  }
}

class KeptSchedule implements ParticipantState {
  private phases: readonly Phase[] = []
  private readonly systems: SystemRecord[] = []
  private count = 0
  private numbers = new Float64Array(0)

  constructor(readonly participant: ScheduleState) {}

  take(phases: readonly Phase[], list: SystemList): void {
    this.phases = phases
    this.count = 0
    list.forEach(this.note)
    const length = phases.length * PHASE_NUMBERS + this.count * SYSTEM_NUMBERS
    if (this.numbers.length !== length) {
      this.numbers = new Float64Array(length)
      this.systems.length = this.count
    }
    const { numbers } = this
    let at = 0
    for (let i = 0; i < phases.length; i++, at += PHASE_NUMBERS) phases[i]?.fixed?.save(numbers, at)
    for (let i = 0; i < this.count; i++, at += SYSTEM_NUMBERS) {
      const system = this.systems[i] as SystemRecord
      numbers[at] = Number(system.enabled)
      numbers[at + 1] = system.fired
      system.timer?.save(numbers, at + 2)
    }
  }

  private readonly note = (system: SystemRecord): void => {
    this.systems[this.count++] = system
  }

  /** Systems that were removed since are not there to be taken back. In another world there is no such schedule. */
  restore(state: WorldState): void {
    const { participant } = this
    if (participant.runs || state !== participant.state) return
    const { phases, systems, numbers, count } = this
    let at = 0
    for (let i = 0; i < phases.length; i++, at += PHASE_NUMBERS) phases[i]?.fixed?.load(numbers, at)
    for (let i = 0; i < count; i++, at += SYSTEM_NUMBERS) {
      const system = systems[i] as SystemRecord
      if (system.removed) continue
      system.enabled = numbers[at] !== 0
      system.fired = numbers[at + 1] as number
      system.timer?.load(numbers, at + 2)
    }
  }
}
