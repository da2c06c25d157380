// The simulation that tests/relations/calls.node.proof.test.ts compiles: it reads links, and changes them while it walks the
// world's own lists.

import { Bundle, Component, Entity, NULL_ENTITY, Query, Relation, World } from 'strata-ecs/assembly'

export * from 'strata-ecs/assembly/module'

let ChildOf: Relation = Relation.none
let Follows: Relation = Relation.none
/** A table component { x: f32 }. */
let Position: Component = 0
let position: Bundle = Bundle.none
let follows: Bundle = Bundle.none
let positions: Query = Query.none
let children: Query = Query.none

const FOUND: u32 = 4096
const found = memory.data(4096 * 4)

export function start(childOf: Relation, other: Relation, component: Component): bool {
  ChildOf = childOf
  Follows = other
  Position = component
  position = Bundle.of(Position)
  follows = Bundle.of(Follows.component)
  positions = Query.with(Position).open()
  children = Query.with(ChildOf.component).open()
  return !ChildOf.isNull && !Follows.isNull && Relation.none.isNull && !positions.isNull && !children.isNull
}

export function targetOf(entity: u32, ofFollows: bool): u32 {
  return (ofFollows ? Follows : ChildOf).targetOf(entity)
}

export function countOf(target: u32, ofFollows: bool): u32 {
  return (ofFollows ? Follows : ChildOf).sourceCount(target)
}

/** Walks the sources of a target; how many there are. Their handles are read by foundAt. */
export function walk(target: u32, ofFollows: bool): u32 {
  const relation = ofFollows ? Follows : ChildOf
  let count: u32 = 0
  for (let source = relation.firstSource(target); source != NULL_ENTITY; source = relation.nextSource(source)) {
    if (count < FOUND) store<u32>(found + (count << 2), source)
    count++
  }
  return count
}

export function foundAt(i: u32): u32 {
  return load<u32>(found + (i << 2))
}

/** How many entities are below one, without recursion: down to the first source, else on, else up. */
export function countBelow(root: u32): u32 {
  let count: u32 = 0
  let at: Entity = root
  while (true) {
    let next = ChildOf.firstSource(at)
    while (next == NULL_ENTITY && at != root) {
      next = ChildOf.nextSource(at)
      if (next == NULL_ENTITY) at = ChildOf.targetOf(at)
    }
    if (next == NULL_ENTITY) return count
    count++
    at = next
  }
}

/** A field of a link. */
export function strengthOf(entity: u32): u32 {
  return World.get<u16>(entity, Follows.component, 0)
}

/** Adds the positions of all sources of a target to its own. */
export function gather(target: u32): f32 {
  let sum: f32 = 0
  for (let part = ChildOf.firstSource(target); part != NULL_ENTITY; part = ChildOf.nextSource(part))
    sum += World.get<f32>(part, Position, 0)
  return sum
}

export function destroy(entity: u32): i32 {
  return World.destroy(entity)
}

/** Destroys the sources of a target while it walks them; how many. */
export function destroySources(target: u32): u32 {
  let count: u32 = 0
  for (let part = ChildOf.firstSource(target); part != NULL_ENTITY; part = ChildOf.nextSource(part)) {
    World.destroy(part)
    count++
  }
  return count
}

export function link(entity: u32, target: u32, ofFollows: bool): i32 {
  return (ofFollows ? Follows : ChildOf).link(entity, target)
}

export function unlink(entity: u32): i32 {
  return World.remove(entity, follows)
}

/** Makes entities below another one, each below the one before. */
export function chain(target: u32, count: u32): u32 {
  let above: Entity = target
  for (let i: u32 = 0; i < count; i++) {
    const entity = World.spawn(position)
    World.set<f32>(entity, Position, 0, <f32>i)
    if (ChildOf.link(entity, above) < 0) return i
    above = entity
  }
  return above
}

/** What has no target: the call throws. */
export function addBare(entity: u32): i32 {
  return World.add(entity, follows)
}

export function flushTooOften(entity: u32): i32 {
  World.flush()
  World.flush()
  return World.destroy(entity)
}

export function destroyAllChildren(): i32 {
  return children.destroy()
}

export function unlinkAll(): i32 {
  return positions.remove(follows)
}

export function destroyAndTrap(entity: u32): void {
  World.destroy(entity)
  positions.begin()
  unreachable()
}
