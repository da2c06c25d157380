// Owns: the daily figures, in the form both models report them, and what is derived from them.
// Must never: compute the epidemic; it only adds up, compares and finds peaks.

import { createHash } from 'node:crypto'
import { continentOf, CONTINENTS } from './continents.js'

/** The whole-world figures of a day, in the order of the CSV columns. */
export const FIGURES = [
  'day',
  'susceptible',
  'exposed',
  'infectious',
  'recovered',
  'newInfections',
  'infectedPlaces',
  'recoveredPlaces',
  'departures',
  'arrivals',
  'travellersInFlight',
]

/**
 * @typedef {ReturnType<typeof createDay>} Day
 * @param {number} day
 * @param {number} countries
 */
export function createDay(day, countries) {
  return {
    day,
    susceptible: 0,
    exposed: 0,
    infectious: 0,
    recovered: 0,
    newInfections: 0,
    infectedPlaces: 0,
    recoveredPlaces: 0,
    departures: 0,
    arrivals: 0,
    travellersInFlight: 0,
    newInfectionsByCountry: new Float64Array(countries),
  }
}

/** Everyone alive on that day: at home or on a journey. */
export function peopleCounted(day) {
  return day.susceptible + day.exposed + day.infectious + day.recovered + day.travellersInFlight
}

/** Sixteen hexadecimal digits that change when any figure of any day changes. */
export function checksum(days) {
  const hash = createHash('sha256')
  for (const day of days) {
    hash.update(Float64Array.from(FIGURES, (figure) => day[figure]))
    hash.update(day.newInfectionsByCountry)
  }
  return hash.digest('hex').slice(0, 16)
}

/** The first figure in which two runs differ, as a sentence; undefined when they agree in everything. */
export function firstDifference(daysA, daysB) {
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

/** New infections per continent, one row a day, in the order of CONTINENTS. */
export function newInfectionsByContinent(days, countries) {
  const continentIndex = countries.map((code) => CONTINENTS.indexOf(continentOf(code)))
  return days.map((day) => {
    const row = new Array(CONTINENTS.length).fill(0)
    day.newInfectionsByCountry.forEach((count, country) => (row[continentIndex[country]] += count))
    return row
  })
}

/** Total and worst day of a series that starts on day 1; `day` is undefined when nothing ever happened. */
export function peakOf(series) {
  let total = 0
  let highest = 0
  let day
  series.forEach((count, index) => {
    total += count
    if (count <= highest) return
    highest = count
    day = index + 1
  })
  return { total, highest, day }
}
