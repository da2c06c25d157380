// Owns the calls for single entities inside wasm, under the names they have in TypeScript.
// It must never move a row while a loop is open: then the change waits (see commands.ts).

import { ADD, REMOVE } from '../archetypes/archetypes'
import { Column, ReadonlyColumn } from '../kernel/columns'
import { Entity } from '../kernel/entities'
import { spawnMany } from '../rows/bulk'
import { chunkAt, chunkIdOf } from '../tables/chunks'
import { canToggle } from '../components/components'
import { NULL_ENTITY, entities, isAlive } from '../memory/entities'
import { DESTROY, EXCHANGE } from '../rows/lists'
import { addOrRemove } from '../rows/moves'
import { destroy, exchange, spawn } from '../rows/rows'
import { DEAD, DONE, NOTHING, OUT_OF_MEMORY } from '../memory/status'
import { world } from '../memory/world'
import { Table } from '../tables/tables'
import { isOffAt, switchAt } from '../tables/toggles'
import { ticksAge } from '../world'
import { Bundle, Component, bundleOf } from './bundle'
import { changeLater, isWaiting, setLater, spawnLater, spawnManyLater } from './commands'
import { findComponent, valueOf } from './fields'
import { lock, unlock } from './loops'
import { simulation } from './state'

/** Ticks in memory are looked over each time the world's tick has gone on by this much: see ticks.ts. */
const AGING_MASK: u32 = 0x3fffffff

/**
 * The world of this module. Inside a loop over a query, and between defer() and flush(), spawn, add, remove, exchange and
 * destroy wait, and are made in order when the outermost one ends; destroy wins over a later add.
 *
 * Statuses: DONE (1), NOTHING (0) when there was nothing to change, DEAD, or why it could not be: OUT_OF_MEMORY,
 * OUT_OF_ENTITIES, ROW_TOO_LARGE, SIGNATURE_TOO_LONG. Below 0 nothing was changed. The failure of a change that waited is
 * thrown, as a LimitError, by the call from JavaScript in which it happened.
 */
export class World {
  /** How many entities are alive. */
  static get count(): u32 {
    return entities.alive
  }

  /** The change tick: columns remember in which one they were last written. */
  static get tick(): u32 {
    return world.tick
  }

  /** Why the last spawn gave NULL_ENTITY: a negative status. */
  static get status(): i32 {
    return world.status
  }

  /** Moves the change tick on. JavaScript's world.advance does the same: once a frame is enough. */
  static advance(): void {
    world.tick += 1
    if ((world.tick & AGING_MASK) == 0) ticksAge()
  }

  /**
   * Makes an entity with the bundle's components at their defaults. In a loop the handle is alive at once and its
   * components come later; give it values with set.
   *
   * @returns NULL_ENTITY when memory or ids end: see status
   */
  static spawn(bundle: Bundle): Entity {
    if (bundle.isNull) {
      world.status = OUT_OF_MEMORY
      return NULL_ENTITY
    }
    if (simulation.locks != 0) return spawnLater(bundleOf(bundle))
    return spawn(bundleOf(bundle))
  }

  /** Makes `count` entities, all or none: DONE or a negative status. One move of memory outside of loops. */
  static spawnMany(bundle: Bundle, count: u32): i32 {
    if (bundle.isNull) return OUT_OF_MEMORY
    if (simulation.locks != 0) return spawnManyLater(bundleOf(bundle), count)
    return spawnMany(bundleOf(bundle), count, 0, world.tick)
  }

  /** Whether the handle names a living entity; false for anything else, whatever it is. */
  static isAlive(entity: Entity): bool {
    return isAlive(entity)
  }

  /** Removes the entity with all its components. DONE, or DEAD when it was not alive; OUT_OF_MEMORY only in a loop. */
  static destroy(entity: Entity): i32 {
    if (simulation.locks == 0) return destroy(entity, false)
    return changeOneLater(DESTROY, entity, changetype<Bundle>(0), changetype<Bundle>(0))
  }

  /** Adds what the entity lacks of the bundle, at defaults; what it has keeps its values. A status. */
  static add(entity: Entity, bundle: Bundle): i32 {
    if (bundle.isNull) return OUT_OF_MEMORY
    if (simulation.locks == 0) return addOrRemove(entity, ADD, bundleOf(bundle))
    return changeOneLater(ADD, entity, bundle, changetype<Bundle>(0))
  }

