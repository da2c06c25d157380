// Owns queries: their terms, what they match, and under which components they are filed: announcements.ts looks there for those
// that a new archetype concerns.

import { PROBE_ADDRESS, QUERIES_ADDRESS, SCRATCH_ADDRESS } from '../memory/map'
import { allocate, release } from '../memory/objects'
import { List, createList } from '../memory/list'
import { HashTable, createHashTable, hashNumbers } from '../memory/hashTable'
import {
  Archetype,
  archetypeAt,
  archetypes,
  bloomBit,
  hasComponent,
  signatureAt,
} from '../archetypes/archetypes'
import { Component, STORAGE_TABLE, canToggle, componentAt, hasFields, isHiding, isPooled } from '../components/components'
import { recordOf } from '../memory/entities'
import {
  MatchList,
  NO_MATCH,
  addMatch,
  initMatches,
  matchAfter,
  matchedAt,
  releaseMatches,
  reserveMatch,
} from './matches'
import { SparseSet, findRow, poolOf } from '../pools/sparseSets'
import { isOffAt } from '../tables/toggles'

// operator  31                                2   1   0
//          ┌────────────────────────────────────┬───┬───┐
//          │ 0: the term must hold              │ p │ ¬ │   p: a component that is switched off counts as there, too
//          │ 1 and on: a group of alternatives, │   │   │   ¬: it holds where the component is absent
//          │ one of which must hold             │   │   │
//          └────────────────────────────────────┴───┴───┘

/** The entity must have the component. */
export const TERM_REQUIRED: u32 = 0
/** The entity must not have it. */
export const TERM_EXCLUDED: u32 = 1
/** The first group of alternatives: the entity must have this component, or another term of the group holds. */
export const TERM_ANY: u32 = 4
/** From one group of alternatives to the next. */
export const TERM_GROUP_STEP: u32 = 4
/** The bit that turns a term round: the entity must not have the component. */
export const TERM_NEGATED: u32 = 1
/** The bit that asks whether the component is there, and not whether it is switched on. */
export const TERM_PRESENT: u32 = 2

@unmanaged
export class Term {
  component: u32
  operator: u32
}

@unmanaged
export class Query extends MatchList {
  /** Array of Term, sorted by operator, then by component. */
  terms: usize
  termCount: u32
  /** Not 0: rows of a sparse set are walked, and the match list stays empty. */
  walksPool: u32
  /** Not 0: some term must be asked row by row, for a part of its rows may be elsewhere or nowhere. */
  asksRows: u32
  /** Not 0: some required or excluded component of the archetype's rows may be switched off. */
  hasToggles: u32
  /** Bits of all required table components and tags. */
  bloom: u64
}

@unmanaged
export class Queries {
  byTerms: HashTable
  /** Addresses by number. */
  all: List
  /** Queries that look at every new archetype, for they name no table component or tag to file them under. */
  everywhere: List
  /** All archetypes, in the way of a query. */
  archetypes: MatchList
}

export const queries = changetype<Queries>(QUERIES_ADDRESS)
/** A query that lives for one call only: for terms asked while memory must not grow. */
const probe = changetype<Query>(PROBE_ADDRESS)

export function initQueries(): bool {
  queries.byTerms = createHashTable()
  queries.all = createList()
  queries.everywhere = createList()
  queries.archetypes = changetype<MatchList>(allocate(offsetof<MatchList>()))
  if (changetype<usize>(queries.archetypes) != 0) initMatches(queries.archetypes)
  return changetype<usize>(queries.everywhere) != 0 && changetype<usize>(queries.archetypes) != 0
}

@inline
export function termAt(query: Query, index: u32): Term {
  return changetype<Term>(query.terms + (<usize>index << 3))
}

/** What the terms of one group have in common. */
@inline
function groupOf(term: Term): u32 {
  return term.operator & ~(TERM_NEGATED | TERM_PRESENT)
}

/** Whether the entity must have the component. */
@inline
function isRequired(term: Term): bool {
  return (term.operator & ~TERM_PRESENT) == TERM_REQUIRED
}

