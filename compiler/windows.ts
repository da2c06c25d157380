// Owns which part of memory page 0 the data of each file takes, so that the kernels of one world do not overlap.
// It must never give a part away twice.

/** Where the data of the first file lies: nothing lies at 0, so that no address is null. */
export const FIRST_BASE = 1024
/** The end of page 0: what lies behind belongs to the core. */
export const PAGE_END = 65_536
const ALIGNMENT = 16

/** The bytes that a module's data lies in; equal ends where it has none. */
export interface Window {
  readonly start: number
  readonly end: number
}

/** Hands out windows to files. A file keeps its own as long as its data fits. */
export class Windows {
  private readonly taken = new Map<string, Window>()
  private next: number

  /**
   * @param memoryBase the first address that may be given away
   * @throws RangeError when it does not lie in page 0
   */
  constructor(memoryBase: number = FIRST_BASE) {
    if (!Number.isInteger(memoryBase) || memoryBase < ALIGNMENT || memoryBase >= PAGE_END)
      throw new RangeError(
        `The memory base must be a whole number from ${ALIGNMENT} to ${PAGE_END - 1}, not ${memoryBase}.`,
      )
    this.next = align(memoryBase)
  }

  /** Where a file's data is to begin. */
  baseFor(file: string): number {
    return this.taken.get(file)?.start ?? this.next
  }

  /**
   * Takes note of where a file's data lies, once it is compiled.
   *
   * @returns whether it may lie there; otherwise it has to be compiled again, at `baseFor(file)`
   */
  settle(file: string, data: Window): boolean {
    if (data.start === data.end) return true
    const taken = this.taken.get(file)
    if (taken !== undefined && data.start === taken.start && data.end <= taken.end) return true
    if (data.start !== this.next) {
      // It has outgrown its window, which lies between others.
      this.taken.delete(file)
      return false
    }
    this.taken.set(file, { start: data.start, end: align(data.end) })
    this.next = align(data.end)
    return true
  }
}

function align(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT
}
