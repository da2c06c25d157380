// Owns the declaration of a system: the options a user gives, checked and normalised, and the condition that runIf: changed(Time)
// stands for. What that has seen must never be kept in JavaScript: it is a look in linear memory, which a restore takes back.

import { CHUNK_TICKS_CHANGED_WORD } from '../../build/layout'
import type { ComponentLike } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { ResourceChange, type ResourceDeclaration } from '../components/resourceDeclaration'
import type { HasEach } from '../memory/arguments'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { takeArray } from '../memory/givenLists'
import { kindOf } from '../memory/realms'
import { Query } from '../queries/query'
import type { ChangeTermHooks } from '../queryPlan/changeTermHooks'
import { onlyRowOf } from '../state/registration'
import type { WorldState } from '../state/worldState'
import type { World } from '../world/world'
import type { Phase, PhaseName } from './phase'
import { IntervalTimer, RateTimer, type SystemTimer } from './systemTimer'

/** A system: called with the world and the seconds since it was last due. Must not be async. */
export type SystemFunction = (world: World, dt: number) => void

/**
 * A system with state: `init` is called when it is added, `run` when its turn comes, and `dispose` when it is
 * removed.
 */
export interface SystemObject {
  /** The system's name, unless the options give another. */
  readonly name?: string | undefined
  /** Called when it is the system's turn. `dt` is the seconds since it was last due. Must not be async. */
  run(world: World, dt: number): void
  /** Called once, when the system is added. If it throws, the system is not added. */
  init?(world: World): void
  /** Called once, when the system is removed or its schedule is disposed of. */
  dispose?(world: World): void
}

/** What schedule.add takes: a function `(world, dt) => void`, or an object with a method `run`. */
export type System = SystemFunction | SystemObject

/**
 * How a schedule and other systems speak of a system: by its name, or by the function or object that was added, which
 * also holds where a minifier renames functions.
 */
export type SystemReference = string | System

/** Decides whether a system runs. Must not be async. */
export type Condition = (world: World) => boolean

