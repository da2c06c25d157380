// Owns: what particles are made of, and what the world has one of.
// Must never: compute anything.

import { component, f32, resource, tag, u32 } from 'strata-ecs'

/** Metres. */
export const Position = component('Position', { x: f32, y: f32 })
/** Metres per second. */
export const Velocity = component('Velocity', { x: f32, y: f32 })
/** Seconds. */
export const Life = component('Life', { left: f32 })
/** A particle of the fountain. When its life is over it begins a new one at the nozzle. */
export const Drop = tag('Drop')
/** A spark of a burst, with its heat from 1 to 0. When its life is over it is destroyed. */
export const Glow = component('Glow', { heat: f32 })

/** Frames are counted from 1; `seed` decides all chance, `sparks` is how many a burst has. */
export const Moment = resource('Moment', { frame: u32, seed: u32, sparks: u32 })
/** What happened in the frame: a Frame of systems.js. */
export const Figures = resource('Figures')
