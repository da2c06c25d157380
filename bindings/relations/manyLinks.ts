// Owns the links of one relation with many targets in one world: the targets of each source in the order in which they were
// linked, the sources of each target in theirs, the values of each link, and its hash. Records are in linkMemory.ts, what links
// them to each other is in linkChains.ts.
//
// A link that is taken out of its target's list keeps its record as it is, and is found as before: so it can be put back where it
// was, the last one first, and subscribers can still ask for it. It must never make or remove a row of a source: that is the
// change that relations.ts stands around.

import { CHANGE_REMOVE } from '../../build/layout'
import type { ComponentValue } from '../components/componentValues'
import type { CopiedValues } from '../components/copiedValues'
import { loadField } from '../components/fieldMemory'
import type { Field } from '../components/fields'
import { targetIn } from '../components/pair'
import type { RowRef } from '../cursors/rowRef'
import { NULL_ENTITY } from '../memory/entity'
import { limitError } from '../memory/errors'
import type { LinkHashVisitor } from '../state/relationHooks'
import { readRow, writeRow } from '../values/rowValues'
import { COUNT, FIRST, LAST, LinkChains } from './linkChains'
import { LinkList, PartialUnlink } from './linkList'
import {
  NEXT_OF_SOURCE,
  NEXT_OF_TARGET,
  PREVIOUS_OF_SOURCE,
  PREVIOUS_OF_TARGET,
  SOURCE,
  TARGET,
} from './linkMemory'
import type { Inside, LinkStore } from './linkStore'

export class ManyLinks extends LinkChains implements LinkStore {
  targetOf(entity: number): number {
    this.links.check()
    const first = this.read(entity, FIRST)
    return first === 0 ? NULL_ENTITY : this.of(first, TARGET)
  }

  leadsTo(entity: number, target: number): boolean {
    return this.find(entity, target) !== 0
  }

  targetCount(entity: number): number {
    return this.read(entity, COUNT)
  }

  collectTargets(entity: number, into: number[]): void {
    this.links.check()
    for (let link = this.read(entity, FIRST); link !== 0; link = this.of(link, NEXT_OF_SOURCE))
      into.push(this.of(link, TARGET))
  }

  fillTargets(entity: number, into: Uint32Array): void {
    this.links.check()
    let link = this.read(entity, FIRST)
    for (let i = 0; link !== 0; i++) {
      into[i] = this.of(link, TARGET)
      link = this.of(link, NEXT_OF_SOURCE)
    }
  }

  countOf(target: number): number {
    return this.targets.countOf(target)
  }

  collect(target: number, into: number[]): void {
    this.links.check()
    for (let link = this.firstOf(target); link !== 0; link = this.of(link, NEXT_OF_TARGET))
      into.push(this.of(link, SOURCE))
  }

  fill(target: number, into: Uint32Array): void {
    this.links.check()
    let link = this.firstOf(target)
    for (let i = 0; link !== 0; i++) {
      into[i] = this.of(link, SOURCE)
      link = this.of(link, NEXT_OF_TARGET)
    }
  }

  /** A copy of the values of a link; undefined when there is none. */
  valuesOf(entity: number, target: number): Record<string, unknown> | undefined {
    const link = this.find(entity, target)
    return link === 0 ? undefined : readRow(this.links.valuesOf(link))
  }

  targetsAfter(entity: number, isLost: boolean, ingredient: unknown): readonly number[] {
    const targets: number[] = []
    if (!isLost) this.collectTargets(entity, targets)
    if (ingredient instanceof PartialUnlink)
      return targets.filter((target) => !ingredient.targets.includes(target))
    if (ingredient instanceof LinkList) return ingredient.targetsAfter(targets)
    const target = targetIn(ingredient)
    if (target !== undefined && !targets.includes(target)) targets.push(target)
    return targets
  }

  // ── making links ───────────────────────────────────────────────────────────────────────────────────────

  prepare(target: number, ingredient: unknown, count: number): number {
    const { state } = this
    const texts = state.texts.prepare(
      this.segments.values,
      (ingredient as ComponentValue | undefined)?.values as CopiedValues | undefined,
    )
    let status = this.reserve(count)
    if (status >= 0) status = this.targets.prepare(target)
    if (status < 0) state.texts.takeBack(texts)
    return status
  }

  prepareAll(list: LinkList, count: number): number {
    const { state, targets } = this
    const texts = list.prepareTexts(state.texts)
    let status = this.reserve(count * list.targets.length)
    for (let i = 0; i < list.targets.length && status >= 0; i++)
      status = targets.prepare(list.targets[i] as number)
    if (status < 0) state.texts.takeBack(texts)
    return status
  }

  /** Another target is one more. */
  replaces(): boolean {
    return false
  }

  replace(): void {}

