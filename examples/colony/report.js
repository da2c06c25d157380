// Owns the text printed at the end: days, nests, diaries, the trails, the balances, time and memory.
// It must never compute what the world or the figures of the days can tell.

import { Cell, Marked, Name, Nest, Spider } from './components.js'
import { checksum } from './checksum.js'
import { DAILY, imbalances } from './figures.js'
import { drawGround } from './picture.js'
import { Chronicle } from './resources.js'
import { formatTable } from './table.js'

const DAYS_SHOWN = 15
const NESTS_SHOWN = 8
const EVENTS_SHOWN = 8
const SYSTEMS_SHOWN = 8
const MEBIBYTE = 1024 * 1024

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
  const { events } = world.resource(Chronicle)
  const left = events.length - EVENTS_SHOWN
  const more = left > 0 ? [`… and ${left} more.`] : []
  return ['Chronicle', ...events.slice(0, EVENTS_SHOWN), ...more].join('\n')
}

/** Marked ants are visited in the order of their handles; the longest diary is shown as an example. */
function observations(world) {
  const { diaries } = world.resource(Chronicle)
  const names = Array.from(world.query(Marked).entities(), (ant) => world.get(ant, Name).value)
  const longest = diaries.reduce(
    (best, diary) => (diary.lines.length > best.lines.length ? diary : best),
    diaries[0],
  )
  const notes = longest === undefined ? [] : [`Diary of ${longest.name}`, ...longest.lines.slice(-4)]
  return [
    `Marked    ${names.join(', ') || 'nobody'} are alive; ${diaries.filter(({ closed }) => closed).length} diaries are closed`,
    ...notes,
  ].join('\n')
}

function systemTable(schedule) {
  const busiest = [...schedule.stats().systems].sort((a, b) => b.totalMs - a.totalMs).slice(0, SYSTEMS_SHOWN)
  return formatTable(
    ['system', 'phase', 'runs', 'skipped', 'ms each', 'ms in all'],
    busiest.map(({ name, phase, runs, skipped, meanMs, totalMs }) => [
      name,
      phase,
      runs,
      skipped,
      meanMs.toFixed(4),
      totalMs.toFixed(0),
    ]),
  )
}

function summary({ world, days, schedule }, seconds) {
  const last = days.at(-1)
  const balance = imbalances(last)
  const stats = world.stats()
  const { frames, steps } = counts(schedule)
  let caught = 0
  world.query(Spider).each((_, spider) => (caught += spider.caught))
  const redrawn = ((100 * last.cellsRedrawn) / (world.query(Cell).count * days.length * 24)).toFixed(1)
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

function counts(schedule) {
  const { runs, phases } = schedule.stats()
  return { frames: runs, steps: phases.find(({ name }) => name === 'walking').steps }
}
