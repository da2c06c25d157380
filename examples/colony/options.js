// Owns the command line: which options there are, what they accept and what a wrong value is told.
// It must never start a simulation, or print a stack trace for a user's mistake.

import { Command, InvalidArgumentError } from 'commander'

const MOST_DAYS = 3650
const MOST_ANTS = 200_000
const HIGHEST_SEED = 0xffffffff

/** @returns {Command} parse it, then read `.opts()`; a bad value ends the process with code 1 */
export function createCommand() {
  return new Command('colony')
    .description(
      'Ants that forage, sleep, breed and die: each ant, plant, spider and square of ground an entity.',
    )
    .option('--days <count>', 'days to simulate, 96 frames each', wholeNumber(1, MOST_DAYS), 30)
    .option('--ants <count>', 'ants to begin with, in nests of about 500', wholeNumber(1, MOST_ANTS), 2000)
    .option('--seed <number>', 'the same seed gives the same run', wholeNumber(0, HIGHEST_SEED), 1)
    .option('--out <folder>', 'where to write curve.svg, population and food over time')
    .option('--check', 'run it again over the checked core, and fail unless both checksums are equal')
    .showHelpAfterError('(run with --help to see all options)')
}

function wholeNumber(lowest, highest) {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN
    if (value >= lowest && value <= highest) return value
    throw new InvalidArgumentError(`It takes a whole number from ${lowest} to ${highest}.`)
  }
}
