// The program itself: the world, who is told of what, and the schedule that says which system runs when.

import {
  createAccessor,
  createSchedule,
  createWorld,
  endFrame,
  onAdd,
  onEnter,
  onExit,
  onRemove,
} from 'strata-ecs'
import * as c from './components.js'
import { found } from './founding.js'
import * as systems from './systems.js'
import * as walking from './walking.js'

const MEBIBYTE = 2 ** 20
/** Ten squares of ground for each settler included. */
const BYTES_PER_ANT = 1024

/**
 * @param {object} options
 * @param {number} options.ants settlers, in nests of about 500
 * @param {number} options.seed the same seed gives the same run
 * @param {WebAssembly.Module} [options.module] another core, such as the checked one
 */
export function createColony({ ants, seed, module }) {
  // Room for the whole run from the start: typed arrays are slower in a process in which a memory has grown.
  const initial = Math.max(32 * MEBIBYTE, ants * BYTES_PER_ANT)
  const world = createWorld({ memory: { initial }, ...(module && { core: module }) })
  for (const resource of [c.Time, c.Settings, c.Totals]) world.resource(resource)
  world.setResource(c.Chronicle, { events: [], diaries: [] })
  keepCensus(world)
  found(world, { ants, seed })

  /** A shade for each cell, and the figures of each day that is over. */
  const picture = new Uint8Array(world.resource(c.Settings).side ** 2)
  const days = []
  const schedule = createColonySchedule(world, picture, days)
  return {
    world,
    schedule,
    days,
    picture,
    /** A day, from dawn to dawn. */
    runDay() {
      for (let frame = 0; frame < c.FRAMES_PER_DAY; frame++) schedule.run(c.HOURS_PER_FRAME)
      return days.at(-1)
    },
  }
}

const atDawn = (world) => world.resource(c.Time).hour === c.DAWN
const atDusk = (world) => world.resource(c.Time).hour === c.DUSK
const byDay = (world) => world.resource(c.Time).light
/** In the last frame before dawn: a day of the colony goes from dawn to dawn. */
const atDaysEnd = (world) => world.resource(c.Time).hour === c.DAWN - c.HOURS_PER_FRAME

/**
 * Time is counted in hours. Within a phase, systems run as they are written here unless something else is said. Where two of them
 * touch the same component, it is said: schedule.ambiguities() finds nothing (see the tests). A simulation makes every step, so
 * ants walk with `maxCatchUp: Infinity`: no step is dropped to keep up with a clock.
 */
function createColonySchedule(world, picture, days) {
  const { Bitten, Body, Cell, Diary, Fed, Hungry, Larva, Load, Nest, Scent, Source, Spider, Walk } = c
  const s = { ...systems, ...walking }
  const hourly = { interval: 1 }
  return createSchedule(world)
    .phase('walking', { after: 'pre', fixedStep: c.HOURS_PER_STEP, maxCatchUp: Infinity })

    .add(s.clock, { phase: 'first' })

    .add(s.wake, { phase: 'pre', runIf: atDawn })
    .add(s.sleep, { phase: 'pre', runIf: atDusk })
    .add(s.promote, { phase: 'pre', runIf: atDawn })
    .add(s.spoil, { phase: 'pre', runIf: atDawn, before: 'lay' })
    .add(s.lay, { phase: 'pre', runIf: atDawn })
    .add(s.createObserve(world, AntDiary), { phase: 'pre', runIf: atDawn, after: 'promote' })

    .add(s.createHunt(world), { phase: 'walking', every: 2, after: 'carry', reads: [Walk], writes: [Spider] })
    .add(s.createSearch(world), { phase: 'walking', reads: [Scent, Cell], writes: [Walk, Source] })
    .add(s.createCarry(world), { phase: 'walking', after: 'search', writes: [Walk, Load, Scent, Nest] })

    .add(s.metabolism, { ...hourly, writes: [Body] })
    .add(s.wounds, { after: 'eat', reads: [Bitten], writes: [Body, Spider] })
    .add(s.eat, { ...hourly, after: 'metabolism', writes: [Body, Nest] })
    .add(s.growHungry, { interval: 6, before: 'nurse', writes: [Hungry] })
    .add(s.nurse, { ...hourly, after: 'eat', writes: [Larva, Hungry, Fed, Nest] })
    .add(s.grow, { after: ['nurse', 'wounds'], reads: [Fed], writes: [Larva, Body] })
    .add(s.createPlants(world), { ...hourly, writes: [Source, Cell] })
    .add(s.fade, { ...hourly, writes: [Scent] })

    .add(s.loseHope, { phase: 'post' })
    .add(s.die, { phase: 'post' })
    .add(s.growOld, { phase: 'post', runIf: atDawn, after: 'die' })
    .add(s.famine, { phase: 'post', runIf: atDusk })
    .add(s.createRedraw(world, picture), { phase: 'post', runIf: byDay, ...hourly })
    .addObjects(Diary, { phase: 'post', every: c.FRAMES_PER_DAY })

    .add(s.tidy, { phase: 'last', runIf: atDawn, before: endFrame })
    .add(endFrame, { phase: 'last' })
    .add(s.createRecord(world, days), { phase: 'last', runIf: atDaysEnd, after: endFrame })
}

/** Head counts of nests, causes of deaths and sentences of the chronicle follow events: no system counts by looping. */
function keepCensus(world) {
  // Resources cannot be made in a listener, where the world is locked: they are made here.
  const [totals, time] = [world.resource(c.Totals), world.resource(c.Time)]
  const { events } = world.resource(c.Chronicle)
  const [bodies, larvae, loads] = [c.Body, c.Larva, c.Load].map((each) => createAccessor(world, each))
  const nests = createAccessor(world, c.Nest)

  for (const [component, count, members] of [
    [c.Nurse, 'nurses', bodies],
    [c.Forager, 'foragers', bodies],
    [c.Larva, 'larvae', larvae],
  ]) {
    onAdd(world, component, (member) => nests.of(members.of(member).nest)[count]++)
    onRemove(world, component, (member) => nests.of(members.of(member).nest)[count]--)
  }

  // An ant loses its body when it dies, and only then. Its values can still be read.
  onRemove(world, c.Body, (ant) => {
    if (world.has(ant, c.Load)) totals.lost += loads.of(ant).food
    if (bodies.of(ant).energy > 0) totals.aged++
    else if (world.has(ant, c.Bitten)) totals.bitten++
    else totals.starved++
  })

  const starving = world.query(c.Nest, c.Famine)
  const nameOf = (nest) => world.get(nest, c.Name).value
  onEnter(starving, (nest) => events.push(`Day ${time.day}: famine at ${nameOf(nest)}.`))
  onExit(starving, (nest) => events.push(`Day ${time.day}: the famine at ${nameOf(nest)} is over.`))
}

/** About one marked ant. The schedule calls tick() once a day while the ant lives; the world calls close() when it is gone. */
class AntDiary {
  lines = []
  closed = false

  constructor(name) {
    this.name = name
  }

  tick(dt, ant, world) {
    const { nest, energy } = world.get(ant, c.Body)
    const { x, y } = world.get(ant, c.Walk)
    const { x: homeX, y: homeY } = world.get(nest, c.Nest)
    const steps = Math.max(Math.abs(x - homeX), Math.abs(y - homeY))
    const carries = world.has(ant, c.Load) ? 'with food' : 'without food'
    const place = `${steps} steps from ${world.get(nest, c.Name).value}`
    this.lines.push(`Day ${world.resource(c.Time).day}: ${place}, ${carries}, energy ${energy}.`)
  }

  close() {
    this.closed = true
  }
}
