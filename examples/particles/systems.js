// Owns: what happens in a frame, a system for each step; simulation.js puts them in order.
// Must never: loop over all particles itself; the inner loops are handed in, so that there can be several versions.

import { cos, random, randomFloat, sin } from 'strata-ecs/kernel'
import { Drop, Figures, Glow, Life, Moment, Position, Velocity } from './components.js'
import { DARK, DROPS_PER_SPARK, FRAMES_PER_BURST, FRAMES_PER_SWING, SWING, WALL } from './settings.js'

const { fround } = Math
const TURN = 2 * Math.PI

/**
 * @typedef {object} Frame
 * @property {number} frame from 1
 * @property {number} reborn drops that began a new life
 * @property {number} lit sparks made by a burst
 * @property {number} burnt sparks destroyed
 * @property {number} sparks there are
 * @property {number} light of the sparks that are not dark
 * @property {number} highest of all particles, in metres
 */

/** Every particle flies on and bounces. */
export function createMotion(world, inner) {
  const particles = world.query(Position, Velocity)
  return function motion() {
    inner.move(particles)
  }
}

/** Drops age, die, and come out of the nozzle again. No entity is made or destroyed for that. */
export function createFountain(world, inner) {
  const drops = world.query(Position, Velocity, Life, Drop)
  return function fountain() {
    const { seed, frame } = world.getResource(Moment)
    const aim = fround(SWING * sin(fround((TURN * (frame % FRAMES_PER_SWING)) / FRAMES_PER_SWING)))
    world.resource(Figures).reborn = inner.age(drops, { seed, frame, aim })
  }
}

/** Sparks cool down, and those whose life is over are destroyed, in one call. */
export function createEmbers(world, inner) {
  const sparks = world.query(Glow, Life)
  const burnt = sparks.where(Life, 'left', '<=', 0)
  return function embers() {
    inner.cool(sparks)
    world.resource(Figures).burnt = burnt.destroy()
  }
}

/** Now and then a rocket bursts: its sparks are new entities, made in one call. */
export function createBursts(world) {
  return function bursts() {
    const { frame, seed, sparks } = world.getResource(Moment)
    if (frame % FRAMES_PER_BURST !== 0) return
    const key = random(seed, frame)
    const x = (randomFloat(key, 0) * 1.6 - 0.8) * WALL
    const y = 3.5 + randomFloat(key, 1) * 4
    let drawn = 2
    world.spawnMany(sparks, [Position, Velocity, Life, Glow], (chunk) => {
      const position = chunk.write(Position)
      const velocity = chunk.write(Velocity)
      const { left } = chunk.write(Life)
      const { heat } = chunk.write(Glow)
      for (let i = chunk.start; i < chunk.end; i++) {
        const angle = fround(TURN * randomFloat(key, drawn++))
        const speed = 0.5 + 7 * Math.sqrt(randomFloat(key, drawn++))
        position.x[i] = x
        position.y[i] = y
        velocity.x[i] = cos(angle) * speed
        velocity.y[i] = sin(angle) * speed
        left[i] = 0.8 + randomFloat(key, drawn++) * 1.2
        heat[i] = 1
      }
    })
    world.resource(Figures).lit = sparks
  }
}

/** Counts and measures. */
export function createCensus(world, inner) {
  const particles = world.query(Position)
  const sparks = world.query(Glow)
  const bright = sparks.where(Glow, 'heat', '>=', DARK)
  return function census() {
    const figures = world.resource(Figures)
    figures.sparks = sparks.count
    figures.light = inner.light(bright)
    figures.highest = inner.highest(particles)
  }
}

/** @returns {Frame} */
export function createFrame(frame) {
  return { frame, reborn: 0, lit: 0, burnt: 0, sparks: 0, light: 0, highest: 0 }
}

/** How many sparks a burst has in a simulation of so many drops. */
export const sparksOf = (drops) => Math.ceil(drops / DROPS_PER_SPARK)
