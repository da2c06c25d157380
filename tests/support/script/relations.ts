// The relations of the random script, shared by all worlds: each policy for one target and for many, with values of several kinds
// and without.

import { type AnyRelation, type Pair, entity, relation, text, u32 } from '../../../bindings/index'
import type { PlainRelation } from './plainLinks'
import type { Kind, Sort } from './plainWorld'

export const Owns = relation(
  'Owns',
  { since: u32.default(4) },
  { exclusive: true, onTargetDestroy: 'destroy' },
)
export const Follows = relation('Follows', { since: u32, via: entity }, { exclusive: true })
export const Remembers = relation('Remembers', { exclusive: true, onTargetDestroy: 'keep' })
export const Needs = relation('Needs', { onTargetDestroy: 'destroy' })
export const Likes = relation('Likes', { since: u32, via: entity, note: text.default('none') })
export const Mourns = relation('Mourns', { since: u32.default(2) }, { onTargetDestroy: 'keep' })

function related(
  kind: unknown,
  isExclusive: boolean,
  onTargetDestroy: PlainRelation['onTargetDestroy'],
): PlainRelation {
  return { kind: kind as Kind, isExclusive, onTargetDestroy }
}

export const RELATIONS: readonly PlainRelation[] = [
  related(Owns, true, 'destroy'),
  related(Follows, true, 'remove'),
  related(Remembers, true, 'keep'),
  related(Needs, false, 'destroy'),
  related(Likes, false, 'remove'),
  related(Mourns, false, 'keep'),
]
export const RELATION_KINDS: readonly Kind[] = RELATIONS.map(({ kind }) => kind)
/** What each link starts with, and how to make up its values. */
export const LINK_SORTS: readonly Sort[] = [
  { kind: Owns as unknown as Kind, defaults: { since: 4 }, make: (n) => ({ since: n & 0xffff }) },
  {
    kind: Follows as unknown as Kind,
    defaults: { since: 0, via: 0xffffffff },
    make: (n) => (n % 2 ? { since: n & 0xffff } : { via: n >>> 0 }),
  },
  { kind: Remembers as unknown as Kind, defaults: {}, make: () => ({}) },
  { kind: Needs as unknown as Kind, defaults: {}, make: () => ({}) },
  {
    kind: Likes as unknown as Kind,
    defaults: { since: 0, via: 0xffffffff, note: 'none' },
    make: (n) => (n % 2 ? { since: n & 0xffff, note: `book ${n % 50}` } : { via: n >>> 0, note: '' }),
  },
  { kind: Mourns as unknown as Kind, defaults: { since: 2 }, make: (n) => ({ since: n & 0xffff }) },
]

/** Relations whose links say since when. */
export const SINCE: ReadonlySet<Kind> = new Set(
  LINK_SORTS.filter(({ defaults }) => 'since' in defaults).map(({ kind }) => kind),
)

export function isRelation(kind: Kind): boolean {
  return (kind as { kind: string }).kind === 'relation'
}

/** A relation as calls of the world take it. */
export function relationOf(kind: Kind): AnyRelation {
  return kind as unknown as AnyRelation
}

/** What of a relation rows hold by itself: those with one target and with fields have a cursor, as components have. */
export function hasCursor(kind: Kind): boolean {
  return (kind as unknown) === Owns || (kind as unknown) === Follows
}

/** A link, with values or without, or the term of one. */
export function pairOf(kind: Kind, target: unknown, values?: unknown): Pair {
  const make = kind as unknown as (target: unknown, values?: unknown) => Pair
  return values === undefined ? make(target) : make(target, values)
}
