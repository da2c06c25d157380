// Owns curve.svg: population and food over time. It must never change or recompute a figure.

import * as vega from 'vega'
import { compile } from 'vega-lite'

const POPULATION = [
  { figure: 'foragers', label: 'Foragers', colour: '#c8553d' },
  { figure: 'nurses', label: 'Nurses', colour: '#f2b134' },
  { figure: 'larvae', label: 'Larvae', colour: '#588b8b' },
]
const FOOD = [
  { figure: 'stored', label: 'Stored', colour: '#7f5539' },
  { figure: 'growing', label: 'Growing', colour: '#6a994e' },
]

/**
 * @param {object[]} days
 * @returns {Promise<string>} an SVG document
 */
export async function drawCurve(days) {
  const { spec } = compile({
    background: 'white',
    padding: 24,
    vconcat: [panel('Population', POPULATION, days, true), panel('Food', FOOD, days, false)],
    resolve: { scale: { color: 'independent' } },
    config: { view: { stroke: null }, axis: { gridColor: '#eeeeee' } },
  })
  const view = new vega.View(vega.parse(spec), { renderer: 'none' })
  const picture = await view.toSVG()
  view.finalize()
  // A tenth of a pixel is all one can see.
  return picture.replace(/\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10))
}

function panel(title, series, days, stacked) {
  const values = days.flatMap((day) =>
    series.map(({ figure, label }) => ({ day: day.day, label, value: day[figure] })),
  )
  return {
    title: { text: title, anchor: 'start', frame: 'group' },
    width: 760,
    height: 220,
    data: { values },
    mark: stacked ? { type: 'area' } : { type: 'line', strokeWidth: 2 },
    encoding: {
      x: { field: 'day', type: 'quantitative', axis: { grid: false, tickMinStep: 1 } },
      y: { field: 'value', type: 'quantitative', stack: stacked ? 'zero' : null, title: null },
      color: {
        field: 'label',
        type: 'nominal',
        scale: { domain: series.map(({ label }) => label), range: series.map(({ colour }) => colour) },
        legend: { title: null },
      },
    },
  }
}
