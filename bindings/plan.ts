// Owns how a query is carried out in one world: what is walked, which components are columns, which terms must
// be asked row by row. It must never walk anything itself.

import {
  ARCHETYPES_ALL,
  LIST_ITEMS,
  MATCHES_ACTIVE,
  MATCHES_ITEMS,
  MATCH_BYTES,
  SCRATCH_ADDRESS,
  SCRATCH_BYTES,
  STATUS_OUT_OF_MEMORY,
  TABLE_ROWS,
  TERM_ANY,
  TERM_BYTES,
  TERM_EXCLUDED,
  TERM_REQUIRED,
} from '../build/layout'
import type { Access } from './chunk'
import type { Definition } from './component'
import { limitError } from './errors'
import { groupOfPools } from './groups'
import { INDEX_MASK, type Registration } from './registration'
import type { ParsedTerm } from './terms'
import type { WorldState } from './worldState'

const MATCH_WORDS_SHIFT = Math.log2(MATCH_BYTES / 4)
/** Archetypes fetched by one probe call. */
const PROBE_LIMIT = 4096

/** Alternatives of which one must be there. */
interface Group {
  readonly stored: Registration[]
  readonly pooled: Registration[]
}

export class Plan implements Access {
  readonly definitions: Definition[]
  readonly registrations: (Registration | undefined)[]
  readonly isColumn: boolean[]
  /** Whether every component with data is a column. */
  readonly allColumns: boolean
  /** Required sparse components. */
  readonly requiredPools: Registration[] = []
  readonly excludedPools: Registration[] = []
  /** Groups with a sparse alternative: such a group may hold for one row and not for the next. */
  readonly mixedGroups: Group[] = []
  /** The ordered tag in whose order entities are visited: the first that is required. */
  readonly order: Registration | undefined
  /** Address of the group that is exactly these components, whose pools are walked side by side; else 0. */
  readonly group: number
  /** Whether rows of a pool are walked instead of archetypes. */
  readonly walksPool: boolean
  /** Whether every row must be asked. */
  readonly filtersRows: boolean
  /** Whether a required component or a whole group of alternatives is unknown here: nothing can match. */
  readonly impossible: boolean
  /** Address of the core's query; 0 when it could not be opened because a loop was running. */
  readonly address: number
  readonly generation: number
  /** How many groups there were when it was made. */
  readonly groupings: number
  /** The outermost loop during which it was made; without an address it is good for that loop only. */
  readonly loop: number
  private readonly words: number[]
  private readonly probed: number[] = []
  private accepted = new Uint8Array(16)

  constructor(
    private readonly state: WorldState,
    private readonly terms: readonly ParsedTerm[],
  ) {
    const locked = state.locks > 0
    this.generation = state.generation
    this.loop = state.loop
    const resolved = terms.map(({ definition }) =>
      locked ? state.known(definition) : state.register(definition),
    )
    const data = terms
      .map((term, i) => ({ term, registration: resolved[i] }))
      .filter(({ term }) => hasData(term))
    this.definitions = data.map(({ term }) => term.definition)
    this.registrations = data.map(({ registration }) => registration)
    this.walksPool = walksPool(terms)
    const required = terms.filter(({ definition, role }) => role === 'required' && isPooled(definition))
    this.impossible = this.sortTerms(resolved)
    this.group = this.requiredPools.length === terms.length ? groupOfPools(state, this.requiredPools) : 0
    this.groupings = state.groupings
    this.order = this.requiredPools.find(({ definition }) => definition.order !== undefined)
    this.isColumn = data.map(({ term: { definition } }) =>
      this.group !== 0
        ? true
        : this.walksPool
          ? required.length === 1 && required[0]?.definition === definition
          : !isPooled(definition),
    )
    this.allColumns = this.isColumn.every((isColumn) => isColumn)
    this.words = this.coreTerms(resolved)
    this.filtersRows = this.walksPool ? !isPlainPool(terms) : this.asksRows()
    this.address = locked ? 0 : this.openInCore()
    if (locked && !this.walksPool && !this.impossible) this.probe()
  }

  private asksRows(): boolean {
    return this.requiredPools.length + this.excludedPools.length + this.mixedGroups.length > 0
  }

  private sortTerms(resolved: readonly (Registration | undefined)[]): boolean {
    let impossible = false
    const groups = new Map<number, Group>()
    this.terms.forEach(({ role, group }, i) => {
      const registration = resolved[i]
      if (role === 'any' && !groups.has(group)) groups.set(group, { stored: [], pooled: [] })
      if (registration === undefined) impossible ||= role === 'required'
      else if (role === 'required' && registration.pooled) this.requiredPools.push(registration)
      else if (role === 'excluded' && registration.pooled) this.excludedPools.push(registration)
      else if (role === 'any') {
        const { stored, pooled } = groups.get(group) as Group
        if (registration.pooled) pooled.push(registration)
        else stored.push(registration)
      }
    })
    for (const group of groups.values()) {
      if (group.stored.length + group.pooled.length === 0) impossible = true
      if (group.pooled.length > 0) this.mixedGroups.push(group)
    }
    return impossible
  }

