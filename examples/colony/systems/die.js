// Owns who dies. The dead are marked; they can be read until the frame ends, and the census learns from what cause.

import { Discarded, not } from 'strata-ecs'
import { Body } from '../components.js'
import { Time } from '../resources.js'

export function createDie(world) {
  const exhausted = world.query(Body, not(Discarded)).where(Body, 'energy', '<=', 0)
  return function die() {
    exhausted.add(Discarded)
  }
}

export function createGrowOld(world) {
  const alive = world.query(Body, not(Discarded))
  return function growOld() {
    alive.where(Body, 'diesOn', '<=', world.resource(Time).day).add(Discarded)
  }
}
