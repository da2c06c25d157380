// Shows what is inferred from schemas alone, with no annotation, and what does not compile. As everything in this folder it is
// only compiled, against the published types.

/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/no-unused-expressions --
   values are made here for their types alone */

import {
  addMany,
  any,
  bool,
  cloneEntity,
  cloneMany,
  component,
  createAccessor,
  createCommands,
  createGroup,
  createSchedule,
  createWorld,
  destroyMany,
  endFrame,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  internText,
  not,
  NULL_ENTITY,
  object,
  optional,
  Query,
  queueDestroy,
  QueuedForDestroy,
  removeMany,
  resource,
  Schedule,
  sortedEntities,
  sortRows,
  sortRowsAs,
  sparse,
  spawnAt,
  spawnMany,
  spawnManyAt,
  stable,
  sweepReferences,
  sweepTexts,
  tag,
  text,
  textId,
  textOf,
  u16,
  u32,
  u8,
  vec,
  World,
  type UpdatableComponent,
  type Entity,
  type EntityArray,
  type Ingredient,
} from 'strata-ecs'
import { checkedCore } from 'strata-ecs/checked'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Scale = component('Scale', { value: f32.default(1) })
const Matrix = component('Matrix', { m: vec(f32, 16) })
const Health = component('Health', { hp: u16 }, { storage: sparse })
const Shield = component('Shield', { power: u16 }, { storage: sparse })
const Armour = component('Armour', { points: u16 }, { storage: stable })
const Target = component('Target', { who: entity })
const Everything = component('Everything', {
  a: i8,
  b: u8,
  c: i16,
  d: u16,
  e: i32,
  f: u32,
  g: f32,
  h: f64,
  i: bool,
  j: entity,
  k: vec(i16, 3),
})
const Name = component('Name', { value: text.default('nobody'), nick: text }, { storage: sparse })
const Frozen = tag('Frozen')
const world = createWorld({
  memory: { maximum: 2 ** 26 },
  maxEntities: 10,
  ids: 'strict',
  core: checkedCore(),
})

// ── what is spawned ──────────────────────────────────────────────────────────────────────────────────────

const ship = world.spawn(Position({ x: 1 }), Velocity, Frozen, Health({ hp: 3 }), Scale())
expectType<Equal<typeof ship, Entity>>()
expectType<Equal<typeof NULL_ENTITY, Entity>>()
world.spawn(Matrix({ m: [1, 2, 3] }), Matrix({ m: new Float32Array(16) }), Target({ who: ship }))
world.spawn()
// @ts-expect-error a field that is not there
Position({ z: 1 })
// @ts-expect-error a value of the wrong type
Position({ x: 'far' })
// @ts-expect-error a number is no flag
Everything({ i: 1 })
// @ts-expect-error a list is no number
Position({ x: [1] })
// @ts-expect-error a number is no list
Matrix({ m: 1 })
// @ts-expect-error any number is not a handle
Target({ who: 5 })
// @ts-expect-error a tag has no values
Frozen({})
// @ts-expect-error no component
world.spawn({ x: 1 })
// @ts-expect-error no component
world.spawn('Position')
// @ts-expect-error fields are fields
component('Wrong', { x: 3 })
// @ts-expect-error no such storage
component('Wrong', { x: f32 }, { storage: 'elsewhere' })
// @ts-expect-error the default must fit
f32.default('one')
// @ts-expect-error a handle is no number of the user's making
const handle: Entity = 5
// @ts-expect-error no vec of a vec
vec(vec(f32, 2), 2)
// @ts-expect-error no such option
createWorld({ entities: 5 })
// @ts-expect-error no such way with ids
createWorld({ ids: 'sometimes' })

// ── texts ────────────────────────────────────────────────────────────────────────────────────────────────

