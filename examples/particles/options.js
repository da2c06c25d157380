// Owns: the command line: which options there are, what they accept and what a wrong value is told.
// Must never: start a simulation, or print a stack trace for a user's mistake.

import { Command, InvalidArgumentError, Option } from 'commander'

const MOST_PARTICLES = 10_000_000
const MOST_FRAMES = 100_000
const HIGHEST_SEED = 0xffffffff

/** @returns {Command} parse it, then read `.opts()`; a bad value ends the process with code 1 */
export function createCommand(defaultOut) {
  return new Command('particles')
    .description('A fountain of a million drops and bursts of sparks, each an entity.')
    .option('--particles <count>', 'drops of the fountain', wholeNumber(1, MOST_PARTICLES), 1_000_000)
    .option('--frames <count>', 'frames to simulate, 60 a second', wholeNumber(1, MOST_FRAMES), 300)
    .option('--seed <number>', 'the same seed gives the same run', wholeNumber(0, HIGHEST_SEED), 1)
    .addOption(
      new Option('--kernels', 'inner loops in WebAssembly (the default)').conflicts(['loops', 'rounded']),
    )
    .addOption(new Option('--loops', 'inner loops in JavaScript').conflicts(['rounded']))
    .option('--rounded', 'inner loops in JavaScript that round as WebAssembly does')
    .option('--compare', 'run all three, and fail unless they agree')
    .option('--out <folder>', 'where the picture goes', defaultOut)
    .showHelpAfterError('(run with --help to see all options)')
}

function wholeNumber(lowest, highest) {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN
    if (value >= lowest && value <= highest) return value
    throw new InvalidArgumentError(`It takes a whole number from ${lowest} to ${highest}.`)
  }
}
