// Owns what happens around every change of a world with relations: targets get their rows before it, links that end leave their
// lists, and what depends on an entity goes with it. Reports stay with events/. It makes no change of its own except those that
// the policies demand.

import { STATUS_DEAD, STATUS_DONE, STATUS_NOTHING, STATUS_OUT_OF_MEMORY } from '../../build/layout'
import { destroyEntity } from '../changes/applyChange'
import { queueOf } from '../changes/commandQueue'
import type { Definition } from '../components/definition'
import type { ComponentValue, ValuesByComponent, Ingredient } from '../components/componentValues'
import { targetIn } from '../components/pair'
import { NULL_ENTITY } from '../memory/entity'
import { limitError } from '../memory/errors'
import { firstPooled, nextPooled } from '../state/entityComponents'
import type { Bundle, BundleNode } from '../state/bundle'
import type { Change } from '../state/change'
import type { Registration } from '../state/registration'
import type { Ending, LinkUpkeep, Losing } from '../state/relationHooks'
import type { WorldState } from '../state/worldState'
import { destroyWithDependents } from './dependents'
import { refuseCycle } from './cycles'
import { byDeclaration, type LinkStore } from './linkStore'
import { KeptLinks } from './keptLinks'
import { LinkList, livingIn, targetsIn } from './linkList'
import type { RelationType } from './relationType'
import { ExclusiveLinks } from './exclusiveLinks'
import { ManyLinks } from './manyLinks'

/** So many links are kept room for. */
const KEPT = 1 << 14

export class Relations implements LinkUpkeep {
  /** In the order in which the world met them. */
  readonly all: LinkStore[] = []
  /** By what targets have. */
  private readonly bySources = new Map<Definition, LinkStore>()
  /** Those that may have something to give back. */
  private readonly untidy = new Set<LinkStore>()
  /** Links and sources taken out of their lists by the change under way. */
  private readonly left: LinkStore[] = []
  private readonly leftEntities: number[] = []
  private readonly leftNotes: number[] = []
  private leftCount = 0
  /** Rows of targets are made, which are changes of their own: those that are made already have no sources yet. */
  private isPreparing = false

  readonly kept: KeptLinks

  constructor(readonly state: WorldState) {
    this.kept = new KeptLinks(state, this.all, (entity) => this.targeting(entity))
  }

  enter(kind: RelationType, registration: Registration): void {
    const noteUntidy = () => void this.untidy.add(links)
    const links: LinkStore =
      kind.segments === undefined
        ? new ExclusiveLinks(this.state, kind, registration, noteUntidy)
        : new ManyLinks(this.state, kind, registration, noteUntidy)
    registration.links = links
    this.all.push(links)
    this.bySources.set(kind.sources, links)
  }

  /** The links of those relations in which an entity has so many sources, in the order in which they were declared. */
  targeting(entity: number, least = 1): readonly LinkStore[] {
    const { heap, byId } = this.state
    let found: LinkStore[] | undefined
    for (let id = firstPooled(heap, entity); id >= 0; id = nextPooled(heap, id, entity)) {
      const links = this.bySources.get((byId[id] as Registration).definition)
      // Its row may outlast its last source until the end of a change.
      if (links !== undefined && links.countOf(entity) >= least) (found ??= []).push(links)
    }
    return found === undefined ? NO_STORES : byDeclaration(found)
  }

  /** The links of those relations in which an entity is a source, in that order. */
  leading(entity: number): readonly LinkStore[] {
    const { heap, byId } = this.state
    let found: LinkStore[] | undefined
    for (let id = firstPooled(heap, entity); id >= 0; id = nextPooled(heap, id, entity)) {
      const links = (byId[id] as Registration).links as LinkStore | undefined
      if (links !== undefined) (found ??= []).push(links)
    }
    return found === undefined ? NO_STORES : byDeclaration(found)
  }

  of(definition: Definition): LinkStore | undefined {
    return this.state.known(definition)?.links as LinkStore | undefined
  }

  // ── getting links ──────────────────────────────────────────────────────────────────────────────────────

  resolve(change: Change): number | undefined {
    const { state } = this
    const { entity, losses, isNew } = change
    if (!isNew && losses === undefined) {
      if (this.replacesAlone(entity, change.gains as Bundle, change.given)) return STATUS_DONE
      if (this.linksAlone(entity, change.gains as Bundle, change.given)) return STATUS_NOTHING
    }
    if (!queueOf(state).flushing || this.leaveLiving(change)) return undefined
    if (!isNew) destroyEntity(state, entity)
    return STATUS_DEAD
  }

