// Shows what is inferred for saves, and what does not compile.

/* eslint-disable @typescript-eslint/no-unused-vars -- values are made here for their types alone */

import {
  component,
  createWorld,
  f32,
  loadFromJSON,
  loadWorld,
  mergeWorld,
  object,
  resource,
  saveToJSON,
  saveWorld,
  sparse,
  tag,
  u16,
  type AnyObject,
  type Entity,
  type Loaded,
  type Merged,
  type World,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32 })
const Player = tag('Player')
const Mesh = object<string>('Mesh')
const Time = resource('Time', { dt: f32 })
const Rng = resource<number>('Rng', { save: (n) => n, load: (n: number) => n })

const world = createWorld()

const bytes = saveWorld(world, { only: [Position, Player, Mesh, Time, Rng], entities: world.query(Player) })
expectType<Equal<typeof bytes, Uint8Array<ArrayBuffer>>>()
saveWorld(world, { entities: [1, 2] })
saveWorld(world, { entities: new Uint32Array(3), only: undefined })

const loaded = loadWorld(bytes, {
  components: [Position, Mesh, Rng],
  memory: { initial: 2 ** 20 },
  ids: 'strict',
})
expectType<Equal<typeof loaded, Loaded>>()
expectType<Equal<typeof loaded.world, World>>()
expectType<Equal<typeof loaded.handles, ReadonlyMap<number, Entity>>>()
expectType<Equal<typeof loaded.unknown, readonly string[]>>()
expectType<
  Equal<(typeof loaded.absent)[number], { readonly entity: Entity; readonly component: AnyObject }>
>()

const merged = mergeWorld(world, bytes)
expectType<Equal<typeof merged, Merged>>()
mergeWorld(world, bytes, { components: [Position] })

expectType<Equal<ReturnType<typeof saveToJSON>, string>>()
expectType<Equal<ReturnType<typeof loadFromJSON>, Loaded>>()

const Health = component(
  'Health',
  { hp: u16, max: u16 },
  {
    version: 2,
    storage: sparse,
    migrate: { 1: (old: { points: number }) => ({ hp: old.points, max: 100 }) },
  },
)
expectType<Equal<typeof Health.storage, 'sparse'>>()

// @ts-expect-error -- components are required
loadWorld(bytes, {})
// @ts-expect-error -- text is for loadFromJSON
loadWorld('text', { components: [] })
// @ts-expect-error -- a component with values is none
saveWorld(world, { only: [Position({ x: 1 })] })
// @ts-expect-error -- every world can save: no option lets it
createWorld({ saves: {} })
// @ts-expect-error -- a version is a number
component('A', {}, { version: '2' })
// @ts-expect-error -- a migration is a function
component('A', {}, { version: 2, migrate: { 1: 5 } })
// @ts-expect-error -- they are read-only
loaded.handles.set(1, 2)
