// Owns what a save says, whichever form it has: components, texts, tables and pools of rows, resources. Both forms, bytes
// and JSON, are read into this and written from it.
// It must never refer to a world or to a declaration: a file outlives both.

import { type Kind, SHIFT_OF } from '../components/fields'
import { StrataError } from '../memory/errors'

/** The version of both forms. It grows when an older reader could not read them any longer. */
export const FORMAT_VERSION = 1
/** In place of an entity's number: no entity. */
export const NO_NUMBER = 0xffffffff

export interface SavedField {
  readonly name: string
  readonly kind: Kind
  /** Values per row. */
  readonly length: number
}

export interface SavedComponent {
  readonly name: string
  readonly version: number
  /** Where it was stored: information, except that a table holds what was in 'table'. */
  readonly storage: string
  readonly fields: readonly SavedField[]
}

/** The values of one component: for each field a column of bytes, little-endian, row after row. */
export type Columns = readonly Uint8Array[]

/**
 * Rows with the same components. Entities are numbered from 0 in the order of the rows of all tables. In columns an
 * entity is its number, NO_NUMBER for none, and a text its place among the texts.
 */
export interface Rows {
  readonly count: number
  /** Places among the components, ascending; in a pool exactly one. */
  readonly components: readonly number[]
  /** In a table the handles that the entities had; in a pool their numbers. */
  readonly entities: Uint32Array
  /** For each component. */
  readonly columns: readonly Columns[]
  /** For each component a bit a row, set where it is switched off; undefined where it is switched on in all rows. */
  readonly off: readonly (Uint8Array | undefined)[]
}

export interface SavedResource {
  readonly name: string
  /** Undefined for one that is a JavaScript value. */
  readonly fields: readonly SavedField[] | undefined
  readonly columns: Columns
  /** What its `save` returned, as JSON holds it (plainValues.ts). */
  readonly value: unknown
}

export interface SavedWorld {
  readonly tick: number
  /** The first one is ''. */
  readonly texts: readonly string[]
  readonly components: readonly SavedComponent[]
  readonly tables: readonly Rows[]
  readonly pools: readonly Rows[]
  readonly resources: readonly SavedResource[]
}

/** Bytes of one row of a column. */
export function widthOf({ kind, length }: { readonly kind: Kind; readonly length: number }): number {
  return length << SHIFT_OF[kind]
}

/** Whether row `row` is switched off. */
export function isOff(off: Uint8Array | undefined, row: number): boolean {
  return off !== undefined && (((off[row >> 3] as number) >> (row & 7)) & 1) !== 0
}

/** Throws for a save of a later format. */
export function checkFormat(version: unknown): void {
  if (version === FORMAT_VERSION) return
  throw refused(
    `its format has version ${String(version)}, and this program knows ${FORMAT_VERSION}: update strata-ecs`,
  )
}

/** The error for a file that is damaged, or is none. */
export function refused(what: string, cause?: unknown): StrataError {
  return new StrataError('SAVE_REFUSED', `The save cannot be loaded: ${what}. Nothing has changed.`, {
    cause,
  })
}