world.spawn(Name({ value: 'Ada' }), Name)
const named = world.get(ship, Name)
expectType<Equal<typeof named, Readonly<{ value: string; nick: string }> | undefined>>()
createAccessor(world, Name).of(ship).value = 'Ada'
for (const chunk of world.query(Name)) {
  const { value } = chunk.write(Name)
  expectType<Equal<typeof value, Uint32Array>>()
}
expectType<Equal<ReturnType<typeof textId>, number | undefined>>()
expectType<Equal<ReturnType<typeof textOf>, string | undefined>>()
expectType<Equal<ReturnType<typeof internText>, number>>()
expectType<Equal<ReturnType<typeof sweepTexts>, number>>()
expectType<Equal<ReturnType<typeof sweepReferences>, number>>()
// @ts-expect-error a number is no text
Name({ value: 1 })
// @ts-expect-error the default must be a string
text.default(1)
// @ts-expect-error no list of texts
vec(text, 2)
// @ts-expect-error an id is not written through a cursor
createAccessor(world, Name).of(ship).value = 5

// ── by handle ────────────────────────────────────────────────────────────────────────────────────────────

const position = world.get(ship, Position)
expectType<Equal<typeof position, Readonly<{ x: number; y: number }> | undefined>>()
// @ts-expect-error a copy: write with world.set
position!.x = 5
const everything = world.get(ship, Everything)
expectType<
  Equal<
    typeof everything,
    | Readonly<{
        a: number
        b: number
        c: number
        d: number
        e: number
        f: number
        g: number
        h: number
        i: boolean
        j: Entity
        k: Int16Array
      }>
    | undefined
  >
>()
expectType<Equal<ReturnType<typeof world.has>, boolean>>()
expectType<Equal<ReturnType<typeof world.destroy>, boolean>>()
expectType<Equal<ReturnType<typeof world.remove>, boolean>>()
expectType<Equal<ReturnType<typeof world.isAlive>, boolean>>()
expectType<Equal<ReturnType<typeof destroyMany>, number>>()
world.has(ship, Position, Frozen, Health)
world.add(ship, Health({ hp: 9 }), Scale, Frozen)
world.remove(ship, Frozen, Scale)
world.set(ship, Position, { x: 5 })
world.set(ship, Health, { hp: 5 })
// @ts-expect-error a field that is not there
world.set(ship, Position, { z: 5 })
// @ts-expect-error a value of the wrong type
world.set(ship, Position, { x: true })
// @ts-expect-error remove takes components, not values
world.remove(ship, Position({ x: 1 }))
// @ts-expect-error a handle is a number
world.isAlive('ship')

const accessor = createAccessor(world, Position)
accessor.of(ship).x += 1
expectType<Equal<ReturnType<typeof accessor.of>['y'], number>>()
// @ts-expect-error a field that is not there
accessor.of(ship).z = 1
// @ts-expect-error a tag has no values
createAccessor(world, Frozen)
expectType<Equal<ReturnType<typeof armourOf.of>['points'], number>>()
const armourOf = createAccessor(world, Armour)

// ── columns ──────────────────────────────────────────────────────────────────────────────────────────────

for (const chunk of world.query(Position, Velocity, not(Frozen), optional(Scale))) {
  const p = chunk.write(Position)
  expectType<Equal<typeof p.x, Float32Array>>()
  const v = chunk.read(Velocity)
  expectType<Equal<(typeof v.x)[0], number>>()
  const s = chunk.read(Scale)
  const firstScale = s?.value[0]
  expectType<Equal<typeof firstScale, number | undefined>>()
  const written = chunk.write(Scale)
  expectType<Equal<typeof written, undefined | { readonly value: Float32Array }>>()
  p.x[chunk.start] += v.x[chunk.start] * 2
  expectType<Equal<typeof chunk.start, number>>()
  expectType<Equal<typeof chunk.entities, EntityArray>>()
  const index = chunk.index(Position, 'x')
  chunk.heap.f32[index] += 1
  chunk.markChanged(Position)
  const cursor = chunk.cursor(Velocity).at(0)
  expectType<Equal<typeof cursor.x, number>>()
  const maybe = chunk.cursor(Scale).at(0)?.value
  expectType<Equal<typeof maybe, number | undefined>>()
  // @ts-expect-error a read-only view
  v.x[0] = 1
  // @ts-expect-error a read-only view
  v.x.fill(0)
  // @ts-expect-error a read-only view
  v.x.set([1])
  // @ts-expect-error a column is not replaced
  p.x = new Float32Array(1)
  // @ts-expect-error may be undefined
  s.value[0]
  // @ts-expect-error not in the query
  chunk.write(Matrix)
  // @ts-expect-error not in the query
  chunk.read(Health)
  // @ts-expect-error excluded, and without data
  chunk.read(Frozen)
  // @ts-expect-error no such field
  chunk.index(Position, 'z')
  // @ts-expect-error no such field
  p.z
  // @ts-expect-error not in the query
  chunk.markChanged(Matrix)
  // @ts-expect-error not in the query
  chunk.cursor(Matrix)
}

