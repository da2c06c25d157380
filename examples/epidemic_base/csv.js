// Owns: daily.csv, one line a day.
// Must never: round; the file carries the exact figures.

import { CONTINENTS } from './continents.js'
import { FIGURES, newInfectionsByContinent } from './ledger.js'

/**
 * @param {import('./ledger.js').Day[]} days
 * @param {string[]} countries
 */
export function dailyCsv(days, countries) {
  const byContinent = newInfectionsByContinent(days, countries)
  const header = [
    ...FIGURES.map(columnName),
    ...CONTINENTS.map((name) => columnName(`new infections ${name}`)),
  ]
  const lines = days.map((day, index) => [...FIGURES.map((figure) => day[figure]), ...byContinent[index]])
  return [header, ...lines].map((cells) => cells.join(',')).join('\n') + '\n'
}

/** 'newInfections' and 'new infections Asia' become 'new_infections' and 'new_infections_asia'. */
function columnName(name) {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/ /g, '_')
    .toLowerCase()
}
