// Owns the face of a schedule: which systems there are, checked, then handed to the run.
// It must never call a system.

import { MAKING, checkOptions, refuseByHand } from './arguments'
import { type Ambiguity, findAmbiguities } from './ambiguities'
import { type Arrangement, arrangeSystems, followTimers } from './arrangement'
import { definitionOf } from './component'
import { StrataError, StrataTypeError, SystemError } from './errors'
import { describe } from './fields'
import { INSPECT, showSchedule } from './inspection'
import { PhaseList, type PhaseName, type PhaseOptions } from './phase'
import { Drive, type DriveOptions, type Driven, type DrivenComponent, valuesIn } from './scheduleDrive'
import { unknownSystem } from './scheduleOrder'
import { ScheduleRun } from './scheduleRun'
import { type ScheduleStats, describeRun } from './scheduleStats'
import { type System, type SystemOptions, type SystemRecord, declareSystem } from './system'
import { World } from './world'

export interface ScheduleOptions {
  /** Whether the time of systems is measured, for stats(). Default true; about 80 ns a system, some garbage. */
  readonly timing?: boolean
}

/**
 * Starts a schedule: systems in phases, in an order, run by `schedule.run(dt)`. A world may have several.
 *
 * @throws StrataTypeError INVALID_OPTION
 * @example const schedule = createSchedule(world).add(input, { phase: 'first' }).add(move)
 */
export function createSchedule(world: World, options: ScheduleOptions = {}): Schedule {
  if (!(world instanceof World)) {
    throw new StrataTypeError('INVALID_OPTION', `createSchedule takes a world, not ${describe(world)}.`)
  }
  checkOptions('createSchedule', options, ['timing'])
  if (typeof options?.timing !== 'boolean' && options?.timing !== undefined) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `createSchedule: timing must be true or false, not ${describe(options.timing)}.`,
    )
  }
  return new Schedule(world, options?.timing ?? true, MAKING)
}

export class Schedule {
  private readonly phases = new PhaseList()
  private readonly systems = new Map<string, SystemRecord>()
  private readonly chains: (readonly string[])[] = []
  /** Names that were there once: what names them is not wrong, it decides nothing. */
  private readonly removed = new Set<string>()
  /** Objects whose dispose waits for the end of the run. */
  private leaving: SystemRecord[] = []
  private arranged = false
  private readonly runner: ScheduleRun

  /** @internal Use createSchedule. */
  constructor(
    private readonly world: World,
    timing: boolean,
    key: symbol,
  ) {
    refuseByHand(key, 'Schedule')
    this.runner = new ScheduleRun(world, timing)
  }

  // ── what there is ──────────────────────────────────────────────────────────────────────────────────────

  /**
   * Adds a system. Among those of a phase that no `before`, `after` or chain puts in order, the one that was added
   * earlier runs earlier. Added during a run, it runs from the next one on.
   *
   * @param system a function `(world, dt) => void`, or an object with a method `run`; not async
   * @param options see SystemOptions
   * @throws StrataTypeError INVALID_SYSTEM (also for a name that is taken), ASYNC_SYSTEM, UNKNOWN_PHASE,
   *   NOT_A_COMPONENT; SystemError when its `init` throws. The system was not added then.
   * @example schedule.add(move, { after: 'input', queries: [moving], writes: [Position] })
   */
  add(system: System, options: SystemOptions = {}): this {
    return this.addRanked(system, options, undefined)
  }

  /**
   * Calls a method of every value of an object component, as a system of the name `Sprite.tick`. The method gets
   * `(dt, entity, world)`. The world is not locked meanwhile. Values that are removed or replaced during the pass
   * are not called any more; values that come in are called from the next pass on.
   *
   * @param options those of a system, the `method` (default 'tick'), and the `order` among what a phase drives
   * @throws as add; StrataTypeError NOT_A_COMPONENT for what is no object component
   * @example schedule.drive(Sprite, { phase: 'post', order: 2 })
   */
  drive<T extends Driven<M>, M extends string = 'tick'>(
    component: DrivenComponent<T>,
    options: DriveOptions<M> = {},
  ): this {
    const definition = definitionOf(component)
    if (definition === undefined || definition.kind === 'component' || definition.kind === 'tag') {
      throw new StrataTypeError(
        'NOT_A_COMPONENT',
        `schedule.drive takes an object component, not ${definition?.componentName ?? describe(component)}.`,
      )
    }
    checkOptions('schedule.drive', options)
    const { order = 0, method = 'tick', ...rest } = options ?? {}
    if (typeof order !== 'number' || Number.isNaN(order)) {
      throw new StrataTypeError(
        'INVALID_OPTION',
        `schedule.drive: order must be a number, not ${describe(order)}.`,
      )
    }
    const drive = new Drive(
      rest.name ?? `${component.componentName}.${method}`,
      valuesIn(this.world, component),
      method,
    )
    return this.addRanked(drive, { writes: [component as never], ...rest }, order)
  }

