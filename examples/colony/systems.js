// What happens in a day, a system for each step, in the order in which schedule.js has them. They run hourly or daily, and so look their
// queries up each time; the walkers, in walking.js, keep theirs.

import {
  addMany,
  changed,
  cloneEntity,
  createAccessor,
  disableMany,
  queueDestroy,
  QueuedForDestroy,
  enableMany,
  not,
  removeMany,
  cloneMany,
  sweepReferences,
  sweepTexts,
} from 'strata-ecs'
import { random } from 'strata-ecs/kernel'
import * as c from './components.js'
import { antName, cellsOf, cover, freePlace } from './founding.js'

const { Awake, Bitten, Body, Cell, Famine, Fed, Forager, Hungry, Larva, Marked, Name, Nest } = c
const { Nurse, Scent, Settings, Source, Spider, Time, Totals, Walk } = c

/** Time of day, light, and the weather. */
export function clock(world) {
  const time = world.resource(Time)
  time.hour = (c.DAWN + time.frame * c.HOURS_PER_FRAME) % 24
  time.day = 1 + Math.floor(time.frame / c.FRAMES_PER_DAY)
  time.light = time.hour >= c.DAWN && time.hour < c.DUSK
  time.dry = time.day % c.WEATHER_DAYS >= c.WEATHER_DAYS - c.DRY_DAYS
  time.frame++
}

/** Foragers sleep at night. Switching a tag for thousands of ants flips bits and moves no row. */
export function sleep(world) {
  const foragers = world.query(Forager, Awake)
  world.resource(Totals).nightsAsleep += disableMany(foragers, Awake)
}

export function wake(world) {
  const foragers = world.query(Forager, Awake)
  enableMany(foragers, Awake)
}

/** At dawn the older nurses leave the nest and become foragers: taking one caste and giving the other is one move. */
export function promote(world) {
  const nests = world.query(Nest)
  const nurses = world.query(Body, Nurse)
  const nestOf = createAccessor(world, Nest)
  const { day } = world.resource(Time)
  nests.each((entity, nest) => (nest.quota = Math.max(0, nest.nurses - c.FEWEST_NURSES)))
  nurses.where(Body, 'foragesFrom', '<=', day).each((ant, { nest }) => {
    const home = nestOf.of(nest)
    if (home.quota === 0) return
    home.quota--
    world.exchange(ant, [Nurse], [Forager, Walk({ x: home.x, y: home.y, heading: ant & 7 })])
  })
}

/** A part of each store spoils every morning. */
export function spoil(world) {
  const nests = world.query(Nest)
  const totals = world.resource(Totals)
  nests.each((entity, nest) => {
    const spoiled = Math.floor(nest.stored * c.SPOILED_A_DAY)
    nest.stored -= spoiled
    totals.lost += spoiled
  })
}

/** A queen lays as many eggs as her nest can feed. */
export function lay(world) {
  const nests = world.query(Nest)
  // In a loop the eggs are laid when it ends. Their handles are alive before that.
  nests.each((nest, { stored, nurses, foragers, larvae }) => {
    const plenty = c.STORE_OF_PLENTY * (nurses + foragers + larvae)
    const eggs = stored >= plenty ? c.EGGS_PER_DAY : Math.floor((c.EGGS_PER_DAY * stored) / plenty)
    if (eggs === 0) return
    const first = world.spawn(Larva({ nest, patience: c.PATIENCE }), Hungry)
    cloneMany(world, first, eggs - 1)
  })
}

/** The observer follows a few foragers with a name and a spot of paint, and a new one when one is gone. */
export function createObserve(world, AntDiary) {
  const marked = world.query(Marked)
  const unknown = world.query(Forager, not(Marked))

  return function observe() {
    const key = random(world.resource(Settings).seed, world.resource(Time).frame)
    const totals = world.resource(Totals)
    while (marked.count < c.MARKED_ANTS && unknown.count > 0) {
      const place = random(key, totals.marked) % unknown.count
      const name = antName(totals.marked++)
      const diary = new AntDiary(name)
      world.add(unknown.at(place), Marked, Name({ value: name }), c.Diary(diary))
      world.resource(c.Chronicle).diaries.push(diary)
    }
  }
}

