// A run from the command line: options, colony, days, report, curve.

import { Command } from 'commander'
import { makeFolder, save, showProgress, wholeNumber } from '../commandLine.js'
import { drawCurve, writeReport } from './report.js'
import { createColony } from './schedule.js'

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
const { ants, days, seed, out } = command.opts()

if (out !== undefined) makeFolder(command, out)
console.log(`${ants} ants, ${days} days, seed ${seed}\n`)

const colony = createColony({ ants, seed })
const progress = showProgress('colony', days, '{ants} ants, {larvae} larvae, {stored} food stored')
const started = performance.now()
for (let day = 1; day <= days; day++) progress.update(day, colony.runDay())
const seconds = (performance.now() - started) / 1000
progress.stop()

console.log(writeReport(colony, seconds))
if (out !== undefined) save(command, out, 'curve.svg', await drawCurve(colony.days))
colony.world.dispose()
