// Owns what a run finds around it in its thread: a console that writes to the log, and, if it is strict, no clock and no
// random numbers but its own. It must never be applied outside of a thread that only runs runs.

import { format } from 'node:util'

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace']

const refuse = (name) => () => {
  throw new Error(
    `${name} was called in a strict run: take random numbers from the seed, and time from the simulation.`,
  )
}

/** Sends the console to `write`, line by line, and makes process.exit an error: it would end the thread without a word. */
export function captureConsole(write) {
  for (const method of METHODS) console[method] = (...values) => write(format(...values))
  for (const name of ['exit', 'reallyExit']) {
    const end = process[name]
    process[name] = (code) => {
      // Node itself ends a thread so, after an error that nobody caught.
      if (/** @type {any} */ (process)._exiting) return end.call(process, code)
      throw new Error(`A run called process.${name}: throw an error instead.`)
    }
  }
}

/**
 * Runs `body` where Math.random, Date.now and new Date() are errors.
 *
 * @template T
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function strictly(body) {
  const { random } = Math
  const { Date } = globalThis
  Math.random = refuse('Math.random')
  globalThis.Date = /** @type {never} */ (forbiddenDate(Date))
  try {
    return await body()
  } finally {
    Math.random = random
    globalThis.Date = Date
  }
}

/** A date that is given is allowed; the one of today is not. */
function forbiddenDate(Date) {
  return class extends Date {
    constructor(...parts) {
      if (parts.length === 0) refuse('new Date()')()
      super(...parts)
    }

    static now() {
      return refuse('Date.now')()
    }
  }
}
