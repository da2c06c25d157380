// A run from the command line: options, cities, model, days, report, pictures.

import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { workers } from 'strata-ecs/workers'
import { decimal, makeFolder, save, showProgress, wholeNumber } from '../commandLine.js'
import { drawCurve, drawFutures } from './charts.js'
import { findStartCity, loadCities } from './cities.js'
import { createGravity } from './gravity.js'
import { drawMap } from './map.js'
import { createModel, createParameters, simulate } from './model.js'
import { dailyCsv, grouped, writeFutures, writeReport } from './report.js'

const OWN_OUT_FOLDER = join(relative(process.cwd(), fileURLToPath(new URL('.', import.meta.url))), 'out')
const MOST_DAYS = 3650

const command = new Command('epidemic')
  .description('An epidemic in every city of the world: SEIR and travellers, each place an entity.')
  .option('--days <count>', 'days to simulate, one tick each', wholeNumber(1, MOST_DAYS), 365)
  .option('--seed <number>', 'the same seed gives the same run', wholeNumber(0, 0xffffffff), 1)
  .option('--start <city>', "where the first cases live, for example 'Lima' or 'Birmingham, US'", 'London')
  .option('--r0 <number>', 'people one case infects where nobody is immune', decimal('above', 0, 30), 2.5)
  .option('--fork-at <day>', 'after this day, also run another future', wholeNumber(1, MOST_DAYS - 1))
  .option(
    '--contact-rate <number>',
    'people one case infects a day in that future, where nobody is immune; it is R0 / 5 in the other',
    decimal('from', 0, 10),
  )
  .option('--places <count>', 'keep only the most populous places', wholeNumber(1))
  .option(
    '--workers <count>',
    'threads that run kernels beside this one; as many as there are processors for',
    wholeNumber(0, 15),
  )
  .option('--out <folder>', 'where the pictures and the daily figures go', OWN_OUT_FOLDER)
  .showHelpAfterError('(run with --help to see all options)')
  .parse()
const options = command.opts()
const { days, seed, r0, forkAt, contactRate, out } = options
if (forkAt !== undefined && contactRate === undefined)
  refuse('--fork-at needs --contact-rate: what is to be different in the other future.')
if (forkAt === undefined && contactRate !== undefined)
  refuse('--contact-rate needs --fork-at: the day after which it counts.')
if (forkAt >= days)
  refuse(`--fork-at ${forkAt} leaves no day for a future: it must be less than --days, which is ${days}.`)

const cities = loadCities(options.places)
const startCity = chooseStart(options.start)
const startName = `${cities.names[startCity]}, ${cities.countries[cities.country[startCity]]}`
makeFolder(command, out)
console.log(
  `${grouped(cities.count)} places, first cases in ${startName}, R0 ${r0}, seed ${seed}, days ${days}\n`,
)
const startPopulation = cities.population[startCity]
const parameters = createParameters({ seed, r0, startCity, startPopulation })
const pool = workers({ count: options.workers })
const model = createModel(cities, createGravity(cities), parameters, await loadKernels(), pool)
const [run, other] = runFutures()
console.log(writeReport({ ...run, cities }))
await saveRun('', run)
if (other !== undefined) {
  await saveRun('other-', other)
  const futures = [
    { name: `${shortNumber(parameters.contactRate)}, unchanged`, ...run },
    { name: `${shortNumber(contactRate)} from day ${forkAt + 1}`, ...other },
  ]
  save(command, out, 'futures.svg', await drawFutures(futures, forkAt, startName))
  console.log(`\n${writeFutures(futures, forkAt)}`)
}

/**
 * Runs all days. With --fork-at, the world is forked after that day, and the fork runs the other days with another contact rate: the
 * second run then has the same past as the first.
 */
function runFutures() {
  if (forkAt === undefined) return [ended(model, runWithProgress(model, days))]
  const past = runWithProgress(model, forkAt)
  const other = model.fork({ contactRate })
  return [model, other].map((one) => {
    const future = runWithProgress(one, days, forkAt)
    return ended(one, {
      days: [...past.days, ...future.days],
      seconds: past.seconds + future.seconds,
      mostEntities: Math.max(past.mostEntities, future.mostEntities),
    })
  })
}

/** A run, with what only its world knows. The world is disposed of. */
function ended(model, run) {
  const outcome = {
    ...run,
    arrivalDays: model.arrivalDays(),
    stats: { ...model.stats(), pool: pool.stats() },
  }
  model.dispose()
  return outcome
}

/** @param {number} [past] days that the model has behind it */
function runWithProgress(model, days, past = 0) {
  const figures = '{entities} entities, {infectious} infectious, {speed} ticks/s'
  const progress = showProgress(model.name, days, figures)
  const started = performance.now()
  const tell = ({ day, infectious }, entities) => {
    const speed = Math.round(((day - past) / (performance.now() - started)) * 1000)
    progress.update(day, { entities: grouped(entities), infectious: grouped(infectious), speed })
  }
  const run = simulate(model, days, tell, past + 1)
  progress.stop()
  return run
}

/** Writes map, curve and figures of one run; `prefix` goes before the names of the files. */
async function saveRun(prefix, run) {
  const map = drawMap({ ...run, cities, startCity, startName, r0, dayCount: days })
  save(command, out, `${prefix}map.svg`, map)
  save(command, out, `${prefix}curve.svg`, await drawCurve(run.days, cities.countries, startName))
  save(command, out, `${prefix}daily.csv`, dailyCsv(run.days, cities.countries))
}

/** At most three digits behind the point. */
function shortNumber(value) {
  return String(Math.round(value * 1000) / 1000)
}

function chooseStart(wanted) {
  const { city, suggestions } = findStartCity(cities, wanted)
  if (city !== undefined) return city
  const names = suggestions.map((name) => `'${name}'`).join(' or ')
  return refuse(`no inhabited city is called '${wanted}'. Did you mean ${names}?`)
}

function loadKernels() {
  return import('../../build/epidemic/places.kernel.js').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    return refuse("the kernels are not compiled. 'npm start' does it.")
  })
}

function refuse(sentence) {
  return command.error(`error: ${sentence}`)
}
