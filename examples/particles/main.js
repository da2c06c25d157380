// Owns: the order of events: options, simulation, report, picture, comparison.
// Must never: hold any knowledge of the model; it only connects the other files.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checksum } from './checksum.js'
import { NEAR, agreement } from './compare.js'
import { kernelsOf } from './kernels.js'
import { plainLoops } from './loops.js'
import { createCommand } from './options.js'
import { drawPicture } from './picture.js'
import { createProgress } from './progress.js'
import { writeReport } from './report.js'
import { roundedLoops } from './rounded-loops.js'
import { run } from './run.js'
import { createSimulation } from './simulation.js'

const OWN_OUT_FOLDER = join(relative(process.cwd(), fileURLToPath(new URL('.', import.meta.url))), 'out')
const NAMES = ['kernels', 'rounded', 'loops']

const command = createCommand(OWN_OUT_FOLDER).parse()
await main(command.opts())

async function main(options) {
  makeFolder(options.out)
  const chosen = NAMES.find((name) => options[name]) ?? 'kernels'
  console.log(
    `${options.particles.toLocaleString('en-US')} drops, ${options.frames} frames, seed ${options.seed}\n`,
  )

  const first = await simulate(chosen, options)
  console.log(writeReport({ ...first, particles: options.particles, stats: first.simulation.stats() }))
  save(join(options.out, 'particles.png'), drawPicture(first.simulation))
  if (options.compare) await compareAll(first, options)
}

async function simulate(name, { particles, frames, seed }) {
  const simulation = createSimulation({ particles, seed, innerLoops: await innerLoopsOf(name) })
  const progress = createProgress(name, frames, process.stderr)
  const done = run(simulation, frames, progress.update)
  progress.stop()
  return { name, simulation, ...done, checksum: checksum(simulation, done.frames) }
}

async function innerLoopsOf(name) {
  if (name === 'loops') return plainLoops
  if (name === 'rounded') return roundedLoops
  try {
    return kernelsOf(await import('../../build/particles/particles.kernel.js'))
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    return command.error(
      "error: the kernels are not compiled. 'node scripts/build.js --alone particles' does it; --loops goes without them.",
    )
  }
}

/** Runs the other two as well. One that disagrees ends the process with code 1. */
async function compareAll(first, options) {
  console.log()
  const runs = []
  for (const name of NAMES) runs.push(name === first.name ? first : await simulate(name, options))
  const [kernels, rounded, loops] = runs
  for (const { name, median } of runs)
    console.log(
      `${name.padEnd(9)} ${median.toFixed(2)} ms a frame, kernels are ${(median / kernels.median).toFixed(1)} x as fast`,
    )

  if (kernels.checksum !== rounded.checksum)
    command.error(
      `error: the checksum of kernels is ${kernels.checksum}, of rounded loops ${rounded.checksum}.`,
    )
  console.log('Equal     kernels and rounded loops, to the last bit')
  const found = agreement(kernels.simulation, loops.simulation)
  const text = `${found.apart} of ${found.particles} particles are more than ${NEAR} m away from where loops put them`
  if (!found.agrees) command.error(`error: kernels and loops disagree: ${text}.`)
  console.log(`Near      ${text}; lives and heats are equal`)
  for (const { simulation } of runs) simulation.dispose()
}

function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    command.error(
      `error: the output folder '${folder}' cannot be written (${error.code}). Choose another with --out.`,
    )
  }
}

function save(path, content) {
  try {
    writeFileSync(path, content)
  } catch (error) {
    command.error(`error: '${path}' cannot be written (${error.code}).`)
  }
  console.log(`Written   ${path}`)
}
