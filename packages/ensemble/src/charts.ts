// Owns which charts there are of an ensemble: what each is called, which groups it shows, and its lines and bands.

import type { ParameterValue, ParameterValues } from './definition.js'
import { drawChart, pictureOf, STYLES } from './drawing.js'
import { EnsembleError } from './errors.js'
import { GREATEST, type Panel, type Point, drawable, panelOf } from './panel.js'
import type { Group, Spread, Summary } from './summary.js'

/** Groups of a chart without `--groups`: more lines than this hide each other. */
const USUAL_GROUPS = 6

/** Which groups the charts show. */
export interface Choice {
  /** At most so many; 6 without. */
  most?: number
  /** Only those with one of these values of a parameter. */
  values?: Record<string, ParameterValue[]>
}

/** A chart as it is drawn. */
export interface Chart {
  title: string
  /** What is not shown. */
  note?: string | undefined
  /** Those of the groups, in the order of their styles. */
  names: string[]
  /** In the words of Vega-Lite. */
  panel: Panel
}

/** How groups are named: by the parameters that vary. Different parameters have different names. */
export const nameOf = (parameters: ParameterValues): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} ${valueOf(value)}`)
    .join(', ')

/** What a picture or a terminal cannot show, or would show as something else. */
const NOT_SHOWN = /[\p{Cc}\p{Surrogate}\ufffe\uffff\u2028\u2029]/gu

/** A text is quoted where it could not be told from what is around it, as `--set` and `--groups` take it. */
function valueOf(value: ParameterValue): string {
  if (typeof value !== 'string') return String(value)
  if (/^[^\s",]([^",]*[^\s",])?$/u.test(value) && value.search(NOT_SHOWN) === -1) return value
  return JSON.stringify(value).replace(
    NOT_SHOWN,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * The charts of an ensemble: each column along the axis, and over a parameter of numbers that varies.
 *
 * @throws EnsembleError BAD_OPTION when the choice names a parameter that does not vary, leaves no group, or more than
 * can be told apart
 */
export function chartsOf(summary: Summary, choice: Choice = {}): Chart[] {
  const groups = chosenGroups(summary, choice)
  const most = choice.most ?? USUAL_GROUPS
  return summary.columns.flatMap((column) => [
    ...(summary.axis === undefined ? [] : [alongAxis(summary, summary.axis, { groups, most, column })]),
    ...overParameter(summary, { groups, most, column }),
  ])
}

/** Each chart as an SVG whose colours are those of the page that it is put into. */
export function drawCharts(summary: Summary, choice?: Choice): Promise<{ title: string; svg: string }[]> {
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
 * @param titles which charts, by their titles; all without
 * @returns an SVG document
 * @throws EnsembleError BAD_OPTION when there is no chart of a title, and as `chartsOf`
 */
export async function drawPicture(summary: Summary, titles?: string[], choice?: Choice): Promise<string> {
  const charts = chartsOf(summary, choice)
  if (charts.length === 0) {
    throw new EnsembleError(
      'BAD_OPTION',
      'There is no chart to draw: it takes a column of numbers, and runs of several rows or a parameter of numbers that varies.',
    )
  }
  const wanted = titles?.map((wish) => chartTitled(charts, wish.trim())) ?? charts
  return pictureOf(
    await Promise.all(
      wanted.map(async (chart) => ({ heading: headingOf(chart), ...(await drawChart(chart)) })),
    ),
  )
}

const headingOf = ({ title, note }: Pick<Chart, 'title' | 'note'>) =>
  note === undefined ? title : `${title} (${note})`

function chartTitled(charts: readonly Chart[], wish: string): Chart {
  const chart = charts.find((one) => one.title === wish || headingOf(one) === wish)
  if (chart) return chart
  const titles = charts.map(({ title }) => `'${title}'`).join(', ')
  throw new EnsembleError('BAD_OPTION', `There is no chart '${wish}': there are ${titles || 'none'}.`)
}

function chosenGroups({ groups, varying }: Summary, { most = USUAL_GROUPS, values = {} }: Choice): Group[] {
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
  for (const [name, list] of Object.entries(values)) {
    const unknown = list.filter((value) => !groups.some(({ parameters }) => parameters[name] === value))
    if (unknown.length === 0 || groups.length === 0) continue
    throw new EnsembleError(
      'BAD_OPTION',
      `No group has these values: ${unknown.map((value) => nameOf({ [name]: value })).join(', ')}. Look at the table that show prints.`,
    )
  }
  const chosen = groups.filter(({ parameters }) =>
    Object.entries(values).every(([name, list]) => list.includes(parameters[name]!)),
  )
  if (chosen.length === 0 && groups.length > 0) {
    throw new EnsembleError(
      'BAD_OPTION',
      'No group has all of these values: look at the table that show prints.',
    )
  }
  return chosen
}

/** "6 of 8 groups", where some are not shown. */
const partOf = (shown: number, all: number) => (shown < all ? `${shown} of ${all} groups` : undefined)

/** Which of the groups a chart of a column shows. */
interface Shown {
  groups: Group[]
  most: number
  column: string
}

function alongAxis({ groups: all }: Summary, axis: string, { groups, most, column }: Shown): Chart {
  const shown = groups.slice(0, most)
  const points = shown.flatMap(({ along }, group) =>
    along![column]!.map(({ at, spread }) => point(at, group, spread)),
  )
  return chart(points, {
    title: `${column} by ${axis}`,
    names: shown.map(({ parameters }) => nameOf(parameters)),
    notes: [partOf(shown.length, all.length)],
    x: axis,
    y: column,
    hasMarks: false,
  })
}

function overParameter(
  { groups: all, varying, description }: Summary,
  { groups, most, column }: Shown,
): Chart[] {
  const parameter = varying.find((name) => typeof description.parameters[name] === 'number')
  if (parameter === undefined) return []
  const others = varying.filter((name) => name !== parameter)
  const series = (group: Group) =>
    nameOf(Object.fromEntries(others.map((name) => [name, group.parameters[name]!])))
  const names = [...new Set(groups.map(series))].slice(0, most)
  const points = names.flatMap((name, place) =>
    groups
      .filter((group) => series(group) === name)
      .map((group) => point(group.parameters[parameter] as number, place, group.last[column]!)),
  )
  return [
    chart(points, {
      title: `${column} over ${parameter}`,
      names,
      notes: [partOf(names.length, new Set(all.map(series)).size)],
      x: parameter,
      y: column,
      hasMarks: true,
    }),
  ]
}

const point = (x: number, group: number, { quantiles }: Spread) => ({
  x,
  group,
  quantiles,
})

/** What is written at a chart, and how it is drawn. */
interface ChartWords {
  title: string
  names: string[]
  notes: (string | undefined)[]
  x: string
  y: string
  hasMarks: boolean
}

function chart(
  points: { x: number; group: number; quantiles: number[] }[],
  { title, names, notes, x, y, hasMarks }: ChartWords,
): Chart {
  const placed = points.filter((one) => drawable(one.x) !== null)
  const values = placed.flatMap(({ quantiles }) => quantiles)
  const drawn = placed.map(({ x: place, group, quantiles }): Point => ({
    x: drawable(place)!,
    group,
    quantiles: quantiles.map(drawable),
  }))
  const isEmpty = values.every((value) => drawable(value) === null)
  const note = [
    ...notes,
    isEmpty && 'nothing to draw',
    !isEmpty && values.some((value) => Math.abs(value) === Infinity) && 'without infinite values',
    values.some((value) => Number.isFinite(value) && drawable(value) === null) &&
      `without values beyond ${GREATEST}`,
    placed.length < points.length && `without rows whose ${x} is no finite number`,
  ]
    .filter(Boolean)
    .join(', ')
  const panel = panelOf(drawn, { x, y, hasMarks, groups: names.length })
  return { title, note: note || undefined, names, panel }
}
