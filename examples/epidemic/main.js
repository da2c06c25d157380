// Owns: the order of events: options, cities, simulation, files, report.
// Must never: hold any knowledge of the model; it only connects the other files.

import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadCities } from './cities.js'
import { dailyCsv } from './csv.js'
import { drawCurve } from './curve.js'
import { createGravity } from './gravity.js'
import { firstDifference } from './ledger.js'
import { drawMap } from './map.js'
import { createParameters } from './model.js'
import { createObjectsModel } from './objects.js'
import { createCommand } from './options.js'
import { createProgress } from './progress.js'
import { writeReport } from './report.js'
import { simulate } from './simulate.js'
import { findStartCity } from './start-city.js'
import { createStrataModel } from './strata.js'

const OWN_OUT_FOLDER = join(relative(process.cwd(), fileURLToPath(new URL('.', import.meta.url))), 'out')

const command = createCommand(OWN_OUT_FOLDER).parse()
await main(command.opts())

async function main(options) {
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
  const run = runWithProgress(model, options.days)
  const outcome = {
    ...run,
    cities,
    arrivalDays: model.arrivalDays(),
    stats: model.stats(),
    kernels: options.kernels,
  }
  model.dispose()

  console.log(writeReport(outcome))
  const picture = drawMap({ ...outcome, startCity, r0: options.r0, dayCount: options.days })
  save(options.out, 'map.svg', picture)
  save(options.out, 'curve.svg', await drawCurve(run.days, cities.countries, startName))
  save(options.out, 'daily.csv', dailyCsv(run.days, cities.countries))
  if (options.compare) compareWithObjects(createObjectsModel(cities, gravity, parameters), run)
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

function runWithProgress(model, days) {
  const progress = createProgress(model.name, days, process.stderr)
  const run = simulate(model, days, progress.update)
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