  private addRanked(system: System, options: SystemOptions, rank: number | undefined): this {
    const record = declareSystem(system, options, rank, (name) => this.phases.find(name))
    if (this.systems.has(record.name)) {
      throw new StrataTypeError(
        'INVALID_SYSTEM',
        `This schedule has a system '${record.name}' already: give this one a name of its own, or remove the other.`,
      )
    }
    try {
      record.init?.(this.world)
    } catch (error) {
      throw new SystemError(record.name, `System '${record.name}' was not added: its init failed`, error)
    }
    this.systems.set(record.name, record)
    this.arranged = false
    return this
  }

  /**
   * Takes a system away, at once: also during a run it is not called any more. Its `dispose` is called; during a
   * run, at its end. What other systems say about its name decides nothing from now on.
   *
   * @throws StrataTypeError UNKNOWN_SYSTEM
   */
  remove(name: string): this {
    const record = this.find(name, 'schedule.remove')
    record.removed = true
    this.systems.delete(name)
    this.removed.add(name)
    this.arranged = false
    this.leaving.push(record)
    const failure = this.runner.running ? undefined : this.disposeLeaving()
    if (failure !== undefined) throw failure
    return this
  }

  /** Whether there is a system of that name. */
  has(name: string): boolean {
    return this.systems.has(name)
  }

  /**
   * Makes each of the named systems come before the next. They may be added later, and need not be of one phase.
   *
   * @throws StrataTypeError INVALID_SYSTEM
   */
  chain(...names: string[]): this {
    for (const name of names) {
      if (typeof name !== 'string') {
        throw new StrataTypeError(
          'INVALID_SYSTEM',
          `schedule.chain takes names of systems, not ${describe(name)}.`,
        )
      }
    }
    this.chains.push(names)
    this.arranged = false
    return this
  }

  /**
   * Makes a phase, directly before or after another one; or changes how a phase goes. With `fixedStep` it runs in
   * steps of that many seconds, as often as time has passed for. During a run it waits for the next one.
   *
   * @param options see PhaseOptions; fixedStep is moved into 0.0001 to 10
   * @throws StrataTypeError INVALID_OPTION, UNKNOWN_PHASE
   * @example schedule.phase('physics', { after: 'pre', fixedStep: 1 / 60, maxSteps: 5 })
   */
  phase(name: PhaseName, options: PhaseOptions): this {
    this.phases.declare(name, options)
    this.arranged = false
    if (!this.runner.running) this.phases.settle()
    return this
  }

  /**
   * Lets systems run again. Takes effect at once, also during a run.
   *
   * @throws StrataTypeError UNKNOWN_SYSTEM; then none of them changed
   */
  enable(...names: string[]): this {
    for (const record of names.map((name) => this.find(name, 'schedule.enable'))) record.enabled = true
    return this
  }

  /**
   * Keeps systems from running, at once. Their conditions are not asked and their timers stand still, also for
   * systems that follow them with `of`.
   *
   * @throws StrataTypeError UNKNOWN_SYSTEM; then none of them changed
   */
  disable(...names: string[]): this {
    for (const record of names.map((name) => this.find(name, 'schedule.disable'))) record.enabled = false
    return this
  }

  /** @throws StrataTypeError UNKNOWN_SYSTEM */
  isEnabled(name: string): boolean {
    return this.find(name, 'schedule.isEnabled').enabled
  }

  /**
   * The names of all systems in the order in which the next run calls them.
   *
   * @throws StrataError SCHEDULE_CYCLE; StrataTypeError UNKNOWN_SYSTEM
   */
  order(): string[] {
    return this.arrangement().systems.map(({ name }) => name)
  }

  /**
   * Pairs of systems that touch the same component, at least one of them writing, while nothing says which comes
   * first. What a system touches is what it declares: `reads`, `writes`, `queries`.
   *
   * @throws StrataError SCHEDULE_CYCLE; StrataTypeError UNKNOWN_SYSTEM
   */
  ambiguities(): Ambiguity[] {
    return findAmbiguities(this.arrangement())
  }

