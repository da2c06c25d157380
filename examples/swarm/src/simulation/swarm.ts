// The simulation as the page sees it: one world, its schedule, and what a person can do to it.

import {
  createSchedule,
  createWorld,
  digestWorld,
  isStrataError,
  removeMany,
  type Entity,
  type Workers,
} from 'strata-ecs'
import * as c from './components.ts'
import { createHand, type Input, Journal } from './inputs.ts'
import { createKernels } from './kernels.ts'
import { createLoops } from './loops.ts'
import { LIGHTNING_SECONDS, STEP } from './settings.ts'
import * as systems from './systems.ts'
import { nearest } from './torus.ts'

const { Clock, Picked, Position, Prey, Sparks, Wish } = c

export interface SwarmOptions {
  /** How many prey, 0 to MOST_PREY; default 50,000. */
  readonly prey?: number
  /** Equal seeds give equal worlds; default 1. */
  readonly seed?: number
  /** Inner loops as kernels, else as TypeScript; default true. */
  readonly kernels?: boolean
  /** Threads that run kernels too: the world is the same without. */
  readonly workers?: Workers
  /** The core, for worlds over the checked one. */
  readonly module?: WebAssembly.Module
}

/** What the simulation is about. Which agent a person looks at is not. */
const SIMULATED = [Position, c.Velocity, Prey, c.Burning, c.Hunter, c.Hunger, c.Name] as const

export type Swarm = ReturnType<typeof createSwarm>

export function createSwarm(options: SwarmOptions = {}) {
  const { prey = 50_000, seed = 1, kernels = true, workers, module } = options
  const world = createWorld({ workers, ...(module && { core: module }) })
  world.setResource(Clock, { tick: 0, seed })
  world.setResource(Wish, { prey })
  world.setResource(Sparks, [])
  systems.scatter(world, prey, seed)
  systems.loose(world, seed + 1)

  const everyPrey = world.query(Prey)
  const perform = createHand(world, seed)
  const journal = new Journal()
  const picked = world.query(Picked)
  const everyone = world.query(Position)
  const [inKernels, inLoops] = [createKernels(world), createLoops(world)]
  let inner = kernels ? inKernels : inLoops

  const schedule = createSchedule(world)
    .add(() => inner.gather(), { name: 'gather' })
    .add(systems.createWind(world), { name: 'wind' })
    .add(systems.createFear(world), { name: 'fear' })
    .add(() => inner.settle(), { name: 'settle' })
    .add(systems.createLightning(world), { name: 'lightning', interval: LIGHTNING_SECONDS })
    .add(systems.createSparks(world), { name: 'sparks' })
    .add(() => inner.look(), { name: 'look' })
    .add(() => inner.fly(), { name: 'fly' })
    .add(() => inner.burn(), { name: 'burn' })
    .add(systems.createHunt(world), { name: 'hunt' })
    .add(systems.createProwl(world), { name: 'prowl' })
    .add(systems.createIgnition(world), { name: 'ignite' })
    .add(systems.createAshes(world), { name: 'ashes' })
    .add(systems.createBirths(world), { name: 'births' })
    .add(() => void world.resource(Clock).tick++, { name: 'clock' })

  /** Does what a person does now, and notes it. In the past, this is where another future begins. */
  function act(input: Input): void {
    perform(input)
    journal.add(world.resource(Clock).tick, input)
  }

  /** Does what was noted for this moment and is not done yet. A link may tell of what cannot be done: that is left out. */
  function catchUp(): void {
    const { tick } = world.resource(Clock)
    for (let entry = journal.take(tick); entry !== undefined; entry = journal.take(tick)) {
      try {
        perform(entry)
      } catch (error) {
        if (!isStrataError(error)) throw error
      }
    }
  }

  return {
    world,
    schedule,
    /** What there is to draw: all have Position and Velocity. */
    flock: c.flockOf(world),
    burning: c.burningOf(world),
    hunters: c.huntersOf(world),
    picked,
    /** How many prey there should be: more come at once, too many go at once. */
    get prey() {
      return world.resource(Wish).prey
    },
    set prey(count: number) {
      act({ kind: 'prey', count })
    },
    get population() {
      return everyPrey.count
    },
    /** Whether the inner loops are kernels, or TypeScript. Both come to the same bits: it may change at any time. */
    get kernels() {
      return inner === inKernels
    },
    set kernels(on: boolean) {
      inner = on ? inKernels : inLoops
    },
    get tick() {
      return world.resource(Clock).tick
    },
    /** Moves everything on by STEP seconds. */
    step() {
      catchUp()
      schedule.run(STEP)
    },
    /** Lets fire fall on a place, in the next step; lengths in units. */
    ignite(x: number, y: number, radius: number) {
      act({ kind: 'fire', x, y, radius })
    },
    /** The agent nearest to a point, NULL_ENTITY when none is so near; lengths in units. */
    nearest(x: number, y: number, within: number): Entity {
      return nearest(world, everyone, x, y, within)
    },
    /** Picks an agent, in place of the one before; NULL_ENTITY: none. */
    pick(entity: Entity) {
      removeMany(picked, Picked)
      if (world.isAlive(entity)) world.add(entity, Picked)
    },
    /** What equal seeds give equal worlds by. */
    seed,
    journal,
    act,
    catchUp,
    /** One number for all that the simulation is about. */
    digest: () => digestWorld(world, ...SIMULATED),
    dispose() {
      schedule.dispose()
      world.dispose()
    },
  }
}
