// Owns: the order of events: options, cities, simulation, files, report.
// Must never: hold any knowledge of the model; it only connects the other files.

import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadCities } from './cities.js'
import { dailyCsv } from './csv.js'
import { drawCurve } from './curve.js'
import { drawFutures } from './futures.js'
import { createGravity } from './gravity.js'
import { firstDifference } from './ledger.js'
import { drawMap } from './map.js'
import { createParameters } from './model.js'
import { createObjectsModel } from './objects.js'
import { contradictionIn, createCommand } from './options.js'
import { createProgress } from './progress.js'
import { writeFutures, writeReport } from './report.js'
import { simulate } from './simulate.js'
import { findStartCity } from './start-city.js'
import { createStrataModel } from './strata.js'

const OWN_OUT_FOLDER = join(relative(process.cwd(), fileURLToPath(new URL('.', import.meta.url))), 'out')

const command = createCommand(OWN_OUT_FOLDER).parse()
await main(command.opts())

async function main(options) {
  const contradiction = contradictionIn(options)
  if (contradiction !== undefined) command.error(`error: ${contradiction}`)
  const cities = loadCities(options.places)
  const startCity = chooseStart(cities, options.start)
  makeFolder(options.out)

  const gravity = createGravity(cities)
  const startPopulation = cities.population[startCity]
  const parameters = createParameters({ seed: options.seed, r0: options.r0, startCity, startPopulation })
  const startName = `${cities.names[startCity]}, ${cities.countries[cities.country[startCity]]}`
  console.log(
    `${cities.count.toLocaleString('en-US')} places, first cases in ${startName}, R0 ${options.r0}, ` +
      `seed ${options.seed}, days ${options.days}\n`,
  )

  const kernels = options.kernels ? await loadKernels() : undefined
  const model = createStrataModel(cities, gravity, parameters, kernels)
  const runs = runFutures(model, options)
  const shown = { startCity, startName, r0: options.r0, kernels: options.kernels, cities }
  console.log(writeReport({ ...runs[0], ...shown }))
  await saveRun(options.out, '', runs[0], shown)
  if (options.forkAt !== undefined) {
    const futures = [
      { name: `${shortNumber(parameters.contactRate)}, unchanged`, ...runs[0] },
      { name: `${shortNumber(options.contactRate)} from day ${options.forkAt + 1}`, ...runs[1] },
    ]
    await saveRun(options.out, 'other-', runs[1], shown)
    save(options.out, 'futures.svg', await drawFutures(futures, options.forkAt, startName))
    console.log(`\n${writeFutures(futures, options.forkAt)}`)
  }
  if (options.compare) compareWithObjects(createObjectsModel(cities, gravity, parameters), runs[0])
}

/**
 * Runs all days. With --fork-at, the world is forked after that day, and the fork runs the other days with another
 * contact rate: the second run then has the same past as the first.
 */
function runFutures(model, { days, forkAt, contactRate }) {
  if (forkAt === undefined) return [ended(model, runWithProgress(model, days))]
  const past = runWithProgress(model, forkAt)
  const other = model.fork({ contactRate })
  return [model, other].map((one) => ended(one, joined(past, runWithProgress(one, days, forkAt))))
}

function joined(past, future) {
  return {
    days: [...past.days, ...future.days],
    seconds: past.seconds + future.seconds,
    mostEntities: Math.max(past.mostEntities, future.mostEntities),
  }
}

/** A run, with what only its world knows. The world is disposed of. */
function ended(model, run) {
  const outcome = { ...run, arrivalDays: model.arrivalDays(), stats: model.stats() }
  model.dispose()
  return outcome
}

/** Writes map, curve and figures of one run; `prefix` goes before the names of the files. */
async function saveRun(folder, prefix, run, shown) {
  const { cities, startName } = shown
  save(folder, `${prefix}map.svg`, drawMap({ ...run, ...shown, dayCount: run.days.length }))
  save(folder, `${prefix}curve.svg`, await drawCurve(run.days, cities.countries, startName))
  save(folder, `${prefix}daily.csv`, dailyCsv(run.days, cities.countries))
}

/** At most three digits behind the point. */
function shortNumber(value) {
  return String(Math.round(value * 1000) / 1000)
}

function chooseStart(cities, wanted) {
  const found = findStartCity(cities, wanted)
  if ('city' in found) return found.city
  return command.error(
    `error: no inhabited city is called '${wanted}'. Did you mean ${found.suggestions.map((name) => `'${name}'`).join(' or ')}?`,
  )
}

async function loadKernels() {
  try {
    return await import('../../build/epidemic/places.kernel.js')
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    return command.error(
      "error: the kernels are not compiled. 'npm start' does it; --no-kernels goes without them.",
    )
  }
}

function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    command.error(
      `error: the output folder '${folder}' cannot be written (${error.code}). Choose another with --out.`,
    )
  }
}

/** @param {number} [past] days that the model has behind it */
function runWithProgress(model, days, past = 0) {
  const progress = createProgress(model.name, days, process.stderr, past)
  const run = simulate(model, days, progress.update, past + 1)
  progress.stop()
  return run
}

function save(folder, name, content) {
  const path = join(folder, name)
  try {
    writeFileSync(path, content)
  } catch (error) {
    command.error(`error: '${path}' cannot be written (${error.code}).`)
  }
  console.log(`Written   ${path}`)
}

function compareWithObjects(model, run) {
  console.log()
  const other = runWithProgress(model, run.days.length)
  const difference = firstDifference(run.days, other.days)
  if (difference !== undefined) {
    command.error(`error: strata-ecs and plain objects differ on ${difference}.`)
  }
  const ratio = (other.seconds / run.seconds).toFixed(2)
  console.log(
    `Compared  all figures of all ${run.days.length} days are equal; strata-ecs ${run.seconds.toFixed(2)} s, ` +
      `plain objects ${other.seconds.toFixed(2)} s (${ratio} x)`,
  )
}
