// Owns: curve.svg, the epidemic over time: new infections by continent, and what became of everybody.
// Must never: change or recompute a result; it draws what the run reports.

import { dayAxis, drawChart, PANEL_WIDTH, panelTitle, PEOPLE_AXIS } from './chart.js'
import { CONTINENTS } from './continents.js'
import { newInfectionsByContinent } from './ledger.js'
import { CONTINENT_COLOURS } from './palette.js'

// Bottom to top, so that the susceptible shrink from above as the recovered grow from below.
const STATES = [
  { figure: 'recovered', label: 'Recovered', colour: '#3f7f93' },
  { figure: 'infectious', label: 'Infectious', colour: '#ef5d60' },
  { figure: 'exposed', label: 'Exposed', colour: '#f2b134' },
  { figure: 'susceptible', label: 'Susceptible', colour: '#26324a' },
]

/**
 * @param {import('./ledger.js').Day[]} days
 * @param {string[]} countries
 * @param {string} startName
 * @returns {Promise<string>} an SVG document
 */
export function drawCurve(days, countries, startName) {
  const panels = [infectionsPanel(days, countries), statesPanel(days)]
  return drawChart('How the epidemic went', `First cases in ${startName}`, panels)
}

function infectionsPanel(days, countries) {
  const byContinent = newInfectionsByContinent(days, countries)
  const values = byContinent.flatMap((counts, index) =>
    CONTINENTS.map((continent, at) => ({ day: index + 1, continent, people: counts[at] })),
  )
  const shown = CONTINENTS.filter((_, at) => byContinent.some((counts) => counts[at] > 0))
  return {
    title: panelTitle('New infections a day, by continent'),
    width: PANEL_WIDTH,
    height: 300,
    data: { values: values.filter(({ continent }) => shown.includes(continent)) },
    mark: { type: 'area', opacity: 0.92 },
    encoding: {
      x: dayAxis(days.length, null),
      y: { field: 'people', type: 'quantitative', stack: true, axis: PEOPLE_AXIS },
      color: {
        field: 'continent',
        type: 'nominal',
        scale: { domain: shown, range: shown.map((continent) => CONTINENT_COLOURS[continent]) },
        legend: { title: null },
      },
    },
  }
}

function statesPanel(days) {
  const values = days.flatMap((day) =>
    STATES.map(({ figure, label }, order) => ({ day: day.day, label, order, people: day[figure] })),
  )
  return {
    title: panelTitle('Where everybody stands'),
    width: PANEL_WIDTH,
    height: 200,
    data: { values },
    mark: { type: 'area', opacity: 1 },
    encoding: {
      x: dayAxis(days.length, 'Day'),
      y: {
        field: 'people',
        type: 'quantitative',
        stack: 'normalize',
        axis: { title: null, format: '.0%', tickCount: 4 },
      },
      order: { field: 'order' },
      color: {
        field: 'label',
        type: 'nominal',
        sort: null,
        scale: {
          domain: STATES.map(({ label }) => label).reverse(),
          range: STATES.map(({ colour }) => colour).reverse(),
        },
        legend: { title: null },
      },
    },
  }
}
