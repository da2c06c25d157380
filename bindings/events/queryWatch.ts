// Owns the test whether one entity matches a query, now and after a change, without a call into the core.
// It must never call the core, and never look at other entities.

import type { Definition } from '../components/definition'
import type { ParsedTerm, Role } from '../components/terms'
import { StrataTypeError } from '../memory/errors'
import type { Bundle } from '../rows/bundle'
import type { WorldState } from '../rows/worldState'
import { isSwitchedOn } from './switching'
import { Handles, Subscriptions } from './watches'

/** One of the components of which any must be there; negated: must not. */
interface Alternative {
  readonly definition: Definition
  readonly negated: boolean
}

/** A query with listeners or subscribers. Terms that decide nothing (optional) are left out. */
export class QueryWatch {
  readonly enter = new Subscriptions()
  readonly exit = new Subscriptions()
  /** Entities that begin, or end, to match in the change that is reported. */
  readonly entering = new Handles()
  readonly leaving = new Handles()
  private readonly required: Definition[] = []
  private readonly excluded: Definition[] = []
  private readonly groups: Alternative[][] = []
  /** The change that is imagined: components that will be there, and that will be gone. */
  private gains: Bundle | undefined
  private losses: Bundle | undefined
  /** Components that start over, and are imagined to be missing: those in both bundles that the entity has. */
  private restartGains: Bundle | undefined
  private restartLosses: Bundle | undefined
  /** A component that will be switched on or off. */
  private toggled: Definition | undefined
  private switchedOn = false

  constructor(
    private readonly state: WorldState,
    terms: readonly ParsedTerm[],
  ) {
    for (const { definition, role, group, negated } of terms) {
      if (role === 'required') this.required.push(definition)
      else if (role === 'excluded') this.excluded.push(definition)
      else if (role === 'any') {
        while (this.groups.length <= group) this.groups.push([])
        ;(this.groups[group] as Alternative[]).push({ definition, negated })
      }
    }
  }

  get idle(): boolean {
    return this.enter.length + this.exit.length === 0
  }

  /** Whether the component decides about a match. */
  names(definition: Definition): boolean {
    return (
      this.required.includes(definition) ||
      this.excluded.includes(definition) ||
      this.groups.some((group) => group.some((one) => one.definition === definition))
    )
  }

  /** Whether a living entity matches as it is. */
  matches(entity: number): boolean {
    return this.state.hasRow(entity) && this.holds(entity)
  }

  /** Whether it will match when it has got some components and lost others. */
  matchesAfter(entity: number, gains: Bundle | undefined, losses: Bundle | undefined): boolean {
    this.gains = gains
    this.losses = losses
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
      this.required.every((definition) => bundle.contains(definition)) &&
      !this.excluded.some((definition) => bundle.contains(definition)) &&
      this.groups.every((group) =>
        group.some(({ definition, negated }) => bundle.contains(definition) !== negated),
      )
    )
  }

  private holds(entity: number): boolean {
    for (let i = 0; i < this.required.length; i++) {
      if (!this.present(this.required[i] as Definition, entity)) return false
    }
    for (let i = 0; i < this.excluded.length; i++) {
      if (this.present(this.excluded[i] as Definition, entity)) return false
    }
    for (let i = 0; i < this.groups.length; i++) {
      if (!this.anyHolds(this.groups[i] as Alternative[], entity)) return false
    }
    return true
  }

  private anyHolds(group: readonly Alternative[], entity: number): boolean {
    for (let i = 0; i < group.length; i++) {
      const { definition, negated } = group[i] as Alternative
      if (this.present(definition, entity) !== negated) return true
    }
    return false
  }

  /** Whether the component will count for the query. What is added anew is switched on. */
  private present(definition: Definition, entity: number): boolean {
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
      `${operation} cannot watch ${term}(${definition.componentName}): leave it out of the query, and listen with world.onAdd or world.onSet.`,
    )
  }
  return terms
}
