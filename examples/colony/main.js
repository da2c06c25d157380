// Owns the order of events: options, colony, days, report, curve.
// It must never hold any knowledge of the simulation; it only connects the other files.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkedCore } from 'strata-ecs/checked'
import { checksum } from './checksum.js'
import { createColony } from './colony.js'
import { drawCurve } from './curve.js'
import { createCommand } from './options.js'
import { createProgress } from './progress.js'
import { writeReport } from './report.js'

const command = createCommand().parse()
await main(command.opts())

async function main({ ants, days, seed, out, check }) {
  makeFolder(out)
  console.log(`${ants} ants, ${days} days, seed ${seed}\n`)

  const colony = createColony({ ants, seed })
  const seconds = run('colony', colony, days)
  console.log(writeReport(colony, seconds))

  if (out !== undefined) save(join(out, 'curve.svg'), await drawCurve(colony.days))
  if (check) compareWithCheckedCore({ ants, days, seed }, checksum(colony.world, colony.days))
  colony.world.dispose()
}

/** @returns {number} seconds */
function run(name, colony, days) {
  const progress = createProgress(name, days, process.stderr)
  const started = performance.now()
  for (let day = 1; day <= days; day++) progress.update(colony.runDay())
  const seconds = (performance.now() - started) / 1000
  progress.stop()
  return seconds
}

function compareWithCheckedCore({ ants, days, seed }, expected) {
  const colony = createColony({ ants, seed, module: checkedCore() })
  run('checked', colony, days)
  const found = checksum(colony.world, colony.days)
  colony.world.dispose()
  if (found !== expected)
    command.error(`error: the checked core gives ${found}, the release core ${expected}.`)
  console.log(`Checked   the checked core gives the same checksum, ${found}`)
}

function makeFolder(folder) {
  if (folder === undefined) return
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
