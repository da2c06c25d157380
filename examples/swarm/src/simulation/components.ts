// What an agent may have.

import { component, entity, f32, tag, text, u32 } from 'strata-ecs'
import { BURNING_SECONDS } from './settings.ts'

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
export const Hunger = component('Hunger', { sated: f32 }, { toggle: true })
/** Few have one, so it is in a pool of its own. */
export const Name = component('Name', { value: text }, { storage: 'sparse' })

/** The agent that a person picked. In a pool of its own, so that looking at an agent moves no row and changes no future. */
export const Picked = tag('Picked', { order: 'insertion' })
