// Shows that the colony is repeatable on both cores, loses nothing, has every feature at work, and complains clearly.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestWorld, createGroup, sweepReferences } from 'strata-ecs'
import { checkedCore } from 'strata-ecs/checked'
import { afterAll, describe, expect, it } from 'vitest'
import * as c from '../../examples/colony/components.js'
import { nestName } from '../../examples/colony/founding.js'
import { createColony } from '../../examples/colony/schedule.js'
import { shadeOf } from '../../examples/colony/systems.js'
import { runExample } from '../support/exampleProgram.js'
import { checkInvariants } from '../support/invariants'

const { Body, Cell, Diary, Forager, Hungry, Larva, Load, Marked, Nest, Nurse, Scent, Source, Spider, Walk } =
  c
const { Chronicle, HOURS_PER_FRAME, MARKED_ANTS, Settings, Time } = c

const DAYS = 24
// Changes whenever the model does. It must be the same for every core, machine and Node version.
const RECORDED = 0xf8f67cbe

function run(options = {}, days = DAYS) {
  const colony = createColony({ ants: 1000, seed: 7, ...options })
  for (let day = 1; day <= days; day++) colony.runDay()
  return { ...colony, sum: digestWorld(colony.world) }
}

describe('the colony', () => {
  const colony = run()
  const { world, days } = colony
  const last = days.at(-1)

  it('gives the recorded digest', () => {
    expect(colony.sum).toBe(RECORDED)
  })

  it('gives the same digest over the checked core, whose memory is whole after each day', () => {
    const checked = createColony({ ants: 1000, seed: 7, module: checkedCore() })
    for (let day = 1; day <= DAYS; day++) {
      checked.runDay()
      checkInvariants(checked.world)
    }
    expect(digestWorld(checked.world)).toBe(RECORDED)
  })

  it('gives another digest for another seed', () => {
    expect(run({ seed: 8 }, 2).sum).not.toBe(run({}, 2).sum)
  })

  it('never creates an ant or a piece of food out of nothing, and loses none', () => {
    expect(days).toHaveLength(DAYS)
    for (const day of days) expect(c.imbalances(day)).toEqual({ food: 0, ants: 0 })
  })

  it('leaves memory whole, no handle reserved in vain and no reference to the dead', () => {
    checkInvariants(world)
    const counted = [Cell, Source, Nest, Body, Larva, Spider].map((component) => world.query(component).count)
    expect(world.stats().entities).toBe(counted.reduce((total, count) => total + count, 0))
    sweepReferences(world)
    expect(sweepReferences(world)).toBe(0)
    checkInvariants(world)
  })

  it('uses all that it shows', () => {
    const used =
      'trips births starved bitten aged larvaeLost lost meals waits nightsAsleep referencesSwept textsSwept cellsRedrawn'
    for (const figure of used.split(' '))
      expect(last, figure).toHaveProperty(
        figure,
        expect.toSatisfy((value) => value > 0),
      )
    expect(last.marked).toBeGreaterThan(MARKED_ANTS)
    const { events, diaries } = world.resource(Chronicle)
    expect(events.join('\n')).toMatch(/famine at .*\n[^]*is over/)
    expect(diaries.filter(({ closed }) => closed).length).toBe(last.marked - world.query(Diary).count)
    expect(diaries.some(({ lines }) => lines.length > 3)).toBe(true)
    for (const { name, runs } of colony.schedule.stats().systems) expect(runs, name).toBeGreaterThan(0)
  })

  it('says which of two systems comes first wherever both touch a component', () => {
    expect(colony.schedule.ambiguities()).toEqual([])
  })

  it('counts by events what a loop would count', () => {
    const counts = new Map()
    const count = (component) => (nest) => {
      const key = `${nest} ${component.componentName}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    world.query(Body, Nurse).each((_, { nest }) => count(Nurse)(nest))
    world.query(Body, Forager).each((_, { nest }) => count(Forager)(nest))
    world.query(Larva).each((_, { nest }) => count(Larva)(nest))
    world.query(Nest).each((nest, { nurses, foragers, larvae }) => {
      expect([nurses, foragers, larvae]).toEqual(
        [Nurse, Forager, Larva].map((component) => counts.get(`${nest} ${component.componentName}`) ?? 0),
      )
    })
    let caught = 0
    world.query(Spider).each((_, spider) => (caught += spider.caught))
    expect(caught).toBe(last.bitten)
  })
})

describe('a day of the colony', () => {
  const { world, schedule, picture } = createColony({ ants: 1000, seed: 7 })
  const { side } = world.resource(Settings)
  const until = (condition) => {
    do schedule.run(HOURS_PER_FRAME)
    while (!condition())
  }

  it('redraws from changes what a look at all the ground would draw', () => {
    const redraws = () => schedule.stats().systems.find(({ name }) => name === 'redraw').runs
    until(() => world.resource(Time).hour === 12)
    const before = redraws()
    until(() => redraws() > before)
    let scented = 0
    world.query(Cell, Scent).each((_, { x, y }, { strength }) => {
      if (picture[y * side + x] !== shadeOf(strength)) throw new Error(`the picture is wrong at ${x}, ${y}`)
      if (strength > 0) scented++
    })
    expect(scented).toBeGreaterThan(50)
  })

  it('keeps carriers packed in front of the pools of their group', () => {
    until(() => world.query(Load).count > 0)
    const carriers = createGroup(world, Walk, Load)
    expect(carriers.count).toBe(world.query(Load).count)
    expect(world.query(Walk).entities().slice(0, carriers.count)).toEqual(carriers.entities())
  })

  it('has all foragers asleep late at night, carriers included, and no ant moves in its sleep', () => {
    const walks = () =>
      world
        .query(Forager)
        .entities()
        .map((ant) => world.get(ant, Walk).x)
    until(() => world.resource(Time).hour === 3)
    const positions = walks()
    until(() => world.resource(Time).hour === 5)
    expect(walks()).toEqual(positions)
  })

  it('feeds larvae in the order in which they grew hungry', () => {
    const queue = world.query(Larva, Hungry)
    let longest = 0
    for (let frame = 0; frame < 96; frame++) {
      schedule.run(HOURS_PER_FRAME)
      const patience = Array.from(queue.entities(), (larva) => world.get(larva, Larva).patience)
      expect(patience).toEqual([...patience].sort((a, b) => a - b))
      longest = Math.max(longest, new Set(patience).size)
    }
    expect(longest).toBeGreaterThan(1)
  })

  it('follows as many ants as were painted', () => {
    expect(world.query(Marked).count).toBe(MARKED_ANTS)
  })
})

it('numbers nests when the names are used up', () => {
  expect([0, 15, 16, 64].map(nestName)).toEqual(['Amber', 'Pine', 'Amber 2', 'Amber 5'])
})

describe('the command line of the colony', () => {
  const outFolder = mkdtempSync(join(tmpdir(), 'colony-'))
  afterAll(() => rmSync(outFolder, { recursive: true }))

  it.concurrent('refuses impossible options with a sentence and exit code 1', async () => {
    const { code, stdout, stderr } = await runExample('colony', '--ants many')
    expect(stderr).toMatch(/--ants.*'many' is invalid.*whole number from 1/)
    expect([stdout, code]).toEqual(['', 1])
  })

  it.concurrent('reports and writes the curve', async () => {
    const line = `--days 2 --ants 1 --seed 3 --out ${outFolder}`
    const { code, stdout, stderr } = await runExample('colony', line)
    expect(code).toBe(0)
    expect(stdout).toMatch(/Ants .* \(off by 0\)/)
    expect(stderr).toMatch(/day 2\/2/)
    expect(readFileSync(join(outFolder, 'curve.svg'), 'utf8')).toMatch(/^<svg[^]*<\/svg>$/)
  })
})
