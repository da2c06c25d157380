// Garbage: what a frame of a game in steady state leaves on the heap, over many frames. Ways differ in what a frame does beside
// its loop; none makes anything anew in a frame that a program would keep.

const STEP = 0.5
/** What comes and goes lies in a ring of so many. */
const RING = 1_000

/** @param frameOf given the stage, makes the work of one frame, in which the first entity moves by STEP */
const frames = (frameOf) => async (size) => {
  const { component, createWorld, f32, tag } = await import('../../dist/index.js')
  const Position = component('Position', { x: f32, y: f32, z: f32 })
  const Velocity = component('Velocity', { x: f32, y: f32, z: f32 })
  const Frozen = tag('Frozen')
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
    run: frameOf({ world, moving, handles, move, Position, Velocity, Frozen }),
    result: () => [
      handles.filter((handle) => world.has(handle, Position, Velocity)).length,
      world.get(handles[0], Position).x,
    ],
  }
}

const expertLoop =
  ({ moving, Position, Velocity }) =>
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

function accessorReads({ world, handles, Position }) {
  const positions = world.accessor(Position)
  return () => {
    for (let i = 0; i < 100; i++) positions.of(handles[i]).x += STEP
  }
}

const withTags =
  ({ world, handles, move, Frozen }) =>
  () => {
    move()
    for (let i = 0; i < 100; i++) world.add(handles[i], Frozen)
    for (let i = 0; i < 100; i++) world.remove(handles[i], Frozen)
  }

const withComponents =
  ({ world, handles, move, Velocity }) =>
  () => {
    move()
    for (let i = 0; i < 100; i++) world.remove(handles[i], Velocity)
    for (let i = 0; i < 100; i++) world.add(handles[i], Velocity)
    for (let i = 0; i < 100; i++) world.set(handles[i], Velocity, MOVING)
  }

const MOVING = { x: STEP }

/** Spawns into and destroys from a ring, so that the oldest goes first. */
function createRing(stage, spawn) {
  const { world } = stage
  const ring = new Uint32Array(RING)
  for (let i = 0; i < RING; i++) ring[i] = spawn(stage)
  let next = 0
  return function turn(count) {
    for (let i = 0; i < count; i++) {
      world.destroy(ring[next])
      ring[next] = spawn(stage)
      next = (next + 1) % RING
    }
  }
}

const spawnBare = ({ world, Position, Velocity }) => world.spawn(Position, Velocity)
const spawnWithValues = ({ world, Position, Velocity }) => world.spawn(Position({ x: 1.5 }), Velocity)

function withSpawns(stage) {
  const { move } = stage
  const turn = createRing(stage, spawnBare)
  return () => {
    move()
    turn(100)
  }
}

const withAll = (spawn) => (stage) => {
  const { world, handles, move, Frozen } = stage
  const turn = createRing(stage, spawn)
  return () => {
    move()
    turn(10)
    for (let i = 0; i < 10; i++) world.add(handles[i], Frozen)
    for (let i = 0; i < 10; i++) world.remove(handles[i], Frozen)
  }
}

function withBulk({ world, moving, move, Position, Frozen }) {
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
  reference: (size, runs) => [size, runs * STEP],
  ways: {
    strata: {
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
  },
}
