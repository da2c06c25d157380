// What a run tells at its end: the balances that figures must keep, tables, the trails as text, one number for
// all of it, and the curves as a picture.

import * as vega from 'vega'
import { compile } from 'vega-lite'
import { inOrder } from 'strata-ecs'
import * as c from './components.js'

const { Body, Larva, Load, Name, Nest, Scent, Source, Spider, Walk } = c
const MEBIBYTE = 1024 * 1024
const DAYS_SHOWN = 15
const [NESTS_SHOWN, EVENTS_SHOWN, SYSTEMS_SHOWN] = [8, 8, 8]
/** The columns of the daily table; the rest of a day's figures are the running totals. */
const DAILY = ['day', 'ants', 'nurses', 'foragers', 'larvae', 'births', 'deaths', 'trips', 'stored']

/** What never may be lost or made out of nothing. Each is 0 in every moment between two frames. */
export function imbalances(figures) {
  const { supplied, grown, growing, stored, carried, eaten, lost } = figures
  const { settlers, births, deaths, ants } = figures
  return {
    food: supplied + grown - growing - stored - carried - eaten - lost,
    ants: settlers + births - deaths - ants,
  }
}

const COLUMNS = [
  [Body, ['energy', 'foragesFrom', 'diesOn']],
  [Walk, ['x', 'y', 'heading']],
  [Load, ['food', 'scent']],
  [Larva, ['meals', 'patience']],
  [Nest, ['stored', 'nurses', 'foragers', 'larvae']],
  [Source, ['x', 'y', 'food']],
  [Spider, ['x', 'y', 'caught']],
  [Scent, ['strength']],
]

/** One number for a run, the same over every core: FNV-1a over the bytes of every figure and value, handles included. */
export function checksum(world, days) {
  const number = new Float64Array(1)
  const bytes = new Uint8Array(number.buffer)
  let hash = 0x811c9dc5
  const add = (value) => {
    number[0] = value
    for (let i = 0; i < 8; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  }
  for (const day of days) Object.values(day).forEach(add)
  for (const [component, fields] of COLUMNS)
    for (const chunk of world.query(component)) {
      const columns = chunk.read(component)
      for (let i = chunk.start; i < chunk.end; i++) {
        add(chunk.entities[i])
        for (const field of fields) add(columns[field][i])
      }
    }
  return (hash >>> 0).toString(16).padStart(8, '0')
}

export function writeReport(colony, seconds) {
  const { world, days, picture, schedule } = colony
  return [
    dayTable(days),
    nestTable(world),
    events(world),
    observations(world),
    `The trails at dusk (o a plant, @ a nest)\n${drawGround(world, picture)}`,
    systemTable(schedule),
    summary(colony, seconds),
  ].join('\n\n')
}

/** The first column to the left, the others to the right, as wide as their widest cell. */
function formatTable(header, rows) {
  const cells = [header, ...rows].map((line) => line.map(String))
  const widths = header.map((_, column) => Math.max(...cells.map((line) => line[column].length)))
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))
  const [first, ...others] = cells.map((line) => line.map(pad).join('  '))
  return [first, '─'.repeat(first.length), ...others].join('\n')
}

function dayTable(days) {
  const step = Math.ceil(days.length / DAYS_SHOWN)
  const shown = days.filter(({ day }) => day % step === 0 || day === days.length)
  return formatTable(
    DAILY,
    shown.map((day) => DAILY.map((figure) => day[figure])),
  )
}

/** The richest first. */
function nestTable(world) {
  const ranking = world.query(Nest, Name).sorted(Nest, 'stored').reverse()
  const rows = Array.from(ranking.subarray(0, NESTS_SHOWN), (nest) => {
    const { stored, nurses, foragers, larvae } = world.get(nest, Nest)
    return [world.get(nest, Name).value, stored, nurses, foragers, larvae]
  })
  return formatTable(['nest', 'stored', 'nurses', 'foragers', 'larvae'], rows)
}

function events(world) {
  const { events } = world.resource(c.Chronicle)
  const left = events.length - EVENTS_SHOWN
  const more = left > 0 ? [`… and ${left} more.`] : []
  return ['Chronicle', ...events.slice(0, EVENTS_SHOWN), ...more].join('\n')
}

/** Marked ants are visited in the order in which they were born; the longest diary is shown as an example. */
function observations(world) {
  const { diaries } = world.resource(c.Chronicle)
  const names = Array.from(world.query(c.Marked, inOrder()).entities(), (ant) => world.get(ant, Name).value)
  const most = Math.max(...diaries.map(({ lines }) => lines.length))
  const longest = diaries.find(({ lines }) => lines.length === most)
  const notes = longest === undefined ? [] : [`Diary of ${longest.name}`, ...longest.lines.slice(-4)]
  const closed = diaries.filter(({ closed }) => closed).length
  return [`Marked    ${names.join(', ') || 'nobody'} are alive; ${closed} diaries are closed`, ...notes].join(
    '\n',
  )
}

