// Which bodies there are at first: suns with planets, moons, stations, belts and rings.

import type { Entity, World } from 'strata-ecs'
import { BODIES, Body, ChildOf, Global, Local, Orbit } from './components.ts'

const [SUN, PLANET, MOON, STATION, DEBRIS] = [0, 1, 2, 3, 4]
export const KINDS = ['Sun', 'Planet', 'Moon', 'Station', 'Debris']

const SUNS = 7
/** Of a turn, so that any number of bodies are apart from each other. */
const GOLDEN = 0.618034
/** Of what is left once there are suns, planets, moons and stations: shares of belts, and of rings. The rest drifts. */
const BELTS = 0.46
const RINGS = 0.4

/** Numbers from 0 to below 1, the same ones each time. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

export function populate(world: World): Entity[] {
  const random = randomNumbers(7)
  const between = (low: number, high: number) => low + (high - low) * random()
  const bodies: Entity[] = []
  const spawn = (kind: number, radius: number, tilt: number, size: number, parent?: Entity): Entity => {
    // As Kepler has it, but slower far out, so that there is something to see everywhere.
    const speed = (0.11 / Math.pow(1 + radius, 0.62)) * (kind === DEBRIS ? between(0.9, 1.1) : 1)
    // Suns stand all around, the others anywhere.
    const phase = kind === SUN ? (bodies.length * GOLDEN) % 1 : random()
    const orbit = Orbit({ phase, speed, tilt, radius })
    const body = Body({ slot: bodies.length, kind, size })
    const entity =
      parent === undefined
        ? world.spawn(orbit, Local, Global, body)
        : world.spawn(orbit, Local, Global, body, ChildOf(parent))
    bodies.push(entity)
    return entity
  }
  const suns: Entity[] = []
  const planets: Entity[] = []
  const moons: Entity[] = []
  const stations: Entity[] = []
  for (let i = 0; i < SUNS; i++) {
    const radius = i === 0 ? 0 : 118 + 13 * i
    suns.push(spawn(SUN, radius, between(-0.12, 0.12), i === 0 ? 9 : between(3.6, 6)))
  }
  suns.forEach((sun, i) => {
    const count = i === 0 ? 9 : 5 + Math.floor(random() * 4)
    for (let k = 0; k < count; k++) {
      const radius = (i === 0 ? 13 + 6.6 * k : 7 + 2.4 * k) * between(0.94, 1.06)
      planets.push(spawn(PLANET, radius, between(-0.09, 0.09), between(0.5, 1.5), sun))
    }
  })
  for (const planet of planets) {
    const count = 3 + Math.floor(random() * 6)
    for (let k = 0; k < count; k++)
      moons.push(spawn(MOON, 2.7 + 0.42 * k, between(-0.3, 0.3), between(0.12, 0.3), planet))
  }
  for (const moon of moons)
    for (let k = 0; k < 12; k++)
      stations.push(spawn(STATION, between(0.35, 0.7), between(-1.5, 1.5), between(0.03, 0.06), moon))
  const debris = BODIES - bodies.length
  const pick = (from: readonly Entity[]) => from[Math.floor(random() * from.length)]
  for (let i = 0; i < debris; i++) {
    const share = i / debris
    const size = between(0.015, 0.05)
    if (share < BELTS) {
      const ofFirst = random() < 0.5
      // The sum of two gathers in the middle.
      const spread = random() + random()
      const ofInner = ofFirst && random() < 0.3
      const radius = ofInner ? 42.5 + 1.2 * spread : ofFirst ? 73 + 7 * spread * spread : 25 + 4 * spread
      const tilt = between(-0.05, 0.05)
      spawn(DEBRIS, radius, tilt, size * 1.8, ofFirst ? suns[0] : pick(suns.slice(1)))
    } else if (share < BELTS + RINGS) {
      // Every third planet has a ring, with a gap.
      const planet = planets[3 * Math.floor((random() * planets.length) / 3)]
      const part = random()
      spawn(DEBRIS, 1.55 + 0.9 * (part < 0.6 ? part : part + 0.15), 0.35, size, planet)
    } else spawn(DEBRIS, between(0.06, 0.2), between(-1.5, 1.5), size * 0.6, pick(stations))
  }
  return bodies
}
