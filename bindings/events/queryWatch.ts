// Owns the test whether one entity matches a query, now and after a change, without a call into the core.

import { type Definition, canToggle, isHiding } from '../components/definition'
import type { ParsedTerm, Role } from '../components/terms'
import { StrataTypeError } from '../memory/errors'
import { HandleList } from '../memory/handleList'
import type { Bundle } from '../state/bundle'
import type { WorldState } from '../state/worldState'
import { isSwitchedOn } from '../values/toggles'
import type { WatchedLinks } from '../state/relationHooks'
import type { GivenList } from '../state/changeObserver'
import { Subscriptions } from './watches'

/** A component that must be there, or negated, must not. */
interface WatchedCondition {
  readonly definition: Definition
  readonly negated: boolean
  /** Whether it counts as there although it is switched off. */
  readonly anyway: boolean
}

/** A query with listeners or subscribers. */
export class QueryWatch {
  readonly enter = new Subscriptions()
  readonly exit = new Subscriptions()
  /** Entities that begin, or end, to match in the change that is reported. */
  readonly entering = new HandleList()
  readonly leaving = new HandleList()
  /** Of each list one condition must hold. */
  private readonly clauses: WatchedCondition[][] = []
  /** Every entity that matches has one of these pooled components; undefined when no term requires one. */
  private readonly key: readonly Definition[] | undefined
  /** The change that is imagined: components that will be there, and that will be gone. */
  private gains: Bundle | undefined
  private losses: Bundle | undefined
  private given: GivenList
  /** Components that start over, and are imagined to be missing: those in both bundles that the entity has. */
  private restartGains: Bundle | undefined
  private restartLosses: Bundle | undefined
  /** A component that will be switched on or off. */
  private toggled: Definition | undefined
  private switchedOn = false

  constructor(
    private readonly state: WorldState,
    private readonly terms: readonly ParsedTerm[],
    /** What is asked of links in addition. */
    readonly related?: WatchedLinks,
    /** Its place among the others: the lower, the earlier its first listener came. */
    readonly order = 0,
  ) {
    const groups = new Map<number, WatchedCondition[]>()
    for (const { definition, role, group, negated, anyway } of terms) {
      if (role === 'optional') continue
      const clause = groups.get(group) ?? []
      clause.push({ definition, negated: negated || role === 'excluded', anyway })
      if (clause.length === 1) this.clauses.push(clause)
      if (role === 'any') groups.set(group, clause)
    }
    const pooled = this.clauses.filter((clause) =>
      clause.every(({ definition, negated }) => !negated && definition.storage !== 'table'),
    )
    // The last one: what is named first is what more queries name.
    this.key = pooled.at(-1)?.map(({ definition }) => definition)
  }

  /** Whether rows of archetypes and switches alone decide about a match. */
  get isOfTables(): boolean {
    const { clauses, related } = this
    return (
      related === undefined &&
      clauses.every((all) => all.every(({ definition }) => definition.storage === 'table'))
    )
  }

  get idle(): boolean {
    return this.enter.length + this.exit.length === 0
  }

  /** Whether the component decides about a match. */
  names(definition: Definition): boolean {
    return (
      this.clauses.some((clause) => clause.some((one) => one.definition === definition)) ||
      this.isHiddenBy(definition) ||
      this.related?.named.includes(definition) === true
    )
  }

  /** Whether an entity can match because it has the component with an id in a pool: one is enough that every match has. */
  mayMatchBy(pooled: number): boolean {
    return this.key?.some((definition) => this.state.known(definition)?.id === pooled) === true
  }

  /**
   * Whether an entity can match because of its archetype alone, and what it has in pools does not lead to the query anyway.
   * Switches, links, and what else lies in pools, which the archetype does not know, are taken to be as the query wants them.
   */
  mayMatchIn(archetype: number): boolean {
    return this.key === undefined && this.mayMatchNear(archetype, undefined, undefined)
  }

  /**
   * As mayMatchIn, also for queries that pools lead to. Components of the two bundles count as the query wants them, because the
   * change adds or removes them.
   */
  mayMatchNear(archetype: number, bundle: Bundle | undefined, other: Bundle | undefined): boolean {
    return this.clauses.every((clause) =>
      clause.some(({ definition, negated, anyway }) => {
        if (definition.storage !== 'table') return true
        if (bundle?.contains(definition) === true || other?.contains(definition) === true) return true
        const isIn = this.state.known(definition)?.isIn(archetype) === true
        return isIn !== negated || (isIn && !anyway && canToggle(definition))
      }),
    )
  }

