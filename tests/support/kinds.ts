// The kinds of storage that a test body is repeated for, and a component of each.

import { component, i32, tag, type Component, type ComponentLike, type Storage } from '../../bindings/index'
import { STORAGES } from './storages'

export { STORAGES }

export type Kind = Storage | 'tag'
/** Everything that can be on an entity. */
export const KINDS: readonly Kind[] = [...STORAGES, 'tag']

export type Numbered = Component<{ value: typeof i32 }, Storage>

/** A component with one number. */
export function numbered(name: string, storage: Storage): Numbered {
  return component(name, { value: i32 }, { storage })
}

/** A component or tag of this kind. */
export function declare(name: string, kind: Kind): ComponentLike {
  return kind === 'tag' ? tag(name) : numbered(name, kind)
}
