// What the programs of examples that report on a run have in common: options that say what they accept, folders and files that
// cannot be written, and what is shown while a run is going. Nothing of that goes to standard output, which is the report's.

import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'

const LINES_WITHOUT_TERMINAL = 6

/** Reads an option of a command. */
export function wholeNumber(lowest, highest = Infinity) {
  const range = highest === Infinity ? `of ${lowest} or more` : `from ${lowest} to ${highest}`
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN
    if (value >= lowest && value <= highest) return value
    throw new InvalidArgumentError(`It takes a whole number ${range}.`)
  }
}

/** @param {'from' | 'above'} start whether the lowest number is one of those that it takes */
export function decimal(start, lowest, highest) {
  return (text) => {
    const value = text.trim() === '' ? NaN : Number(text)
    const isHighEnough = start === 'from' ? value >= lowest : value > lowest
    if (isHighEnough && value <= highest) return value
    const end = start === 'from' ? 'to' : 'and up to'
    throw new InvalidArgumentError(`It takes a number ${start} ${lowest} ${end} ${highest}.`)
  }
}

/** @param {import('commander').Command} command ends with a sentence when there can be no such folder */
export function makeFolder(command, folder) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    command.error(
      `error: the output folder '${folder}' cannot be written (${error.code}). Choose another with --out.`,
    )
  }
}

export function save(command, folder, name, content) {
  const path = join(folder, name)
  try {
    writeFileSync(path, content)
  } catch (error) {
    command.error(`error: '${path}' cannot be written (${error.code}).`)
  }
  console.log(`Written   ${path}`)
}

/**
 * A line that changes in a terminal, some lines in a pipe or a log.
 *
 * @param {string} name what runs
 * @param {string} figures what to say, with the names of figures in braces
 */
export function showProgress(name, days, figures) {
  const { stderr } = process
  const step = stderr.isTTY ? 1 : Math.ceil(days / LINES_WITHOUT_TERMINAL)
  const [start, end] = stderr.isTTY ? ['\r', '\x1b[K'] : ['', '\n']
  return {
    update(day, values) {
      if (day % step !== 0 && day !== days) return
      const said = figures.replace(/\{(\w+)\}/g, (_, figure) => values[figure])
      stderr.write(`${start}${name}: day ${day}/${days}, ${said}${end}`)
    },
    stop: () => stderr.isTTY && stderr.write('\n'),
  }
}
