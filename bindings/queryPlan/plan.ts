// Owns how a query is carried out in one world: what is walked, which components are columns, and which terms must be checked row
// by row. The walking itself is in iteration/.

import {
  ARCHETYPES_ALL,
  ARCHETYPES_ALL_WORD,
  GROUP_SIZE,
  LIST_ITEMS,
  MATCH_BYTES,
  MATCH_NEXT,
  MATCHES_FIRST,
  MATCHES_ITEMS,
  NO_MATCH,
  SCRATCH_ADDRESS_WORD,
  SCRATCH_WORDS,
  STATUS_OUT_OF_MEMORY,
  TABLE_ROWS,
  TABLE_VERSION,
  TERM_ANY,
  TERM_BYTES,
  TERM_EXCLUDED,
  TERM_GROUP_STEP,
  TERM_NEGATED,
  TERM_PRESENT,
  TERM_REQUIRED,
} from '../../build/layout'
import { type Definition, canToggle, isHiding } from '../components/definition'
import { type Groups, type ParsedTerm, describeTerms } from '../components/terms'
import { allArchetypes, versionOfList } from '../memory/coreTables'
import { limitError } from '../memory/errors'
import type { Registration } from '../state/registration'
import type { WorldState } from '../state/worldState'
import type { ChangeTerm, ChangeTermHooks } from './changeTermHooks'
import { ChunkList, type ListedColumns } from './chunkList'

const MATCH_WORDS_SHIFT = /* @__PURE__ */ Math.log2(MATCH_BYTES / 4)
/** Archetypes fetched by one probe call. */
const PROBE_LIMIT = 4096

/** How the components of a loop can be reached. */
export interface ColumnAccess {
  readonly definitions: readonly Definition[]
  /** Undefined for a component this world has not met: it is nowhere. */
  readonly registrations: readonly (Registration | undefined)[]
  /** Whether the component lies in columns of the chunks that are walked. */
  readonly isColumn: readonly boolean[]
  /** Whether the chunks are those of a pool, not of an archetype. */
  readonly walksPool: boolean
  /** What is walked, for sentences. */
  readonly describe: () => string
}

export class Plan implements ColumnAccess {
  readonly definitions: Definition[]
  readonly registrations: (Registration | undefined)[]
  readonly isColumn: boolean[]
  /** Whether every component with data is a column. */
  readonly allColumns: boolean
  /** Required sparse components. */
  readonly requiredPools: Registration[] = []
  /** All sparse components that decide what matches, excluded ones and alternatives among them. */
  private readonly decidingPools: Registration[] = []
  /** What must have changed, or come, since the last look. */
  readonly changes: ChangeTerm[] = []
  /** What the terms brought that ask for it. */
  readonly changing: ChangeTermHooks | undefined
  /** The ordered tag in whose order entities are visited: the first that is required. */
  readonly order: Registration | undefined
  /** Address of the group that is exactly these components, whose pools are walked side by side; else 0. */
  readonly group: number
  /** Whether rows of a pool are walked instead of archetypes. */
  readonly walksPool: boolean
  /** Whether rows of a matching archetype, or of the pool that is walked, may fail to match. */
  readonly filtersRows: boolean
  /** Whether every row of every chunk that is walked matches, in any order: see WholeChunks. */
  readonly walksWhole: boolean
  /** Whether a required component or a whole group of alternatives is unknown here: nothing can match. */
  readonly impossible: boolean
  /** Address of the core's query; 0 when it could not be opened because a loop was running. */
  readonly address: number
  readonly generation: number
  /** What Registry.groupings was when it was made. */
  readonly groupings: number
  /** The outermost loop during which it was made; without an address it is good for that loop only. */
  readonly loop: number
  private readonly words: number[]
  private readonly probed: number[] = []
  private readonly lists: ChunkList[] = []
  /** The columns of all lists, which alone hold typed arrays. They do not refer to the plan. */
  readonly columns: ListedColumns[] = []

