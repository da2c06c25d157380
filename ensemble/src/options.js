// Owns what the options of the command line take: numbers within bounds, lists, and words that may be said only once. What is
// wrong is said before anything is done.

import { InvalidArgumentError } from 'commander'

/** Timers of Node wait for less than 25 days; for more they do not wait at all. */
export const LONGEST_WAIT_SECONDS = 20 * 86400

/** Of an option that may be given several times: all that was said. */
export const listed = (value, before) => [...before, value]

/**
 * Reads an option that may be given once: which of two were meant, nobody can tell.
 *
 * @template T
 * @param {(text: string) => T} [read]
 */
export function once(read = (text) => /** @type {any} */ (text)) {
  let first
  return (/** @type {string} */ text) => {
    if (first !== undefined) throw new InvalidArgumentError(`It was '${first}' before: say it once.`)
    first = text
    return read(text)
  }
}

/** Titles of charts. Notes in parentheses may have commas. */
export const titles = (text, before = []) => [...before, ...text.split(/,(?![^(]*\))/)]

export function wholeNumber(least, most) {
  return once((text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`)
  })
}

export function seconds(most = Infinity) {
  return once((text) => {
    const value = text.trim() === '' ? NaN : Number(text)
    if (value > 0 && Number.isFinite(value) && value <= most) return value
    const bound = Number.isFinite(most) ? `, at most ${most}` : ''
    throw new InvalidArgumentError(`It takes a number of seconds above 0${bound}.`)
  })
}

export function percent() {
  return once((text) => {
    const value = text.trim() === '' ? NaN : Number(text)
    if (value >= 0 && value <= 100) return value
    throw new InvalidArgumentError('It takes a number from 0 to 100.')
  })
}
