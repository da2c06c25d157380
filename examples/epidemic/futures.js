// Owns: futures.svg, two futures of one past: the days that both share, and what became of each.
// Must never: change or recompute a result; it draws what both runs report.

import { dayAxis, drawChart, PANEL_WIDTH, panelTitle, PEOPLE_AXIS } from './chart.js'
import { FUTURE_COLOURS, QUIET_TEXT, TEXT } from './palette.js'

/**
 * @typedef {object} Future
 * @property {string} name for people
 * @property {import('./ledger.js').Day[]} days from day 1 on, those of the past included
 */

/**
 * @param {Future[]} futures equal up to the day of the fork
 * @param {number} forkDay the last day that they share
 * @param {string} startName
 * @returns {Promise<string>} an SVG document
 */
export function drawFutures(futures, forkDay, startName) {
  const subtitle = `First cases in ${startName}. Up to day ${forkDay} there is one world, then it is forked`
  return drawChart('Two futures of one past', subtitle, [
    panel('New infections a day', futures, forkDay, { axis: PEOPLE_AXIS }, null),
    panel('The same on a scale of powers of ten', futures, forkDay, POWERS_OF_TEN, 'Day'),
  ])
}

/** Where the past, too, can be seen. It has no place for days without infections. */
const POWERS_OF_TEN = {
  scale: { type: 'log', domainMin: 1 },
  axis: {
    ...PEOPLE_AXIS,
    labelExpr: "format(datum.value, '~s')",
    values: Array.from({ length: 10 }, (_, power) => 10 ** power),
  },
}

function panel(title, futures, forkDay, peopleScale, dayTitle) {
  const lastDay = futures[0].days.length
  const names = futures.map(({ name }) => name)
  const isLog = peopleScale === POWERS_OF_TEN
  const points = (days) =>
    days
      .filter(({ newInfections }) => newInfections > 0 || !isLog)
      .map(({ day, newInfections }) => ({ day, people: newInfections }))
  // Lines begin at the last shared point, so that none hangs in the air.
  const values = futures.flatMap(({ name, days }) =>
    points(days.slice(forkDay - 1)).map((point) => ({ ...point, future: name })),
  )
  const x = dayAxis(lastDay, dayTitle)
  const y = { field: 'people', type: 'quantitative', ...peopleScale }
  return {
    title: panelTitle(title),
    width: PANEL_WIDTH,
    height: 240,
    layer: [
      {
        data: { values: points(futures[0].days.slice(0, forkDay)) },
        mark: { type: 'line', color: TEXT, strokeWidth: 2 },
        encoding: { x, y },
      },
      {
        data: { values },
        mark: { type: 'line', strokeWidth: 2.5 },
        encoding: {
          x,
          y,
          color: {
            field: 'future',
            type: 'nominal',
            scale: { domain: names, range: FUTURE_COLOURS },
            legend: isLog
              ? null
              : { title: 'Contact rate', labelLimit: 0, symbolType: 'stroke', symbolStrokeWidth: 3 },
          },
        },
      },
      {
        data: { values: [{ day: forkDay }] },
        mark: { type: 'rule', color: QUIET_TEXT, strokeDash: [4, 4] },
        encoding: { x },
      },
      {
        data: { values: [{ day: forkDay, label: `day ${forkDay}` }] },
        mark: {
          type: 'text',
          color: QUIET_TEXT,
          align: 'left',
          dx: 6,
          dy: 10,
          fontSize: 12,
        },
        encoding: { x, y: { value: 0 }, text: { field: 'label' } },
      },
    ],
  }
}
