// Owns what a run finds around it in its thread: a console that writes to the log, and, if it is strict, no clock and no
// random numbers but its own. It must never be applied outside of a thread that only runs runs.

import crypto, { webcrypto } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { format } from 'node:util'

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace']

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
 * What tells the time or is not the same twice, by the object that it is a property of. Prototypes are named where a
 * property is inherited, so that it is found there, too.
 */
const FORBIDDEN = [
  [Math, 'Math', ['random']],
  [Date, 'Date', ['now']],
  [
    Object.getPrototypeOf(performance),
    'performance',
    ['now', 'mark', 'measure', 'toJSON', 'eventLoopUtilization'],
  ],
  [performance, 'performance', ['now', 'mark', 'measure', 'toJSON', 'eventLoopUtilization', 'timerify']],
  [process, 'process', ['hrtime', 'uptime', 'cpuUsage', 'memoryUsage', 'resourceUsage']],
  [process.hrtime, 'process.hrtime', ['bigint']],
  [Object.getPrototypeOf(webcrypto), 'crypto', ['getRandomValues', 'randomUUID']],
  [
    crypto,
    'crypto',
    [
      'randomBytes',
      'pseudoRandomBytes',
      'randomFill',
      'randomFillSync',
      'randomInt',
      'randomUUID',
      'getRandomValues',
    ]
      .concat(['generateKey', 'generateKeySync', 'generateKeyPair', 'generateKeyPairSync'])
      .concat(['generatePrime', 'generatePrimeSync']),
  ],
  [
    /** @type {any} */ (globalThis).Temporal?.Now,
    'Temporal.Now',
    ['instant', 'zonedDateTimeISO', 'plainDateTimeISO', 'plainDateISO', 'plainTimeISO'],
  ],
]

let isStrict = false

/** An error where it is called in a strict run; what it was everywhere else. */
const refuse = (name) => {
  throw new Error(
    `${name} was called in a strict run: take random numbers from the seed, and time from the simulation.`,
  )
}

/**
 * Makes clocks and chance errors for `strictly`. Called before a module is loaded, so that what the module keeps of them at
 * its top is an error, too.
 *
 * @returns {() => void} gives everything back
 */
export function forbidChance() {
  const undo = []
  const replace = (owner, name, value) => {
    const before = Object.getOwnPropertyDescriptor(owner, name)
    if (before && !before.configurable) return
    undo.push(() => (before ? Object.defineProperty(owner, name, before) : delete owner[name]))
    Object.defineProperty(owner, name, {
      value,
      writable: true,
      configurable: true,
      enumerable: before?.enumerable,
    })
  }
  for (const [owner, of, names] of FORBIDDEN) {
    for (const name of names) {
      const given = owner && Object.getOwnPropertyDescriptor(owner, name)?.value
      if (typeof given === 'function') replace(owner, name, guarded(given, `${of}.${name}`))
    }
  }
  replace(globalThis, 'Date', guardedDate(globalThis.Date))
  syncBuiltinESMExports()
  return () => {
    for (const one of undo.reverse()) one()
    syncBuiltinESMExports()
  }
}

const guarded = (given, label) =>
  new Proxy(given, {
    apply(target, self, values) {
      if (isStrict) refuse(label)
      return Reflect.apply(target, self, values)
    },
  })

/** A date that is given is allowed; the one of today is not. */
const guardedDate = (Date) =>
  new Proxy(Date, {
    construct(target, values, of) {
      if (isStrict && values.length === 0) refuse('new Date()')
      return Reflect.construct(target, values, of)
    },
    apply(target) {
      if (isStrict) refuse('Date()')
      return target()
    },
  })

/**
 * Runs `body` where what `forbidChance` names is an error.
 *
 * @template T
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function strictly(body) {
  isStrict = true
  try {
    return await body()
  } finally {
    isStrict = false
  }
}
