// Owns the strata-ecs side of the cases about whole populations: made and destroyed, written one by one, and what they
// hold in memory. Written with the public names only, from the built package; it must never reach into the engine.
import { component, createWorld, f32 } from '../../dist/index.js'
import { shuffledOrder } from '../cases/get.js'
import { startX, startY, velocityX, velocityY } from '../cases/memory.js'
import { valueOf } from '../cases/set.js'
import { spawnKillScene } from './scenes.js'

const Position = component('Position', { x: f32, y: f32, z: f32 })
const Velocity = component('Velocity', { x: f32, y: f32, z: f32 })

function spawnKill(size, spawnAll, destroyAll) {
  const world = createWorld()
  const moving = world.query(Position, Velocity)
  const stage = { size, world, moving, position: world.accessor(Position), handles: new Uint32Array(size) }
  return spawnKillScene(size, {
    spawnAll: () => spawnAll(stage),
    destroyAll: () => destroyAll(stage),
    count: () => moving.count,
    alive: (k) => world.isAlive(stage.handles[k]),
    read: (k) => [Position, Velocity].flatMap((one) => Object.values(world.get(stage.handles[k], one))),
    soil() {
      for (const chunk of moving) {
        for (const column of Object.values(chunk.write(Position))) column.fill(7, chunk.start, chunk.end)
        for (const column of Object.values(chunk.write(Velocity))) column.fill(7, chunk.start, chunk.end)
      }
    },
  })
}

function spawnWithValues({ world, handles }) {
  for (let i = 0; i < handles.length; i++) handles[i] = world.spawn(Position({ x: i }), Velocity)
}

function spawnThenWrite({ world, position, handles }) {
  for (let i = 0; i < handles.length; i++) {
    const handle = world.spawn(Position, Velocity)
    position.of(handle).x = i
    handles[i] = handle
  }
}

function spawnInBulk(stage) {
  let next = 0
  stage.handles = stage.world.spawnMany(stage.size, [Position, Velocity], (chunk) => {
    const { x } = chunk.write(Position)
    for (let i = chunk.start; i < chunk.end; i++) x[i] = next++
  })
}

function destroyEach({ world, handles }) {
  for (let i = 0; i < handles.length; i++) world.destroy(handles[i])
}

const destroyMany = ({ world, handles }) => world.destroyMany(handles)
const destroyByQuery = ({ moving }) => moving.destroy()

function createStill(size) {
  const world = createWorld()
  const handles = world.spawnMany(size, [Position])
  return { world, handles, shuffled: shuffledOrder(size).map((i) => handles[i]) }
}

const valuesOfX = (world, handles) => Array.from(handles, (handle) => world.get(handle, Position).x)

function setByAccessor(size) {
  const { world, handles, shuffled } = createStill(size)
  const position = world.accessor(Position)
  let round = 0
  return {
    run() {
      round++
      for (let k = 0; k < size; k++) position.of(shuffled[k]).x = valueOf(k, round)
    },
    result: () => valuesOfX(world, handles),
  }
}

function setByValue(size) {
  const { world, handles, shuffled } = createStill(size)
  let round = 0
  return {
    run() {
      round++
      for (let k = 0; k < size; k++) world.set(shuffled[k], Position, { x: valueOf(k, round) })
    },
    result: () => valuesOfX(world, handles),
  }
}

const Place = component('Place', { x: f32, y: f32 })
const Motion = component('Motion', { x: f32, y: f32 })

function memory(options, spawnAll) {
  return (size) => {
    let world
    let moving
    return {
      run() {
        world = createWorld(options)
        moving = world.query(Place, Motion)
        spawnAll(world, size)
      },
      result() {
        const sums = [moving.count, 0, 0, 0, 0]
        moving.each((_, p, v) => {
          sums[1] += p.x
          sums[2] += p.y
          sums[3] += v.x
          sums[4] += v.y
        })
        return sums
      },
      statistics() {
        const { bytesUsed, bytesReserved } = world.stats()
        return { used: bytesUsed, reserved: bytesReserved }
      },
    }
  }
}

function fillEach(world, size) {
  for (let i = 0; i < size; i++) {
    world.spawn(Place({ x: startX(i), y: startY(i) }), Motion({ x: velocityX(i), y: velocityY(i) }))
  }
}

function fillInBulk(world, size) {
  let next = 0
  world.spawnMany(size, [Place, Motion], (chunk) => {
    const p = chunk.write(Place)
    const v = chunk.write(Motion)
    for (let i = chunk.start; i < chunk.end; i++, next++) {
      p.x[i] = startX(next)
      p.y[i] = startY(next)
      v.x[i] = velocityX(next)
      v.y[i] = velocityY(next)
    }
  })
}

/** A world reserves addresses ahead. One that starts small is grown by what it needs. */
const SMALL = { memory: { initial: 2 ** 20 } }

export const populationWays = {
  'spawn-kill': {
    'spawn(C({...}), C), destroy': (size) => spawnKill(size, spawnWithValues, destroyEach),
    'spawn(C, C), accessor, destroy': (size) => spawnKill(size, spawnThenWrite, destroyEach),
    'spawnMany, destroyMany': (size) => spawnKill(size, spawnInBulk, destroyMany),
    'spawnMany, query.destroy': (size) => spawnKill(size, spawnInBulk, destroyByQuery),
  },
  set: { 'accessor.of': setByAccessor, 'world.set': setByValue },
  memory: {
    'spawn(C({...})), 32 MB reserved': memory({}, fillEach),
    'spawnMany, 32 MB reserved': memory({}, fillInBulk),
    'spawn(C({...})), 1 MB at the start': memory(SMALL, fillEach),
    'spawnMany, 1 MB at the start': memory(SMALL, fillInBulk),
  },
}
