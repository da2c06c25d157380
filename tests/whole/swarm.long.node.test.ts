// Shows the swarm's simulation without a page: kernels and loops give one world, it follows its settings, and fire, eyes and
// hands reach over the edges of the square.

import { NULL_ENTITY, type Entity } from 'strata-ecs'
import { checkedCore } from 'strata-ecs/checked'
import { expect, inject, it, onTestFinished } from 'vitest'
import * as components from '../../examples/swarm/src/simulation/components.ts'
import { HUNTERS, LIGHTNING_SECONDS, SIZE, STEP } from '../../examples/swarm/src/simulation/settings.ts'
import { createSwarm, type Swarm, type SwarmOptions } from '../../examples/swarm/src/simulation/swarm.ts'
import type { World } from '../../bindings/index'
import { eagerWorkers } from '../../packages/workers/tests/support/dividing'
import { checkInvariants } from '../support/invariants'
import { stateOf } from '../support/swarmState.ts'

const { Burning, Hunger, Hunter, Picked, Position, Prey, Velocity } = components

/** The core that this run of the suite is about, from the built package: so is what examples import. */
const core = inject('core')
const module = core === 'release' ? undefined : checkedCore({ stress: core === 'stress' })
/** The checked core is many times slower. */
const PREY = module ? 2_000 : 8_000

function swarmOf(options: SwarmOptions = {}): Swarm {
  const swarm = createSwarm({ prey: PREY, seed: 7, ...options, ...(module && { module }) })
  onTestFinished(() => swarm.dispose())
  return swarm
}

const check = (swarm: Swarm) => checkInvariants(swarm.world as unknown as World)
const state = (swarm: Swarm) => stateOf(swarm, components)

/** Makes steps, and looks at all of the memory behind every fifty of them. */
function steps(swarm: Swarm, count: number) {
  for (let k = 1; k <= count; k++) {
    swarm.step()
    if (k % 50 === 0) check(swarm)
  }
}

it('kernels, loops and both alternately give the same world to the last bit, while it burns, hunts and breeds', () => {
  const [inKernels, inLoops, inTurns] = [swarmOf({ kernels: true }), swarmOf({ kernels: false }), swarmOf()]
  let [mostBurning, born, caught] = [0, 0, 0]
  for (let round = 0; round < 6; round++) {
    for (const swarm of [inKernels, inLoops, inTurns]) {
      swarm.ignite(200 * round, 1000 - 100 * round, 80)
      for (let k = 0; k < 50; k++) {
        if (swarm === inTurns) swarm.kernels = k % 3 === 0
        const before = swarm.population
        swarm.step()
        mostBurning = Math.max(mostBurning, swarm.burning.count)
        born += Math.max(0, swarm.population - before)
      }
      check(swarm)
    }
    expect(state(inLoops)).toEqual(state(inKernels))
    expect(state(inTurns)).toEqual(state(inKernels))
  }
  inKernels.hunters.each((_, __, ___, hunter) => void (caught += hunter.caught))
  // Else the comparison would say little.
  expect(Math.min(mostBurning, born, caught)).toBeGreaterThan(10)
  expect(state(swarmOf({ seed: 8 }))['Position.x']).not.toBe(state(swarmOf())['Position.x'])
})

it('any number of workers gives the same world to the last bit, with kernels and with loops alternately', () => {
  // Large enough for more than one chunk of those that fly.
  const alone = swarmOf({ prey: 20_000 })
  const pools = [eagerWorkers(1), eagerWorkers(2)]
  const shared = pools.map((workers) => swarmOf({ prey: 20_000, workers }))
  for (let round = 0; round < 3; round++) {
    for (const swarm of [alone, ...shared]) {
      swarm.ignite(200 * round, 1000 - 100 * round, 80)
      for (let k = 0; k < 20; k++) {
        swarm.kernels = k % 4 > 0
        swarm.step()
      }
      check(swarm)
    }
    for (const swarm of shared) {
      expect(swarm.digest()).toBe(alone.digest())
      expect(state(swarm)).toEqual(state(alone))
    }
  }
  for (const pool of pools) {
    const { kernels } = pool.stats()
    const divided = kernels.filter((each) => each.divided > 0).map(({ kernel }) => kernel)
    // Over the checked core, and where a resource is written, one thread runs all rows.
    expect(divided).toEqual(module ? [] : expect.arrayContaining(['look']))
    expect(kernels.find(({ kernel }) => kernel === 'gather')).toMatchObject({
      divided: 0,
      why: expect.any(String),
    })
  }
})

