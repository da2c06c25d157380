// Owns: the command line: which options there are, what they accept and what a wrong value is told.
// Must never: start a simulation, or print a stack trace for a user's mistake.

import { Command, InvalidArgumentError } from 'commander'

const MOST_DAYS = 3650
const HIGHEST_SEED = 0xffffffff
const HIGHEST_R0 = 30
const HIGHEST_CONTACT_RATE = 10

/** @returns {Command} parse it, then read `.opts()`; a bad value ends the process with code 1 */
export function createCommand(defaultOut) {
  return new Command('epidemic')
    .description('An epidemic in every city of the world: SEIR and travellers, each place an entity.')
    .option('--days <count>', 'days to simulate, one tick each', wholeNumber(1, MOST_DAYS), 365)
    .option('--seed <number>', 'the same seed gives the same run', wholeNumber(0, HIGHEST_SEED), 1)
    .option('--start <city>', "where the first cases live, for example 'Lima' or 'Birmingham, US'", 'London')
    .option('--r0 <number>', 'people one case infects where nobody is immune', basicReproductionNumber, 2.5)
    .option('--fork-at <day>', 'after this day, also run another future', wholeNumber(1, MOST_DAYS - 1))
    .option(
      '--contact-rate <number>',
      'people one case infects a day in that future, where nobody is immune; it is R0 / 5 in the other',
      contactRate,
    )
    .option('--places <count>', 'keep only the most populous places', wholeNumber(1, Infinity))
    .option('--out <folder>', 'where the pictures and the daily figures go', defaultOut)
    .option('--kernels', 'run the inner loops as kernels', true)
    .option('--no-kernels', 'run them in JavaScript: equal figures, some time later')
    .option('--compare', 'run the same model with plain objects too, and fail unless all figures are equal')
    .showHelpAfterError('(run with --help to see all options)')
}

function wholeNumber(lowest, highest) {
  const range = highest === Infinity ? `of ${lowest} or more` : `from ${lowest} to ${highest}`
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN
    if (value >= lowest && value <= highest) return value
    throw new InvalidArgumentError(`It takes a whole number ${range}.`)
  }
}

/** @returns {string | undefined} what is wrong with options that do not fit together, as a sentence */
export function contradictionIn({ days, forkAt, contactRate }) {
  if (forkAt === undefined && contactRate === undefined) return undefined
  if (contactRate === undefined) {
    return '--fork-at needs --contact-rate: what is to be different in the other future.'
  }
  if (forkAt === undefined) return '--contact-rate needs --fork-at: the day after which it counts.'
  if (forkAt < days) return undefined
  return `--fork-at ${forkAt} leaves no day for a future: it must be less than --days, which is ${days}.`
}

function contactRate(text) {
  const value = numberIn(text)
  if (value >= 0 && value <= HIGHEST_CONTACT_RATE) return value
  throw new InvalidArgumentError(`It takes a number from 0 to ${HIGHEST_CONTACT_RATE}.`)
}

function numberIn(text) {
  return text.trim() === '' ? NaN : Number(text)
}

function basicReproductionNumber(text) {
  const value = numberIn(text)
  if (value > 0 && value <= HIGHEST_R0) return value
  throw new InvalidArgumentError(`It takes a number above 0 and up to ${HIGHEST_R0}.`)
}
