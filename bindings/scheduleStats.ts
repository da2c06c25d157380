// Owns the report of a schedule: counts and times as plain objects. It must never change what it reports on.

import type { Phase } from './phase'
import type { ScheduleRun } from './scheduleRun'
import type { SystemRecord } from './system'

export interface SystemStats {
  readonly name: string
  readonly phase: string
  readonly enabled: boolean
  /** How often it ran to its end. */
  readonly runs: number
  /** How often its turn came and it did not run: it was not due, or a condition said no. */
  readonly skipped: number
  /** Milliseconds, its conditions included; 0 without timing. */
  readonly lastMs: number
  readonly totalMs: number
  readonly meanMs: number
}

export interface PhaseStats {
  readonly name: string
  /** Seconds of a step; undefined for a phase that runs once in each run, as are the numbers below. */
  readonly fixedStep: number | undefined
  /** Steps made so far. */
  readonly steps: number | undefined
  /** See schedule.alpha. */
  readonly alpha: number | undefined
  /** Seconds of whole steps that wait for later runs. */
  readonly behind: number | undefined
}

export interface ScheduleStats {
  /** Runs that came to their end. */
  readonly runs: number
  /** Milliseconds of whole runs; 0 without timing. */
  readonly lastMs: number
  readonly totalMs: number
  readonly meanMs: number
  /** In the order in which they run. */
  readonly phases: readonly PhaseStats[]
  /** In the order in which they were added. */
  readonly systems: readonly SystemStats[]
}

export function describeRun(
  { runs, lastMs, totalMs }: ScheduleRun,
  phases: readonly Phase[],
  systems: Iterable<SystemRecord>,
): ScheduleStats {
  return {
    runs,
    lastMs,
    totalMs,
    meanMs: mean(totalMs, runs),
    phases: phases.map(({ name, fixed }) => ({
      name,
      fixedStep: fixed?.step,
      steps: fixed?.steps,
      alpha: fixed?.alpha,
      behind: fixed?.behind,
    })),
    systems: [...systems].map((system) => ({
      name: system.name,
      phase: system.phase.name,
      enabled: system.enabled,
      runs: system.runs,
      skipped: system.skipped,
      lastMs: system.lastMs,
      totalMs: system.totalMs,
      meanMs: mean(system.totalMs, system.runs),
    })),
  }
}

function mean(total: number, count: number): number {
  return count === 0 ? 0 : total / count
}
