// The kinds of storage that a test body is repeated for, a component of each, and the components of tests that need some of all.

import {
  component,
  f32,
  i32,
  sparse,
  stable,
  tag,
  text,
  u16,
  u32,
  type Component,
  type ComponentLike,
  type Storage,
} from '../../bindings/index'
import { STORAGES, STORED } from './storages'

export { STORAGES }

export type Kind = Storage | 'tag'
/** Everything that can be on an entity. */
export const KINDS: readonly Kind[] = [...STORAGES, 'tag']

export type Numbered = Component<{ value: typeof i32 }, Storage>

/** A component with one number. */
export function numbered(name: string, storage: Storage): Numbered {
  return component(name, { value: i32 }, { storage: STORED[storage] })
}

/** A component or tag of this kind. */
export function declare(name: string, kind: Kind): ComponentLike {
  return kind === 'tag' ? tag(name) : numbered(name, kind)
}

export const Position = component('Position', { x: f32, y: f32 })
export const Velocity = component('Velocity', { x: f32, y: f32 })
export const Name = component('Name', { value: text })
export const Health = component('Health', { hp: u16 }, { storage: sparse })
export const Armour = component('Armour', { points: u16 }, { storage: stable })
export const Slot = component('Slot', { n: u32 }, { storage: stable })
export const Frozen = tag('Frozen')
export const Burning = tag('Burning')
export const Red = tag('Red')
