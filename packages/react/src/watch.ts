// Owns the listeners that the hooks about single entities share: one set for each component, and each relation with a target, of
// a world, however many hooks there are, and none when there are no hooks. A listener learns only that an entity may have other
// values, or is about to lose them.

import {
  type ComponentLike,
  onAdd,
  onRemove,
  onRestore,
  onSet,
  type Pair,
  type World,
} from '../../../bindings/index'

/** An entity that hooks look at. */
interface WatchedEntity {
  readonly listeners: Set<() => void>
  /** onRemove was called and the change is not made yet: what can still be read is about to go. */
  leaving: boolean
}

class WatchedComponent {
  readonly entities = new Map<number, WatchedEntity>()
  private stops: readonly (() => void)[] = []

  constructor(
    private readonly world: World,
    private readonly asked: Asked,
  ) {}

  subscribe(entity: number, listener: () => void): () => void {
    if (this.entities.size === 0) this.begin()
    const watched = this.entities.get(entity) ?? { listeners: new Set(), leaving: false }
    this.entities.set(entity, watched)
    // Each call is a subscription of its own, also of one function.
    const own = () => listener()
    watched.listeners.add(own)
    return () => {
      if (!watched.listeners.delete(own) || watched.listeners.size > 0) return
      this.entities.delete(entity)
      if (this.entities.size === 0) this.end()
    }
  }

  private begin(): void {
    const { world, asked } = this
    const is = (entity: number) => this.tell(entity, false)
    const leaves = (entity: number) => this.tell(entity, true)
    // Not by a query of the link: entities with an excluded tag are in none, and have it all the same.
    this.stops = [
      onAdd(world, asked, is),
      onSet(world, componentOf(asked), is),
      onRemove(world, asked, leaves),
      onRestore(world, () => {
        for (const entity of [...this.entities.keys()]) this.tell(entity, false)
      }),
    ]
  }

  private end(): void {
    for (const stop of this.stops) stop()
    this.stops = []
  }

  private tell(entity: number, leaving: boolean): void {
    const watched = this.entities.get(entity)
    if (watched === undefined) return
    watched.leaving = leaving
    for (const listener of [...watched.listeners]) listener()
  }
}

/** What is asked of an entity: a component, or a link to one target. */
export type Asked = ComponentLike | Pair

/** Whether it is a relation with a target: components are functions. */
function isPair(asked: Asked): asked is Pair {
  return typeof asked === 'object'
}

/** The component, or the relation of a link. */
export function componentOf(asked: Asked): ComponentLike {
  return isPair(asked) ? asked.component : asked
}

/** The target of a link; undefined for a component. With the component it says what is asked: each render makes another pair. */
export function targetOf(asked: Asked): unknown {
  return isPair(asked) ? asked.target : undefined
}

/** By the component, then by the target. */
type Watches = Map<ComponentLike, Map<unknown, WatchedComponent>>

const watches = /* @__PURE__ */ new WeakMap<World, Watches>()

/** Calls a listener when the component or link of an entity comes, is given values, or is about to go. */
export function watch(world: World, entity: number, asked: Asked, listener: () => void): () => void {
  let ofWorld = watches.get(world)
  if (ofWorld === undefined) watches.set(world, (ofWorld = new Map() as Watches))
  const [component, target] = [componentOf(asked), targetOf(asked)]
  const ofComponent = ofWorld.get(component) ?? new Map<unknown, WatchedComponent>()
  ofWorld.set(component, ofComponent)
  const watched = ofComponent.get(target) ?? new WatchedComponent(world, asked)
  ofComponent.set(target, watched)
  const stop = watched.subscribe(entity, listener)
  return () => {
    stop()
    // Targets come and go: what asks for one is kept for as long as a hook does.
    if (watched.entities.size === 0 && ofComponent.get(target) === watched) ofComponent.delete(target)
  }
}

/** Whether a removal was announced that is not made yet. */
export function isLeaving(world: World, entity: number, asked: Asked): boolean {
  const ofComponent = watches.get(world)?.get(componentOf(asked))
  const watched = ofComponent?.get(targetOf(asked))?.entities.get(entity)
  if (watched?.leaving !== true) return false
  watched.leaving = world.has(entity, asked)
  return watched.leaving
}
