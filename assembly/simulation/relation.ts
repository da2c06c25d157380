// Owns relations as a simulation inside wasm sees them: the target of an entity, and the sources of a target in their order.
// It must never change a list: links are made and ended by JavaScript when the call returns (see call.ts).

import { Entity } from '../kernel/entities'
import { componentAt, components } from '../components/components'
import { NULL_ENTITY, isAlive } from '../memory/entities'
import { DEAD } from '../memory/status'
import { Component } from './bundle'
import { linkLater } from './commands'
import { valueOf } from './fields'

/** What a source has in its last columns: its target, and its neighbours (see bindings/relations/links.ts). */
const HIDDEN: u32 = 3
const NEXT: u32 = 1
/** Columns of a target. */
const FIRST: u32 = 0
const COUNT: u32 = 2

/**
 * A relation that JavaScript has passed to a function of the module: `world.call('start', ChildOf)`. There is no object.
 *
 * ```
 * for (let part = ChildOf.firstSource(car); part != NULL_ENTITY; part = ChildOf.nextSource(part)) …
 * ```
 *
 * Walking allocates nothing. In a world with relations every structural change waits until the call returns, so no list
 * changes while it is walked. After world.reset() in JavaScript it is gone: pass it again.
 */
@unmanaged
export class Relation {
  /** No relation: what a variable holds before it is given one. */
  @inline
  static get none(): Relation {
    return changetype<Relation>(0)
  }

  /** Whether it is none. */
  @inline
  get isNull(): bool {
    return changetype<usize>(this) == 0
  }

  /** The relation as a component: for Query.with, Bundle.of in a remove, and World.get of its fields. */
  @inline
  get component(): Component {
    return <u32>changetype<usize>(this) & 0xffff
  }

  /** The target of an entity; NULL_ENTITY when it has none. With `onTargetDestroy: 'keep'` it may be dead. */
  targetOf(entity: Entity): Entity {
    return readLink(entity, this.component, 0)
  }

  /** How many sources a target has; 0 for what is dead. */
  sourceCount(target: Entity): u32 {
    const address = valueOf(target, targetsOf(this), COUNT, 4, 0, false)
    return address == 0 ? 0 : load<u32>(address)
  }

  /** The first source of a target, in their order; NULL_ENTITY when it has none. */
  firstSource(target: Entity): Entity {
    const address = valueOf(target, targetsOf(this), FIRST, 4, 0, false)
    return address == 0 ? NULL_ENTITY : load<u32>(address)
  }

  /** The source that follows another one of the same target; NULL_ENTITY at the end. */
  nextSource(source: Entity): Entity {
    return readLink(source, this.component, NEXT)
  }

  /**
   * Links an entity to a target, or to another one than before, when the call returns. What JavaScript would throw, such
   * as RELATION_CYCLE, the call throws. DONE, DEAD, or OUT_OF_MEMORY.
   */
  link(entity: Entity, target: Entity): i32 {
    if (!isAlive(entity) || !isAlive(target)) return DEAD
    return linkLater(entity, this.component, target)
  }
}

/** The component that targets have; JavaScript has registered it with the relation. */
@inline
function targetsOf(relation: Relation): Component {
  return <u32>changetype<usize>(relation) >> 16
}

function readLink(entity: Entity, component: Component, column: u32): Entity {
  if (component >= components.count || componentAt(component).columnCount < HIDDEN) return NULL_ENTITY
  const field = componentAt(component).columnCount - HIDDEN + column
  const address = valueOf(entity, component, field, 4, 0, false)
  return address == 0 ? NULL_ENTITY : load<u32>(address)
}
