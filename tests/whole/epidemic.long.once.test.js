// Shows that the epidemic in the world, with kernels, gives the figures of the same model in plain objects, to the last person,
// and that a fork of the world goes on as the world would.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findStartCity, loadCities } from '../../examples/epidemic/cities.js'
import { createGravity } from '../../examples/epidemic/gravity.js'
import { createModel, createParameters, FIGURES, simulate } from '../../examples/epidemic/model.js'
import { checksum } from '../../examples/epidemic/report.js'
import { createObjectsModel } from './epidemic/objects.js'

const DAYS = 140
const FORK_DAY = 45
const cities = loadCities(2000)
const gravity = createGravity(cities)
const everybody = cities.population.reduce((total, people) => total + people, 0)

// What `npm start` does before it runs the example.
const root = fileURLToPath(new URL('../..', import.meta.url))
execFileSync(process.execPath, ['scripts/build.js', '--alone', 'epidemic'], { cwd: root })
const kernels = await import('../../build/epidemic/places.kernel.js')

function parametersOf(seed = 7) {
  const { city: startCity } = findStartCity(cities, 'London')
  // Far more contagious than the default, so that outbreaks also end within the days of the test.
  return createParameters({ seed, r0: 12, startCity, startPopulation: cities.population[startCity] })
}

function live(model, past = []) {
  const { days } = simulate(model, DAYS, undefined, past.length + 1)
  const outcome = { days: [...past, ...days], arrivalDays: model.arrivalDays() }
  model.dispose()
  return outcome
}

const straight = live(createModel(cities, gravity, parametersOf(), kernels))

/** Everyone alive on that day: at home or on a journey. */
function peopleCounted(day) {
  return day.susceptible + day.exposed + day.infectious + day.recovered + day.travellersInFlight
}

/** The first figure in which two runs differ, as a sentence; undefined when they agree in everything. */
function firstDifference(daysA, daysB) {
  if (daysA.length !== daysB.length) return `${daysA.length} days against ${daysB.length}`
  for (let index = 0; index < daysA.length; index++) {
    const a = daysA[index]
    const b = daysB[index]
    for (const figure of FIGURES) {
      if (a[figure] !== b[figure]) return `day ${a.day}, ${figure}: ${a[figure]} against ${b[figure]}`
    }
    const country = a.newInfectionsByCountry.findIndex((count, at) => count !== b.newInfectionsByCountry[at])
    if (country !== -1) return `day ${a.day}, new infections in country number ${country}`
  }
  return undefined
}

it('gives the same figures and arrival days as plain objects, and as another run; another seed gives others', () => {
  const objects = live(createObjectsModel(cities, gravity, parametersOf()))
  expect(firstDifference(straight.days, objects.days)).toBeUndefined()
  expect(straight.arrivalDays).toEqual(objects.arrivalDays)
  const again = (seed) => checksum(live(createModel(cities, gravity, parametersOf(seed), kernels)).days)
  expect([again(7) === checksum(straight.days), again(8) === checksum(straight.days)]).toEqual([true, false])
})

it('loses no person; outbreaks and journeys begin and end, so that the comparison means something', () => {
  expect(new Set(straight.days.map(peopleCounted))).toEqual(new Set([everybody]))
  const last = straight.days.at(-1)
  expect(Math.min(last.recoveredPlaces, last.infectedPlaces)).toBeGreaterThan(100)
  expect(straight.days.reduce((total, day) => total + day.arrivals, 0)).toBeGreaterThan(10_000)
})

it('a fork leaves the world as it was, and takes the same course; with another contact rate it takes another', () => {
  const model = createModel(cities, gravity, parametersOf(), kernels)
  const past = simulate(model, FORK_DAY).days
  const [twin, other] = [model.fork({}), model.fork({ contactRate: 0.1 })]
  for (const future of [live(twin, past), live(model, past)]) {
    expect(firstDifference(future.days, straight.days)).toBeUndefined()
    expect(future.arrivalDays).toEqual(straight.arrivalDays)
  }
  const { days } = live(other, past)
  expect(firstDifference(straight.days, days)).toMatch(new RegExp(`^day ${FORK_DAY + 1}, `))
  expect(days.at(-1).recovered).toBeLessThan(straight.days.at(-1).recovered / 2)
  expect(new Set(days.map(peopleCounted))).toEqual(new Set([everybody]))
})
