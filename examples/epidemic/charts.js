// curve.svg and futures.svg: the epidemic over time, two futures of one past; and how all pictures look.

import * as vega from 'vega'
import { compile } from 'vega-lite'
import { CONTINENTS } from './cities.js'
import { newInfectionsByContinent } from './report.js'

export const BACKGROUND = '#0b0f1a'
export const PANEL = '#0e1422'
export const FAINT_LINE = '#1c2740'
export const TEXT = '#e8ecf5'
export const QUIET_TEXT = '#8d99b3'
export const UNTOUCHED = '#2c3750'
export const FONT = 'Inter, "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif'

// In the order of CONTINENTS.
const CONTINENT_COLOURS = ['#f2b134', '#ef5d60', '#4ea8de', '#7bd389', '#b388eb', '#5ee0d0', '#dfe7f5']
/** The future in which nothing changes, and the other one. Told apart by lightness, too. */
const FUTURE_COLOURS = ['#ef5d60', '#5ee0d0']
// Bottom to top, so that the susceptible shrink from above as the recovered grow from below.
const STATES = { Recovered: '#3f7f93', Infectious: '#ef5d60', Exposed: '#f2b134', Susceptible: '#26324a' }
const SHORT_NUMBERS = "format(datum.value, '~s')"
const PEOPLE_AXIS = { title: null, tickCount: 5, labelExpr: `datum.value === 0 ? '0' : ${SHORT_NUMBERS}` }
/** Where the past, too, can be seen. It has no place for days without infections. */
const POWERS_OF_TEN = {
  scale: { type: 'log', domainMin: 1 },
  axis: {
    title: null,
    labelExpr: SHORT_NUMBERS,
    values: Array.from({ length: 10 }, (_, power) => 10 ** power),
  },
}
const FAINT = { gridColor: FAINT_LINE, domainColor: FAINT_LINE, tickColor: FAINT_LINE }
const LOOK = {
  font: FONT,
  view: { stroke: null },
  axis: {
    ...FAINT,
    labelColor: QUIET_TEXT,
    titleColor: QUIET_TEXT,
    labelFontSize: 12,
    titleFontWeight: 'normal',
  },
  legend: { labelColor: TEXT, titleColor: QUIET_TEXT, labelFontSize: 13, symbolType: 'square' },
  title: { color: TEXT, subtitleColor: QUIET_TEXT, anchor: 'start' },
}

/** New infections by continent, and what became of everybody, as an SVG document. */
export function drawCurve(days, countries, startName) {
  const panels = [infectionsPanel(days, countries), statesPanel(days)]
  return drawChart('How the epidemic went', `First cases in ${startName}`, panels)
}

/**
 * Two futures that are equal up to a day.
 *
 * @param {{ name: string, days: object[] }[]} futures with all days, those of the past included
 * @param {number} forkDay the last day that they share
 */
export function drawFutures(futures, forkDay, startName) {
  const subtitle = `First cases in ${startName}. Up to day ${forkDay} there is one world, then it is forked`
  return drawChart('Two futures of one past', subtitle, [
    futuresPanel('New infections a day', futures, forkDay, { axis: PEOPLE_AXIS }),
    futuresPanel('The same on a scale of powers of ten', futures, forkDay, POWERS_OF_TEN),
  ])
}

async function drawChart(text, subtitle, panels) {
  const { spec } = compile({
    background: BACKGROUND,
    padding: 32,
    title: { text, subtitle, fontSize: 24, subtitleFontSize: 14, subtitlePadding: 6, offset: 24 },
    vconcat: panels,
    spacing: 34,
    resolve: { scale: { color: 'independent' } },
    config: LOOK,
  })
  const view = new vega.View(vega.parse(spec), { renderer: 'none' })
  const picture = await view.toSVG()
  view.finalize()
  // Vega writes coordinates with fifteen digits; a tenth of a pixel is all one can see.
  return picture.replace(/\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10))
}

const panel = (text, height, rest) => ({
  title: { text, fontSize: 15, fontWeight: 'normal', offset: 10, frame: 'group' },
  width: 900,
  height,
  ...rest,
})

