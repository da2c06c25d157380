// Owns what spiders do: choose an ant that walks, run after it, bite. It must never decide whether the ant survives.

import { Bitten, Spider, Walk } from '../components.js'
import { DX, DY, headingTo } from '../ground.js'
import { below, bitsOf, momentKey } from '../random.js'
import { Settings, Time } from '../resources.js'
import { STEPS_TO_DIGEST, VENOM } from '../settings.js'

export function createHunt(world) {
  const spiders = world.query(Spider)
  const walkers = world.query(Walk)
  const walks = world.accessor(Walk)

  return function hunt() {
    const { seed } = world.resource(Settings)
    const { step } = world.resource(Time)
    const key = momentKey(seed, step)
    const count = walkers.count
    if (count === 0) return

    spiders.each((entity, spider) => {
      if (step < spider.restsUntil) return
      // An ant that died is still named here until the next sweep. Its handle never leads to another ant.
      if (!world.has(spider.prey, Walk)) spider.prey = walkers.at(below(bitsOf(key, entity), count))
      const { x, y } = walks.of(spider.prey)
      if (x === spider.x && y === spider.y) {
        world.add(spider.prey, Bitten({ by: entity, venom: VENOM }))
        spider.restsUntil = step + STEPS_TO_DIGEST
        return
      }
      const heading = headingTo(x - spider.x, y - spider.y)
      spider.x += DX[heading]
      spider.y += DY[heading]
    })
  }
}
