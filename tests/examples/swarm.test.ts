// Owns the proof of the swarm's simulation, without a page: kernels and loops give one world, it follows what is wished for,
// and fire, eyes and hands reach over the edges of the square. It must never judge how the swarm looks.

import { NULL_ENTITY, type Entity } from 'strata-ecs'
import { checkedCore } from 'strata-ecs/checked'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import * as components from '../../examples/swarm/src/simulation/components.ts'
import { HUNTERS, LIGHTNING_SECONDS, SIZE, STEP } from '../../examples/swarm/src/simulation/settings.ts'
import { createSwarm, type Swarm, type SwarmOptions } from '../../examples/swarm/src/simulation/swarm.ts'
import type { World } from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { stateOf } from '../support/swarmState.ts'

const { Burning, Hunger, Hunter, Picked, Position, Prey, Velocity } = components

/** The core that this run of the suite is about, from the built package: so is what examples import. */
const module = inject('core') === 'checked' ? checkedCore() : undefined
/** The checked core is many times slower. */
const PREY = module ? 2_000 : 8_000

function swarmOf(options: SwarmOptions = {}): Swarm {
  const swarm = createSwarm({ prey: PREY, seed: 7, ...options, ...(module && { module }) })
  onTestFinished(() => swarm.dispose())
  return swarm
}

/** Makes steps, and looks at all of the memory behind every fifty of them. */
function steps(swarm: Swarm, count: number) {
  for (let k = 1; k <= count; k++) {
    swarm.step()
    if (k % 50 === 0) check(swarm)
  }
}

const check = (swarm: Swarm) => checkInvariants(swarm.world as unknown as World)
const state = (swarm: Swarm) => stateOf(swarm, components)

/** One of the flock at a place, which it leaves only as it flies. */
function preyAt(swarm: Swarm, x: number, y: number): Entity {
  return swarm.world.spawn(Position({ x, y }), Velocity, Prey)
}

describe('kernels and loops', () => {
  it('give the same world to the last bit, while it burns, is hunted and bears', () => {
    const [inKernels, inLoops] = [swarmOf({ kernels: true }), swarmOf({ kernels: false })]
    let [mostBurning, born, caught] = [0, 0, 0]
    for (let round = 0; round < 6; round++) {
      for (const swarm of [inKernels, inLoops]) {
        swarm.ignite(200 * round, 1000 - 100 * round, 80)
        for (let k = 0; k < 50; k++) {
          const before = swarm.population
          swarm.step()
          mostBurning = Math.max(mostBurning, swarm.burning.count)
          born += Math.max(0, swarm.population - before)
        }
        check(swarm)
      }
      expect(state(inKernels)).toEqual(state(inLoops))
    }
    inKernels.hunters.each((_, __, ___, hunter) => void (caught += hunter.caught))
    expect(inKernels.tick).toBe(300)
    // Else the comparison would say little.
    expect(Math.min(mostBurning, born, caught)).toBeGreaterThan(10)
  })

  it('can take turns in one world', () => {
    const [steady, changing] = [swarmOf(), swarmOf()]
    for (let k = 0; k < 60; k++) {
      changing.kernels = k % 3 === 0
      expect(changing.kernels).toBe(k % 3 === 0)
      steady.step()
      changing.step()
    }
    expect(state(changing)).toEqual(state(steady))
  })
})

describe('a seed', () => {
  it('gives the same world each time', () => {
    const [one, other] = [swarmOf(), swarmOf()]
    expect(state(one)).toEqual(state(other))
    steps(one, 100)
    steps(other, 100)
    expect(state(one)).toEqual(state(other))
  })

  it('gives another world than another seed', () => {
    const [one, other] = [swarmOf({ seed: 1 }), swarmOf({ seed: 2 })]
    expect(state(one)['Position.x']).not.toBe(state(other)['Position.x'])
    expect(state(one)['Hunter handles']).toBe(state(other)['Hunter handles'])
  })
})