  /** The terms as the core takes them: (component, operator), sorted, groups numbered in a canonical order. */
  private coreTerms(resolved: readonly (Registration | undefined)[]): number[] {
    const pairs: [number, number][] = []
    const groups = new Map<number, number[]>()
    this.terms.forEach(({ role, group }, i) => {
      const id = resolved[i]?.id
      if (id === undefined) return
      if (role === 'required') pairs.push([id, TERM_REQUIRED])
      else if (role === 'excluded') pairs.push([id, TERM_EXCLUDED])
      else if (role === 'any') groups.set(group, [...(groups.get(group) ?? []), id])
    })
    const sorted = [...groups.values()].map((ids) => ids.sort((a, b) => a - b))
    sorted.sort((a, b) => compareLists(a, b))
    sorted.forEach((ids, number) => ids.forEach((id) => pairs.push([id, TERM_ANY + number])))
    pairs.sort(([idA, operatorA], [idB, operatorB]) => operatorA - operatorB || idA - idB)
    return pairs.flat()
  }

  private writeTerms(): number {
    this.state.heap.u32.set(this.words, SCRATCH_ADDRESS >> 2)
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
    const limit = Math.min(PROBE_LIMIT, (SCRATCH_BYTES >> 2) - this.words.length)
    let found: number
    do {
      const count = this.writeTerms()
      found = this.state.core.queryProbe(count, this.probed.length, limit)
      const first = (SCRATCH_ADDRESS >> 2) + this.words.length
      for (let i = 0; i < found; i++) this.probed.push(this.state.heap.u32[first + i] as number)
    } while (found === limit)
  }

  /** How many archetypes with rows there are to walk. */
  archetypeCount(): number {
    if (this.impossible) return 0
    return this.address === 0 ? this.probed.length : this.state.heap.word(this.address + MATCHES_ACTIVE)
  }

  /** The address of the archetype at a place below archetypeCount. */
  archetypeAt(index: number): number {
    const heap = this.heapWords()
    const id =
      this.address === 0
        ? (this.probed[index] as number)
        : (heap[
            ((heap[(this.address + MATCHES_ITEMS) >> 2] as number) >> 2) + (index << MATCH_WORDS_SHIFT)
          ] as number)
    const all = heap[((heap[ARCHETYPES_ALL >> 2] as number) + LIST_ITEMS) >> 2] as number
    return heap[(all >> 2) + id] as number
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
    for (let i = 0; i < this.archetypeCount(); i++)
      rows += this.state.heap.word(this.archetypeAt(i) + TABLE_ROWS)
    return rows
  }

  /** Whether entities of an archetype can match; remembered, since an archetype never changes. */
  accepts(archetype: number): boolean {
    const known = this.accepted[archetype]
    return known === 2 || (known !== 1 && this.findAcceptance(archetype))
  }

  private findAcceptance(archetype: number): boolean {
    const accepted = Boolean(this.state.core.queryProbeArchetype(this.writeTerms(), archetype))
    if (archetype >= this.accepted.length) {
      const longer = new Uint8Array(Math.max(this.accepted.length * 2, archetype + 1))
      longer.set(this.accepted)
      this.accepted = longer
    }
    this.accepted[archetype] = accepted ? 2 : 1
    return accepted
  }

  /** Whether an entity of an accepted archetype passes the terms that are asked row by row. */
  passes(entity: number, archetype: number): boolean {
    const index = entity & INDEX_MASK
    for (let i = 0; i < this.requiredPools.length; i++) {
      if ((this.requiredPools[i] as Registration).findRow(index) === 0) return false
    }
    for (let i = 0; i < this.excludedPools.length; i++) {
      if ((this.excludedPools[i] as Registration).findRow(index) !== 0) return false
    }
    for (let i = 0; i < this.mixedGroups.length; i++) {
      if (!holds(this.mixedGroups[i] as Group, index, archetype)) return false
    }
    return true
  }

  describe = (): string => {
    const names = this.terms.map(({ definition, role }) => {
      if (role === 'required') return definition.componentName
      return `${role === 'excluded' ? 'not' : role}(${definition.componentName})`
    })
    return `the query (${names.join(', ')})`
  }
}

function holds(group: Group, index: number, archetype: number): boolean {
  for (let i = 0; i < group.stored.length; i++)
    if ((group.stored[i] as Registration).isIn(archetype)) return true
  for (let i = 0; i < group.pooled.length; i++) {
    if ((group.pooled[i] as Registration).findRow(index) !== 0) return true
  }
  return false
}

function isPooled(definition: Definition): boolean {
  return definition.storage !== 'table'
}

/** Whether a term has values that a loop can reach. */
export function hasData({ definition, role }: ParsedTerm): boolean {
  return role !== 'excluded' && definition.kind === 'component' && definition.fields.length > 0
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
  return deciding.length === 1 && deciding[0]?.definition.storage === 'sparse'
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
