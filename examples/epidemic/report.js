// What a run tells in text: the table and totals printed at the end, daily.csv, and what both are derived from.

import { createHash } from 'node:crypto'
import { continentOf, CONTINENTS } from './cities.js'
import { FIGURES } from './model.js'

const COUNTRIES_SHOWN = 12

/** Peaks of continents and countries, totals, time and memory of a run, by what main.js knows of it. */
export function writeReport(outcome) {
  return [peakTable(outcome), totals(outcome), performanceLines(outcome)].join('\n\n') + '\n'
}

/**
 * Two futures side by side.
 *
 * @param {{ name: string, days: object[] }[]} futures with all days, those of the past included
 * @param {number} forkDay the last day that they share
 */
export function writeFutures(futures, forkDay) {
  const rows = futures.map(({ name, days }) => {
    const infections = days.map(({ newInfections }) => newInfections)
    const { total, highest, day = '-' } = peakOf(infections)
    const later = grouped(sum(infections.slice(forkDay)))
    return [name, grouped(total), later, String(day), grouped(highest), checksum(days)]
  })
  const columns = 'contact rate|infected|after day #|worst day|infections that day|checksum'
  return formatTable(columns.replace('#', forkDay).split('|'), [rows])
}

function peakTable({ cities, days }) {
  const { countries, country, population } = cities
  const row = (name, people, daily) => {
    const { total, highest, day = '-' } = peakOf(daily)
    const peak = day === days.length ? `still rising on ${day}` : String(day)
    return [name, grouped(people), grouped(total), percent(total / people), peak, grouped(highest)]
  }
  const peopleOf = new Array(countries.length).fill(0)
  population.forEach((people, city) => (peopleOf[country[city]] += people))

  const byContinent = newInfectionsByContinent(days, countries)
  const continents = CONTINENTS.map((name, at) => {
    const people = sum(peopleOf.filter((_, index) => continentOf(countries[index]) === name))
    return people === 0 ? [] : [row(name, people, byContinent.map((counts) => counts[at]))] // prettier-ignore
  }).flat()
  const names = new Intl.DisplayNames(['en'], { type: 'region' })
  const largest = [...countries.keys()].sort((a, b) => peopleOf[b] - peopleOf[a]).slice(0, COUNTRIES_SHOWN)
  const ofCountry = largest.map((index) => {
    const daily = days.map((day) => day.newInfectionsByCountry[index])
    return row(names.of(countries[index]), peopleOf[index], daily)
  })
  const everywhere = days.map((day) => day.newInfections)
  return formatTable(
    ['', 'people', 'infected', 'attack rate', 'peak on day', 'infections that day'],
    [continents, ofCountry, [row('World', sum(population), everywhere)]],
  )
}

/** Columns as wide as their widest cell, numbers to the right, a rule between groups of rows. */
function formatTable(header, groups) {
  const cells = [header, ...groups.flat()]
  const widths = header.map((_, column) => Math.max(...cells.map((line) => line[column].length)))
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))
  const format = (line) => line.map(pad).join('  ')
  const rule = '─'.repeat(sum(widths) + 2 * (widths.length - 1))
  return [format(header), ...groups.flatMap((group) => [rule, ...group.map(format)])].join('\n')
}

function totals({ cities, days, arrivalDays }) {
  const last = days.at(-1)
  const inhabited = cities.population.filter((people) => people > 0).length
  const reached = arrivalDays.filter((day) => day !== -1).length
  const all = (figure) => grouped(sum(days.map((day) => day[figure])))
  const most = (figure) => grouped(Math.max(...days.map((day) => day[figure])))
  return [
    `Places    ${grouped(reached)} of ${grouped(inhabited)} inhabited ones reached; at the end ` +
      `${grouped(last.infectedPlaces)} are infected and ${grouped(last.recoveredPlaces)} recovered`,
    `People    ${all('newInfections')} infected, ${grouped(last.recovered)} recovered; ` +
      `at most ${most('infectious')} infectious at once`,
    `Journeys  ${all('departures')} begun, at most ${most('travellersInFlight')} in flight at once`,
  ].join('\n')
}

function performanceLines({ days, seconds, mostEntities, stats }) {
  const milliseconds = sum(stats.systems.map(({ totalMs }) => totalMs))
  const shares = stats.systems.map(({ name, totalMs }) => `${name} ${percent(totalMs / milliseconds)}`)
  return [
    `Time      ${seconds.toFixed(2)} s for ${days.length} ticks, ${(days.length / seconds).toFixed(1)} ticks/s, ` +
      `up to ${grouped(mostEntities)} entities`,
    `Kernels   ${threadsLine(stats.pool)}`,
    `Systems   ${shares.join(', ')}`,
    `Memory    ${mebibytes(stats.bytesUsed)} used of ${mebibytes(stats.bytesReserved)} reserved by the world, ` +
      `${grouped(stats.archetypes)} archetypes, ${grouped(stats.chunks)} chunks`,
    `Checksum  ${checksum(days)}`,
  ].join('\n')
}

/** On how many threads the inner loops ran, and how often it was worth more than one. */
function threadsLine({ workers, why, kernels }) {
  if (workers === 0) return `on one thread: ${why}`
  const shares = kernels.map(
    ({ kernel, calls, divided }) => `${kernel} ${grouped(divided)} of ${grouped(calls)} times`,
  )
  return `on ${workers + 1} threads, divided: ${shares.join(', ')}`
}

const sum = (values) => values.reduce((total, value) => total + value, 0)

export const grouped = (value) => value.toLocaleString('en-US')

const percent = (share) => `${(share * 100).toFixed(1)} %`

const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`

export function dailyCsv(days, countries) {
  const byContinent = newInfectionsByContinent(days, countries)
  const header = [...FIGURES, ...CONTINENTS.map((name) => `new infections ${name}`)].map(columnName)
  const lines = days.map((day, index) => [...FIGURES.map((figure) => day[figure]), ...byContinent[index]])
  return [header, ...lines].map((cells) => cells.join(',')).join('\n') + '\n'
}

/** 'newInfections' and 'new infections Asia' become 'new_infections' and 'new_infections_asia'. */
const columnName = (name) => name.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/ /g, '_').toLowerCase() // prettier-ignore

/** Sixteen hexadecimal digits that change when any figure of any day changes. */
export function checksum(days) {
  const hash = createHash('sha256')
  for (const day of days) {
    hash.update(Float64Array.from(FIGURES, (figure) => day[figure]))
    hash.update(day.newInfectionsByCountry)
  }
  return hash.digest('hex').slice(0, 16)
}

/** New infections per continent, one row a day, in the order of CONTINENTS. */
export function newInfectionsByContinent(days, countries) {
  const continentIndex = countries.map((code) => CONTINENTS.indexOf(continentOf(code)))
  return days.map((day) => {
    const row = new Array(CONTINENTS.length).fill(0)
    day.newInfectionsByCountry.forEach((count, country) => (row[continentIndex[country]] += count))
    return row
  })
}

/** Total and worst day of a series that starts on day 1; `day` is undefined when nothing ever happened. */
function peakOf(series) {
  const highest = Math.max(...series)
  return { total: sum(series), highest, day: highest > 0 ? 1 + series.indexOf(highest) : undefined }
}
