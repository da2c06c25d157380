// Owns rollback between two players: which inputs are known and which are guessed, when the game goes back, what is sent
// and when to wait. It knows no world, no socket and no page, so that it can be copied into another game.

import { decodePacket, encodePacket, MOST_INPUTS } from './packet.ts'

/** What is played. State f is what f frames came to. */
export interface Game {
  /** Saves the state that the game is in. The last `mostAhead + 1` states must be kept. */
  save(): void
  /** Takes the game back by so many saves; false when that state is no longer there. */
  rewind(frames: number): boolean
  /** Plays one frame, with one byte of input for each player. */
  step(inputs: readonly [first: number, second: number]): void
  /** One number for the whole state. */
  digest(): number
}

export interface SessionOptions {
  readonly game: Game
  /** Which player sits here: 0 or 1. */
  readonly player: 0 | 1
  /** Frames between pressing a key and its effect, 0 to MOST_DELAY. Each one makes rollbacks one frame shorter. */
  readonly inputDelay?: number | undefined
  /** Frames that may be played with guessed inputs, 0 to MOST_AHEAD; 0 waits for every input. */
  readonly mostAhead?: number | undefined
  /** Only every so many states are compared with the other player's: for worlds whose digest takes time. */
  readonly digestEvery?: number | undefined
  /** Milliseconds: what measures rollbacks. Nothing else depends on it. */
  readonly now?: (() => number) | undefined
  /** Called once for each compared state when it can no longer change. */
  readonly onConfirmed?: (state: number, digest: number) => void
}

/** What `advance` did: played a frame; waited for inputs; or let the other player, who is late, catch up. */
export type Advance = 'played' | 'stalled' | 'yielded'

/** What rollback has cost so far. */
export interface RollbackStats {
  rollbacks: number
  /** Frames that were played again. */
  resimulated: number
  /** Frames that the last rollback went back by, and the most of all. */
  lastDepth: number
  deepest: number
  /** Milliseconds that the last rollback took: going back and playing again. And all of them together. */
  lastMs: number
  totalMs: number
  stalled: number
  yielded: number
  /** Packets that were no packets, or made no sense. */
  refused: number
}

export const MOST_AHEAD = 8
export const MOST_DELAY = 8

/** A power of two: inputs and digests of so many frames are kept. Unanswered inputs are at most 2 x (8 + 8) frames. */
const KEPT = 128
const MASK = KEPT - 1
/** Frames ahead at which a frame is left out to let the other player catch up, and frames between two of those. */
const YIELD_AT = 1.5
const YIELD_EVERY = 12

export class Session {
  inputDelay: number
  mostAhead: number
  readonly stats: RollbackStats = {
    rollbacks: 0,
    resimulated: 0,
    lastDepth: 0,
    deepest: 0,
    lastMs: 0,
    totalMs: 0,
    stalled: 0,
    yielded: 0,
    refused: 0,
  }
  /** The first state that the two players found to differ, with both digests; undefined while all are equal. */
  mismatch: { readonly state: number; readonly here: number; readonly there: number } | undefined

  /** The frame that is played next: also the number of the state that the game is in. */
  frame = 0
  /** The last state that all inputs are known for and that was played with them. */
  confirmed = 0
  /** The last confirmed state whose digest was taken, and the digest. */
  verified = 0
  verifiedDigest: number

  private readonly game: Game
  private readonly player: 0 | 1
  private readonly digestEvery: number
  private readonly now: () => number
  private readonly onConfirmed: (state: number, digest: number) => void

  private readonly own = new Uint8Array(KEPT)
  private readonly others = new Uint8Array(KEPT)
  /** The other player's inputs as frames were played with them: known ones and guesses. */
  private readonly used = new Uint8Array(KEPT)
  private readonly digests = new Uint32Array(KEPT)
  /** Own inputs exist, and have arrived at the other player, for the frames before these. */
  private chosen = 0
  private answered = 0
  /** The other player's inputs are known for the frames before this one. */
  private received = 0
  /** The earliest frame that was played with a wrong guess. */
  private wrongFrom = Infinity
  /** The other player's last frame that was heard of, and by how much that one believes itself ahead. */
  private otherFrame = 0
  private otherAhead = 0
  private yieldedAt = 0
  /** A digest of the other player's for a state that is not confirmed here yet. */
  private claim: { state: number; digest: number } | undefined

  constructor(options: SessionOptions) {
    this.game = options.game
    this.player = options.player
    this.inputDelay = options.inputDelay ?? 2
    this.mostAhead = options.mostAhead ?? MOST_AHEAD
    this.digestEvery = options.digestEvery ?? 1
    this.now = options.now ?? (() => 0)
    this.onConfirmed = options.onConfirmed ?? (() => {})
    this.game.save()
    this.verifiedDigest = this.digests[0] = this.game.digest()
  }

  /** Frames that are played with guesses at present. */
  get guessed(): number {
    return Math.max(0, this.frame - this.received)
  }

  /** How many frames this player believes itself ahead of the other; negative when it is late. */
  get ahead(): number {
    return this.frame - this.otherFrame
  }

