// The simulation that tests/world/moduleCalls.node.proof.test.ts compiles: it carries out scripts of changes inside wasm, at once
// or deferred, and reports what a query finds.

import {
  Bundle,
  Column,
  Component,
  Entity,
  NULL_ENTITY,
  OUT_OF_MEMORY,
  Query,
  ReadonlyVec3Column,
  Vec3Column,
  World,
} from 'strata-ecs/assembly'

export * from 'strata-ecs/assembly/module'

/** A table component { x: f32, y: f64 }. */
let Position: Component
/** A table component { at: vec(f32, 3), kind: u8 }, rows tracked. */
let Shape: Component
/** A tag. */
let Marked: Component
/** Sparse { hp: u16 }. */
let Health: Component
/** Stable { serial: u32 }. */
let Node: Component
/** A table component { heat: i32 } that can be switched off. */
let Burning: Component

const QUERIES: i32 = 8
const queries = memory.data(QUERIES * 4)
const SLOTS: i32 = 64
const slots = memory.data(SLOTS * 4)
const STEPS: i32 = 256
/** Four numbers a step: kind, slot, and what the kind says. */
const script = memory.data(STEPS * 16)
const FOUND: i32 = 2048
const found = memory.data(FOUND * 4)

export function start(a: Component, b: Component, c: Component, d: Component, e: Component, f: Component): void {
  Position = a
  Shape = b
  Marked = c
  Health = d
  Node = e
  Burning = f
  keep(0, Query.with(Position).open())
  keep(1, Query.with(Position, Shape).without(Marked).open())
  keep(2, Query.with(Health).open())
  keep(3, Query.with(Node).without(Position).open())
  keep(4, Query.with(Position).any(Health, Marked).any(Marked, Node).open())
  keep(5, Query.with(Burning).open())
  keep(6, Query.with(Position, Health).without(Burning).open())
  keep(7, Query.all().open())
}

function keep(i: i32, query: Query): void {
  store<u32>(queries + (i << 2), <u32>changetype<usize>(query))
}

function queryAt(i: i32): Query {
  return changetype<Query>(<usize>load<u32>(queries + (i << 2)))
}

function pick(mask: i32, bit: i32, component: Component): Component {
  return (mask >> bit) & 1 ? component : 0xffffffff
}

function bundleOf(mask: i32): Bundle {
  return Bundle.of(
    pick(mask, 0, Position),
    pick(mask, 1, Shape),
    pick(mask, 2, Marked),
    pick(mask, 3, Health),
    pick(mask, 4, Node),
    pick(mask, 5, Burning),
  )
}

export function writeStep(step: i32, kind: i32, slot: i32, first: i32, second: i32): void {
  const address = script + (step << 4)
  store<i32>(address, kind, 0)
  store<i32>(address, slot, 4)
  store<i32>(address, first, 8)
  store<i32>(address, second, 12)
}

export function handleAt(slot: i32): Entity {
  return load<Entity>(slots + (slot << 2))
}

/** Carries out the first `steps` steps; the sum of their results at once, 0 when they are deferred. */
export function play(steps: i32, deferred: bool): i32 {
  if (deferred) World.defer()
  let sum = 0
  for (let i = 0; i < steps; i++) sum += carryOut(script + (i << 4))
  if (deferred) World.flush()
  return deferred ? 0 : sum
}

function carryOut(step: usize): i32 {
  const kind = load<i32>(step, 0)
  const slot = load<i32>(step, 4)
  const first = load<i32>(step, 8)
  const second = load<i32>(step, 12)
  const entity = handleAt(slot)
  if (kind == 0) {
    store<Entity>(slots + (slot << 2), World.spawn(bundleOf(first)))
    return 1
  }
  if (kind == 1) return World.add(entity, bundleOf(first))
  if (kind == 2) return World.remove(entity, bundleOf(first))
  if (kind == 3) return World.exchange(entity, bundleOf(first), bundleOf(second))
  if (kind == 4) return World.destroy(entity)
  if (kind == 5) return setAll(entity, first)
  if (kind == 6) return queryAt(first).add(bundleOf(second))
  if (kind == 7) return queryAt(first).remove(bundleOf(second))
  if (kind == 8) return queryAt(first).destroy()
  if (kind == 9) return World.spawnMany(bundleOf(first), second)
  return first == 0 ? World.disable(entity, Burning) : World.enable(entity, Burning)
}

function setAll(entity: Entity, value: i32): i32 {
  World.set<f32>(entity, Position, 0, <f32>value)
  World.set<f64>(entity, Position, 1, <f64>value / 3)
  World.set<f32>(entity, Shape, 0, <f32>value * 2, 2)
  World.set<u8>(entity, Shape, 1, <u8>value)
  World.set<u16>(entity, Health, 0, <u16>value)
  World.set<u32>(entity, Node, 0, <u32>value)
  World.set<i32>(entity, Burning, 0, -value)
  return 0
}

/** Walks a query; how many it found, left in `found`. */
export function collect(query: i32): i32 {
  const walked = queryAt(query)
  let count = 0
  walked.begin()
  while (walked.next()) {
    const rows = walked.rows
    const entities = walked.entities
    for (let i = rows.start; i < rows.end; i++) store<u32>(found + (count++ << 2), entities[i])
  }
  return count
}