describe('the world', () => {
  it('keeps everybody in the square, and every number finite', () => {
    const swarm = swarmOf()
    steps(swarm, 200)
    for (const chunk of swarm.world.query(Position, Velocity)) {
      const { x, y } = chunk.read(Position)
      const { x: vx, y: vy } = chunk.read(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) {
        expect(x[i] >= 0 && x[i] <= SIZE && y[i] >= 0 && y[i] <= SIZE).toBe(true)
        expect(Number.isFinite(vx[i]) && Number.isFinite(vy[i])).toBe(true)
      }
    }
    expect(swarm.hunters.count).toBe(HUNTERS)
  })

  it('is struck by lightning from time to time', () => {
    const swarm = swarmOf()
    let struck = false
    for (let k = 0; k < (LIGHTNING_SECONDS + 1) / STEP && !struck; k++) {
      swarm.step()
      struck = swarm.burning.count > 0
    }
    expect(struck).toBe(true)
  })

  it('lets those that burn die, and others be born in their place', () => {
    const swarm = swarmOf()
    swarm.ignite(SIZE / 2, SIZE / 2, 200)
    steps(swarm, 10)
    const burning = [...swarm.burning.entities()]
    expect(burning.length).toBeGreaterThan(20)
    steps(swarm, 100)
    expect(burning.filter((entity) => swarm.world.isAlive(entity))).toEqual([])
    expect(swarm.population).toBeLessThan(PREY)
    while (swarm.burning.count > 0) swarm.step()
    const after = swarm.population
    steps(swarm, 20)
    expect(swarm.population).toBeGreaterThan(after)
  })

  it('lets hunters that have caught something digest, then hunt again', () => {
    const swarm = swarmOf()
    const digesting = new Set<Entity>()
    const hungryAgain = new Set<Entity>()
    for (let k = 0; k < 400; k++) {
      swarm.step()
      for (const hunter of swarm.hunters.entities() as Iterable<Entity>) {
        if (!swarm.world.isEnabled(hunter, Hunger)) digesting.add(hunter)
        else if (digesting.has(hunter)) hungryAgain.add(hunter)
      }
    }
    expect(digesting.size).toBeGreaterThan(1)
    expect(hungryAgain.size).toBeGreaterThan(0)
    for (const hunter of digesting) expect(swarm.world.get(hunter, Hunter)!.caught).toBeGreaterThan(0)
  })
})

describe('the wish for prey', () => {
  it.each([true, false])('is followed at once, up and down (kernels: %s)', (kernels) => {
    const swarm = swarmOf({ kernels })
    for (const wish of [0, 1, 1_000, 0, PREY, 1, PREY]) {
      swarm.prey = wish
      expect(swarm.prey).toBe(wish)
      expect(swarm.population).toBe(wish)
      steps(swarm, 50)
      check(swarm)
      expect(swarm.population).toBeLessThanOrEqual(wish)
      expect(swarm.hunters.count).toBe(HUNTERS)
    }
  })

  it('may come again when nobody is left to be a parent', () => {
    const swarm = swarmOf({ prey: 0 })
    swarm.step()
    expect(swarm.population).toBe(0)
    swarm.prey = 500
    for (const entity of [...swarm.flock.entities()]) swarm.world.destroy(entity)
    expect(swarm.population).toBe(0)
    steps(swarm, 5)
    expect(swarm.population).toBeGreaterThan(0)
  })

  it('can fall while prey burns', () => {
    const swarm = swarmOf()
    swarm.ignite(300, 300, 150)
    steps(swarm, 10)
    expect(swarm.burning.count).toBeGreaterThan(0)
    swarm.prey = 10
    check(swarm)
    expect(swarm.population).toBe(10)
    steps(swarm, 150)
    expect(swarm.population).toBeLessThanOrEqual(10)
  })
})

describe('at the edges, which join', () => {
  const CORNERS = [[1, 1], [SIZE - 1, 1], [1, SIZE - 1], [SIZE - 1, SIZE - 1]] as const // prettier-ignore

  it.each(CORNERS)('the nearest to %d, %d is found on any side', (x, y) => {
    const swarm = swarmOf({ prey: 0 })
    for (const hunter of [...swarm.hunters.entities()]) swarm.world.destroy(hunter)
    const [cornerX, cornerY] = CORNERS.find(([otherX, otherY]) => otherX !== x && otherY !== y)!
    const across = preyAt(swarm, cornerX, cornerY)
    const inside = preyAt(swarm, x + Math.sign(SIZE / 2 - x) * 6, y)
    // Two units away on both axes, over both edges.
    expect(swarm.nearest(x, y, 4)).toBe(across)
    expect(swarm.nearest(x, y, 2.5)).toBe(NULL_ENTITY)
    swarm.world.destroy(across)
    expect(swarm.nearest(x, y, 7)).toBe(inside)
  })

  it('fire falls on all four corners', () => {
    const swarm = swarmOf({ prey: 0 })
    const prey = CORNERS.map(([x, y]) => preyAt(swarm, x, y))
    const far = preyAt(swarm, SIZE / 2, SIZE / 2)
    swarm.prey = 5
    swarm.ignite(0, 0, 24)
    swarm.step()
    expect(prey.map((entity) => swarm.world.has(entity, Burning))).toEqual([true, true, true, true])
    expect(swarm.world.has(far, Burning)).toBe(false)
  })
})

describe('picking', () => {
  it('marks one agent at a time, and none when it is dead', () => {
    const swarm = swarmOf()
    const [first, second] = [swarm.flock.at(0), swarm.flock.at(1)] as [Entity, Entity]
    swarm.pick(first)
    swarm.pick(second)
    expect([...swarm.picked.entities()]).toEqual([second])
    expect(swarm.world.has(second, Picked)).toBe(true)
    swarm.pick(NULL_ENTITY)
    expect(swarm.picked.count).toBe(0)
    swarm.world.destroy(first)
    swarm.pick(first)
    expect(swarm.picked.count).toBe(0)
  })
})

it('gives its memory back', () => {
  const swarm = createSwarm({ prey: 100, ...(module && { module }) })
  swarm.step()
  swarm.dispose()
  expect(() => swarm.step()).toThrow(/dispose/)
  expect(() => swarm.world.spawn()).toThrow(/dispose/)
})
