// Owns the proof that a swarm can be taken through its last seconds and sent as a link: every moment is what it was, another
// future can begin in any of them, the saves keep to their budget, and no address does harm.

import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readMoment, writeMoment, type Moment } from '../../examples/swarm/src/panel/moment.ts'
import * as components from '../../examples/swarm/src/simulation/components.ts'
import { decodeInputs, encodeInputs, type Entry } from '../../examples/swarm/src/simulation/inputs.ts'
import { MOST_ENTRIES } from '../../examples/swarm/src/simulation/journal.ts'
import { Past, SPAN } from '../../examples/swarm/src/simulation/past.ts'
import { createSwarm, type Swarm } from '../../examples/swarm/src/simulation/swarm.ts'
import { proofLength } from '../support/proofs'
import { stateOf } from '../support/swarmState.ts'

const PREY = 1500

function swarmOf(seed = 5): Swarm {
  const swarm = createSwarm({ prey: PREY, seed })
  onTestFinished(() => swarm.dispose())
  return swarm
}

/** Everything that a moment is: the values, their order, and their digest. */
const look = (swarm: Swarm) => ({
  digest: swarm.digest(),
  tick: swarm.tick,
  population: swarm.population,
  rows: stateOf(swarm, components),
})

/** All the way, however long it takes. */
function go(past: Past, tick: number) {
  past.goTo(tick)
  while (past.isUnderway) past.approach(Infinity)
}

/** What a person does at some moments. */
function meddle(swarm: Swarm) {
  const first = () => swarm.flock.first()!
  switch (swarm.tick) {
    case 40:
      return swarm.ignite(300, 300, 120)
    case 41:
      return void (swarm.prey = PREY + 400)
    case 90:
      swarm.act({ kind: 'set', entity: first(), component: 'Position', values: { x: 5, y: 6 } })
      return swarm.act({ kind: 'burn', entity: first(), on: true })
    case 130:
      swarm.act({ kind: 'destroy', entity: first() })
      return swarm.act({ kind: 'enable', entity: swarm.hunters.first()!, component: 'Hunger', on: false })
    case 200:
      return void (swarm.prey = PREY - 300)
  }
}

function live(swarm: Swarm, past: Past, steps: number, seen = new Map<number, ReturnType<typeof look>>()) {
  for (let k = 0; k < steps; k++) {
    past.step()
    seen.set(swarm.tick, look(swarm))
    meddle(swarm)
  }
  return seen
}

describe('the past of a swarm', () => {
  it('has every moment as it was, whichever way one comes to it', () => {
    const swarm = swarmOf()
    const past = new Past(swarm)
    const seen = live(swarm, past, 300)
    const now = look(swarm)
    for (const tick of [299, 130, 131, 41, 40, 1, 64, 63, 65, 200, 256, 91, 17, 290]) {
      go(past, tick)
      expect(look(swarm)).toEqual(seen.get(tick))
      expect(past.newest).toBe(300)
    }
    go(past, 300)
    expect(look(swarm)).toEqual(now)
  })

  it('goes on as it went, when one plays on from the past, into the same present', () => {
    const swarm = swarmOf()
    const past = new Past(swarm)
    const seen = live(swarm, past, 250)
    go(past, 30)
    while (swarm.tick < 250) {
      past.step()
      expect(look(swarm)).toEqual(seen.get(swarm.tick))
    }
    past.step()
    expect(past.newest).toBe(251)
  })

  it('ends where one goes on from: another future begins there', () => {
    const swarm = swarmOf()
    const past = new Past(swarm)
    const seen = live(swarm, past, 150)
    go(past, 35)
    expect(past.isBehind).toBe(true)
    past.cut()
    expect([past.isBehind, past.newest]).toEqual([false, 35])
    for (let k = 0; k < 20; k++) past.step()
    // Without the fire and the newcomers of the first future.
    expect(swarm.population).toBeLessThanOrEqual(PREY)
    expect(look(swarm).digest).not.toBe(seen.get(55)!.digest)
    go(past, 20)
    expect(look(swarm)).toEqual(seen.get(20))
  })

  it('ends where somebody does something', () => {
    const swarm = swarmOf()
    const past = new Past(swarm)
    live(swarm, past, 150)
    go(past, 100)
    swarm.ignite(10, 10, 5)
    expect([past.isBehind, past.newest]).toEqual([false, 100])
    expect(swarm.journal.entries.at(-1)).toEqual({ kind: 'fire', x: 10, y: 10, radius: 5, tick: 100 })
  })

  it('does not change when somebody looks at an agent', () => {
    const [looked, other] = [swarmOf(), swarmOf()]
    for (const swarm of [looked, other]) {
      for (let k = 0; k < 60; k++) {
        if (swarm === looked && k % 7 === 0) swarm.pick(swarm.flock.at(k * 3)!)
        swarm.step()
      }
    }
    expect(look(looked)).toEqual(look(other))
  })

  it('reaches back ten seconds and no further', () => {
    const swarm = createSwarm({ prey: 20 })
    const past = new Past(swarm)
    for (let k = 0; k < SPAN * 2; k++) past.step()
    expect(past.oldest).toBe(SPAN)
    go(past, 0)
    expect(swarm.tick).toBe(SPAN)
    swarm.dispose()
  })

  it('keeps to its budget: a larger swarm has a shorter past', () => {
    const swarm = swarmOf()
    const budget = 8 * swarm.world.stats().bytesUsed
    const past = new Past(swarm, budget)
    for (let k = 0; k < SPAN; k++) past.step()
    expect(past.bytes).toBeLessThanOrEqual(budget * 1.15)
    const short = past.newest - past.oldest
    expect(short).toBeLessThan(SPAN)
    expect(short).toBeGreaterThan(SPAN / 2)
    swarm.prey = PREY * 20
    for (let k = 0; k < 70; k++) past.step()
    expect(past.bytes).toBeLessThanOrEqual(Math.max(budget * 1.15, 3 * swarm.world.stats().bytesUsed))
    expect(past.newest - past.oldest).toBeLessThan(short)
    go(past, past.oldest)
    expect(swarm.population).toBe(PREY * 20)
  })

  it('comes nearer step by step where there is no time for the whole way', () => {
    const swarm = swarmOf()
    const past = new Past(swarm)
    const seen = live(swarm, past, 100)
    past.goTo(93)
    let frames = 0
    for (; past.isUnderway; frames++) past.approach(0, () => 1)
    expect(frames).toBeGreaterThan(10)
    expect(look(swarm)).toEqual(seen.get(93))
  })
})

