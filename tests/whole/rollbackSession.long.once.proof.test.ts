// Shows that the netcode of examples/rollback, over a game of two numbers and over any network, loses nothing, corrects wrong
// guesses, and lets neither player get further ahead than allowed.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Link, type LinkOptions } from '../../examples/rollback/src/net/link.ts'
import { decodePacket, encodePacket, MOST_INPUTS } from '../../examples/rollback/src/net/packet.ts'
import { MOST_AHEAD, MOST_DELAY, Session, type Game } from '../../examples/rollback/src/net/session.ts'
import { proofLength } from '../support/proofs'

const FRAME_MS = 1000 / 60
const PERFECT: LinkOptions = { latency: 0, jitter: 0, loss: 0, duplicates: 0 }

/** A state that every earlier input leaves its mark on. */
function mixed(state: number, first: number, second: number): number {
  return (Math.imul(state ^ (first * 257 + second + 1), 0x01000193) + 0x9e3779b9) >>> 0
}

/** Keeps as many states as a session may ask for, and no more. */
function createCounter(kept = MOST_AHEAD + 1): Game & { state: number } {
  const saves: number[] = []
  return {
    state: 1,
    save() {
      saves.push(this.state)
      if (saves.length > kept) saves.shift()
    },
    rewind(frames) {
      if (frames >= saves.length) return false
      saves.length -= frames
      this.state = saves.at(-1)!
      return true
    },
    step([first, second]) {
      this.state = mixed(this.state, first, second)
    },
    digest() {
      return this.state
    },
  }
}

type Inputs = (player: number, tick: number) => number

/** Another input every few frames, as people press keys. */
const restless: Inputs = (player, tick) => mixed(player, Math.floor(tick / (5 + player * 2)), 3) & 31

interface Played {
  readonly sessions: readonly [Session, Session]
  readonly games: readonly (Game & { state: number })[]
  /** The digests that each player confirmed, by state. */
  readonly confirmed: readonly Map<number, number>[]
  /** The most frames that were played with guesses at once. */
  readonly mostGuessed: number
}

interface Play {
  network?: Partial<LinkOptions>
  ticks?: number
  seed?: number
  inputs?: Inputs
  inputDelay?: number
  mostAhead?: number
  digestEvery?: number
  late?: number
  /** Ticks in which nothing arrives. */
  silent?: (tick: number) => boolean
}

function play({
  network = {},
  ticks = 600,
  seed = 1,
  inputs = restless,
  inputDelay = 2,
  mostAhead = MOST_AHEAD,
  digestEvery = 1,
  late = 0,
  silent = () => false,
}: Play = {}): Played {
  const options = { ...PERFECT, ...network }
  const games = [createCounter(), createCounter()]
  const confirmed = [new Map<number, number>(), new Map<number, number>()]
  const links = [new Link(options, seed * 2), new Link(options, seed * 2 + 1)]
  const sessions = ([0, 1] as const).map(
    (player) =>
      new Session({
        game: games[player]!,
        player,
        inputDelay,
        mostAhead,
        digestEvery,
        onConfirmed(state, digest) {
          expect(confirmed[player]!.has(state)).toBe(false)
          confirmed[player]!.set(state, digest)
        },
      }),
  ) as [Session, Session]
  let mostGuessed = 0
  for (let tick = 0; tick < ticks; tick++) {
    const now = tick * FRAME_MS
    sessions.forEach((session, player) => {
      if (player === 1 && tick < late) return
      if (!silent(tick))
        for (const bytes of links[1 - player]!.receive(now)) expect(session.receive(bytes)).toBe(true)
      session.advance(inputs(player, tick))
      mostGuessed = Math.max(mostGuessed, session.guessed)
      links[player]!.send(session.packet(), now)
    })
  }
  return { sessions, games, confirmed, mostGuessed }
}

/** Both confirmed the same, without a gap. */
function expectAgreement({ sessions, confirmed }: Played, least: number, every = 1) {
  const common = Math.min(...confirmed.map(({ size }) => size))
  expect(common).toBeGreaterThanOrEqual(least)
  for (let k = 1; k <= common; k++) {
    const state = k * every
    expect([state, confirmed[0]!.get(state)]).toEqual([state, confirmed[1]!.get(state)])
  }
  for (const { mismatch, stats } of sessions) {
    expect(mismatch).toBeUndefined()
    expect(stats.refused).toBe(0)
  }
}

