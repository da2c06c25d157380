// The epidemic in plain objects and arrays: equal numbers from another storage, with nothing of the ECS.

import { greatCircleKm } from '../../../examples/epidemic/gravity.js'
import { createDay } from '../../../examples/epidemic/model.js'
import { dayKey, uniform } from '../../../examples/epidemic/random.js'
import { JOURNEY_DRAWS, journeyDays } from '../../../examples/epidemic/systems.js'
import { binomial, chanceOf } from './binomial.js'

/** Which draw of a city's day decides what. The n-th traveller uses two draws from `journeys` on. */
const DRAW = { infection: 0, onset: 1, recovery: 2, departure: 3, journeys: JOURNEY_DRAWS }

/** How strongly the infectious people of a place endanger each susceptible one there. */
const infectionHazard = (contactRate, infectious, people) => (contactRate * infectious) / people

export function createObjectsModel(cities, gravity, parameters) {
  const places = Array.from({ length: cities.count }, (_, city) => createPlace(cities, city))
  const onsetChance = chanceOf(parameters.onsetHazard)
  const recoveryChance = chanceOf(parameters.recoveryHazard)
  const departureChance = chanceOf(parameters.departureHazard)
  /** @type {{ destination: object, arrivesOn: number }[]} */
  let travellers = []

  const start = places[parameters.startCity]
  start.susceptible -= parameters.firstCases
  start.infectious += parameters.firstCases
  beginOutbreak(start, 0)

  function step(day) {
    const figures = createDay(day, cities.countries.length)
    receiveTravellers(figures)
    for (const place of places) {
      if (place.infected) spread(place, figures)
    }
    tally(figures)
    return figures
  }

  function receiveTravellers(figures) {
    const stillFlying = []
    for (const traveller of travellers) {
      if (traveller.arrivesOn > figures.day) {
        stillFlying.push(traveller)
        continue
      }
      const { destination } = traveller
      destination.exposed++
      if (!destination.infected) beginOutbreak(destination, figures.day)
      figures.arrivals++
    }
    travellers = stillFlying
  }

  function spread(place, figures) {
    const key = dayKey(parameters.seed, place.city, figures.day)
    const people = place.susceptible + place.exposed + place.infectious + place.recovered
    const hazard = infectionHazard(parameters.contactRate, place.infectious, people)
    const infected = binomial(place.susceptible, hazard, chanceOf(hazard), uniform(key, DRAW.infection))
    const fallingIll = binomial(place.exposed, parameters.onsetHazard, onsetChance, uniform(key, DRAW.onset))
    const recovering = binomial(
      place.infectious,
      parameters.recoveryHazard,
      recoveryChance,
      uniform(key, DRAW.recovery),
    )

    place.susceptible -= infected
    place.exposed += infected - fallingIll
    place.infectious += fallingIll - recovering
    place.recovered += recovering
    figures.newInfections += infected
    figures.newInfectionsByCountry[place.country] += infected

    sendTravellers(place, key, figures)
    if (place.exposed + place.infectious === 0) endOutbreak(place)
  }

  function sendTravellers(place, key, figures) {
    const leaving = binomial(
      place.exposed,
      parameters.departureHazard,
      departureChance,
      uniform(key, DRAW.departure),
    )
    for (let nth = 0; nth < leaving; nth++) {
      const draw = DRAW.journeys + 2 * nth
      const city = gravity.destinationFrom(place.city, uniform(key, draw), uniform(key, draw + 1))
      if (city === place.city) continue // a trip within town
      const destination = places[city]
      place.exposed--
      travellers.push({ destination, arrivesOn: figures.day + travelDays(place, destination) })
      figures.departures++
    }
  }

  function tally(figures) {
    for (const place of places) {
      figures.susceptible += place.susceptible
      figures.exposed += place.exposed
      figures.infectious += place.infectious
      figures.recovered += place.recovered
      if (place.infected) figures.infectedPlaces++
      if (place.over) figures.recoveredPlaces++
    }
    figures.travellersInFlight = travellers.length
  }

  return {
    name: 'plain objects',
    step,
    entityCount: () => places.length + travellers.length,
    /** The day the infection reached each city; -1 where it never did. */
    arrivalDays: () => Int16Array.from(places, (place) => place.firstDay),
    dispose: () => {},
  }
}

function createPlace(cities, city) {
  return {
    city,
    country: cities.country[city],
    longitude: cities.longitude[city],
    latitude: cities.latitude[city],
    susceptible: cities.population[city],
    exposed: 0,
    infectious: 0,
    recovered: 0,
    infected: false,
    over: false,
    firstDay: -1,
  }
}

function beginOutbreak(place, day) {
  place.infected = true
  place.over = false
  if (place.firstDay === -1) place.firstDay = day
}

function endOutbreak(place) {
  place.infected = false
  place.over = true
}

function travelDays(from, to) {
  return journeyDays(greatCircleKm(from.longitude, from.latitude, to.longitude, to.latitude))
}
