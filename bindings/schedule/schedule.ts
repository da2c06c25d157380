// Owns the calls on a schedule: it checks systems, and hands them to the run.

import { definitionOf } from '../components/definition'
import { MAKING, checkOptions, refuseByHand } from '../memory/arguments'
import { describe } from '../memory/describe'
import { StrataError, StrataTypeError, SystemError } from '../memory/errors'
import { Shown, showSchedule } from '../memory/consoleText'
import { addWeakly } from '../state/worldParticipants'
import { stateOf } from '../state/worldState'
import type { World } from '../world/world'
import { type Ambiguity, findAmbiguities } from './ambiguities'
import {
  type Arrangement,
  type Constraint,
  arrangeSystems,
  findConstraints,
  followTimers,
} from './arrangement'
import {
  ObjectSystem,
  type AddObjectsOptions,
  type Updatable,
  type UpdatableComponent,
  valuesIn,
} from './objectSystem'
import { ScheduleState } from './scheduleState'
import { PhaseList, type PhaseName, type PhaseOptions } from './phase'
import { ScheduleRun } from './scheduleRun'
import { type ScheduleStats, describeRun } from './scheduleStats'
import {
  type System,
  type SystemOptions,
  type SystemRecord,
  type SystemReference,
  declareSystem,
  isReference,
} from './system'
import { SystemList } from './systemList'

/** Options of createSchedule. */
export interface ScheduleOptions {
  /**
   * Whether to measure the time of each system for stats(). Default true; costs about 80 ns per system and run, and
   * some garbage.
   */
  readonly timing?: boolean | undefined
}

/**
 * Creates a schedule, which runs systems in phases and in a defined order: `schedule.run(dt)`. A world may have
 * several. The time that it carries, its timers and which systems are enabled belong to the world's snapshots.
 *
 * @throws StrataTypeError INVALID_OPTION
 * @example const schedule = createSchedule(world).add(input, { phase: 'first' }).add(move)
 */
export function createSchedule(world: World, options: ScheduleOptions = {}): Schedule {
  stateOf(world, 'createSchedule').refuseDisposed()
  checkOptions('createSchedule', options, ['timing'])
  if (typeof options?.timing !== 'boolean' && options?.timing !== undefined) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `createSchedule: timing must be true or false, not ${describe(options.timing)}.`,
    )
  }
  return Schedule.make(world, options?.timing ?? true)
}

/** Runs the systems of one world, in phases and in a defined order. Made by createSchedule. */
export class Schedule extends Shown {
  /**
   * Whether `run` does nothing: no system runs, and no time passes for phases and timers. Default false. A change made during
   * a run takes effect in the next one. Not part of snapshots.
   */
  paused = false
  private readonly phases = new PhaseList()
  private readonly systems = new SystemList()
  private readonly chains: (readonly SystemReference[])[] = []
  /** Systems whose dispose waits for the end of the run. */
  private leaving: SystemRecord[] = []
  private arranged = false
  private readonly runner: ScheduleRun
  /** Held here: the world refers to it weakly. */
  private readonly keeper: ScheduleState

  /** @internal Use createSchedule. */
  static make(world: World, timing: boolean): Schedule {
    return new Schedule(world, timing, MAKING)
  }

  private constructor(
    private readonly world: World,
    timing: boolean,
    key: symbol,
  ) {
    super()
    refuseByHand(key, 'Schedule', 'createSchedule(…)')
    this.runner = new ScheduleRun(world, timing)
    this.keeper = new ScheduleState(world['state'], this.phases, this.systems, this.runner)
    addWeakly(world['state'].participants, this.keeper)
  }

  // ── systems and phases ─────────────────────────────────────────────────────────────────────────────────

