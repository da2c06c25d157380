// The epidemic as a run of an ensemble: its parameters, and a row of figures a day. Needs a build: npm run build epidemic ensemble.

import { u16, u32 } from 'strata-ecs'
import * as kernels from '../../build/epidemic/places.kernel.js'
import { defineRun } from '../../packages/ensemble/dist/define.js'
import { findStartCity, loadCities } from './cities.js'
import { createGravity } from './gravity.js'
import { createModel, createParameters, INFECTIOUS_DAYS } from './model.js'

// Read once in each thread, and shared by all runs in it.
const cities = loadCities()
const gravity = createGravity(cities)

export default defineRun({
  parameters: { contactRate: 0.5, days: 60, start: 'London' },
  columns: { day: u16, newInfections: u32, infectious: u32, places: u32, peak: u32 },
  axis: 'day',
  *run({ seed, parameters, progress }) {
    const { contactRate, days, start } = parameters
    const { city: startCity } = findStartCity(cities, start)
    if (startCity === undefined) throw new Error(`No inhabited city is called '${start}'.`)
    const [r0, startPopulation] = [contactRate * INFECTIOUS_DAYS, cities.population[startCity]]
    const own = createParameters({ seed, r0, startCity, startPopulation })
    const model = createModel(cities, gravity, own, kernels)
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
