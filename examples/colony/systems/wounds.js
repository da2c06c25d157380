// Owns what bites do. The mark is a frame component: whoever cares looks in the same frame, and nobody takes it away.

import { Bitten, Body, Spider } from '../components.js'

export function createWounds(world) {
  const wounded = world.query(Body, Bitten)
  const spiders = world.accessor(Spider)
  return function wounds() {
    wounded.each((ant, body, bite) => {
      body.energy -= bite.venom
      if (body.energy <= 0) spiders.of(bite.by).caught++
    })
  }
}