const dayAxis = (lastDay) => ({
  field: 'day',
  type: 'quantitative',
  scale: { domain: [1, Math.max(2, lastDay)], nice: false },
  axis: { title: 'Day', grid: false, tickCount: 12, tickMinStep: 1 },
})

/** What colours a nominal field: each of its values in its colour, in this order. */
const colours = (field, domain, range, legend = { title: null }) => ({
  field,
  type: 'nominal',
  sort: null,
  scale: { domain, range },
  legend,
})

function infectionsPanel(days, countries) {
  const byContinent = newInfectionsByContinent(days, countries)
  const shown = CONTINENTS.filter((_, at) => byContinent.some((counts) => counts[at] > 0))
  const values = byContinent.flatMap((counts, index) =>
    shown.map((continent) => ({ day: index + 1, continent, people: counts[CONTINENTS.indexOf(continent)] })),
  )
  const range = shown.map((continent) => CONTINENT_COLOURS[CONTINENTS.indexOf(continent)])
  return panel('New infections a day, by continent', 300, {
    data: { values },
    mark: { type: 'area', opacity: 0.92 },
    encoding: {
      x: dayAxis(days.length),
      y: { field: 'people', type: 'quantitative', stack: true, axis: PEOPLE_AXIS },
      color: colours('continent', shown, range),
    },
  })
}

function statesPanel(days) {
  const states = Object.keys(STATES)
  const values = days.flatMap((day) =>
    states.map((state, order) => ({ day: day.day, state, order, people: day[state.toLowerCase()] })),
  )
  const axis = { title: null, format: '.0%', tickCount: 4 }
  return panel('Where everybody stands', 200, {
    data: { values },
    mark: { type: 'area', opacity: 1 },
    encoding: {
      x: dayAxis(days.length),
      y: { field: 'people', type: 'quantitative', stack: 'normalize', axis },
      order: { field: 'order' },
      color: colours('state', states.toReversed(), Object.values(STATES).reverse()),
    },
  })
}

function futuresPanel(title, futures, forkDay, peopleScale) {
  const isLog = peopleScale === POWERS_OF_TEN
  const points = (days, future) =>
    days
      .filter(({ newInfections }) => newInfections > 0 || !isLog)
      .map(({ day, newInfections }) => ({ day, people: newInfections, future }))
  const x = dayAxis(futures[0].days.length)
  const y = { field: 'people', type: 'quantitative', ...peopleScale }
  const legend = { title: 'Contact rate', labelLimit: 0, symbolType: 'stroke', symbolStrokeWidth: 3 }
  const names = futures.map(({ name }) => name)
  const color = colours('future', names, FUTURE_COLOURS, isLog ? null : legend)
  const past = points(futures[0].days.slice(0, forkDay))
  // Lines begin at the last shared point, so that none hangs in the air.
  const later = futures.flatMap(({ name, days }) => points(days.slice(forkDay - 1), name))
  const fork = { values: [{ day: forkDay, label: `day ${forkDay}` }] }
  return panel(title, 240, {
    layer: [
      { data: { values: past }, mark: { type: 'line', color: TEXT, strokeWidth: 2 }, encoding: { x, y } },
      { data: { values: later }, mark: { type: 'line', strokeWidth: 2.5 }, encoding: { x, y, color } },
      { data: fork, mark: { type: 'rule', color: QUIET_TEXT, strokeDash: [4, 4] }, encoding: { x } },
      {
        data: fork,
        mark: { type: 'text', color: QUIET_TEXT, align: 'left', dx: 6, dy: 10, fontSize: 12 },
        encoding: { x, y: { value: 0 }, text: { field: 'label' } },
      },
    ],
  })
}

// Perceptually even from light to dark (matplotlib's plasma, reversed); its darkest end would sink into the background.
const SEQUENCE =
  '#f6f626 #fcd225 #fdae32 #f68d45 #e97158 #d8576b #c33d80 #a82296 #8a0da5 #6a14b8 #4d2fd0'.split(' ')

const ramp = vega.interpolateColors(SEQUENCE, 'rgb')

/** Colour at `position` from 0 (early, light) to 1 (late, dark). */
export const sequential = (position) => ramp(Math.min(1, Math.max(0, position)))
