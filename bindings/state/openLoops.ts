// Owns what is known of the query loops that are open in one world: which queries they walk. It must never allocate for a loop:
// it is called for each one.

import { StrataError } from '../memory/errors'

/** A query, as far as a sentence must name it. */
export interface DescribedQuery {
  readonly describe: () => string
}

/** What leaves a loop open, as every sentence about one says it. */
const LEFT_OPEN =
  'A loop stays open while an `await` in it waits, and while an iterator that is taken by hand has not ended: call its return().'

export class OpenLoops {
  /** The queries of the open loops, outermost first. */
  private readonly queries: DescribedQuery[] = []

  open(query: DescribedQuery): void {
    this.queries.push(query)
  }

  /** Two iterators that are taken by hand need not close in the order of opening. */
  close(query: DescribedQuery): void {
    const { queries } = this
    if (queries[queries.length - 1] === query) {
      queries.pop()
      return
    }
    const place = queries.lastIndexOf(query)
    if (place >= 0) queries.splice(place, 1)
  }

  /** How many are open. */
  get count(): number {
    return this.queries.length
  }

  /** Closes all, also those whose iterators are still held. */
  abandon(): void {
    this.queries.length = 0
  }

  /** The loops in a sentence: "a loop over the query (Position)", or undefined when none is open. */
  get names(): string | undefined {
    if (this.queries.length === 0) return undefined
    return `a loop over ${[...new Set(this.queries.map((query) => query.describe()))].join(' and ')}`
  }

  /** The error for what cannot wait until no loop is open any more. */
  refusal(operation: string): StrataError {
    const { names } = this
    const why = names === undefined ? '' : ` Still open: ${names}. ${LEFT_OPEN}`
    return new StrataError(
      'WORLD_LOCKED',
      `${operation} cannot run inside a query loop, a batch or a listener: call it after the loop.${why}`,
    )
  }
}

/** The error for a system that ended before its loops did. */
export function leftOpenBy(system: string, { names = 'a loop' }: Pick<OpenLoops, 'names'>): StrataError {
  return new StrataError(
    'WORLD_LOCKED',
    `System '${system}' left ${names} open. ${LEFT_OPEN} End the loop before the system returns.`,
  )
}

/** The error for the end of a frame that still waits for the end of loops. */
export function frameLeftOpen(names: string): StrataError {
  return new StrataError(
    'WORLD_LOCKED',
    `endFrame: the previous frame has not ended, because ${names} is still open. ${LEFT_OPEN} Await before or after the loop.`,
  )
}