@inline
export function isNegated(term: Term): bool {
  return (term.operator & TERM_NEGATED) != 0
}

/** Whether it matters to the term if the component is switched off. */
@inline
export function asksSwitch(term: Term): bool {
  return (term.operator & TERM_PRESENT) == 0 && canToggle(term.component)
}

@inline
export function isSparseTerm(term: Term): bool {
  return isPooled(componentAt(term.component).storage)
}

/** The query with these sorted terms; null when memory ends. */
export function findOrCreateQuery(terms: usize, count: u32): Query {
  const hash = hashNumbers(terms, count << 1)
  const table = queries.byTerms
  for (let place = table.find(hash, table.start(hash)); place >= 0; place = table.find(hash, place + 1)) {
    const query = changetype<Query>(<usize>queries.all.at(table.valueAt(place)))
    if (query.termCount == count && memory.compare(query.terms, terms, <usize>count << 3) == 0) return query
  }
  return createQuery(terms, count, hash)
}

function createQuery(terms: usize, count: u32, hash: u64): Query {
  const nothing = changetype<Query>(0)
  if (!queries.byTerms.reserve() || !queries.all.reserve(1)) return nothing
  const address = allocate(offsetof<Query>())
  const kept = allocate(max(count, 1) << 3)
  if (address == 0 || kept == 0) {
    release(address, offsetof<Query>())
    release(kept, max(count, 1) << 3)
    return nothing
  }
  memory.copy(kept, terms, <usize>count << 3)
  const query = changetype<Query>(address)
  describe(query, kept, count)
  if (query.walksPool == 0 && !(reserveSubscription(query) && reserveMatches(query))) {
    releaseMatches(query)
    release(kept, max(count, 1) << 3)
    release(address, offsetof<Query>())
    return nothing
  }
  queries.byTerms.insert(hash, queries.all.count)
  queries.all.push(<u32>address)
  if (query.walksPool == 0) {
    subscribe(query)
    visitMatches(query, 0, 0, 0)
  }
  return query
}

/** Derives from the terms how the query is walked. */
function describe(query: Query, terms: usize, count: u32): void {
  let requiresTable = false
  let requiresPool = false
  initMatches(query)
  query.terms = terms
  query.termCount = count
  query.bloom = 0
  query.asksRows = 0
  query.hasToggles = 0
  for (let i: u32 = 0; i < count; i++) {
    const term = termAt(query, i)
    const storage = componentAt(term.component).storage
    if (asksSwitch(term)) {
      if (term.operator < TERM_ANY) query.hasToggles = 1
      else query.asksRows = 1
    }
    if (isPooled(storage)) {
      query.asksRows = 1
      if (isRequired(term)) requiresPool = true
    } else if (isRequired(term)) {
      query.bloom |= bloomBit(term.component)
      if (storage == STORAGE_TABLE && hasFields(term.component)) requiresTable = true
    }
  }
  query.walksPool = requiresPool && !requiresTable ? 1 : 0
}

/** Whether rows of the archetype can match; sparse terms and switches are left to the rows (rows/masks.ts). */
export function matches(query: Query, archetype: Archetype): bool {
  if ((archetype.bloom & query.bloom) != query.bloom) return false
  if (archetype.hidingCount != 0 && !namesHiding(query, archetype)) return false
  let group: u32 = 0
  let groupHolds = true
  for (let i: u32 = 0; i < query.termCount; i++) {
    const term = termAt(query, i)
    const sparse = isSparseTerm(term)
    if (isRequired(term)) {
      if (!sparse && !hasComponent(archetype, term.component)) return false
    } else if (term.operator < TERM_ANY) {
      // Where the component is switched off it counts as absent: the rows tell.
      if (!sparse && hasComponent(archetype, term.component) && !asksSwitch(term)) return false
    } else {
      if (groupOf(term) != group) {
        if (!groupHolds) return false
        group = groupOf(term)
        groupHolds = false
      }
      if (!groupHolds) groupHolds = canHold(term, archetype, sparse)
    }
  }
  return groupHolds
}

