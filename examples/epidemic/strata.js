// Owns: the model in strata-ecs: places and travellers are entities, a day is one run of the schedule.
// Must never: know what happens in a day; that is in systems.js.

import { createSchedule, createWorld } from 'strata-ecs'
import { Drawn, Infected, Journey, Outbreak, Parameters, People, Place, Today } from './components.js'
import * as kernelSystems from './kernel-systems.js'
import { createDay } from './ledger.js'
import * as systems from './systems.js'

/**
 * @param {import('./cities.js').Cities} cities
 * @param {ReturnType<typeof import('./gravity.js').createGravity>} gravity
 * @param {import('./model.js').Parameters} parameters
 * @param {import('./kernel-systems.js').Kernels} [kernels] without them, all inner loops are JavaScript
 */
export function createStrataModel(cities, gravity, parameters, kernels) {
  const world = createWorld()
  const placeOfCity = spawnPlaces(
    world,
    cities,
    kernels === undefined ? [Place, People] : [Place, People, Drawn],
  )
  world.setResource(Parameters, parameters)
  infectStart(world, placeOfCity)
  return modelIn(world, placeOfCity, cities, gravity, kernels)
}

/** The systems and figures of a world that has its places, new or forked. */
function modelIn(world, placeOfCity, cities, gravity, kernels) {
  const { createDisease, createDepartures, createCensus } = kernels === undefined ? systems : kernelSystems
  const reached = world.query(Place, Outbreak)
  const journeys = world.query(Journey)
  const schedule = createSchedule(world)
    .add(systems.createArrivals(world))
    .add(systems.createOutbreaks(world))
    .add(createDisease(world, kernels))
    .add(createDepartures(world, gravity, placeOfCity))
    .add(systems.createRecovery(world))
    .add(createCensus(world, kernels))

  function step(day) {
    const figures = createDay(day, cities.countries.length)
    world.setResource(Today, figures)
    schedule.run(1)
    return figures
  }

  /** The day the infection reached each city; -1 where it never did. */
  function arrivalDays() {
    const days = new Int16Array(cities.count).fill(-1)
    for (const chunk of reached) {
      const { city } = chunk.read(Place)
      const { firstDay } = chunk.read(Outbreak)
      for (let row = chunk.start; row < chunk.end; row++) days[city[row]] = firstDay[row]
    }
    return days
  }

  /**
   * Another model that goes on from where this one is, with some parameters changed. Handles are the same in both worlds,
   * so places are where they were.
   *
   * @param {Partial<import('./model.js').Parameters>} changes
   */
  function fork(changes) {
    const twin = world.fork()
    Object.assign(twin.resource(Parameters), changes)
    return { ...modelIn(twin, placeOfCity, cities, gravity, kernels), name: 'other future' }
  }

  return {
    name: 'strata-ecs',
    world,
    step,
    fork,
    arrivalDays,
    entityCount: () => placeOfCity.length + journeys.count,
    stats: () => ({ ...world.stats(), systems: schedule.stats().systems }),
    dispose: () => world.dispose(),
  }
}

function infectStart(world, placeOfCity) {
  const { startCity, firstCases } = world.resource(Parameters)
  const start = placeOfCity[startCity]
  const people = world.accessor(People).of(start)
  people.susceptible -= firstCases
  people.infectious += firstCases
  world.add(start, Infected, Outbreak({ firstDay: 0 }))
}

/** @returns {Uint32Array} the entity of each city */
function spawnPlaces(world, cities, components) {
  let next = 0
  return world.spawnMany(cities.count, components, (chunk) => {
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
