// Owns the listeners that the hooks about single entities share: for each component of a world one set of them, however many
// hooks there are, and none when there are no hooks.
// It must never read values: it says only that an entity may have others, or is about to lose them.

import { type ComponentLike, onAdd, onRemove, onRestore, onSet, type World } from '../index'

/** An entity that hooks look at. */
interface Watched {
  readonly listeners: Set<() => void>
  /** onRemove was called and the change is not made yet: what can still be read is about to go. */
  leaving: boolean
}

class ComponentWatch {
  readonly entities = new Map<number, Watched>()
  private stops: readonly (() => void)[] = []

  constructor(
    private readonly world: World,
    private readonly component: ComponentLike,
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
    const { world, component } = this
    const is = (entity: number) => this.tell(entity, false)
    this.stops = [
      onAdd(world, component, is),
      onSet(world, component, is),
      onRemove(world, component, (entity) => this.tell(entity, true)),
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

const watches = /* @__PURE__ */ new WeakMap<World, Map<ComponentLike, ComponentWatch>>()

/** Calls a listener when the component of an entity comes, is given values, or is about to go. */
export function watch(
  world: World,
  entity: number,
  component: ComponentLike,
  listener: () => void,
): () => void {
  let ofWorld = watches.get(world)
  if (ofWorld === undefined) watches.set(world, (ofWorld = new Map<ComponentLike, ComponentWatch>()))
  let watched = ofWorld.get(component)
  if (watched === undefined) ofWorld.set(component, (watched = new ComponentWatch(world, component)))
  return watched.subscribe(entity, listener)
}

/** Whether a removal was announced that is not made yet. */
export function isLeaving(world: World, entity: number, component: ComponentLike): boolean {
  const watched = watches.get(world)?.get(component)?.entities.get(entity)
  if (watched?.leaving !== true) return false
  watched.leaving = world.has(entity, component)
  return watched.leaving
}