  constructor(
    private readonly state: WorldState,
    readonly terms: readonly ParsedTerm[],
  ) {
    const locked = state.locks > 0
    this.generation = state.generation
    this.loop = state.loop
    const resolved = terms.map(({ definition }) =>
      locked ? state.known(definition) : state.register(definition),
    )
    const data = terms
      .map((term, i) => ({ term, registration: resolved[i] }))
      .filter(({ term }, i) => hasData(term) && !namedBefore(terms, i))
    this.definitions = data.map(({ term }) => term.definition)
    this.registrations = data.map(({ registration }) => registration)
    this.walksPool = walksPool(terms)
    const hides = state.hiding.length > 0
    const required = terms.filter(({ definition, role }) => role === 'required' && isPooled(definition))
    const ids = resolved.map((registration) => registration?.id)
    const groups = terms.find(({ groupsIn }) => groupsIn !== undefined)?.groupsIn?.(terms, ids)
    this.impossible = this.sortTerms(resolved) || groups?.impossible === true
    this.changing = changingIn(terms)
    this.order = this.requiredPools.find(({ definition }) => definition.order !== undefined)
    this.groupings = state.groupings
    const bare = this.requiredPools.length === terms.length && this.changes.length === 0
    this.group = (bare && state.grouping?.addressOf(state, this.requiredPools)) || 0
    this.isColumn = data.map(({ term: { definition } }) => {
      if (this.group !== 0) return true
      if (!this.walksPool) return !isPooled(definition) && definition.kind !== 'object'
      return required.length === 1 && required[0]?.definition === definition
    })
    this.allColumns = this.isColumn.every((isColumn) => isColumn)
    this.words = this.coreTerms(ids, groups)
    this.filtersRows = this.walksPool ? hides || !isPlainPool(terms) : asksRows(terms)
    this.walksWhole =
      !this.impossible && !this.filtersRows && this.changes.length === 0 && this.order === undefined
    this.address = locked ? 0 : this.openInCore()
    if (locked && !this.walksPool && !this.impossible) this.probe()
  }

  /** Notes the terms that a walk needs to know; whether something that is required is unknown in this world. */
  private sortTerms(resolved: readonly (Registration | undefined)[]): boolean {
    let impossible = false
    this.terms.forEach(({ role, changed, added, kept }, i) => {
      const registration = resolved[i]
      if (registration?.pooled === true && role !== 'optional') this.decidingPools.push(registration)
      if (role !== 'required') return
      if (registration === undefined) impossible = true
      else {
        if (registration.pooled) this.requiredPools.push(registration)
        if (changed || added) this.changes.push({ registration, changed, added, kept })
      }
    })
    return impossible
  }

  /** The terms as the core takes them: (component, operator), sorted. `groups` are those of alternatives. */
  private coreTerms(ids: readonly (number | undefined)[], groups: Groups | undefined): number[] {
    const pairs: [number, number][] = [...(groups?.pairs ?? [])]
    this.terms.forEach(({ definition, role, anyway }, i) => {
      const id = ids[i]
      if (id === undefined) return
      const switched = anyway && canToggle(definition) ? TERM_PRESENT : 0
      if (role === 'required') pairs.push([id, TERM_REQUIRED | switched])
      else if (role === 'excluded') pairs.push([id, TERM_EXCLUDED | switched])
    })
    let count = groups?.count ?? 0
    // A tag that keeps entities out must be named to let them in: by a condition that always holds, if there is no other.
    this.terms.forEach(({ definition }, i) => {
      const id = ids[i]
      if (id === undefined || !isHiding(definition) || pairs.some(([named]) => named === id)) return
      const operator = TERM_ANY + count++ * TERM_GROUP_STEP
      pairs.push([id, operator], [id, operator | TERM_NEGATED])
    })
    pairs.sort(([idA, operatorA], [idB, operatorB]) => operatorA - operatorB || idA - idB)
    return pairs.flat()
  }

  private writeTerms(): number {
    this.state.heap.u32.set(this.words, SCRATCH_ADDRESS_WORD)
    return this.words.length / (TERM_BYTES / 4)
  }

  private openInCore(): number {
    const address = this.state.core.queryOf(this.writeTerms())
    this.state.heap.check()
    if (address === 0) throw limitError(STATUS_OUT_OF_MEMORY, '')
    return address
  }

  /** Asks the core for all matching archetypes without letting it keep a list: memory must not grow now. */
  private probe(): void {
    const limit = Math.min(PROBE_LIMIT, SCRATCH_WORDS - this.words.length)
    let found: number
    do {
      const count = this.writeTerms()
      found = this.state.core.queryProbe(count, this.probed.length, limit)
      const first = SCRATCH_ADDRESS_WORD + this.words.length
      for (let i = 0; i < found; i++) this.probed.push(this.state.heap.u32[first + i] as number)
    } while (found === limit)
  }

