// What the programs of examples that report on a run have in common: options that say what they accept, folders and files that
// cannot be written, and what is shown while a run is going. Nothing of that goes to standard output, which is the report's.

import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SingleBar } from 'cli-progress'
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
 * A bar in a terminal, some lines in a pipe or a log.
 *
 * @param {string} name what runs
 * @param {number} days
 * @param {string} figures what to say, with the names of figures in braces
 * @param {number} [past] days that another run has behind it
 */
export function showProgress(name, days, figures, past = 0) {
  const stream = process.stderr
  if (!stream.isTTY) return lines(name, days, figures, stream)
  const bar = new SingleBar({
    stream,
    format: `${name.padEnd(13)} {bar} day {value}/{total}  ${figures.replaceAll(', ', '  ')}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 28,
    fps: 20,
    // A handler for Ctrl-C would wait for the event loop, which a running simulation never returns to.
    gracefulExit: false,
  })
  bar.start(days, past)
  return { update: (day, values) => bar.update(day, values), stop: () => bar.stop() }
}

function lines(name, days, figures, stream) {
  const step = Math.ceil(days / LINES_WITHOUT_TERMINAL)
  return {
    update(day, values) {
      if (day % step !== 0 && day !== days) return
      const said = figures.replace(/\{(\w+)\}/g, (_, figure) => values[figure])
      stream.write(`${name}: day ${day}/${days}, ${said}\n`)
    },
    stop() {},
  }
}
