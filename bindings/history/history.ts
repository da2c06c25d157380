// Owns histories: a ring of snapshots of one world, one for each frame, to go some frames back. It must never allocate once the
// ring is full and the world has its size.

import { MAKING, checkOptions, checkWhole, refuseByHand } from '../memory/arguments'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { Shown } from '../memory/consoleText'
import { type Snapshot, takeSnapshot } from '../snapshots/snapshot'
import { stateOf } from '../state/worldState'
import type { World } from '../world/world'
import { restoreWorld } from '../snapshots/restore'

/** Options of createHistory. */
export interface HistoryOptions {
  /** How many frames are kept, from 1. To go back 8 frames takes 9: the one that was saved last is one of them. */
  readonly frames: number
}

/**
 * Creates a history of a world: a ring of snapshots, in which the oldest one is overwritten.
 *
 * @param options how many frames are kept; each takes as much memory as the world uses
 * @throws StrataTypeError INVALID_OPTION
 * @example const history = createHistory(world, { frames: 9 })
 */
export function createHistory(world: World, options: HistoryOptions): History {
  stateOf(world, 'createHistory').refuseDisposed()
  checkOptions('createHistory', options, ['frames'])
  const frames: unknown = options?.frames
  checkWhole('createHistory', 'frames', frames, 1)
  return new History(world, frames as number, MAKING)
}

/** The last frames of a world. Made by createHistory. */
export class History extends Shown {
  private readonly slots: Snapshot[] = []
  /** What the frames in the slots were called. */
  private readonly names: (string | undefined)[] = []
  private last = -1
  private first = 0
  /** The last frame that can be gone to: later than `last` after `goTo`, until the next save. */
  private end = -1

  /** @internal Use createHistory. */
  constructor(
    private readonly world: World,
    private readonly frames: number,
    key: symbol,
  ) {
    super()
    refuseByHand(key, 'History', 'createHistory(…)')
  }

  /**
   * Saves the world as it is as the next frame. If the ring is full, the oldest frame is lost. Cost: that of
   * snapshot; nothing is allocated once the ring is full and the world has its size.
   *
   * @param name what led to this frame, for `nameOf`: a text that is not empty
   * @throws StrataTypeError INVALID_OPTION; StrataError WORLD_LOCKED inside a loop; LimitError MEMORY_LIMIT; what the `save`
   *   of a resource throws. Nothing was saved then, and no frame is lost
   * @example history.save('Paint')
   */
  save(name?: string): void {
    checkName(name)
    const slot = (this.last + 1) % this.frames
    const { world } = this
    const known = this.slots[slot]
    // By itself: in place of options, which would be an object in each frame.
    world['state'].refuseDisposed()
    world['state'].refuseWhileLocked('history.save')
    this.slots[slot] = takeSnapshot(world['state'], world['core'], known)
    this.names[slot] = name
    this.end = ++this.last
    if (this.last - this.frames >= this.first) this.first = this.last + 1 - this.frames
  }

  /**
   * Takes the world back to the frame that was saved `frames` frames before the last one; 0 is the last one. Later frames
   * are forgotten: the next save overwrites them.
   *
   * @param frames a whole number from 0
   * @returns false if that frame is not there any longer, or never was: nothing changes then
   * @throws StrataTypeError INVALID_OPTION; as restore does
   */
  rewind(frames: number): boolean {
    checkWhole('history.rewind', 'the number of frames', frames)
    const frame = this.last - frames
    if (!this.keeps(frame)) return false
    try {
      this.restore(frame)
    } finally {
      if (this.last === frame) this.end = frame
    }
    return true
  }

  /**
   * Takes the world to any frame that is kept, back or forward, and forgets none: for looking around in the past. The next
   * save, `cut` and `rewind` forget the frames after it.
   *
   * @param frame the number of a frame, from `oldest` to `newest`
   * @returns false if that frame is not kept: nothing changes then
   * @throws as restore does
   * @example history.goTo(history.oldest)
   */
  goTo(frame: number): boolean {
    if (!this.keeps(frame)) return false
    this.restore(frame)
    return true
  }

  /** Makes the present frame the newest one: the frames after it, which `goTo` left behind, are forgotten. */
  cut(): void {
    this.end = this.last
  }

  /** The number of the frame that was saved last, from 0; -1 before the first one. After `rewind` or `goTo`, the frame gone to. */
  get frame(): number {
    return this.last
  }

  /** The number of the oldest frame that a rewind can go to; -1 while there is none. */
  get oldest(): number {
    return this.last < this.first ? -1 : this.first
  }

  /** The number of the newest frame that `goTo` can go to: that of `frame`, unless `goTo` went back. -1 while there is none. */
  get newest(): number {
    return this.end
  }

  /**
   * What a frame was called when it was saved.
   *
   * @param frame the number of a frame, from `oldest` to `newest`
   * @returns undefined if it was saved without a name, or if that frame is not kept
   * @example button.title = `Undo ${history.nameOf(history.frame)}`
   */
  nameOf(frame: number): string | undefined {
    return this.keeps(frame) ? this.names[frame % this.frames] : undefined
  }

  /**
   * Bytes that the frames take, a whole copy of the world's memory in use each; a whole number, 0 before the first save.
   * Frames that `rewind` or `cut` forgot count until a save writes over them: their memory is kept for it. Looks at every
   * frame.
   */
  get byteLength(): number {
    return this.slots.reduce((bytes, snapshot) => bytes + snapshot.byteLength, 0)
  }

  private keeps(frame: number): boolean {
    return Number.isInteger(frame) && frame >= Math.max(this.first, 0) && frame <= this.end
  }

  private restore(frame: number): void {
    const state = this.world['state']
    const { timeline } = state
    try {
      restoreWorld(this.world, this.slots[frame % this.frames] as Snapshot)
    } finally {
      // A listener that throws does so when all is done; what was refused has moved nothing.
      if (state.timeline !== timeline) this.last = frame
    }
  }

  /** @internal */
  line(): string {
    return `History(frames ${this.oldest} to ${this.last})`
  }
}

function checkName(name: unknown): void {
  if (name === undefined || (typeof name === 'string' && name !== '')) return
  throw new StrataTypeError(
    'INVALID_OPTION',
    `history.save: the name must be a text that is not empty, such as history.save('Paint'), not ${describe(name)}.`,
  )
}
