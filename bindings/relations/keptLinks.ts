// Owns the way back into the lists of links that outlived their target, by 'keep', when spawnAt makes its handle alive again.

import { STATUS_DONE, TABLE_VERSION } from '../../build/layout'
import { queueOf, waitBeside } from '../changes/commandQueue'
import { NULL_ENTITY } from '../memory/entity'
import { limitError } from '../memory/errors'
import { eachChunk } from '../memory/coreTables'
import type { ChangeCalls } from '../state/changeHooks'
import type { WorldState } from '../state/worldState'
import type { LinkStore } from './linkStore'

/** Once so many targets are noted, all links are looked through again instead. */
const MOST_NOTED = 1 << 14

export class KeptLinks {
  /**
   * Handles that are not alive and that links may lead to; undefined until it is needed. A cache of what the links say,
   * which is true of one timeline.
   */
  private noted: Set<number> | undefined
  /** Those that are alive again, and whose links are not back in their lists yet. Of the same timeline. */
  private readonly waiting = new Set<number>()
  private timeline = 0

  constructor(
    private readonly state: WorldState,
    private readonly all: readonly LinkStore[],
    /** The links of those relations in which an entity is a target. */
    private readonly targeting: (entity: number) => readonly LinkStore[],
  ) {}

  private get stores(): readonly LinkStore[] {
    return this.all.filter(({ kind }) => kind.onTargetDestroy === 'keep')
  }

  /** Whether links to a target hold: it is alive, and those that were kept are in its list. */
  holdsFor(target: number): boolean {
    return this.state.isAlive(target) && !this.waitsFor(target)
  }

  private waitsFor(target: number): boolean {
    return this.waiting.size > 0 && this.timeline === this.state.timeline && this.waiting.has(target)
  }

  /** Notes which of the entities, about to die, are targets. */
  dying(entities: readonly number[]): void {
    const { noted } = this
    if (noted === undefined) return
    for (const entity of entities)
      if (this.targeting(entity).some(({ kind }) => kind.onTargetDestroy === 'keep')) noted.add(entity)
    if (noted.size > MOST_NOTED) this.noted = undefined
  }

  /** See LinkUpkeep. */
  returned(handles: ArrayLike<number>): number {
    const { state, stores, waiting } = this
    if (stores.length === 0) return STATUS_DONE
    const isKnown = this.noted !== undefined && this.timeline === state.timeline
    const noted = isKnown ? (this.noted as Set<number>) : this.note(stores)
    const back = Array.from(handles).filter((handle) => noted.has(handle))
    if (back.length === 0) return STATUS_DONE
    for (const handle of back) waiting.add(handle)
    if (state.locks === 0) return this.list(handles)
    this.returnLater()
    return STATUS_DONE
  }

  /** See LinkUpkeep. */
  returnLater(entity?: number): void {
    if (entity === undefined ? this.waiting.size === 0 : !this.waitsFor(entity)) return
    // Who is noted may have no links any more: that must not be seen by how other commands are folded, so it waits
    // beside them.
    waitBeside(queueOf(this.state), () => {
      const status = this.list([...this.waiting])
      if (status < 0) throw limitError(status, '')
    })
    this.state.settle()
  }

  /** Among queued changes at once, before the next one; otherwise once the targets have their values. */
  private tell(back: ReadonlySet<number>): void {
    const { reporting } = this.state
    if (reporting?.hearsLinks !== true) return
    const queue = queueOf(this.state)
    const tell = () => (this.state.changes as ChangeCalls).tellReturned(this.state, [...back])
    if (queue.flushing) tell()
    else waitBeside(queue, tell)
  }

  /** All targets, since those that have just come alive are among them. */
  private note(stores: readonly LinkStore[]): Set<number> {
    const noted = new Set<number>()
    for (const links of stores) this.eachLink(links, (_, target) => noted.add(target))
    if (this.timeline !== this.state.timeline) this.waiting.clear()
    this.timeline = this.state.timeline
    return (this.noted = noted)
  }

  private eachLink(links: LinkStore, visit: (source: number, target: number) => void): void {
    const { heap } = this.state
    const targets: number[] = []
    eachChunk(heap, links.registration.pool, (data, _, rows) => {
      for (let row = 0; row < rows; row++) {
        const source = heap.u32[(data >> 2) + row] as number
        links.collectTargets(source, targets)
        for (const target of targets) visit(source, target)
        targets.length = 0
      }
    })
  }

  /** A target is about to get a link: those that were kept come first. */
  beforeLink(target: number): void {
    if (!this.state.isAlive(target) || this.holdsFor(target)) return
    const status = this.list([target], target)
    if (status < 0) throw limitError(status, '')
  }

  /** Those that wait and have their rows: a list is a row of its target, which should not get one before its components. */
  private takeReady(wanted: number): Set<number> {
    const ready = new Set<number>()
    if (this.timeline !== this.state.timeline) return ready
    for (const handle of this.waiting) {
      if (!this.state.isAlive(handle)) this.waiting.delete(handle)
      else if (handle === wanted || this.state.hasRow(handle)) ready.add(handle)
    }
    return ready
  }

  /**
   * Puts the links to targets that are back into their lists. Where there is no memory for one, all the handles die. It must
   * not tidy: the call that brings them back may have made rows for targets of links to come.
   *
   * @param wanted one that waits and is given its row, if it has none
   */
  private list(handles: ArrayLike<number>, wanted: number = NULL_ENTITY): number {
    const { state, stores, waiting, noted } = this
    const { core, heap } = state
    const back = this.takeReady(wanted)
    if (back.size === 0) return STATUS_DONE
    const linked = new Set<number>()
    for (const links of stores) {
      const found = new Map<number, number[]>()
      this.eachLink(links, (source, target) => {
        if (!back.has(target)) return
        const sources = found.get(target)
        if (sources === undefined) found.set(target, [source])
        else sources.push(source)
      })
      // What was noted may lead nowhere any more, and what is noted depends on where the world went back.
      if (found.size === 0) continue
      for (const target of found.keys()) linked.add(target)
      const bundle = state.bundles.with(links.registration.definition, 'add')
      state.reporting?.subscribers.naming(bundle, undefined)
      for (const [target, sources] of found) {
        const status = links.prepare(target, undefined, 0)
        if (status < 0) {
          for (let i = 0; i < handles.length; i++) core.entityDestroy(handles[i] as number, 0)
          return status
        }
        for (const source of inOrder(links, target, sources)) {
          const numbers: number[] = []
          links.linksOf(source, numbers)
          for (const link of numbers) if (links.targetOfLink(link) === target) links.list(link)
        }
      }
      // Other entities match than before, though no row of theirs came or went.
      const version = (links.registration.pool + TABLE_VERSION) >> 2
      heap.u32[version] = (heap.u32[version] as number) + 1
    }
    for (const handle of back) {
      waiting.delete(handle)
      noted?.delete(handle)
    }
    if (linked.size > 0) this.tell(linked)
    return STATUS_DONE
  }
}

/** The sources of a target as its list was: it has lost its ends, and each source still leads to the next one. */
function inOrder(links: LinkStore, target: number, sources: readonly number[]): number[] {
  const followers = new Set(sources.map((source) => links.nextOf(source, target)))
  const ordered: number[] = []
  for (const first of sources) {
    if (followers.has(first)) continue
    for (let one = first; one !== NULL_ENTITY; one = links.nextOf(one, target)) ordered.push(one)
  }
  return ordered
}
