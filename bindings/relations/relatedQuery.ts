// Owns queries some of whose terms name targets, or an order by levels: how one is made, which entities it visits, and whether
// one has the links that are named. The query's other terms are checked by the query without these.

import { TABLE_VERSION } from '../../build/layout'
import { ComponentValue } from '../components/componentValues'
import type { Definition } from '../components/definition'
import type { Pair } from '../components/pair'
import { Not, type Ordering, type ParsedTerm, not, relatedIn } from '../components/terms'
import { listedStrategy, refuseGroup } from '../iteration/listedRows'
import { eachChunk } from '../memory/coreTables'
import { StrataTypeError } from '../memory/errors'
import type { Query } from '../queries/query'
import { ResultComparison } from '../queries/resultComparison'
import type { Related } from '../queryPlan/filters'
import type { Bundle } from '../state/bundle'
import { type Noting, type Relating, relatingOf } from '../state/relationHooks'
import type { WorldState } from '../state/worldState'
import { isSwitchedOn } from '../values/toggles'
import type { Cascade } from './cascade'
import type { CascadeOrder } from './cascadeOrder'
import { ComponentVersion } from './componentVersion'
import type { LinkStore } from './linkStore'
import type { RelationType } from './relationType'
import type { Relations } from './relations'

/**
 * The query with these terms.
 *
 * @throws StrataTypeError INVALID_QUERY, NOT_A_COMPONENT
 */
export function queryRelated(
  state: WorldState,
  world: { query(...terms: never[]): object },
  terms: readonly unknown[],
): object {
  // An order of another kind is put on what the links leave.
  const ordering = terms.find((term) => (term as Partial<Ordering> | null)?.operator === 'inCreationOrder')
  if (ordering !== undefined) return (relatedIn(ordering) as Relating).query(state, world, terms)
  const conditions: RelatedCondition[] = []
  const plain: unknown[] = []
  let descent: CascadeOrder | undefined
  for (const term of terms) {
    if (relatedIn(term) === undefined) plain.push(term)
    else if ((term as Partial<Ordering>).operator === 'cascade') {
      if (descent !== undefined)
        throw new StrataTypeError(
          'INVALID_QUERY',
          'query: entities can follow one order: name one cascade().',
        )
      descent = (term as Cascade).in(state)
    } else if (term instanceof Not) {
      const denied: readonly unknown[] = (term as Not).components
      const others = denied.filter((one) => relatedIn(one) === undefined)
      for (const one of denied) if (!others.includes(one)) conditions.push(conditionOf(one as Pair, true))
      if (others.length > 0) plain.push(not(...(others as [never])))
    } else if (term instanceof ComponentValue) {
      const { component } = term as ComponentValue
      // Of several targets more than one can be asked for.
      const isNamed = conditions.some(
        ({ definition, negated }) => !negated && definition === (component as never),
      )
      if (!isNamed || (relatedIn(term) as RelationType).segments === undefined) plain.push(component)
      conditions.push(conditionOf(term as unknown as Pair, false))
    }
  }
  for (const { definition } of conditions) state.claim(definition)
  const base = world.query(...(plain as never[])) as Query
  refuseGroup(base.source.plan())
  const asks = conditions.map(({ definition, target, negated }) =>
    [definition.serial, negated, typeof target === 'number' ? target : `with ${target.serial}`].join(),
  )
  if (descent !== undefined) asks.push(`by ${descent.relation.serial}`)
  return base.relate(new TargetFilter(state, base as never, conditions, descent), asks.join(), listedStrategy)
}

/** What is asked of the links of one relation. */
interface RelatedCondition {
  readonly definition: Definition
  /** A handle, or a component that the target must have. */
  readonly target: number | Definition
  readonly negated: boolean
}

/** A query, as far as it is needed here. */
interface Base {
  /** Lists what matches, which is no look at what has changed: the query with all terms looks. */
  list(): Uint32Array
  readonly version: number
  readonly source: { readonly terms: readonly ParsedTerm[]; readonly remembers: boolean }
}

class TargetFilter extends ResultComparison implements Related {
  /** Of the components that targets must have, or must not: they decide about the sources. */
  private readonly joined: ComponentVersion[] = []
  /** Targets that are imagined to be dead. */
  private dead: ReadonlySet<number> | undefined

  constructor(
    private readonly state: WorldState,
    /** The query with all other terms. */
    private readonly base: Base,
    private readonly conditions: readonly RelatedCondition[],
    /** The levels that are followed. */
    readonly descent: CascadeOrder | undefined,
  ) {
    super()
    for (const { target } of conditions)
      if (typeof target === 'function') this.joined.push(new ComponentVersion(state, target))
  }

  private linksOf(definition: Definition): LinkStore | undefined {
    return (this.state.relations as Relations | undefined)?.of(definition)
  }

  // ── which entities ─────────────────────────────────────────────────────────────────────────────────────

  list(): Uint32Array {
    const { descent } = this
    if (descent === undefined) return this.selected()
    return descent.entities(this.membersVersion(), () => this.selected())
  }

  /** A number that tells whether others are selected than before; undefined where nothing tells. */
  private membersVersion(): number | undefined {
    // What has changed depends on values.
    if (this.base.source.remembers) return undefined
    return this.base.version + this.conditionsVersion()
  }

