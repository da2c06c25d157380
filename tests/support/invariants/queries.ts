// Checks transitions between archetypes, and queries: terms, match lists, and which queries a new archetype is reported to.

import { LAYOUT } from '../layout'
import type { Archetypes, Bundles } from './archetypes'
import type { Components } from './components'
import { fail } from './failure'
import type { Memory } from './memory'
import { MovePlans } from './movePlans'

const L = LAYOUT

export class Transitions {
  constructor(
    private readonly memory: Memory,
    private readonly archetypes: Archetypes,
    private readonly bundles: Bundles,
  ) {}

  /** Every edge of the transition graph, and every cached one, must lead where adding or removing leads. */
  check(): void {
    const { archetypes, memory } = this
    const plans = new Map<string, number>()
    const movePlans = new MovePlans(memory)
    movePlans.check()
    for (const [low, source, target, plan] of memory.hashed(
      memory.word(L.ARCHETYPES_TRANSITIONS),
      'the table of transitions',
    )) {
      if (source >= archetypes.all.length || target >= archetypes.all.length)
        fail('a transition names an archetype that is not there')
      this.checkEdge(source, low >>> 1, (low & 1) === 0, target)
      if (
        plan !== 0 &&
        plan !== movePlans.between(archetypes.addressOf(source), archetypes.addressOf(target))
      )
        fail(`the transition from archetype ${source} to ${target} has a plan of other layouts`)
      plans.set(`${source} ${low}`, plan)
    }
    const checkKept = (source: number, bundle: number, operation: number, plan: number) => {
      if (plan !== plans.get(`${source} ${(bundle << 1) | operation}`))
        fail(`archetype ${source} keeps a plan that is not that of its transition`)
    }
    // 0 adds, 1 removes.
    const operations = [0, 1]
    archetypes.all.forEach((address, id) => {
      for (const operation of operations) {
        const last = address + L.ARCHETYPE_TRANSITIONS + operation * L.TRANSITION_BYTES
        const bundle = memory.word(last + L.TRANSITION_BUNDLE)
        const plan = memory.word(last + L.TRANSITION_PLAN)
        if (plan !== 0) checkKept(id, bundle - 1, operation, plan)
        if (bundle === 0) continue
        const target = memory.word(memory.word(last + L.TRANSITION_TARGET) + L.TABLE_OWNER)
        this.checkEdge(id, bundle - 1, operation === 0, target)
      }
    })
    for (const operation of operations) {
      const [source, bundle, target, plan] = memory.numbersAt(
        L.LAST_MOVES + operation * L.LAST_MOVE_BYTES,
        4,
      ) as [number, number, number, number]
      if (source === 0) continue
      checkKept(memory.word(source + L.TABLE_OWNER), memory.word(bundle), operation, plan)
      this.checkEdge(
        memory.word(source + L.TABLE_OWNER),
        memory.word(bundle),
        operation === 0,
        memory.word(target + L.TABLE_OWNER),
      )
    }
  }

  private checkEdge(source: number, bundle: number, adds: boolean, target: number): void {
    const { archetypes, memory } = this
    const address = this.bundles.addressOf(bundle)
    if (address === undefined)
      fail(`a transition of archetype ${source} names bundle ${bundle}, which is not there`)
    const own = archetypes.signatureOf(source)
    const named = memory.numbersAt(
      memory.word(address + L.BUNDLE_TABLE_IDS),
      memory.word(address + L.BUNDLE_TABLE_COUNT),
    )
    const expected = own.filter((id) => !named.includes(id))
    if (adds) {
      expected.push(...named)
      expected.sort((a, b) => a - b)
    }
    const found = archetypes.signatureOf(target)
    if (found.length !== expected.length || !found.every((id, i) => id === expected[i])) {
      fail(
        `${adds ? 'adding' : 'removing'} bundle ${bundle} leads from archetype ${source} to archetype ${target}, which has other components`,
      )
    }
  }
}

export class Queries {
  /** The place of each archetype with rows in the chain of all. */
  private readonly ranks = new Map<number, number>()

  constructor(
    private readonly memory: Memory,
    private readonly components: Components,
    private readonly archetypes: Archetypes,
  ) {}

  check(): void {
    const { components, memory } = this
    const queries = memory.listed(memory.word(L.QUERIES_ALL), 'the list of queries')
    memory.checkFiled(memory.word(L.QUERIES_BY_TERMS), queries.length, 'the table of queries')
    const filed = this.readAudiences()
    let pairs = this.checkAllList()
    queries.forEach((query, id) => {
      const terms = new QueryTerms(
        memory.u32,
        query,
        (component) => components.isPooled(component),
        (component) => !components.isPooled(component) && components.hasFields(component),
        (component) => components.canToggle(component),
      )
      memory.ledger.claim(query, L.QUERY_BYTES, `query ${id}`)
      memory.ledger.claim(
        memory.word(query + L.QUERY_TERMS),
        Math.max(terms.count, 1) * L.TERM_BYTES,
        `the terms of query ${id}`,
      )
      if (terms.walksPool !== (memory.word(query + L.QUERY_WALKS_POOL) !== 0))
        fail(`query ${id} is wrong about walking a pool`)
      pairs += this.checkMatchList(query, id, terms)
      this.checkSubscription(id, terms, filed.get(query) ?? [])
    })
    this.checkBackPairs(pairs)
  }

