// Owns the entry 'strata-ecs/inspect': inspect(world), which shows what is in a world without a page to show it on. Each
// question is answered by a file of its own. What it needs of the library at run time comes from the entry 'strata-ecs', so
// that the package is in a program once.

import type { Entity, World, WorldStats } from '../../../../bindings/index'
import { type ArchetypeInfo, type ChunkInfo, archetypesIn, chunksIn } from './archetypes'
import { type ComponentInfo, componentsIn } from './components'
import { setNamed } from './editing'
import { type EntityComponent, readEntity } from './entity'
import { type Found, findIn } from './found'
import { type ListenerInfo, listenersIn } from './listeners'
import { type PoolInfo, poolsIn } from './pools'
import { type QueryInfo, queriesIn } from './queries'
import { type RelationInfo, relationsIn } from './relations'
import { type ResourceInfo, resourcesIn, setResourceNamed } from './resources'
import { requireWorld, stateOf } from './source'

export type { ArchetypeInfo, ChunkInfo } from './archetypes'
export type { ComponentInfo } from './components'
export type { EntityComponent, LinkInfo } from './entity'
export { InspectError } from './filterError'
export type { Found, FoundOrder, FoundRow } from './found'
export type { ListenerInfo } from './listeners'
export type { PoolInfo } from './pools'
export type { QueryInfo } from './queries'
export type { RelationInfo } from './relations'
export type { ResourceInfo } from './resources'
export type { FieldInfo } from './source'

/**
 * Looks into a world, for tools, tests and the console. Installs no listener, registers nothing and takes no memory of the
 * world: while you do not ask, nothing costs anything. Every call reads the world as it is then, also inside loops and
 * listeners, and throws StrataError WORLD_DISPOSED once it is disposed of.
 *
 * @throws StrataTypeError INVALID_OPTION for what is no world of this copy of strata-ecs; StrataError WORLD_DISPOSED
 * @example const view = inspect(world); console.table(view.archetypes())
 */
export function inspect(world: World): Inspection {
  requireWorld(world)
  return new WorldInspection(world)
}

/** What a world consists of. Made by `inspect`. */
export interface Inspection {
  readonly world: World
  /** Counts of entities, archetypes, chunks, components, ids and texts, and bytes of memory: world.stats(). */
  stats(): WorldStats
  /** The components, tags, object components and relations that the world has met, in that order. A reset forgets them. */
  components(): ComponentInfo[]
  /** All archetypes, those without entities too, by their ids. Cost: a look at every chunk. */
  archetypes(): ArchetypeInfo[]
  /**
   * The chunks of an archetype, in the order of a loop.
   *
   * @param archetype the id of an ArchetypeInfo
   * @throws StrataTypeError INVALID_OPTION
   */
  chunks(archetype: number): ChunkInfo[]
  /** The pools of sparse and stable components, ordered tags and relations. */
  pools(): PoolInfo[]
  relations(): RelationInfo[]
  /** The resources that are there now, with copies of their fields. */
  resources(): ResourceInfo[]
  /** The queries of the world, also those of listeners, of saves, and of `find`. They stay for good: a query is kept. */
  queries(): QueryInfo[]
  listeners(): ListenerInfo[]
  /**
   * The components of an entity with copies of their values, in the order in which the world met them; undefined when it is
   * not alive. Inside a loop, queued changes are not seen.
   */
  entity(entity: Entity | number): EntityComponent[] | undefined
  /**
   * Writes one field, by names: an ordinary world.set, so listeners are called, and an entity without the component gets it;
   * inside a loop that waits. Of an object component, leave the field undefined. Of a relation with many targets, name the
   * target.
   *
   * @param target of a relation, the entity that the link leads to
   * @throws StrataTypeError NOT_A_COMPONENT, UNKNOWN_FIELD, INVALID_VALUE; DeadEntityError DEAD_ENTITY; LimitError. Nothing
   *   changes then.
   * @example view.set(ship, 'Health', 'hp', 12)
   */
  set(
    entity: Entity | number,
    component: string,
    field: string | undefined,
    value: unknown,
    target?: Entity | number,
  ): void
  /**
   * Writes a field of a resource that is there, by names; of a resource without fields, leave the field undefined.
   *
   * @throws StrataTypeError NOT_A_RESOURCE, UNKNOWN_FIELD, INVALID_VALUE. Nothing changes then.
   */
  setResource(resource: string, field: string | undefined, value: unknown): void
  /**
   * The entities that match a filter. The filter is a text:
   *
   *     Position & !Frozen & Health.hp < 10        names, & | ! and parentheses; comparisons < <= > >= == !=
   *     Name.value == "Ann" | Boss.awake == true   texts in quotes, true and false
   *     ChildOf(#1234) & !Likes(Cat)               links: to an entity, to whatever has a component
   *     #1234 | (#1240 & Health)                   entities by their handles, also those that queries leave out
   *     Heat.value > 0.5 order by Heat.value desc  the greatest first; asc or nothing for the least first
   *
   * Nothing, or `*`, finds all entities. Components count as world.query counts them: one that is switched off is absent,
   * and a tag declared with `{ excludeFromQueries: true }` keeps its entities out unless the filter names it. A comparison holds only
   * for entities that have the component. Names with other characters than letters, digits, _ and $ stand in backticks,
   * and a backtick in a name is written twice.
   *
   * It becomes one query, which the world keeps: terms, `any`, `not`, targets, and a `where` for each comparison. Of what no
   * query can say, such as comparisons inside of `|` or behind `!`, entities are asked one by one in JavaScript: the result
   * is as exact, and `isByRow` says so.
   *
   * @throws InspectError INVALID_FILTER with the column: for what cannot be read, unknown components and fields, values of
   *   the wrong kind; StrataTypeError INVALID_OPTION for what is no text
   * @example const [hottest] = view.find('Heat.value > 0.5 order by Heat.value desc').page(0, 1)
   */
  find(text: string): Found
}

class WorldInspection implements Inspection {
  constructor(readonly world: World) {}

  stats(): WorldStats {
    return this.world.stats()
  }

  components(): ComponentInfo[] {
    return componentsIn(stateOf(this.world))
  }

  archetypes(): ArchetypeInfo[] {
    return archetypesIn(stateOf(this.world))
  }

  chunks(archetype: number): ChunkInfo[] {
    return chunksIn(stateOf(this.world), archetype)
  }

  pools(): PoolInfo[] {
    return poolsIn(stateOf(this.world))
  }

  relations(): RelationInfo[] {
    return relationsIn(stateOf(this.world))
  }

  resources(): ResourceInfo[] {
    return resourcesIn(stateOf(this.world))
  }

  queries(): QueryInfo[] {
    return queriesIn(this.world, stateOf(this.world))
  }

  listeners(): ListenerInfo[] {
    return listenersIn(stateOf(this.world))
  }

  entity(entity: number): EntityComponent[] | undefined {
    const state = stateOf(this.world)
    return state.isAlive(entity) ? readEntity(this.world, state, entity) : undefined
  }

  set(entity: number, component: string, field: string | undefined, value: unknown, target?: number): void {
    setNamed(this.world, stateOf(this.world), entity, component, field, value, target)
  }

  setResource(resource: string, field: string | undefined, value: unknown): void {
    setResourceNamed(this.world, stateOf(this.world), resource, field, value)
  }

  find(text: string): Found {
    return findIn(this.world, text)
  }
}