for (const chunk of world.query(Everything)) {
  const all = chunk.write(Everything)
  expectType<Equal<typeof all.a, Int8Array>>()
  expectType<Equal<typeof all.b, Uint8Array>>()
  expectType<Equal<typeof all.c, Int16Array>>()
  expectType<Equal<typeof all.d, Uint16Array>>()
  expectType<Equal<typeof all.e, Int32Array>>()
  expectType<Equal<typeof all.f, Uint32Array>>()
  expectType<Equal<typeof all.g, Float32Array>>()
  expectType<Equal<typeof all.h, Float64Array>>()
  expectType<Equal<typeof all.i, Uint8Array>>()
  expectType<Equal<typeof all.j, EntityArray>>()
  expectType<Equal<typeof all.k, Int16Array>>()
}

// ── columns and cursors ──────────────────────────────────────────────────────────────────────────────────

for (const chunk of world.query(Position, Health, optional(Armour))) {
  chunk.write(Position).x[0] = 1
  expectType<Equal<ReturnType<typeof health.at>['hp'], number>>()
  const health = chunk.cursor(Health)
  const points = chunk.cursor(Armour).at(0)?.points
  expectType<Equal<typeof points, number | undefined>>()
  // @ts-expect-error beside a table component a sparse one is a cursor
  chunk.read(Health)
  // @ts-expect-error the same for an optional one
  chunk.write(Armour)
  // @ts-expect-error and for touch and index
  chunk.markChanged(Health)
}
for (const chunk of world.query(Health, Frozen, optional(Position), not(Velocity))) {
  const h = chunk.write(Health)
  expectType<Equal<typeof h.hp, Uint16Array>>()
  // @ts-expect-error the rows are the pool's: what lies elsewhere is a cursor
  chunk.read(Position)
}
for (const chunk of world.query(Health, Shield)) {
  chunk.cursor(Health).at(0).hp = 1
  // @ts-expect-error of several sparse components none is a column
  chunk.read(Health)
}
for (const chunk of world.query(any(Position, Health))) {
  const x = chunk.read(Position)?.x[0]
  expectType<Equal<typeof x, number | undefined>>()
  // @ts-expect-error may be undefined
  chunk.read(Position).x
}

// ── each ─────────────────────────────────────────────────────────────────────────────────────────────────

world
  .query(Position, not(Velocity), Frozen, Health, optional(Scale), any(Armour, Frozen, Matrix))
  .each((e, p, h, s, a, m, ...rest) => {
    expectType<Equal<typeof e, Entity>>()
    expectType<Equal<typeof p.x, number>>()
    expectType<Equal<typeof h.hp, number>>()
    const scale = s?.value
    expectType<Equal<typeof scale, number | undefined>>()
    const armour = a?.points
    expectType<Equal<typeof armour, number | undefined>>()
    const matrix = m?.m
    expectType<Equal<typeof matrix, Float32Array | undefined>>()
    expectType<Equal<typeof rest, []>>()
    p.x = 1
    // @ts-expect-error a field that is not there
    p.z = 1
    // @ts-expect-error may be undefined
    s.value
  })
// @ts-expect-error no third cursor
world.query(Position, Velocity).each((e, p, v, w) => w)