  /** Checks the list of all archetypes, which is like that of a query without terms; how many it lists. */
  private checkAllList(): number {
    const { memory } = this
    const list = memory.word(L.QUERIES_ARCHETYPES)
    memory.ledger.claim(list, L.MATCH_LIST_BYTES, 'the list of all archetypes')
    return this.checkMatches(list, 'all archetypes', () => true)
  }

  /** Checks that a query lists exactly what matches, and chains those with rows; how many it lists. */
  private checkMatchList(query: number, id: number, terms: QueryTerms): number {
    const { archetypes } = this
    if (terms.walksPool)
      return this.memory.word(query + L.MATCHES_COUNT) === 0
        ? 0
        : fail(`query ${id} walks a pool and lists archetypes`)
    return this.checkMatches(
      query,
      `query ${id}`,
      (archetype) =>
        terms.match((component) => archetypes.hasComponent(archetype, component)) &&
        archetypes.hidingTagsOf(archetype).every((tag) => terms.names(tag)),
    )
  }

  /** The places of the chain, in which archetypes stand as in that of all archetypes, which is walked first. */
  private walkChain(query: number, name: string, active: number): Set<number> {
    const { archetypes, memory } = this
    const items = memory.word(query + L.MATCHES_ITEMS)
    const places = new Set<number>()
    let previous = L.NO_MATCH
    let rank = -1
    for (let place = memory.word(query + L.MATCHES_FIRST); place !== L.NO_MATCH;) {
      const match = items + place * L.MATCH_BYTES
      if (places.size === active || place >= memory.word(query + L.MATCHES_COUNT))
        fail(`${name} chains more than its ${active} active matches`)
      if (memory.word(match + L.MATCH_PREVIOUS) !== previous) fail(`${name} has a chain with a broken link`)
      const archetype = archetypes.addressOf(memory.word(match + L.MATCH_ARCHETYPE))
      const own = this.ranks.get(archetype) ?? this.ranks.size
      this.ranks.set(archetype, own)
      if (own <= rank) fail(`${name} chains archetypes in another order than the list of all`)
      places.add(place)
      rank = own
      previous = place
      place = memory.word(match + L.MATCH_NEXT)
    }
    if (places.size !== active || memory.word(query + L.MATCHES_LAST) !== previous)
      fail(`${name} counts ${active} active matches and chains ${places.size}`)
    return places
  }

  private checkMatches(query: number, name: string, matches: (archetype: number) => boolean): number {
    const { archetypes, memory } = this
    const count = memory.word(query + L.MATCHES_COUNT)
    const active = memory.word(query + L.MATCHES_ACTIVE)
    const items = memory.word(query + L.MATCHES_ITEMS)
    const capacity = memory.word(query + L.MATCHES_CAPACITY)
    if (capacity > 0) memory.ledger.claim(items, capacity * L.MATCH_BYTES, `the matches of ${name}`)
    if (count > capacity || active > count)
      fail(`${name} counts ${active} active of ${count} matches in room for ${capacity}`)
    const chained = this.walkChain(query, name, active)
    let emptyVersions = 0
    const listed = new Uint8Array(archetypes.all.length)
    for (let i = 0; i < count; i++) {
      const archetype = memory.word(items + i * L.MATCH_BYTES + L.MATCH_ARCHETYPE)
      if (archetype >= listed.length) fail(`${name} lists archetype ${archetype}, which is not there`)
      if (listed[archetype] !== 0) fail(`${name} lists archetype ${archetype} twice`)
      listed[archetype] = 1
      const address = archetypes.addressOf(archetype)
      const hasRows = memory.word(address + L.TABLE_ROWS) !== 0
      if (hasRows !== chained.has(i))
        fail(`${name} has archetype ${archetype} on the wrong side of its active matches`)
      const emptyVersion = memory.word(address + L.ARCHETYPE_EMPTY_VERSION)
      if (hasRows && emptyVersion !== 0) fail(`archetype ${archetype} has rows, and a version of being empty`)
      emptyVersions += emptyVersion
      const pairs =
        memory.word(memory.word(address + L.ARCHETYPE_MATCHES) + L.LIST_ITEMS) +
        memory.word(items + i * L.MATCH_BYTES + L.MATCH_PAIR) * 8
      if (memory.word(pairs) !== query || memory.word(pairs + 4) !== i)
        fail(`archetype ${archetype} does not point back at its match in ${name}`)
    }
    // What was dropped while it was empty has left its versions, and so has what an earlier world had.
    if (memory.word(query + L.MATCHES_EMPTY_VERSIONS) < emptyVersions)
      fail(`${name} has lost versions of its empty archetypes`)
    for (let archetype = 0; archetype < listed.length; archetype++) {
      const isMatch = matches(archetype)
      if (isMatch !== (listed[archetype] === 1))
        fail(
          `archetype ${archetype} ${isMatch ? `matches ${name} and is not listed` : `is listed by ${name} and does not match`}`,
        )
    }
    return count
  }

