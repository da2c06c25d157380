// Owns the panel of a chart in the words of Vega-Lite: its lines and bands, its scales, its ticks and what is written at them.

import { NO_MEMBER, styleOf } from './drawing.js'

/** From the largest value to the smallest there are this many times before a scale of powers of ten is used. */
const WIDE = 300

/** Bands between quantiles, by their places, from wide to narrow. */
const BANDS = [
  { low: 0, high: 4, opacity: 0.18 },
  { low: 1, high: 3, opacity: 0.3 },
]
const MEDIAN = 2

/** The scale from -1e308 to 1e308 would have infinite width. */
export const GREATEST: number = 1e300
/** What is closer to 0 is drawn as 0: a hundredth of it would have no digits left. */
const LEAST = 1e-300

/** A span that is so small a part of the values in it is drawn as none: its ticks would differ in no digit. */
const FLAT = 1e-11

const X_TICKS = 6
const Y_TICKS = 5
/** More powers of ten than this crowd together. */
const MOST_POWERS = 8

/** Along a series of more places, lines would be drawn through one pixel several times over. */
const MOST_PLACES = 2000
/** Into so many parts such a series is divided; of each, the places with the least and the greatest values are drawn. */
const PARTS = 500

/** The quantiles at a place; null for those that cannot be drawn. */
export interface Point {
  x: number
  /** Its place among the groups of the chart. */
  group: number
  quantiles: (number | null)[]
}

/** The least and the greatest. */
type Bounds = [least: number, greatest: number]

/** A point in a piece of a line or of a band, with the quantiles that this is drawn by. */
interface Placed {
  x: number
  group: number
  piece: number
  [quantile: `q${number}`]: number | null | undefined
}

/** A chart in the words of Vega-Lite, which are checked when it is drawn. */
export interface Panel {
  layer: Layer[]
}

interface Layer {
  data: { values: object[] }
  mark: object
  encoding: object
}

/** A value as it can be drawn, or null. */
export function drawable(value: number): number | null {
  if (!(Math.abs(value) <= GREATEST)) return null
  return Math.abs(value) < LEAST ? 0 : value
}

/**
 * The panel of points, which lie in the order of their groups, and within a group in the order of their places.
 *
 * @param options titles of the axes, whether there are dots
 */
export function panelOf(
  points: Point[],
  { x, y, hasMarks, groups }: { x: string; y: string; hasMarks: boolean; groups: number },
): Panel {
  const values = points.flatMap(({ quantiles }) => quantiles).filter((value) => value !== null)
  const [least, greatest] = boundsOf(values)
  const isWide = least >= 0 && greatest > WIDE && greatest / Math.max(1, least) > WIDE
  const styles = Array.from({ length: groups }, (_, group) => styleOf(group))
  const scaleOf = (range: string[] | number[][]) => ({
    field: 'group',
    type: 'nominal',
    scale: { domain: styles.map((_, group) => group), range },
    legend: null,
  })
  const vertical = isWide ? powersOfTen(least, greatest) : linear(least, greatest, Y_TICKS)
  const places = boundsOf(points.map((point) => point.x))
  const horizontal = linear(...places, X_TICKS)
  const encoding = {
    x: {
      field: 'x',
      type: 'quantitative',
      title: `${x}${NO_MEMBER}`,
      scale: { ...horizontal.scale, nice: false },
      axis: { ...horizontal.axis, grid: false, description: described(x, places) },
    },
    color: scaleOf(styles.map(({ colour }) => colour)),
    detail: { field: 'piece' },
  }
  const ticks = values.length > 0 ? vertical.axis : { values: [] }
  const onY = (level: number) => ({
    field: `q${level}`,
    type: 'quantitative',
    title: `${y}${isWide ? ' (logarithmic)' : ''}${NO_MEMBER}`,
    scale: vertical.scale,
    axis: { ...ticks, description: described(y, [least, greatest]) },
  })
  const dashed = { ...encoding, strokeDash: scaleOf(styles.map(({ dash }) => dash)), y: onY(MEDIAN) }
  const series = seriesOf(points)
  return {
    layer: [
      ...BANDS.flatMap(({ low, high, opacity }) => {
        const banded = { ...encoding, y: onY(low), y2: { field: `q${high}` } }
        const { lasting, single } = pieces(series, [low, high])
        return [
          layer(lasting, { type: 'area', opacity, line: false }, banded),
          layer(single, { type: 'rule', opacity, strokeWidth: 6 }, banded),
        ]
      }),
      ...[pieces(series, [MEDIAN])].flatMap(({ lasting, single }) => [
        layer(
          lasting,
          { type: 'line', strokeWidth: 2, point: hasMarks && { size: 40, filled: true } },
          dashed,
        ),
        layer(single, { type: 'point', size: 40, filled: true, opacity: 1 }, { ...encoding, y: onY(MEDIAN) }),
      ]),
    ],
  }
}

