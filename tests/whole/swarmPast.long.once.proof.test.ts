// Shows that a swarm goes through its last seconds and travels as a link: every moment is what it was, another future can begin
// in any of them, the saves keep to their budget, and no address does harm.

import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { type Moment, readMoment, writeMoment } from '../../examples/swarm/src/address.ts'
import * as components from '../../examples/swarm/src/simulation/components.ts'
import {
  decodeInputs,
  encodeInputs,
  type Entry,
  MOST_ENTRIES,
} from '../../examples/swarm/src/simulation/inputs.ts'
import { Past, SPAN } from '../../examples/swarm/src/simulation/past.ts'
import { createSwarm, type Swarm } from '../../examples/swarm/src/simulation/swarm.ts'
import { proofLength } from '../support/proofs'
import { stateOf } from '../support/swarmState.ts'

const PREY = 1500

function swarmOf(prey = PREY, seed = 5): Swarm {
  const swarm = createSwarm({ prey, seed })
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

/** All the way, however long it takes; returns in how many goes. */
function go(past: Past, tick: number, until = Infinity) {
  past.goTo(tick)
  let goes = 0
  for (; past.isUnderway; goes++) past.approach(until, () => 1)
  return goes
}

/** What a person does at some moments. */
function meddle(swarm: Swarm) {
  if (swarm.tick === 40) swarm.ignite(300, 300, 120)
  if (swarm.tick === 41) swarm.prey = PREY + 400
  if (swarm.tick === 200) swarm.prey = PREY - 300
  if (swarm.tick !== 90) return
  const entity = swarm.flock.first()!
  swarm.act({ kind: 'set', entity, component: 'Position', values: { x: 5, y: 6 } })
  swarm.act({ kind: 'set', entity, component: 'Prey', values: { heat: 3 } })
}

function live(swarm: Swarm, past: Past, steps: number) {
  const seen = new Map<number, ReturnType<typeof look>>()
  for (let k = 0; k < steps; k++) {
    past.step()
    seen.set(swarm.tick, look(swarm))
    meddle(swarm)
  }
  return seen
}

it('every moment is as it was, however it is reached, and leads to the same present', () => {
  const swarm = swarmOf()
  const past = new Past(swarm)
  const seen = live(swarm, past, 300)
  const now = look(swarm)
  for (const tick of [299, 130, 131, 41, 40, 1, 64, 63, 65, 200, 256, 91, 17, 290]) {
    go(past, tick)
    expect(look(swarm)).toEqual(seen.get(tick))
    expect(past.newest).toBe(300)
  }
  // Step by step, where there is no time for the whole way.
  expect(go(past, 253, 0)).toBeGreaterThan(10)
  expect(look(swarm)).toEqual(seen.get(253))
  go(past, 300)
  expect(look(swarm)).toEqual(now)
  go(past, 30)
  while (swarm.tick < 300) {
    past.step()
    expect(look(swarm)).toEqual(seen.get(swarm.tick))
  }
  past.step()
  expect(past.newest).toBe(301)
})

it('another future begins when the past is resumed, or changed', () => {
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
  swarm.ignite(10, 10, 5)
  expect([past.isBehind, past.newest]).toEqual([false, 20])
  expect(swarm.journal.entries.at(-1)).toEqual({ kind: 'fire', x: 10, y: 10, radius: 5, tick: 20 })
})

it('no future changes when an agent is looked at', () => {
  const [looked, other] = [swarmOf(), swarmOf()]
  for (const swarm of [looked, other])
    for (let k = 0; k < 60; k++) {
      if (swarm === looked && k % 7 === 0) swarm.pick(swarm.flock.at(k * 3)!)
      swarm.step()
    }
  expect(look(looked)).toEqual(look(other))
})

it('the past reaches back ten seconds, or less where more agents need the budget', () => {
  const small = swarmOf(20)
  const whole = new Past(small)
  for (let k = 0; k < SPAN * 2; k++) whole.step()
  go(whole, 0)
  expect([whole.oldest, small.tick]).toEqual([SPAN, SPAN])

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

const momentOf = (swarm: Swarm): Moment => ({
  seed: swarm.seed,
  prey: PREY,
  tick: swarm.tick,
  inputs: swarm.journal.entries.slice(0, swarm.journal.next),
  digest: swarm.digest(),
})

function replay(moment: Moment) {
  const swarm = swarmOf(moment.prey, moment.seed)
  const past = new Past(swarm)
  swarm.journal.entries.push(...moment.inputs)
  past.replayTo(moment.tick)
  while (past.isUnderway) past.approach(Infinity)
  return swarm
}

it('a link leads to the same world with all changes, in the past and in another future, too', () => {
  const swarm = swarmOf()
  const past = new Past(swarm)
  live(swarm, past, 250)
  const moment = readMoment(writeMoment(momentOf(swarm))) as Moment
  expect(moment).toEqual(momentOf(swarm))
  expect(look(replay(moment))).toEqual(look(swarm))
  go(past, 100)
  expect(look(replay(momentOf(swarm)))).toEqual(look(swarm))
  swarm.ignite(700, 200, 60)
  for (let k = 0; k < 30; k++) past.step()
  expect(look(replay(momentOf(swarm)))).toEqual(look(swarm))
  for (let k = swarm.journal.entries.length; k <= MOST_ENTRIES; k++) swarm.ignite(1, 1, 0.1)
  expect([swarm.journal.isWhole, swarm.journal.entries.length]).toEqual([false, MOST_ENTRIES])
})

it('a damaged link is refused; impossible changes are left out, and the swarm lives on', () => {
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
  const inputs = [
    { kind: 'set', entity: 1, component: 'Position', values: { x: 'far', no: 1 }, tick: 0 },
    { kind: 'set', entity: 1, component: 'Sprite', values: {}, tick: 0 },
    { kind: 'set', entity: 0xffffffff, component: 'Prey', values: {}, tick: 1 },
  ] as Entry[]
  expect(replay({ seed: 1, prey: 10, tick: 5, inputs, digest: 0 }).tick).toBe(5)
  const anything = fc.oneof(
    fc.string(),
    fc.json().map((said) => btoa(encodeURIComponent(said))),
  )
  const isListOrNothing = (text: string) => {
    const inputs = decodeInputs(text)
    return inputs === undefined || Array.isArray(inputs)
  }
  fc.assert(fc.property(anything, isListOrNothing), { numRuns: proofLength(500) })
})