const moving = world.query(Position)
expectType<Equal<typeof moving.count, number>>()
expectType<Equal<typeof moving.isEmpty, boolean>>()
const first = moving.first()
expectType<Equal<typeof first, Entity | undefined>>()
const single = moving.single()
expectType<Equal<typeof single, Entity>>()
const handles = moving.entities()
expectType<Equal<typeof handles, EntityArray<ArrayBuffer>>>()
addMany(moving, Frozen, Velocity({ x: 1 }))
removeMany(moving, Velocity)
// @ts-expect-error no term
world.query(5)
// @ts-expect-error values are no term
world.query(Position({ x: 1 }))
// @ts-expect-error any of nothing
any()

// ── spawnMany ────────────────────────────────────────────────────────────────────────────────────────────

const many = spawnMany(world, 10, [Position, Velocity({ x: 1 }), Frozen, Health], (chunk) => {
  const p = chunk.write(Position)
  expectType<Equal<typeof p.y, Float32Array>>()
  chunk.write(Velocity).x[chunk.start] = 1
  chunk.cursor(Health).at(chunk.start).hp = 2
  // @ts-expect-error not among what is made
  chunk.write(Scale)
  // @ts-expect-error beside a table component a sparse one is a cursor
  chunk.write(Health)
})
expectType<Equal<typeof many, EntityArray<ArrayBuffer>>>()
spawnMany(world, 10, [Health], (chunk) => {
  chunk.write(Health).hp[chunk.start] = 1
})

// ── spawnAt ──────────────────────────────────────────────────────────────────────────────────────────────

expectType<Equal<ReturnType<typeof spawnAt>, Entity>>()
spawnAt(world, 7, Position({ x: 1 }), Frozen)
spawnManyAt(world, Uint32Array.of(5), [Position, Frozen], (chunk) => {
  chunk.write(Position).x[chunk.start] = 1
  // @ts-expect-error not among what is made
  chunk.write(Scale)
})
// @ts-expect-error a handle is a number
spawnAt(world, '7', Position)

// ── the rest ─────────────────────────────────────────────────────────────────────────────────────────────

const result = world.batch(() => 'text' as const)
expectType<Equal<typeof result, 'text'>>()
expectType<Equal<typeof world.tick, number>>()
const stats = world.stats()
expectType<Equal<(typeof stats)['retiredIds'], number>>()

// ── order ────────────────────────────────────────────────────────────────────────────────────────────────

const Chosen = tag('Chosen', { order: 'insertion' })
const ordered = sortedEntities(world.query(Position, Health), Health, 'hp')
expectType<Equal<typeof ordered, EntityArray<ArrayBuffer>>>()
sortedEntities(world.query(Position), Position, 'y')
sortedEntities(world.query(Everything), Everything, 'i')
sortedEntities(world.query(Everything), Everything, 'j')
// @ts-expect-error no such field
sortedEntities(world.query(Position), Position, 'z')
// @ts-expect-error a vec has no order
sortedEntities(world.query(Matrix), Matrix, 'm')
const Titled = component('Titled', { title: text, pages: i16 })
sortedEntities(world.query(Titled), Titled, 'title', { order: 'descending', limit: 3 })
sortedEntities(world.query(Titled), Titled, ['pages', 'title'], { order: ['descending', 'ascending'] })
// @ts-expect-error no such direction
sortedEntities(world.query(Titled), Titled, 'title', { order: 'up' })
// @ts-expect-error no such field
sortedEntities(world.query(Titled), Titled, ['pages', 'cover'])
// @ts-expect-error not in the query
sortedEntities(world.query(Position), Scale, 'value')
// @ts-expect-error not required
sortedEntities(world.query(Position, optional(Scale)), Scale, 'value')

sortRows(world, Health, 'hp')
sortRows(world, Health, 'hp', { limit: 3, order: 'descending' })
sortRows(world, Health, (a, b) => a.hp - b.hp, { limit: 3 })
// @ts-expect-error the function says what comes first
sortRows(world, Health, (a, b) => a.hp - b.hp, { order: 'descending' })
// @ts-expect-error the rows of a table lie with others
sortRows(world, Position, (a, b) => a.x - b.x)
sortRows(world, Chosen, Position, 'x')
sortRows(world, Chosen, Health, 'hp')
sortRowsAs(world, Health, Armour)
sortRowsAs(world, Health, Chosen)
// @ts-expect-error a table
sortRows(world, Position, 'x')
// @ts-expect-error rows that never move
sortRows(world, Armour, 'points')
// @ts-expect-error no such field
sortRows(world, Health, 'power')
// @ts-expect-error a tag without an order
sortRows(world, Frozen, Position, 'x')
// @ts-expect-error a table
sortRowsAs(world, Position, Health)
// @ts-expect-error a tag's order is not that of rows
sortRowsAs(world, Chosen, Health)

