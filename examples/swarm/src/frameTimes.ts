// What the last frames took, in a ring of numbers: nothing is allocated once it is made.

/** Frames are counted backwards: the last one is 0 frames back. Times are milliseconds. */
export class FrameTimes {
  /** Frames written so far, those that are forgotten among them. */
  count = 0
  /** A row for each part, then for the whole frame, for its distance from the one before, for steps made and steps due. */
  private readonly rows: Float32Array[]

  /** @param parts what a frame is made of, from the bottom of the graph to its top */
  constructor(
    readonly parts: readonly string[],
    readonly capacity = 240,
  ) {
    this.rows = Array.from({ length: parts.length + 4 }, () => new Float32Array(capacity))
  }

  /** How many frames can be asked about. */
  get length(): number {
    return Math.min(this.count, this.capacity)
  }

  /**
   * @param partMs one number for each of `parts`
   * @param work the whole frame's
   * @param interval from the start of the frame before to the start of this one
   * @param made steps, of those that were due
   */
  record(partMs: ArrayLike<number>, work: number, interval: number, made: number, due: number): void {
    const at = this.count++ % this.capacity
    const own = this.parts.length
    for (let row = 0; row < own; row++) this.rows[row][at] = partMs[row]
    this.rows[own][at] = work
    this.rows[own + 1][at] = interval
    this.rows[own + 2][at] = made
    this.rows[own + 3][at] = due
  }

  /** What a part took; the whole frame is the part behind the last one. */
  part(part: number, back: number): number {
    return this.rows[part][(this.count - 1 - back) % this.capacity]
  }

  interval(back: number): number {
    return this.part(this.parts.length + 1, back)
  }

  /** How many frames began within the last so many milliseconds: at least the last one, when there is one. */
  within(milliseconds: number): number {
    const { length } = this
    let frames = Math.min(length, 1)
    let passed = frames === 0 ? 0 : this.interval(0)
    while (frames < length && passed < milliseconds) passed += this.interval(frames++)
    return frames
  }

  /** Means over the last so many frames: of a part, of whole frames, from frame to frame; 0 without any. */
  meanOf(part: number, frames = this.length): number {
    return frames === 0 ? 0 : this.sum(part, frames) / frames
  }
  meanWork(frames = this.length): number {
    return this.meanOf(this.parts.length, frames)
  }
  meanInterval(frames = this.length): number {
    return this.meanOf(this.parts.length + 1, frames)
  }

  /** Steps made of those that were due in the last so many frames, 0 to 1; 1 when none was. */
  kept(frames = this.length): number {
    const due = this.sum(this.parts.length + 3, frames)
    return due === 0 ? 1 : this.sum(this.parts.length + 2, frames) / due
  }

  private sum(row: number, frames: number): number {
    let sum = 0
    for (let back = 0; back < frames; back++) sum += this.part(row, back)
    return sum
  }
}
