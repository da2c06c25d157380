// Owns what the last frames took, in rings of typed arrays. It must never ask a clock, nor allocate once it is made.

/** The last `capacity` frames; the last one is 0 frames back. Times are milliseconds. */
export class FrameTimes {
  /** Frames written so far, those that are forgotten among them. */
  count = 0
  private readonly partMs: Float32Array
  private readonly workMs: Float32Array
  private readonly intervalMs: Float32Array
  private readonly stepsMade: Uint16Array
  private readonly stepsDue: Uint16Array

  /** @param parts what a frame is made of, from the bottom of the graph to its top */
  constructor(
    readonly parts: readonly string[],
    readonly capacity = 240,
  ) {
    this.partMs = new Float32Array(parts.length * capacity)
    this.workMs = new Float32Array(capacity)
    this.intervalMs = new Float32Array(capacity)
    this.stepsMade = new Uint16Array(capacity)
    this.stepsDue = new Uint16Array(capacity)
  }

  /** How many frames can be asked about. */
  get length(): number {
    return Math.min(this.count, this.capacity)
  }

  /**
   * Writes down a frame.
   *
   * @param partMs one number for each of `parts`
   * @param work the whole frame's
   * @param interval from the start of the frame before to the start of this one
   * @param made steps made
   * @param due steps that should have been made
   */
  record(partMs: ArrayLike<number>, work: number, interval: number, made: number, due: number): void {
    const at = this.count % this.capacity
    for (let part = 0; part < this.parts.length; part++) this.partMs[part * this.capacity + at] = partMs[part]
    this.workMs[at] = work
    this.intervalMs[at] = interval
    this.stepsMade[at] = made
    this.stepsDue[at] = due
    this.count++
  }

  /** What a part took so many frames back, from 0 up to `length`. */
  part(part: number, back: number): number {
    return this.partMs[part * this.capacity + this.place(back)]
  }

  /** What the whole frame took. */
  work(back: number): number {
    return this.workMs[this.place(back)]
  }

  /** From the start of the frame before to the start of that one. */
  interval(back: number): number {
    return this.intervalMs[this.place(back)]
  }

  /** How many frames began within the last so many milliseconds: at least the last one, when there is one. */
  within(milliseconds: number): number {
    const { length } = this
    let frames = Math.min(length, 1)
    let passed = frames === 0 ? 0 : this.interval(0)
    while (frames < length && passed < milliseconds) passed += this.interval(frames++)
    return frames
  }

  /** A part's mean over the last so many frames, by default all that are kept; 0 without any. */
  meanOf(part: number, frames = this.length): number {
    let sum = 0
    for (let back = 0; back < frames; back++) sum += this.part(part, back)
    return frames === 0 ? 0 : sum / frames
  }

  /** The same of whole frames. */
  meanWork(frames = this.length): number {
    let sum = 0
    for (let back = 0; back < frames; back++) sum += this.work(back)
    return frames === 0 ? 0 : sum / frames
  }

  /** The same from frame to frame. */
  meanInterval(frames = this.length): number {
    let sum = 0
    for (let back = 0; back < frames; back++) sum += this.interval(back)
    return frames === 0 ? 0 : sum / frames
  }

  /** Steps made of those that were due in the last so many frames, 0 to 1; 1 when none was. */
  kept(frames = this.length): number {
    let made = 0
    let due = 0
    for (let back = 0; back < frames; back++) {
      made += this.stepsMade[this.place(back)]
      due += this.stepsDue[this.place(back)]
    }
    return due === 0 ? 1 : made / due
  }

  private place(back: number): number {
    return (this.count - 1 - back) % this.capacity
  }
}