export function foundAt(i: i32): Entity {
  return load<Entity>(found + (i << 2))
}

export function count(query: i32): i32 {
  return queryAt(query).count
}

/** The sum over all pairs of what two walks of the same query find: the inner loop must not disturb the outer one. */
export function countPairs(query: i32): i32 {
  const walked = queryAt(query)
  let pairs = 0
  walked.begin()
  while (walked.next()) {
    const outer = walked.rows
    walked.begin()
    while (walked.next()) pairs += (outer.end - outer.start) * (walked.rows.end - walked.rows.start)
  }
  return pairs
}

/** Sums a field of every kind of storage over query 0. */
export function sumFields(): f64 {
  const walked = queryAt(0)
  let sum: f64 = 0
  walked.begin()
  while (walked.next()) {
    const rows = walked.rows
    const x = walked.read<f32>(Position, 0)
    const y = walked.read<f64>(Position, 1)
    const hasShape = walked.has(Shape)
    const at = hasShape
      ? walked.readVec<ReadonlyVec3Column<f32>>(Shape, 0)
      : changetype<ReadonlyVec3Column<f32>>(0)
    const entities = walked.entities
    for (let i = rows.start; i < rows.end; i++) {
      sum += <f64>x[i] + y[i]
      if (hasShape) sum += at[i][2]
      sum += World.get<u16>(entities[i], Health, 0) + World.get<u32>(entities[i], Node, 0)
      if (World.has(entities[i], Health)) sum += World.read<u16>(entities[i], Health, 0)[0]
    }
  }
  return sum
}

/** Writes through columns, which counts as a change. */
export function shift(by: f32): void {
  const walked = queryAt(1)
  walked.begin()
  while (walked.next()) {
    const rows = walked.rows
    const x: Column<f32> = walked.write<f32>(Position, 0)
    const at = walked.writeVec<Vec3Column<f32>>(Shape, 0)
    for (let i = rows.start; i < rows.end; i++) {
      x[i] += by
      at[i][0] = by
    }
  }
}

/** Writes one entity through a column of one row. */
export function shiftOne(entity: Entity, by: f32): void {
  World.write<f32>(entity, Position, 0)[0] += by
}

/** Replaces each entity of query 0 by two: what is spawned is not visited in the same walk. */
export function split(): i32 {
  const walked = queryAt(0)
  const made = bundleOf(1)
  let visited = 0
  walked.begin()
  while (walked.next()) {
    const rows = walked.rows
    const x = walked.read<f32>(Position, 0)
    const entities = walked.entities
    for (let i = rows.start; i < rows.end; i++) {
      visited += 1
      for (let k = 0; k < 2; k++) World.set<f32>(World.spawn(made), Position, 0, x[i] + <f32>k / 4)
      World.destroy(entities[i])
    }
  }
  return visited
}

/** Leaves a walk and one inside of it early. With `says`, says so. */
export function leaveEarly(says: bool): i32 {
  const outer = queryAt(0)
  const inner = queryAt(1)
  outer.begin()
  while (outer.next()) {
    inner.begin()
    while (inner.next()) {
      World.spawn(bundleOf(1))
      break
    }
    World.spawn(bundleOf(1))
    if (says) outer.end()
    break
  }
  return outer.count
}

/** Traps inside a loop in which changes wait. */
export function trap(): void {
  const walked = queryAt(7)
  walked.begin()
  while (walked.next()) {
    World.spawn(bundleOf(3))
    unreachable()
  }
  unreachable()
}

/** Spawns until that fails; the status. In a loop when `deferred`. */
export function fill(mask: i32, deferred: bool): i32 {
  if (deferred) World.defer()
  while (World.spawn(bundleOf(mask)) != NULL_ENTITY) {}
  return World.status
}

/** Defers one change too many for what memory there is: how it ends is told by the call. */
export function fillLater(mask: i32, count: i32): i32 {
  World.defer()
  let spawned = 0
  while (spawned < count && World.spawn(bundleOf(mask)) != NULL_ENTITY) spawned += 1
  return spawned
}

/** What nobody should ask: null bundles, dead handles, ids that are none. 1 when all is refused. */
export function askNonsense(): bool {
  const nothing = Bundle.of(12345)
  const dead: Entity = 0x01000007
  return (
    nothing.isNull &&
    Query.with(12345).open().isNull &&
    Query.with(Position).without(Position).open().isNull &&
    World.spawn(nothing) == NULL_ENTITY &&
    World.add(handleAt(0), nothing) == OUT_OF_MEMORY &&
    Query.none.count == 0 &&
    World.destroy(dead) == -1 &&
    World.add(dead, bundleOf(1)) == -1 &&
    World.set<f32>(dead, Position, 0, 1) == -1 &&
    !World.has(dead, Position) &&
    !World.has(NULL_ENTITY, Position) &&
    !World.has(handleAt(0), 12345) &&
    World.get<f32>(dead, Position, 0) == 0 &&
    !World.isAlive(NULL_ENTITY)
  )
}

export function advance(): u32 {
  World.advance()
  return World.tick
}

export function answer(): f64 {
  return 0.5
}

export function nothing(): void {}
