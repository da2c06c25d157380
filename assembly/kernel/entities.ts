// Owns what a kernel sees of entities and texts: their numbers. Whether a handle is alive only the world knows.

import { ReadonlyColumn } from './columns'

/** A handle, as TypeScript knows it: equal for equal entities, 0xffffffff (all ones) for NULL_ENTITY. */
export type Entity = u32

/** The id of a text: equal for equal texts, as `textId` gives it. */
export type Text = u32

/** The handles of the rows. Every chunk has this column; it is not bound, and never written. */
@unmanaged
export class Entities extends ReadonlyColumn<Entity> {}
