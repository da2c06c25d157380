// Owns the fan charts: which there are of an ensemble, and each as an SVG whose colours a page may choose.

import * as vega from 'vega'
import { compile } from 'vega-lite'
import { EnsembleError } from './errors.js'

/** Colours of groups, to be told apart by people who see colours differently, on white and on black (after Okabe and Ito). */
const COLOURS = ['#2f86d1', '#e07a1f', '#1f9e77', '#c2569b', '#8a63d2', '#a8912a']

/** Stand-ins for the colours of text and of lines: the picture takes those of the page that it is in. */
const STAND_INS = { '#010101': 'var(--text)', '#020202': 'var(--quiet)', '#030303': 'var(--line)' }
const [TEXT, QUIET, LINE] = Object.keys(STAND_INS)

const FONT = 'system-ui, "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif'
const MOST_GROUPS = COLOURS.length
const SIZE = { width: 420, height: 240 }

/** From the largest value to the smallest there are this many times before a scale of powers of ten is used. */
const WIDE = 300

/** Bands between quantiles, from wide to narrow. */
const BANDS = [
  { low: 0, high: 4, opacity: 0.18 },
  { low: 1, high: 3, opacity: 0.3 },
]

/** How groups are named: by the parameters that vary. */
export const nameOf = (parameters) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/**
 * The charts of an ensemble: each column along the axis, and over a parameter of numbers that varies.
 *
 * @param {import('./summary.js').Summary} summary
 * @returns {{ title: string, panel: object }[]} panels in the words of Vega-Lite
 */
export function chartsOf(summary) {
  return summary.columns.flatMap((column) => [
    ...(summary.axis === undefined ? [] : [alongAxis(summary, column)]),
    ...overParameter(summary, column),
  ])
}

/** Each chart as an SVG whose colours are those of the page that it is put into. */
export function drawCharts(summary) {
  return Promise.all(chartsOf(summary).map(async ({ title, panel }) => ({ title, svg: await draw(panel) })))
}

/**
 * Some charts side by side, as one picture with colours of its own, for light and for dark.
 *
 * @param {import('./summary.js').Summary} summary
 * @param {string[]} [titles] which charts, by their titles; all without
 * @returns {Promise<string>} an SVG document
 * @throws {EnsembleError} BAD_OPTION when there is no chart of a title
 */
export async function drawPicture(summary, titles) {
  const charts = chartsOf(summary)
  const wanted = titles?.map((wish) => chartTitled(charts, wish)) ?? charts
  const titled = wanted.map(({ title, panel }) => ({ ...panel, title: { text: title, ...TITLE } }))
  const svg = await draw({ hconcat: titled, spacing: 48, resolve: { scale: { color: 'independent' } } })
  return svg.replace(/(<svg[^>]*>)/, `$1${PICTURE_COLOURS}`)
}

function chartTitled(charts, wish) {
  const chart = charts.find(({ title }) => title === wish.trim())
  if (chart) return chart
  const titles = charts.map(({ title }) => `'${title}'`).join(', ')
  throw new EnsembleError('BAD_OPTION', `There is no chart '${wish.trim()}': there are ${titles || 'none'}.`)
}

const PICTURE_COLOURS =
  '<style>svg{--text:#1c2430;--quiet:#5b6675;--line:#d9dee5;--back:#fff}' +
  '@media (prefers-color-scheme:dark){svg{--text:#e8ecf5;--quiet:#9aa6b8;--line:#303a49;--back:#0d1117}}</style>' +
  '<rect width="100%" height="100%" fill="var(--back)"/>'

const TITLE = { anchor: 'start', color: TEXT, fontSize: 14, fontWeight: 600, offset: 12, frame: 'group' }

