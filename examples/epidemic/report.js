// Owns: the text printed at the end: peaks of continents and countries, totals, time and memory.
// Must never: write files or compute the epidemic.

import { continentOf, CONTINENTS } from './continents.js'
import { checksum, newInfectionsByContinent, peakOf } from './ledger.js'

const COUNTRIES_SHOWN = 12
const MEBIBYTE = 1024 * 1024

/**
 * @param {object} outcome
 * @param {import('./cities.js').Cities} outcome.cities
 * @param {import('./ledger.js').Day[]} outcome.days
 * @param {Int16Array} outcome.arrivalDays
 * @param {number} outcome.seconds
 * @param {number} outcome.mostEntities
 * @param {boolean} outcome.kernels whether the inner loops were kernels
 * @param {object} outcome.stats what world.stats() returned, and `systems` of schedule.stats()
 */
export function writeReport(outcome) {
  return [peakTable(outcome), totals(outcome), performanceLines(outcome)].join('\n\n') + '\n'
}

/**
 * Two futures side by side.
 *
 * @param {{ name: string, days: import('./ledger.js').Day[] }[]} futures
 * @param {number} forkDay the last day that they share
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

function performanceLines({ days, seconds, mostEntities, stats, kernels }) {
  return [
    `Time      ${seconds.toFixed(2)} s for ${days.length} ticks, ${(days.length / seconds).toFixed(1)} ticks/s, ` +
      `up to ${grouped(mostEntities)} entities; inner loops ${kernels ? 'as kernels' : 'in JavaScript'}`,
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

function sum(values) {
  return values.reduce((total, value) => total + value, 0)
}

function grouped(value) {
  return value.toLocaleString('en-US')
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`
}

function mebibytes(bytes) {
  return `${(bytes / MEBIBYTE).toFixed(1)} MiB`
}
