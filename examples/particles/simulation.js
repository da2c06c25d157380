// Owns: the world, its first particles and its schedule; a frame is one run of the schedule.
// Must never: know what happens in a frame, which is in systems.js, nor which inner loops it runs with.

import { createSchedule, createWorld, optional } from 'strata-ecs'
import { random, randomFloat } from 'strata-ecs/kernel'
import { Drop, Figures, Glow, Life, Moment, Position, Velocity } from './components.js'
import { LONGEST_LIFE, SECONDS_PER_FRAME, WALL } from './settings.js'
import {
  createBursts,
  createCensus,
  createEmbers,
  createFountain,
  createFrame,
  createMotion,
  sparksOf,
} from './systems.js'

/** Metres. The first drops hang in the air up to here, as rain that has not fallen yet. */
const RAIN_HEIGHT = 9

/**
 * @param {object} options
 * @param {number} options.particles drops; sparks come and go in addition
 * @param {number} options.seed
 * @param {(world: import('strata-ecs').World) => import('./loops.js').InnerLoops} options.innerLoops
 * @param {object} [options.module] a core for createWorld
 */
export function createSimulation({ particles, seed, innerLoops, module }) {
  const world = createWorld({ module })
  world.setResource(Moment, { frame: 0, seed, sparks: sparksOf(particles) })
  spawnRain(world, particles, seed)

  const inner = innerLoops(world)
  const schedule = createSchedule(world)
    .add(createMotion(world, inner))
    .add(createFountain(world, inner))
    .add(createEmbers(world, inner))
    .add(createBursts(world))
    .add(createCensus(world, inner))

  /** @returns {import('./systems.js').Frame} */
  function runFrame() {
    const figures = createFrame(++world.resource(Moment).frame)
    world.setResource(Figures, figures)
    schedule.run(SECONDS_PER_FRAME)
    return figures
  }

  return {
    world,
    runFrame,
    drops: world.query(Position, Velocity, Life, optional(Glow), Drop),
    sparks: world.query(Position, Velocity, Life, Glow),
    stats: () => ({ ...world.stats(), systems: schedule.stats().systems }),
    dispose: () => world.dispose(),
  }
}

/** Their lives end one after the other, so that the fountain begins evenly. */
function spawnRain(world, count, seed) {
  const key = random(seed, 0)
  let drawn = 0
  world.spawnMany(count, [Position, Velocity, Life, Drop], (chunk) => {
    const { x, y } = chunk.write(Position)
    const { left } = chunk.write(Life)
    for (let i = chunk.start; i < chunk.end; i++) {
      x[i] = (randomFloat(key, drawn++) * 2 - 1) * WALL
      y[i] = randomFloat(key, drawn++) * RAIN_HEIGHT
      left[i] = randomFloat(key, drawn++) * LONGEST_LIFE
    }
  })
}