describe('a link to a moment', () => {
  const momentOf = (swarm: Swarm): Moment => ({
    seed: swarm.seed,
    prey: PREY,
    tick: swarm.tick,
    inputs: swarm.journal.entries.slice(0, swarm.journal.next),
    digest: swarm.digest(),
  })

  function replay(moment: Moment) {
    const swarm = createSwarm({ prey: moment.prey, seed: moment.seed })
    onTestFinished(() => swarm.dispose())
    const past = new Past(swarm)
    swarm.journal.entries.push(...moment.inputs)
    past.replayTo(moment.tick)
    while (past.isUnderway) past.approach(Infinity)
    return swarm
  }

  it('leads to the same world, with all that was done', () => {
    const swarm = swarmOf()
    live(swarm, new Past(swarm), 300)
    const moment = readMoment(writeMoment(momentOf(swarm))) as Moment
    expect(moment).toEqual(momentOf(swarm))
    expect(look(replay(moment))).toEqual(look(swarm))
  })

  it('leads to the same world also when the moment is in the past, and after another future has begun', () => {
    const swarm = swarmOf()
    const past = new Past(swarm)
    live(swarm, past, 200)
    go(past, 100)
    expect(look(replay(momentOf(swarm)))).toEqual(look(swarm))
    swarm.ignite(700, 200, 60)
    for (let k = 0; k < 30; k++) past.step()
    expect(look(replay(momentOf(swarm)))).toEqual(look(swarm))
  })

  it('is no longer possible when too much was done', () => {
    const swarm = swarmOf()
    for (let k = 0; k < MOST_ENTRIES; k++) swarm.ignite(1, 1, 0.1)
    expect(swarm.journal.isWhole).toBe(true)
    swarm.ignite(1, 1, 0.1)
    expect(swarm.journal.isWhole).toBe(false)
    expect(swarm.journal.entries).toHaveLength(MOST_ENTRIES)
  })

  it('is refused when it is damaged', () => {
    const good = writeMoment({ seed: 1, prey: 5, tick: 9, inputs: [], digest: 7 })
    expect(readMoment('#prey=5&seed=1')).toBeUndefined()
    expect(readMoment(good)).toMatchObject({ tick: 9, digest: 7 })
    const late: Entry[] = [{ kind: 'prey', count: 1, tick: 10 }]
    for (const bad of [
      good.replace('tick=9', 'tick=-1'),
      good.replace('tick=9', 'tick=100001'),
      good.replace('prey=5', 'prey=2000000'),
      good.replace('seed=1', 'seed='),
      good.replace('digest=00000007', 'digest=7'),
      `${good}&inputs=what`,
      `${good}&inputs=${encodeInputs(late)}`,
    ])
      expect(readMoment(bad)).toBe('damaged')
  })

  it('may tell of what cannot be done: it is left out, and the swarm lives on', () => {
    const inputs = [
      { kind: 'set', entity: 1, component: 'Position', values: { x: 'far', no: 1 }, tick: 0 },
      { kind: 'set', entity: 1, component: 'Sprite', values: {}, tick: 0 },
      { kind: 'enable', entity: 1, component: 'Position', on: true, tick: 1 },
      { kind: 'burn', entity: 0xffffffff, on: true, tick: 1 },
      { kind: 'destroy', entity: 0, tick: 1 },
    ] as Entry[]
    const swarm = replay({ seed: 1, prey: 10, tick: 5, inputs, digest: 0 })
    expect(swarm.tick).toBe(5)
  })

  it('any text is either a list of inputs or refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((said) => btoa(encodeURIComponent(said))),
        ),
        (text) => {
          const inputs = decodeInputs(text)
          expect(inputs === undefined || Array.isArray(inputs)).toBe(true)
        },
      ),
      { numRuns: proofLength(500) },
    )
  })
})