  /**
   * Corrects what was guessed wrong, then plays a frame. To be called once for each frame of the clock.
   *
   * @param input what this player does now; it takes effect in `inputDelay` frames
   */
  advance(input: number): Advance {
    this.rollBack()
    // Also before a wait: the other player may be waiting for this very input. A delay that grew repeats the input; one
    // that shrank leaves inputs out until it fits again.
    const last = this.frame + Math.min(this.inputDelay, MOST_DELAY)
    while (this.chosen <= last) this.own[this.chosen++ & MASK] = input
    if (this.frame - this.received >= Math.min(this.mostAhead, MOST_AHEAD)) {
      this.stats.stalled++
      return 'stalled'
    }
    if (this.shouldYield()) {
      this.stats.yielded++
      this.yieldedAt = this.frame
      return 'yielded'
    }
    this.play()
    this.confirm()
    return 'played'
  }

  /**
   * What to send to the other player, once for each frame of the clock, also when `advance` waited. It has all inputs
   * that are not known to have arrived: a packet that is lost needs no other remedy than the next one.
   */
  packet(): Uint8Array {
    const inputs = Uint8Array.from(
      { length: this.chosen - this.answered },
      (_, i) => this.own[(this.answered + i) & MASK],
    )
    return encodePacket({
      frame: this.frame,
      received: this.received,
      ahead: this.ahead,
      verified: this.verified,
      digest: this.verifiedDigest,
      first: this.answered,
      inputs,
    })
  }

  /**
   * Takes in a packet of the other player. Packets may be lost, doubled, late and in any order. The game stays as it is
   * until `advance`, so that several packets cause one rollback.
   *
   * @returns false when these bytes are not a packet that the other player could have sent: nothing changes then
   */
  receive(bytes: Uint8Array): boolean {
    const packet = decodePacket(bytes)
    const end = packet === undefined ? 0 : packet.first + packet.inputs.length
    if (
      packet === undefined ||
      packet.received > this.chosen ||
      packet.first > this.received ||
      end > this.frame + MOST_INPUTS
    ) {
      this.stats.refused++
      return false
    }
    this.answered = Math.max(this.answered, packet.received)
    if (packet.frame >= this.otherFrame) {
      this.otherFrame = packet.frame
      this.otherAhead = packet.ahead
    }
    for (; this.received < end; this.received++) {
      const input = packet.inputs[this.received - packet.first]
      this.others[this.received & MASK] = input
      const guessedWrong = this.received < this.frame && this.used[this.received & MASK] !== input
      if (guessedWrong) this.wrongFrom = Math.min(this.wrongFrom, this.received)
    }
    this.claim ??= { state: packet.verified, digest: packet.digest }
    return true
  }

  /** Goes back to the first frame that was played with a wrong guess, and plays all since then again. */
  private rollBack(): void {
    const depth = this.frame - this.wrongFrom
    this.wrongFrom = Infinity
    if (depth > 0) {
      const began = this.now()
      if (!this.game.rewind(depth)) throw new Error(`The game keeps no state of ${depth} frames ago.`)
      this.frame -= depth
      for (let k = 0; k < depth; k++) this.play()
      const { stats } = this
      stats.rollbacks++
      stats.resimulated += depth
      stats.lastDepth = depth
      stats.deepest = Math.max(stats.deepest, depth)
      stats.lastMs = this.now() - began
      stats.totalMs += stats.lastMs
    }
    this.confirm()
  }

  private play(): void {
    const { frame, player } = this
    const own = this.own[frame & MASK]
    const other = frame < this.received ? this.others[frame & MASK] : this.guess()
    this.used[frame & MASK] = other
    this.game.step(player === 0 ? [own, other] : [other, own])
    this.game.save()
    this.frame++
    if (this.frame % this.digestEvery === 0) this.digests[this.frame & MASK] = this.game.digest()
  }

  /** Most people do in a frame what they did in the one before. */
  private guess(): number {
    return this.received === 0 ? 0 : this.others[(this.received - 1) & MASK]
  }

  /** Frames whose inputs are known and were played with them cannot change any more. */
  private confirm(): void {
    const known = Math.min(this.frame, this.received)
    while (this.confirmed < known) {
      this.confirmed++
      if (this.confirmed % this.digestEvery !== 0) continue
      this.verified = this.confirmed
      this.verifiedDigest = this.digests[this.confirmed & MASK]
      this.onConfirmed(this.verified, this.verifiedDigest)
    }
    this.compare()
  }

  /** Compares one state that the other player has confirmed with what it was here. */
  private compare(): void {
    if (this.claim === undefined || this.claim.state > this.confirmed) return
    const { state, digest } = this.claim
    this.claim = undefined
    if (state % this.digestEvery !== 0 || state <= this.frame - KEPT || this.mismatch) return
    const here = this.digests[state & MASK]
    if (here !== digest) this.mismatch = { state, here, there: digest }
  }

  /** Whether to leave out a frame, because the other player is late: both see the other as far away as the network is long. */
  private shouldYield(): boolean {
    if (this.frame - this.yieldedAt < YIELD_EVERY) return false
    return (this.ahead - this.otherAhead) / 2 >= YIELD_AT
  }
}