  /**
   * Adds a system and calls its `init`. Systems of a phase that no `before`, `after` or chain puts in order run in
   * the order in which they were added. A system added during a run first runs in the next one.
   *
   * @param system a function `(world, dt) => void`, or an object with a method `run`; not async
   * @param options phase, order, conditions and rate: see SystemOptions
   * @returns the schedule, for chaining
   * @throws StrataTypeError INVALID_SYSTEM (also for a name that is taken, and for a system that is added twice
   *   without another name), ASYNC_SYSTEM, UNKNOWN_PHASE, NOT_A_COMPONENT; SystemError SYSTEM_FAILED if its `init`
   *   throws. The system is not added then.
   * @example schedule.add(move, { after: input, queries: [moving], writes: [Position] })
   */
  add(system: System, options: SystemOptions = {}): this {
    return this.addRanked(system, options, undefined)
  }

  /**
   * Adds a system that calls a method of every value of an object component with `(dt, entity, world)`. Its name is
   * `Sprite.tick` unless you give one. The world is not locked while the methods run. Values that are removed or
   * replaced during the pass are no longer called; values that are added are called from the next pass on.
   *
   * @param options those of a system, the `method` (default 'tick'), and the `order` among the object components of a
   *   phase
   * @returns the schedule, for chaining
   * @throws StrataTypeError NOT_A_COMPONENT for what is not an object component, INVALID_OPTION, INVALID_SYSTEM,
   *   UNKNOWN_PHASE. Nothing is added then.
   * @example schedule.addObjects(Sprite, { phase: 'post', order: 2 })
   */
  addObjects<T extends Updatable<M>, M extends string = 'tick'>(
    component: UpdatableComponent<T>,
    options: AddObjectsOptions<M> = {},
  ): this {
    const definition = definitionOf(component)
    if (definition === undefined || definition.kind === 'component' || definition.kind === 'tag') {
      throw new StrataTypeError(
        'NOT_A_COMPONENT',
        `schedule.addObjects takes an object component, not ${definition?.componentName ?? describe(component)}.`,
      )
    }
    checkOptions('schedule.addObjects', options)
    const { order = 0, method = 'tick', ...rest } = options ?? {}
    if (typeof order !== 'number' || Number.isNaN(order)) {
      throw new StrataTypeError(
        'INVALID_OPTION',
        `schedule.addObjects: order must be a number, not ${describe(order)}.`,
      )
    }
    const system = new ObjectSystem(
      rest.name ?? `${component.componentName}.${method}`,
      valuesIn(this.world, component),
      method,
    )
    return this.addRanked(system, { ...rest, writes: rest.writes ?? [component as never] }, order)
  }

  private addRanked(system: System, options: SystemOptions, rank: number | undefined): this {
    const record = declareSystem(
      system,
      options,
      rank,
      (system, given) => this.systems.nameFor(system, given),
      (name) => this.phases.find(name),
      this.world['state'],
    )
    try {
      record.init?.(this.world)
    } catch (error) {
      throw new SystemError(record.name, `System '${record.name}' was not added: its init failed`, error)
    }
    this.systems.add(record)
    this.arranged = false
    return this
  }

  /**
   * Removes a system at once; even during a run it is no longer called. Its `dispose` is called, during a run when
   * the run ends. Ordering constraints that name a removed system are ignored until a system with that name is added
   * again.
   *
   * @param system its name, or the function or object that was added
   * @returns the schedule, for chaining
   * @throws StrataTypeError UNKNOWN_SYSTEM; SystemError SYSTEM_FAILED if its `dispose` throws, after the system was
   *   removed
   */
  remove(system: SystemReference): this {
    const record = this.systems.find(system, 'schedule.remove')
    record.removed = true
    this.systems.remove(record)
    this.arranged = false
    this.leaving.push(record)
    const failure = this.runner.running ? undefined : this.disposeLeaving()
    if (failure !== undefined) throw failure
    return this
  }

  /** Whether the schedule has a system of that name, or has that function or object as a system. */
  has(system: SystemReference): boolean {
    return this.systems.has(system)
  }