describe('two players', () => {
  it('guess nothing except the first frame when packets need no time and inputs take effect a frame later', () => {
    const played = play({ inputDelay: 1 })
    expectAgreement(played, 598)
    for (const { stats } of played.sessions) expect(stats.resimulated).toBeLessThanOrEqual(1)
  })

  it.each([0, 0.1, 0.3, 0.6])('confirm the same states when a share of %d of all packets is lost', (loss) => {
    const played = play({ network: { latency: 100, loss }, ticks: 3600 })
    expectAgreement(played, loss > 0.5 ? 1500 : 3300)
    for (const { stats } of played.sessions) {
      expect(stats.rollbacks).toBeGreaterThan(100)
      expect(stats.deepest).toBeLessThanOrEqual(MOST_AHEAD)
    }
  })

  it('confirm the same states when packets overtake each other and arrive twice', () => {
    const network = { latency: 60, jitter: 120, duplicates: 0.3, loss: 0.1 }
    expectAgreement(play({ network, ticks: 2000 }), 1400)
  })

  it('reach the state of a game without a network with the same inputs', () => {
    const delay = 3
    const { sessions, confirmed } = play({
      inputDelay: delay,
      inputs: (player, tick) => player * 16 + (tick & 7),
    })
    // Nobody waited, so an input of a tick takes effect in the frame of that tick and the delay.
    expect(sessions.map(({ stats }) => stats.stalled + stats.yielded)).toEqual([0, 0])
    const straight = createCounter()
    // The first input counts for the frames before there was any, too.
    const at = (player: number, frame: number) => player * 16 + (Math.max(0, frame - delay) & 7)
    for (let frame = 0; frame < 500; frame++) {
      straight.step([at(0, frame), at(1, frame)])
      expect(confirmed[0]!.get(frame + 1)).toBe(straight.state)
    }
  })

  it('roll back no further than a wrong guess, and not at all while guesses are right', () => {
    const network = { latency: 100 }
    const still = play({ network, inputs: () => 5 })
    for (const { stats } of still.sessions) expect(stats.rollbacks).toBeLessThanOrEqual(1)
    const once = play({ network, inputs: (player, tick) => (player === 1 && tick >= 300 ? 9 : 5) })
    const [before, after] = [still.sessions[0].stats, once.sessions[0].stats]
    expect(after.rollbacks).toBe(before.rollbacks + 1)
    expect(after.lastDepth).toBeGreaterThan(2)
    expect(after.lastDepth).toBeLessThanOrEqual(6)
    expectAgreement(once, 500)
  })

  it('roll back fewer frames the longer inputs are delayed', () => {
    const [none, some, enough] = [0, 3, 7].map(
      (inputDelay) => play({ network: { latency: 100 }, inputDelay }).sessions[0].stats.resimulated,
    )
    expect(some).toBeLessThan(none!)
    // Of the first frames, nothing could be known.
    expect(enough).toBeLessThan(10)
  })

  it("wait when too much would be guessed, and go on when they receive each other's packets", () => {
    const silent = (tick: number) => tick >= 100 && tick < 200
    const played = play({ silent, ticks: 400 })
    expect(played.mostGuessed).toBeLessThanOrEqual(MOST_AHEAD)
    for (const { stats, frame } of played.sessions) {
      expect(stats.stalled).toBeGreaterThan(80)
      expect(frame).toBeGreaterThan(280)
    }
    expectAgreement(played, 280)
  })

  it('wait for every input where nothing may be guessed', () => {
    const played = play({ network: { latency: 50 }, mostAhead: 0 })
    expect(played.mostGuessed).toBe(0)
    for (const { stats } of played.sessions) {
      expect(stats.rollbacks).toBe(0)
      expect(stats.stalled).toBeGreaterThan(100)
    }
    expectAgreement(played, 200)
  })

  it('share a wait when one started later, so that both guess about as much', () => {
    const played = play({ network: { latency: 50 }, late: 6, ticks: 1200 })
    const [first, second] = played.sessions
    expect(first.stats.yielded).toBeGreaterThan(0)
    expect(Math.abs(first.frame - second.frame)).toBeLessThanOrEqual(2)
    expectAgreement(played, 1100)
  })

  it('agree when the delay of inputs changes while they play', () => {
    const played = play({
      network: { latency: 80, loss: 0.1 },
      inputs(player, tick) {
        // The only call between two frames.
        const session = delayed[player]
        if (session && tick % 50 === 0) session.inputDelay = (tick / 50) % (MOST_DELAY + 1)
        return restless(player, tick)
      },
    })
    expectAgreement(played, 500)
  })
  const delayed: Session[] = []

  it('compare only every so many states where a digest takes time', () => {
    const played = play({ network: { latency: 100, loss: 0.2 }, digestEvery: 10 })
    expect([...played.confirmed[0]!.keys()].every((state) => state % 10 === 0)).toBe(true)
    expectAgreement(played, 50, 10)
  })

  it('find out when their games drift apart', () => {
    const games = [createCounter(), createCounter()]
    const sessions = ([0, 1] as const).map((player) => new Session({ game: games[player]!, player }))
    for (let tick = 0; tick < 40; tick++) {
      if (tick === 20) games[1]!.state ^= 1
      for (const [here, there] of [sessions, [...sessions].reverse()] as Session[][]) {
        here!.advance(0)
        there!.receive(here!.packet())
      }
    }
    for (const { mismatch } of sessions) {
      expect(mismatch!.state).toBeGreaterThanOrEqual(20)
      expect(mismatch!.here).not.toBe(mismatch!.there)
    }
  })

  it('agree over any network', () => {
    const networks = fc.record({
      latency: fc.integer({ min: 0, max: 250 }),
      jitter: fc.integer({ min: 0, max: 200 }),
      loss: fc.double({ min: 0, max: 0.7, noNaN: true }),
      duplicates: fc.double({ min: 0, max: 0.5, noNaN: true }),
    })
    const plays = fc.record({
      network: networks,
      seed: fc.nat(1000),
      inputDelay: fc.integer({ min: 0, max: MOST_DELAY }),
      mostAhead: fc.integer({ min: 0, max: MOST_AHEAD }),
      late: fc.integer({ min: 0, max: 30 }),
    })
    fc.assert(
      fc.property(plays, (options) => {
        const played = play({ ...options, ticks: 400 })
        expect(played.mostGuessed).toBeLessThanOrEqual(options.mostAhead)
        expectAgreement(played, 10)
      }),
      { numRuns: proofLength(200) },
    )
  })
})

