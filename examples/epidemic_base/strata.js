// Owns: the model in strata-ecs: places and travellers are entities, compartments are columns, states are tags.
// Must never: let a result depend on the order of entities, which changes whenever a tag moves one.

import { component, createWorld, entity, f32, tag, u16, u32 } from 'strata-ecs'
import { binomial } from './binomial.js'
import { createDepartures } from './departures.js'
import { greatCircleKm } from './geography.js'
import { createDay } from './ledger.js'
import { DRAW, infectionHazard, journeyDays } from './model.js'
import { dayKey, uniform } from './random.js'

const Place = component('Place', { city: u32, country: u16, longitude: f32, latitude: f32 })
const People = component('People', { susceptible: u32, exposed: u32, infectious: u32, recovered: u32 })
/** Added with the first case and kept; a place without it was never reached. */
const Outbreak = component('Outbreak', { firstDay: u16 })
const Journey = component('Journey', { destination: entity, arrivesOn: u16 })
const Infected = tag('Infected')
const Recovered = tag('Recovered')

/**
 * @param {import('./cities.js').Cities} cities
 * @param {ReturnType<typeof import('./gravity.js').createGravity>} gravity
 * @param {import('./model.js').Parameters} parameters
 */
export function createStrataModel(cities, gravity, parameters) {
  const world = createWorld()
  const placeOfCity = spawnPlaces(world, cities)
  const everywhere = world.query(People)
  const infectedPlaces = world.query(Place, People, Infected)
  const recoveredPlaces = world.query(Place, Recovered)
  const reachedPlaces = world.query(Place, Outbreak)
  const journeys = world.query(Journey)
  const placeAt = world.accessor(Place)
  const peopleAt = world.accessor(People)
  const departures = createDepartures()

  seedFirstCases()

  function seedFirstCases() {
    const start = placeOfCity[parameters.startCity]
    const people = peopleAt.of(start)
    people.susceptible -= parameters.firstCases
    people.infectious += parameters.firstCases
    beginOutbreak(start, 0)
  }

  function step(day) {
    const figures = createDay(day, cities.countries.length)
    receiveTravellers(figures)
    spreadEverywhere(figures)
    boardTravellers()
    tally(figures)
    return figures
  }

  /** What is added, removed or destroyed in this loop and the next takes effect when the loop ends. */
  function receiveTravellers(figures) {
    for (const chunk of journeys) {
      const { destination, arrivesOn } = chunk.read(Journey)
      for (let row = chunk.start; row < chunk.end; row++) {
        if (arrivesOn[row] > figures.day) continue
        peopleAt.of(destination[row]).exposed++
        if (!world.has(destination[row], Infected)) beginOutbreak(destination[row], figures.day)
        world.destroy(chunk.entities[row])
        figures.arrivals++
      }
    }
  }

  function spreadEverywhere(figures) {
    for (const chunk of infectedPlaces) {
      const place = chunk.read(Place)
      const people = chunk.write(People)
      for (let row = chunk.start; row < chunk.end; row++) {
        const key = dayKey(parameters.seed, place.city[row], figures.day)
        spread(place, people, row, key, figures)
        sendTravellers(place, people, row, key, figures)
        if (people.exposed[row] + people.infectious[row] === 0) endOutbreak(chunk.entities[row])
      }
    }
  }

  function spread(place, { susceptible, exposed, infectious, recovered }, row, key, figures) {
    const people = susceptible[row] + exposed[row] + infectious[row] + recovered[row]
    const hazard = infectionHazard(parameters.contactRate, infectious[row], people)
    const infected = binomial(susceptible[row], hazard, uniform(key, DRAW.infection))
    const fallingIll = binomial(exposed[row], parameters.onsetHazard, uniform(key, DRAW.onset))
    const recovering = binomial(infectious[row], parameters.recoveryHazard, uniform(key, DRAW.recovery))

    susceptible[row] -= infected
    exposed[row] += infected - fallingIll
    infectious[row] += fallingIll - recovering
    recovered[row] += recovering
    figures.newInfections += infected
    figures.newInfectionsByCountry[place.country[row]] += infected
  }

  function sendTravellers(place, people, row, key, figures) {
    const leaving = binomial(people.exposed[row], parameters.departureHazard, uniform(key, DRAW.departure))
    for (let nth = 0; nth < leaving; nth++) {
      const draw = DRAW.journeys + 2 * nth
      const city = gravity.destinationFrom(place.city[row], uniform(key, draw), uniform(key, draw + 1))
      if (city === place.city[row]) continue // a trip within town
      const destination = placeOfCity[city]
      people.exposed[row]--
      departures.add(destination, figures.day + travelDays(place, row, destination))
      figures.departures++
    }
  }

  function travelDays(place, row, destination) {
    const { longitude, latitude } = placeAt.of(destination)
    return journeyDays(greatCircleKm(place.longitude[row], place.latitude[row], longitude, latitude))
  }

  /** All travellers of a day become entities in one call. */
  function boardTravellers() {
    let next = 0
    world.spawnMany(departures.count, [Journey], (chunk) => {
      const { destination, arrivesOn } = chunk.write(Journey)
      for (let row = chunk.start; row < chunk.end; row++, next++) {
        destination[row] = departures.destination[next]
        arrivesOn[row] = departures.arrivesOn[next]
      }
    })
    departures.count = 0
  }

  function tally(figures) {
    for (const chunk of everywhere) {
      const { susceptible, exposed, infectious, recovered } = chunk.read(People)
      for (let row = chunk.start; row < chunk.end; row++) {
        figures.susceptible += susceptible[row]
        figures.exposed += exposed[row]
        figures.infectious += infectious[row]
        figures.recovered += recovered[row]
      }
    }
    figures.infectedPlaces = infectedPlaces.count
    figures.recoveredPlaces = recoveredPlaces.count
    figures.travellersInFlight = journeys.count
  }

  function beginOutbreak(place, day) {
    world.remove(place, Recovered)
    if (world.has(place, Outbreak)) world.add(place, Infected)
    else world.add(place, Infected, Outbreak({ firstDay: day }))
  }

  function endOutbreak(place) {
    world.remove(place, Infected)
    world.add(place, Recovered)
  }

  /** The day the infection reached each city; -1 where it never did. */
  function arrivalDays() {
    const days = new Int16Array(cities.count).fill(-1)
    for (const chunk of reachedPlaces) {
      const { city } = chunk.read(Place)
      const { firstDay } = chunk.read(Outbreak)
      for (let row = chunk.start; row < chunk.end; row++) days[city[row]] = firstDay[row]
    }
    return days
  }

  return {
    name: 'strata-ecs',
    step,
    arrivalDays,
    entityCount: () => placeOfCity.length + journeys.count,
    stats: () => world.stats(),
    dispose: () => world.dispose(),
  }
}

/** @returns {Uint32Array} the entity of each city */
function spawnPlaces(world, cities) {
  let next = 0
  return world.spawnMany(cities.count, [Place, People], (chunk) => {
    const place = chunk.write(Place)
    const people = chunk.write(People)
    for (let row = chunk.start; row < chunk.end; row++, next++) {
      place.city[row] = next
      place.country[row] = cities.country[next]
      place.longitude[row] = cities.longitude[next]
      place.latitude[row] = cities.latitude[next]
      people.susceptible[row] = cities.population[next]
    }
  })
}