  // ── running ────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Runs every phase in order, and in it every system that is enabled, due and not kept by a condition. What a
   * system defers is applied when its outermost loop ends, so the next one sees it.
   *
   * When a system throws, the run ends there: those behind it do not run, loops it left open are closed, what it
   * queued is applied. The next run begins anew.
   *
   * @param dt seconds since the last run, from 0
   * @throws SystemError SYSTEM_FAILED with `system` and `cause`; StrataTypeError INVALID_OPTION, UNKNOWN_SYSTEM,
   *   ASYNC_SYSTEM; StrataError SCHEDULE_CYCLE, SCHEDULE_RUNNING when called by one of its systems, WORLD_LOCKED
   *   inside a loop. Cost: about 20 ns a system; without timing it allocates nothing, but for the dt of timers.
   */
  run(dt: number): void {
    this.prepareRun(dt)
    const failure = this.runner.run(this.phases.all, dt)
    const later = this.leaving.length > 0 ? this.disposeLeaving() : undefined
    if (failure !== undefined) throw failure
    if (later !== undefined) throw later
  }

  private prepareRun(dt: number): void {
    this.refuseWhileRunning('run')
    if (typeof dt !== 'number' || !(dt >= 0) || dt === Infinity) {
      throw new StrataTypeError(
        'INVALID_OPTION',
        `schedule.run: dt must be seconds, from 0 and finite, not ${describe(dt)}.`,
      )
    }
    // The world does not show its state, and a schedule must see whether it is locked.
    const state = this.world['state']
    state.refuseDisposed()
    state.refuseWhileLocked('schedule.run')
    if (!this.arranged) this.arrange()
  }

  // ── looking ────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * How far time has gone into the next step of a phase with fixed steps, from 0 to 1: what is drawn lies that far
   * between the state before and after the step. To be asked behind that phase.
   *
   * @throws StrataTypeError UNKNOWN_PHASE; INVALID_OPTION for a phase without steps
   */
  alpha(phase: PhaseName): number {
    const { fixed } = this.phases.find(phase)
    if (fixed === undefined) {
      throw new StrataTypeError(
        'INVALID_OPTION',
        `schedule.alpha: phase '${phase}' has no fixed step; give it one with schedule.phase('${phase}', { fixedStep: 1 / 60 }).`,
      )
    }
    return fixed.alpha
  }

  /** Counts and times of the runs, of each phase and of each system, in the order they were added. Allocates. */
  stats(): ScheduleStats {
    return describeRun(this.runner, this.phases.all, this.systems.values())
  }

  /**
   * Removes all systems, the last one added first, and calls their `dispose`.
   *
   * @throws StrataError SCHEDULE_RUNNING during a run; SystemError when a dispose throws, after all were called
   */
  dispose(): void {
    this.refuseWhileRunning('dispose')
    this.leaving.push(...[...this.systems.values()].reverse())
    for (const [name, record] of this.systems) {
      record.removed = true
      this.removed.add(name)
    }
    this.systems.clear()
    this.arranged = false
    const failure = this.disposeLeaving()
    if (failure !== undefined) throw failure
  }

  /** @internal */
  [INSPECT](): string {
    return showSchedule(this.runner.runs, [...this.systems.keys()])
  }

  // ── what stays inside ──────────────────────────────────────────────────────────────────────────────────

  private find(name: string, operation: string): SystemRecord {
    const record = this.systems.get(name)
    if (record === undefined) throw unknownSystem(name, operation, [...this.systems.keys()])
    return record
  }

  private refuseWhileRunning(operation: string): void {
    if (!this.runner.running) return
    throw new StrataError(
      'SCHEDULE_RUNNING',
      `schedule.${operation} was called while this schedule runs, by system '${this.runner.current?.name}': call it after the run.`,
    )
  }

  /** Finds the order of the next run. When there is none, nothing changes. */
  private arrange(): void {
    const { systems } = this.arrangement()
    followTimers(this.systems, this.removed)
    const orders = new Map(this.phases.all.map((phase) => [phase, [] as SystemRecord[]]))
    for (const system of systems) orders.get(system.phase)?.push(system)
    for (const [phase, order] of orders) phase.order = order
    this.phases.settle()
    this.arranged = true
  }

  private arrangement(): Arrangement {
    return arrangeSystems([...this.systems.values()], this.phases.all, this.chains, this.removed)
  }

  /** Disposes what was removed. All are tried; the first error is returned. */
  private disposeLeaving(): SystemError | undefined {
    const leaving = this.leaving
    this.leaving = []
    let failure: SystemError | undefined
    for (const { name, dispose } of leaving) {
      try {
        dispose?.(this.world)
      } catch (error) {
        failure ??= new SystemError(name, `System '${name}' was removed, but its dispose failed`, error)
      }
    }
    return failure
  }
}
