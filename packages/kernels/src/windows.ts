// Owns the windows of memory page 0: which part the data of each file takes, so that kernels of one world do not overlap.

/** Where the data of the first file lies: nothing lies at 0, so that no address is null. */
export const FIRST_BASE = 1024
/** The end of page 0: what lies behind belongs to the core. */
export const PAGE_END = 65_536
const ALIGNMENT = 16

/**
 * A range of bytes in memory page 0. `end` is the address after the last byte; it equals `start` if the range is
 * empty.
 */
export interface Window {
  readonly start: number
  readonly end: number
}

/** Hands out windows to files. A file keeps its own as long as its data fits. */
export class Windows {
  private readonly taken = new Map<string, Window>()
  private readonly first: number

  /**
   * @param memoryBase the first address that may be given away
   * @throws RangeError when it does not lie in page 0
   */
  constructor(memoryBase: number = FIRST_BASE) {
    if (!Number.isInteger(memoryBase) || memoryBase < ALIGNMENT || memoryBase >= PAGE_END)
      throw new RangeError(
        `The memory base must be a whole number from ${ALIGNMENT} to ${PAGE_END - 1}, not ${memoryBase}.`,
      )
    this.first = align(memoryBase)
  }

  /** Where a file's data is to begin: where it was, or behind all others. */
  baseFor(file: string): number {
    return (
      this.taken.get(file)?.start ?? Math.max(this.first, ...[...this.taken.values()].map(({ end }) => end))
    )
  }

  /**
   * Takes note of where a file's data lies, once it is compiled.
   *
   * @returns whether it may lie there; otherwise it has to be compiled again, at `baseFor(file)`
   */
  settle(file: string, { start, end }: Window): boolean {
    if (start === end) return true
    const isFree = [...this.taken].every(
      ([other, window]) => other === file || end <= window.start || start >= window.end,
    )
    if (isFree) this.taken.set(file, { start, end: align(end) })
    // It has outgrown its window, which lies before another.
    else this.taken.delete(file)
    return isFree
  }
}

function align(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT
}
