// Owns the phases of a schedule: their names, their places in a run, and their fixed steps.

import type { HasEach } from '../memory/arguments'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import {
  DEFAULT_CATCH_UP,
  DEFAULT_MAX_STEPS,
  FixedStep,
  type FixedStepSettings,
  MAX_STEP,
  MIN_STEP,
} from './fixedStep'
import type { SystemRecord } from './system'

/** The phases every schedule has, in the order in which they run. */
const BUILT_IN = ['first', 'pre', 'update', 'post', 'last'] as const

/** The name of a phase: 'first', 'pre', 'update', 'post' or 'last', or one that you created with schedule.phase. */
export type PhaseName = (typeof BUILT_IN)[number] | (string & {})

/** Options of schedule.phase. */
export interface PhaseOptions {
  /** Places a new phase directly before this one. */
  readonly before?: PhaseName | undefined
  /** Places a new phase directly after this one, and after those that were placed there earlier. */
  readonly after?: PhaseName | undefined
  /**
   * Seconds of one step, clamped to 0.0001 to 10. The phase runs as often as time has passed, each time with this dt.
   */
  readonly fixedStep?: number | undefined
  /** Most steps in one run, from 1. Default 10. Steps beyond that are made in later runs. */
  readonly maxSteps?: number | undefined
  /**
   * Most seconds of steps that a run may leave to later ones, from 0; whole steps beyond that are dropped, so that a page that slept
   * for an hour does not make up for the hour. Steps that a run makes itself do not count: maxSteps bounds them. Default 0.25;
   * Infinity drops nothing, for simulations that must make every step.
   */
  readonly maxCatchUp?: number | undefined
}

const OPTIONS = ['before', 'after', 'fixedStep', 'maxSteps', 'maxCatchUp'] as const
true satisfies HasEach<PhaseOptions, typeof OPTIONS>

export class Phase {
  /** Undefined for a phase that runs once in each run, with the run's dt. */
  fixed: FixedStep | undefined
  /** Its systems, in the order of the next run. */
  order: readonly SystemRecord[] = []
  /** What the next run goes by. */
  settings: FixedStepSettings | undefined

  constructor(
    readonly name: string,
    /** The phase it was placed after. */
    readonly behind: Phase | undefined,
  ) {}
}

export class PhaseList {
  /** In the order of a run. Replaced when a phase comes in, so that a run that goes on is not disturbed. */
  all: readonly Phase[] = BUILT_IN.map((name) => new Phase(name, undefined))

  /**
   * The phase of that name.
   *
   * @throws StrataTypeError UNKNOWN_PHASE
   */
  find(name: string): Phase {
    const phase = this.all.find((candidate) => candidate.name === name)
    if (phase === undefined) {
      throw new StrataTypeError(
        'UNKNOWN_PHASE',
        `There is no phase ${describe(name)}. The phases are ${this.names()}; make one with schedule.phase(name, { after: 'pre' }).`,
      )
    }
    return phase
  }

  /** Makes a phase, or changes how one goes. Takes effect with settle(). */
  declare(name: string, options: PhaseOptions): void {
    checkShape(name, options)
    const known = this.all.find((phase) => phase.name === name)
    if (known !== undefined) {
      if (options.before !== undefined || options.after !== undefined) {
        throw invalid(name, 'is there already and keeps its place; leave before and after away')
      }
      known.settings = settingsOf(name, options, known.settings)
      return
    }
    if ((options.before === undefined) === (options.after === undefined)) {
      throw invalid(name, `is new: say its place with either before or after one of ${this.names()}`)
    }
    const settings = settingsOf(name, options, undefined)
    const phase = this.insert(name, options)
    phase.settings = settings
  }

  /** Lets what was declared take effect: between two runs. */
  settle(): void {
    for (const phase of this.all) {
      if (phase.settings === undefined) continue
      if (phase.fixed === undefined) phase.fixed = new FixedStep(phase.settings)
      else phase.fixed.configure(phase.settings)
    }
  }

  private insert(name: string, options: PhaseOptions): Phase {
    const anchor = this.find((options.before ?? options.after) as string)
    const phase = new Phase(name, options.after === undefined ? undefined : anchor)
    let place = this.all.indexOf(anchor)
    if (options.after !== undefined) {
      do place++
      while (isBehind(this.all[place], anchor))
    }
    this.all = [...this.all.slice(0, place), phase, ...this.all.slice(place)]
    return phase
  }

  private names(): string {
    return this.all.map(({ name }) => name).join(', ')
  }
}

/** Whether a phase was placed after `anchor`, directly or through others. */
function isBehind(phase: Phase | undefined, anchor: Phase): boolean {
  for (let at = phase?.behind; at !== undefined; at = at.behind) if (at === anchor) return true
  return false
}

function checkShape(name: unknown, options: unknown): void {
  if (typeof name !== 'string' || name === '') {
    throw new StrataTypeError('INVALID_OPTION', 'schedule.phase: the first argument must be a name.')
  }
  if (typeof options !== 'object' || options === null) {
    throw invalid(name, `takes an object of options, not ${describe(options)}`)
  }
  for (const key of Object.keys(options)) {
    if (!(OPTIONS as readonly string[]).includes(key)) {
      throw invalid(name, `has no option '${key}'; the options are ${OPTIONS.join(', ')}`)
    }
  }
}

/** The settings with what the options change in them; undefined for a phase without steps. */
function settingsOf(
  name: string,
  options: PhaseOptions,
  known: FixedStepSettings | undefined,
): FixedStepSettings | undefined {
  const step = options.fixedStep ?? known?.step
  const maxSteps = options.maxSteps ?? known?.maxSteps ?? DEFAULT_MAX_STEPS
  const maxCatchUp = options.maxCatchUp ?? known?.maxCatchUp ?? DEFAULT_CATCH_UP
  if (step === undefined) {
    if (options.maxSteps === undefined && options.maxCatchUp === undefined) return undefined
    throw invalid(name, 'has no steps: maxSteps and maxCatchUp go with a fixedStep')
  }
  if (typeof step !== 'number' || !Number.isFinite(step) || step <= 0) {
    throw invalid(name, `needs a fixedStep in seconds, above 0 and finite, not ${describe(step)}`)
  }
  if (!Number.isInteger(maxSteps) || maxSteps < 1) {
    throw invalid(name, `needs maxSteps to be a whole number from 1, not ${describe(maxSteps)}`)
  }
  if (typeof maxCatchUp !== 'number' || !(maxCatchUp >= 0)) {
    throw invalid(name, `needs maxCatchUp to be seconds from 0, not ${describe(maxCatchUp)}`)
  }
  return { step: Math.min(Math.max(step, MIN_STEP), MAX_STEP), maxSteps, maxCatchUp }
}

function invalid(name: string, sentence: string): StrataTypeError {
  return new StrataTypeError('INVALID_OPTION', `Phase '${name}' ${sentence}.`)
}