  /** Leaves of a change that was queued what is not about dead targets; false when the death of one takes the entity along. */
  private leaveLiving(change: GettingLinks): boolean {
    const { definitions } = change.gains as Bundle
    for (let i = 0; i < definitions.length; i++) {
      const definition = definitions[i] as Definition
      const ingredient: unknown = change.given?.[(change.gains as Bundle).definitions.indexOf(definition)]
      const left = livingIn(this.state, ingredient)
      if (left === ingredient) continue
      if (this.of(definition)?.kind.onTargetDestroy === 'destroy') return false
      reduce(this.state, change, definition, left)
    }
    return true
  }

  prepare(change: Change): number {
    const { gains, given } = change
    const status = this.prepareEach(gains as Bundle, given, 1)
    if (status >= 0) change.losses = this.withReplaced(change.entity, gains as Bundle, given, change.losses)
    return status
  }

  /** Makes rows for the targets of the links that a bundle brings, and room for `count` links to each. */
  private prepareEach(bundle: Bundle, given: ValuesByComponent, count: number): number {
    this.isPreparing = true
    try {
      const { registrations } = bundle
      for (let i = 0; i < registrations.length; i++) {
        const links = (registrations[i] as Registration).links as LinkStore | undefined
        const status = links === undefined ? STATUS_DONE : this.prepareLinks(links, given?.[i], count)
        if (status < 0) return status
      }
    } finally {
      this.isPreparing = false
    }
    return STATUS_DONE
  }

  private prepareLinks(links: LinkStore, ingredient: unknown, count: number): number {
    if (ingredient instanceof LinkList) {
      const { targets } = ingredient
      for (let i = 0; i < targets.length; i++) this.kept.beforeLink(targets[i] as number)
      return links.prepareAll(ingredient, count)
    }
    const target = targetIn(ingredient)
    if (target === undefined) return STATUS_DONE
    this.kept.beforeLink(target)
    return links.prepare(target, ingredient, count)
  }

  check(entities: ArrayLike<number>, bundle: Bundle, given: ValuesByComponent, operation: string): void {
    const { state } = this
    // What was queued makes the links that are left of it when its turn comes.
    const isQueued = queueOf(state).flushing
    const { registrations } = bundle
    for (let i = 0; i < registrations.length; i++) {
      const { definition, links: known } = registrations[i] as Registration
      const links = known as LinkStore | undefined
      const ingredient: unknown = isQueued ? livingIn(state, given?.[i]) : given?.[i]
      if (links === undefined || (ingredient === undefined && given?.[i] !== undefined)) continue
      for (let k = 0; k < entities.length; k++) {
        const entity = entities[k] as number
        links.kind.require(state, definition, ingredient, entity, operation)
        if (entity !== NULL_ENTITY) refuseCycles(links, entity, ingredient)
      }
    }
  }

  prepareMany(
    bundle: BundleNode,
    given: ValuesByComponent,
    count: number,
  ): readonly [BundleNode, ValuesByComponent] | undefined {
    const getting: GettingLinks = { gains: bundle, given }
    if (queueOf(this.state).flushing && !this.leaveLiving(getting)) return undefined
    const left = getting.gains as BundleNode
    this.check([NULL_ENTITY], left, getting.given, 'spawnMany')
    let status: number = STATUS_OUT_OF_MEMORY
    try {
      status = this.prepareEach(left, getting.given, count)
    } finally {
      // What was made for one link is of no use where there is no room for another.
      if (status < 0) this.tidy()
    }
    if (status < 0) throw limitError(status, bundle.describeRows())
    return [left, getting.given]
  }

  /** The links that the entity has to other targets end by the change, in addition to what it loses. */
  private withReplaced(
    entity: number,
    bundle: Bundle,
    given: ValuesByComponent,
    losses: Bundle | undefined,
  ): Bundle | undefined {
    if (entity === NULL_ENTITY) return losses
    let all = losses
    for (let i = 0; i < bundle.definitions.length; i++) {
      const definition = bundle.definitions[i] as Definition
      if (!this.isReplaced(entity, definition, given?.[i]) || all?.contains(definition) === true) continue
      all = ((all ?? this.state.bundles) as BundleNode).with(definition, 'add')
      all.addressIn(this.state)
    }
    return all
  }

  private isReplaced(entity: number, definition: Definition, ingredient: unknown): boolean {
    const links = this.of(definition)
    const target = targetIn(ingredient)
    return target !== undefined && links?.replaces(entity, target) === true
  }

  /**
   * The most common change: an entity that has a target gets another one, and no listener asks for it. Makes it without a
   * call into the core; false if there is more to do.
   *
   * @throws StrataError RELATION_CYCLE
   */
  private replacesAlone(entity: number, bundle: Bundle, given: ValuesByComponent): boolean {
    const { state } = this
    const { registrations } = bundle
    const ingredient = given?.[0]
    const target = targetIn(ingredient)
    if (registrations.length !== 1 || target === undefined || !this.holdsFor(target)) return false
    const links = (registrations[0] as Registration).links as LinkStore
    if (!links.replaces(entity, target)) return false
    if (state.watching !== 0 && state.reporting?.hearsNamed(bundle) === true) return false
    refuseCycle(links, entity, target)
    // What is wrong is said on the other way.
    if (links.prepare(target, ingredient, 1) < 0) return false
    links.replace(entity, ingredient as ComponentValue)
    this.tidy()
    return true
  }

