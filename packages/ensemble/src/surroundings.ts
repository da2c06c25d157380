// Owns what a run finds around it in its thread: a console that writes to the log, and, if it is strict, no clock and no random
// numbers but its own. It must never be applied outside a thread that only does runs.

import crypto, { webcrypto } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { format } from 'node:util'

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const

/** How a process ends, as far as Node's types do not say it. */
interface Ends {
  exit: (this: NodeJS.Process, code?: number) => void
  reallyExit: (this: NodeJS.Process, code?: number) => void
  _exiting?: boolean
}

/** What has methods that a strict run may not call. */
type Owner = object & Record<string, unknown>

/** Any clock, any source of chance. */
type AnyFunction = (...values: unknown[]) => unknown

/** Sends the console to `write`, line by line, and makes process.exit an error: it would end the thread without a word. */
export function captureConsole(write: (line: string) => void): void {
  for (const method of METHODS) console[method] = (...values: unknown[]) => write(format(...values))
  const own = process as unknown as Ends
  for (const name of ['exit', 'reallyExit'] as const) {
    const end = own[name]
    own[name] = (code) => {
      // Node itself ends a thread so, after an error that nobody caught.
      if (own._exiting) return end.call(process, code)
      throw new Error(`A run called process.${name}: throw an error instead.`)
    }
  }
}

/**
 * What tells the time or is not the same twice, by the object that it is a property of. Prototypes are named where a
 * property is inherited, so that it is found there, too.
 */
const FORBIDDEN: [owner: object | undefined, of: string, names: string[]][] = [
  [Math, 'Math', ['random']],
  [Date, 'Date', ['now']],
  [
    Object.getPrototypeOf(performance) as object,
    'performance',
    ['now', 'mark', 'measure', 'toJSON', 'eventLoopUtilization'],
  ],
  [performance, 'performance', ['now', 'mark', 'measure', 'toJSON', 'eventLoopUtilization', 'timerify']],
  [process, 'process', ['hrtime', 'uptime', 'cpuUsage', 'memoryUsage', 'resourceUsage']],
  [process.hrtime, 'process.hrtime', ['bigint']],
  [Object.getPrototypeOf(webcrypto) as object, 'crypto', ['getRandomValues', 'randomUUID']],
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
    (globalThis as { Temporal?: { Now: object } }).Temporal?.Now,
    'Temporal.Now',
    ['instant', 'zonedDateTimeISO', 'plainDateTimeISO', 'plainDateISO', 'plainTimeISO'],
  ],
]

let isStrict = false

/** An error where it is called in a strict run; what it was everywhere else. */
const refuse = (name: string): never => {
  throw new Error(
    `${name} was called in a strict run: take random numbers from the seed, and time from the simulation.`,
  )
}

/**
 * Makes clocks and chance errors for `strictly`. Called before a module is loaded, so that what the module keeps of them at
 * its top is an error, too.
 *
 * @returns gives everything back
 */
export function forbidChance(): () => void {
  const undo: (() => void)[] = []
  const replace = (owner: Owner, name: string, value: unknown) => {
    const before = Object.getOwnPropertyDescriptor(owner, name)
    if (before && !before.configurable) return
    undo.push(() => {
      if (before) Object.defineProperty(owner, name, before)
      else delete owner[name]
    })
    Object.defineProperty(owner, name, {
      value,
      writable: true,
      configurable: true,
      enumerable: before?.enumerable ?? false,
    })
  }
  for (const [owner, of, names] of FORBIDDEN) {
    for (const name of names) {
      const given: unknown = owner && Object.getOwnPropertyDescriptor(owner, name)?.value
      if (typeof given !== 'function') continue
      replace(owner as Owner, name, guarded(given as AnyFunction, `${of}.${name}`))
    }
  }
  replace(globalThis, 'Date', guardedDate(globalThis.Date))
  syncBuiltinESMExports()
  return () => {
    for (const one of undo.reverse()) one()
    syncBuiltinESMExports()
  }
}

const guarded = (given: AnyFunction, label: string) =>
  new Proxy(given, {
    apply(target, self, values) {
      if (isStrict) refuse(label)
      return Reflect.apply<unknown, unknown[], unknown>(target, self, values)
    },
  })

/** A date that is given is allowed; the one of today is not. */
const guardedDate = (Date: DateConstructor) =>
  new Proxy(Date, {
    construct(target, values, of) {
      if (isStrict && values.length === 0) refuse('new Date()')
      return Reflect.construct(target, values, of) as Date
    },
    apply(target) {
      if (isStrict) refuse('Date()')
      return target()
    },
  })

/** Runs `body` where what `forbidChance` names is an error. */
export async function strictly<T>(body: () => Promise<T>): Promise<T> {
  isStrict = true
  try {
    return await body()
  } finally {
    isStrict = false
  }
}
