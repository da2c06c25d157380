// Owns: the three systems whose inner loops are kernels, beside those of systems.js with the same names.
// Must never: give other figures than those; JavaScript does here only what a kernel cannot.

import { not } from 'strata-ecs'
import { createBoarding } from './boarding.js'
import { Drawn, Infected, Journey, Outbreak, Parameters, People, Place, Today } from './components.js'
import { dayKey } from './random.js'

/** @typedef {typeof import('../../build/epidemic/places.kernel.js')} Kernels what kernels/places.kernel.ts becomes */

/**
 * The course of the disease in every infected place. A kernel returns one number, so countries are added up here. It
 * also draws how many set out, for departures.
 */
export function createDisease(world, kernels) {
  const infectedPlaces = world.query(Place, People, Drawn, Infected)
  const transitions = world.kernel(kernels.disease, {
    city: [Place, 'city'],
    susceptible: [People, 'susceptible'],
    exposed: [People, 'exposed'],
    infectious: [People, 'infectious'],
    recovered: [People, 'recovered'],
    newlyInfected: [Drawn, 'infected'],
    leaving: [Drawn, 'leaving'],
  })

  return function disease() {
    const { seed, contactRate, onsetHazard, recoveryHazard, departureHazard } = world.getResource(Parameters)
    const today = world.resource(Today)
    const scalars = { seed, day: today.day, contactRate, onsetHazard, recoveryHazard, departureHazard }
    today.newInfections = infectedPlaces.run(transitions, scalars)
    for (const chunk of infectedPlaces) {
      const { country } = chunk.read(Place)
      const { infected } = chunk.read(Drawn)
      for (let row = chunk.start; row < chunk.end; row++) {
        today.newInfectionsByCountry[country[row]] += infected[row]
      }
    }
  }
}

/** Some of the exposed set out: as many as were drawn. Where the few go is looked up in large tables, here. */
export function createDepartures(world, gravity, placeOfCity) {
  const infectedPlaces = world.query(Place, People, Drawn, Infected)
  const boarding = createBoarding(world, gravity, placeOfCity)

  return function departures() {
    const { seed } = world.resource(Parameters)
    const today = world.resource(Today)
    for (const chunk of infectedPlaces) {
      const place = chunk.read(Place)
      const { leaving } = chunk.read(Drawn)
      const { exposed } = chunk.write(People)
      for (let row = chunk.start; row < chunk.end; row++) {
        if (leaving[row] === 0) continue
        const key = dayKey(seed, place.city[row], today.day)
        for (let nth = 0; nth < leaving[row]; nth++) {
          if (boarding.setOut(place, row, key, nth, today.day)) exposed[row]--
        }
      }
    }
    today.departures = boarding.board()
  }
}

/** Counts everyone anew: one kernel, bound to each column in turn. */
export function createCensus(world, kernels) {
  const everywhere = world.query(People)
  const infectedPlaces = world.query(Infected)
  const recoveredPlaces = world.query(Outbreak, not(Infected))
  const journeys = world.query(Journey)
  const totals = ['susceptible', 'exposed', 'infectious', 'recovered'].map((state) => ({
    state,
    total: world.kernel(kernels.total, { people: [People, state] }),
  }))

  return function census() {
    const today = world.resource(Today)
    for (const { state, total } of totals) today[state] = everywhere.run(total)
    today.infectedPlaces = infectedPlaces.count
    today.recoveredPlaces = recoveredPlaces.count
    today.travellersInFlight = journeys.count
  }
}