/** What is read aloud of an axis: Vega would round the numbers to those of its ticks. */
const described = (title: string, [least, greatest]: Bounds) => `${title}, from ${least} to ${greatest}`

/** What is read aloud of a chart are its heading and its axes: of thousands of places nothing. */
const layer = (values: object[], mark: object, encoding: object): Layer => ({
  data: { values },
  mark: { ...mark, aria: false },
  encoding,
})

/** The least and the greatest of values, however many there are; 0 and 0 of none. */
function boundsOf(values: readonly number[]): Bounds {
  let [least, greatest]: Bounds = [Infinity, -Infinity]
  for (const value of values) {
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  return least <= greatest ? [least, greatest] : [0, 0]
}

function linear(least: number, greatest: number, tickCount: number) {
  const size = Math.max(Math.abs(least), Math.abs(greatest))
  const isFlat = greatest - least <= size * FLAT
  const room = isFlat ? size / 2 || 1 : 0
  return {
    scale: { domain: [least - room, greatest + room], zero: false, nice: !isFlat },
    axis: { tickCount, ...labelsFor(size) },
  }
}

/** 0.25, 12.5k, 3M, 2e+30: as numbers of this size are best read, with all the digits in which ticks differ. */
function labelsFor(size: number): { format?: string; labelExpr: string } {
  const label = (other: string) => `datum.value === 0 ? '0' : ${other}`
  // These formats are those of all ticks together; that of exponents would at times have a digit too few.
  if (size === 0 || (size >= 1e-3 && size < 1e4)) return { format: ',f', labelExpr: label('datum.label') }
  if (size >= 1e4 && size < 1e15) return { format: '~s', labelExpr: label('datum.label') }
  return { labelExpr: label("format(datum.value, '.13~e')") }
}

/** Ticks of such a scale would be evenly spaced numbers, which crowd together. */
function powersOfTen(least: number, greatest: number) {
  const first = least < 1 ? 0 : Math.floor(Math.log10(least))
  const last = Math.floor(Math.log10(greatest))
  const step = Math.ceil((last - first + 1) / MOST_POWERS)
  const powers = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => first + i * step)
  const values = powers.map((power) => Number(`1e${power}`))
  return {
    scale: {
      type: 'symlog',
      constant: 1,
      domain: [least < 1 ? 0 : values[0], greatest],
      nice: false,
      zero: false,
    },
    axis: {
      values: least < 1 ? [0, ...values] : values,
      labelExpr: "datum.value === 0 ? '0' : format(datum.value, datum.value < 1e15 ? '~s' : '~e')",
    },
  }
}

/** The points of each group. */
function seriesOf(points: readonly Point[]): Point[][] {
  const series: Map<number, Point[]> = new Map()
  for (const point of points) {
    if (!series.has(point.group)) series.set(point.group, [])
    series.get(point.group)?.push(point)
  }
  return [...series.values()].map(thinned)
}

/** A series as it looks on a screen: of each part of it the places with its least and its greatest values. */
function thinned(points: Point[]): Point[] {
  if (points.length <= MOST_PLACES) return points
  const size = Math.ceil(points.length / PARTS)
  const kept = new Set([points[0], points.at(-1)])
  for (let from = 0; from < points.length; from += size) {
    const part = points.slice(from, from + size)
    // What cannot be drawn is a gap, and stays one.
    for (const point of part) if (point.quantiles.includes(null)) kept.add(point)
    for (const level of part[0]!.quantiles.keys()) {
      kept.add(extreme(part, level, 1))
      kept.add(extreme(part, level, -1))
    }
  }
  return points.filter((point) => kept.has(point))
}

function extreme(part: readonly Point[], level: number, sign: 1 | -1): Point {
  const sizeOf = ({ quantiles }: Point) => {
    const value = quantiles[level] ?? null
    return value === null ? -Infinity : value * sign
  }
  return part.reduce((best, point) => (sizeOf(point) > sizeOf(best) ? point : best))
}

/**
 * The points that have all of these quantiles, in pieces: a new one begins after each gap. Those of one place only are apart,
 * for no line leads through them.
 */
function pieces(
  series: readonly Point[][],
  levels: readonly number[],
): { lasting: Placed[]; single: Placed[] } {
  const all: Placed[][] = []
  for (const points of series) {
    let piece: Placed[] = []
    for (const { x, group, quantiles } of points) {
      const own = Object.fromEntries(levels.map((level) => [`q${level}`, quantiles[level]]))
      if (Object.values(own).includes(null)) piece = []
      else {
        if (piece.length === 0) all.push(piece)
        piece.push({ x, group, piece: all.length, ...own })
      }
    }
  }
  return {
    lasting: all.filter(({ length }) => length > 1).flat(),
    single: all.filter(({ length }) => length === 1).flat(),
  }
}