/** Whether the query names each of the archetype's tags that keep their entities out of all other queries. */
function namesHiding(query: Query, archetype: Archetype): bool {
  for (let i: u32 = 0; i < archetype.signatureCount; i++) {
    const id = signatureAt(archetype, i)
    if (isHiding(id) && !names(query, id)) return false
  }
  return true
}

function names(query: Query, component: u32): bool {
  for (let i: u32 = 0; i < query.termCount; i++) if (termAt(query, i).component == component) return true
  return false
}

/** Whether an alternative holds for the archetype's rows, or may hold for some of them. */
function canHold(term: Term, archetype: Archetype, sparse: bool): bool {
  if (sparse) return true
  if (!hasComponent(archetype, term.component)) return isNegated(term)
  return !isNegated(term) || asksSwitch(term)
}

/** Whether a row of a matching archetype passes the terms that are asked row by row. */
export function rowMatches(query: Query, archetype: Archetype, index: u32): bool {
  let group: u32 = 0
  let groupHolds = true
  for (let i: u32 = 0; i < query.termCount; i++) {
    const term = termAt(query, i)
    if (term.operator < TERM_ANY) {
      if (!isSparseTerm(term) && !asksSwitch(term)) continue
      if (isPresent(term, archetype, index) == isNegated(term)) return false
    } else {
      if (groupOf(term) != group) {
        if (!groupHolds) return false
        group = groupOf(term)
        groupHolds = false
      }
      if (!groupHolds) groupHolds = isPresent(term, archetype, index) != isNegated(term)
    }
  }
  return groupHolds
}

/** Whether an entity of the archetype has the component of a term, and has it switched on where that matters. */
function isPresent(term: Term, archetype: Archetype, index: u32): bool {
  const component = term.component
  let location: u32
  if (isSparseTerm(term)) {
    location = findRow(poolOf(component), index)
    if (location == 0) return false
  } else {
    if (!hasComponent(archetype, component)) return false
    location = recordOf(index).location
  }
  return !asksSwitch(term) || component == ignoredToggle || !isOffAt(location, component)
}

@inline
const NO_COMPONENT: u32 = 0xffffffff
/** The component whose switch is not looked at in this call, because it is the one being switched. */
export let ignoredToggle: u32 = NO_COMPONENT

export function ignoreToggle(component: u32): void {
  ignoredToggle = component
}

export function heedToggles(): void {
  ignoredToggle = NO_COMPONENT
}

/** The pool of the required sparse component with the fewest entities; null where none is required. */
export function drivingPool(query: Query): SparseSet {
  let best = changetype<SparseSet>(0)
  for (let i: u32 = 0; i < query.termCount; i++) {
    const term = termAt(query, i)
    if (!isRequired(term) || !isSparseTerm(term)) continue
    const pool = poolOf(term.component)
    if (changetype<usize>(best) == 0 || pool.rows < best.rows) best = pool
  }
  return best
}

/**
 * Writes the ids of archetypes that match the `count` terms in scratch behind those terms, at most `limit`, in the order of a list of
 * a query, after leaving out the first `skip`. Returns how many were written. Allocates nothing.
 */
export function probeArchetypes(count: u32, skip: u32, limit: u32): u32 {
  describe(probe, SCRATCH_ADDRESS, count)
  const results = SCRATCH_ADDRESS + (<usize>count << 3)
  const found = visitMatches(probe, results, skip, limit)
  return found > skip ? min(found - skip, limit) : 0
}

/**
 * Adds the archetypes that match to the list of a query, or writes their ids to `results`: those with rows in the order of all of them.
 * How many match.
 */
function visitMatches(query: Query, results: usize, skip: u32, limit: u32): u32 {
  const all = queries.archetypes
  let found: u32 = 0
  for (let place = all.first; place != NO_MATCH; place = matchAfter(all, place)) {
    found += visitMatch(query, matchedAt(all, place), results, found - skip, limit)
  }
  const rarest = rarestRequired(query)
  for (let i: u32 = 0; i < candidateCount(rarest); i++) {
    const archetype = candidateAt(rarest, i)
    if (archetype.active == 0) found += visitMatch(query, archetype, results, found - skip, limit)
  }
  return found
}

