// Owns what saves ask of the links of a relation: which there are and in which order they were made, whether a world can have
// what a file says, and making the links again.

import { CHANGE_ADD } from '../../build/layout'
import type { Definition } from '../components/definition'
import { StrataError } from '../memory/errors'
import type { Registry } from '../state/registry'
import type { LinkSaving, NewLinks, TakenLinks } from '../state/relationHooks'
import type { RowRef } from '../cursors/rowRef'
import { eachChunk } from '../memory/coreTables'
import type { WorldState } from '../state/worldState'
import type { LinkStore } from './linkStore'
import type { RelationType } from './relationType'
import type { Relations } from './relations'

export class LinkSaver implements LinkSaving {
  constructor(private readonly kind: RelationType) {}

  get values(): Definition {
    return this.kind.segments?.values ?? this.kind.definition
  }

  eachTarget(state: Registry, visit: (target: number) => void): void {
    const targets = state.known(this.kind.sources)
    if (targets === undefined) return
    eachChunk(state.heap, targets.pool, (data, _, rows) => {
      for (let row = 0; row < rows; row++) visit(state.heap.u32[(data >> 2) + row] as number)
    })
  }

  take(state: Registry, sources: Uint32Array, isSaved: (entity: number) => boolean): TakenLinks {
    const store = this.storeIn(state)
    const keepsAll = this.kind.onTargetDestroy === 'keep'
    const links: number[] = []
    const starts: number[] = []
    const targets: number[] = []
    const list: number[] = []
    for (const source of sources) {
      store.linksOf(source, list)
      for (const link of list) {
        const target = store.targetOfLink(link)
        if (!keepsAll && !isSaved(target)) continue
        links.push(link)
        starts.push(source)
        targets.push(target)
      }
      list.length = 0
    }
    return {
      sources: Uint32Array.from(starts),
      targets: Uint32Array.from(targets),
      turns: this.turnsOf(state, store, links),
      columns: this.values.fields.map((field, k) => {
        const column = new Uint8Array(links.length * bytesOf(field))
        eachValue(state, store, links, field, k, (u8, from, at) => (column[at] = u8[from] as number))
        return column
      }),
    }
  }

  /** At which turn each link is to enter the list of its target, so that these are as they are now. */
  private turnsOf(state: Registry, store: LinkStore, links: readonly number[]): Uint32Array {
    const turns = new Uint32Array(links.length)
    // By link: one more than its place among them; 0 where it is none of them, or has its turn.
    const places = new Uint32Array(store.linksBelow)
    links.forEach((link, place) => (places[link] = place + 1))
    let turn = 0
    const take = (link: number) => {
      const place = places[link] as number
      if (place === 0) return
      places[link] = 0
      turns[place - 1] = turn++
    }
    const list: number[] = []
    this.eachTarget(state, (target) => {
      store.linksTo(target, list)
      list.forEach(take)
      list.length = 0
    })
    // Those whose target is gone are in no list that has a beginning.
    links.forEach(take)
    return turns
  }

  check(sources: Uint32Array, targets: Uint32Array, handles: Uint32Array): void {
    const { definition, onTargetDestroy, segments } = this.kind
    if (segments === undefined) {
      const seen = new Uint8Array(handles.length)
      for (const source of sources) {
        if (seen[source] === 1) throw severalTargets(definition, handles[source] as number)
        seen[source] = 1
      }
    }
    if (onTargetDestroy !== 'destroy') return
    const inCircle = circleIn(sources, targets, handles.length)
    if (inCircle !== undefined) throw circle(definition, handles[inCircle] as number)
  }

  obtain(state: Registry, targets: ArrayLike<number>, count: number): number {
    const { core, heap } = state
    const bundle = (state as WorldState).bundles.with(this.kind.sources, 'load')
    const store = this.storeIn(state)
    store.openBundles()
    let status = store.reserve(count)
    for (let i = 0; i < targets.length && status >= 0; i++)
      status = core.entityChange(targets[i] as number, CHANGE_ADD, bundle.address)
    heap.check()
    return status
  }

  enter(state: Registry, { sources, targets, order, columns }: NewLinks): void {
    const store = this.storeIn(state)
    const links = Array.from(sources, (source, row) => store.make(source, targets[row] as number))
    this.values.fields.forEach((field, k) => {
      const column = columns[k]
      if (column !== undefined)
        eachValue(state, store, links, field, k, (u8, to, at) => (u8[to] = column[at] as number))
    })
    for (const row of order) store.list(links[row] as number)
  }

  private storeIn(state: Registry): LinkStore {
    return (state.relations as Relations).of(this.kind.definition) as LinkStore
  }
}

/** The size of a field's value. */
function bytesOf({ length, shift }: Definition['fields'][number]): number {
  return length << shift
}

/** Visits every byte of a field in some links: with its address, and its place in a column of these links. */
function eachValue(
  { heap }: Registry,
  store: LinkStore,
  links: readonly number[],
  field: Definition['fields'][number],
  k: number,
  visit: (u8: Uint8Array, address: number, at: number) => void,
): void {
  const { u8 } = heap
  const width = bytesOf(field)
  let at = 0
  for (const link of links) {
    const { data, placement, row }: RowRef = store.rowOfLink(link)
    const address = data + (placement.offsets[k] as number) + row * width
    for (let byte = 0; byte < width; byte++) visit(u8, address + byte, at++)
  }
}

/**
 * An entity that depends on itself, directly or through others; undefined when none does. Entities whose targets all end
 * somewhere are taken away, those on top first, and what is left leads in a circle, or to one.
 */
function circleIn(sources: Uint32Array, targets: Uint32Array, count: number): number | undefined {
  // The rows by target, linked by one more than their place; how many links each source has left.
  const first = new Uint32Array(count)
  const following = new Uint32Array(sources.length)
  const left = new Uint32Array(count)
  for (let row = sources.length - 1; row >= 0; row--) {
    const target = targets[row] as number
    if (target >= count) continue
    following[row] = first[target] as number
    first[target] = row + 1
    const source = sources[row] as number
    left[source] = (left[source] as number) + 1
  }
  const ending: number[] = []
  left.forEach((links, entity) => {
    if (links === 0) ending.push(entity)
  })
  for (let i = 0; i < ending.length; i++) {
    for (let row = first[ending[i] as number] as number; row !== 0; row = following[row - 1] as number) {
      const source = sources[row - 1] as number
      if (--left[source]! === 0) ending.push(source)
    }
  }
  const rest = left.findIndex((links) => links > 0)
  return rest < 0 ? undefined : rest
}

function circle({ componentName: name }: Definition, handle: number): StrataError {
  return new StrataError(
    'RELATION_CYCLE',
    `The save cannot be loaded: in ${name}, whose targets take their sources along when they are destroyed, the links of entity ${handle} lead in a circle. Load it with a relation of another onTargetDestroy. Nothing has changed.`,
  )
}

function severalTargets({ componentName: name }: Definition, handle: number): StrataError {
  return new StrataError(
    'MISSING_MIGRATION',
    `${name} is exclusive here, and entity ${handle} has several targets in the save: load it with a relation that is not, remove all but one, and save again. Nothing has changed.`,
  )
}
