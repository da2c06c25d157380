// Shows that there is one type of handles, so that what every call gives fits wherever a handle goes, and the names of a
// component's values. As everything in this folder it is only compiled, against the published types.

/* eslint-disable @typescript-eslint/no-unused-vars --
   values are made here for their types alone */

import {
  cloneEntity,
  createAccessor,
  destroyMany,
  NULL_ENTITY,
  component,
  createWorld,
  entity,
  f32,
  object,
  objectsOf,
  onRemove,
  resource,
  sortedEntities,
  cloneMany,
  spawnMany,
  spawnManyAt,
  stable,
  tag,
  text,
  vec,
  type Commands,
  type Component,
  type Entity,
  type EntityArray,
  type Input,
  type Schema,
  type ValueOf,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32, y: f32 })
const Target = component('Target', { who: entity, crew: vec(entity, 3), label: text })
const Slot = component('Slot', { who: entity }, { storage: stable })
const Frozen = tag('Frozen')
const Mesh = object<{ readonly id: number }>('Mesh')
const Focus = resource('Focus', { on: entity, path: vec(entity, 8) })
const Settings = resource<{ readonly level: number }>('Settings')
const world = createWorld()
const ship = world.spawn(Position)
const query = world.query(Position, Target)
declare const commands: Commands

// ── what is given fits an entity field ───────────────────────────────────────────────────────────────────

for (const chunk of query) {
  expectType<Equal<typeof chunk.entities, EntityArray>>()
  const { who, crew } = chunk.write(Target)
  expectType<Equal<typeof who, EntityArray>>()
  expectType<Equal<typeof crew, EntityArray>>()
  for (let i = chunk.start; i < chunk.end; i++) {
    const self = chunk.entities[i]!
    who[i] = self
    crew[3 * i] = ship
    if (world.isAlive(who[i]!)) world.set(self, Target, { who: who[i]!, crew: [self, who[i]!, NULL_ENTITY] })
    Target({ who: chunk.read(Target).who[i]! })
  }
  who.fill(NULL_ENTITY).set(chunk.entities.subarray(1, 2), 0)
  for (const one of chunk.entities.subarray(chunk.start, chunk.end)) Target({ who: one })
  // @ts-expect-error any number is not a handle
  who[0] = 5
  // @ts-expect-error any numbers are not handles
  who.set([1, 2])
  // @ts-expect-error a read-only view
  chunk.read(Target).who[0] = ship
}
for (const handles of [
  query.entities(),
  sortedEntities(query, Position, 'x'),
  query.where(Position, 'x', '>', 1).slice(0, 10).entities(),
  spawnMany(world, 3, [Position]),
  cloneMany(world, ship, 3),
  commands.spawnMany(3, [Position]),
  spawnManyAt(world, [5, 6], [Position]),
]) {
  expectType<Equal<typeof handles, EntityArray<ArrayBuffer>>>()
  for (const one of handles) expectType<Equal<typeof one, Entity>>()
  for (const [, one] of handles.entries()) Target({ who: one })
  const living = handles.slice(1).filter((one) => world.isAlive(one))
  expectType<Equal<typeof living, EntityArray<ArrayBuffer>>>()
  Target({ who: handles[0]!, crew: handles.subarray(0, 3) })
  const last = handles.at(-1)
  expectType<Equal<typeof last, Entity | undefined>>()
  const list: Entity[] = [...handles, ...Array.from(handles)]
  const found = handles.find((one) => one !== ship)
  expectType<Equal<typeof found, Entity | undefined>>()
  destroyMany(world, handles)
}
query.each((e, p, target) => {
  target.who = e
  expectType<Equal<typeof target.who, Entity>>()
  expectType<Equal<typeof target.crew, EntityArray>>()
})
Target({ who: query.first()! })
Target({ who: query.single() })
Target({ who: createAccessor(world, Slot).entityAt(1) })
Target({ who: createAccessor(world, Target).of(ship).who })
createAccessor(world, Target).of(ship).who = cloneEntity(world, ship)
onRemove(world, Position, (e) => world.set(ship, Target, { who: e }))
for (const [e] of objectsOf(world, Mesh)) Target({ who: e })
world.resource(Focus).on = ship
world.resource(Focus).path[0] = ship
const focus = world.getResource(Focus)
expectType<Equal<typeof focus, Readonly<{ on: Entity; path: EntityArray }> | undefined>>()

// ── numbers from elsewhere ───────────────────────────────────────────────────────────────────────────────

declare const received: Uint32Array
for (const number of received) {
  world.has(number, Position)
  world.get(number, Target)
  createAccessor(world, Position).of(number)
  world.destroy(number)
  // @ts-expect-error any number is not a handle
  Target({ who: number })
  if (world.isAlive(number)) Target({ who: number })
}
destroyMany(world, received)
if (!world.isAlive(ship)) expectType<Equal<typeof ship, Entity>>()
expectType<Equal<ReturnType<typeof world.isAlive>, boolean>>()

// ── handles passed on ────────────────────────────────────────────────────────────────────────────────────

declare const gl: WebGL2RenderingContext
declare const worker: Worker
const handles = query.entities()
const words: Uint32Array = handles
const numbers: ArrayLike<number> = handles
new Uint32Array(handles).set(handles)
new Set<number>(handles)
gl.bufferSubData(gl.ARRAY_BUFFER, 0, handles)
worker.postMessage(handles, [handles.buffer])
structuredClone(handles, { transfer: [handles.buffer] })
expectType<Equal<ReturnType<typeof handles.map>, Uint32Array<ArrayBuffer>>>()
// @ts-expect-error numbers are no handles
const wrong: EntityArray = new Uint32Array(3)

// ── lists with a default keep their kind ─────────────────────────────────────────────────────────────────

const Weights = component('Weights', { w: vec(f32.default(1), 4), next: vec(entity.default(ship), 2) })
for (const chunk of world.query(Weights)) {
  const { w, next } = chunk.write(Weights)
  expectType<Equal<typeof w, Float32Array>>()
  expectType<Equal<typeof next, EntityArray>>()
}

// ── names of values ──────────────────────────────────────────────────────────────────────────────────────

expectType<Equal<ValueOf<typeof Position>, { x: number; y: number }>>()
expectType<Equal<ValueOf<typeof Target>, { who: Entity; crew: EntityArray; label: string }>>()
expectType<Equal<ValueOf<typeof Mesh>, { readonly id: number }>>()
expectType<Equal<ValueOf<typeof Focus>, { on: Entity; path: EntityArray }>>()
expectType<Equal<ValueOf<typeof Settings>, { readonly level: number }>>()
expectType<Equal<ValueOf<typeof Frozen>, never>>()
const row: ValueOf<typeof Position> | undefined = world.get(ship, Position)
function put<S extends Schema>(kind: Component<S>, values: Input<S>): ValueOf<Component<S>> | undefined {
  world.set(ship, kind, values)
  return world.get(ship, kind)
}
const kept = put(Position, { x: 1 })
expectType<Equal<typeof kept, { x: number; y: number } | undefined>>()