  /** Those that have all the links that are named, and none that must not be. */
  private selected(): Uint32Array {
    const { conditions } = this
    const first = conditions.find(({ negated }) => !negated)
    const rest = conditions.filter((condition) => condition !== first)
    const candidates = first === undefined ? this.base.list() : this.sourcesBy(first)
    if (rest.length === 0) return candidates
    return candidates.filter((entity) => rest.every((condition) => this.meets(condition, entity)))
  }

  /** All sources of a target, or of all targets that have a component. */
  private sourcesBy({ definition, target }: RelatedCondition): Uint32Array {
    const links = this.linksOf(definition)
    if (links === undefined) return NONE
    if (typeof target === 'number') {
      const sources = new Uint32Array(links.countOf(target))
      links.fill(target, sources)
      return sources
    }
    const found: number[] = []
    const { heap } = this.state
    const pool = this.state.known(links.kind.sources)?.pool
    if (pool === undefined) return NONE
    eachChunk(heap, pool, (data, _, rows) => {
      for (let row = 0; row < rows; row++) {
        const owner = heap.u32[(data >> 2) + row] as number
        if (isSwitchedOn(this.state, owner, target)) links.collect(owner, found)
      }
    })
    // With several targets an entity may have been found by some of them.
    return Uint32Array.from(links.kind.segments === undefined ? found : new Set(found))
  }

  private meets({ definition, target, negated }: RelatedCondition, entity: number): boolean {
    const links = this.linksOf(definition)
    if (links === undefined) return negated
    if (typeof target === 'number') return (this.counts(target) && links.leadsTo(entity, target)) !== negated
    const targets: number[] = []
    links.collectTargets(entity, targets)
    return this.leadsTo(targets, target) !== negated
  }

  private leadsTo(targets: readonly number[], wanted: number | Definition): boolean {
    return typeof wanted === 'number'
      ? targets.includes(wanted) && this.counts(wanted)
      : targets.some((to) => this.counts(to) && isSwitchedOn(this.state, to, wanted))
  }

  /** Whether links to a target count: a kept link to a dead one does not, no list of sources has it. */
  private counts(target: number): boolean {
    return (this.state.relations as Relations).holdsFor(target) && this.dead?.has(target) !== true
  }

  version(): number {
    return (this.conditionsVersion() + (this.descent?.version() ?? 0)) >>> 0
  }

  private conditionsVersion(): number {
    const { heap } = this.state
    let version = 0
    for (const { definition } of this.conditions) {
      const links = this.linksOf(definition)
      if (links !== undefined) version += heap.word(links.registration.pool + TABLE_VERSION)
    }
    for (const joined of this.joined) version += joined.read()
    return version
  }

  // ── for listeners ──────────────────────────────────────────────────────────────────────────────────────

  get named(): readonly Definition[] {
    return this.conditions.flatMap(({ definition, target }) =>
      typeof target === 'number' ? [definition] : [definition, target],
    )
  }

  get keeps(): boolean {
    return this.kept.length > 0
  }

  /** The conditions that name targets whose links are kept when they die. */
  private get kept(): readonly RelatedCondition[] {
    return this.conditions.filter(
      ({ definition, target }) =>
        typeof target === 'number' && (relatingOf(definition) as RelationType).onTargetDestroy === 'keep',
    )
  }

  noteKept(query: Noting, targets: ArrayLike<number>, die: boolean): void {
    const { kept } = this
    const some = new Set(Array.from(targets))
    const sources: number[] = []
    for (const { definition, target } of kept)
      if (some.has(target as number)) this.linksOf(definition)?.collect(target as number, sources)
    for (const source of new Set(sources)) {
      // It leaves by its own death.
      if (die && some.has(source)) continue
      const holds = query.matches(source)
      this.dead = some
      const holdsWithout = query.matches(source)
      this.dead = undefined
      if (holds === holdsWithout) continue
      const list = holds === die ? query.leaving : query.entering
      list.push(source)
    }
  }

  holds(entity: number, gains?: Bundle, losses?: Bundle, given?: readonly unknown[]): boolean {
    return this.conditions.every(({ definition, target, negated }) => {
      const place = gains?.definitions.indexOf(definition) ?? -1
      const ingredient = place < 0 ? undefined : given?.[place]
      const isLost = losses?.contains(definition) === true
      const targets = this.linksOf(definition)?.targetsAfter(entity, isLost, ingredient) ?? []
      return this.leadsTo(targets, target) !== negated
    })
  }

  refuseListeners(operation: string): void {
    for (const { definition, target } of this.conditions) {
      if (typeof target === 'number') continue
      const term = `${definition.componentName}(${target.componentName})`
      throw new StrataTypeError(
        'INVALID_QUERY',
        `${operation} cannot follow ${term}: what other entities have decides about it. Name an entity as the target, or use onChange(query, listener).`,
      )
    }
  }

  /** The entities that match, ascending. */
  protected matching(): number[] {
    return Array.from(this.base.list())
      .filter((entity) => this.conditions.every((condition) => this.meets(condition, entity)))
      .sort((a, b) => a - b)
  }
}

const NONE = /* @__PURE__ */ new Uint32Array(0)

/** What a pair in a query asks. */
function conditionOf(pair: Pair, negated: boolean): RelatedCondition {
  const definition = pair.component as unknown as Definition
  return { definition, target: pair.target as unknown as number | Definition, negated }
}