  /**
   * Another common one: an entity that has links gets those of a list, and no listener asks for them. Makes it without a call
   * into the core; false if there is more to do.
   *
   * @throws StrataError RELATION_CYCLE
   */
  private linksAlone(entity: number, bundle: Bundle, given: ValuesByComponent): boolean {
    const { state } = this
    const { registrations } = bundle
    const list = given?.[0]
    if (registrations.length !== 1 || !(list instanceof LinkList)) return false
    const links = (registrations[0] as Registration).links as LinkStore
    if (links.targetCount(entity) === 0) return false
    if (state.watching !== 0 && state.reporting?.hearsNamed(bundle) === true) return false
    const { targets } = list
    for (let i = 0; i < targets.length; i++) if (!this.holdsFor(targets[i] as number)) return false
    refuseCycles(links, entity, list)
    if (this.prepareLinks(links, list, 1) < 0) return false
    links.write(entity, list)
    this.tidy()
    return true
  }

  // ── losing links ───────────────────────────────────────────────────────────────────────────────────────

  isTarget(entity: number): boolean {
    return this.targeting(entity).length > 0
  }

  returned(handles: ArrayLike<number>): number {
    this.isPreparing = true
    try {
      return this.kept.returned(handles)
    } finally {
      this.isPreparing = false
    }
  }

  returnLater(entity?: number): void {
    this.kept.returnLater(entity)
  }

  bundlesDropped(): void {
    for (const links of this.all) if (this.state.known(links.kind.sources) !== undefined) links.openBundles()
  }

  holdsFor(target: number): boolean {
    return this.kept.holdsFor(target)
  }

  destroy(entities: ArrayLike<number>, query?: Ending): number {
    return destroyWithDependents(this, entities, query)
  }

  leave(losing: readonly Losing[]): void {
    for (const { definition, lost } of losing) {
      if (lost.count === 0 || definition.details.relating === undefined) continue
      const links = this.of(definition) as LinkStore
      for (let k = 0; k < lost.count; k++) {
        const entity = lost.items[k] as number
        this.left[this.leftCount] = links
        this.leftEntities[this.leftCount] = entity
        this.leftNotes[this.leftCount++] = links.leave(entity)
      }
    }
  }

  finish(): void {
    const { left, leftNotes } = this
    for (let k = 0; k < this.leftCount; k++) (left[k] as LinkStore).release(leftNotes[k] as number)
    this.forgetLeft()
  }

  private forgetLeft(): void {
    if (this.leftCount > KEPT) this.left.length = this.leftEntities.length = this.leftNotes.length = 0
    this.leftCount = 0
    this.tidy()
  }

  tidy(): void {
    const { untidy, isPreparing } = this
    if (isPreparing || untidy.size === 0) return
    for (const links of byDeclaration([...untidy])) links.tidy()
    untidy.clear()
  }

  // ── copies ─────────────────────────────────────────────────────────────────────────────────────────────

  withheld(bundle: BundleNode, source: number): BundleNode {
    let withheld = bundle
    for (const links of this.targeting(source, 0)) withheld = withheld.with(links.kind.sources, 'cloneEntity')
    return withheld
  }

  copied(copies: ArrayLike<number>): void {
    for (const links of this.leading(copies[0] as number)) links.enterCopies(copies, this.inside)
  }

  /** While a tree is copied: by what was copied, the copies. */
  inside: Map<number, ArrayLike<number>> | undefined
}

const NO_STORES: readonly LinkStore[] = []

function refuseCycles(links: LinkStore, entity: number, ingredient: unknown): void {
  const targets = targetsIn(ingredient)
  for (let i = 0; i < targets.length; i++) refuseCycle(links, entity, targets[i] as number)
}

/** What brings links: a change, or the spawn of many entities. */
interface GettingLinks {
  gains: Bundle | undefined
  given: ValuesByComponent
}

/** Leaves of the links in one relation these; without the relation if there are none. */
function reduce(state: WorldState, getting: GettingLinks, definition: Definition, left: unknown): void {
  const { definitions } = getting.gains as Bundle
  const { given } = getting
  if (left !== undefined) {
    const place = definitions.indexOf(definition)
    getting.given = given?.map((each, i) => (i === place ? (left as Ingredient) : each))
    return
  }
  const kept = definitions.flatMap((each, i) => (each === definition ? [] : [i]))
  getting.gains = state.bundles.withAll(
    kept.map((i) => definitions[i]),
    'add',
  )
  getting.gains.addressIn(state)
  getting.given = given && kept.map((i) => given[i])
}