function alongAxis({ groups, axis }, column) {
  const shown = groups.slice(0, MOST_GROUPS)
  const points = shown.flatMap(({ parameters, along }) =>
    along[column].map(({ at, spread }) => point(at, nameOf(parameters), spread)),
  )
  const rest = groups.length > shown.length ? ` (${shown.length} of ${groups.length} groups)` : ''
  return { title: `${column} by ${axis}${rest}`, panel: fan(points, { x: axis, y: column, marks: false }) }
}

function overParameter({ groups, varying, description }, column) {
  const parameter = varying.find((name) => typeof description.parameters[name] === 'number')
  if (parameter === undefined) return []
  const others = varying.filter((name) => name !== parameter)
  const series = (group) => nameOf(Object.fromEntries(others.map((name) => [name, group.parameters[name]])))
  const shown = [...new Set(groups.map(series))].slice(0, MOST_GROUPS)
  const points = groups
    .filter((group) => shown.includes(series(group)))
    .map((group) => point(group.parameters[parameter], series(group), group.last[column]))
  return [
    { title: `${column} over ${parameter}`, panel: fan(points, { x: parameter, y: column, marks: true }) },
  ]
}

function point(x, group, { quantiles }) {
  return { x, group, ...Object.fromEntries(quantiles.map((value, level) => [`q${level}`, value])) }
}

function fan(points, { x, y, marks }) {
  const values = points.filter(({ q0 }) => Number.isFinite(q0))
  const names = [...new Set(values.map(({ group }) => group))]
  const least = Math.min(...values.map(({ q0 }) => q0))
  const greatest = Math.max(...values.map(({ q4 }) => q4))
  const isWide = least >= 0 && greatest > WIDE && greatest / Math.max(1, least) > WIDE
  const encoding = {
    x: {
      field: 'x',
      type: 'quantitative',
      title: x,
      scale: { zero: false, nice: false },
      axis: { grid: false, tickCount: 6 },
    },
    color: {
      field: 'group',
      type: 'nominal',
      scale: { domain: names, range: COLOURS },
      legend: names.length > 1 ? { title: null, orient: 'top', labelLimit: 0 } : null,
    },
  }
  const scale = isWide ? { type: 'symlog', constant: 1 } : { zero: false }
  // Ticks of a symlog scale would be evenly spaced numbers, which crowd together.
  const ticks = isWide ? { values: [0, ...powersOfTen(greatest)] } : { tickCount: 5 }
  const axis = { ...ticks, labelExpr: "datum.value === 0 ? '0' : format(datum.value, '~s')" }
  const onY = (field) => ({ field, type: 'quantitative', title: y, scale, axis })
  return {
    ...SIZE,
    data: { values },
    layer: [
      ...BANDS.map(({ low, high, opacity }) => ({
        mark: { type: 'area', opacity, line: false },
        encoding: { ...encoding, y: onY(`q${low}`), y2: { field: `q${high}` } },
      })),
      {
        mark: { type: 'line', strokeWidth: 2, point: marks ? { size: 40, filled: true } : false },
        encoding: { ...encoding, y: onY('q2') },
      },
    ],
  }
}

function powersOfTen(greatest) {
  return Array.from({ length: Math.floor(Math.log10(greatest)) + 1 }, (_, power) => 10 ** power)
}

const LOOK = {
  font: FONT,
  background: null,
  view: { stroke: null },
  axis: {
    labelColor: QUIET,
    titleColor: QUIET,
    gridColor: LINE,
    domainColor: LINE,
    tickColor: LINE,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
  },
  legend: { labelColor: TEXT, labelFontSize: 12, symbolType: 'square', symbolOpacity: 1, columnPadding: 16 },
}

async function draw(panel) {
  const { spec } = compile({ background: null, padding: 12, ...panel, config: LOOK })
  const view = new vega.View(vega.parse(spec), { renderer: 'none' })
  const svg = await view.toSVG()
  view.finalize()
  return withColours(svg).replace(/\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10))
}

function withColours(svg) {
  return Object.entries(STAND_INS).reduce((text, [standIn, colour]) => text.replaceAll(standIn, colour), svg)
}
