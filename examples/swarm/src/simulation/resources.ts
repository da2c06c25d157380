// Owns what the whole world has once. It must never be about one agent.

import { resource, u32 } from 'strata-ecs'
import { CELLS } from './settings.ts'

/** Numbers of a cell in `sums`: agents, the sums of their velocities, heat. */
export const SUM_FLOATS = 4
/** Numbers of a cell in `flow`: the same, smoothed; then what pushes whoever is there: x and y, units a second squared. */
export const FLOW_FLOATS = 8

/** The square, cell by cell: how agents know of each other. Cell (column, row) is at (row * CELLS + column). */
export const Ground = resource<{ sums: Float32Array; flow: Float32Array }>('Ground')
export const newGround = () => ({
  sums: new Float32Array(CELLS * CELLS * SUM_FLOATS),
  flow: new Float32Array(CELLS * CELLS * FLOW_FLOATS),
})

/** Steps made so far, and what the random numbers come from. */
export const Clock = resource('Clock', { tick: u32, seed: u32 })

/** What a person wishes for: how many prey there should be. */
export const Wish = resource('Wish', { prey: u32 })