  /** Whether a living entity matches as it is. */
  matches(entity: number): boolean {
    return this.state.hasRow(entity) && this.holds(entity)
  }

  /** Whether it will match when it has got some components and lost others. */
  matchesAfter(
    entity: number,
    gains: Bundle | undefined,
    losses: Bundle | undefined,
    given?: GivenList,
  ): boolean {
    this.gains = gains
    this.losses = losses
    this.given = given
    // A reserved entity without a row is in no query; what adds components gives it one.
    const holds = (gains !== undefined || this.state.hasRow(entity)) && this.holds(entity)
    this.gains = this.losses = undefined
    return holds
  }

  /** Whether it matches now, or will match, only by a component that starts over: it ends to match, then begins again. */
  restarts(entity: number, gains: Bundle, losses: Bundle): boolean {
    this.restartGains = gains
    this.restartLosses = losses
    const holds = this.matches(entity) && this.matchesAfter(entity, gains, losses)
    this.restartGains = this.restartLosses = undefined
    return !holds
  }

  /** Whether it will match when a component that it has is switched on or off. */
  matchesToggled(entity: number, definition: Definition, on: boolean): boolean {
    this.toggled = definition
    this.switchedOn = on
    const holds = this.holds(entity)
    this.toggled = undefined
    return holds
  }

  /** Whether an entity that has the components of a bundle, and nothing else, matches. */
  matchesNew(bundle: Bundle): boolean {
    return (
      this.clauses.every((clause) =>
        clause.some(({ definition, negated }) => bundle.contains(definition) !== negated),
      ) && !bundle.definitions.some((definition) => this.isHiddenBy(definition))
    )
  }

  private holds(entity: number): boolean {
    for (let i = 0; i < this.clauses.length; i++) {
      if (!this.anyHolds(this.clauses[i] as WatchedCondition[], entity)) return false
    }
    const { hiding } = this.state
    for (let i = 0; i < hiding.length; i++) {
      const tag = hiding[i] as Definition
      if (this.isHiddenBy(tag) && this.present(tag, entity)) return false
    }
    return this.related === undefined || this.related.holds(entity, this.gains, this.losses, this.given)
  }

  /** Whether entities with the tag are in no query but those that name it, and this one does not. */
  private isHiddenBy(tag: Definition): boolean {
    return (
      isHiding(tag) &&
      this.related?.meetsHidden !== true &&
      !this.terms.some(({ definition }) => definition === tag)
    )
  }

  private anyHolds(clause: readonly WatchedCondition[], entity: number): boolean {
    for (let i = 0; i < clause.length; i++) {
      const { definition, negated, anyway } = clause[i] as WatchedCondition
      if (this.present(definition, entity, anyway) !== negated) return true
    }
    return false
  }

  /** Whether the component will count for the query. What is added again is switched on. */
  private present(definition: Definition, entity: number, anyway = false): boolean {
    if (
      this.restartLosses?.contains(definition) === true &&
      this.restartGains?.contains(definition) === true
    ) {
      if (this.state.known(definition)?.isOn(entity) === true) return false
    }
    const gained = this.gains !== undefined && this.gains.contains(definition)
    if (this.losses !== undefined && this.losses.contains(definition)) return gained
    const registration = this.state.known(definition)
    if (registration === undefined || !registration.isOn(entity)) return gained
    if (anyway) return true
    return definition === this.toggled ? this.switchedOn : isSwitchedOn(this.state, entity, definition)
  }
}

const DECIDED_BY_COMPONENTS: readonly Role[] = ['required', 'excluded', 'optional', 'any']

/**
 * The terms, when nothing but which components an entity has decides whether it matches.
 *
 * @throws StrataTypeError INVALID_QUERY
 */
export function watchable(terms: readonly ParsedTerm[], operation: string): readonly ParsedTerm[] {
  for (const { definition, role, changed, added } of terms) {
    if (!changed && !added && DECIDED_BY_COMPONENTS.includes(role)) continue
    const term = changed ? 'changed' : added ? 'added' : role
    throw new StrataTypeError(
      'INVALID_QUERY',
      `${operation} cannot watch ${term}(${definition.componentName}): leave it out of the query, and listen with onAdd or onSet.`,
    )
  }
  return terms
}
