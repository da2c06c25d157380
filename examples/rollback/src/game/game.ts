// One player's copy of the game: a world, its schedule, and the history that a rollback goes back in.

import { createHistory, createSchedule, createWorld, digestWorld } from 'strata-ecs'
import { random, randomFloat } from 'strata-ecs/kernel'
import { MOST_AHEAD, type Game } from '../net/session.ts'
import { Body, Clock, DT, HEIGHT, Inputs, Rock, ROCKS, Score, Ship, Shot, WIDTH } from './components.ts'
import * as systems from './systems.ts'

export type Arena = ReturnType<typeof createGame>

/** A new match. Equal seeds give equal matches. */
export function createGame(seed = 1) {
  const world = createWorld()
  world.setResource(Clock, { frame: 0, seed })
  world.setResource(Inputs, { first: 0, second: 0 })
  world.setResource(Score, { first: 0, second: 0 })
  for (const player of [0, 1]) {
    const side = player === 0 ? 1 : -1
    world.spawn(Body({ x: WIDTH / 2 - side * 150, y: HEIGHT * 0.7 }), Ship({ player, lookX: side, lookY: 0 }))
  }
  for (let k = 0; k < ROCKS / 2; k++) {
    const key = random(seed, 1_000_000 + k)
    systems.spawnRock(world, key, (randomFloat(key, 9) * HEIGHT) / 2)
  }

  const schedule = createSchedule(world, { timing: false })
    .add(systems.createSteering(world))
    .add(systems.createMotion(world))
    .add(systems.createHits(world))
    .add(systems.createCrashes(world))
    .add(systems.createRockfall(world))
    .add(() => void world.resource(Clock).frame++, { name: 'clock' })
  // To go back 8 frames takes 9 states: the present one is one of them.
  const history = createHistory(world, { frames: MOST_AHEAD + 1 })

  return {
    world,
    /** What there is to draw. */
    ships: world.query(Body, Ship),
    shots: world.query(Body, Shot),
    rocks: world.query(Body, Rock),
    get score(): readonly [first: number, second: number] {
      const { first, second } = world.resource(Score)
      return [first, second]
    },
    save: () => history.save(),
    rewind: (frames: number) => history.rewind(frames),
    step([first, second]: readonly [number, number]) {
      world.setResource(Inputs, { first, second })
      schedule.run(DT)
    },
    digest: () => digestWorld(world),
    dispose() {
      schedule.dispose()
      world.dispose()
    },
  } satisfies Game & Record<string, unknown>
}
