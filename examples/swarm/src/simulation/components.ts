// What an agent may have, what the whole world has once, and which agents are meant by what.

import {
  component,
  entity,
  f32,
  not,
  resource,
  sparse,
  tag,
  text,
  toggle,
  u32,
  vec,
  type World,
} from 'strata-ecs'
import { BURNING_SECONDS, CELLS, CELL_FLOATS } from './settings.ts'

/** In units, from 0 to SIZE. */
export const Position = component('Position', { x: f32, y: f32 })
/** In units a second. */
export const Velocity = component('Velocity', { x: f32, y: f32 })
/** One of the swarm. At a heat of 1 it catches fire; age in seconds. */
export const Prey = component('Prey', { heat: f32, age: f32 })
/** On fire, for so many seconds more. */
export const Burning = component('Burning', { left: f32.default(BURNING_SECONDS) })
/** It chases one of the prey: NULL_ENTITY, or one that is dead, while it looks for another. */
export const Hunter = component('Hunter', { target: entity, caught: u32 })
/** Switched off while it digests: so many seconds more. */
export const Hunger = component('Hunger', { sated: f32 }, { toggle })
/** Few have one, so it is in a pool of its own. */
export const Name = component('Name', { value: text }, { storage: sparse })
/** The agent that a person picked. In a pool of its own, so that looking at an agent moves no row and changes no future. */
export const Picked = tag('Picked', { order: 'insertion' })

const perCell = vec(f32, CELLS * CELLS * CELL_FLOATS)
/** The square, cell by cell: how agents know of each other without looking at each other. Four numbers of a cell lie side by side. */
export const Ground = resource('Ground', {
  /** What is in the cell: prey, the sums of their velocities, and how much of it is on fire. */
  sums: perCell,
  /** The same, smoothed over its neighbours. */
  calm: perCell,
  /** Wind and fear: what pushes prey from outside, x and y, units a second squared. Two more are not used. */
  urge: perCell,
  /** What prey in this cell gets in a step: velocity x and y, heat. One more is not used. */
  advice: perCell,
})
/** Steps made so far, and what all random numbers come from. */
export const Clock = resource('Clock', { tick: u32, seed: u32 })
/** How many prey a person wishes for. */
export const Wish = resource('Wish', { prey: u32 })

export interface Spark {
  x: number
  y: number
  radius: number
}
const copyOf = (sparks: readonly Spark[]) => sparks.map((spark) => ({ ...spark }))
/** Where fire falls from the sky in the next step. A list, so it lives in JavaScript: snapshots hold a copy of it. */
export const Sparks = resource<Spark[]>('Sparks', { save: copyOf, load: copyOf })

/** Prey that is not on fire: it flocks. */
export const flockOf = (world: World) => world.query(Position, Velocity, Prey, not(Burning))
export const burningOf = (world: World) => world.query(Position, Velocity, Prey, Burning)
export const huntersOf = (world: World) => world.query(Position, Velocity, Hunter)
