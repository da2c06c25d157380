// Owns what being awake costs, once an hour. It must never feed anybody: eat.js and nurse.js do.

import { Awake, Body } from '../components.js'

export function createMetabolism(world) {
  const awake = world.query(Body, Awake)
  return function metabolism() {
    for (const chunk of awake) {
      const { energy } = chunk.write(Body)
      for (let i = chunk.start; i < chunk.end; i++) energy[i]--
    }
  }
}
