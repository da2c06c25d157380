// Owns queries as a simulation inside wasm sees them: their terms, the loop over what matches, bulk changes.
// It must never copy what it shows: columns and handles are the chunk's own memory.

import { Entities } from '../kernel/entities'
import { Column, ReadonlyColumn } from '../kernel/columns'
import { Rows } from '../kernel/rows'
import { addMatching, destroyMatching, removeMatching } from '../rows/bulk'
import { Bundle as CoreBundle } from '../archetypes/bundles'
import { components } from '../components/components'
import { SIMULATION_TERMS_ADDRESS } from '../memory/map'
import {
  Query as CoreQuery,
  TERM_ANY,
  TERM_EXCLUDED,
  TERM_GROUP_STEP,
  TERM_NEGATED,
  TERM_PRESENT,
  TERM_REQUIRED,
  Term,
  findOrCreateQuery,
} from '../queries/queries'
import { OUT_OF_MEMORY } from '../memory/status'
import { world } from '../memory/world'
import { Bundle, Component, NONE, bundleOf } from './bundle'
import { ADD_TO_ALL, DESTROY_ALL, REMOVE_FROM_ALL, changeAllLater } from './commands'
import { columnAddress, markRows } from './fields'
import { Loop, chunkOf, countMatching, leave, loopOver, openLoop, step } from './loops'
import { simulation } from './state'
import { placeInLayout, layoutOf } from '../tables/layouts'

/** As many terms as there is room for behind the struct. */
const MOST_TERMS: u32 = 64

/** The terms of a query in the making: one at a time, finish it with open(). */
@unmanaged
export class Terms {
  private count: u32
  private nextGroup: u32
  private isWrong: u32

  /** @internal Begins again. */
  static begin(): Terms {
    const terms = changetype<Terms>(SIMULATION_TERMS_ADDRESS)
    terms.count = 0
    terms.nextGroup = TERM_ANY
    terms.isWrong = 0
    return terms
  }

  /** The entity must have all of these. */
  with(a: Component, b: Component = NONE, c: Component = NONE, d: Component = NONE, e: Component = NONE,
       f: Component = NONE, g: Component = NONE, h: Component = NONE): Terms {
    return this.addAll(TERM_REQUIRED, a, b, c, d, e, f, g, h)
  }

  /** The entity must have all of these, switched on or off. */
  present(a: Component, b: Component = NONE, c: Component = NONE, d: Component = NONE, e: Component = NONE,
          f: Component = NONE, g: Component = NONE, h: Component = NONE): Terms {
    return this.addAll(TERM_REQUIRED | TERM_PRESENT, a, b, c, d, e, f, g, h)
  }

  /** The entity must have none of these. */
  without(a: Component, b: Component = NONE, c: Component = NONE, d: Component = NONE, e: Component = NONE,
          f: Component = NONE, g: Component = NONE, h: Component = NONE): Terms {
    return this.addAll(TERM_EXCLUDED, a, b, c, d, e, f, g, h)
  }

  /** The entity must have at least one of these. */
  any(a: Component, b: Component, c: Component = NONE, d: Component = NONE, e: Component = NONE,
      f: Component = NONE, g: Component = NONE, h: Component = NONE): Terms {
    const group = this.nextGroup
    this.nextGroup += TERM_GROUP_STEP
    return this.addAll(group, a, b, c, d, e, f, g, h)
  }

  /**
   * The entity may have these: a tag that is declared with excluded: true is named by it, so that its entities are met
   * beside all others. Of other components it says nothing.
   */
  optional(a: Component, b: Component = NONE, c: Component = NONE, d: Component = NONE): Terms {
    return this.mayHave(a).mayHave(b).mayHave(c).mayHave(d)
  }

  /** A condition that always holds: the component is there, or it is not. */
  private mayHave(component: Component): Terms {
    if (component == NONE) return this
    const group = this.nextGroup
    this.nextGroup += TERM_GROUP_STEP
    this.add(group, component)
    this.add(group | TERM_NEGATED, component)
    return this
  }

