// What things in the arena are made of, and what the match has one of.

import { component, f32, resource, u16, u32, u8 } from 'strata-ecs'

/** Where it is, and how fast it moves in units a second. */
export const Body = component('Body', { x: f32, y: f32, vx: f32, vy: f32 })
/** A player's ship: where it looks, and the frames until it can fire and until it can steer again. */
export const Ship = component('Ship', { player: u8, lookX: f32, lookY: f32, reload: u8, stunned: u8 })
/** A shot: who fired it, and the frames that it flies on. */
export const Shot = component('Shot', { player: u8, left: u8 })
export const Rock = component('Rock', { radius: f32 })

/** What both players do in this frame. */
export const Inputs = resource('Inputs', { first: u8, second: u8 })
export const Score = resource('Score', { first: u16, second: u16 })
/** Frames played so far, and what all random numbers come from. */
export const Clock = resource('Clock', { frame: u32, seed: u32 })
