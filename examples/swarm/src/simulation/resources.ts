// What the whole world has once.

import { f32, resource, u32, vec } from 'strata-ecs'
import { CELLS, CELL_FLOATS } from './settings.ts'

/**
 * The square, cell by cell: how agents know of each other without looking at each other. Four numbers of a cell lie side
 * by side, so that whoever looks at a cell touches one line of the cache.
 */
export const Ground = resource('Ground', {
  /** What is in the cell: prey, the sums of their velocities, and how much of it is on fire. */
  sums: vec(f32, CELLS * CELLS * CELL_FLOATS),
  /** The same, smoothed over its neighbours. */
  calm: vec(f32, CELLS * CELLS * CELL_FLOATS),
  /** Wind and fear: what pushes prey from outside, x and y, units a second squared. Two more are not used. */
  urge: vec(f32, CELLS * CELLS * CELL_FLOATS),
  /** What prey in this cell gets in a step: velocity x and y, heat. One more is not used. */
  advice: vec(f32, CELLS * CELLS * CELL_FLOATS),
})

/** Where the numbers of a cell begin. Cells outside of the square are on its other side. */
export function placeOf(row: number, column: number): number {
  return ((row & (CELLS - 1)) * CELLS + (column & (CELLS - 1))) * CELL_FLOATS
}

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
