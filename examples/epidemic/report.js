// What a run tells in text: the table and totals printed at the end, daily.csv, and what both are derived from.

import { createHash } from 'node:crypto'
import { continentOf, CONTINENTS } from './cities.js'
import { FIGURES } from './model.js'

const COUNTRIES_SHOWN = 12
const MEBIBYTE = 1024 * 1024

/** Peaks of continents and countries, totals, time and memory of a run, by what main.js knows of it. */
export function writeReport(outcome) {
  return [peakTable(outcome), totals(outcome), performanceLines(outcome)].join('\n\n') + '\n'
}

/**
 * Two futures side by side.
 *
 * @param {{ name: string, days:  * @param {number} forkDay the last day that they share
 */
export function writeFutures(futures, forkDay) {
  const rows = futures.map(({ name, days }) => {
    const { total, highest, day = '-' } = peakOf(days.map(({ newInfections }) => newInfections))
    const later = sum(days.slice(forkDay).map(({ newInfections }) => newInfections))
    return [name, grouped(total), grouped(later), String(day), grouped(highest), checksum(days)]
  })
  const header = [
    'contact rate',
    'infected',
    `after day ${forkDay}`,
    'worst day',
    'infections that day',
    'checksum',
  ]
  return formatTable(header, [rows])
}

function peakTable({ cities, days }) {
  const continents = continentRows(cities, days)
  const countries = countryRows(cities, days)
  const world = row(
    'World',
    sum(cities.population),
    days.map((day) => day.newInfections),
    days.length,
  )
  return formatTable(
    ['', 'people', 'infected', 'attack rate', 'peak on day', 'infections that day'],
    [continents, countries, [world]],
  )
}

function continentRows(cities, days) {
  const daily = newInfectionsByContinent(days, cities.countries)
  const people = new Array(CONTINENTS.length).fill(0)
  for (let city = 0; city < cities.count; city++) {
    people[CONTINENTS.indexOf(continentOf(cities.countries[cities.country[city]]))] += cities.population[city]
  }
  return CONTINENTS.map((name, index) => ({ name, index }))
    .filter(({ index }) => people[index] > 0)
    .map(({ name, index }) =>
      row(
        name,
        people[index],
        daily.map((counts) => counts[index]),
        days.length,
      ),
    )
}

function countryRows(cities, days) {
  const people = new Array(cities.countries.length).fill(0)
  for (let city = 0; city < cities.count; city++) people[cities.country[city]] += cities.population[city]
  const names = new Intl.DisplayNames(['en'], { type: 'region' })
  return cities.countries
    .map((code, index) => ({ code, index }))
    .sort((a, b) => people[b.index] - people[a.index])
    .slice(0, COUNTRIES_SHOWN)
    .map(({ code, index }) => {
      const daily = days.map((day) => day.newInfectionsByCountry[index])
      return row(names.of(code), people[index], daily, days.length)
    })
}

function row(name, people, daily, lastDay) {
  const { total, highest, day } = peakOf(daily)
  const peak = day === undefined ? '-' : day === lastDay ? `still rising on ${day}` : String(day)
  return [name, grouped(people), grouped(total), percent(total / people), peak, grouped(highest)]
}

/** Columns as wide as their widest cell, numbers to the right, a rule between groups of rows. */
function formatTable(header, groups) {
  const cells = [header, ...groups.flat()]
  const widths = header.map((_, column) => Math.max(...cells.map((line) => line[column].length)))
  const format = (line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ')
  const rule = '─'.repeat(sum(widths) + 2 * (widths.length - 1))
  return [format(header), ...groups.flatMap((group) => [rule, ...group.map(format)])].join('\n')
}

function totals({ cities, days, arrivalDays }) {
  const last = days.at(-1)
  const inhabited = cities.population.filter((people) => people > 0).length
  const reached = arrivalDays.filter((day) => day !== -1).length
  const most = (figure) => grouped(Math.max(...days.map((day) => day[figure])))
  return [
    `Places    ${grouped(reached)} of ${grouped(inhabited)} inhabited ones reached; at the end ` +
      `${grouped(last.infectedPlaces)} are infected and ${grouped(last.recoveredPlaces)} recovered`,
    `People    ${grouped(sum(days.map((day) => day.newInfections)))} infected, ${grouped(last.recovered)} recovered; ` +
      `at most ${most('infectious')} infectious at once`,
    `Journeys  ${grouped(sum(days.map((day) => day.departures)))} begun, at most ${most('travellersInFlight')} in flight at once`,
  ].join('\n')
}

function performanceLines({ days, seconds, mostEntities, stats }) {
  return [
    `Time      ${seconds.toFixed(2)} s for ${days.length} ticks, ${(days.length / seconds).toFixed(1)} ticks/s, ` +
      `up to ${grouped(mostEntities)} entities; inner loops as kernels`,
    `Systems   ${systemShares(stats.systems)}`,
    `Memory    ${mebibytes(stats.bytesUsed)} used of ${mebibytes(stats.bytesReserved)} reserved by the world, ` +
      `${grouped(stats.archetypes)} archetypes, ${grouped(stats.chunks)} chunks`,
    `Checksum  ${checksum(days)}`,
  ].join('\n')
}

/** What part of the time each system took. */
function systemShares(systems) {
  const milliseconds = sum(systems.map(({ totalMs }) => totalMs))
  return systems.map(({ name, totalMs }) => `${name} ${percent(totalMs / milliseconds)}`).join(', ')
}

const sum = (values) => values.reduce((total, value) => total + value, 0)

export const grouped = (value) => value.toLocaleString('en-US')

const percent = (share) => `${(share * 100).toFixed(1)} %`

const mebibytes = (bytes) => `${(bytes / MEBIBYTE).toFixed(1)} MiB`

/** One line a day, with the exact figures. */
export function dailyCsv(days, countries) {
  const byContinent = newInfectionsByContinent(days, countries)
  const header = [
    ...FIGURES.map(columnName),
    ...CONTINENTS.map((name) => columnName(`new infections ${name}`)),
  ]
  const lines = days.map((day, index) => [...FIGURES.map((figure) => day[figure]), ...byContinent[index]])
  return [header, ...lines].map((cells) => cells.join(',')).join('\n') + '\n'
}

/** 'newInfections' and 'new infections Asia' become 'new_infections' and 'new_infections_asia'. */
function columnName(name) {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/ /g, '_')
    .toLowerCase()
}

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
export function peakOf(series) {
  let total = 0
  let highest = 0
  let day
  series.forEach((count, index) => {
    total += count
    if (count <= highest) return
    highest = count
    day = index + 1
  })
  return { total, highest, day }
}
