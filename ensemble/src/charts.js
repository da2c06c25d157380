// Owns which charts there are of an ensemble: what each is called, which groups it shows, and its lines and bands.

import { EnsembleError } from './errors.js'
import { drawChart, pictureOf, styleOf, STYLES } from './drawing.js'

/** Groups of a chart without `--groups`: more lines than this hide each other. */
const USUAL_GROUPS = 6

/** From the largest value to the smallest there are this many times before a scale of powers of ten is used. */
const WIDE = 300

/** Bands between quantiles, from wide to narrow. */
const BANDS = [
  { low: 0, high: 4, opacity: 0.18 },
  { low: 1, high: 3, opacity: 0.3 },
]

/**
 * @typedef {object} Choice which groups the charts show
 * @property {number} [most] at most so many; 6 without
 * @property {Record<string, unknown[]>} [values] only those with one of these values of a parameter
 *
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} [note] what is not shown
 * @property {string[]} names of the groups, in the order of their styles
 * @property {object} panel in the words of Vega-Lite
 */

/** How groups are named: by the parameters that vary. */
export const nameOf = (parameters) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/**
 * The charts of an ensemble: each column along the axis, and over a parameter of numbers that varies.
 *
 * @param {import('./summary.js').Summary} summary
 * @param {Choice} [choice]
 * @returns {Chart[]}
 * @throws {EnsembleError} BAD_OPTION when the choice names a parameter that does not vary, leaves no group, or more than
 * can be told apart
 */
export function chartsOf(summary, choice = {}) {
  const groups = chosenGroups(summary, choice)
  const most = choice.most ?? USUAL_GROUPS
  return summary.columns.flatMap((column) => [
    ...(summary.axis === undefined ? [] : [alongAxis(summary, { groups, most, column })]),
    ...overParameter(summary, { groups, most, column }),
  ])
}

/** Each chart as an SVG whose colours are those of the page that it is put into. */
export function drawCharts(summary, choice) {
  return Promise.all(
    chartsOf(summary, choice).map(async (chart) => ({
      title: headingOf(chart),
      svg: (await drawChart(chart)).svg,
    })),
  )
}

/**
 * Some charts side by side, as one picture with colours of its own, for light and for dark.
 *
 * @param {import('./summary.js').Summary} summary
 * @param {string[]} [titles] which charts, by their titles; all without
 * @param {Choice} [choice]
 * @returns {Promise<string>} an SVG document
 * @throws {EnsembleError} BAD_OPTION when there is no chart of a title, and as `chartsOf`
 */
export async function drawPicture(summary, titles, choice) {
  const charts = chartsOf(summary, choice)
  const wanted = titles?.map((wish) => chartTitled(charts, wish.trim())) ?? charts
  return pictureOf(
    await Promise.all(
      wanted.map(async (chart) => ({ heading: headingOf(chart), ...(await drawChart(chart)) })),
    ),
  )
}

/** @param {{ title: string, note?: string }} chart */
const headingOf = ({ title, note }) => (note === undefined ? title : `${title} (${note})`)

function chartTitled(charts, wish) {
  const chart = charts.find((one) => one.title === wish || headingOf(one) === wish)
  if (chart) return chart
  const titles = charts.map(({ title }) => `'${title}'`).join(', ')
  throw new EnsembleError('BAD_OPTION', `There is no chart '${wish}': there are ${titles || 'none'}.`)
}

function chosenGroups({ groups, varying }, { most = USUAL_GROUPS, values = {} }) {
  if (most > STYLES) {
    throw new EnsembleError('BAD_OPTION', `A chart shows at most ${STYLES} groups, not ${most}.`)
  }
  for (const name of Object.keys(values)) {
    if (varying.includes(name)) continue
    throw new EnsembleError(
      'BAD_OPTION',
      `The groups do not differ in '${name}': they differ in ${varying.join(', ') || 'nothing'}.`,
    )
  }
  const chosen = groups.filter(({ parameters }) =>
    Object.entries(values).every(([name, list]) => list.includes(parameters[name])),
  )
  if (chosen.length === 0 && groups.length > 0) {
    throw new EnsembleError('BAD_OPTION', 'No group has these values: look at the table that show prints.')
  }
  return chosen
}

