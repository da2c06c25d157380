// The links of the plain world: for each relation the targets of an entity and the sources of a target, both in their order, with
// the values of each link, and what depends on what. What lives and what the end of a link does else is up to the plain world.

import type { OnTargetDestroy } from '../../../bindings/index'
import type { Kind, Values } from './plainWorld'

/** What of a relation its links follow. */
export interface PlainRelation {
  readonly kind: Kind
  readonly isExclusive: boolean
  readonly onTargetDestroy: OnTargetDestroy
}

/** What is given for a relation: a link to a target. */
export class To {
  constructor(
    readonly target: number,
    readonly values: Values | undefined,
  ) {}
}

/** The links of one relation. */
interface Links {
  readonly targets: Map<number, Map<number, Values>>
  readonly sources: Map<number, Set<number>>
  /** Targets the order of whose sources is left to the engine. */
  readonly left: Set<number>
}

const NO_LINKS: ReadonlyMap<number, Values> = new Map()
const NOBODY: ReadonlySet<number> = new Set()

export class PlainLinks {
  private readonly all: Map<Kind, Links>

  constructor(readonly relations: readonly PlainRelation[]) {
    this.all = new Map(
      relations.map(({ kind }) => [kind, { targets: new Map(), sources: new Map(), left: new Set() }]),
    )
  }

  /** The same links, with other names for the entities. */
  copy(named: (entity: number) => number): PlainLinks {
    const copy = new PlainLinks(this.relations)
    for (const { kind } of this.relations) {
      const to = copy.of(kind)
      for (const [entity, links] of this.of(kind).targets)
        to.targets.set(named(entity), new Map([...links].map(([target, values]) => [named(target), values])))
      for (const [target, list] of this.of(kind).sources)
        to.sources.set(named(target), new Set([...list].map(named)))
      for (const target of this.of(kind).left) to.left.add(named(target))
    }
    return copy
  }

  /** The links of other entities, which have names of their own. */
  takeIn(other: PlainLinks): void {
    for (const { kind } of this.relations) {
      for (const [entity, links] of other.of(kind).targets) this.of(kind).targets.set(entity, links)
      for (const [target, sources] of other.of(kind).sources) this.of(kind).sources.set(target, sources)
    }
  }

  private of(kind: Kind): Links {
    return this.all.get(kind) as Links
  }

  knows(kind: Kind): boolean {
    return this.all.has(kind)
  }

  relationOf(kind: Kind): PlainRelation {
    return this.relations.find((relation) => relation.kind === kind) as PlainRelation
  }

  targetsOf(kind: Kind, entity: number): ReadonlyMap<number, Values> {
    return this.all.get(kind)?.targets.get(entity) ?? NO_LINKS
  }

  sourcesOf(kind: Kind, target: number): ReadonlySet<number> {
    return this.all.get(kind)?.sources.get(target) ?? NOBODY
  }

  /** Whether links to a target that is gone were kept. */
  isAwaited(target: number): boolean {
    return this.relations.some(({ kind }) => this.sourcesOf(kind, target).size > 0)
  }

  /** Whether an entity would depend on itself by a link. */
  isCircle(kind: Kind, entity: number, target: number): boolean {
    if (this.relationOf(kind).onTargetDestroy !== 'destroy') return false
    const above = new Set([target])
    for (const one of above) for (const next of this.targetsOf(kind, one).keys()) above.add(next)
    return above.has(entity)
  }

  /** Links two entities, or writes the values of their link, which keeps its places. */
  link(kind: Kind, entity: number, target: number, values: Values): void {
    const { sources, targets } = this.of(kind)
    targets.set(entity, new Map(this.targetsOf(kind, entity)).set(target, values))
    sources.set(target, (sources.get(target) ?? new Set()).add(entity))
  }

  unlink(kind: Kind, entity: number, target: number): void {
    const { sources, targets } = this.of(kind)
    const links = new Map(this.targetsOf(kind, entity))
    links.delete(target)
    if (links.size > 0) targets.set(entity, links)
    else targets.delete(entity)
    const list = sources.get(target)
    list?.delete(entity)
    if (list?.size === 0) sources.delete(target)
  }

  /** The links of an entity become these: those that it had keep their places among the sources of their targets. */
  relink(kind: Kind, entity: number, links: ReadonlyMap<number, Values>): void {
    for (const target of this.targetsOf(kind, entity).keys())
      if (!links.has(target)) this.unlink(kind, entity, target)
    for (const [target, values] of links) this.link(kind, entity, target, values)
    this.of(kind).targets.set(entity, new Map(links))
  }

  unlinkAll(kind: Kind, entity: number): void {
    for (const target of this.targetsOf(kind, entity).keys()) this.unlink(kind, entity, target)
  }

  place(kind: Kind, entity: number, target: number, sibling: number, isBefore: boolean): void {
    if (entity === sibling) return
    const list = [...this.sourcesOf(kind, target)].filter((other) => other !== entity)
    list.splice(list.indexOf(sibling) + (isBefore ? 0 : 1), 0, entity)
    this.of(kind).sources.set(target, new Set(list))
  }

  /** From now on the engine decides in which order the sources of a target are. */
  leaveOrder(kind: Kind, target: number): void {
    this.of(kind).left.add(target)
  }

  /** Takes over the orders that were left to the engine, once it can be asked for them. */
  takeOrders(orderOf: (kind: Kind, target: number) => readonly number[] | undefined): void {
    for (const [kind, { left, sources }] of this.all) {
      for (const target of left) {
        const order = orderOf(kind, target)
        if (order === undefined) continue
        left.delete(target)
        const list = sources.get(target) ?? NOBODY
        // Others than expected are for the comparison to find.
        if (order.length === list.size && order.every((one) => list.has(one)))
          sources.set(target, new Set(order))
      }
    }
  }

  /** Some entities, and all that dies with them. */
  dependents(entities: Iterable<number>): Set<number> {
    const owning = this.relations.filter(({ onTargetDestroy }) => onTargetDestroy === 'destroy')
    const dying = new Set(entities)
    for (const one of dying)
      for (const { kind } of owning) for (const source of this.sourcesOf(kind, one)) dying.add(source)
    return dying
  }

  /** By entity that stays when others die, the targets that it loses in a relation. */
  orphans({ kind, onTargetDestroy }: PlainRelation, dying: ReadonlySet<number>): Map<number, number[]> {
    const orphans = new Map<number, number[]>()
    if (onTargetDestroy !== 'remove') return orphans
    for (const target of dying)
      for (const source of this.sourcesOf(kind, target))
        if (!dying.has(source)) orphans.set(source, [...(orphans.get(source) ?? []), target])
    return orphans
  }

  /** An entity has no links any longer. Those that lead to it and are kept stay. */
  forget(entity: number): void {
    for (const { kind } of this.relations) this.unlinkAll(kind, entity)
  }
}
