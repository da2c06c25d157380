// Owns the terms changed() and added(), and what they bring to find changes: the search for chunks that may hold some, and the
// filters by which the core compares ticks with those that the query has seen.

import {
  CHUNK_CHANGED_WORD,
  CHUNK_DATA_WORD,
  CHUNK_LAYOUT_KEY_WORD,
  CHUNK_TICKS_ADDED_WORD,
  CHUNK_TICKS_CHANGED_WORD,
  FILTER_COLUMN_WORD,
  FILTER_COMPONENT_WORD,
  FILTER_LANE_WORD,
  FILTER_LOW_WORD,
  FILTER_NEGATED_WORD,
  LANE_CHUNK_TICK,
  LANE_ROW_TICK,
  STORAGE_TAG,
} from '../../build/layout'
import type { ComponentLike } from '../components/component'
import { type Definition, definitionOf } from '../components/definition'
import { type Resource, type ResourceChange, resourceChangeOf } from '../components/resourceDeclaration'
import {
  type Added,
  type AskedChanges,
  type Changed,
  type Parsing,
  type Several,
  Wrapped,
  check,
  checkSome,
  findTerm,
  namedTwice,
  opened,
} from '../components/terms'
import { checkOptions } from '../memory/arguments'
import { StrataTypeError } from '../memory/errors'
import type { Heap } from '../memory/heap'
import { isPlain } from '../memory/realms'
import type { ChangeTerm, ChangeTermHooks, ChunkSearch, FilterList } from '../queryPlan/changeTermHooks'
import type { ChunkList } from '../queryPlan/chunkList'
import { FILTER_WORDS } from '../queryPlan/conditions'
import type { Registration } from '../state/registration'
import { SeenTick } from './seenTick'

const CHANGING: ChangeTermHooks = {
  begin: (state, owner) => new SeenTick(state, owner),
  gather: gatherChanges,
  search: (heap, changes) => new ChangedChunks(heap, changes),
}

/** Options of changed(). */
export interface ChangedOptions {
  /**
   * Whether entities that got the component since the last look are found, too. Default true. false: only those that had it
   * at the last look, which takes components or objects with `trackChanges: 'row'`.
   */
  readonly added?: boolean | undefined
}

class ChangedTerm<C extends readonly ComponentLike[]> extends Wrapped implements Changed<C> {
  readonly operator = 'changed'
  constructor(
    readonly components: C,
    /** Whether the components must have been there at the last look. */
    readonly kept: boolean,
  ) {
    super()
  }

  enter(into: Parsing): void {
    for (const component of this.components)
      joinChange(into, component, { changed: true, kept: this.kept }, this)
  }
}

class AddedTerm<C extends readonly ComponentLike[]> extends Wrapped implements Added<C> {
  readonly operator = 'added'
  constructor(readonly components: C) {
    super()
  }

  enter(into: Parsing): void {
    for (const component of this.components) joinChange(into, component, { added: true }, this)
  }
}

/**
 * A query term: the entity has the component, and it changed since the last look at this query. The first look finds
 * all entities with the component. With several components, each of them must have changed. A look is a loop that
 * runs to its end, `each`, `entities()` or a bulk change; `count`, `first()` and pages only peek.
 * Changes are made by `write`, `markChanged`, `set`, cursors, kernels and adding; `read` and `get` make none. They are
 * tracked per chunk: if one row changed, the loop visits all rows of its chunk. For a component declared with
 * `trackChanges: 'row'` they are tracked per row. Each query with this term has about 2 KB of its own memory: keep it and
 * reuse it.
 *
 * With `{ added: false }` as the last argument it finds what changed, not what is new: entities that had the component
 * already at the last look, without a break. The first look finds none. Together with `added(C)` in another query every
 * change is found once. Only rows can tell, so the components need `trackChanges: 'row'`.
 *
 * A tag changes by being added, and an object component when it is given a value; both must be declared with
 * `trackChanges: 'row'`, and are tracked exactly.
 *
 * Of resources it is a condition for `runIf` of a system: each of them was made or written since the system was last due.
 *
 * @param components one or more components, and options; or one or more resources with fields
 * @throws StrataTypeError NOT_A_COMPONENT; INVALID_OPTION; INVALID_QUERY for resources without fields, for tags and
 *   object components without `trackChanges: 'row'`, and with `{ added: false }` for tags and all other components without it
 * @example const moved = world.query(changed(Position))
 * @example const hurt = world.query(changed(Health, { added: false }))
 * @example schedule.add(resize, { runIf: changed(Screen) })
 */
export function changed<const C extends Several>(...components: C): Changed<C>
export function changed<const C extends Several>(
  ...args: [...components: C, options: ChangedOptions]
): Changed<C>
export function changed(...resources: Several<Resource>): ResourceChange
export function changed(...args: unknown[]): unknown {
  const change = resourceChangeOf(args, CHANGING)
  if (change !== undefined) return change
  const last = args.at(-1)
  const isOption = args.length > 1 && isPlain(last)
  const components = (isOption ? args.slice(0, -1) : args) as ComponentLike[]
  const keeps = isOption && keepsOnly(last as ChangedOptions)
  checkSome(components, 'changed')
  for (const component of components) checkTracked(component, 'changed', keeps)
  return new ChangedTerm(components, keeps)
}

/**
 * A query term: the entity got the component, by a spawn or an add, since the last look at this query. The first look
 * finds all entities with the component. With several components, each of them must have been added. What counts as a
 * look, the tracking per chunk or per row and the cost are those of `changed`.
 *
 * @param components one or more components with fields; or tags and object components with `trackChanges: 'row'`
 * @throws StrataTypeError NOT_A_COMPONENT; INVALID_QUERY for tags and object components without `trackChanges: 'row'`
 * @example const born = world.query(added(Health))
 */