  /**
   * Makes each of the systems run before the next one. They may be added later, and may be in different phases.
   *
   * @param systems their names, or the functions and objects that are added
   * @returns the schedule, for chaining
   * @throws StrataTypeError INVALID_SYSTEM
   * @example schedule.chain(input, move, 'collide')
   */
  chain(...systems: SystemReference[]): this {
    for (const system of systems) {
      if (!isReference(system)) {
        throw new StrataTypeError(
          'INVALID_SYSTEM',
          `schedule.chain takes systems, by name or as they were added, not ${describe(system)}.`,
        )
      }
    }
    this.chains.push(systems)
    this.arranged = false
    return this
  }

  /**
   * Creates a phase directly before or after another one, or changes the steps of a phase that exists. A phase with a
   * `fixedStep` runs in steps of that many seconds, as often as time has passed. A change made during a run takes
   * effect in the next one.
   *
   * @param options place and steps: see PhaseOptions; fixedStep is clamped to 0.0001 to 10
   * @returns the schedule, for chaining
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
   * Lets disabled systems run again. Takes effect at once, also during a run.
   *
   * @returns the schedule, for chaining
   * @throws StrataTypeError UNKNOWN_SYSTEM. No system is enabled then.
   */
  enable(...systems: SystemReference[]): this {
    this.setEnabled(systems, true, 'schedule.enable')
    return this
  }

  /**
   * Stops systems from running. Takes effect at once, also during a run. Their conditions are not evaluated and their
   * timers stand still; so do the timers of systems that follow them with `of`.
   *
   * @returns the schedule, for chaining
   * @throws StrataTypeError UNKNOWN_SYSTEM. No system is disabled then.
   */
  disable(...systems: SystemReference[]): this {
    this.setEnabled(systems, false, 'schedule.disable')
    return this
  }

  /**
   * Whether a system is enabled.
   *
   * @throws StrataTypeError UNKNOWN_SYSTEM
   */
  isEnabled(system: SystemReference): boolean {
    return this.systems.find(system, 'schedule.isEnabled').enabled
  }

  private setEnabled(systems: readonly SystemReference[], enabled: boolean, operation: string): void {
    const records = systems.map((system) => this.systems.find(system, operation))
    for (const record of records) record.enabled = enabled
  }

  /**
   * The names of all systems, in the order in which the next run calls them.
   *
   * @throws StrataError SCHEDULE_CYCLE; StrataTypeError UNKNOWN_SYSTEM
   */
  order(): string[] {
    return this.arrangement().systems.map(({ name }) => name)
  }

  /**
   * Pairs of systems of one phase that touch the same component, at least one of them writing it, although nothing
   * says which runs first. A system touches what it declares in `reads`, `writes` and `queries`.
   *
   * @throws StrataError SCHEDULE_CYCLE; StrataTypeError UNKNOWN_SYSTEM
   */
  ambiguities(): Ambiguity[] {
    return findAmbiguities(this.arrangement())
  }

  /**
   * Pairs of systems of one phase, the first of which must run before the second, because `before`, `after`, a chain or
   * the `order` of object components says so. Each pair is listed once. Constraints between phases are left out: the
   * order of the phases decides there. So are constraints that follow from others, unless somebody said them, and those
   * that name a removed system.
   *
   * @returns new objects, in the order in which the systems run. Of object components, only those of neighbouring ranks
   *   make a pair.
   * @throws StrataError SCHEDULE_CYCLE; StrataTypeError UNKNOWN_SYSTEM
   */
  constraints(): Constraint[] {
    return findConstraints(this.arrangement(), this.chains)
  }