  /** Removes what the entity has of the bundle. A status. */
  static remove(entity: Entity, bundle: Bundle): i32 {
    if (bundle.isNull) return OUT_OF_MEMORY
    if (simulation.locks == 0) return addOrRemove(entity, REMOVE, bundleOf(bundle))
    return changeOneLater(REMOVE, entity, bundle, changetype<Bundle>(0))
  }

  /** Removes one bundle and adds another in one move; what is in both starts over at its defaults. A status. */
  static exchange(entity: Entity, removed: Bundle, added: Bundle): i32 {
    if (removed.isNull || added.isNull) return OUT_OF_MEMORY
    if (simulation.locks == 0) return exchange(entity, bundleOf(removed), bundleOf(added), world.tick)
    return changeOneLater(EXCHANGE, entity, added, removed)
  }

  /** Whether a living entity has the component. In a loop, changes that wait are not seen. */
  static has(entity: Entity, component: Component): bool {
    return findComponent(entity, component) != 0
  }

  /** A field of one entity; 0 when the entity is dead or lacks the component. `element`: which number of a vec. */
  static get<T>(entity: Entity, component: Component, field: u32, element: u32 = 0): T {
    const address = valueOf(entity, component, field, sizeof<T>(), 0, false)
    return address == 0 ? <T>0 : load<T>(address + <usize>element * sizeof<T>())
  }

  /**
   * Writes a field of one entity. At once, unless a change of the entity waits: then behind it, so that an entity
   * spawned or given a component in a loop can be given values. It never adds the component.
   *
   * @returns DONE; NOTHING when the entity lacks the component, DEAD, OUT_OF_MEMORY
   */
  static set<T>(entity: Entity, component: Component, field: u32, value: T, element: u32 = 0): i32 {
    if (!isAlive(entity)) return DEAD
    if (isWaiting(entity)) return setLater<T>(entity, component, field, element, value)
    const address = valueOf(entity, component, field, sizeof<T>(), world.tick, true)
    if (address == 0) return NOTHING
    store<T>(address + <usize>element * sizeof<T>(), value)
    return DONE
  }

  /**
   * A field of one entity as a column of one row: `World.read<f32>(ship, Position, 0)[0]`. For what is read more than
   * once. Ask World.has before: without the component there is none. Good until the next structural change.
   */
  static read<T>(entity: Entity, component: Component, field: u32): ReadonlyColumn<T> {
    return changetype<ReadonlyColumn<T>>(presentValueOf(entity, component, field, sizeof<T>(), false))
  }

  /** The same, to be written, too: the component counts as changed. */
  static write<T>(entity: Entity, component: Component, field: u32): Column<T> {
    return changetype<Column<T>>(presentValueOf(entity, component, field, sizeof<T>(), true))
  }

  /** Whether a living entity has the component and it is not switched off. */
  static isEnabled(entity: Entity, component: Component): bool {
    const location = findComponent(entity, component)
    return location != 0 && !(canToggle(component) && isOffAt(location, component))
  }

  /** Switches a component on that was declared with `toggle`. At once, in loops too. DONE or NOTHING. */
  static enable(entity: Entity, component: Component): i32 {
    return switchOne(entity, component, false)
  }

  /** Switches it off: queries that want it pass over the entity. At once; a chunk that is looked at does not see it. */
  static disable(entity: Entity, component: Component): i32 {
    return switchOne(entity, component, true)
  }

  /** From here on changes wait, until flush() was called as often. A call from JavaScript closes what it opened. */
  static defer(): void {
    lock()
  }

  /** Ends a defer(); the outermost one applies what waits. */
  static flush(): void {
    if (simulation.locks > simulation.held) unlock()
  }
}

function changeOneLater(kind: u32, entity: Entity, bundle: Bundle, removed: Bundle): i32 {
  return isAlive(entity) ? changeLater(kind, entity, bundleOf(bundle), bundleOf(removed)) : DEAD
}

function presentValueOf(entity: Entity, component: Component, field: u32, bytes: u32, writes: bool): usize {
  const address = valueOf(entity, component, field, bytes, world.tick, writes)
  assert(address != 0, 'a value is asked for where the entity has it: see World.has')
  return address
}

function switchOne(entity: Entity, component: Component, off: bool): i32 {
  const location = findComponent(entity, component)
  if (location == 0 || !canToggle(component) || isOffAt(location, component) == off) return NOTHING
  switchAt(location, component, off)
  // What matches has changed, as if the row had come or gone.
  changetype<Table>(chunkAt(chunkIdOf(location)).table).version += 1
  return DONE
}
