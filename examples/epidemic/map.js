// map.svg: when the infection reached each part of the world. 135,233 dots would be a file of many megabytes: cities share a dot within
// a cell of half a degree, and all dots of one colour and size are one path whose strokes are round points, about ten bytes a dot.

import * as vega from 'vega'
import { BACKGROUND, FAINT_LINE, FONT, PANEL, QUIET_TEXT, sequential, TEXT, UNTOUCHED } from './charts.js'
import { groupBy } from './gravity.js'

const WIDTH = 1600
const HEIGHT = 1010
const MARGIN = 60
const MAP_TOP = 124
const CELL_DEGREES = 0.5
const COLOUR_STEPS = 32
/** Dots grow with the people in the cell; the last class has no upper limit. */
const DOT_CLASSES = [
  { below: 20_000, diameter: 1.5 },
  { below: 200_000, diameter: 2.2 },
  { below: 2_000_000, diameter: 3.3 },
  { below: Infinity, diameter: 5.2 },
]
const LABELLED_CITIES = 16
const LABEL_CLEARANCE = 46

const SPHERE = { type: 'Sphere' }
const projection = vega
  .projection('equalEarth')()
  .fitWidth(WIDTH - 2 * MARGIN, SPHERE)
const [middle, equator] = projection.translate()
projection.translate([middle + MARGIN, equator + MAP_TOP])

/** The day the infection reached each part of the world, as an SVG document. `arrivalDays`: -1 where it never came. */
export function drawMap(run) {
  const scale = dayScale(run.arrivalDays)
  const dots = collectDots(run)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family='${FONT}'>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${BACKGROUND}"/>`,
    globe(),
    dotPaths(dots, scale),
    startMark(run),
    cityLabels(run),
    heading(run),
    legend(run, scale),
    '</svg>',
  ].join('\n')
}

/**
 * From days to colours. The few earliest and latest places share the colour at the end of the scale: spread over
 * all days, nine tenths of the world would differ by a shade.
 */
function dayScale(arrivalDays) {
  const days = arrivalDays.filter((day) => day !== -1).sort()
  const first = days[Math.floor(days.length * 0.005)]
  const last = days[Math.floor(days.length * 0.97)]
  return { lastDay: days[days.length - 1], position: (day) => (day - first) / Math.max(1, last - first) }
}

/** Pixels with one decimal, without a needless '.0'. */
function pixels(value) {
  return String(Math.round(value * 10) / 10)
}

function globe() {
  // Many points, because d3 draws great circles between them.
  const lines = [
    ...range(-150, 150, 30).map((longitude) => range(-90, 90, 5).map((latitude) => [longitude, latitude])),
    ...range(-60, 60, 30).map((latitude) => range(-180, 180, 5).map((longitude) => [longitude, latitude])),
  ]
  const drawn = (shape) => projection.path(shape).replace(/\d+\.\d+/g, pixels)
  return [
    `<path d="${drawn(SPHERE)}" fill="${PANEL}" stroke="${FAINT_LINE}" stroke-width="1.5"/>`,
    `<path d="${drawn({ type: 'MultiLineString', coordinates: lines })}" fill="none" stroke="${FAINT_LINE}" stroke-width="0.8"/>`,
  ].join('\n')
}

function range(from, to, step) {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)
}

/** One dot for each cell with cities in it: where its people live, how many, and when the first of them fell ill. */
function collectDots({ cities, arrivalDays }) {
  const { longitude, latitude, population } = cities
  const inCell = groupBy(population.keys(), (city) => {
    const [column, row] = [longitude[city], latitude[city]].map((degrees) =>
      Math.floor(degrees / CELL_DEGREES),
    )
    return column * 1000 + row
  })
  return Array.from(inCell.values(), (members) => {
    const dot = { weight: 0, longitude: 0, latitude: 0, people: 0, day: Infinity }
    for (const city of members) {
      const weight = population[city] + 1
      dot.weight += weight
      dot.longitude += weight * longitude[city]
      dot.latitude += weight * latitude[city]
      dot.people += population[city]
      if (arrivalDays[city] !== -1) dot.day = Math.min(dot.day, arrivalDays[city])
    }
    const [x, y] = projection([dot.longitude / dot.weight, dot.latitude / dot.weight])
    return { x, y, people: dot.people, day: dot.day }
  })
}

/** Late dots first, so that early ones stay visible on top. */
function dotPaths(dots, scale) {
  const groups = groupBy(dots, ({ day, people }) => {
    const step = Math.floor(Math.max(0, scale.position(day)) * COLOUR_STEPS)
    const size = DOT_CLASSES.findIndex(({ below }) => people < below)
    return (day === Infinity ? COLOUR_STEPS : Math.min(COLOUR_STEPS - 1, step)) * DOT_CLASSES.length + size
  })
  const paths = [...groups].sort(([a], [b]) => b - a).map(([key, points]) => dotPath(key, points))
  return `<g fill="none" stroke-linecap="round">\n${paths.join('\n')}\n</g>`
}

function dotPath(key, points) {
  const step = Math.floor(key / DOT_CLASSES.length)
  const { diameter } = DOT_CLASSES[key % DOT_CLASSES.length]
  const colour = step === COLOUR_STEPS ? UNTOUCHED : sequential((step + 0.5) / COLOUR_STEPS)
  const shape = points.map(({ x, y }) => `M${pixels(x)} ${pixels(y)}h0`).join('')
  return `<path stroke="${colour}" stroke-width="${diameter}" d="${shape}"/>`
}