/** The whole land as lines; a character stands for a block of cells, twice as high as wide. */
function drawGround(world, picture) {
  const SHADES = ' ..::-=+*#'
  const { side } = world.resource(c.Settings)
  const width = Math.max(1, Math.ceil(side / 96))
  const height = 2 * width
  const shades = Array.from({ length: Math.ceil(side / height) }, () =>
    new Array(Math.ceil(side / width)).fill(0),
  )
  picture.forEach((shade, cell) => {
    const line = shades[Math.floor(cell / side / height)]
    const at = Math.floor((cell % side) / width)
    // Two shades look alike where they have the same character.
    if (SHADES.indexOf(SHADES[shade]) > line[at]) line[at] = SHADES.indexOf(SHADES[shade])
  })
  const lines = shades.map((line) => line.map((shade) => SHADES[shade]))
  const put = (mark) => (_, place) =>
    (lines[Math.floor(place.y / height)][Math.floor(place.x / width)] = mark)
  world.query(Source).each(put('o'))
  world.query(Nest).each(put('@'))
  return lines.map((line) => line.join('').trimEnd()).join('\n')
}

function systemTable(schedule) {
  const busiest = [...schedule.stats().systems].sort((a, b) => b.totalMs - a.totalMs).slice(0, SYSTEMS_SHOWN)
  return formatTable(
    ['system', 'phase', 'runs', 'skipped', 'ms each', 'ms in all'],
    busiest.map((each) => [
      ...[each.name, each.phase, each.runs, each.skipped],
      ...[each.meanMs.toFixed(4), each.totalMs.toFixed(0)],
    ]),
  )
}

function summary({ world, days, schedule }, seconds) {
  const last = days.at(-1)
  const balance = imbalances(last)
  const stats = world.stats()
  const { runs: frames, phases } = schedule.stats()
  const { steps } = phases.find(({ name }) => name === 'walking')
  let caught = 0
  world.query(Spider).each((_, spider) => (caught += spider.caught))
  const redrawn = ((100 * last.cellsRedrawn) / (world.query(c.Cell).count * days.length * 24)).toFixed(1)
  return [
    `Ants      ${last.settlers} settlers + ${last.births} births - ${last.starved} starved - ${last.bitten} bitten - ` +
      `${last.aged} of old age = ${last.ants} (off by ${balance.ants})`,
    `Food      ${last.supplied} supplied + ${last.grown} grown = ${last.growing} growing + ${last.carried} carried + ` +
      `${last.stored} stored + ${last.eaten} eaten + ${last.lost} lost (off by ${balance.food})`,
    `Brood     ${last.meals} meals, ${last.larvaeLost} larvae lost; ${last.waiting} wait in the queue`,
    `Spiders   caught ${caught}; ${last.referencesSwept} references to the dead and ${last.textsSwept} names swept`,
    `Nights    ants put to sleep ${last.nightsAsleep} times without moving a row`,
    `Picture   ${last.cellsRedrawn} cells redrawn, ${redrawn} % of all, hour by hour`,
    `Time      ${seconds.toFixed(2)} s, ${frames} frames, ${steps} steps, ${((seconds * 1000) / steps).toFixed(3)} ms a step`,
    `Memory    ${(stats.bytesUsed / MEBIBYTE).toFixed(1)} MiB used, ${stats.entities} entities, ` +
      `${stats.archetypes} archetypes, ${stats.chunks} chunks, ${stats.texts} texts`,
    `Checksum  ${checksum(world, days)}`,
  ].join('\n')
}

const POPULATION = { foragers: '#c8553d', nurses: '#f2b134', larvae: '#588b8b' }
const FOOD = { stored: '#7f5539', growing: '#6a994e' }

/** Population and food over time, as an SVG document. */
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

function panel(title, colours, days, stacked) {
  const label = (figure) => figure[0].toUpperCase() + figure.slice(1)
  const figures = Object.keys(colours)
  const scale = { domain: figures.map(label), range: Object.values(colours) }
  const pointsOf = (day) =>
    figures.map((figure) => ({ day: day.day, label: label(figure), value: day[figure] }))
  return {
    title: { text: title, anchor: 'start', frame: 'group' },
    width: 760,
    height: 220,
    data: { values: days.flatMap(pointsOf) },
    mark: stacked ? { type: 'area' } : { type: 'line', strokeWidth: 2 },
    encoding: {
      x: { field: 'day', type: 'quantitative', axis: { grid: false, tickMinStep: 1 } },
      y: { field: 'value', type: 'quantitative', stack: stacked ? 'zero' : null, title: null },
      color: { field: 'label', type: 'nominal', scale, legend: { title: null } },
    },
  }
}
