// Owns: the epidemic as a run of an ensemble: its parameters, and a row of figures a day.
// Must never: hold any knowledge of the model, or show anything.

import { u16, u32 } from 'strata-ecs'
import { defineRun } from '../../ensemble/dist/define.js'
import { loadCities } from './cities.js'
import { createGravity } from './gravity.js'
import { createParameters } from './model.js'
import { findStartCity } from './start-city.js'
import { createStrataModel } from './strata.js'

const INFECTIOUS_DAYS = 5

// Read once in each thread, and shared by all runs in it.
const cities = loadCities()
const gravity = createGravity(cities)

export default defineRun({
  parameters: { contactRate: 0.5, days: 60, start: 'London' },
  columns: { day: u16, newInfections: u32, infectious: u32, places: u32, peak: u32 },
  axis: 'day',
  *run({ seed, parameters, progress }) {
    const { contactRate, days, start } = parameters
    const { city } = findStartCity(cities, start)
    if (city === undefined) throw new Error(`No inhabited city is called '${start}'.`)
    const model = createStrataModel(
      cities,
      gravity,
      createParameters({
        seed,
        r0: contactRate * INFECTIOUS_DAYS,
        startCity: city,
        startPopulation: cities.population[city],
      }),
    )
    try {
      let peak = 0
      for (let day = 1; day <= days; day++) {
        const { newInfections, infectious, infectedPlaces } = model.step(day)
        peak = Math.max(peak, newInfections)
        yield { day, newInfections, infectious, places: infectedPlaces, peak }
        progress(day / days)
      }
    } finally {
      model.dispose()
    }
  },
})
