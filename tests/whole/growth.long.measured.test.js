// Shows that a call costs what it is about, and not what else the world has: by steps counted in bindings/ and in the core, beside
// few and beside many other things of each kind.

import { describe, expect, it } from 'vitest'
import { beside } from '../../bench/growth/beside.js'
import { checkedCore } from '../../bindings/checked'
import * as library from '../../bindings/index'
import { LAYOUT } from '../support/layout'
import { countWork } from '../support/work'

const { calls, subject, things } = beside(library)
const FEW = 10
const MANY = 200
/** What may be more: growing lists, and hashes that collide. */
const MOST_GROWTH = 1.2

/** The steps of a call in a world that has so many of a thing. */
function stepsOf(fill, count, call) {
  const world = library.createWorld({ core: checkedCore() })
  const kept = fill(world, count)
  // What is made at the first call of a kind is made before.
  call(subject(world))
  const prepared = subject(world)
  const { heap } = world['state']
  const before = heap.word(LAYOUT.STEPS_ADDRESS)
  const steps = countWork(() => void call(prepared)) + heap.word(LAYOUT.STEPS_ADDRESS) - before
  world.dispose()
  return kept === null ? 0 : steps
}

describe.each(Object.entries(things))('Beside many: %s', (_, fill) => {
  it.each(Object.entries(calls))('%s takes as many steps as beside few', (__, call) => {
    stepsOf(fill, 1, call)
    let growth = Infinity
    // V8 forgets the counts of code that it throws away, so that a count may be too small: what grows does so three times.
    for (let attempt = 0; attempt < 3 && growth >= MOST_GROWTH; attempt++)
      growth = Math.min(growth, stepsOf(fill, MANY, call) / stepsOf(fill, FEW, call))
    expect(growth).toBeLessThan(MOST_GROWTH)
  })
})
