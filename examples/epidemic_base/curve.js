// Owns: curve.svg, the epidemic over time: new infections by continent, and what became of everybody.
// Must never: change or recompute a result; it draws what the run reports.

import * as vega from 'vega'
import { compile } from 'vega-lite'
import { CONTINENTS } from './continents.js'
import { newInfectionsByContinent } from './ledger.js'
import { BACKGROUND, CONTINENT_COLOURS, FAINT_LINE, FONT, QUIET_TEXT, TEXT } from './palette.js'

const PANEL_WIDTH = 900

// Bottom to top, so that the susceptible shrink from above as the recovered grow from below.
const STATES = [
  { figure: 'recovered', label: 'Recovered', colour: '#3f7f93' },
  { figure: 'infectious', label: 'Infectious', colour: '#ef5d60' },
  { figure: 'exposed', label: 'Exposed', colour: '#f2b134' },
  { figure: 'susceptible', label: 'Susceptible', colour: '#26324a' },
]

const PEOPLE_AXIS = {
  title: null,
  tickCount: 5,
  tickMinStep: 1,
  labelExpr: "datum.value === 0 ? '0' : format(datum.value, '~s')",
}

/**
 * @param {import('./ledger.js').Day[]} days
 * @param {string[]} countries
 * @param {string} startName
 * @returns {Promise<string>} an SVG document
 */
export async function drawCurve(days, countries, startName) {
  const specification = compile({
    background: BACKGROUND,
    padding: 32,
    title: {
      text: 'How the epidemic went',
      subtitle: `First cases in ${startName}`,
      anchor: 'start',
      fontSize: 24,
      subtitleFontSize: 14,
      color: TEXT,
      subtitleColor: QUIET_TEXT,
      subtitlePadding: 6,
      offset: 24,
    },
    vconcat: [infectionsPanel(days, countries), statesPanel(days)],
    spacing: 34,
    resolve: { scale: { color: 'independent' } },
    config: LOOK,
  }).spec
  const view = new vega.View(vega.parse(specification), { renderer: 'none' })
  const picture = await view.toSVG()
  view.finalize()
  return withShortNumbers(picture)
}

/** Vega writes coordinates with fifteen digits; a tenth of a pixel is all one can see. */
function withShortNumbers(picture) {
  return picture.replace(/\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10))
}

const LOOK = {
  font: FONT,
  view: { stroke: null },
  axis: {
    labelColor: QUIET_TEXT,
    titleColor: QUIET_TEXT,
    gridColor: FAINT_LINE,
    domainColor: FAINT_LINE,
    tickColor: FAINT_LINE,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
  },
  legend: {
    labelColor: TEXT,
    labelFontSize: 13,
    titleColor: QUIET_TEXT,
    symbolType: 'square',
    orient: 'right',
  },
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
      x: dayAxis(days, null),
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
      x: dayAxis(days, 'Day'),
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

function panelTitle(text) {
  return {
    text,
    anchor: 'start',
    color: TEXT,
    fontSize: 15,
    fontWeight: 'normal',
    offset: 10,
    frame: 'group',
  }
}

function dayAxis(days, title) {
  return {
    field: 'day',
    type: 'quantitative',
    scale: { domain: [1, Math.max(2, days.length)], nice: false },
    axis: { title, grid: false, tickCount: 12, tickMinStep: 1 },
  }
}