it('all agents stay in the square; lightning strikes, hunters that have caught something digest and hunt again', () => {
  const swarm = swarmOf()
  const digesting = new Set<Entity>()
  const hungryAgain = new Set<Entity>()
  let struck = false
  for (let k = 0; k < (LIGHTNING_SECONDS + 1.5) / STEP; k++) {
    swarm.step()
    struck ||= swarm.burning.count > 0
    for (const hunter of swarm.hunters.entities() as Iterable<Entity>)
      if (!swarm.world.isEnabled(hunter, Hunger)) digesting.add(hunter)
      else if (digesting.has(hunter)) hungryAgain.add(hunter)
  }
  check(swarm)
  expect(struck).toBe(true)
  expect(digesting.size).toBeGreaterThan(1)
  expect(hungryAgain.size).toBeGreaterThan(0)
  for (const hunter of digesting) expect(swarm.world.get(hunter, Hunter)!.caught).toBeGreaterThan(0)
  swarm.world.query(Position, Velocity).each((_, { x, y }, velocity) => {
    expect(x >= 0 && x <= SIZE && y >= 0 && y <= SIZE).toBe(true)
    expect(Number.isFinite(velocity.x + velocity.y)).toBe(true)
  })
})

it('agents that burn die, and others are born in their place', () => {
  const swarm = swarmOf()
  swarm.ignite(SIZE / 2, SIZE / 2, 200)
  steps(swarm, 10)
  const burning = [...swarm.burning.entities()]
  expect(burning.length).toBeGreaterThan(20)
  steps(swarm, 100)
  expect(burning.filter((entity) => swarm.world.isAlive(entity))).toEqual([])
  while (swarm.burning.count > 0) swarm.step()
  const after = swarm.population
  expect(after).toBeLessThan(PREY)
  steps(swarm, 20)
  expect(swarm.population).toBeGreaterThan(after)
})

it.each([true, false])('the wish for prey is followed at once, up and down (kernels: %s)', (kernels) => {
  const swarm = swarmOf({ kernels })
  for (const wish of [0, 1_000, 0, PREY, 1]) {
    swarm.prey = wish
    expect([swarm.prey, swarm.population]).toEqual([wish, wish])
    // While some burn, too.
    swarm.ignite(300, 300, 150)
    steps(swarm, 50)
    expect(swarm.population).toBeLessThanOrEqual(wish)
    expect(swarm.hunters.count).toBe(HUNTERS)
  }
  for (const entity of [...swarm.world.query(Prey).entities()]) swarm.world.destroy(entity)
  // Nobody is left to be a parent.
  steps(swarm, 5)
  expect(swarm.population).toBeGreaterThan(0)
})

const CORNERS = [[1, 1], [SIZE - 1, 1], [1, SIZE - 1], [SIZE - 1, SIZE - 1]] as const // prettier-ignore

it('the edges join: the nearest agent is found, and fire falls, on any side', () => {
  const swarm = swarmOf({ prey: 0 })
  const preyAt = (x: number, y: number) => swarm.world.spawn(Position({ x, y }), Velocity, Prey)
  for (const hunter of [...swarm.hunters.entities()]) swarm.world.destroy(hunter)
  for (const [x, y] of CORNERS) {
    const across = preyAt(SIZE - x, SIZE - y)
    const inside = preyAt(x + Math.sign(SIZE / 2 - x) * 6, y)
    // Two units away on both axes, over both edges.
    expect(swarm.nearest(x, y, 4)).toBe(across)
    expect(swarm.nearest(x, y, 2.5)).toBe(NULL_ENTITY)
    swarm.world.destroy(across)
    expect(swarm.nearest(x, y, 7)).toBe(inside)
    swarm.world.destroy(inside)
  }
  const prey = [...CORNERS.map(([x, y]) => preyAt(x, y)), preyAt(SIZE / 2, SIZE / 2)]
  swarm.prey = 5
  swarm.ignite(0, 0, 24)
  swarm.step()
  expect(prey.map((entity) => swarm.world.has(entity, Burning))).toEqual([true, true, true, true, false])
})

it('one agent is picked at a time, and none once it is dead', () => {
  const swarm = swarmOf()
  const [first, second] = [swarm.flock.at(0), swarm.flock.at(1)] as [Entity, Entity]
  swarm.pick(first)
  swarm.pick(second)
  expect([...swarm.picked.entities()]).toEqual([second])
  expect(swarm.world.has(second, Picked)).toBe(true)
  swarm.world.destroy(first)
  swarm.pick(first)
  expect(swarm.picked.count).toBe(0)
})
