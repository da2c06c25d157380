// The components of the random script, shared by all worlds: all storages, all kinds of fields, tags, values of JavaScript,
// tracked by row and not.

import {
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  object,
  resource,
  sparse,
  stable,
  tag,
  text,
  toggle,
  u16,
  u32,
  u8,
  vec,
  type World,
} from '../../../bindings/index'
import type { Kind, Sort } from './plainWorld'
import { Follows, LINK_SORTS, Likes, Owns, RELATION_KINDS } from './relations'

export const NULL_ENTITY = 0xffffffff

export const Position = component('Position', { x: f32, y: f32 }, { trackChanges: 'row' })
export const Mixed = component('Mixed', { a: i8, b: u16.default(7), c: f64 }, { toggle })
export const Link = component('Link', { who: entity, on: bool.default(true), name: text })
export const Matrix = component('Matrix', { m: vec(f32, 5).default([1, 2, 3, 4, 5]), n: u8 })
/** Rows so long that some ten entities fill a chunk, without lists, so that they move along plans. */
const FLOATS = Array.from({ length: 24 }, (_, i) => `f${i}`)
export const Wide = component('Wide', { n: u32, ...Object.fromEntries(FLOATS.map((name) => [name, f32])) })
export const Red = tag('Red', { trackChanges: 'row' })
export const Green = tag('Green')
export const Blue = tag('Blue', { toggle })
export const Health = component('Health', { hp: u16 }, { storage: sparse })
export const Score = component(
  'Score',
  { points: i32.default(-5), ratio: f64, label: text.default('none'), by: entity },
  { storage: sparse, toggle, trackChanges: 'row' },
)
export const Weight = component('Weight', { kg: f32.default(1) }, { storage: sparse })
export const Brief = component('Brief', { left: u16.default(3) }, { lifetime: 'frame' })
export const Spark = component('Spark', { heat: i16 }, { storage: sparse, lifetime: 'frame' })
export const Picked = tag('Picked')
export const Waiting = tag('Waiting', { order: 'insertion', trackChanges: 'row' })
export const Slot = component('Slot', { number: u32 }, { storage: stable })
export const Shelf = component(
  'Shelf',
  { height: i16, marks: vec(u8, 3), title: text.default('book 1') },
  { storage: stable, toggle, trackChanges: 'row' },
)

/** A JavaScript value and the life it had: initialised, disposed of. */
interface Value {
  readonly n: number
}
const begun = new WeakMap<object, World>()
const ended = new WeakSet<object>()
/** Values on entities, by world. */
export const living = new WeakMap<World, number>()

function begin(value: Value, world: World): void {
  if (begun.has(value)) throw new Error('a value was initialised twice')
  if (ended.has(value)) throw new Error('a value was initialised after its end')
  begun.set(value, world)
  living.set(world, (living.get(world) ?? 0) + 1)
}

function end(value: Value): void {
  if (ended.has(value)) throw new Error('a value was disposed of twice')
  ended.add(value)
  const world = begun.get(value)
  if (world !== undefined) living.set(world, (living.get(world) ?? 0) - 1)
}

const life = { init: (value: Value, _: number, world: World) => begin(value, world), dispose: end }
/** What a value holds that was made for an entity that had lost its own. */
export const REVIVED = 4711
/** What a value holds that was made because none was given. */
const MADE = 42
const make = (): Value => ({ n: MADE })

/** Copies get a value of their own, and so do entities that come back. */
export const Sprite = object<Value>('Sprite', make, {
  ...life,
  clone: ({ n }) => ({ n }),
  revive: () => ({ n: REVIVED }),
  trackChanges: 'row',
})
/** Copies do not get the component, nor do entities that come back. */
export const Socket = object<Value>('Socket', life)
/** Copies do not get the component; entities that come back have the value that they had. */
export const Crate = object<Value>('Crate', make, {
  ...life,
  save: ({ n }) => n,
  load: (n) => ({ n: n as number }),
  snapshots: true,
})

/** What can be switched off, in every storage. */
export const SWITCHES: readonly Kind[] = [Mixed, Blue, Score, Shelf]

/** One of many texts, some of them in wide units or the empty one; several numbers give the same. */
function word(n: number): string {
  return ['', 'book 1', `žluť ${n % 13}`, `book ${n % 50}`][(n >>> 1) % 4] as string
}

