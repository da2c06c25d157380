// Owns what happens around every change of a world with relations: targets get their rows before it, links that end leave their
// lists, and what depends on an entity goes with it. Reports stay with events/. It makes no change of its own except those that
// the policies demand.

import { STATUS_DEAD, STATUS_DONE, STATUS_NOTHING, WORLD_STATUS } from '../../build/layout'
import { destroyEntity, operationOf } from '../changes/applyChange'
import { SPAWN } from '../changes/commandLog'
import { queueOf } from '../changes/commandQueue'
import type { Definition } from '../components/definition'
import type { ComponentValue, ValuesByComponent, Ingredient } from '../components/componentValues'
import { targetIn } from '../components/pair'
import { NULL_ENTITY } from '../memory/entity'
import { limitError } from '../memory/errors'
import { firstPooled, nextPooled } from '../state/entityComponents'
import type { Bundle, BundleNode } from '../state/bundle'
import type { Registration } from '../state/registration'
import type { Ending, LinkUpkeep, Losing, Perform } from '../state/relationHooks'
import { writeIngredients } from '../values/rowValues'
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
  /** Links and sources taken out of their lists by the change under way: they are to be put back should it fail. */
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

  make(
    kind: number,
    entity: number,
    gains: Bundle,
    losses: Bundle | undefined,
    given: ValuesByComponent,
    perform: Perform,
  ): number {
    const { state } = this
    const isNew = kind === SPAWN && entity === NULL_ENTITY
    if (!isNew && !state.isAlive(entity)) return STATUS_DEAD
    if (!isNew && losses === undefined) {
      if (this.replacesAlone(entity, gains, given)) return STATUS_DONE
      if (this.linksAlone(entity, gains, given)) return STATUS_NOTHING
    }
    const ready = this.prepare(operationOf(kind, entity, losses), entity, gains, given)
    if (ready === undefined) {
      if (!isNew) destroyEntity(state, entity)
      return STATUS_DEAD
    }
    if (ready.status < 0) {
      // A spawn says by a word in memory why there is no handle.
      if (isNew) state.heap.u32[WORLD_STATUS >> 2] = ready.status
      return isNew ? NULL_ENTITY : ready.status
    }
    try {
      if (isNew && this.isUnheard(ready.bundle)) return this.spawn(ready)
      const replaced = this.withReplaced(entity, ready, losses)
      return perform(state, kind, entity, ready.bundle, replaced, ready.given)
    } finally {
      this.tidy()
    }
  }

  /** Whether entities with a bundle can be spawned without a report: no listener hears them, and they hold no objects. */
  private isUnheard(bundle: Bundle): boolean {
    const { watching, reporting } = this.state
    return !bundle.holdsObjects && (watching === 0 || reporting?.hearsSpawn(bundle) !== true)
  }

  /** Spawns an entity that no listener asks for, without a report. */
  private spawn({ bundle, given }: Ready): number {
    const { state } = this
    const entity = state.core.entitySpawn(bundle.addressIn(state)) >>> 0
    state.heap.check()
    if (entity !== NULL_ENTITY && given !== undefined) writeIngredients(bundle, entity, given)
    state.settle()
    return entity
  }

  /**
   * Checks the links that a bundle brings, and makes rows for their targets. What is left of the change when a target has
   * died since it was queued; undefined when its death takes the entity along.
   *
   * @throws DeadEntityError, StrataError RELATION_CYCLE
   */
  private prepare(
    operation: string,
    entity: number,
    bundle: Bundle,
    given: ValuesByComponent,
    count = 1,
  ): Ready | undefined {
    let ready: Ready | undefined
    this.isPreparing = true
    try {
      ready = this.prepareEach(operation, entity, bundle, given, count)
    } finally {
      this.isPreparing = false
      // Otherwise what was made for one link is of no use, because of another.
      if (ready === undefined || ready.status < 0) this.tidy()
    }
    return ready
  }

  private prepareEach(
    operation: string,
    entity: number,
    bundle: Bundle,
    given: ValuesByComponent,
    count: number,
  ): Ready | undefined {
    const { state } = this
    let ready: Ready = { bundle, given, status: STATUS_DONE }
    // Before any target gets its row: what a dead one takes along needs none.
    for (let i = 0; i < bundle.definitions.length && queueOf(state).flushing; i++) {
      const definition = bundle.definitions[i] as Definition
      const left = livingIn(state, given?.[i])
      if (left === given?.[i]) continue
      if (this.of(definition)?.kind.onTargetDestroy === 'destroy') return undefined
      ready = reduced(state, ready, definition, left)
    }
    for (let i = 0; i < ready.bundle.definitions.length; i++) {
      const definition = ready.bundle.definitions[i] as Definition
      const links = this.of(definition)
      if (links === undefined) continue
      links.kind.require(state, definition, ready.given?.[i], entity, operation)
      const status = this.prepareLinks(links, entity, ready.given?.[i], count)
      if (status < 0 && ready.status >= 0) ready = { ...ready, status }
    }
    return ready
  }

  private prepareLinks(links: LinkStore, entity: number, ingredient: unknown, count: number): number {
    const targets = targetsIn(ingredient)
    for (let i = 0; i < targets.length && entity !== NULL_ENTITY; i++)
      refuseCycle(links, entity, targets[i] as number)
    for (let i = 0; i < targets.length; i++) this.kept.beforeLink(targets[i] as number)
    if (ingredient instanceof LinkList) return links.prepareAll(ingredient, count)
    return targets.length === 0 ? STATUS_DONE : links.prepare(targets[0] as number, ingredient, count)
  }

  check(entities: ArrayLike<number>, bundle: Bundle, given: ValuesByComponent, operation: string): void {
    const { state } = this
    // What was queued makes the links that are left of it when its turn comes.
    const isQueued = queueOf(state).flushing
    bundle.definitions.forEach((definition, i) => {
      const links = this.of(definition)
      const ingredient: unknown = isQueued ? livingIn(state, given?.[i]) : given?.[i]
      if (isQueued && ingredient === undefined) return
      const targets = Array.from(targetsIn(ingredient))
      for (let k = 0; links !== undefined && k < entities.length; k++) {
        const entity = entities[k] as number
        links.kind.require(state, definition, ingredient, entity, operation)
        for (const target of targets) refuseCycle(links, entity, target)
      }
    })
  }

  prepareMany(
    bundle: BundleNode,
    given: ValuesByComponent,
    count: number,
  ): readonly [BundleNode, ValuesByComponent] | undefined {
    const ready = this.prepare('spawnMany', NULL_ENTITY, bundle, given, count)
    if (ready === undefined) return undefined
    if (ready.status < 0) throw limitError(ready.status, bundle.describeRows())
    return [ready.bundle as BundleNode, ready.given]
  }

  /** The links that the entity has to other targets end by the change, in addition to what it loses. */
  private withReplaced(
    entity: number,
    { bundle, given }: Ready,
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
    if (this.prepareLinks(links, entity, list, 1) < 0) return false
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

  detach(losing: readonly Losing[]): void {
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

  reattach(some?: ReadonlySet<number>): void {
    const { left, leftEntities } = this
    for (let k = this.leftCount - 1; k >= 0; k--) {
      const links = left[k] as LinkStore
      const entity = leftEntities[k] as number
      const isBack = some?.has(entity) ?? true
      if (some === undefined) links.comeBack(entity)
      // Its neighbours may be gone for good.
      else if (isBack) links.enterAnew(entity)
      else links.release(this.leftNotes[k] as number)
    }
    this.forgetLeft()
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

  private tidy(): void {
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

/** A change with its links checked. */
interface Ready {
  readonly bundle: Bundle
  readonly given: ValuesByComponent
  /** Negative when there was no memory for the rows of targets. */
  readonly status: number
}

/** The change with what is left of its links in one relation; without the relation if that is nothing. */
function reduced(
  state: WorldState,
  { bundle, given, status }: Ready,
  definition: Definition,
  left: unknown,
): Ready {
  if (left !== undefined) {
    const place = bundle.definitions.indexOf(definition)
    return { bundle, given: given?.map((each, i) => (i === place ? (left as Ingredient) : each)), status }
  }
  const kept = bundle.definitions.flatMap((each, i) => (each === definition ? [] : [i]))
  const node = state.bundles.withAll(
    kept.map((i) => bundle.definitions[i]),
    'add',
  )
  return { bundle: node, given: given && kept.map((i) => given[i]), status }
}
