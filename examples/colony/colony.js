// Owns the program itself: the world, and the schedule that says which system runs when.
// It must never know what a system does.

import { createSchedule, createWorld } from 'strata-ecs'
import { keepCensus } from './census.js'
import {
  Bitten,
  Body,
  Cell,
  Diary,
  Fed,
  Hungry,
  Larva,
  Load,
  Nest,
  Scent,
  Source,
  Spider,
  Walk,
} from './components.js'
import { atDawn, atDaysEnd, atDusk, byDay } from './conditions.js'
import { found } from './founding.js'
import { Chronicle, Settings, Time, Totals } from './resources.js'
import { FRAMES_PER_DAY, HOURS_PER_FRAME, HOURS_PER_STEP } from './settings.js'
import { createCarry } from './systems/carry.js'
import { clock } from './systems/clock.js'
import { createDie, createGrowOld } from './systems/die.js'
import { createEat } from './systems/eat.js'
import { createFade } from './systems/fade.js'
import { createFamine } from './systems/famine.js'
import { createGrow, createGrowHungry, createLoseHope } from './systems/grow.js'
import { createHunt } from './systems/hunt.js'
import { createLay } from './systems/lay.js'
import { createMetabolism } from './systems/metabolism.js'
import { createNurse } from './systems/nurse.js'
import { createObserve } from './systems/observe.js'
import { createPlants } from './systems/plants.js'
import { createPromote } from './systems/promote.js'
import { createRecord } from './systems/record.js'
import { createRedraw } from './systems/redraw.js'
import { createSearch } from './systems/search.js'
import { createSleep, createWake } from './systems/sleep.js'
import { createSpoil } from './systems/spoil.js'
import { endFrame, tidy } from './systems/tidy.js'
import { createWounds } from './systems/wounds.js'

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
  const world = createWorld({ memory: { initial }, ...(module && { module }) })
  for (const resource of [Time, Settings, Totals]) world.resource(resource)
  world.setResource(Chronicle, { events: [], diaries: [] })
  keepCensus(world)
  found(world, { ants, seed })

  const { side } = world.resource(Settings)
  const picture = new Uint8Array(side * side)
  const days = []
  const schedule = createColonySchedule(world, picture, days)

  return {
    world,
    schedule,
    /** The figures of each day that is over. */
    days,
    picture,
    /** A day, from dawn to dawn. */
    runDay() {
      for (let frame = 0; frame < FRAMES_PER_DAY; frame++) schedule.run(HOURS_PER_FRAME)
      return days.at(-1)
    },
  }
}

/**
 * Time is counted in hours. Within a phase, systems run as they are written here unless something else is said. Where
 * two of them touch the same component, it is said: schedule.ambiguities() finds nothing (see the tests).
 */
function createColonySchedule(world, picture, days) {
  const hourly = { interval: 1 }
  return createSchedule(world)
    .phase('walking', { after: 'pre', fixedStep: HOURS_PER_STEP })

    .add(clock, { phase: 'first' })

    .add(createWake(world), { phase: 'pre', runIf: atDawn })
    .add(createSleep(world), { phase: 'pre', runIf: atDusk })
    .add(createPromote(world), { phase: 'pre', runIf: atDawn })
    .add(createSpoil(world), { phase: 'pre', runIf: atDawn, before: 'lay' })
    .add(createLay(world), { phase: 'pre', runIf: atDawn })
    .add(createObserve(world), { phase: 'pre', runIf: atDawn, after: 'promote' })

    .add(createHunt(world), { phase: 'walking', every: 2, after: 'carry', reads: [Walk], writes: [Spider] })
    .add(createSearch(world), { phase: 'walking', reads: [Scent, Cell], writes: [Walk, Source] })
    .add(createCarry(world), { phase: 'walking', after: 'search', writes: [Walk, Load, Scent, Nest] })

    .add(createMetabolism(world), { ...hourly, writes: [Body] })
    .add(createWounds(world), { after: 'eat', reads: [Bitten], writes: [Body, Spider] })
    .add(createEat(world), { ...hourly, after: 'metabolism', writes: [Body, Nest] })
    .add(createGrowHungry(world), { interval: 6, before: 'nurse', writes: [Hungry] })
    .add(createNurse(world), { ...hourly, after: 'eat', writes: [Larva, Hungry, Fed, Nest] })
    .add(createGrow(world), { after: ['nurse', 'wounds'], reads: [Fed], writes: [Larva, Body] })
    .add(createPlants(world), { ...hourly, writes: [Source, Cell] })
    .add(createFade(world), { ...hourly, writes: [Scent] })

    .add(createLoseHope(world), { phase: 'post' })
    .add(createDie(world), { phase: 'post' })
    .add(createGrowOld(world), { phase: 'post', runIf: atDawn, after: 'die' })
    .add(createFamine(world), { phase: 'post', runIf: atDusk })
    .add(createRedraw(world, picture), { phase: 'post', runIf: byDay, ...hourly })
    .drive(Diary, { phase: 'post', every: FRAMES_PER_DAY })

    .add(tidy, { phase: 'last', runIf: atDawn, before: 'endFrame' })
    .add(endFrame, { phase: 'last' })
    .add(createRecord(world, days), { phase: 'last', runIf: atDaysEnd, after: 'endFrame' })
}