  /** Which lists name a query: component ids, or -1 for the list of queries that look at everything. */
  private readAudiences(): Map<number, number[]> {
    const { components, memory } = this
    const filed = new Map<number, number[]>()
    const read = (list: number, owner: number, name: string) => {
      for (const query of memory.listed(list, name)) filed.set(query, [...(filed.get(query) ?? []), owner])
    }
    for (let id = 0; id < components.count; id++) {
      read(
        memory.word(components.addressOf(id) + L.COMPONENT_QUERIES),
        id,
        `the query list of component ${id}`,
      )
    }
    read(memory.word(L.QUERIES_EVERYWHERE), -1, 'the list of queries that look at everything')
    return filed
  }

  /** A new archetype that matches must reach the query, and no query is told twice by one list. */
  private checkSubscription(id: number, terms: QueryTerms, filed: number[]): void {
    if (terms.walksPool) {
      if (filed.length > 0) fail(`query ${id} walks a pool and asks to hear of archetypes`)
      return
    }
    if (new Set(filed).size !== filed.length) fail(`query ${id} is filed twice in one list`)
    if (filed.length === 1 && filed[0] === -1) return
    if (filed.length === 1 && terms.requires(filed[0] as number)) return
    if (!terms.isGroup(filed))
      fail(`query ${id} is filed under components ${filed.join()}, where a match can pass it by`)
  }

  private checkBackPairs(matches: number): void {
    const { archetypes, memory } = this
    let pairs = 0
    archetypes.all.forEach((address, id) => {
      const list = memory.listed(
        memory.word(address + L.ARCHETYPE_MATCHES),
        `the match pairs of archetype ${id}`,
      )
      if (list.length % 2 !== 0) fail(`the match pairs of archetype ${id} are not pairs`)
      pairs += list.length / 2
    })
    if (pairs !== matches) fail(`archetypes point back at ${pairs} matches and queries have ${matches}`)
  }
}

/** That a component is there, or that it is not. */
interface Condition {
  readonly component: number
  readonly negated: boolean
  /** Whether each row says it for itself: of sparse components, and of what may be switched off. */
  readonly isLeftToRows: boolean
}

/** A query's terms as they stand in memory, evaluated once more without the core. */
class QueryTerms {
  readonly count: number
  readonly walksPool: boolean
  private readonly required: number[] = []
  /** Of each list one must hold. */
  private readonly clauses: Condition[][] = []
  private readonly groups: Condition[][] = []

  constructor(
    u32: Uint32Array,
    query: number,
    private readonly isPooled: (component: number) => boolean,
    hasColumns: (component: number) => boolean,
    canToggle: (component: number) => boolean,
  ) {
    const word = (address: number) => u32[address >>> 2] as number
    const first = word(query + L.QUERY_TERMS)
    this.count = word(query + L.QUERY_TERM_COUNT)
    const groups = new Map<number, Condition[]>()
    for (let i = 0; i < this.count; i++) {
      const component = word(first + i * L.TERM_BYTES + L.TERM_COMPONENT)
      const operator = word(first + i * L.TERM_BYTES + L.TERM_OPERATOR)
      const negated = (operator & L.TERM_NEGATED) !== 0
      const anyway = (operator & L.TERM_PRESENT) !== 0
      // A component that is switched off counts as missing, unless the term asks for it anyway.
      const isLeftToRows = isPooled(component) || (negated && !anyway && canToggle(component))
      const condition = { component, negated, isLeftToRows }
      if (operator < L.TERM_ANY) {
        this.clauses.push([condition])
        if (!negated) this.required.push(component)
        continue
      }
      const number = Math.floor(operator / L.TERM_GROUP_STEP)
      const group = groups.get(number) ?? []
      group.push(condition)
      groups.set(number, group)
    }
    this.groups.push(...groups.values())
    this.clauses.push(...this.groups)
    const requiresTable = this.required.some(hasColumns)
    this.walksPool = !requiresTable && this.required.some(isPooled)
  }

  /** Whether rows of an archetype can match. */
  match(has: (component: number) => boolean): boolean {
    const canHold = ({ component, negated, isLeftToRows }: Condition) =>
      isLeftToRows || has(component) !== negated
    return this.clauses.every((clause) => clause.some(canHold))
  }

  requires(component: number): boolean {
    return this.required.includes(component) && !this.isPooled(component)
  }

  /** Whether any term is about the component. */
  names(component: number): boolean {
    return this.clauses.some((clause) => clause.some((condition) => condition.component === component))
  }

  /** Whether the components are all of one group of alternatives, none of them sparse and none to be absent. */
  isGroup(components: readonly number[]): boolean {
    const sorted = [...components].sort((a, b) => a - b).join()
    return this.groups.some((group) => {
      const ids = group.map(({ component }) => component).sort((a, b) => a - b)
      const isPlain = group.every(({ component, negated }) => !negated && !this.isPooled(component))
      return isPlain && ids.join() === sorted
    })
  }
}