  /** The place of a component in `definitions` when it has columns in each chunk that has it; else -1. */
  column(definition: Definition): number {
    const k = this.definitions.indexOf(definition)
    return k >= 0 && (this.isColumn[k] as boolean) ? k : -1
  }

  /** The place of a component in `definitions` when every chunk that is walked has its columns; else -1. */
  requiredColumn(definition: Definition): number {
    const k = this.column(definition)
    return this.terms.some((term) => term.definition === definition && term.role === 'required') ? k : -1
  }

  /** The place of the first archetype to walk, or NO_MATCH: in the order in which archetypes got the first of their rows. */
  firstPlace(): number {
    if (this.impossible) return NO_MATCH
    if (this.address === 0) return this.probed.length > 0 ? 0 : NO_MATCH
    return this.state.heap.word(this.address + MATCHES_FIRST)
  }

  /** The place after another one, or NO_MATCH. */
  placeAfter(place: number): number {
    if (this.address === 0) return place + 1 < this.probed.length ? place + 1 : NO_MATCH
    return this.heapWords()[this.wordOf(place) + (MATCH_NEXT >> 2)] as number
  }

  /** The address of the archetype at a place. */
  archetypeAt(place: number): number {
    const heap = this.heapWords()
    const id = this.address === 0 ? (this.probed[place] as number) : (heap[this.wordOf(place)] as number)
    const all = heap[((heap[ARCHETYPES_ALL_WORD] as number) + LIST_ITEMS) >> 2] as number
    return heap[(all >> 2) + id] as number
  }

  /** The addresses of all archetypes to walk, in their order. */
  archetypes(): number[] {
    const found: number[] = []
    for (let place = this.firstPlace(); place !== NO_MATCH; place = this.placeAfter(place))
      found.push(this.archetypeAt(place))
    return found
  }

  /** Where a match lies, in u32. */
  private wordOf(place: number): number {
    return (this.state.heap.word(this.address + MATCHES_ITEMS) >> 2) + (place << MATCH_WORDS_SHIFT)
  }

  /** The chunks to walk: those of a pool, or of all matching archetypes. One list each, for all loops. */
  chunksOf(pool: Registration | undefined): ChunkList {
    const { lists } = this
    for (let i = 0; i < lists.length; i++) if (lists[i]?.pool === pool) return lists[i] as ChunkList
    const list = new ChunkList(this.state.heap, this, pool)
    lists.push(list)
    this.columns.push(list.columns)
    return list
  }

  private heapWords(): Uint32Array {
    return this.state.heap.u32
  }

  /** The required pool with the fewest rows. */
  smallestPool(): Registration {
    let best = this.requiredPools[0] as Registration
    for (const pool of this.requiredPools) if (this.rowsOf(pool) < this.rowsOf(best)) best = pool
    return best
  }

  rowsOf(pool: Registration): number {
    return this.state.heap.word(pool.pool + TABLE_ROWS)
  }

  /** Rows of all matching archetypes. */
  archetypeRows(): number {
    let rows = 0
    for (let place = this.firstPlace(); place !== NO_MATCH; place = this.placeAfter(place))
      rows += this.state.heap.word(this.archetypeAt(place) + TABLE_ROWS)
    return rows
  }

  /**
   * Lets the core write the mask of a chunk's rows that match and pass the filters in memory; how many there are.
   * Allocates nothing.
   */
  mask(chunkId: number, isPool: boolean, filterCount: number): number {
    const termCount = this.address === 0 ? this.writeTerms() : 0
    return this.state.core.queryMask(this.address, termCount, filterCount, chunkId, isPool ? 1 : 0)
  }

  /**
   * Lets the core write the mask of entities that match and pass the filters, by their places in a list: how many there
   * are. A list of JavaScript's goes through scratch.
   */
  maskOrder(list: Uint32Array, first: number, count: number, filterCount: number): number {
    const { core, heap } = this.state
    const termCount = this.address === 0 ? this.writeTerms() : 0
    let at = first
    if (list !== heap.u32) {
      at = SCRATCH_ADDRESS_WORD + this.words.length
      heap.u32.set(list.subarray(first, first + count), at)
    }
    return core.queryMaskOrder(this.address, termCount, filterCount, at << 2, count)
  }

