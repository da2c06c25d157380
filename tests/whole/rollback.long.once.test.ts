// Shows, without a page, that two worlds that play rollback over a bad network come to the same digests, which are those of one
// world that had all inputs in time.

import { expect, it, onTestFinished } from 'vitest'
import { botInput } from '../../examples/rollback/src/bot.ts'
import { createGame } from '../../examples/rollback/src/game/game.ts'
import { Match, type MatchOptions } from '../../examples/rollback/src/match.ts'
import { Session } from '../../examples/rollback/src/net/session.ts'

const MINUTE = 3600

function playMatch(options: MatchOptions, ticks = MINUTE) {
  const confirmed: Map<number, number>[] = [new Map(), new Map()]
  const match = new Match({
    ...options,
    onConfirmed: (player, state, digest) => void confirmed[player]!.set(state, digest),
  })
  onTestFinished(() => match.dispose())
  for (let tick = 0; tick < ticks; tick++) match.tick([botInput(1, tick), botInput(2, tick)])
  return { match, confirmed }
}

it.each([
  { latency: 0, jitter: 0, loss: 0, duplicates: 0, least: 3590 },
  { latency: 100, jitter: 20, loss: 0.1, duplicates: 0.02, least: 3400 },
  { latency: 100, jitter: 20, loss: 0.3, duplicates: 0.02, least: 3000 },
  { latency: 60, jitter: 150, loss: 0.05, duplicates: 0.2, least: 3000 },
])(
  'a minute with $latency ms of delay, $jitter ms more at times and $loss lost: every confirmed digest is equal',
  ({ least, ...network }) => {
    const { match, confirmed } = playMatch({ ...network, late: 4 })
    const common = Math.min(...confirmed.map(({ size }) => size))
    expect(common).toBeGreaterThan(least)
    for (let state = 1; state <= common; state++)
      expect([state, confirmed[0]!.get(state)]).toEqual([state, confirmed[1]!.get(state)])
    for (const { session } of match.players) {
      expect(session.mismatch).toBeUndefined()
      expect(session.stats.resimulated > 500).toBe(network.latency > 0)
    }
    // Something happened that could have gone wrong.
    expect(new Set(confirmed[0]!.values()).size).toBe(confirmed[0]!.size)
    expect(Math.min(...match.players[0].game.score)).toBeGreaterThan(5)
  },
)

it('rollback leads to the same world as having all inputs in time', () => {
  const played: [number, number][] = []
  const straight = createGame(5)
  const rolled = createGame(5)
  onTestFinished(() => (straight.dispose(), rolled.dispose()))
  // Packets arrive five frames late, both ways. The other player plays a game in which nothing happens.
  const digests: number[] = []
  const session = new Session({
    game: rolled,
    player: 0,
    inputDelay: 0,
    onConfirmed: (state, digest) => void (digests[state] = digest),
  })
  const other = new Session({ game: idle(), player: 1, inputDelay: 0 })
  const underway: [Uint8Array, Uint8Array][] = []
  for (let frame = 0; frame < 900; frame++) {
    const inputs: [number, number] = [botInput(8, frame), botInput(9, frame)]
    played.push(inputs)
    if (underway.length >= 5) {
      const [first, second] = underway.shift()!
      session.receive(second)
      other.receive(first)
    }
    expect(session.advance(inputs[0])).toBe('played')
    expect(other.advance(inputs[1])).toBe('played')
    underway.push([session.packet(), other.packet()])
  }
  expect(session.stats.rollbacks).toBeGreaterThan(40)
  expect(digests.length).toBeGreaterThan(890)
  for (let state = 1; state < digests.length; state++) {
    straight.step(played[state - 1]!)
    expect([state, digests[state]]).toEqual([state, straight.digest()])
  }
})

it('the same seed plays the same match, and another one another', () => {
  const last = (seed: number) => playMatch({ seed }, 300).match.players[0].session.verifiedDigest
  expect(last(3)).toBe(last(3))
  expect(last(3)).not.toBe(last(4))
})

/** A game in which nothing happens. */
const idle = () => ({ save() {}, rewind: () => true, step() {}, digest: () => 0 })
