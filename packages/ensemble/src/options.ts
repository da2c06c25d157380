// Owns what the options of the command line take: numbers within bounds, lists, and words that may be said only once. What is
// wrong is said before anything is done.

import { InvalidArgumentError } from 'commander'

/** Timers of Node wait for less than 25 days; for more they do not wait at all. */
export const LONGEST_WAIT_SECONDS: number = 20 * 86400

/** Of an option that may be given several times: all that was said. */
export const listed = (value: string, before: readonly string[]): string[] => [...before, value]

/** What commander hands the text of an option to. */
type Reader<T> = (text: string) => T

/** Reads an option that may be given once: which of two were meant, nobody can tell. */
export function once(): Reader<string>
export function once<T>(read: Reader<T>): Reader<T>
export function once(read: Reader<unknown> = (text) => text): Reader<unknown> {
  let first: string | undefined
  return (text) => {
    if (first !== undefined) throw new InvalidArgumentError(`It was '${first}' before: say it once.`)
    first = text
    return read(text)
  }
}

/** Titles of charts. Notes in parentheses may have commas. */
export const titles = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text.split(/,(?![^(]*\))/),
]

export function wholeNumber(least: number, most: number): Reader<number> {
  return once((text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`)
  })
}

export function seconds(most: number = Infinity): Reader<number> {
  return once((text) => {
    const value = text.trim() === '' ? NaN : Number(text)
    if (value > 0 && Number.isFinite(value) && value <= most) return value
    const bound = Number.isFinite(most) ? `, at most ${most}` : ''
    throw new InvalidArgumentError(`It takes a number of seconds above 0${bound}.`)
  })
}

export function percent(): Reader<number> {
  return once((text) => {
    const value = text.trim() === '' ? NaN : Number(text)
    if (value >= 0 && value <= 100) return value
    throw new InvalidArgumentError('It takes a number from 0 to 100.')
  })
}