export function added<const C extends Several>(...components: C): Added<C> {
  checkSome(components, 'added')
  for (const component of components) checkTracked(component, 'added', false)
  return new AddedTerm(components)
}

/** Whether the options leave out what was added. */
function keepsOnly(options: ChangedOptions): boolean {
  const { added } = options
  checkOptions('changed', options, ['added'])
  if (added === undefined || typeof added === 'boolean') return added === false
  throw new StrataTypeError('INVALID_OPTION', 'changed: added must be true or false.')
}

function checkTracked(component: unknown, operation: 'changed' | 'added', keeps: boolean): void {
  check(component, operation)
  const { componentName: name, kind, storageCode, details } = component as Definition
  if (keeps && kind === 'tag') {
    throw new StrataTypeError(
      'INVALID_QUERY',
      `changed(${name}, { added: false }): a tag has no value, so it changes only by being added. Use added(${name}).`,
    )
  }
  if (details.tracksRows) return
  if (storageCode === STORAGE_TAG) {
    const what = kind === 'object' ? 'an object component' : 'a tag'
    throw new StrataTypeError(
      'INVALID_QUERY',
      `${operation}(${name}): a world notes when ${what} was given only if it is declared with { trackChanges: 'row' }.`,
    )
  }
  if (!keeps) return
  throw new StrataTypeError(
    'INVALID_QUERY',
    `changed(${name}, { added: false }): the changes of ${name} are tracked by chunk, and a chunk cannot tell which of its rows are new. Declare it with { trackChanges: 'row' }.`,
  )
}

function joinChange(into: Parsing, component: ComponentLike, asked: AskedChanges, written: Wrapped): void {
  const definition = definitionOf(component) as Definition
  const { terms } = into
  let at = findTerm(into, definition)
  if (at < 0) at = terms.push({ ...opened(definition, 'required', written), plain: false }) - 1
  const term = terms[at] as (typeof terms)[number]
  const isTwice = asked.changed === true ? term.changed === true : term.added === true
  if (term.role !== 'required' || isTwice) throw namedTwice(definition, term.written, written)
  terms[at] = { ...term, ...asked, changing: CHANGING }
}

function gatherChanges(into: FilterList, changes: readonly ChangeTerm[], since: number | undefined): void {
  for (const { registration, changed, added, kept } of changes) {
    // Before the first look nothing was there.
    if (since === undefined) into.impossible ||= kept === true
    else {
      if (changed) addTicks(into, registration, 0, since, 0)
      if (added || kept) addTicks(into, registration, 1, since, added ? 0 : 1)
    }
  }
}

/** @param negated 1 for what is not later */
function addTicks(
  into: FilterList,
  registration: Registration,
  column: number,
  since: number,
  negated: number,
): void {
  const at = into.take() * FILTER_WORDS
  const { words } = into
  words[at + FILTER_LOW_WORD] = since
  words[at + FILTER_COMPONENT_WORD] = registration.id
  words[at + FILTER_COLUMN_WORD] = column
  words[at + FILTER_LANE_WORD] = registration.definition.details.tracksRows ? LANE_ROW_TICK : LANE_CHUNK_TICK
  words[at + FILTER_NEGATED_WORD] = negated
}

class ChangedChunks implements ChunkSearch {
  /** Whether a chunk in which nothing changed can be passed over: some change asked for would lie in it. */
  private passesUnchanged = false

  constructor(
    private readonly heap: Heap,
    private readonly changes: readonly ChangeTerm[],
  ) {}

  /**
   * Finds out where the changes that are asked for are told: in the chunks of the pool, or of archetypes, or elsewhere.
   * Returns whether rows must be told apart for them.
   */
  begin(pool: Registration | undefined): boolean {
    let masked = false
    this.passesUnchanged = false
    for (const { registration } of this.changes) {
      const here = pool === undefined ? !registration.pooled : registration === pool
      if (here) this.passesUnchanged = true
      if (!here || registration.definition.details.tracksRows) masked = true
    }
    return masked
  }

  /** The place of the next listed chunk in which everything asked for is newer than `since`, or `count` if no chunk is left. */
  find({ chunkOffsets, count }: ChunkList, place: number, since: number): number {
    const { u32, chunks } = this.heap
    for (; place < count; place++) {
      const descriptor = chunks + (chunkOffsets[place] as number)
      // The descriptors lie side by side; what is inside the chunk is looked at only when one says so.
      const summary = u32[descriptor + CHUNK_CHANGED_WORD] as number
      if (this.passesUnchanged && ((summary - since) | 0) <= 0) continue
      if (this.isChanged(descriptor, since)) break
    }
    return place
  }

  /** Whether every change that is asked for and lies in the chunk is newer than `since`. */
  private isChanged(descriptor: number, since: number): boolean {
    const { u32 } = this.heap
    const data = u32[descriptor + CHUNK_DATA_WORD] as number
    const layoutKey = u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number
    const { changes } = this
    for (let i = 0; i < changes.length; i++) {
      const { registration, changed, added } = changes[i] as ChangeTerm
      const placement = registration.placement(layoutKey)
      if (!placement.present) continue
      const ticks = (data + placement.tickOffset) >> 2
      if (changed && (((u32[ticks + CHUNK_TICKS_CHANGED_WORD] as number) - since) | 0) <= 0) return false
      if (added && (((u32[ticks + CHUNK_TICKS_ADDED_WORD] as number) - since) | 0) <= 0) return false
    }
    return true
  }
}
