// The model: places and travellers are entities, a day is one run of the schedule. What happens in a day is in systems.js.

import {
  component,
  createAccessor,
  createSchedule,
  createWorld,
  entity,
  f32,
  f64,
  forkWorld,
  resource,
  spawnMany,
  tag,
  u16,
  u32,
} from 'strata-ecs'
import { scatter } from './random.js'
import * as systems from './systems.js'

export const Place = component('Place', { city: u32, country: u16, longitude: f32, latitude: f32 })
export const People = component('People', { susceptible: u32, exposed: u32, infectious: u32, recovered: u32 })
/** Added with the first case and kept; a place without it was never reached. */
export const Outbreak = component('Outbreak', { firstDay: u16 })
/** Somebody is exposed or infectious. A place with an outbreak behind it and without this tag has recovered. */
export const Infected = tag('Infected')
/** What the kernel drew for a place on the day, for JavaScript to go on with. */
export const Drawn = component('Drawn', { infected: u32, leaving: u32 })
export const Journey = component('Journey', { destination: entity, arrivesOn: u16 })

/** What createParameters returns. */
export const Parameters = resource('Parameters', {
  seed: u32,
  startCity: u32,
  firstCases: u32,
  /** Infections that one infectious person causes a day where all are susceptible. */
  contactRate: f64,
  onsetHazard: f64,
  recoveryHazard: f64,
  departureHazard: f64,
})
/** The day that is being simulated, with its figures. */
export const Today = resource('Today')

const LATENT_DAYS = 3
export const INFECTIOUS_DAYS = 5
// Only journeys that carry the infection are simulated. The ill stay at home; of those who do not know yet that they carry it, one
// in 2,000 sets out on a day.
const DEPARTURE_HAZARD = 1 / 2000
const FIRST_CASES = 10

export function createParameters({ seed, r0, startCity, startPopulation }) {
  return {
    seed: scatter(seed),
    startCity,
    firstCases: Math.min(FIRST_CASES, startPopulation),
    contactRate: r0 / INFECTIOUS_DAYS,
    onsetHazard: hazardOfMeanDays(LATENT_DAYS),
    recoveryHazard: hazardOfMeanDays(INFECTIOUS_DAYS),
    departureHazard: DEPARTURE_HAZARD,
  }
}

/** The hazard under which a state that is left once a day at most lasts that many days on average. */
const hazardOfMeanDays = (days) => -Math.log1p(-1 / days)

/** The whole-world figures of a day, in the order of the CSV columns. */
export const FIGURES = (
  'day susceptible exposed infectious recovered newInfections infectedPlaces recoveredPlaces departures arrivals ' +
  'travellersInFlight'
).split(' ')

/** The figures of a day, all 0 at first. */
export function createDay(day, countries) {
  const figures = Object.fromEntries(FIGURES.map((figure) => [figure, 0]))
  return { ...figures, day, newInfectionsByCountry: new Float64Array(countries) }
}

/**
 * @param {import('./cities.js').Cities} cities
 * @param {ReturnType<typeof import('./gravity.js').createGravity>} gravity
 * @param {ReturnType<typeof createParameters>} parameters
 * @param {typeof import('../../build/epidemic/places.kernel.js')} kernels
 * @param {import('strata-ecs').Workers} [workers] run kernels too; the figures are the same without
 */
export function createModel(cities, gravity, parameters, kernels, workers) {
  const world = createWorld({ workers })
  const placeOfCity = spawnPlaces(world, cities)
  world.setResource(Parameters, parameters)
  const start = placeOfCity[parameters.startCity]
  const people = createAccessor(world, People).of(start)
  people.susceptible -= parameters.firstCases
  people.infectious += parameters.firstCases
  world.add(start, Infected, Outbreak({ firstDay: 0 }))
  return modelIn(world, placeOfCity, cities, gravity, kernels)
}

/** The systems and figures of a world that has its places, new or forked. */
function modelIn(world, placeOfCity, cities, gravity, kernels) {
  const reached = world.query(Place, Outbreak)
  const journeys = world.query(Journey)
  const schedule = createSchedule(world)
    .add(systems.createArrivals(world))
    .add(systems.createOutbreaks(world))
    .add(systems.createDisease(world, kernels))
    .add(systems.createDepartures(world, gravity, placeOfCity))
    .add(systems.createRecovery(world))
    .add(systems.createCensus(world, kernels))

  return {
    name: 'strata-ecs',
    world,

    /** Lives through a day, and returns its figures. */
    step(day) {
      const figures = createDay(day, cities.countries.length)
      world.setResource(Today, figures)
      schedule.run(1)
      return figures
    },

    /** The day the infection reached each city; -1 where it never did. */
    arrivalDays() {
      const days = new Int16Array(cities.count).fill(-1)
      reached.each((_, { city }, { firstDay }) => (days[city] = firstDay))
      return days
    },

    /** A model that goes on from here with some parameters changed. Handles are the same: places are where they were. */
    fork(changes) {
      const twin = forkWorld(world)
      Object.assign(twin.resource(Parameters), changes)
      return { ...modelIn(twin, placeOfCity, cities, gravity, kernels), name: 'other future' }
    },

    entityCount: () => placeOfCity.length + journeys.count,
    stats: () => ({ ...world.stats(), systems: schedule.stats().systems }),
    dispose: () => world.dispose(),
  }
}

/** @returns {Uint32Array} the entity of each city */
function spawnPlaces(world, cities) {
  let next = 0
  return spawnMany(world, cities.count, [Place, People, Drawn], (chunk) => {
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

/** Runs days `from` to `days` and times them. `afterDay` is told the figures and how many entities there are. */
export function simulate(model, days, afterDay = () => {}, from = 1) {
  const ledger = []
  let mostEntities = 0
  const started = performance.now()
  for (let day = from; day <= days; day++) {
    const figures = model.step(day)
    ledger.push(figures)
    mostEntities = Math.max(mostEntities, model.entityCount())
    afterDay(figures, model.entityCount())
  }
  return { days: ledger, seconds: (performance.now() - started) / 1000, mostEntities }
}