  /**
   * The query of these terms: the one that is there, or a new one. Null when memory ends, or when an id is no
   * component, one is named twice (except in different calls of any), or there are more than 64 terms. Not for loops:
   * keep it.
   */
  open(): Query {
    if (this.isWrong != 0) return changetype<Query>(0)
    return changetype<Query>(findOrCreateQuery(termsAddress(), this.count))
  }

  private addAll(operator: u32, a: u32, b: u32, c: u32, d: u32, e: u32, f: u32, g: u32, h: u32): Terms {
    this.add(operator, a)
    this.add(operator, b)
    this.add(operator, c)
    this.add(operator, d)
    this.add(operator, e)
    this.add(operator, f)
    this.add(operator, g)
    this.add(operator, h)
    return this
  }

  /** Puts a term in its place: they are sorted by operator, then by component. */
  private add(operator: u32, component: u32): void {
    if (component == NONE) return
    if (component >= components.count || this.count == MOST_TERMS) {
      this.isWrong = 1
      return
    }
    let place = this.count++
    for (let i: u32 = 0; i < place; i++) if (isNamedIn(termAt(i), operator, component)) this.isWrong = 1
    for (; place > 0 && isBefore(operator, component, termAt(place - 1)); place--) {
      termAt(place).operator = termAt(place - 1).operator
      termAt(place).component = termAt(place - 1).component
    }
    termAt(place).operator = operator
    termAt(place).component = component
  }
}

@inline
function termsAddress(): usize {
  return SIMULATION_TERMS_ADDRESS + offsetof<Terms>()
}

@inline
function termAt(index: u32): Term {
  return changetype<Term>(termsAddress() + <usize>index * offsetof<Term>())
}

/**
 * Whether a term names the component so that it cannot be named again: only groups of alternatives may share one, and what asks
 * for it with its switch and what asks without.
 */
function isNamedIn(term: Term, operator: u32, component: u32): bool {
  if (term.component != component || ((term.operator ^ operator) & TERM_PRESENT) != 0) return false
  return term.operator == operator || min(term.operator, operator) < TERM_ANY
}

@inline
function isBefore(operator: u32, component: u32, term: Term): bool {
  return operator < term.operator || (operator == term.operator && component < term.component)
}

/**
 * What matches some terms, kept up to date by the core. There is no object: the core's own query is meant, so the same
 * terms give the same one, which JavaScript shares, too. After world.reset() in JavaScript, or a restore to before it was
 * opened, it is gone: open it again.
 *
 * ```
 * moving.begin()
 * while (moving.next()) {
 *   const rows = moving.rows
 *   const px = moving.write<f32>(Position, 0)
 *   const vx = moving.read<f32>(Velocity, 0)
 *   for (let i = rows.start; i < rows.end; i++) px[i] += vx[i] * dt
 * }
 * ```
 *
 * From begin() until next() says false, or end(), no row moves: structural changes wait (see World).
 */
@unmanaged
export class Query {
  /** Begins the terms of a query: what the entity must have. `Query.with(Position).without(Frozen).open()` */
  static with(a: Component, b: Component = NONE, c: Component = NONE, d: Component = NONE, e: Component = NONE,
              f: Component = NONE, g: Component = NONE, h: Component = NONE): Terms {
    return Terms.begin().with(a, b, c, d, e, f, g, h)
  }

  /** The terms of a query for all entities, to be narrowed. */
  static all(): Terms {
    return Terms.begin()
  }

  /** No query: what a variable holds before its query is opened. */
  @inline
  static get none(): Query {
    return changetype<Query>(0)
  }

  /** Whether there is no such query. */
  @inline
  get isNull(): bool {
    return changetype<usize>(this) == 0
  }

  /** How many entities match now. Costs the number of archetypes; where rows must be told apart, a look at each. */
  get count(): u32 {
    return this.isNull ? 0 : countMatching(queryOf(this))
  }

  /** Begins a loop, in front of the first run of rows. Allocates the first time that so many are open at once. */
  begin(): void {
    openLoop(queryOf(this))
  }

  /** Goes to the next run of rows. False at the end, where the loop is closed and what waits is applied. */
  next(): bool {
    return step(queryOf(this))
  }