/** All storages, all kinds of fields, tags, defaults and none. */
export const SORTS: readonly Sort[] = [
  {
    kind: Position,
    defaults: { x: 0, y: 0 },
    make: (n) => (n % 3 ? { x: Math.fround(n / 7), y: Math.fround(-n) } : { x: n & 0xffff }),
  },
  {
    kind: Mixed,
    defaults: { a: 0, b: 7, c: 0 },
    make: (n) => (n % 2 ? { a: (n % 256) - 128, c: n / 3 } : { b: n & 0xffff }),
  },
  {
    kind: Link,
    defaults: { who: NULL_ENTITY, on: true, name: '' },
    make: (n) => (n % 2 ? { who: n >>> 0, on: false } : { on: n % 4 === 0, name: word(n) }),
  },
  {
    kind: Matrix,
    defaults: { m: [1, 2, 3, 4, 5], n: 0 },
    make: (n) => (n % 2 ? { m: [n & 255, -1, 0.5, n & 15, 2], n: n & 255 } : { n: n & 255 }),
  },
  {
    kind: Wide as unknown as Kind,
    defaults: { n: 0, ...Object.fromEntries(FLOATS.map((name) => [name, 0])) },
    make: (n) => ({ n: n >>> 0 }),
  },
  { kind: Red, defaults: {}, make: () => ({}) },
  { kind: Green, defaults: {}, make: () => ({}) },
  { kind: Blue, defaults: {}, make: () => ({}) },
  { kind: Health, defaults: { hp: 0 }, make: (n) => ({ hp: n & 0xffff }) },
  {
    kind: Score,
    defaults: { points: -5, ratio: 0, label: 'none', by: NULL_ENTITY },
    make: (n) => (n % 2 ? { points: n | 0, by: n >>> 0 } : { points: -1, ratio: n / 9, label: word(n) }),
  },
  { kind: Slot, defaults: { number: 0 }, make: (n) => ({ number: n >>> 0 }) },
  { kind: Weight, defaults: { kg: 1 }, make: (n) => (n % 2 ? { kg: Math.fround(n / 3) } : {}) },
  { kind: Brief, defaults: { left: 3 }, make: (n) => ({ left: n & 0xffff }) },
  { kind: Spark, defaults: { heat: 0 }, make: (n) => ({ heat: (n & 0xff) - 9 }) },
  { kind: Picked, defaults: {}, make: () => ({}) },
  { kind: Waiting, defaults: {}, make: () => ({}) },
  {
    kind: Shelf,
    defaults: { height: 0, marks: [0, 0, 0], title: 'book 1' },
    make: (n) => (n % 2 ? { height: (n & 0x7fff) - 99, title: word(n) } : { marks: [n & 255, 1, n & 7] }),
  },
]

/** Values of JavaScript, in the scripts in which somebody listens: a world that knows one tells of every change. */
export const OBJECT_SORTS: readonly Sort[] = [Sprite, Socket, Crate].map((kind) => ({
  kind: kind as unknown as Kind,
  defaults: { n: MADE },
  make: (n) => ({ n }),
}))

export function isObject(kind: Kind): boolean {
  return (kind as { kind: string }).kind === 'object'
}

/** Of these, what copies do not get. */
export const UNCOPIED: ReadonlySet<unknown> = new Set([Socket, Crate])

/** Whether a value must be given, because nobody makes one. */
export function needsValue(kind: Kind): boolean {
  return (kind as unknown) === Socket
}

/** Fields that a condition can ask about. */
export const NUMBERS: readonly (readonly [Kind, string])[] = [
  [Score, 'points'],
  [Mixed, 'b'],
  [Shelf, 'height'],
  [Position, 'x'],
  [Health, 'hp'],
  [Slot, 'number'],
  [Owns as unknown as Kind, 'since'],
]

export const sortByKind = new Map([...SORTS, ...OBJECT_SORTS, ...LINK_SORTS].map((sort) => [sort.kind, sort]))

/** Kinds whose changes are known by row: a query for what changed finds no others in vain. */
const ROWS: ReadonlySet<unknown> = new Set([Position, Score, Shelf, Red, Waiting, Sprite])

export function isTracked(kind: Kind): boolean {
  return ROWS.has(kind)
}

/** Kinds with a list among their fields: a cursor that reads it marks a change, because it may be written to. */
export const LISTS: ReadonlySet<Kind> = new Set([Matrix, Shelf] as Kind[])

/** What queries can ask about in time: tags and values of JavaScript only where rows are tracked. */
export const TIMED: readonly Kind[] = [...SORTS, ...OBJECT_SORTS]
  .map(({ kind }) => kind)
  .filter((kind) => isTracked(kind) || (kind.kind !== 'tag' && !isObject(kind)))

/** Whose removals are read, and of which relations besides: of those the end of the last link is told. */
export const LOST: readonly Kind[] = [Position, Score, Waiting, Mixed, Shelf]
export const LOST_LINKS: readonly Kind[] = RELATION_KINDS.filter((_, i) => i % 2 === 1)

/** Fields with handles, which follow their entities. */
export const HANDLES: ReadonlyMap<Kind, string> = new Map<Kind, string>([
  [Link, 'who'],
  [Score, 'by'],
  [Follows as unknown as Kind, 'via'],
  [Likes as unknown as Kind, 'via'],
])

/** What conditions of systems ask about. */
export const Ground = resource('Ground', { heat: u16, at: vec(f32, 2) })
export const Wind = resource('Wind', { speed: f32 })
