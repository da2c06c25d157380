// Owns the values that a declaration names to say where its rows lie, and whether it can be switched off and on.

import { STORAGE_SPARSE, STORAGE_STABLE, STORAGE_TABLE } from '../../build/layout'
import { Shown } from '../memory/consoleText'
import type { Storage } from './schema'

/** Where the rows of a component lie: `sparse` or `stable`. */
export class StorageKind<Where extends Storage = Storage> extends Shown {
  constructor(
    /** Its name. */
    readonly storage: Where,
    /** @internal The number that the core has for it. */
    readonly code: number,
  ) {
    super()
  }

  /** @internal */
  line(): string {
    return this.storage
  }
}

/** In the table of the entity's archetype, with its other components: what a declaration has that names none. */
export const table = /* @__PURE__ */ new StorageKind('table', STORAGE_TABLE)

/**
 * In a pool of the component's own: fastest to add and remove.
 *
 * @example component('Health', { hp: u16 }, { storage: sparse })
 */
export const sparse = /* @__PURE__ */ new StorageKind('sparse', STORAGE_SPARSE)

/**
 * In a pool whose rows never move, so that a row can be referred to by its number.
 *
 * @example component('Node', { next: u32 }, { storage: stable })
 */
export const stable = /* @__PURE__ */ new StorageKind('stable', STORAGE_STABLE)

/** That a component or tag can be switched off and on: `toggle`. */
export class Toggle extends Shown {
  readonly kind = 'toggle'

  /** @internal */
  line(): string {
    return 'toggle'
  }
}

/**
 * Named in a declaration, it lets the component or tag be switched off and on for an entity without moving it.
 *
 * @example component('Shield', { up: f32 }, { toggle })
 */
export const toggle = /* @__PURE__ */ new Toggle()

/** Every storage, by its name. */
export const STORAGE_KINDS: { readonly [Where in Storage]: StorageKind<Where> } = { table, sparse, stable }