/** What being awake costs, once an hour. */
export function metabolism(world) {
  const awake = world.query(Body, Awake)
  for (const chunk of awake) {
    const { energy } = chunk.write(Body)
    for (let i = chunk.start; i < chunk.end; i++) energy[i]--
  }
}

/** What bites do: whoever cares about them looks in the same frame. */
export function wounds(world) {
  const wounded = world.query(Body, Bitten)
  const spiders = createAccessor(world, Spider)
  wounded.each((ant, body, bite) => {
    body.energy -= bite.venom
    if (body.energy <= 0) spiders.of(bite.by).caught++
  })
}

export function eat(world) {
  const peckish = world.query(Body).where(Body, 'energy', '<', c.PECKISH)
  const nests = createAccessor(world, Nest)
  const totals = world.resource(Totals)
  for (const chunk of peckish) {
    const { nest, energy } = chunk.write(Body)
    for (let i = chunk.start; i < chunk.end; i++) {
      const store = nests.of(nest[i])
      if (store.stored === 0) continue
      store.stored--
      energy[i] += c.MEAL
      totals.eaten++
    }
  }
}

/** Larvae that have waited longest are fed first, as far as hands and food reach. */
export function nurse(world) {
  const nests = world.query(Nest)
  // The tag is ordered by insertion, and so is every loop over a query that wants it.
  const queue = world.query(Larva, Hungry)
  const nestOf = createAccessor(world, Nest)
  const totals = world.resource(Totals)
  for (const chunk of nests) {
    const { quota, nurses } = chunk.write(Nest)
    for (let i = chunk.start; i < chunk.end; i++) quota[i] = Math.ceil(nurses[i] / c.NURSES_PER_MEAL)
  }
  queue.each((entity, larva) => {
    const nest = nestOf.of(larva.nest)
    if (nest.quota === 0 || nest.stored === 0) {
      larva.patience--
      totals.waits++
      return
    }
    nest.quota--
    nest.stored--
    totals.eaten++
    totals.meals++
    world.remove(entity, Hungry)
    world.add(entity, Fed)
  })
}

/** A larva that had its last meal becomes a nurse, in one move. */
export function grow(world) {
  const fed = world.query(Larva, Fed)
  const { day } = world.resource(Time)
  const totals = world.resource(Totals)
  fed.each((entity, larva) => {
    larva.meals++
    larva.patience = c.PATIENCE
    if (larva.meals < c.MEALS_TO_GROW) return
    totals.births++
    const [foragesFrom, diesOn] = [day + c.NURSING_DAYS, day + c.OLD_AGE]
    const body = Body({ nest: larva.nest, energy: c.FULL_ENERGY, foragesFrom, diesOn })
    world.exchange(entity, [Larva], [body, Nurse, Awake])
  })
}

/** Whoever has digested joins the end of the queue. */
export function growHungry(world) {
  const digesting = world.query(Larva, not(Hungry))
  addMany(digesting, Hungry)
}

/** Who waited in vain for too long is lost. */
export function loseHope(world) {
  const hopeless = world.query(Larva, not(QueuedForDestroy)).where(Larva, 'patience', '==', 0)
  world.resource(Totals).larvaeLost += addMany(hopeless, QueuedForDestroy)
}