describe('a packet', () => {
  const packet = {
    frame: 70_000,
    received: 69_990,
    ahead: -7,
    verified: 69_980,
    digest: 0xfedcba98,
    first: 69_995,
    inputs: Uint8Array.of(1, 0, 255),
  }

  it('arrives as it was sent', () => {
    expect(decodePacket(encodePacket(packet))).toEqual(packet)
    expect(decodePacket(encodePacket({ ...packet, inputs: new Uint8Array() }))!.inputs).toHaveLength(0)
  })

  it('is refused when it is cut off or too long', () => {
    const bytes = encodePacket(packet)
    expect(decodePacket(bytes.subarray(0, 23))).toBeUndefined()
    expect(decodePacket(new Uint8Array())).toBeUndefined()
    expect(decodePacket(new Uint8Array(24 + MOST_INPUTS + 1))).toBeUndefined()
  })

  it('is refused when the other player cannot have sent it, and changes nothing', () => {
    const { sessions } = play({ ticks: 100 })
    const [session] = sessions
    const honest = decodePacket(sessions[1].packet())!
    const before = session.packet()
    for (const wrong of [
      { received: 1_000_000 },
      { first: honest.first + 1000 },
      { first: 4_000_000_000 },
      { inputs: new Uint8Array(MOST_INPUTS), first: session.frame + 1 },
    ]) {
      expect(session.receive(encodePacket({ ...honest, ...wrong }))).toBe(false)
      expect(session.packet()).toEqual(before)
    }
    expect(session.stats.refused).toBe(4)
  })

  it('may be any bytes: the session neither throws nor runs away', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 20 }), (all) => {
        const session = new Session({ game: createCounter(), player: 0 })
        for (const bytes of all) {
          session.receive(bytes)
          session.advance(1)
          expect(session.guessed).toBeLessThanOrEqual(MOST_AHEAD)
          expect(session.packet().length).toBeLessThanOrEqual(24 + MOST_INPUTS)
        }
      }),
      { numRuns: proofLength(300) },
    )
  })
})
