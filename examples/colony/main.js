// A run from the command line: options, colony, days, and what is told at the end.

import { Command } from 'commander'
import { makeFolder, save, showProgress, wholeNumber } from '../commandLine.js'
import { digestWorld, inCreationOrder, sortedEntities } from 'strata-ecs'
import * as c from './components.js'
import { createColony } from './schedule.js'

const { Name, Nest, Source, Spider } = c
const DAYS_SHOWN = 15
const SHOWN = 8

const command = new Command('colony')
  .description(
    'Ants that forage, sleep, breed and die: each ant, plant, spider and square of ground an entity.',
  )
  .option('--days <count>', 'days to simulate, 96 frames each', wholeNumber(1, 3650), 30)
  .option('--ants <count>', 'ants to begin with, in nests of about 500', wholeNumber(1, 200_000), 2000)
  .option('--seed <number>', 'the same seed gives the same run', wholeNumber(0, 0xffffffff), 1)
  .option('--out <folder>', 'where to write curve.svg, population and food over time')
  .showHelpAfterError('(run with --help to see all options)')
  .parse()
const { ants, days: count, seed, out } = command.opts()

if (out !== undefined) makeFolder(command, out)
console.log(`${ants} ants, ${count} days, seed ${seed}\n`)

const colony = createColony({ ants, seed })
const { world, schedule, days, picture } = colony
const progress = showProgress('colony', count, '{ants} ants, {larvae} larvae, {stored} food stored')
const started = performance.now()
for (let day = 1; day <= count; day++) progress.update(day, colony.runDay())
const seconds = (performance.now() - started) / 1000
progress.stop()

const step = Math.ceil(count / DAYS_SHOWN)
console.table(
  days.filter(({ day }) => day % step === 0 || day === count),
  [...['day', 'ants', 'nurses', 'foragers', 'larvae', 'births', 'deaths', 'trips', 'stored']],
)
// The richest first.
const ranking = sortedEntities(world.query(Nest, Name), Nest, 'stored').reverse().subarray(0, SHOWN)
const described = Array.from(ranking, (nest) => ({
  name: world.get(nest, Name).value,
  ...world.get(nest, Nest),
}))
console.table(described, ['name', 'stored', 'nurses', 'foragers', 'larvae'])
console.log([...chronicle(), '', ...drawGround(), ''].join('\n'))
const busiest = schedule.stats().systems.sort((a, b) => b.totalMs - a.totalMs)
console.table(
  busiest.slice(0, SHOWN).map(({ name, phase, runs, skipped, meanMs, totalMs }) => {
    const inAll = Math.round(totalMs)
    return { name, phase, runs, skipped, 'ms each': Number(meanMs.toFixed(4)), 'ms in all': inAll }
  }),
)
console.log(summary().join('\n'))
if (out !== undefined) save(command, out, 'curve.svg', drawCurve())
world.dispose()

/** The first events, and the longest diary as an example. */
function chronicle() {
  const { events, diaries } = world.resource(c.Chronicle)
  const longest = diaries.toSorted((a, b) => b.lines.length - a.lines.length).at(0)
  // They are visited in the order of their handles.
  const marked = Array.from(
    world.query(c.Marked, inCreationOrder()).entities(),
    (ant) => world.get(ant, Name).value,
  )
  return [
    ...events.slice(0, SHOWN),
    ...(events.length > SHOWN ? [`… and ${events.length - SHOWN} more.`] : []),
    `Marked    ${marked.join(', ')} are alive; ${diaries.filter(({ closed }) => closed).length} diaries are closed`,
    ...(longest ? [`Diary of ${longest.name}`, ...longest.lines.slice(-4)] : []),
  ]
}

/** The trails at dusk as lines of text; a character stands for a block of cells, twice as high as wide. */
function drawGround() {
  const SHADES = ' ..::-=+*#'
  const { side } = world.resource(c.Settings)
  const width = Math.max(1, Math.ceil(side / 96))
  const blockOf = (x, y) => [Math.floor(y / width / 2), Math.floor(x / width)]
  const lines = Array.from({ length: Math.ceil(side / width / 2) }, () =>
    Array(Math.ceil(side / width)).fill(' '),
  )
  picture.forEach((shade, cell) => {
    const [row, column] = blockOf(cell % side, Math.floor(cell / side))
    if (SHADES.indexOf(SHADES[shade]) > SHADES.indexOf(lines[row][column])) lines[row][column] = SHADES[shade]
  })
  const put = (mark) => (_, place) => {
    const [row, column] = blockOf(place.x, place.y)
    lines[row][column] = mark
  }
  world.query(Source).each(put('o'))
  world.query(Nest).each(put('@'))
  return ['The trails at dusk (o a plant, @ a nest)', ...lines.map((line) => line.join('').trimEnd())]
}

function summary() {
  const last = days.at(-1)
  const off = c.imbalances(last)
  const stats = world.stats()
  const { runs: frames, phases } = schedule.stats()
  const { steps } = phases.find(({ name }) => name === 'walking')
  let caught = 0
  world.query(Spider).each((_, spider) => (caught += spider.caught))
  const redrawn = ((100 * last.cellsRedrawn) / (world.query(c.Cell).count * count * 24)).toFixed(1)
  return [
    `Ants      ${last.settlers} settlers + ${last.births} births - ${last.starved} starved - ${last.bitten} bitten - ` +
      `${last.aged} of old age = ${last.ants} (off by ${off.ants})`,
    `Food      ${last.supplied} supplied + ${last.grown} grown = ${last.growing} growing + ${last.carried} carried + ` +
      `${last.stored} stored + ${last.eaten} eaten + ${last.lost} lost (off by ${off.food})`,
    `Brood     ${last.meals} meals, ${last.larvaeLost} larvae lost; ${last.waiting} wait in the queue`,
    `Spiders   caught ${caught}; ${last.referencesSwept} references to the dead and ${last.textsSwept} names swept`,
    `Nights    ants put to sleep ${last.nightsAsleep} times without moving a row`,
    `Picture   ${last.cellsRedrawn} cells redrawn, ${redrawn} % of all, hour by hour`,
    `Time      ${seconds.toFixed(2)} s, ${frames} frames, ${steps} steps, ${((seconds * 1000) / steps).toFixed(3)} ms a step`,
    `Memory    ${(stats.bytesUsed / 2 ** 20).toFixed(1)} MiB used, ${stats.entities} entities, ` +
      `${stats.archetypes} archetypes, ${stats.chunks} chunks, ${stats.texts} texts`,
    `Digest    ${digestWorld(world).toString(16).padStart(8, '0')}`,
  ]
}

/** Population and food over all days, each from 0 to its own most, as an SVG document. */
function drawCurve() {
  const FIGURES = {
    foragers: '#c8553d',
    nurses: '#d98e04',
    larvae: '#588b8b',
    stored: '#7f5539',
    growing: '#6a994e',
  }
  const curves = Object.entries(FIGURES).map(([figure, colour], at) => {
    const most = Math.max(1, ...days.map((day) => day[figure]))
    const points = days.map(
      (day, k) => `${40 + (720 * k) / Math.max(1, count - 1)},${340 - (300 * day[figure]) / most}`,
    )
    return (
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      `<text x="${40 + 150 * at}" y="375" fill="${colour}">${figure}, to ${most}</text>`
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 400" font-family="sans-serif">${curves.join('')}</svg>`
}
