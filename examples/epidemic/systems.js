// Owns: what happens on a day, a system for each step; strata.js puts them in order. Three of them can have their inner
// loops as kernels: kernel-systems.js.
// Must never: let a result depend on the order of entities, which changes whenever a tag moves one.

import { changed, not } from 'strata-ecs'
import { binomial, chanceOf } from './binomial.js'
import { createBoarding } from './boarding.js'
import { Infected, Journey, Outbreak, Parameters, People, Place, Today } from './components.js'
import { DRAW, infectionHazard } from './model.js'
import { dayKey, uniform } from './random.js'

/** Travellers whose journey is over join the exposed of their destination. */
export function createArrivals(world) {
  const journeys = world.query(Journey)
  const peopleAt = world.accessor(People)

  return function arrivals() {
    const today = world.resource(Today)
    const due = journeys.where(Journey, 'arrivesOn', '<=', today.day)
    for (const chunk of due) {
      const { destination } = chunk.read(Journey)
      for (let row = chunk.start; row < chunk.end; row++) peopleAt.of(destination[row]).exposed++
    }
    today.arrivals = due.destroy()
  }
}

/** Only a place whose people changed, because somebody arrived, can have exposed ones and not be infected yet. */
export function createOutbreaks(world) {
  const reached = world.query(changed(People), not(Infected)).where(People, 'exposed', '>', 0)
  const reachedFirst = world.query(Infected, not(Outbreak))

  return function outbreaks() {
    reached.add(Infected)
    reachedFirst.add(Outbreak({ firstDay: world.resource(Today).day }))
  }
}

/** The course of the disease in every infected place. */
export function createDisease(world) {
  const infectedPlaces = world.query(Place, People, Infected)

  return function disease() {
    const { seed, contactRate, onsetHazard, recoveryHazard } = world.getResource(Parameters)
    const onsetChance = chanceOf(onsetHazard)
    const recoveryChance = chanceOf(recoveryHazard)
    const today = world.resource(Today)
    for (const chunk of infectedPlaces) {
      const { city, country } = chunk.read(Place)
      const { susceptible, exposed, infectious, recovered } = chunk.write(People)
      for (let row = chunk.start; row < chunk.end; row++) {
        const key = dayKey(seed, city[row], today.day)
        const people = susceptible[row] + exposed[row] + infectious[row] + recovered[row]
        const hazard = infectionHazard(contactRate, infectious[row], people)
        const infected = binomial(susceptible[row], hazard, chanceOf(hazard), uniform(key, DRAW.infection))
        const fallingIll = binomial(exposed[row], onsetHazard, onsetChance, uniform(key, DRAW.onset))
        const recovering = binomial(
          infectious[row],
          recoveryHazard,
          recoveryChance,
          uniform(key, DRAW.recovery),
        )

        susceptible[row] -= infected
        exposed[row] += infected - fallingIll
        infectious[row] += fallingIll - recovering
        recovered[row] += recovering
        today.newInfections += infected
        today.newInfectionsByCountry[country[row]] += infected
      }
    }
  }
}

/** Some of the exposed set out. All travellers of a day become entities in one call, after the loop. */
export function createDepartures(world, gravity, placeOfCity) {
  const infectedPlaces = world.query(Place, People, Infected)
  const boarding = createBoarding(world, gravity, placeOfCity)

  return function departures() {
    const { seed, departureHazard } = world.getResource(Parameters)
    const departureChance = chanceOf(departureHazard)
    const today = world.resource(Today)
    for (const chunk of infectedPlaces) {
      const place = chunk.read(Place)
      const { exposed } = chunk.write(People)
      for (let row = chunk.start; row < chunk.end; row++) {
        const key = dayKey(seed, place.city[row], today.day)
        const leaving = binomial(exposed[row], departureHazard, departureChance, uniform(key, DRAW.departure))
        for (let nth = 0; nth < leaving; nth++) {
          if (boarding.setOut(place, row, key, nth, today.day)) exposed[row]--
        }
      }
    }
    today.departures = boarding.board()
  }
}

/** Where nobody is exposed or infectious any more, the outbreak is over. */
export function createRecovery(world) {
  const over = world
    .query(People, Infected)
    .where(People, 'exposed', '==', 0)
    .where(People, 'infectious', '==', 0)

  return function recovery() {
    over.remove(Infected)
  }
}

/** Counts everyone anew, so that a person who got lost on the way would be missed. */
export function createCensus(world) {
  const everywhere = world.query(People)
  const infectedPlaces = world.query(Infected)
  const recoveredPlaces = world.query(Outbreak, not(Infected))
  const journeys = world.query(Journey)

  return function census() {
    const today = world.resource(Today)
    for (const chunk of everywhere) {
      const { susceptible, exposed, infectious, recovered } = chunk.read(People)
      for (let row = chunk.start; row < chunk.end; row++) {
        today.susceptible += susceptible[row]
        today.exposed += exposed[row]
        today.infectious += infectious[row]
        today.recovered += recovered[row]
      }
    }
    today.infectedPlaces = infectedPlaces.count
    today.recoveredPlaces = recoveredPlaces.count
    today.travellersInFlight = journeys.count
  }
}
