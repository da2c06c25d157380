// Worlds whose whole memory is checked when their test ends, unless they were disposed.

import { afterEach } from 'vitest'
import type { World, WorldOptions } from '../../bindings/index'
import { checkInvariants } from './invariants'
import { testWorld } from './world'

const worlds: World[] = []

afterEach(() => {
  for (const world of worlds.splice(0)) if (!isDisposed(world)) checkInvariants(world)
})

/** A world over the core under test, checked at the end of the test that asked for it. */
export function watchedWorld(options: WorldOptions = {}): World {
  const world = testWorld(options)
  worlds.push(world)
  return world
}

function isDisposed(world: World): boolean {
  try {
    world.stats()
    return false
  } catch {
    return true
  }
}
