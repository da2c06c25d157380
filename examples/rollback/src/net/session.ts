// Rollback between two players: which inputs are known and which are guessed, when the game goes back, what is sent and when to wait.
// It knows no world, no socket and no page, so that it can be copied into another game, with the two files beside it.

import { Agreement, type Mismatch } from './agreement.ts'
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

interface SessionOptions {
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

export const MOST_AHEAD = 8
export const MOST_DELAY = 8
/** Frames ahead at which a frame is left out to let the other player catch up, and frames between two of those. */
const YIELD_AT = 1.5
const YIELD_EVERY = 12

/** A player's inputs of the frames before `end`, of which the last ones are kept: more than 2 x (8 + 8) unanswered ones. */
class Inputs {
  end = 0
  private readonly bytes = new Uint8Array(128)

  at(frame: number): number {
    return this.bytes[frame % this.bytes.length]
  }

  push(input: number): void {
    this.bytes[this.end++ % this.bytes.length] = input
  }
}

export class Session {
  inputDelay: number
  mostAhead: number
  readonly stats = {
    rollbacks: 0,
    /** Frames that were played again; those that the last rollback went back by, and the most of all. */
    resimulated: 0,
    lastDepth: 0,
    deepest: 0,
    /** Milliseconds of all rollbacks together. */
    totalMs: 0,
    stalled: 0,
    yielded: 0,
    /** Packets that were no packets, or made no sense. */
    refused: 0,
  }
  /** The frame that is played next: also the number of the state that the game is in. */
  frame = 0

  private readonly own = new Inputs()
  /** Own inputs have arrived at the other player for the frames before this one. */
  private answered = 0
  private readonly others = new Inputs()
  /** The other player's inputs as frames were played with them: known ones and guesses. */
  private readonly used = new Inputs()
  /** The earliest frame that was played with a wrong guess. */
  private wrongFrom = Infinity
  /** The last state that all inputs are known for and that was played with them. */
  private confirmed = 0
  private readonly agreement: Agreement
  /** The other player's last frame that was heard of, and by how much that one believes itself ahead. */
  private otherFrame = 0
  private otherAhead = 0
  private yieldedAt = 0

  constructor(private readonly options: SessionOptions) {
    this.inputDelay = options.inputDelay ?? 2
    this.mostAhead = options.mostAhead ?? MOST_AHEAD
    options.game.save()
    this.agreement = new Agreement(options.digestEvery ?? 1, options.game.digest(), options.onConfirmed)
  }

  get guessed(): number {
    return Math.max(0, this.frame - this.others.end)
  }

  /** How many frames this player believes itself ahead of the other; negative when it is late. */
  get ahead(): number {
    return this.frame - this.otherFrame
  }

  /** The first state that the two players found to differ; undefined while all are equal. */
  get mismatch(): Mismatch | undefined {
    return this.agreement.mismatch
  }

  /** The last confirmed state whose digest was taken, and the digest. */
  get verified(): number {
    return this.agreement.verified
  }
  get verifiedDigest(): number {
    return this.agreement.digest
  }

  /**
   * Corrects what was guessed wrong, then plays a frame. To be called once for each frame of the clock.
   *
   * @param input what this player does now; it takes effect in `inputDelay` frames
   */
  advance(input: number): Advance {
    this.rollBack()
    this.choose(input)
    if (this.frame - this.others.end >= Math.min(this.mostAhead, MOST_AHEAD)) {
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
   * What to send to the other player, once for each frame of the clock, also when `advance` waited. It has all inputs that are not known
   * to have arrived: a packet that is lost needs no other remedy than the next one.
   */
  packet(): Uint8Array {
    const { own, answered } = this
    return encodePacket({
      frame: this.frame,
      received: this.others.end,
      ahead: this.ahead,
      verified: this.verified,
      digest: this.verifiedDigest,
      first: answered,
      inputs: Uint8Array.from({ length: own.end - answered }, (_, i) => own.at(answered + i)),
    })
  }

  /**
   * Takes in a packet of the other player. Packets may be lost, doubled, late and in any order. The game stays as it is until `advance`,
   * so that several packets cause one rollback.
   *
   * @returns false when these bytes are not a packet that the other player could have sent: nothing changes then
   */
  receive(bytes: Uint8Array): boolean {
    const { own, others } = this
    const packet = decodePacket(bytes)
    const end = packet === undefined ? 0 : packet.first + packet.inputs.length
    const isPossible = packet && packet.received <= own.end && packet.first <= others.end
    if (!isPossible || end > this.frame + MOST_INPUTS) {
      this.stats.refused++
      return false
    }
    this.answered = Math.max(this.answered, packet.received)
    if (packet.frame >= this.otherFrame) {
      this.otherFrame = packet.frame
      this.otherAhead = packet.ahead
    }
    while (others.end < end) {
      const frame = others.end
      others.push(packet.inputs[frame - packet.first])
      const guessedWrong = frame < this.frame && this.used.at(frame) !== others.at(frame)
      if (guessedWrong) this.wrongFrom = Math.min(this.wrongFrom, frame)
    }
    this.agreement.claim(packet.verified, packet.digest)
    return true
  }

  /** Goes back to the first frame that was played with a wrong guess, and plays all since then again. */
  private rollBack(): void {
    const depth = this.frame - this.wrongFrom
    this.wrongFrom = Infinity
    if (depth > 0) {
      const { game, now = () => 0 } = this.options
      const began = now()
      if (!game.rewind(depth)) throw new Error(`The game keeps no state of ${depth} frames ago.`)
      this.frame -= depth
      for (let k = 0; k < depth; k++) this.play()
      const { stats } = this
      stats.rollbacks++
      stats.resimulated += depth
      stats.lastDepth = depth
      stats.deepest = Math.max(stats.deepest, depth)
      stats.totalMs += now() - began
    }
    this.confirm()
  }

  /**
   * Also before a wait: the other player may be waiting for this very input. A delay that grew repeats the input; one that shrank leaves
   * inputs out until it fits again.
   */
  private choose(input: number): void {
    const last = this.frame + Math.min(this.inputDelay, MOST_DELAY)
    while (this.own.end <= last) this.own.push(input)
  }

  private play(): void {
    const { frame, others } = this
    const { game, player } = this.options
    const own = this.own.at(frame)
    // Most people do in a frame what they did in the one before.
    const guess = others.end === 0 ? 0 : others.at(others.end - 1)
    const other = frame < others.end ? others.at(frame) : guess
    this.used.end = frame
    this.used.push(other)
    game.step(player === 0 ? [own, other] : [other, own])
    game.save()
    this.frame++
    this.agreement.played(this.frame, game)
  }

  /** Frames whose inputs are known and were played with them cannot change any more. */
  private confirm(): void {
    const known = Math.min(this.frame, this.others.end)
    while (this.confirmed < known) this.agreement.confirm(++this.confirmed)
    this.agreement.compare(this.confirmed, this.frame)
  }

  /** Whether to leave out a frame, because the other player is late: both see the other as far away as the network is long. */
  private shouldYield(): boolean {
    if (this.frame - this.yieldedAt < YIELD_EVERY) return false
    return (this.ahead - this.otherAhead) / 2 >= YIELD_AT
  }
}