function startMark({ cities, startCity }) {
  const [x, y] = projection([cities.longitude[startCity], cities.latitude[startCity]])
  const circle = (radius, stroke) =>
    `<circle cx="${pixels(x)}" cy="${pixels(y)}" r="${radius}" fill="none" ${stroke}/>`
  return circle(10, `stroke="${BACKGROUND}" stroke-width="5"`) + circle(10, 'stroke="#fff" stroke-width="2"')
}

/** The largest cities that leave each other room, with the day the infection came. */
function cityLabels({ cities, arrivalDays, startCity }) {
  const bySize = Array.from(cities.population.keys()).sort(
    (a, b) => cities.population[b] - cities.population[a],
  )
  const chosen = []
  for (const city of [startCity, ...bySize]) {
    const [x, y] = projection([cities.longitude[city], cities.latitude[city]])
    if (chosen.some((label) => Math.abs(label.y - y) < LABEL_CLEARANCE && Math.abs(label.x - x) < 130))
      continue
    chosen.push({ city, x, y })
    if (chosen.length === LABELLED_CITIES) break
  }
  const labels = chosen.map(({ city, x, y }) => {
    const day = arrivalDays[city]
    const when = city === startCity ? 'start' : day === -1 ? 'never' : `day ${day}`
    const left = pixels(x + (city === startCity ? 17 : 7))
    return (
      `<text x="${left}" y="${pixels(y + 4)}">${escapeText(cities.names[city])}` +
      `<tspan dx="5" fill-opacity=".75" font-weight="400">${when}</tspan></text>`
    )
  })
  return (
    `<g font-size="12.5" font-weight="600" fill="${TEXT}" stroke="${BACKGROUND}" stroke-width="3.2" ` +
    `stroke-linejoin="round" stroke-opacity=".82" paint-order="stroke">\n${labels.join('\n')}\n</g>`
  )
}

function heading({ cities, startCity, r0, dayCount }) {
  const start = `${cities.names[startCity]}, ${cities.countries[cities.country[startCity]]}`
  const places = cities.count.toLocaleString('en-US')
  const subtitle = `${places} places, first cases in ${start}, R0 ${r0}, ${dayCount} ${dayCount === 1 ? 'day' : 'days'} simulated`
  return [
    `<text x="${MARGIN}" y="66" font-size="34" font-weight="700" fill="${TEXT}">When the epidemic arrived</text>`,
    `<text x="${MARGIN}" y="98" font-size="17" fill="${QUIET_TEXT}">${escapeText(subtitle)}</text>`,
  ].join('\n')
}

const LEGEND_WIDTH = 420
const LEGEND_BASE = HEIGHT - 56
const LEGEND_TALLEST = 70
const [MOST_BARS, FEWEST_BARS] = [84, 28]

/** A colour scale that is also a histogram: the bars are the places reached in those days. */
function legend({ arrivalDays }, scale) {
  // Whole days to a bar, or bars of four days would stand beside bars of five.
  const daysPerBar = Math.ceil((scale.lastDay + 1) / MOST_BARS)
  const barCount = Math.ceil((scale.lastDay + 1) / daysPerBar)
  const barWidth = LEGEND_WIDTH / Math.max(barCount, FEWEST_BARS)
  const reached = new Array(barCount).fill(0)
  let never = 0
  for (const day of arrivalDays) {
    if (day === -1) never++
    else reached[Math.floor(day / daysPerBar)]++
  }
  const highest = Math.max(...reached, 1)
  const bars = reached.map((count, index) => {
    const height = (count / highest) * LEGEND_TALLEST
    const colour = sequential(scale.position(index * daysPerBar + (daysPerBar - 1) / 2))
    const [left, top] = [MARGIN + index * barWidth, LEGEND_BASE - height].map(pixels)
    const size = `width="${pixels(barWidth - 0.8)}" height="${pixels(height + 7)}"`
    return `<rect x="${left}" y="${top}" ${size} fill="${colour}"/>`
  })
  const tickDays =
    [1, 2, 5, 10, 20, 30, 60, 90, 180, 365, 730].find((step) => scale.lastDay / step <= 7) ?? 1000
  const ticks = range(0, scale.lastDay, tickDays).map(
    (day) =>
      `<text x="${pixels(MARGIN + (day * barWidth) / daysPerBar)}" y="${LEGEND_BASE + 25}">${day}</text>`,
  )
  return [
    bars.join(''),
    `<g font-size="13" fill="${QUIET_TEXT}">${ticks.join('')}</g>`,
    legendNotes(never),
  ].join('\n')
}

function legendNotes(never) {
  const top = LEGEND_BASE - LEGEND_TALLEST - 14
  const right = MARGIN + LEGEND_WIDTH + 40
  return [
    `<text x="${MARGIN}" y="${top}" font-size="14" fill="${TEXT}">Day of the first infection, places reached</text>`,
    `<circle cx="${right}" cy="${LEGEND_BASE - 1}" r="4" fill="${UNTOUCHED}"/>`,
    `<text x="${right + 12}" y="${LEGEND_BASE + 4}" font-size="14" fill="${QUIET_TEXT}">never reached or nobody ` +
      `counted there: ${never.toLocaleString('en-US')} places</text>`,
    `<text x="${WIDTH - MARGIN}" y="${LEGEND_BASE + 25}" font-size="12" text-anchor="end" fill="${QUIET_TEXT}">` +
      'Cities: GeoNames (CC BY 4.0). Equal Earth projection. Simulated with strata-ecs.</text>',
  ].join('\n')
}

function escapeText(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