const pair = createGroup(world, Health, Shield)
for (const chunk of pair) {
  const { hp } = chunk.write(Health)
  expectType<Equal<typeof hp, Uint16Array>>()
  chunk.read(Shield).power[chunk.start]
  chunk.cursor(Shield).at(0).power = 1
  expectType<Equal<ReturnType<typeof chunk.index>, number>>()
  // @ts-expect-error not in the group
  chunk.read(Armour)
}
for (const chunk of pair.where(Health, 'hp', '>', 3).slice(0, 10)) chunk.write(Shield)
pair.each((e, h, s) => {
  expectType<Equal<typeof h.hp, number>>()
  s.power = h.hp
})
// @ts-expect-error one component is no group
createGroup(world, Health)
// @ts-expect-error a table
createGroup(world, Health, Position)
// @ts-expect-error rows that never move
createGroup(world, Health, Armour)

for (const chunk of world.query(Chosen, Position)) chunk.write(Position).x[chunk.start] = 1
for (const chunk of world.query(Chosen, Health)) {
  chunk.cursor(Health).at(chunk.start).hp = 1
  // @ts-expect-error the rows are in the order of the tag: what lies elsewhere is a cursor
  chunk.read(Health)
}
for (const chunk of world.query(Chosen, optional(Position))) {
  chunk.cursor(Position).at(chunk.start)?.x
  // @ts-expect-error the same
  chunk.read(Position)
  // @ts-expect-error no data
  chunk.read(Chosen)
}
expectType<Equal<(typeof Chosen)['order'], 'insertion'>>()
// @ts-expect-error no such order
tag('Wrong', { order: 'entity' })
// ── schedules ────────────────────────────────────────────────────────────────────────────────────────────

const schedule = createSchedule(world, { timing: false })
expectType<Equal<typeof schedule, Schedule>>()
schedule
  .phase('physics', { after: 'pre', fixedStep: 1 / 60, maxSteps: 5, maxCatchUp: 0.5 })
  .add(
    function move(w, dt) {
      expectType<Equal<typeof w, World>>()
      expectType<Equal<typeof dt, number>>()
    },
    {
      phase: 'physics',
      after: 'input',
      before: ['draw', 'sound'],
      runIf: [(w) => w.tick > 0, () => true],
      queries: [moving, world.query(Position, not(Frozen), optional(Health))],
      reads: [Frozen, Health],
      writes: [Position],
    },
  )
  .add(
    { name: 'object', run: (w) => w.advanceTick(), init: (w) => w.advanceTick() },
    { every: 2, of: 'move' },
  )
  .chain('a', 'b')
  .enable('a', 'b')
  .run(1 / 60)
const figures = schedule.stats()
expectType<Equal<(typeof figures.systems)[0]['lastMs'], number>>()
const unclear = schedule.ambiguities()
expectType<Equal<(typeof unclear)[0]['systems'], readonly [string, string]>>()
const decided = schedule.constraints()
expectType<Equal<(typeof decided)[0]['systems'], readonly [string, string]>>()
expectType<Equal<(typeof decided)[0]['by'], readonly ('before' | 'after' | 'chain' | 'order')[]>>()
expectType<Equal<ReturnType<typeof schedule.order>, string[]>>()
// @ts-expect-error a condition answers
schedule.add(() => {}, { runIf: () => {} })
// @ts-expect-error no such option
schedule.add(() => {}, { runif: () => true })
// @ts-expect-error components are not named by text
schedule.add(() => {}, { writes: ['Position'] })
// @ts-expect-error an object without run
schedule.add({ name: 'object' })
// @ts-expect-error the time is needed
schedule.run()
// @ts-expect-error no such option
schedule.phase('physics', { step: 1 })

