// What a body of the orrery is: its components, and the relation that makes them a tree.

import { component, f32, f64, relation, resource, u32, vec } from 'strata-ecs'

/** A circle around the parent. The angle is `phase + speed × time`, in turns. */
export const Orbit = component('Orbit', {
  phase: f64,
  /** Turns a second. */
  speed: f64,
  /** How far the circle is tilted out of the parent's plane, in radians. */
  tilt: f32,
  radius: f32,
  /** The radius before a change, and when it began: the body drifts from one to the other. */
  before: f32,
  since: f64.default(-1000),
})

/** A matrix of 4 × 4, column by column: the body beside its parent. */
export const Local = component('Local', { m: vec(f32, 16) })

/** A matrix of 4 × 4: the body in the world. */
export const Global = component('Global', { m: vec(f32, 16) })

/** What a body looks like, and its place in the list that is drawn. */
export const Body = component('Body', { slot: u32, kind: u32, size: f32 })

export const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })

export const BODIES = 100_000

/** For each slot x, y, z and 1: what the graphics card gets. */
export const Places = resource('Places', { xyz: vec(f32, 4 * BODIES) })
