// Owns a plain model of relations: who points at whom, in both orders, with a value on each link, and what the three policies
// do when a target is destroyed. It must never look at a world.

import type { OnTargetDestroy } from '../../bindings/index'

/** What of a relation its links follow. */
export interface PlainRelation {
  readonly exclusive: boolean
  readonly onTargetDestroy: OnTargetDestroy
}

/** Entities are numbers, those alive in `alive`; relations are named by their places in the list. */
export class PlainGraph {
  readonly alive = new Set<number>()
  /** For each relation the targets of an entity, each with the value of the link. */
  readonly targets: Map<number, Map<number, number>>[]
  /** For each relation the sources of a target. */
  readonly sources: Map<number, Set<number>>[]

  constructor(readonly relations: readonly PlainRelation[]) {
    this.targets = relations.map(() => new Map<number, Map<number, number>>())
    this.sources = relations.map(() => new Map<number, Set<number>>())
  }

  /** The same graph, with other names for its entities. */
  copy(named = (entity: number) => entity): PlainGraph {
    const copy = new PlainGraph(this.relations)
    for (const entity of this.alive) copy.alive.add(named(entity))
    this.targets.forEach((all, r) => {
      for (const [entity, links] of all)
        copy.targets[r]?.set(named(entity), new Map([...links].map(([to, value]) => [named(to), value])))
    })
    this.sources.forEach((all, r) => {
      for (const [target, list] of all) copy.sources[r]?.set(named(target), new Set([...list].map(named)))
    })
    return copy
  }

  targetsOf(r: number, entity: number): ReadonlyMap<number, number> {
    return this.targets[r]?.get(entity) ?? new Map<number, number>()
  }

  sourcesOf(r: number, target: number): number[] {
    return [...(this.sources[r]?.get(target) ?? [])]
  }

  /** Whether an entity would depend on itself by a link. */
  cycles(r: number, entity: number, target: number): boolean {
    if (this.relations[r]?.onTargetDestroy !== 'destroy') return false
    const above = new Set([target])
    for (const one of above) for (const next of this.targetsOf(r, one).keys()) above.add(next)
    return above.has(entity)
  }

  /** Links two entities; a link that is there already keeps its places, and its value unless there is one. */
  link(r: number, entity: number, target: number, value?: number): void {
    if (this.relations[r]?.exclusive === true && !this.targetsOf(r, entity).has(target))
      this.unlinkAll(r, entity)
    const links = this.targets[r]?.get(entity) ?? new Map<number, number>()
    this.targets[r]?.set(entity, links)
    links.set(target, value ?? links.get(target) ?? 0)
    if (this.alive.has(target))
      this.sources[r]?.set(target, (this.sources[r]?.get(target) ?? new Set()).add(entity))
  }

  unlink(r: number, entity: number, target: number): boolean {
    this.sources[r]?.get(target)?.delete(entity)
    const links = this.targets[r]?.get(entity)
    const had = links?.delete(target) === true
    if (links?.size === 0) this.targets[r]?.delete(entity)
    return had
  }

  unlinkAll(r: number, entity: number): boolean {
    const targets = [...this.targetsOf(r, entity).keys()]
    for (const target of targets) this.unlink(r, entity, target)
    return targets.length > 0
  }

  place(r: number, entity: number, target: number, sibling: number, isBefore: boolean): void {
    if (entity === sibling) return
    const list = this.sourcesOf(r, target).filter((other) => other !== entity)
    list.splice(list.indexOf(sibling) + (isBefore ? 0 : 1), 0, entity)
    this.sources[r]?.set(target, new Set(list))
  }

  destroy(entity: number): void {
    if (!this.alive.delete(entity)) return
    this.relations.forEach(({ onTargetDestroy }, r) => {
      this.unlinkAll(r, entity)
      const list = this.sourcesOf(r, entity)
      if (onTargetDestroy === 'destroy') for (const source of list) this.destroy(source)
      if (onTargetDestroy === 'remove') for (const source of list) this.unlink(r, source, entity)
      this.sources[r]?.delete(entity)
    })
  }

  /** Links of a copy are those of what was copied. */
  copyLinks(entity: number, copy: number): void {
    this.relations.forEach((_, r) => {
      for (const [target, value] of this.targetsOf(r, entity)) this.link(r, copy, target, value)
    })
  }
}
