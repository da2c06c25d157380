// Owns the figures of a moment, and the balances they must keep. It must never keep a count of its own.

import {
  Awake,
  Famine,
  Forager,
  Hungry,
  Larva,
  Load,
  Marked,
  Nest,
  Nurse,
  Source,
  Walk,
} from './components.js'
import { Time, Totals } from './resources.js'
import { not } from 'strata-ecs'

/** The columns of the daily table and of the curve; the rest of a day's figures are the running totals. */
export const DAILY = ['day', 'ants', 'nurses', 'foragers', 'larvae', 'births', 'deaths', 'trips', 'stored']

/** @returns {() => object} plain numbers, taken when called */
export function takeFigures(world) {
  const nurses = world.query(Nurse)
  const foragers = world.query(Forager)
  const asleep = world.query(Forager, not(Awake))
  const larvae = world.query(Larva)
  const queue = world.query(Larva, Hungry)
  const carriers = world.group(Walk, Load)
  const starving = world.query(Nest, Famine)
  const marked = world.query(Marked)

  return function figures() {
    const totals = world.getResource(Totals)
    return {
      day: world.resource(Time).day,
      ants: nurses.count + foragers.count,
      nurses: nurses.count,
      foragers: foragers.count,
      asleep: asleep.count,
      larvae: larvae.count,
      waiting: queue.count,
      carriers: carriers.count,
      starvingNests: starving.count,
      markedAnts: marked.count,
      deaths: totals.starved + totals.bitten + totals.aged,
      stored: sum(world.query(Nest), Nest, 'stored'),
      growing: sum(world.query(Source), Source, 'food'),
      carried: sum(carriers, Load, 'food'),
      ...totals,
    }
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

/** What never may be lost or made out of nothing. Each is 0 in every moment between two frames. */
export function imbalances(figures) {
  const { supplied, grown, growing, stored, carried, eaten, lost } = figures
  const { settlers, births, deaths, ants } = figures
  return {
    food: supplied + grown - growing - stored - carried - eaten - lost,
    ants: settlers + births - deaths - ants,
  }
}