  /** Closes the loop when it is left early, by break or return, with all that are open inside of it. */
  end(): void {
    leave(queryOf(this))
  }

  /** The rows of this run. Columns and handles are indexed by them. */
  @inline
  get rows(): Rows {
    const loop = loopOf(this)
    return changetype<Rows>(<usize>(loop.start | (loop.end << 16)))
  }

  /** The handles of the chunk's rows. */
  @inline
  get entities(): Entities {
    return changetype<Entities>(chunkOf(loopOf(this)).data)
  }

  /**
   * Whether the rows of this chunk have columns of the component: ask it of one that is no required term. Of a sparse
   * or stable component only where the query walks its pool; elsewhere it is reached by entity, with World.read.
   */
  has(component: Component): bool {
    return placeInLayout(layoutOf(chunkOf(loopOf(this))), component) >= 0
  }

  /**
   * A field's column, to be read. Ask once a chunk, outside of the loop over rows.
   *
   * @param field its place in the schema, from 0
   */
  read<T>(component: Component, field: u32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(columnOf(this, component, field, sizeof<T>()))
  }

  /** The same, to be written, too: the component counts as changed in this chunk. */
  write<T>(component: Component, field: u32): Column<T> {
    return changetype<Column<T>>(writtenColumnOf(this, component, field, sizeof<T>()))
  }

  /** A vec's column, such as `readVec<ReadonlyVec3Column<f32>>(Position, 0)`. */
  readVec<C>(component: Component, field: u32): C {
    return changetype<C>(columnOf(this, component, field, 1))
  }

  /** The same, to be written, too. */
  writeVec<C>(component: Component, field: u32): C {
    return changetype<C>(writtenColumnOf(this, component, field, 1))
  }

  /**
   * Adds components to all that match. In a loop it waits, and concerns what matches then.
   *
   * @returns how many match now, or a negative status; nothing changed then
   */
  add(bundle: Bundle): i32 {
    if (this.isNull || bundle.isNull) return OUT_OF_MEMORY
    const matched = <i32>this.count
    if (matched == 0 && simulation.locks == 0) return 0
    const status =
      simulation.locks != 0
        ? changeAllLater(ADD_TO_ALL, queryOf(this), bundleOf(bundle))
        : addMatching(queryOf(this), 0, bundleOf(bundle), world.tick)
    return status < 0 ? status : matched
  }

  /** Removes components from all that match; like add. */
  remove(bundle: Bundle): i32 {
    if (this.isNull || bundle.isNull) return OUT_OF_MEMORY
    const matched = <i32>this.count
    if (matched == 0 && simulation.locks == 0) return 0
    const status =
      simulation.locks != 0
        ? changeAllLater(REMOVE_FROM_ALL, queryOf(this), bundleOf(bundle))
        : removeMatching(queryOf(this), 0, bundleOf(bundle), world.tick)
    return status < 0 ? status : matched
  }

  /** Destroys all that match. In a loop it waits, and concerns what matches then. Returns like add. */
  destroy(): i32 {
    if (this.isNull) return OUT_OF_MEMORY
    if (simulation.locks == 0) return destroyMatching(queryOf(this), 0)
    const matched = <i32>this.count
    const status = changeAllLater(DESTROY_ALL, queryOf(this), changetype<CoreBundle>(0))
    return status < 0 ? status : matched
  }
}

@inline
function queryOf(query: Query): CoreQuery {
  return changetype<CoreQuery>(query)
}

function loopOf(query: Query): Loop {
  const loop = loopOver(queryOf(query))
  assert(changetype<usize>(loop) != 0 && loop.chunkId != 0, 'a query is read between next() and the end of its loop')
  return loop
}

function columnOf(query: Query, component: Component, field: u32, bytes: u32): usize {
  const address = columnAddress(chunkOf(loopOf(query)), component, field, bytes)
  assert(address != 0, 'a column is asked for where the rows have it: see Query.has')
  return address
}

function writtenColumnOf(query: Query, component: Component, field: u32, bytes: u32): usize {
  const loop = loopOf(query)
  markRows(chunkOf(loop), component, loop.start, loop.end, world.tick)
  return columnOf(query, component, field, bytes)
}
