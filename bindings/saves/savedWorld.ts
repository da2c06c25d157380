// Owns what a save says, whichever form it has: components, texts, tables and pools of rows, links, resources. Both forms, bytes
// and JSON, are read into this and written from it. A file outlives worlds and declarations, so nothing here refers to either.

import { KINDS, type Kind } from '../components/fieldKinds'
import { StrataError } from '../memory/errors'

/** The version of both forms. It grows when an older reader could not read them any longer. */
export const FORMAT_VERSION = 4
/** The version of the forms without values of objects, which readers from before these were saved know. */
const VERSION_WITHOUT_VALUES = 3
/** The version of the forms without an order of making as well, which readers from before it know. */
const VERSION_WITHOUT_MAKING = 2
/** The version of the forms without links as well, which readers from before relations know. */
const VERSION_WITHOUT_LINKS = 1
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
export type SavedColumns = readonly Uint8Array[]

/**
 * Rows with the same components. Entities are numbered from 0 in the order of the rows of all tables. In columns an
 * entity is its number, NO_NUMBER for none, and a text its place among the texts.
 */
export interface SavedRows {
  readonly count: number
  /** Places among the components, ascending; in a pool exactly one. */
  readonly components: readonly number[]
  /** In a table the handles that the entities had; in a pool their numbers. */
  readonly entities: Uint32Array
  /** For each component. */
  readonly columns: readonly SavedColumns[]
  /** For each component a bit a row, set where it is switched off; undefined where it is switched on in all rows. */
  readonly off: readonly (Uint8Array | undefined)[]
  /**
   * For each component, if one of them is an object component with `save`: by row what that returned, as JSON holds it, or NONE.
   */
  readonly values?: SavedValues | undefined
}

export type SavedValues = readonly (readonly unknown[] | undefined)[]

/**
 * The links of one relation: rows as those of a pool, except that a source may be there several times, with another target
 * each time, or with one that is gone. Its rows are in the order of its targets.
 */
export interface SavedLinks extends SavedRows {
  /** Numbers; NO_NUMBER where the target is gone. */
  readonly targets: Uint32Array
  /**
   * Every whole number below `count` once: the turn at which a row enters the list of its target. It gives the order of the
   * sources of each target, and that of the targets.
   */
  readonly turns: Uint32Array
}

export interface SavedResource {
  readonly name: string
  /** Undefined for one that is a JavaScript value. */
  readonly fields: readonly SavedField[] | undefined
  readonly columns: SavedColumns
  /** What its `save` returned, as JSON holds it (plainValues.ts). */
  readonly value: unknown
}

export interface SavedWorld {
  readonly tick: number
  /** The first one is ''. */
  readonly texts: readonly string[]
  readonly components: readonly SavedComponent[]
  readonly tables: readonly SavedRows[]
  readonly pools: readonly SavedRows[]
  readonly links: readonly SavedLinks[]
  /** The numbers of all entities in the order in which they were made; undefined where that is the order of their indices. */
  readonly making: Uint32Array | undefined
  readonly resources: readonly SavedResource[]
}

/** Bytes of one row of a column. */
export function widthOf({ kind, length }: { readonly kind: Kind; readonly length: number }): number {
  return length << KINDS[kind].shift
}

/** Whether row `row` is switched off. */
export function isOff(off: Uint8Array | undefined, row: number): boolean {
  return off !== undefined && (((off[row >> 3] as number) >> (row & 7)) & 1) !== 0
}

/** The numbers of entities, which are 32 bits each, in a column that begins at a multiple of 4. */
export function words({ buffer, byteOffset, length }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length >> 2)
}

/** The handles that entities had, by their numbers. */
export function handlesOf(
  tables: readonly { readonly count: number; readonly entities: Uint32Array }[],
): Uint32Array {
  const handles = new Uint32Array(tables.reduce((sum, { count }) => sum + count, 0))
  let filled = 0
  for (const { entities, count } of tables) {
    handles.set(entities, filled)
    filled += count
  }
  return handles
}

/** A column as the values of its kind. */
export function valuesOf(kind: Kind, { buffer, byteOffset, length }: Uint8Array) {
  const Values = KINDS[kind].Column as Uint32ArrayConstructor
  return new Values(buffer, byteOffset, length / Values.BYTES_PER_ELEMENT)
}

/** The least version that a reader must know. */
export function versionOf({ tables, pools, links, making }: SavedWorld): number {
  if (tables.some(({ values }) => values) || pools.some(({ values }) => values)) return FORMAT_VERSION
  if (making !== undefined) return VERSION_WITHOUT_VALUES
  return links.length > 0 ? VERSION_WITHOUT_MAKING : VERSION_WITHOUT_LINKS
}

/** The rows of links in the order of their turns. */
export function inTurn(turns: Uint32Array): Uint32Array {
  const order = new Uint32Array(turns.length)
  for (let row = 0; row < turns.length; row++) order[turns[row] as number] = row
  return order
}

/** Throws for a save of a later format. */
export function checkFormat(version: unknown): void {
  const known = [VERSION_WITHOUT_LINKS, VERSION_WITHOUT_MAKING, VERSION_WITHOUT_VALUES, FORMAT_VERSION]
  if (known.includes(version as number)) return
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
