// Owns the report of a schedule: counts and times as plain objects.

import type { Phase } from './phase'
import type { ScheduleRun } from './scheduleRun'
import type { SystemRecord } from './system'

/** Counts and times of one system. Part of schedule.stats(). */
export interface SystemStats {
  /** Name of the system. */
  readonly name: string
  /** Name of its phase. */
  readonly phase: string
  /** Whether it is enabled: see schedule.enable. */
  readonly enabled: boolean
  /** How often it ran to its end. */
  readonly runs: number
  /** How often its turn came and it did not run, because it was not due or a condition returned false. */
  readonly skipped: number
  /** Milliseconds of the last run, including its conditions; 0 without timing. */
  readonly lastMs: number
  /** Milliseconds of all runs; 0 without timing. */
  readonly totalMs: number
  /** Milliseconds per run on average; 0 without timing. */
  readonly meanMs: number
}

/** State of one phase. Part of schedule.stats(). All but the name are undefined for a phase without fixed steps. */
export interface PhaseStats {
  /** Name of the phase. */
  readonly name: string
  /** Seconds of one step. */
  readonly fixedStep: number | undefined
  /** Steps made so far. */
  readonly steps: number | undefined
  /** How far time has advanced into the next step, from 0 to 1: see schedule.alpha. */
  readonly alpha: number | undefined
  /** Seconds of whole steps that are waiting for later runs. */
  readonly behind: number | undefined
}

/** What schedule.stats() returns. */
export interface ScheduleStats {
  /** Runs that came to their end. */
  readonly runs: number
  /** Milliseconds of the last run; 0 without timing. */
  readonly lastMs: number
  /** Milliseconds of all runs; 0 without timing. */
  readonly totalMs: number
  /** Milliseconds per run on average; 0 without timing. */
  readonly meanMs: number
  /** The phases, in the order in which they run. */
  readonly phases: readonly PhaseStats[]
  /** The systems, in the order in which they were added. */
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