/** 1 for an archetype that matches, which is noted at its place among the results if it has one there: below `limit`. */
function visitMatch(query: Query, archetype: Archetype, results: usize, place: u32, limit: u32): u32 {
  if (!matches(query, archetype)) return 0
  if (results == 0) addMatch(query, archetype)
  else if (place < limit) store<u32>(results + (<usize>place << 2), archetype.owner)
  return 1
}

/** The query of the `count` terms in scratch, good for one call, for one that the core has not opened. */
export function probeQuery(count: u32): Query {
  describe(probe, SCRATCH_ADDRESS, count)
  return probe
}

/** The required table component or tag that the fewest archetypes have; null when none is required. */
function rarestRequired(query: Query): Component {
  let rarest = changetype<Component>(0)
  for (let i: u32 = 0; i < query.termCount; i++) {
    const term = termAt(query, i)
    if (term.operator >= TERM_ANY) break
    if (!isRequired(term) || isSparseTerm(term)) continue
    const component = componentAt(term.component)
    if (changetype<usize>(rarest) == 0 || component.archetypes.count < rarest.archetypes.count) {
      rarest = component
    }
  }
  return rarest
}

/** How many archetypes can match: all that have the rarest component of a query, or simply all where it requires none. */
function candidateCount(rarest: Component): u32 {
  return changetype<usize>(rarest) != 0 ? rarest.archetypes.count : archetypes.all.count
}

function candidateAt(rarest: Component, index: u32): Archetype {
  return archetypeAt(changetype<usize>(rarest) != 0 ? rarest.archetypes.at(index) : index)
}

/** Makes room for all matches among the archetypes that exist; false when memory ends. */
function reserveMatches(query: Query): bool {
  const rarest = rarestRequired(query)
  let count: u32 = 0
  for (let i: u32 = 0; i < candidateCount(rarest); i++) {
    const archetype = candidateAt(rarest, i)
    if (!matches(query, archetype)) continue
    if (!archetype.matches.reserve(2)) return false
    count += 1
  }
  while (query.capacity < count) {
    query.count = query.capacity
    const grown = reserveMatch(query)
    query.count = 0
    if (!grown) return false
  }
  return true
}

function reserveSubscription(query: Query): bool {
  const rarest = rarestRequired(query)
  if (changetype<usize>(rarest) != 0) return rarest.queries.reserve(1)
  const first = alternativesToFileUnder(query)
  if (first < 0) return queries.everywhere.reserve(1)
  for (let i = <u32>first; i < query.termCount && groupOf(termAt(query, i)) == groupOf(termAt(query, first)); i++) {
    if (!componentAt(termAt(query, i).component).queries.reserve(1)) return false
  }
  return true
}

function subscribe(query: Query): void {
  const address = <u32>changetype<usize>(query)
  const rarest = rarestRequired(query)
  if (changetype<usize>(rarest) != 0) {
    rarest.queries.push(address)
    return
  }
  const first = alternativesToFileUnder(query)
  if (first < 0) {
    queries.everywhere.push(address)
    return
  }
  for (let i = <u32>first; i < query.termCount && groupOf(termAt(query, i)) == groupOf(termAt(query, first)); i++) {
    componentAt(termAt(query, i).component).queries.push(address)
  }
}

/** First term of a group of alternatives that each ask for a table component or tag, or -1. */
function alternativesToFileUnder(query: Query): i32 {
  let first: i32 = -1
  let allStored = false
  for (let i: u32 = 0; i < query.termCount; i++) {
    const term = termAt(query, i)
    if (term.operator < TERM_ANY) continue
    if (first < 0 || groupOf(termAt(query, first)) != groupOf(term)) {
      if (first >= 0 && allStored) return first
      first = <i32>i
      allStored = true
    }
    // One that is asked with its switch and without would be filed twice.
    if (isSparseTerm(term) || isNegated(term) || (term.operator & TERM_PRESENT) != 0) allStored = false
  }
  return allStored ? first : -1
}