/** Plants grow; an eaten-up one leaves a seedling nearby. */
export function createPlants(world) {
  const sources = world.query(Source, not(QueuedForDestroy))
  const cells = cellsOf(world)

  return function plants() {
    const { seed, side } = world.resource(Settings)
    const totals = world.resource(Totals)
    const { frame, dry } = world.resource(Time)
    const key = random(seed, frame)
    sources.each((entity, source) => {
      if (source.food === 0) {
        leaveSeedling(entity, source, random(key, entity), side)
        totals.grown += c.SEEDLING
        return
      }
      const grown = dry ? 0 : Math.min(c.GROWTH_PER_HOUR, c.FULL_SOURCE - source.food)
      source.food += grown
      totals.grown += grown
    })
  }

  function leaveSeedling(plant, { x, y }, key, side) {
    const place = freePlace(world, cells, side, { x, y }, key)
    const seedling = cloneEntity(world, plant)
    world.set(seedling, Source, { ...place, food: c.SEEDLING })
    cover(world, cells, side, seedling, place)
    queueDestroy(world, plant)
  }
}

export function fade(world) {
  const scented = world.query(Scent).where(Scent, 'strength', '>', 0)
  for (const chunk of scented) {
    const { strength } = chunk.write(Scent)
    for (let i = chunk.start; i < chunk.end; i++) {
      strength[i] = strength[i] < c.FAINT ? 0 : strength[i] * c.SCENT_PER_HOUR
    }
  }
}

/** Ants without energy die; those of old age one day at dawn. Both can be read until the frame ends. */
export function die(world) {
  const exhausted = world.query(Body, not(QueuedForDestroy)).where(Body, 'energy', '<=', 0)
  addMany(exhausted, QueuedForDestroy)
}

export function growOld(world) {
  const alive = world.query(Body, not(QueuedForDestroy))
  addMany(alive.where(Body, 'diesOn', '<=', world.resource(Time).day), QueuedForDestroy)
}

/** Nests without food are marked; their chronicle follows from that. */
export function famine(world) {
  const becomesPoor = world.query(Nest, not(Famine)).where(Nest, 'stored', '==', 0)
  const recovers = world.query(Nest, Famine).where(Nest, 'stored', '>', 0)
  addMany(becomesPoor, Famine)
  removeMany(recovers, Famine)
}

/** How strong a scent looks in the picture: from 0, none, to 9. */
export const shadeOf = (strength) => (strength === 0 ? 0 : Math.min(9, 1 + Math.floor(strength * 3)))

/** The picture of the trails, one number from 0 to 9 a cell: cells that did not change since the last look are not looked at. */
export function createRedraw(world, picture) {
  const fresh = world.query(Cell, changed(Scent))
  return function redraw() {
    const { side } = world.resource(Settings)
    const totals = world.resource(Totals)
    for (const chunk of fresh) {
      const { x, y } = chunk.read(Cell)
      const { strength } = chunk.read(Scent)
      for (let i = chunk.start; i < chunk.end; i++) picture[y[i] * side + x[i]] = shadeOf(strength[i])
      totals.cellsRedrawn += chunk.end - chunk.start
    }
  }
}

/** At dawn handles of the dead become NULL_ENTITY, and names that nobody bears are forgotten. */
export function tidy(world) {
  const totals = world.resource(Totals)
  totals.referencesSwept += sweepReferences(world)
  totals.textsSwept += sweepTexts(world)
}

/** The figures of a day, taken when it ends: plain numbers. */
export function createRecord(world, days) {
  const count = (...of) => world.query(...of).count
  return function record() {
    const totals = world.getResource(Totals)
    const [nurses, foragers] = [count(Nurse), count(Forager)]
    days.push({
      day: world.resource(Time).day,
      ants: nurses + foragers,
      nurses,
      foragers,
      larvae: count(Larva),
      waiting: count(Larva, Hungry),
      deaths: totals.starved + totals.bitten + totals.aged,
      stored: sum(world.query(Nest), Nest, 'stored'),
      growing: sum(world.query(Source), Source, 'food'),
      carried: sum(world.query(c.Load), c.Load, 'food'),
      ...totals,
    })
  }
}

function sum(query, component, field) {
  let total = 0
  for (const chunk of query) {
    const column = chunk.read(component)[field]
    for (let i = chunk.start; i < chunk.end; i++) total += column[i]
  }
  return total
}
