// The program that replays the examples: it runs each of them, takes it back, and runs it again. It is bundled for several
// engines.

import { digestWorld, restoreWorld, snapshotWorld } from 'strata-ecs'
import * as ants from '../../../examples/colony/components.js'
import { createColony } from '../../../examples/colony/schedule.js'
import { createGravity } from '../../../examples/epidemic/gravity.js'
import { createModel, createParameters } from '../../../examples/epidemic/model.js'
import { createSwarm } from '../../../examples/swarm/src/simulation/swarm.ts'
import * as kernels from '../../../build/epidemic/places.kernel.js'

/** Frames that each example runs twice. */
const FRAMES = 1000
const DAYS = 60
/** Looks at the digest on the way: the last one alone would not tell where two runs part. */
const LOOKS = 10

const examples = {
  colony() {
    const { world, schedule } = createColony({ ants: 600, seed: 7 })
    // The observer's diary is a JavaScript object: that of an ant which has died is closed, and not written again.
    const { Diary: _diary, Settings, Time, Totals, ...rest } = ants
    const seen = [...Object.values(rest).filter((each) => each?.componentName), Settings, Time, Totals]
    const digested = () => digestWorld(world, ...seen)
    return { world, frames: FRAMES, step: () => schedule.run(ants.HOURS_PER_FRAME), digest: digested }
  },
  swarm() {
    const swarm = createSwarm({ prey: 1500, seed: 7 })
    const step = (frame) => {
      if (frame % 100 === 20) swarm.ignite((frame * 7) % 1000, (frame * 3) % 1000, 60)
      swarm.step()
    }
    return { world: swarm.world, frames: FRAMES, step }
  },
  epidemic(cities) {
    const startCity = 0
    const parameters = createParameters({
      seed: 7,
      r0: 12,
      startCity,
      startPopulation: cities.population[startCity],
    })
    const model = createModel(cities, createGravity(cities), parameters, kernels)
    return { world: model.world, frames: DAYS, step: (day) => model.step(day) }
  },
}

export const NAMES = Object.keys(examples)

/**
 * Digests of two runs of an example from the same snapshot.
 *
 * @param {string} name
 * @param {object} cities the input of the epidemic: see examples/epidemic/cities.js
 */
export function replay(name, cities) {
  const { world, frames, step, digest: digested = () => digestWorld(world) } = examples[name](cities)
  // Not the first frame: there, little is there that could be forgotten.
  const lead = frames / 10
  for (let frame = 1; frame <= lead; frame++) step(frame)
  const before = snapshotWorld(world)
  const run = () => {
    const digests = []
    for (let frame = lead + 1; frame <= lead + frames; frame++) {
      step(frame)
      if ((frame - lead) % (frames / LOOKS) === 0) digests.push(digested())
    }
    return digests
  }
  const first = run()
  restoreWorld(world, before)
  const second = run()
  const { size } = new Set(first)
  world.dispose()
  return { first, second, different: size }
}