declare const Sprite: UpdatableComponent<{
  tick(dt: number, entity: Entity): void
  draw(): void
  size: number
}>
schedule.addObjects(Sprite).addObjects(Sprite, { method: 'draw', order: 2, phase: 'post', interval: 1 })
// @ts-expect-error no method
schedule.addObjects(Sprite, { method: 'size' })
// @ts-expect-error no such method
schedule.addObjects(Sprite, { method: 'update' })
declare const Still: UpdatableComponent<{ size: number }>
// @ts-expect-error without the method tick
schedule.addObjects(Still)
// @ts-expect-error no object component
schedule.addObjects(Position)
// ── resources ────────────────────────────────────────────────────────────────────────────────────────────

const Time = resource('Time', { dt: f32, paused: bool, focus: entity, gravity: vec(f32, 3) })
const Settings = resource<{ level: number }>('Settings')
const time = world.resource(Time)
expectType<Equal<typeof time, { dt: number; paused: boolean; focus: Entity; gravity: Float32Array }>>()
const copied = world.getResource(Time)
expectType<Equal<typeof copied, Readonly<typeof time> | undefined>>()
const settings = world.resource(Settings)
expectType<Equal<typeof settings, { level: number } | undefined>>()
expectType<Equal<ReturnType<typeof world.hasResource>, boolean>>()
time.dt = 1
time.focus = ship
world.setResource(Time, { dt: 1, gravity: [0, -9.81, 0] })
world.setResource(Settings, { level: 3 })
world.removeResource(Time)
world.hasResource(Settings)
// @ts-expect-error a field that is not there
time.speed = 1
// @ts-expect-error a value of the wrong type
world.setResource(Time, { dt: 'fast' })
// @ts-expect-error another value than declared
world.setResource(Settings, { level: 'hard' })
// @ts-expect-error a component is no resource
world.resource(Position)
// @ts-expect-error a resource is no component
world.spawn(Time)
// @ts-expect-error a resource is no term
world.query(Time)
// @ts-expect-error a JavaScript resource is no term either
world.query(not(Settings))
// @ts-expect-error fields are fields
resource('Wrong', { x: 3 })

// ── one frame ────────────────────────────────────────────────────────────────────────────────────────────

const Blow = component('Blow', { points: u16 }, { lifetime: 'frame' })
const Echo = component('Echo', { points: u16 }, { lifetime: 'frame', storage: sparse })
const Hit = tag('Hit', { lifetime: 'frame' })
const blow = world.get(ship, Blow)
expectType<Equal<typeof blow, Readonly<{ points: number }> | undefined>>()
expectType<Equal<ReturnType<typeof queueDestroy>, boolean>>()
expectType<Equal<ReturnType<typeof endFrame>, void>>()
world.query(Blow, Echo, Hit, not(QueuedForDestroy)).each((entity, blown, echoed) => {
  expectType<Equal<typeof blown, { points: number }>>()
  expectType<Equal<typeof echoed, { points: number }>>()
})
// @ts-expect-error no such lifetime
component('Wrong', { x: f32 }, { lifetime: 'day' })
// @ts-expect-error no such option of a tag
tag('Wrong', { storage: sparse })
world.query(Position, tag('Prefab', { excludeFromQueries: true }))
// @ts-expect-error its entities are out of queries, so there is nothing to order
tag('Wrong', { excludeFromQueries: true, order: 'insertion' })

// ── copies ───────────────────────────────────────────────────────────────────────────────────────────────

const copy = cloneEntity(world, ship)
expectType<Equal<typeof copy, Entity>>()
const copies = cloneMany(world, ship, 3)
expectType<Equal<typeof copies, EntityArray<ArrayBuffer>>>()
// @ts-expect-error a count is a number
cloneMany(world, ship, '3')
// @ts-expect-error a component is no entity
cloneEntity(world, Position)

// ── rows ─────────────────────────────────────────────────────────────────────────────────────────────────

