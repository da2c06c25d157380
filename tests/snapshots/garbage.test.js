// Owns the promise that saving, going back and going on leave no garbage, frame after frame.
// It must never let a collection hide what was allocated: the least of several rounds counts, each too short for one.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
// As it ships: where vitest stands between two modules, it leaves garbage of its own.
import {
  component,
  createHistory,
  createSchedule,
  createWorld,
  f32,
  resource,
  tag,
  text,
} from '../../dist/index.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Name = component('Name', { value: text })
const Red = tag('Red')
const Time = resource('Time', { now: f32 })
const FRAMES = 300
/**
 * What V8 itself may leave of a frame: in one process of several it goes on boxing up to six numbers, 16 bytes each. Views
 * over the pages of a world, which must not be made anew, take thousands.
 */
const MOST_BYTES = 128

/** On a busy machine V8 compiles late: until then there is garbage of its making. */
const MOST_ROUNDS = 60

function bytesOfFrame(frame) {
  for (let i = 0; i < 3000; i++) frame()
  let least = Infinity
  for (let round = 0; round < MOST_ROUNDS && least > MOST_BYTES * FRAMES; round++) {
    collect()
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < FRAMES; i++) frame()
    least = Math.min(least, Math.max(0, process.memoryUsage().heapUsed - before))
  }
  return least / FRAMES
}

function filled() {
  const world = createWorld({ memory: { initial: 4 * 2 ** 20 } })
  world.spawnMany(2000, [Position, Velocity({ x: 1 })])
  world.spawnMany(10, [Name({ value: 'n' }), Red])
  world.resource(Time)
  createSchedule(world, { timing: false })
    .phase('physics', { after: 'pre', fixedStep: 0.1 })
    .add(() => {}, { every: 3 })
  return world
}

describe('in steady state', () => {
  it('A history saves without garbage', () => {
    const history = createHistory(filled(), { frames: 9 })
    expect(bytesOfFrame(() => history.save())).toBeLessThan(MOST_BYTES)
  })

  it('A snapshot is written again without garbage', () => {
    const world = filled()
    const options = { into: world.snapshot() }
    expect(bytesOfFrame(() => void world.snapshot(options))).toBeLessThan(MOST_BYTES)
  })

  it('A world goes back without garbage', () => {
    const world = filled()
    const before = world.snapshot()
    expect(bytesOfFrame(() => world.restore(before))).toBeLessThan(MOST_BYTES)
  })

  it('A loop after a rewind finds what it knew', () => {
    const world = filled()
    const history = createHistory(world, { frames: 3 })
    const moving = world.query(Position, Velocity)
    const frame = () => {
      for (const chunk of moving) {
        const { x } = chunk.write(Position)
        const { x: vx } = chunk.read(Velocity)
        for (let i = chunk.start; i < chunk.end; i++) x[i] = x[i] + vx[i]
      }
    }
    const back = () => {
      frame()
      history.save()
      frame()
      history.save()
      history.rewind(1)
      frame()
    }
    // Where V8 does not put a loop into its function, each loop leaves up to 64 bytes. To find everything anew takes more
    // than ten times that, as a restore to a time shows that did not know the components yet.
    const before = createWorld({ memory: { initial: 4 * 2 ** 20 } })
    const empty = before.snapshot()
    const anew = () => {
      before.restore(empty)
      before.spawn(Position, Velocity)
      for (const chunk of before.query(Position, Velocity)) chunk.write(Position)
    }
    expect(bytesOfFrame(anew)).toBeGreaterThan(2000)
    expect(bytesOfFrame(back)).toBeLessThan(3 * 64 + MOST_BYTES)
  })
})