  write(entity: number, ingredient: unknown): void {
    this.links.check()
    const ref = this.registration.locate(entity)
    if (ref === undefined) return
    const target = targetIn(ingredient)
    if (target === undefined && !(ingredient instanceof PartialUnlink || ingredient instanceof LinkList))
      return
    // The row of the source stands for its links.
    ref.mark()
    if (ingredient instanceof PartialUnlink) return this.sever(entity, ingredient.targets)
    if (ingredient instanceof LinkList) return this.writeList(entity, ingredient)
    const link = this.linkTo(entity, target as number, this.hasLinks(entity))
    const { values } = ingredient as ComponentValue
    if (values !== undefined) writeRow(this.links.valuesOf(link), values as CopiedValues)
  }

  private writeList(entity: number, list: LinkList): void {
    if (list.isWhole) {
      this.retarget(entity, list.targets)
      this.noteChange()
    }
    if (list.isWhole && !list.hasValues) return
    const hasLinks = this.hasLinks(entity)
    for (let i = 0; i < list.targets.length; i++) {
      const link = this.linkTo(entity, list.targets[i] as number, hasLinks)
      list.writeValues(this.links.valuesOf(link), i)
    }
  }

  private hasLinks(entity: number): boolean {
    return this.read(entity, FIRST) !== 0
  }

  /** The link of a source that has its row to a target that has one: it is made if there is none. */
  private linkTo(entity: number, target: number, hasLinks: boolean): number {
    // What is found for an entity that starts over is a link that ends.
    const found = hasLinks ? this.links.find(entity, target) : 0
    if (found !== 0) return found
    const link = this.make(entity, target)
    this.list(link)
    this.noteChange()
    return link
  }

  // ── ending links ───────────────────────────────────────────────────────────────────────────────────────

  /** Ends some links of a source that keeps others. */
  private sever(entity: number, targets: readonly number[]): void {
    const { u32 } = this.state.heap
    for (const target of targets) {
      const link = this.links.find(entity, target)
      if (link === 0) continue
      this.leaveTarget(link)
      const before = this.of(link, PREVIOUS_OF_SOURCE)
      const after = this.of(link, NEXT_OF_SOURCE)
      if (before === 0) u32[this.word(entity, FIRST)] = after
      else this.set(before, NEXT_OF_SOURCE, after)
      if (after === 0) u32[this.word(entity, LAST)] = before
      else this.set(after, PREVIOUS_OF_SOURCE, before)
      const count = this.word(entity, COUNT)
      u32[count] = (u32[count] as number) - 1
      this.end(link)
    }
    this.noteChange()
  }

  leave(entity: number): number {
    this.links.check()
    const first = this.read(entity, FIRST)
    for (let link = first; link !== 0; link = this.of(link, NEXT_OF_SOURCE)) this.leaveTarget(link)
    return first
  }

  release(note: number): void {
    for (let link = note; link !== 0;) {
      const next = this.of(link, NEXT_OF_SOURCE)
      this.end(link)
      link = next
    }
  }

  tidy(): void {
    this.targets.tidy()
    this.links.check()
    this.links.shrink()
  }

  // ── order ──────────────────────────────────────────────────────────────────────────────────────────────

  place(entity: number, follower: number, target: number): void {
    const link = this.find(entity, target)
    const after = follower === NULL_ENTITY ? 0 : this.find(follower, target)
    this.leaveTarget(link)
    this.stand(link, after === 0 ? this.lastOf(target) : this.of(after, PREVIOUS_OF_TARGET), after)
    this.noteChange()
  }

  nextOf(entity: number, target: number): number {
    const next = this.of(this.find(entity, target), NEXT_OF_TARGET)
    return next === 0 ? NULL_ENTITY : this.of(next, SOURCE)
  }

  // ── copies ─────────────────────────────────────────────────────────────────────────────────────────────

  enterCopies(copies: ArrayLike<number>): void {
    const { heap } = this.state
    this.links.check()
    // A row that was copied leads to the links of the source.
    const model = this.read(copies[0] as number, FIRST)
    const count = this.read(copies[0] as number, COUNT)
    for (let i = 0; i < copies.length; i++)
      for (const column of [FIRST, LAST, COUNT]) heap.u32[this.word(copies[i] as number, column)] = 0
    const status = this.reserve(count * copies.length)
    if (status < 0) {
      // A row without links must not stay.
      const address = this.state.bundles
        .with(this.registration.definition, 'cloneEntity')
        .addressIn(this.state)
      for (let i = 0; i < copies.length; i++)
        this.state.core.entityChange(copies[i] as number, CHANGE_REMOVE, address)
      heap.check()
      throw limitError(status, '')
    }
    for (let i = 0; i < copies.length; i++) {
      for (let link = model; link !== 0; link = this.of(link, NEXT_OF_SOURCE)) {
        const copy = this.make(copies[i] as number, this.of(link, TARGET))
        this.list(copy)
        this.copyValues(link, copy)
      }
    }
    this.noteChange()
  }