/** Options of schedule.add. */
export interface SystemOptions {
  /**
   * Unique in the schedule. Default: the name of the function, of the object or of its class, with a number if another
   * system has it already.
   */
  readonly name?: string | undefined
  /** The phase that the system runs in. Default 'update'. */
  readonly phase?: PhaseName | undefined
  /** Systems that must run after this one, by name or as they were added. They may be added later. */
  readonly before?: SystemReference | readonly SystemReference[] | undefined
  /** Systems that must run before this one, by name or as they were added. They may be added later. */
  readonly after?: SystemReference | readonly SystemReference[] | undefined
  /**
   * The system runs if all of them return true. Every condition is evaluated each time the system is due, even after
   * one returned false, so that a query with `changed` in it counts as looked at. `changed(Time)` of a resource holds if the
   * resource was made or written since this system was last due, by anything but this system itself.
   */
  readonly runIf?: Condition | ResourceChange | readonly (Condition | ResourceChange)[] | undefined
  /** Whether the system runs from the start. Default true; see schedule.enable. */
  readonly enabled?: boolean | undefined
  /**
   * Runs the system each time that so many seconds of its phase have passed, more than 0; at most once per run or
   * step.
   */
  readonly interval?: number | undefined
  /** Runs the system every n-th time, n a whole number from 1. */
  readonly every?: number | undefined
  /**
   * With `every`: another system, by name or as it was added. Counts how often that one was due, in place of this
   * system's own turns.
   */
  readonly of?: SystemReference | undefined
  /** Components that the system reads, for schedule.ambiguities. */
  readonly reads?: readonly ComponentLike[] | undefined
  /** Components that the system writes, adds or removes, for schedule.ambiguities. */
  readonly writes?: readonly ComponentLike[] | undefined
  /**
   * Queries that the system uses, for schedule.ambiguities: their components count as read, unless they are in
   * `writes`.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a query of any terms
  readonly queries?: readonly Query<any>[] | undefined
}

const OPTIONS = [
  'name',
  'phase',
  'before',
  'after',
  'runIf',
  'enabled',
  'interval',
  'every',
  'of',
  'reads',
  'writes',
  'queries',
] as const
true satisfies HasEach<SystemOptions, typeof OPTIONS>

/** What a schedule knows of one system. */
export interface SystemRecord {
  readonly name: string
  /** What was added. */
  readonly system: System
  readonly phase: Phase
  readonly before: readonly SystemReference[]
  readonly after: readonly SystemReference[]
  /** Among those of a phase that have one, lower ranks come first. */
  readonly rank: number | undefined
  readonly conditions: readonly Condition[]
  /** Called whenever it has run to its end. */
  readonly afterwards: readonly (() => void)[]
  readonly timer: SystemTimer | undefined
  readonly reads: ReadonlySet<Definition>
  readonly writes: ReadonlySet<Definition>
  readonly run: (world: World, dt: number) => unknown
  readonly init: ((world: World) => void) | undefined
  readonly dispose: ((world: World) => void) | undefined
  enabled: boolean
  removed: boolean
  /** How often it was due, whatever its conditions said. */
  fired: number
  runs: number
  /** Turns in which it did not run: not due, or kept by a condition. */
  skipped: number
  lastMs: number
  totalMs: number
}

/**
 * Takes a declaration apart.
 *
 * @param nameFor gives the system its name, the given one if there is one, or throws
 * @param findPhase gives the phase of a name, or throws
 * @throws StrataTypeError INVALID_SYSTEM, ASYNC_SYSTEM, NOT_A_COMPONENT
 */
export function declareSystem(
  system: System,
  options: SystemOptions,
  rank: number | undefined,
  nameFor: (system: System, given: string | undefined) => string,
  findPhase: (name: string) => Phase,
  state: WorldState,
): SystemRecord {
  const given = givenName(system, options)
  const name = nameFor(system, given)
  checkOptions(name, options)
  const object = typeof system === 'function' ? undefined : system
  const body: unknown = object === undefined ? system : (object as { readonly run?: unknown }).run
  if (typeof body !== 'function')
    throw invalid(name, `is no function and has no method run: ${describe(body)}`)
  refuseAsyncFunction(name, body)
  const afterwards: (() => void)[] = []
  const conditions = listOf('conditions', options.runIf).map((condition) =>
    conditionIn(state, condition, afterwards),
  )
  for (const condition of conditions) {
    if (typeof condition !== 'function')
      throw invalid(name, `has a runIf that is no function: ${describe(condition)}`)
    refuseAsyncFunction(name, condition)
  }
  const writes = new Set(componentsOf(name, 'writes', options.writes))
  const reads = new Set([...componentsOf(name, 'reads', options.reads), ...queriedBy(name, options.queries)])
  for (const written of writes) reads.delete(written)
  return {
    name,
    system,
    phase: findPhase(options.phase ?? 'update'),
    before: referencesOf(name, 'before', options.before),
    after: referencesOf(name, 'after', options.after),
    rank,
    conditions,
    afterwards,
    timer: timerOf(name, system, options),
    reads,
    writes,
    run: object === undefined ? (system as SystemFunction) : (world, dt) => object.run(world, dt),
    init: object?.init?.bind(object),
    dispose: object?.dispose?.bind(object),
    enabled: options.enabled ?? true,
    removed: false,
    fired: 0,
    runs: 0,
    skipped: 0,
    lastMs: 0,
    totalMs: 0,
  }
}

/** The name in the options, if there is one. */
function givenName(system: unknown, options: unknown): string | undefined {
  if (typeof system !== 'function' && (typeof system !== 'object' || system === null)) {
    throw new StrataTypeError(
      'INVALID_SYSTEM',
      `schedule.add takes a function (world, dt) or an object with a method run(world, dt), not ${describe(system)}.`,
    )
  }
  if (typeof options !== 'object' || options === null) {
    throw new StrataTypeError(
      'INVALID_SYSTEM',
      `schedule.add takes an object of options, not ${describe(options)}.`,
    )
  }
  const name: unknown = (options as SystemOptions).name
  if (name === undefined || (typeof name === 'string' && name !== '')) return name
  throw new StrataTypeError(
    'INVALID_SYSTEM',
    `schedule.add: name must be a text that is not empty, such as { name: 'move' }, not ${describe(name)}.`,
  )
}

function checkOptions(name: string, options: SystemOptions): void {
  for (const key of Object.keys(options)) {
    if (!(OPTIONS as readonly string[]).includes(key))
      throw invalid(name, `has no option '${key}'; the options are ${OPTIONS.join(', ')}`)
  }
  if (options.enabled !== undefined && typeof options.enabled !== 'boolean') {
    throw invalid(name, `needs enabled to be true or false, not ${describe(options.enabled)}`)
  }
}

/** Functions that return at once and do their work later: no schedule could order them. */
function refuseAsyncFunction(name: string, body: unknown): void {
  const kind = kindOf(body)
  if (kind === 'AsyncFunction' || kind === 'AsyncGeneratorFunction') throw asyncSystem(name)
  if (kind === 'GeneratorFunction')
    throw invalid(name, 'is a generator function: calling it would do nothing')
}

/** The error for a system, or one of its conditions, that does not finish at once. */
function asyncSystem(name: string, cause?: object): StrataTypeError {
  return new StrataTypeError(
    'ASYNC_SYSTEM',
    `System '${name}' is async or returned a promise. Systems and their conditions must be synchronous: start slow work in a system, and let a later run take its result.`,
    cause === undefined ? undefined : { cause },
  )
}

/**
 * Refuses what a system or a condition returned when it is a promise, or may be waited for like one. The promise is the
 * `cause` of the error. If it rejects, that counts as handled, because nothing else may have the promise.
 */
export function refusePromise(name: string, result: unknown): void {
  if (typeof result !== 'object' || result === null) return
  if (typeof (result as { then?: unknown }).then !== 'function') return
  try {
    void Promise.prototype.then.call(result, undefined, () => {})
  } catch {
    // No real promise: its rejection ends nothing, and its own then may begin work that is refused here.
  }
  throw asyncSystem(name, result)
}

function timerOf(
  name: string,
  system: System,
  { interval, every, of }: SystemOptions,
): SystemTimer | undefined {
  if (interval !== undefined) {
    if (every !== undefined || of !== undefined) throw invalid(name, 'has both an interval and every or of')
    if (typeof interval !== 'number' || !Number.isFinite(interval) || interval <= 0) {
      throw invalid(name, `needs an interval in seconds, above 0 and finite, not ${describe(interval)}`)
    }
    return new IntervalTimer(interval)
  }
  if (every === undefined && of === undefined) return undefined
  const count = every ?? 1
  if (!Number.isInteger(count) || count < 1) {
    throw invalid(
      name,
      `needs every to be a whole number of runs from 1, not ${describe(count)}; interval takes seconds`,
    )
  }
  if (of !== undefined && (!isReference(of) || of === name || of === system)) {
    throw invalid(name, `needs of to be another system, by name or as it was added, not ${describe(of)}`)
  }
  return new RateTimer(count, of)
}

function listOf<T>(of: string, value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return []
  return Array.isArray(value) ? takeArray('schedule.add', of, value as readonly T[]) : [value as T]
}

/** Whether a value is a name, or something that could have been added as a system. */
export function isReference(value: unknown): value is SystemReference {
  return (
    typeof value === 'string' || typeof value === 'function' || (typeof value === 'object' && value !== null)
  )
}

function referencesOf(
  name: string,
  key: string,
  value: SystemReference | readonly SystemReference[] | undefined,
): readonly SystemReference[] {
  const references = listOf('systems', value)
  for (const other of references) {
    if (!isReference(other)) {
      throw invalid(name, `needs ${key} to be systems, by name or as they were added, not ${describe(other)}`)
    }
  }
  return references
}

function componentsOf(name: string, key: string, components: readonly ComponentLike[] = []): Definition[] {
  if (!Array.isArray(components)) throw invalid(name, `needs ${key} to be a list of components`)
  return takeArray('schedule.add', 'components', components).map((component) => {
    const definition = definitionOf(component)
    if (definition !== undefined) return definition
    throw new StrataTypeError(
      'NOT_A_COMPONENT',
      `System '${name}': ${key} takes components and tags, not ${describe(component)}.`,
    )
  })
}

/** What the queries look at; a component that must not be there is not looked at. */
function queriedBy(name: string, queries: SystemOptions['queries'] = []): Definition[] {
  const listed: readonly unknown[] = Array.isArray(queries)
    ? takeArray('schedule.add', 'queries', queries as readonly unknown[])
    : [undefined]
  if (!listed.every((query) => query instanceof Query)) {
    throw invalid(name, 'needs queries to be a list of what world.query gave')
  }
  return (listed as readonly Query[]).flatMap((query) =>
    query.source.terms
      .filter(({ role, negated }) => role !== 'excluded' && !negated)
      .map(({ definition }) => definition),
  )
}

function invalid(name: string, sentence: string): StrataTypeError {
  return new StrataTypeError('INVALID_SYSTEM', `System '${name}' ${sentence}.`)
}

/**
 * What decides whether a system runs, as a function.
 *
 * @param afterwards gets what is to be called whenever the system has run
 */
function conditionIn(
  state: WorldState,
  condition: Condition | ResourceChange,
  afterwards: (() => void)[],
): Condition {
  if (!(condition instanceof ResourceChange)) return condition
  const resources = condition.resources as readonly ResourceDeclaration[]
  // The function is what holds the look: it goes with the system.
  const holds = (): boolean => {
    const { seen } = seenTick
    const changed = resources.every(({ definition }) => isChanged(state, definition as Definition, seen))
    seenTick.markSeen()
    return changed
  }
  const seenTick = (condition.changing as ChangeTermHooks).begin(state, holds)
  // What the system wrote itself, or read in a way that counts as a write, must not wake it again.
  afterwards.push(() => {
    if (state.disposed) return
    const { seen } = seenTick
    if (resources.some(({ definition }) => isChanged(state, definition as Definition, seen)))
      seenTick.markSeen()
  })
  return holds
}

/** Whether a resource is there, and was made or written after a tick. */
function isChanged(state: WorldState, definition: Definition, since: number | undefined): boolean {
  const ref = onlyRowOf(state.known(definition))
  if (ref === undefined) return false
  if (since === undefined) return true
  const tick = state.heap.u32[((ref.data + ref.placement.tickOffset) >> 2) + CHUNK_TICKS_CHANGED_WORD]
  return (((tick as number) - since) | 0) > 0
}
