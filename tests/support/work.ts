// Counts work: how often pieces of our code ran, and how many elements the language went over for it.

import { Session, type Profiler } from 'node:inspector'

/** Array methods that go over the array; those that may stop early are counted as if they did not. */
const SCANNING = ['indexOf', 'includes', 'concat', 'slice', 'join', 'fill'] as const
const CALLING = ['filter', 'find', 'findIndex', 'some', 'every', 'map', 'forEach', 'reduce'] as const

/** As sources, and as what is compiled of them. */
const OF_LIBRARY = /\/bindings\/[\w/]+\.[jt]s$/

type Method = (this: unknown[], ...args: unknown[]) => unknown

/**
 * Runs an action. Returns how often blocks of code in bindings/ ran for it, and how many elements array methods and
 * spreads went over. The same for the same action, on any machine.
 */
export function countWork(action: () => void): number {
  const session = new Session()
  session.connect()
  const scanned = countScans()
  let blocks = 0
  try {
    session.post('Profiler.enable')
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    session.post('Profiler.takePreciseCoverage', () => {})
    action()
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      blocks = result.filter(({ url }) => OF_LIBRARY.test(url)).reduce(sumOfCounts, 0)
    })
    session.post('Profiler.stopPreciseCoverage')
  } finally {
    scanned.stop()
    session.disconnect()
  }
  if (blocks === 0) throw new Error('No block of the library ran: its files are somewhere else.')
  return blocks + scanned.count
}

function sumOfCounts(sum: number, { functions }: Profiler.ScriptCoverage): number {
  for (const { ranges } of functions) for (const { count } of ranges) sum += count
  return sum
}

/** Counts the elements that array methods and iterators go over, until it is stopped. */
function countScans(): { count: number; stop: () => void } {
  const prototype = Array.prototype as unknown as Record<PropertyKey, Method>
  const replaced = [...SCANNING, ...CALLING, Symbol.iterator].map((name) => [name, prototype[name]] as const)
  const counter = {
    count: 0,
    stop: () => {
      for (const [name, method] of replaced) prototype[name] = method
    },
  }
  for (const [name, method] of replaced) {
    prototype[name] = function (...args) {
      counter.count += this.length
      return method.apply(this, args)
    }
  }
  return counter
}
