// What happens on a day, a system for each step, in the order in which model.js has them. No result depends on the order of
// entities, which changes whenever a tag moves one. The inner loops are kernels: kernels/places.kernel.ts.

import {
  addMany,
  changed,
  createAccessor,
  createKernel,
  destroyMany,
  not,
  removeMany,
  spawnMany,
} from 'strata-ecs'
import { greatCircleKm } from './gravity.js'
import { Drawn, Infected, Journey, Outbreak, Parameters, People, Place, Today } from './model.js'
import { dayKey, uniform } from './random.js'

const KM_TRAVELLED_PER_DAY = 2500
/** The n-th traveller of a city's day uses two draws from this one on; the kernel has those before. */
export const JOURNEY_DRAWS = 4
const FIRST_CAPACITY = 1024

/** Travellers whose journey is over join the exposed of their destination. */
export function createArrivals(world) {
  const journeys = world.query(Journey)
  const peopleAt = createAccessor(world, People)

  return function arrivals() {
    const today = world.resource(Today)
    const due = journeys.where(Journey, 'arrivesOn', '<=', today.day)
    for (const chunk of due) {
      const { destination } = chunk.read(Journey)
      for (let row = chunk.start; row < chunk.end; row++) peopleAt.of(destination[row]).exposed++
    }
    today.arrivals = destroyMany(due)
  }
}

/** Only a place whose people changed, because somebody arrived, can have exposed ones and not be infected yet. */
export function createOutbreaks(world) {
  const reached = world.query(changed(People), not(Infected)).where(People, 'exposed', '>', 0)
  const reachedFirst = world.query(Infected, not(Outbreak))

  return function outbreaks() {
    addMany(reached, Infected)
    addMany(reachedFirst, Outbreak({ firstDay: world.resource(Today).day }))
  }
}

/**
 * The course of the disease in every infected place. The kernel also draws how many set out; it returns one number, so countries are
 * added up here.
 */
export function createDisease(world, kernels) {
  const infectedPlaces = world.query(Place, People, Drawn, Infected)
  const transitions = createKernel(world, kernels.disease, {
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
      for (let row = chunk.start; row < chunk.end; row++)
        today.newInfectionsByCountry[country[row]] += infected[row]
    }
  }
}

/**
 * Some of the exposed set out: as many as were drawn. Where the few go is looked up in large tables, here. They wait in flat columns,
 * which are used again the next day, until all become entities in one call.
 */
export function createDepartures(world, gravity, placeOfCity) {
  const infectedPlaces = world.query(Place, People, Drawn, Infected)
  const placeAt = createAccessor(world, Place)
  let count = 0
  let destinations = new Uint32Array(FIRST_CAPACITY)
  let arrivalDays = new Uint16Array(FIRST_CAPACITY)

  /** The n-th of a place's people who sets out; false for a trip within town. */
  function setOut(place, row, key, nth, day) {
    const draw = JOURNEY_DRAWS + 2 * nth
    const city = gravity.destinationFrom(place.city[row], uniform(key, draw), uniform(key, draw + 1))
    if (city === place.city[row]) return false
    if (count === destinations.length) {
      destinations = doubled(destinations)
      arrivalDays = doubled(arrivalDays)
    }
    const { longitude, latitude } = placeAt.of(placeOfCity[city])
    const km = greatCircleKm(place.longitude[row], place.latitude[row], longitude, latitude)
    destinations[count] = placeOfCity[city]
    arrivalDays[count] = day + journeyDays(km)
    count++
    return true
  }

  return function departures() {
    const { seed } = world.resource(Parameters)
    const today = world.resource(Today)
    count = 0
    for (const chunk of infectedPlaces) {
      const place = chunk.read(Place)
      const { leaving } = chunk.read(Drawn)
      const { exposed } = chunk.write(People)
      for (let row = chunk.start; row < chunk.end; row++) {
        if (leaving[row] === 0) continue
        const key = dayKey(seed, place.city[row], today.day)
        for (let nth = 0; nth < leaving[row]; nth++)
          if (setOut(place, row, key, nth, today.day)) exposed[row]--
      }
    }
    let next = 0
    spawnMany(world, count, [Journey], (chunk) => {
      const { destination, arrivesOn } = chunk.write(Journey)
      const { start, end } = chunk
      destination.set(destinations.subarray(next, next + end - start), start)
      arrivesOn.set(arrivalDays.subarray(next, next + end - start), start)
      next += end - start
    })
    today.departures = count
  }
}

/** Stopovers included, a traveller covers 2,500 km a day; nobody arrives on the day of departure. */
export const journeyDays = (km) => 1 + Math.floor(km / KM_TRAVELLED_PER_DAY)

function doubled(column) {
  const longer = new column.constructor(column.length * 2)
  longer.set(column)
  return longer
}

/** Where nobody is exposed or infectious any more, the outbreak is over. */
export function createRecovery(world) {
  const over = world
    .query(People, Infected)
    .where(People, 'exposed', '==', 0)
    .where(People, 'infectious', '==', 0)

  return function recovery() {
    removeMany(over, Infected)
  }
}

/** Counts everyone anew, so that a person who got lost on the way would be missed: one kernel, bound to each column in turn. */
export function createCensus(world, kernels) {
  const everywhere = world.query(People)
  const infectedPlaces = world.query(Infected)
  const recoveredPlaces = world.query(Outbreak, not(Infected))
  const journeys = world.query(Journey)
  const totals = ['susceptible', 'exposed', 'infectious', 'recovered'].map((state) => ({
    state,
    total: createKernel(world, kernels.total, { people: [People, state] }),
  }))

  return function census() {
    const today = world.resource(Today)
    for (const { state, total } of totals) today[state] = everywhere.run(total)
    today.infectedPlaces = infectedPlaces.count
    today.recoveredPlaces = recoveredPlaces.count
    today.travellersInFlight = journeys.count
  }
}
