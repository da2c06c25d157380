// The program of garbage.once.test.js: it prints, as JSON, how many bytes a frame of each kind leaves. It uses the library as it
// ships, in a process of its own, because it asks V8 what is in use: `node --expose-gc`.

import {
  component,
  createHistory,
  createSchedule,
  createWorld,
  f32,
  resource,
  restoreWorld,
  snapshotWorld,
  spawnMany,
  tag,
  text,
} from '../../dist/index.js'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Name = component('Name', { value: text })
const Red = tag('Red')
const Time = resource('Time', { now: f32 })

/** So few that V8 collects nothing meanwhile. */
const FRAMES = 300
const ROUNDS = 11

/** The median of several rounds, once what a frame does is compiled. */
function bytesOf(frame) {
  for (let i = 0; i < 10_000; i++) frame()
  const rounds = Array.from({ length: ROUNDS }, () => {
    globalThis.gc()
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < FRAMES; i++) frame()
    return (process.memoryUsage().heapUsed - before) / FRAMES
  })
  return rounds.sort((a, b) => a - b)[(ROUNDS - 1) / 2]
}

const emptyWorld = () => createWorld({ memory: { initial: 4 * 2 ** 20 } })

function filledWorld() {
  const world = emptyWorld()
  spawnMany(world, 2000, [Position, Velocity({ x: 1 })])
  spawnMany(world, 10, [Name({ value: 'n' }), Red])
  world.resource(Time)
  createSchedule(world, { timing: false })
    .phase('physics', { after: 'pre', fixedStep: 0.1 })
    .add(() => {}, { every: 3 })
  return world
}

/** Makes a world, and what it does in a frame. */
const FRAMES_OF = {
  saving() {
    const history = createHistory(filledWorld(), { frames: 9 })
    return () => history.save()
  },
  'writing a snapshot again'() {
    const world = filledWorld()
    const options = { into: snapshotWorld(world) }
    return () => snapshotWorld(world, options)
  },
  restoring() {
    const world = filledWorld()
    const before = snapshotWorld(world)
    return () => restoreWorld(world, before)
  },
  'looping after a rewind'() {
    const world = filledWorld()
    const history = createHistory(world, { frames: 3 })
    const moving = world.query(Position, Velocity)
    const loop = () => {
      for (const chunk of moving) {
        const { x } = chunk.write(Position)
        const { x: vx } = chunk.read(Velocity)
        for (let i = chunk.start; i < chunk.end; i++) x[i] = x[i] + vx[i]
      }
    }
    return () => {
      loop()
      history.save()
      loop()
      history.save()
      history.rewind(1)
      loop()
    }
  },
  'finding everything anew'() {
    const world = emptyWorld()
    const empty = snapshotWorld(world)
    return () => {
      // A time that did not know the components yet.
      restoreWorld(world, empty)
      world.spawn(Position, Velocity)
      for (const chunk of world.query(Position, Velocity)) chunk.write(Position)
      for (const chunk of world.query(Velocity)) chunk.write(Velocity)
    }
  },
}

const bytes = Object.entries(FRAMES_OF).map(([name, make]) => [name, Math.round(bytesOf(make()))])
console.log(JSON.stringify(Object.fromEntries(bytes)))
