// Garbage: what a frame of a game in steady state leaves on the heap, over many frames. Ways differ in what a frame does beside
// its loop; none makes anything anew in a frame that a program would keep.

import * as moving from './moving.js'

/** How far the first entity moves; and what comes and goes lies in a ring of so many. */
const [STEP, RING] = [moving.velocityX(0), 1_000]

/** @param frameOf given the stage, makes the work of one frame, in which the first entity moves by STEP */
const frames = (frameOf) => async (size) => {
  const stage = await moving.strata(size, 1)
  const { world, Position, Velocity, handles } = stage
  stage.fillMoving()
  function move() {
    for (const chunk of stage.moving) {
      const { x } = chunk.write(Position)
      const velocity = chunk.read(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) x[i] += velocity.x[i]
    }
  }
  return {
    run: frameOf({ ...stage, move, Frozen: stage.marks[0] }),
    result: () => [
      handles.filter((handle) => world.has(handle, Position, Velocity)).length,
      world.get(handles[0], Position).x,
    ],
  }
}

function byHeap({ moving, Position, Velocity }) {
  return () => {
    for (const chunk of moving) {
      const heap = chunk.heap.f32
      const x = chunk.index(Position, 'x')
      const vx = chunk.index(Velocity, 'x')
      for (let i = chunk.start; i < chunk.end; i++) heap[x + i] += heap[vx + i]
      chunk.markChanged(Position)
    }
  }
}

function byEach({ moving }) {
  const moveOne = (entity, position, velocity) => {
    position.x += velocity.x
  }
  return () => moving.each(moveOne)
}

function byAccessor({ handles, position }) {
  return () => {
    for (let i = 0; i < 100; i++) position.of(handles[i]).x += STEP
  }
}

const addTags = (count) =>
  function adding({ world, handles, Frozen }) {
    return () => {
      for (let i = 0; i < count; i++) world.add(handles[i], Frozen)
      for (let i = 0; i < count; i++) world.remove(handles[i], Frozen)
    }
  }

const MOVING = { x: STEP }

function setComponents({ world, handles, Velocity }) {
  return () => {
    for (let i = 0; i < 100; i++) world.remove(handles[i], Velocity)
    for (let i = 0; i < 100; i++) world.add(handles[i], Velocity)
    for (let i = 0; i < 100; i++) world.set(handles[i], Velocity, MOVING)
  }
}

const spawnBare = ({ world, Position, Velocity }) => world.spawn(Position, Velocity)
const spawnWithValues = ({ world, Position, Velocity }) => world.spawn(Position({ x: 1.5 }), Velocity)

/** Spawns into and destroys from a ring, so that the oldest goes first. */
const comeAndGo = (count, spawn) =>
  function coming(stage) {
    const ring = Uint32Array.from({ length: RING }, () => spawn(stage))
    let next = 0
    return () => {
      for (let i = 0; i < count; i++) {
        stage.world.destroy(ring[next])
        ring[next] = spawn(stage)
        next = (next + 1) % RING
      }
    }
  }

function inBulk({ library, world, moving, Position, Frozen }) {
  const { addMany, destroyMany, removeMany, spawnMany } = library
  const frozen = world.query(Position, Frozen)
  const short = world.query(Frozen)
  return () => {
    addMany(moving, Frozen)
    removeMany(frozen, Frozen)
    spawnMany(world, 10, [Frozen])
    destroyMany(short)
  }
}

/** A loop over chunks, then other work. */
const loopAnd = (...works) =>
  frames((stage) => {
    const [first, second] = works.map((work) => work(stage))
    return () => {
      stage.move()
      first()
      second?.()
    }
  })

export default {
  name: 'garbage',
  title: 'Garbage: what a frame leaves on the heap in steady state, 10,000 frames',
  unit: 'frame',
  units: 'entities',
  sizes: [10_000],
  quantity: 'garbage',
  frames: 10_000,
  /** The young generation is larger than anything these frames could leave: no collection hides a part of it. */
  flags: ['--max-semi-space-size=256', '--min-semi-space-size=256'],
  /** How many of those that stay are there, and where the first of them is. */
  reference: (size, runs) => [size, moving.startX(0) + runs * STEP],
  ways: {
    strata: {
      'chunk loop, views': frames(({ move }) => move),
      'chunk loop, expert path': frames(byHeap),
      'each with cursors': frames(byEach),
      '100 x accessor': frames(byAccessor),
      'chunk loop + 100 x add and remove a tag': loopAnd(addTags(100)),
      'chunk loop + 100 x add and remove a component, and set it': loopAnd(setComponents),
      'chunk loop + 100 x spawn and destroy': loopAnd(comeAndGo(100, spawnBare)),
      'chunk loop + 10 of each: spawn, destroy, add, remove': loopAnd(comeAndGo(10, spawnBare), addTags(10)),
      'the same with values: spawn(C({...}), C)': loopAnd(comeAndGo(10, spawnWithValues), addTags(10)),
      'chunk loop + add, remove and destroy by query, spawnMany': loopAnd(inBulk),
    },
  },
}
