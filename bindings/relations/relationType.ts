// Owns what relation() attaches to a declaration: by it a world finds the links of the relation, and watches one of them for
// listeners. It must never keep anything of a world: a declaration outlives worlds.

import type { OnTargetDestroy } from '../components/component'
import type { Definition } from '../components/definition'
import { type Pair, targetIn } from '../components/pair'
import { refuseOther } from '../memory/arguments'
import { describe } from '../memory/describe'
import { DeadEntityError, StrataTypeError } from '../memory/errors'
import type { Bundle } from '../state/bundle'
import type { Registration } from '../state/registration'
import type { Registry } from '../state/registry'
import type { LinkToWatch, ReadWorld, Relating, RemovingWorld } from '../state/relationHooks'
import type { WorldState } from '../state/worldState'
import { LinkList, joinLinks } from './linkList'
import type { Segments } from './linkMemory'
import { LinkSaver } from './linkSaving'
import { type LinkReader, type LinkStore, NO_LINKS } from './linkStore'
import type { ManyLinks } from './manyLinks'
import { queryRelated } from './relatedQuery'
import { Relations } from './relations'
import { removePairs } from './removePairs'
import { placeSource } from './siblingOrder'
import { readTargets, setTargets } from './targets'

export class RelationType implements Relating {
  /** Set by relation(). */
  definition!: Definition
  readonly saving = new LinkSaver(this)

  constructor(
    readonly onTargetDestroy: OnTargetDestroy,
    /** The component that targets have. */
    readonly sources: Definition,
    /** Where the links of a relation with many targets are; undefined for an exclusive one. */
    readonly segments: Segments | undefined,
  ) {}

  /** What has the fields of a link. */
  get fields(): Definition {
    return this.segments?.values ?? this.definition
  }

  get isExclusive(): boolean {
    return this.segments === undefined
  }

  enter(state: Registry, registration: Registration): void {
    // A registry is always the whole state: rooms below know it by its parts.
    const relations = (state.relations ??= new Relations(state as WorldState)) as Relations
    relations.enter(this, registration)
  }

  require(
    state: Registry,
    definition: Definition,
    ingredient: unknown,
    entity: number,
    operation: string,
  ): void {
    if (targetIn(ingredient) === undefined && !(ingredient instanceof LinkList)) {
      if (state.isAlive(entity) && state.known(definition)?.isOn(entity) === true) return
      throw targetMissing(definition, operation)
    }
    this.refuseDeadTarget(state, ingredient, operation)
  }

  refuseDeadTarget(state: Registry, ingredient: unknown, operation: string): void {
    if (ingredient instanceof LinkList) {
      for (let i = 0; i < ingredient.targets.length; i++)
        this.refuseDead(state, ingredient.targets[i], operation)
    } else this.refuseDead(state, targetIn(ingredient), operation)
  }

  private refuseDead(state: Registry, target: number | undefined, operation: string): void {
    if (target !== undefined && !state.isAlive(target))
      throw new DeadEntityError(target, `${operation}: ${this.definition.componentName}`)
  }

  join(ingredients: unknown[], place: number, operation: string): void {
    joinLinks(this.definition, this.fields, ingredients, place, operation)
  }

  readTargets(state: Registry, entity: number, options: unknown): unknown {
    return readTargets(this.linksIn(state), entity, options)
  }

  setTargets(state: Registry, entity: number, targets: unknown, options: unknown): void {
    setTargets(state as WorldState, this, entity, targets, options)
  }

  /** The links of a world; none in a world that has not met the relation. */
  in(state: Registry): LinkReader {
    return (state.relations as Relations | undefined)?.of(this.definition) ?? NO_LINKS
  }

  linksIn(state: Registry): LinkReader {
    state.claim(this.definition)
    return this.in(state)
  }

  place(state: Registry, entity: number, asked: unknown, place: unknown): void {
    if (typeof asked === 'object' && targetIn(asked) === undefined) {
      throw new StrataTypeError(
        'NOT_A_RELATION',
        `reorder takes a relation, or one with its target, not ${describe(asked)}.`,
      )
    }
    state.claim(this.definition)
    placeSource(state as WorldState, this, entity, asked, place)
  }

  /** The target of an entity; NULL_ENTITY when it has none. */
  targetOf(state: Registry, entity: number): number {
    return this.in(state).targetOf(entity)
  }

  holds(state: Registry, entity: number, pair: unknown): boolean {
    const target = targetIn(pair)
    return target !== undefined && this.in(state).leadsTo(entity, target)
  }

  watched(state: Registry, pair: unknown): WatchedLink | undefined {
    const target = targetIn(pair)
    return target === undefined ? undefined : new WatchedLink(state as WorldState, this.definition, target)
  }

  getOfPair(state: Registry, world: ReadWorld, entity: number, pair: unknown): unknown {
    if (!this.holds(state, entity, pair)) {
      refuseOther(entity, 'get')
      return undefined
    }
    return this.segments === undefined
      ? world.get(entity, this.definition as never)
      : (this.in(state) as ManyLinks).valuesOf(entity, targetIn(pair) as number)
  }

  refuseUntargeted(): void {
    if (this.isExclusive) return
    const { componentName: name } = this.definition
    throw new StrataTypeError(
      'INVALID_VALUE',
      `${name} can have many targets, and each link has values of its own: name the target, as in world.get(entity, ${name}(target)).`,
    )
  }

  pairWith(pair: unknown, values: unknown): Pair {
    return (this.definition as unknown as (target: unknown, values: unknown) => Pair)(
      (pair as Pair).target,
      values,
    )
  }

  removePairs(
    state: Registry,
    world: RemovingWorld,
    entity: number,
    components: readonly unknown[],
  ): boolean {
    return removePairs(state as WorldState, world, entity, components)
  }

  query(state: Registry, world: { query(...terms: never[]): object }, terms: readonly unknown[]): object {
    return queryRelated(state as WorldState, world, terms)
  }
}

function targetMissing({ componentName: name }: Definition, operation: string): StrataTypeError {
  return new StrataTypeError(
    'INVALID_VALUE',
    `${operation}: ${name} needs the entity that it points at: give it one, ${name}(parent).`,
  )
}

class WatchedLink implements LinkToWatch {
  readonly meetsHidden = true
  readonly keeps = false
  readonly named: readonly Definition[]

  constructor(
    private readonly state: WorldState,
    private readonly definition: Definition,
    readonly target: number,
  ) {
    this.named = [definition]
  }

  holds(entity: number, gains?: Bundle, losses?: Bundle, given?: readonly unknown[]): boolean {
    const { definition } = this
    const place = gains?.definitions.indexOf(definition) ?? -1
    const ingredient = place < 0 ? undefined : given?.[place]
    const isLost = losses?.contains(definition) === true
    const links = this.state.known(definition)?.links as LinkStore | undefined
    return links?.targetsAfter(entity, isLost, ingredient).includes(this.target) === true
  }

  noteKept(): void {
    // A link that is kept stays where it is.
  }
}
