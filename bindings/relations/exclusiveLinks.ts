// Owns the links of one exclusive relation in one world: who points at whom, and the sources of each target in their order.
// They lie in linear memory, in two pools like those of any sparse component, so snapshots have them without more:
//
//   source  ┌────────┬──────────┬────────┬──────┬──────────┐      target  ┌────────┬───────┬──────┬───────┐
//           │ entity │ values … │ target │ next │ previous │              │ entity │ first │ last │ count │
//           └────────┴──────────┴────────┴──────┴──────────┘              └────────┴───────┴──────┴───────┘
//   All are handles, NULL_ENTITY at the ends: rows may move, and a save can give all entities other handles.
//
// A link that is taken out of its list keeps its row as it is, so it can be put back where it was, the last one first.
// It must never make or remove a row of a source: that is the change that relations.ts stands around. Relations with many
// targets have manyLinks.ts.

import { CHUNK_TICKS_ADDED_WORD, STATUS_DONE, TABLE_VERSION } from '../../build/layout'
import { targetIn } from '../components/pair'
import type { ComponentValue } from '../components/componentValues'
import type { CopiedValues } from '../components/copiedValues'
import { INDEX_MASK, NULL_ENTITY } from '../memory/entity'
import { limitError } from '../memory/errors'
import type { Registration } from '../state/registration'
import type { RowRef } from '../cursors/rowRef'
import { writeRow } from '../values/rowValues'
import type { WorldState } from '../state/worldState'
import type { Inside, LinkStore } from './linkStore'
import type { RelationType } from './relationType'
import { LinkColumns, TargetRows } from './targetRows'

const NO_VALUES: CopiedValues = []

export class ExclusiveLinks implements LinkStore {
  /** The way to the hidden columns of sources: the target, then the next source, then the previous one. */
  private readonly rows: LinkColumns
  private readonly defaults: CopiedValues
  private readonly targets: TargetRows

  constructor(
    readonly state: WorldState,
    readonly kind: RelationType,
    readonly registration: Registration,
    noteUntidy: () => void,
  ) {
    const { fields } = registration.definition
    this.rows = new LinkColumns(state.heap, registration, fields.length)
    this.targets = new TargetRows(state, kind.sources, kind.definition, noteUntidy)
    this.defaults = fields.map(({ defaultValue }) => defaultValue as never)
  }

  openBundles(): void {
    this.targets.openBundles()
  }

  // ── reading ────────────────────────────────────────────────────────────────────────────────────────────

  targetOf(entity: number): number {
    const row = this.state.isAlive(entity) ? this.rows.at(entity) : 0
    return row === 0 ? NULL_ENTITY : (this.state.heap.u32[row] as number)
  }

  leadsTo(entity: number, target: number): boolean {
    return target !== NULL_ENTITY && this.targetOf(entity) === target
  }

  targetCount(entity: number): number {
    return this.targetOf(entity) === NULL_ENTITY ? 0 : 1
  }

  collectTargets(entity: number, into: number[]): void {
    const target = this.targetOf(entity)
    if (target !== NULL_ENTITY) into.push(target)
  }

  fillTargets(entity: number, into: Uint32Array): void {
    const target = this.targetOf(entity)
    if (target !== NULL_ENTITY) into[0] = target
  }

  targetsAfter(entity: number, isLost: boolean, ingredient: unknown): readonly number[] {
    const target = targetIn(ingredient) ?? (isLost ? NULL_ENTITY : this.targetOf(entity))
    return target === NULL_ENTITY ? [] : [target]
  }

  countOf(target: number): number {
    return this.targets.countOf(target)
  }

  collect(target: number, into: number[]): void {
    for (let entity = this.firstOf(target); entity !== NULL_ENTITY; entity = this.nextOf(entity))
      into.push(entity)
  }

  fill(target: number, into: Uint32Array): void {
    let entity = this.firstOf(target)
    for (let i = 0; entity !== NULL_ENTITY; i++) {
      into[i] = entity
      entity = this.nextOf(entity)
    }
  }

  private firstOf(target: number): number {
    const row = this.targets.at(target)
    return row === 0 ? NULL_ENTITY : (this.state.heap.u32[row] as number)
  }

  // ── lists ──────────────────────────────────────────────────────────────────────────────────────────────

  prepare(target: number): number {
    return this.targets.prepare(target)
  }

  // No entity has several of its links.
  prepareAll(): number {
    return STATUS_DONE
  }

  /** Enters a source that is in no list at the end of a target's, or before one that is in it. */
  private enter(entity: number, target: number, follower: number = NULL_ENTITY): void {
    const { rows, targets } = this
    const { u32 } = this.state.heap
    const to = targets.at(target)
    if (to === 0) return this.store(entity, target, NULL_ENTITY, NULL_ENTITY)
    const last = to + targets.toLast
    const count = to + targets.toCount
    let before = u32[last] as number
    if (follower !== NULL_ENTITY) {
      const row = rows.at(follower) + rows.third
      before = u32[row] as number
      u32[row] = entity
    } else u32[last] = entity
    if (before === NULL_ENTITY) u32[to] = entity
    else u32[rows.at(before) + rows.second] = entity
    u32[count] = (u32[count] as number) + 1
    this.store(entity, target, before, follower)
  }