  /**
   * A number that grows whenever a row came, went, changed its place or was switched, in a table that can decide
   * what matches; also from before a reset to after it. Wraps around. Costs a look at each archetype with rows.
   */
  version(): number {
    return (this.archetypesVersion() + this.poolsVersion()) >>> 0
  }

  /** How many entities match, where no row is told from another and none asked; undefined elsewhere. */
  wholeCount(): number | undefined {
    const { heap, hiding } = this.state
    if (this.impossible) return 0
    if (this.group !== 0 && hiding.length === 0) return heap.word(this.group + GROUP_SIZE)
    if (this.filtersRows || this.changes.length > 0) return undefined
    return this.walksPool ? this.rowsOf(this.smallestPool()) : this.archetypeRows()
  }

  /** Over the archetypes that match, or over all where a pool is walked: which of them decide is not known. */
  private archetypesVersion(): number {
    const { heap } = this.state
    if (this.walksPool) return versionOfList(heap, allArchetypes(heap))
    if (this.address !== 0) return versionOfList(heap, this.address)
    const all = heap.word(heap.word(ARCHETYPES_ALL) + LIST_ITEMS)
    let version = 0
    for (const id of this.probed) version += heap.word(heap.word(all + id * 4) + TABLE_VERSION)
    return version
  }

  poolsVersion(): number {
    const { heap, versionsBefore } = this.state
    let version = versionsBefore
    for (const { pool } of this.decidingPools) version += heap.word(pool + TABLE_VERSION)
    return version
  }

  describe = (): string => `the query (${describeTerms(this.terms)})`
}

/**
 * A number that differs from before whenever an entity began or ended to match. Unlike version(), it stays as it is
 * when entities change their archetypes and pools alone decide.
 */
export function membersVersion(plan: Plan, { hiding }: WorldState): number {
  const asksPoolsOnly =
    plan.walksPool &&
    hiding.length === 0 &&
    plan.terms.every(({ definition, role }) => role === 'optional' || isPooled(definition))
  return asksPoolsOnly ? plan.poolsVersion() >>> 0 : plan.version()
}

function isPooled(definition: Definition): boolean {
  return definition.storage !== 'table'
}

/** Whether it matters to a term if the component is switched off. */
function asksSwitch({ definition, anyway }: ParsedTerm): boolean {
  return !anyway && canToggle(definition)
}

/** Whether a term has values that a loop can reach. */
export function hasData({ definition, gives }: ParsedTerm): boolean {
  if (!gives) return false
  return definition.kind === 'object' || definition.fields.length > 0
}

/** What a term among these brought that asks for changes; undefined where none does. */
export function changingIn(terms: readonly ParsedTerm[]): ChangeTermHooks | undefined {
  return terms.find(({ changing }) => changing !== undefined)?.changing as ChangeTermHooks | undefined
}

/** Whether an earlier group of alternatives gives the component's values already. */
function namedBefore(terms: readonly ParsedTerm[], index: number): boolean {
  const { definition } = terms[index] as ParsedTerm
  return terms.findIndex((term) => term.definition === definition && hasData(term)) < index
}

/** A query that requires sparse components and no table component walks a pool. */
function walksPool(terms: readonly ParsedTerm[]): boolean {
  const required = terms.filter(({ role }) => role === 'required')
  const requiresTable = required.some(
    ({ definition }) => !isPooled(definition) && definition.fields.length > 0,
  )
  return !requiresTable && required.some(({ definition }) => isPooled(definition))
}

/** One swap-and-pop pool and no other condition: all its rows match. */
function isPlainPool(terms: readonly ParsedTerm[]): boolean {
  const deciding = terms.filter(({ role }) => role !== 'optional')
  const [only] = deciding
  return deciding.length === 1 && only?.definition.storage === 'sparse' && !asksSwitch(only)
}

/** Whether some term may hold for one row of an archetype and not for the next. */
function asksRows(terms: readonly ParsedTerm[]): boolean {
  return terms.some((term) => term.role !== 'optional' && (isPooled(term.definition) || asksSwitch(term)))
}
