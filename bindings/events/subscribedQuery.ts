// Owns how a subscribed query finds out whether its result has changed: it notes what is about to change, and compares
// afterwards. It avoids looking at all entities of a query, unless links or an order decide. A single entity that changes is
// tested before and after; one that comes or goes and matches is enough; only otherwise are versions and counts of rows compared,
// which costs as much as there are archetypes.

import type { ParsedTerm } from '../components/terms'
import type { Related } from '../queryPlan/filters'
import { type Plan, membersVersion } from '../queryPlan/plan'
import type { Bundle } from '../state/bundle'
import { SEVERAL } from '../state/changeObserver'
import type { WorldState } from '../state/worldState'
import { QueryWatch, watchable } from './queryWatch'

/** Called without arguments: what has changed can be read. */
export type Listener = () => void

export interface ResultSubscription {
  readonly listener: Listener
  /** The emission during which it was made: only later ones call it. */
  readonly since: number
}

/** In place of a version: it is another one by now, or what it was is not known. */
const UNKNOWN = -1

/** A query, as far as its subscribers need it. */
export interface Subscribable {
  readonly isEmpty: boolean
  /** What is asked of links in addition to the terms: no version tells whether that is another result. */
  readonly related: Related | undefined
  /** One object for all looks at the query. */
  readonly source: {
    readonly state: WorldState
    readonly terms: readonly ParsedTerm[]
    plan(): Plan
  }
}

/** A query with subscriptions. */
export class SubscribedQuery {
  /** In their order; one that is ended while they are called is passed over. */
  readonly subscriptions = new Set<ResultSubscription>()
  readonly watch: QueryWatch
  /** What it was before the first change that concerns it; undefined when none did. */
  private version: number | undefined
  /** The one entity that all changes were about, and whether it matched before; undefined while there was none. */
  private entity: number | undefined
  private matched = false
  /** Whether it may have changed. */
  isNoted = false
  private readonly state: WorldState

  constructor(
    private readonly query: Subscribable,
    readonly order: number,
  ) {
    const { state, terms } = query.source
    this.state = state
    this.watch = new QueryWatch(state, watchable(terms, 'onChange'), query.related)
  }

  /** Whether links decide, too. */
  get isRelated(): boolean {
    return this.query.related !== undefined
  }

  /** A change of an entity, or of SEVERAL, will be made that may decide about a match. */
  note(entity: number): void {
    if (this.query.related !== undefined) return this.query.related.remember()
    if (this.isAlone(entity)) return
    this.version ??= this.membersVersion()
  }

  /** An entity will lose components and get them again. Where one is an ordered tag, the entity is the last one then. */
  noteRestart(entity: number, gains: Bundle, losses: Bundle): void {
    const { watch } = this
    if (gains.keepsInsertionOrder && watch.matches(entity) && watch.restarts(entity, gains, losses))
      this.note(SEVERAL)
  }

  /** Entities that match have been made, or will be destroyed. */
  noteCertain(): void {
    if (this.query.related !== undefined) return
    this.version = UNKNOWN
    this.entity = SEVERAL
  }

  /** An entity will be destroyed, or has been made: that is a change if it matches. One that was noted alone is asked at the end. */
  noteMatching(entity: number): void {
    const { related } = this.query
    if (this.version === UNKNOWN || this.entity === entity || !this.watch.matches(entity)) return
    if (related !== undefined) related.remember()
    else this.noteCertain()
  }

  /**
   * Whether nothing need be asked: because all notes so far are about one entity, which is asked in place of the query, or
   * because the result is known to be another one. What has become of the first entity is asked before the second is noted.
   */
  private isAlone(entity: number): boolean {
    if (this.version === UNKNOWN) return true
    if (entity !== SEVERAL && (this.entity === undefined || this.entity === entity)) {
      if (this.entity === undefined) {
        this.entity = entity
        this.matched = this.matchesNow()
      }
      return true
    }
    if (this.differs) this.version = UNKNOWN
    this.entity = SEVERAL
    return this.version === UNKNOWN
  }

  /** Whether the one entity that was noted matches other than before. */
  private get differs(): boolean {
    return this.entity !== undefined && this.entity !== SEVERAL && this.matchesNow() !== this.matched
  }

  private matchesNow(): boolean {
    const entity = this.entity as number
    return entity !== SEVERAL && this.state.isAlive(entity) && this.watch.matches(entity)
  }

  /** All entities end: without entities the result is empty. */
  noteEnd(): void {
    if (this.query.isEmpty) return
    this.version = UNKNOWN
    this.entity = SEVERAL
  }

  /** Memory went back to another time: what matched before is not known. */
  noteRestore(): void {
    this.version = UNKNOWN
    this.entity = SEVERAL
  }

  /** Whether the result is another one than before the first note. All notes are forgotten. */
  takeChange(): boolean {
    const { version, entity, differs } = this
    this.version = this.entity = undefined
    this.isNoted = false
    if (entity !== undefined && entity !== SEVERAL) return differs
    const { related } = this.query
    const relates = related?.takeChange()
    if (version === UNKNOWN) return true
    return relates ?? (version !== undefined && version !== this.membersVersion())
  }

  private membersVersion(): number {
    try {
      return membersVersion(this.query.source.plan(), this.state)
    } catch {
      // No memory for the plan. Then whatever happens counts as a change.
      return UNKNOWN
    }
  }
}