  private store(entity: number, target: number, previous: number, next: number): void {
    const { rows } = this
    const { u32 } = this.state.heap
    const row = rows.at(entity)
    u32[row] = target
    u32[row + rows.second] = next
    u32[row + rows.third] = previous
  }

  /** Lets the neighbours of a source, or the ends of its target's list, lead past it. Neither end is there where the target is dead. */
  leave(entity: number): number {
    const { rows, targets } = this
    const { u32 } = this.state.heap
    const row = rows.at(entity)
    const target = u32[row] as number
    if (target === NULL_ENTITY) return 0
    const after = u32[row + rows.second] as number
    const before = u32[row + rows.third] as number
    if (before !== NULL_ENTITY) u32[rows.at(before) + rows.second] = after
    if (after !== NULL_ENTITY) u32[rows.at(after) + rows.third] = before
    const of = targets.at(target)
    if (of === 0) return 0
    if (before === NULL_ENTITY) u32[of] = after
    if (after === NULL_ENTITY) u32[of + targets.toLast] = before
    targets.countDown(target, of)
    return 0
  }

  // Its row says all of a link, and goes with it.
  release(): void {}

  /** A copy of a source, whose row says that it stands where the source stands: it goes to the end of the list. */
  enterCopy(entity: number, target: number = this.targetOf(entity)): void {
    const holds = this.state.relations?.holdsFor(target) === true
    const status = holds ? this.targets.prepare(target) : STATUS_DONE
    if (status >= 0) return this.enter(entity, target)
    // A row whose target does not know it must not stay.
    this.store(entity, NULL_ENTITY, NULL_ENTITY, NULL_ENTITY)
    throw limitError(status, '')
  }

  enterCopies(copies: ArrayLike<number>, inside: Inside | undefined): void {
    const targets = inside?.get(this.targetOf(copies[0] as number))
    for (let i = 0; i < copies.length; i++) this.enterCopy(copies[i] as number, targets?.[i])
  }

  redirect(copies: ArrayLike<number>, inside: Inside): void {
    for (let i = 0; i < copies.length; i++) {
      const copy = copies[i] as number
      const target = inside.get(this.targetOf(copy))?.[i]
      if (target === undefined) continue
      this.leave(copy)
      this.enterCopy(copy, target)
      this.tidy()
    }
  }

  // ── one by one: the number of a link is the index of its source ────────────────────────────────────────

  get linksBelow(): number {
    return this.state.heap.entityCapacity
  }

  linksOf(entity: number, into: number[]): void {
    into.push(entity & INDEX_MASK)
  }

  linksTo(target: number, into: number[]): void {
    for (let entity = this.firstOf(target); entity !== NULL_ENTITY; entity = this.nextOf(entity))
      into.push(entity & INDEX_MASK)
  }

  targetOfLink(link: number): number {
    return this.state.heap.u32[this.rows.at(link)] as number
  }

  rowOfLink(link: number): RowRef {
    return this.registration.locate(this.state.heap.handleAt(link)) as RowRef
  }

  // Its row is all that a link needs.
  reserve(): number {
    return STATUS_DONE
  }

  make(entity: number, target: number): number {
    this.store(entity, target, NULL_ENTITY, NULL_ENTITY)
    return entity & INDEX_MASK
  }

  list(link: number): void {
    const target = this.targetOfLink(link)
    if (target !== NULL_ENTITY) this.enter(this.state.heap.handleAt(link), target)
  }

  // ── order ──────────────────────────────────────────────────────────────────────────────────────────────

  place(entity: number, follower: number): void {
    this.leave(entity)
    this.enter(entity, this.targetOf(entity), follower)
    this.noteChange()
  }

  nextOf(entity: number): number {
    const row = this.rows.at(entity)
    return this.state.heap.u32[row + this.rows.second] as number
  }

  // ── what a change writes ───────────────────────────────────────────────────────────────────────────────

  write(entity: number, ingredient: unknown): void {
    const target = targetIn(ingredient)
    if (target !== undefined && target !== this.targetOf(entity)) {
      this.leave(entity)
      this.enter(entity, target)
      this.noteChange()
    }
    const ref = this.registration.locate(entity)
    if (ref !== undefined) writeRow(ref, ((ingredient as ComponentValue).values ?? NO_VALUES) as CopiedValues)
  }

  replaces(entity: number, target: number): boolean {
    const row = this.rows.at(entity)
    return row !== 0 && this.state.heap.u32[row] !== target
  }

  replace(entity: number, ingredient: ComponentValue): void {
    const { registration } = this
    const ref = registration.locate(entity)
    if (ref === undefined) return
    if (this.defaults.length > 0) writeRow(ref, this.defaults)
    const { u32 } = this.state.heap
    const tick = (ref.data + ref.placement.tickOffset) >> 2
    this.write(entity, ingredient)
    u32[tick + CHUNK_TICKS_ADDED_WORD] = u32[tick] as number
  }

  /** Other entities match than before, though no row came or went. */
  private noteChange(): void {
    const { heap } = this.state
    const version = (this.registration.pool + TABLE_VERSION) >> 2
    heap.u32[version] = (heap.u32[version] as number) + 1
  }

  tidy(): void {
    this.targets.tidy()
  }

  hash(): boolean {
    return false
  }
}
