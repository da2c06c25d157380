// What things in the arena are made of, what the match has one of, and its numbers: lengths in units of the arena, times in frames.

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

/** What a player does in a frame: one byte, a bit for each key. */
export const [LEFT, RIGHT, UP, DOWN, FIRE] = [1, 2, 4, 8, 16] as const

export const WIDTH = 480
export const HEIGHT = 300
/** Seconds of a frame. */
export const DT = 1 / 60

export const SHIP_RADIUS = 9
/** Units a second squared; the part of its speed that a ship keeps in a frame; units a second. */
export const THRUST = 620
export const GLIDE = 0.965
export const SHOT_SPEED = 330
export const SHOT_FRAMES = 60
export const SHOT_RADIUS = 2.5
export const RELOAD_FRAMES = 11
/** How long a ship that was hit cannot steer. */
export const STUNNED_FRAMES = 45
export const ROCKS = 12
export const ROCK_RADIUS = 20
/** A rock that would become smaller than this is gone. */
export const LEAST_ROCK_RADIUS = 8
export const ROCK_SPEED = 46
export const POINTS = { rock: 1, ship: 3 }