  private copyValues(from: number, to: number): void {
    if (this.defaults.length === 0) return
    const values = readRow(this.links.valuesOf(from))
    writeRow(
      this.links.valuesOf(to),
      this.segments.values.fieldNames.map((name) => values[name] as never),
    )
  }

  redirect(copies: ArrayLike<number>, inside: Inside): void {
    this.links.check()
    for (let i = 0; i < copies.length; i++) {
      const copy = copies[i] as number
      for (let link = this.read(copy, FIRST); link !== 0; link = this.of(link, NEXT_OF_SOURCE)) {
        const inner = inside.get(this.of(link, TARGET))?.[i]
        if (inner === undefined) continue
        const status = this.targets.prepare(inner)
        if (status < 0) throw limitError(status, '')
        this.leaveTarget(link)
        this.links.leave(link)
        this.set(link, TARGET, inner)
        this.list(link)
        this.links.enter(link)
      }
    }
    this.noteChange()
    this.tidy()
  }

  // ── one by one ─────────────────────────────────────────────────────────────────────────────────────────

  get linksBelow(): number {
    return this.links.used
  }

  linksOf(entity: number, into: number[]): void {
    this.links.check()
    for (let link = this.read(entity, FIRST); link !== 0; link = this.of(link, NEXT_OF_SOURCE))
      into.push(link)
  }

  linksTo(target: number, into: number[]): void {
    this.links.check()
    for (let link = this.firstOf(target); link !== 0; link = this.of(link, NEXT_OF_TARGET)) into.push(link)
  }

  targetOfLink(link: number): number {
    return this.of(link, TARGET)
  }

  rowOfLink(link: number): RowRef {
    return this.links.valuesOf(link)
  }

  reserve(count: number): number {
    this.links.check()
    // If no link is made after all, there is room to give back.
    if (this.links.count === 0) this.noteUntidy()
    return this.links.reserve(count)
  }

  // ── what changed ───────────────────────────────────────────────────────────────────────────────────────

  hash(visit: LinkHashVisitor): boolean {
    const { definition } = this.registration
    this.links.check()
    const { u32 } = this.state.heap
    this.links.each((link) => {
      const record = this.links.at(link)
      const sourceOf = (neighbour: number) => (neighbour === 0 ? NULL_ENTITY : this.of(neighbour, SOURCE))
      const before = u32[record + PREVIOUS_OF_SOURCE] as number
      visit(
        u32[record + SOURCE] as number,
        hashOfLink(
          definition.componentName,
          [
            u32[record + SOURCE] as number,
            u32[record + TARGET] as number,
            before === 0 ? NULL_ENTITY : this.of(before, TARGET),
            sourceOf(u32[record + PREVIOUS_OF_TARGET] as number),
          ],
          this.links.valuesOf(link),
        ),
      )
    })
    return true
  }
}

const HASH_OF_NOTHING = 0x811c9dc5
const bytes = /* @__PURE__ */ new ArrayBuffer(8)
const doubles = /* @__PURE__ */ new Float64Array(bytes)
const words = /* @__PURE__ */ new Uint32Array(bytes)

function mix(hash: number, bits: number): number {
  const mixed = Math.imul(hash ^ bits, 0x9e3779b1)
  return (mixed << 13) | (mixed >>> 19)
}

/** All NaN are the same one here, as every number read from memory is. */
function mixNumber(hash: number, value: number): number {
  doubles[0] = Number.isNaN(value) ? NaN : value
  return mix(mix(hash, words[0] as number), words[1] as number)
}

function mixText(hash: number, text: string): number {
  let mixed = mix(hash, text.length)
  for (let i = 0; i < text.length; i++) mixed = mix(mixed, text.charCodeAt(i))
  return mixed
}

function mixValue(hash: number, value: unknown): number {
  if (typeof value === 'string') return mixText(hash, value)
  if (typeof value !== 'object') return mixNumber(hash, Number(value))
  let mixed = hash
  for (const item of value as Iterable<number>) mixed = mixNumber(mixed, item)
  return mixed
}

/** The hash of a link of a relation: whom it leads from and to, its neighbours in both lists, its values. */
function hashOfLink(name: string, handles: readonly number[], { heap, definition, ...at }: RowRef): number {
  let hash = mixText(HASH_OF_NOTHING, name)
  for (const handle of handles) hash = mix(hash, handle)
  definition.fields.forEach((field: Field, k) => {
    const column = at.data + (at.placement.offsets[k] as number)
    hash = mixValue(hash, loadField(heap, field, column + ((at.row * field.length) << field.shift)))
  })
  return (hash ^ (hash >>> 15)) >>> 0
}
