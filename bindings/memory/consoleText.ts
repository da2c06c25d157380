// Owns the lines that Node's console shows for our objects, in place of thousands of characters of what is inside them. Other
// consoles do not know the symbol, and show what they always do.

import { StrataTypeError } from './errors'

/** The name under which Node looks for a method that gives the text. */
export const INSPECT: unique symbol = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom')

/** What is shown as one line: by a console, in a template, in JSON. Errors can tell which copy of the library made it. */
export abstract class Shown {
  /** @internal The line. Never throws. */
  abstract line(): string

  /** @internal */
  [INSPECT](): string {
    return this.line()
  }

  /** @internal */
  toString(): string {
    return this.line()
  }

  /** @internal */
  toJSON(): string {
    return this.line()
  }

  /** @internal */
  get strataCopy(): unknown {
    return StrataTypeError
  }
}

/** How many names a line holds. */
const NAMES = 20

export function showEntities(count: number): string {
  return several(count, 'entity', 'entities')
}

export function several(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** What is walked with its rows, such as a chunk. */
export function showRows(name: string, start: number, end: number, describe: () => string): string {
  return `${name}(rows from ${start} to before ${end}, of ${describe()})`
}

/** The first of a list, and how many more there are. */
export function shorten(list: readonly unknown[]): readonly unknown[] {
  return list.length <= NAMES ? list : [...list.slice(0, NAMES), `${list.length - NAMES} more`]
}

export function showSchedule(runs: number, names: readonly string[]): string {
  const shown = shorten(names)
  return `Schedule(${several(names.length, 'system')}, ${several(runs, 'run')}${shown.length === 0 ? '' : `: ${shown.join(', ')}`})`
}