/** "6 of 8 groups", where some are not shown. */
const partOf = (shown, all) => (shown < all ? `${shown} of ${all} groups` : undefined)

function alongAxis({ groups: all, axis }, { groups, most, column }) {
  const shown = groups.slice(0, most)
  const points = shown.flatMap(({ parameters, along }) =>
    along[column].map(({ at, spread }) => point(at, nameOf(parameters), spread)),
  )
  return chart(points, {
    title: `${column} by ${axis}`,
    notes: [partOf(shown.length, all.length)],
    x: axis,
    y: column,
    marks: false,
  })
}

function overParameter({ groups: all, varying, description }, { groups, most, column }) {
  const parameter = varying.find((name) => typeof description.parameters[name] === 'number')
  if (parameter === undefined) return []
  const others = varying.filter((name) => name !== parameter)
  const series = (group) => nameOf(Object.fromEntries(others.map((name) => [name, group.parameters[name]])))
  const shown = [...new Set(groups.map(series))].slice(0, most)
  const points = groups
    .filter((group) => shown.includes(series(group)))
    .map((group) => point(group.parameters[parameter], series(group), group.last[column]))
  return [
    chart(points, {
      title: `${column} over ${parameter}`,
      notes: [partOf(shown.length, new Set(all.map(series)).size)],
      x: parameter,
      y: column,
      marks: true,
    }),
  ]
}

function point(x, group, { quantiles }) {
  return { x, group, ...Object.fromEntries(quantiles.map((value, level) => [`q${level}`, value])) }
}

/** @returns {Chart} */
function chart(points, { title, notes, x, y, marks }) {
  // Of values that are all NaN there is no quantile; the table says so.
  const known = points.filter(({ q0 }) => !Number.isNaN(q0))
  const values = known.filter(({ q0, q4 }) => Number.isFinite(q0) && Number.isFinite(q4))
  const names = [...new Set(values.map(({ group }) => group))]
  const note = [...notes, values.length < known.length ? 'without infinite values' : undefined]
    .filter((part) => part !== undefined)
    .join(', ')
  return { title, note: note || undefined, names, panel: fan(values, names, { x, y, marks }) }
}

function fan(values, names, { x, y, marks }) {
  const least = Math.min(...values.map(({ q0 }) => q0))
  const greatest = Math.max(...values.map(({ q4 }) => q4))
  const isWide = least >= 0 && greatest > WIDE && greatest / Math.max(1, least) > WIDE
  const styles = names.map((_, group) => styleOf(group))
  const scaleOf = (range) => ({
    field: 'group',
    type: 'nominal',
    scale: { domain: names, range },
    legend: null,
  })
  const encoding = {
    x: {
      field: 'x',
      type: 'quantitative',
      title: x,
      scale: { zero: false, nice: false },
      axis: { grid: false, tickCount: 6 },
    },
    color: scaleOf(styles.map(({ colour }) => colour)),
  }
  const scale = isWide ? { type: 'symlog', constant: 1 } : { zero: false }
  // Ticks of a symlog scale would be evenly spaced numbers, which crowd together.
  const ticks = isWide ? { values: [0, ...powersOfTen(greatest)] } : { tickCount: 5 }
  const axis = { ...ticks, labelExpr: "datum.value === 0 ? '0' : format(datum.value, '~s')" }
  const title = isWide ? `${y} (logarithmic)` : y
  const onY = (field) => ({ field, type: 'quantitative', title, scale, axis })
  return {
    data: { values },
    layer: [
      ...BANDS.map(({ low, high, opacity }) => ({
        mark: { type: 'area', opacity, line: false },
        encoding: { ...encoding, y: onY(`q${low}`), y2: { field: `q${high}` } },
      })),
      {
        mark: { type: 'line', strokeWidth: 2, point: marks ? { size: 40, filled: true } : false },
        encoding: { ...encoding, strokeDash: scaleOf(styles.map(({ dash }) => dash)), y: onY('q2') },
      },
    ],
  }
}

function powersOfTen(greatest) {
  return Array.from({ length: Math.floor(Math.log10(greatest)) + 1 }, (_, power) => 10 ** power)
}