const armours = createAccessor(world, Armour)
const armour = armours.at(armours.rowOf(ship))
expectType<Equal<typeof armour, { points: number }>>()
expectType<Equal<ReturnType<typeof armours.entityAt>, Entity>>()
armours.of(ship).points = 1
// @ts-expect-error rows of a table move
createAccessor(world, Position).rowOf(ship)
// @ts-expect-error rows of a sparse set move
createAccessor(world, Health).at(1)
// @ts-expect-error rows of a sparse set move
createAccessor(world, Shield).entityAt(1)

// ── what the compiler says ───────────────────────────────────────────────────────────────────────────────

for (const chunk of world.query(Position, Health)) {
  // Only the last overload is looked at here: the one that an error shows last.
  expectType<
    Equal<
      Parameters<typeof chunk.write>[0] | Parameters<typeof chunk.read>[0],
      'a column of this query: reach what is none by row, chunk.cursor(component).at(row), and objects by chunk.objects(component)'
    >
  >()
}
const Picture = object<{ frame: number }>('Picture')
createCommands(world).spawnAt(ship, Position, Picture({ frame: 1 }))
world.spawn(Position, Picture({ frame: 1 }))
world.add(ship, Picture({ frame: 2 }), Frozen)
createCommands(world).spawn(Picture({ frame: 1 }), Position({ x: 1 }))
const anyIngredients: Ingredient[] = [Position, Picture({ frame: 1 })]
world.spawn(...anyIngredients)
world.add(ship, ...anyIngredients)
spawnMany(world, 2, anyIngredients)
addMany(world.query(Position), ...anyIngredients)
world.exchange(ship, [Frozen], anyIngredients)
createCommands(world).add(ship, ...anyIngredients)
createCommands(world).exchange(ship, [Frozen], anyIngredients)
createCommands(world).spawnMany(2, anyIngredients)
world.exchange(ship, [Frozen], [Picture({ frame: 1 }), Velocity])
// @ts-expect-error an object component has no default
world.spawn(Picture)
// @ts-expect-error an object component has no default
world.spawn(Position, Frozen, Velocity({ x: 1 }), Picture)
// @ts-expect-error an object component has no default
createCommands(world).spawn(Position, Picture)
// @ts-expect-error an object component has no default
world.add(ship, Picture)
// @ts-expect-error an object component has no default
world.add(ship, Position({ x: 1 }), Picture)
// @ts-expect-error an object component has no default
world.exchange(ship, [Frozen], [Position, Picture])
// @ts-expect-error an object component has no default
createCommands(world).add(ship, Picture)
// @ts-expect-error an object component has no default
createCommands(world).exchange(ship, [Frozen], [Picture])
// @ts-expect-error entities cannot share an object
spawnMany(world, 2, [Position, Picture])
// @ts-expect-error entities cannot share an object
spawnMany(world, 2, [Position, Picture({ frame: 1 })])
// @ts-expect-error entities cannot share an object
createCommands(world).spawnMany(2, [Picture({ frame: 1 })])
createCommands(world).spawnAt(ship, Position, Picture({ frame: 1 }))
// @ts-expect-error an object component has no default
spawnAt(world, 7, Picture)
// @ts-expect-error entities cannot share an object
spawnManyAt(world, [7], [Picture({ frame: 1 })])
// @ts-expect-error entities cannot share an object
addMany(world.query(Position), Picture)
// @ts-expect-error entities cannot share an object
addMany(world.query(Position), Frozen, Picture({ frame: 1 }))

// @ts-expect-error worlds come from createWorld
new World()
// @ts-expect-error schedules come from createSchedule
new Schedule()
// @ts-expect-error queries come from world.query
new Query()

world.query(Position).each((_, position) => position.x++)
world.query(Position).each((entity) => void world.isAlive(entity))
// @ts-expect-error the callback must not be async
world.query(Position).each(async (_, position) => void position.x++)
// @ts-expect-error the callback must not return a promise
world.query(Position).each(() => Promise.resolve())
spawnMany(world, 2, [Position], (chunk) => void chunk.write(Position).x.fill(1))
// @ts-expect-error the callback must not be async
spawnMany(world, 2, [Position], async (chunk) => void chunk.write(Position).x.fill(1))