  // ── running ────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Runs all phases in order, and in each of them every system that is enabled, due, and allowed by its conditions.
   * What a system queues in a loop is applied when its outermost loop ends, so the next system sees it.
   *
   * If a system throws, the run ends there: later systems do not run, loops that the system left open are closed, and
   * what it queued is applied. The next run starts from the beginning.
   * Cost: about 20 ns per system. Without timing it allocates nothing, except for the dt of systems with timers.
   *
   * @param dt seconds since the last run, finite; a negative step counts as 0: the time of a page's first frame may be earlier
   *   than the clock at its start
   * @throws SystemError SYSTEM_FAILED with `system` and `cause`; StrataTypeError INVALID_OPTION, UNKNOWN_SYSTEM,
   *   ASYNC_SYSTEM; StrataError SCHEDULE_CYCLE, SCHEDULE_RUNNING if one of its systems calls it, WORLD_LOCKED inside
   *   a loop
   */
  run(dt: number): void {
    this.prepareRun(dt)
    if (this.paused) return
    const failure = this.runner.run(this.phases.all, dt > 0 ? dt : 0)
    const later = this.leaving.length > 0 ? this.disposeLeaving() : undefined
    if (failure !== undefined) throw failure
    if (later !== undefined) throw later
  }

  private prepareRun(dt: number): void {
    this.refuseWhileRunning('run')
    if (!Number.isFinite(dt)) {
      throw new StrataTypeError(
        'INVALID_OPTION',
        `schedule.run: dt must be seconds, a finite number, not ${describe(dt)}.`,
      )
    }
    // The world does not show its state, and a schedule must see whether it is locked.
    const state = this.world['state']
    state.refuseDisposed()
    state.refuseWhileLocked('schedule.run')
    if (!this.arranged) this.arrange()
  }

  // ── state and statistics ───────────────────────────────────────────────────────────────────────────────

  /**
   * How far time has advanced into the next step of a phase with fixed steps, from 0 to 1. Use it to interpolate
   * between the states before and after the last step when you draw. Ask after that phase has run.
   *
   * @throws StrataTypeError UNKNOWN_PHASE; INVALID_OPTION for a phase without fixed steps
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

  /** Whether each system is measured for stats(): see ScheduleOptions. May be switched at any time. */
  get timing(): boolean {
    return this.runner.timing
  }

  set timing(on: boolean) {
    this.runner.timing = on
  }

  /** Counts and times of the runs, of each phase, and of each system. Allocates. */
  stats(): ScheduleStats {
    return describeRun(this.runner, this.phases.all, this.systems.all)
  }

  /**
   * Removes all systems and calls their `dispose`, in reverse order of adding.
   *
   * @throws StrataError SCHEDULE_RUNNING during a run; SystemError SYSTEM_FAILED, the first one, if a `dispose`
   *   throws, after all have been called
   */
  dispose(): void {
    this.refuseWhileRunning('dispose')
    const { all } = this.systems
    this.leaving.push(...all.reverse())
    for (const record of all) {
      record.removed = true
      this.systems.remove(record)
    }
    this.arranged = false
    const failure = this.disposeLeaving()
    if (failure !== undefined) throw failure
  }

  /** @internal */
  line(): string {
    return showSchedule(this.runner.runs, this.systems.names)
  }

  // ── internals ──────────────────────────────────────────────────────────────────────────────────────────

  private refuseWhileRunning(operation: string): void {
    if (!this.runner.running) return
    throw new StrataError(
      'SCHEDULE_RUNNING',
      `schedule.${operation} was called while this schedule runs, by system '${this.runner.current?.name}': call it after the run.`,
    )
  }

  /** Finds the order of the next run. If there is none, nothing changes. */
  private arrange(): void {
    const { systems } = this.arrangement()
    followTimers(this.systems)
    const orders = new Map(this.phases.all.map((phase) => [phase, [] as SystemRecord[]]))
    for (const system of systems) orders.get(system.phase)?.push(system)
    for (const [phase, order] of orders) phase.order = order
    this.phases.settle()
    this.arranged = true
  }

  private arrangement(): Arrangement {
    return arrangeSystems(this.systems, this.phases.all, this.chains)
  }

  /** Disposes the removed systems. All of them are tried; the first error is returned. */
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
