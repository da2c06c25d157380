// Shows what is inferred for snapshots, histories and replays, and what does not compile.

/* eslint-disable @typescript-eslint/no-unused-vars -- values are made here for their types alone */

import {
  checkReplay,
  component,
  createHistory,
  createWorld,
  digestWorld,
  f32,
  object,
  onRestore,
  resource,
  restoreWorld,
  snapshotWorld,
  type AnyObject,
  type Entity,
  type History,
  type RestoreReport,
  type Snapshot,
  type World,
  forkWorld,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32 })
const Time = resource('Time', { dt: f32 })
const world = createWorld()

const before = snapshotWorld(world)
expectType<Equal<typeof before, Snapshot>>()
expectType<Equal<ReturnType<typeof forkWorld>, World>>()
expectType<Equal<ReturnType<typeof digestWorld>, number>>()
snapshotWorld(world, { into: before })
snapshotWorld(world, { into: undefined })
restoreWorld(world, before)
digestWorld(world, Position, Time)
// @ts-expect-error -- a snapshot is made by snapshot
restoreWorld(world, { byteLength: 1, tick: 1, entities: 1 })
// @ts-expect-error -- a snapshot can be looked at, not changed
before.tick = 2
// @ts-expect-error -- neither is a component
digestWorld(world, 'Position', 3)

const stop = onRestore(world, (restored, report) => {
  expectType<Equal<typeof restored, World>>()
  expectType<Equal<typeof report, RestoreReport>>()
  for (const { entity, component: lost } of report.absent) {
    expectType<Equal<typeof entity, Entity>>()
    expectType<Equal<typeof lost, AnyObject>>()
  }
})
expectType<Equal<typeof stop, () => void>>()

const history = createHistory(world, { frames: 9 })
expectType<Equal<typeof history, History>>()
expectType<Equal<ReturnType<typeof history.rewind>, boolean>>()
// @ts-expect-error -- how many frames is not left to chance
createHistory(world)
// @ts-expect-error -- where a history stands is read
history.frame = 3

const report = checkReplay(world, () => world.advanceTick(), { frames: 8 })
expectType<Equal<typeof report.equal, boolean>>()
expectType<Equal<typeof report.frame, number | undefined>>()
expectType<Equal<typeof report.component, string | undefined>>()
expectType<Equal<typeof report.entity, Entity | undefined>>()

class Mesh {
  readonly kind = 'mesh'
}
object<Mesh>('Mesh', {
  revive: (entity, restored) => {
    expectType<Equal<typeof entity, Entity>>()
    expectType<Equal<typeof restored, World>>()
    return new Mesh()
  },
})
// @ts-expect-error -- what is revived is what the component holds
object<Mesh>('Wrong', { revive: () => 'mesh' })

class Random {
  constructor(readonly state: number) {}
}
resource<Random>('Rng', { save: (rng) => rng.state, load: (state: number) => new Random(state) })
// @ts-expect-error -- what cannot be loaded need not be saved
resource<Random>('Half', { save: (rng) => rng.state })
// @ts-expect-error -- what is loaded is what the resource holds
resource<Random>('Other', { save: (rng) => rng.state, load: () => 3 })
