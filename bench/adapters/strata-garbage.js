// Owns the strata-ecs side of the case of garbage: frames that loop, read, change, spawn and destroy, written with the
// public names only, from the built package. It must never make anything anew in a frame that a program would keep.
import { component, createWorld, f32, tag } from '../../dist/index.js'
import { RING, STEP } from '../cases/garbage.js'

const Position = component('Position', { x: f32, y: f32, z: f32 })
const Velocity = component('Velocity', { x: f32, y: f32, z: f32 })
const Frozen = tag('Frozen')

/** @param frameOf given the stage, makes the work of one frame, in which the first entity moves by STEP */
const frames = (frameOf) => (size) => {
  const world = createWorld()
  const moving = world.query(Position, Velocity)
  const handles = world.spawnMany(size, [Position, Velocity({ x: STEP })])
  function move() {
    for (const chunk of moving) {
      const { x } = chunk.write(Position)
      const velocity = chunk.read(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) x[i] += velocity.x[i]
    }
  }
  return {
    run: frameOf({ world, moving, handles, move }),
    result: () => [
      handles.filter((handle) => world.has(handle, Position, Velocity)).length,
      world.get(handles[0], Position).x,
    ],
  }
}

const expertLoop =
  ({ moving }) =>
  () => {
    for (const chunk of moving) {
      const heap = chunk.heap.f32
      const x = chunk.index(Position, 'x')
      const vx = chunk.index(Velocity, 'x')
      for (let i = chunk.start; i < chunk.end; i++) heap[x + i] += heap[vx + i]
      chunk.touch(Position)
    }
  }

function eachLoop({ moving }) {
  const moveOne = (entity, position, velocity) => {
    position.x += velocity.x
  }
  return () => moving.each(moveOne)
}

function accessorReads({ world, handles }) {
  const positions = world.accessor(Position)
  return () => {
    for (let i = 0; i < 100; i++) positions.of(handles[i]).x += STEP
  }
}

const withTags =
  ({ world, handles, move }) =>
  () => {
    move()
    for (let i = 0; i < 100; i++) world.add(handles[i], Frozen)
    for (let i = 0; i < 100; i++) world.remove(handles[i], Frozen)
  }

const withComponents =
  ({ world, handles, move }) =>
  () => {
    move()
    for (let i = 0; i < 100; i++) world.remove(handles[i], Velocity)
    for (let i = 0; i < 100; i++) world.add(handles[i], Velocity)
    for (let i = 0; i < 100; i++) world.set(handles[i], Velocity, MOVING)
  }

const MOVING = { x: STEP }

/** Spawns into and destroys from a ring, so that the oldest goes first. */
function createRing(world, spawn) {
  const ring = new Uint32Array(RING)
  for (let i = 0; i < RING; i++) ring[i] = spawn(world)
  let next = 0
  return function turn(count) {
    for (let i = 0; i < count; i++) {
      world.destroy(ring[next])
      ring[next] = spawn(world)
      next = (next + 1) % RING
    }
  }
}

const spawnBare = (world) => world.spawn(Position, Velocity)
const spawnWithValues = (world) => world.spawn(Position({ x: 1.5 }), Velocity)

function withSpawns({ world, move }) {
  const turn = createRing(world, spawnBare)
  return () => {
    move()
    turn(100)
  }
}

const withAll =
  (spawn) =>
  ({ world, handles, move }) => {
    const turn = createRing(world, spawn)
    return () => {
      move()
      turn(10)
      for (let i = 0; i < 10; i++) world.add(handles[i], Frozen)
      for (let i = 0; i < 10; i++) world.remove(handles[i], Frozen)
    }
  }

function withBulk({ world, moving, move }) {
  const frozen = world.query(Position, Frozen)
  const short = world.query(Frozen)
  return () => {
    move()
    moving.add(Frozen)
    frozen.remove(Frozen)
    world.spawnMany(10, [Frozen])
    short.destroy()
  }
}

export const garbageWays = {
  garbage: {
    'chunk loop, views': frames(({ move }) => move),
    'chunk loop, expert path': frames(expertLoop),
    'each with cursors': frames(eachLoop),
    '100 x accessor': frames(accessorReads),
    'chunk loop + 100 x add and remove a tag': frames(withTags),
    'chunk loop + 100 x add and remove a component, and set it': frames(withComponents),
    'chunk loop + 100 x spawn and destroy': frames(withSpawns),
    'chunk loop + 10 of each: spawn, destroy, add, remove': frames(withAll(spawnBare)),
    'the same with values: spawn(C({...}), C)': frames(withAll(spawnWithValues)),
    'chunk loop + add, remove and destroy by query, spawnMany': frames(withBulk),
  },
}
