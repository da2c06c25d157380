// A match of two players in one place: two copies of the game, two sessions, and the network between them. Nothing passes from one to the
// other but packets. It runs by its own clock, so that a minute can be played in a second.

import { createGame, type Arena } from './game/game.ts'
import { Link, type LinkOptions } from './net/link.ts'
import { Session, type Advance } from './net/session.ts'

/** Milliseconds of a frame. */
export const FRAME_MS = 1000 / 60

export interface MatchOptions extends Partial<LinkOptions> {
  /** Equal seeds and inputs give equal matches, with the same packets lost. */
  readonly seed?: number
  readonly inputDelay?: number
  readonly mostAhead?: number
  /** Frames by which the second player begins later. */
  readonly late?: number
  /** What measures rollbacks. */
  readonly now?: () => number
  /** Called when a player's state can no longer change. */
  readonly onConfirmed?: (player: 0 | 1, state: number, digest: number) => void
}

export interface Player {
  readonly game: Arena
  readonly session: Session
  /** What this player sends. */
  readonly link: Link
  /** What became of the last frame. */
  last: Advance
}

export class Match {
  readonly players: readonly [Player, Player]
  /** May be changed while the match goes on. */
  readonly network: LinkOptions
  ticks = 0
  private readonly late: number

  constructor(options: MatchOptions = {}) {
    const { seed = 1, latency = 100, jitter = 20, loss = 0.1, duplicates = 0.02, late = 0 } = options
    this.network = { latency, jitter, loss, duplicates }
    this.late = late
    const createPlayer = (player: 0 | 1): Player => {
      const game = createGame(seed)
      const session = new Session({
        game,
        player,
        inputDelay: options.inputDelay,
        mostAhead: options.mostAhead,
        now: options.now,
        onConfirmed: (state, digest) => options.onConfirmed?.(player, state, digest),
      })
      return { game, session, link: new Link(this.network, seed * 2 + player), last: 'stalled' }
    }
    this.players = [createPlayer(0), createPlayer(1)]
  }

  /** Plays one frame of the clock: each player hears what arrived, plays, and sends. */
  tick(inputs: readonly [first: number, second: number]): void {
    const now = this.ticks++ * FRAME_MS
    for (const player of [0, 1] as const) {
      if (player === 1 && this.ticks <= this.late) continue
      const here = this.players[player]
      const there = this.players[1 - player]
      for (const bytes of there.link.receive(now)) here.session.receive(bytes)
      here.last = here.session.advance(inputs[player])
      here.link.send(here.session.packet(), now)
    }
  }

  dispose(): void {
    for (const { game } of this.players) game.dispose()
  }
}
