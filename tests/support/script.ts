// Owns random scripts: steps of four numbers, carried out on a world and on the plain world side by side.
// It must never leave a step out because the engine would fail it: what is not allowed is not generated.

import fc from 'fast-check'
import { expect } from 'vitest'
import {
  LimitError,
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  object,
  tag,
  text,
  u16,
  u32,
  u8,
  vec,
  type Query,
  type Commands,
  type World,
} from '../../bindings/index'
import {
  type Kind,
  type PlainTerms,
  PlainWorld,
  type Sort,
  type Values,
  queryTermsOf,
  sameValues,
} from './plainWorld'

const NULL_ENTITY = 0xffffffff

const Position = component('Position', { x: f32, y: f32 }, { track: 'row' })
const Mixed = component('Mixed', { a: i8, b: u16.default(7), c: f64 }, { toggle: true })
const Link = component('Link', { who: entity, on: bool.default(true), name: text })
const Matrix = component('Matrix', { m: vec(f32, 5).default([1, 2, 3, 4, 5]), n: u8 })
const Red = tag('Red')
const Green = tag('Green')
const Blue = tag('Blue', { toggle: true })
const Health = component('Health', { hp: u16 }, { storage: 'sparse' })
const Score = component(
  'Score',
  { points: i32.default(-5), ratio: f64, label: text.default('none') },
  { storage: 'sparse', toggle: true },
)
const Weight = component('Weight', { kg: f32.default(1) }, { storage: 'sparse' })
const Brief = component('Brief', { left: u16.default(3) }, { lifetime: 'frame' })
const Spark = component('Spark', { heat: i16 }, { storage: 'sparse', lifetime: 'frame' })
const Picked = tag('Picked', { order: 'entity' })
const Waiting = tag('Waiting', { order: 'insertion' })
const Slot = component('Slot', { number: u32 }, { storage: 'stable' })
const Shelf = component(
  'Shelf',
  { height: i16, marks: vec(u8, 3), title: text.default('book 1') },
  { storage: 'stable', toggle: true },
)
/** A JavaScript value and the life it had: initialised, disposed of. */
interface Value {
  readonly n: number
}
const begun = new WeakMap<object, World>()
const ended = new WeakSet<object>()
/** Values on entities, by world. */
const living = new WeakMap<World, number>()

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
const REVIVED = 4711

/** Copies get a value of their own, and so do entities that come back. */
const Sprite = object<Value>('Sprite', { ...life, clone: ({ n }) => ({ n }), revive: () => ({ n: REVIVED }) })
/** Copies do not get the component, nor do entities that come back. */
const Socket = object<Value>('Socket', life)

/** What can be switched off, in every storage. */
const SWITCHES: readonly Kind[] = [Mixed, Blue, Score, Shelf]

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
  { kind: Red, defaults: {}, make: () => ({}) },
  { kind: Green, defaults: {}, make: () => ({}) },
  { kind: Blue, defaults: {}, make: () => ({}) },
  { kind: Health, defaults: { hp: 0 }, make: (n) => ({ hp: n & 0xffff }) },
  {
    kind: Score,
    defaults: { points: -5, ratio: 0, label: 'none' },
    make: (n) => (n % 2 ? { points: n | 0 } : { points: -1, ratio: n / 9, label: word(n) }),
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
export const OBJECT_SORTS: readonly Sort[] = [Sprite, Socket].map((kind) => ({
  kind: kind as unknown as Kind,
  defaults: {},
  make: (n) => ({ n }),
}))

function isObject(kind: Kind): boolean {
  return (kind as { kind: string }).kind === 'object'
}

/** Fields that a condition can ask about. */
const NUMBERS: readonly (readonly [Kind, string])[] = [
  [Score, 'points'],
  [Mixed, 'b'],
  [Shelf, 'height'],
  [Position, 'x'],
  [Health, 'hp'],
  [Slot, 'number'],
]

const sortByKind = new Map([...SORTS, ...OBJECT_SORTS].map((sort) => [sort.kind, sort]))

/** One step: what to do, and three numbers from which its arguments are made. */
export type Step = readonly [operation: number, a: number, b: number, c: number]

const number = fc.nat(0x7fffffff)
export const steps = (minLength: number, maxLength: number) =>
  fc.array(fc.tuple(fc.nat(99), number, number, number), { minLength, maxLength, size: 'max' })

/** How often each operation comes, in a hundred. */
const OPERATIONS = [
  ['spawn', 12],
  ['spawnMany', 2],
  ['spawnAt', 2],
  ['spawnManyAt', 1],
  ['add', 11],
  ['exchange', 3],
  ['remove', 10],
  ['set', 8],
  ['destroy', 8],
  ['destroyMany', 2],
  ['addMany', 1],
  ['removeMany', 1],
  ['setMany', 1],
  ['queryAdd', 3],
  ['queryRemove', 4],
  ['queryDestroy', 1],
  ['toggle', 4],
  ['queryToggle', 2],
  ['compareQuery', 5],
  ['askStale', 3],
  ['defer', 3],
  ['loop', 4],
  ['clear', 1],
  ['sweepTexts', 1],
  ['clone', 2],
  ['spawnFrom', 1],
  ['discard', 1],
  ['endFrame', 1],
  ['sortTag', 1],
  ['sortPool', 1],
] as const

type Operation = (typeof OPERATIONS)[number][0]

const OPERATION_OF: readonly Operation[] = OPERATIONS.flatMap(([name, share]) =>
  new Array<Operation>(share).fill(name),
)

/** What a buffer of commands can record. */
const RECORDED: ReadonlySet<Operation> = new Set<Operation>([
  'spawn',
  'spawnAt',
  'add',
  'exchange',
  'remove',
  'set',
  'destroy',
])

/** Whether a step makes handles alive that it chooses by itself. */
export function namesHandles([code]: Step): boolean {
  return ['spawnAt', 'spawnManyAt'].includes(OPERATION_OF[code] as Operation)
}

function indexOf(handle: number): number {
  return handle & 0xffffff
}

/** A number from a number, so that one step can decide several things. */
function mix(n: number, salt: number): number {
  let h = Math.imul(n ^ (salt * 0x9e3779b9), 0x85ebca6b)
  h ^= h >>> 13
  return (Math.imul(h, 0xc2b2ae35) ^ (h >>> 16)) >>> 0
}

/** Up to three different components. */
function pickKinds(n: number): Kind[] {
  const count = 1 + (n % 3)
  const kinds = new Set<Kind>()
  for (let i = 0; i < count; i++) kinds.add((SORTS[mix(n, i + 1) % SORTS.length] as Sort).kind)
  return [...kinds]
}

/** Terms in which every component appears at most once, but for groups of alternatives, which may share theirs. */
export function pickTerms(n: number): PlainTerms {
  const shuffled = SORTS.map(({ kind }, i) => ({ kind, key: mix(n, i + 10) })).sort((a, b) => a.key - b.key)
  const kinds = shuffled.map(({ kind }) => kind)
  const take = (count: number) => kinds.splice(0, count)
  const terms = {
    required: take(mix(n, 1) % 3),
    excluded: take([0, 1, 1, 1, 2][mix(n, 2) % 5] as number),
    optional: take([0, 1, 0, 2][mix(n, 3) % 4] as number),
  }
  const groups = mix(n, 4) % 4 === 0 ? 2 : mix(n, 4) % 2
  const size = 1 + (mix(n, 5) % 3)
  const isShared = mix(n, 6) % 2 === 0
  const firsts = Array.from({ length: groups }, (_, i) => (isShared ? kinds.slice(i, i + size) : take(size)))
  return {
    ...terms,
    anyOf: firsts.map((alternatives, i) =>
      alternatives.map((kind, k) => ({ kind, absent: mix(n, 20 + 3 * i + k) % 4 === 0 })),
    ),
  }
}

/** Components whose values a query reaches by its groups of alternatives, each once. */
function reachedByAny({ anyOf }: PlainTerms): Kind[] {
  const present = anyOf.flat().filter(({ absent }) => !absent)
  return [...new Set(present.map(({ kind }) => kind))]
}

/** What a session knew at one time. */
interface Mark {
  readonly plain: PlainWorld
  readonly stale: readonly number[]
  readonly waiting: readonly number[] | undefined
}

/** A world and the plain world, kept in step. */
export class Session {
  plain = new PlainWorld((kind) => (sortByKind.get(kind) as Sort).defaults)
  performed = 0
  private readonly stale: number[] = []
  private depth = 0
  /** Indices of those that were destroyed in an open block, and are alive until its end. */
  private readonly leaving = new Set<number>()
  /** How many of the open blocks are loops over queries, and whether the end of a frame waits for the outermost one. */
  private loops = 0
  private frameWaits = false
  /** How often anything was switched: a loop that is open sees that in the chunks to come. */
  private switches = 0
  private buffer: Commands | undefined
  /** How many more entities the world can take while nothing that was destroyed has come back. */
  private room = 0
  /** Whether somebody listens in this script, and objects are among the components. */
  private readonly heard: Heard | undefined
  /** In which order Waiting was added; undefined where that was left to the engine. */
  private waiting: number[] | undefined = []

  constructor(
    readonly world: World,
    private readonly limit: number,
    private readonly querySeed: number,
    /** How many different queries the script may use. */
    private readonly queryCount = 12,
    /** How many times more entities a spawnMany makes, and how many times rarer a clear is. */
    private readonly growth = 1,
  ) {
    this.heard = querySeed % 2 === 1 ? listen(world) : undefined
    // Half of the scripts have a group.
    if (querySeed % 4 < 2) world.group(Health, Weight)
  }

  /** A session with a world of its own in which the same holds. */
  in(world: World): Session {
    // Listeners and groups are there already, or stay behind.
    const session = new Session(world, this.limit, this.querySeed | 2, this.queryCount, this.growth)
    session.goBack(this.mark(), () => {})
    return session
  }

  /** Notes what the plain world holds, to go back to it when the world does. */
  mark(): Mark {
    const { waiting } = this
    return { plain: this.plain.copy(), stale: [...this.stale], waiting: waiting && [...waiting] }
  }

  /** Lets the world go back by `restore`, and the plain world to what it was then. Values that are there stay. */
  goBack(mark: Mark, restore: () => void): void {
    const before = OBJECT_SORTS.map(({ kind }) => {
      const having = [...this.plain.entities].filter(([, components]) => components.has(kind))
      return new Map(having.map(([handle]) => [handle, this.world.get(handle, kind as never) as Values]))
    })
    restore()
    this.plain = mark.plain.copy()
    this.stale.splice(0, Infinity, ...mark.stale)
    this.waiting = mark.waiting && [...mark.waiting]
    OBJECT_SORTS.forEach(({ kind }, i) => {
      for (const [handle, components] of this.plain.entities) {
        if (!components.has(kind)) continue
        const kept = before[i]?.get(handle)
        if (kept !== undefined) components.set(kind, kept)
        else if ((kind as unknown) === Sprite) components.set(kind, { n: REVIVED })
        else this.plain.remove(handle, [kind])
      }
    })
    this.heard?.rebuild(this.plain)
  }

  /** Carries out all steps; calls back after each one that ends outside of any block. */
  run(script: readonly Step[], afterStep: (session: Session) => void): void {
    let next = 0
    while (next < script.length) {
      next = this.perform(script, next)
      afterStep(this)
    }
  }

  /** Carries out the whole script with every structural change deferred to its end. */
  runDeferred(script: readonly Step[]): void {
    this.inBlock((inside) => this.world.defer(inside), script, 0, script.length)
  }

  /** The same with every change of one entity recorded in a buffer, which is applied before anything else is done. */
  runBuffered(script: readonly Step[]): void {
    this.room = this.limit - this.plain.entities.size
    let next = 0
    while (next < script.length) {
      const operation = OPERATION_OF[(script[next] as Step)[0]] as Operation
      if (!RECORDED.has(operation)) this.applyBuffer()
      else if (this.buffer === undefined) {
        this.buffer = this.world.commands()
        this.depth = 1
        this.leaving.clear()
      }
      next = this.perform(script, next)
    }
    this.applyBuffer()
  }

  private applyBuffer(): void {
    this.buffer?.apply()
    this.buffer = undefined
    this.depth = 0
  }

  /** Where changes of one entity go. */
  private get target(): World | Commands {
    return this.buffer ?? this.world
  }

  /** Carries out one step, with those it swallows; returns where the next one is. */
  private perform(script: readonly Step[], at: number): number {
    const [code, a, b, c] = script[at] as Step
    const operation = OPERATION_OF[code] as Operation
    this.performed++
    if (operation === 'defer' || operation === 'loop') return this.block(operation, script, at, a, b)
    // Deferred changes of one entity are made where its first one stands.
    if (this.depth > 0) this.waiting = undefined
    this[operation](a, b, c)
    return at + 1
  }

  // ── single entities ──────────────────────────────────────────────────────────────────────────────────────

  private pick(n: number): number | undefined {
    const size = this.plain.entities.size
    if (size === 0) return undefined
    let skip = n % size
    for (const handle of this.plain.entities.keys()) if (skip-- === 0) return handle
    return undefined
  }

  private valuesFor(kinds: readonly Kind[], n: number): (Values | undefined)[] {
    return kinds.map((kind, i) =>
      mix(n, i) % 2 || isObject(kind) ? (sortByKind.get(kind) as Sort).make(mix(n, i + 5)) : undefined,
    )
  }

  private ingredients(kinds: readonly Kind[], values: readonly (Values | undefined)[]) {
    return kinds.map((kind, i) => (values[i] === undefined || kind.kind === 'tag' ? kind : kind(values[i])))
  }

  /** Components for one entity: with objects, where somebody listens. */
  private pickAny(n: number): Kind[] {
    const kinds = pickKinds(n)
    if (this.heard === undefined || mix(n, 7) % 3 !== 0) return kinds
    return [(OBJECT_SORTS[mix(n, 8) % 2] as Sort).kind, ...kinds]
  }

  /** Keeps in mind in which order Waiting came and went. */
  private noteWaiting(handle: number, kinds: readonly Kind[], added: boolean): void {
    if (this.waiting === undefined || !kinds.includes(Waiting)) return
    const place = this.waiting.indexOf(handle)
    if (added && place < 0) this.waiting.push(handle)
    if (!added && place >= 0) this.waiting.splice(place, 1)
  }

  private get free(): number {
    return this.depth > 0 ? this.room : this.limit - this.plain.entities.size
  }

  private spawn(a: number, b: number): void {
    const kinds = a % 11 === 0 ? [] : this.pickAny(a)
    const values = this.valuesFor(kinds, b)
    if (this.free === 0) {
      expect(() => this.world.spawn(...this.ingredients(kinds, values))).toThrow(LimitError)
      return
    }
    const handle = this.target.spawn(...this.ingredients(kinds, values))
    this.born(handle, kinds, values)
    this.compareEntity(handle)
  }

  private born(handle: number, kinds: readonly Kind[], values: readonly (Values | undefined)[]): void {
    if (this.plain.entities.has(handle)) throw new Error(`handle ${handle} was given out while it is alive`)
    if (!this.world.isAlive(handle)) throw new Error(`handle ${handle} is not alive after spawn`)
    this.plain.spawn(handle, kinds, values)
    this.noteWaiting(handle, kinds, true)
    this.room--
  }

  private spawnMany(a: number, b: number, c: number): void {
    const kinds = pickKinds(a)
    const values = this.valuesFor(kinds, b)
    const count = Math.min((c % 5 === 0 ? c % 90 : c % 9) * this.growth, this.free)
    let filled = 0
    const handles = this.world.spawnMany(count, this.ingredients(kinds, values), (chunk) => {
      filled += chunk.end - chunk.start
    })
    if (this.depth === 0) expect(filled).toBe(count)
    expect(handles.length).toBe(count)
    for (const handle of handles) this.born(handle, kinds, values)
  }

  /** A handle that was alive once, or any other one: of few generations, and not far beyond those that there are. */
  private pickDead(n: number): number {
    const { stale, limit } = this
    if (n % 2 === 0 && stale.length > 0) return stale[mix(n, 1) % stale.length] as number
    const index = 1 + (mix(n, 2) % Math.min(limit, this.plain.entities.size * 2 + 50))
    return (((mix(n, 3) % 4) << 24) | index) >>> 0
  }

  private isTaken(handle: number): boolean {
    if (this.depth === 0) this.leaving.clear()
    const index = indexOf(handle)
    if (this.leaving.has(index)) return true
    for (const living of this.plain.entities.keys()) if (indexOf(living) === index) return true
    return false
  }

  private spawnAt(a: number, b: number, c: number): void {
    const handle = this.pickDead(c)
    const kinds = a % 11 === 0 ? [] : this.pickAny(a)
    const values = this.valuesFor(kinds, b)
    const spawn = () => this.target.spawnAt(handle, ...this.ingredients(kinds, values))
    if (this.isTaken(handle)) {
      expect(spawn).toThrow(expect.objectContaining({ code: 'HANDLE_TAKEN' }))
      return
    }
    expect(spawn()).toBe(handle)
    this.cameBack(handle)
    this.born(handle, kinds, values)
    this.compareEntity(handle)
  }

  private spawnManyAt(a: number, b: number, c: number): void {
    const kinds = pickKinds(a)
    const values = this.valuesFor(kinds, b)
    const picked = Array.from({ length: c % 20 }, (_, i) => this.pickDead(mix(c, i)))
    const handles = [...new Map(picked.map((handle) => [indexOf(handle), handle])).values()]
    const free = handles.filter((handle) => !this.isTaken(handle))
    const spawn = (list: number[]) => this.world.spawnManyAt(list, this.ingredients(kinds, values))
    if (free.length < handles.length) {
      expect(() => spawn(handles)).toThrow(expect.objectContaining({ code: 'HANDLE_TAKEN' }))
    }
    expect([...spawn(free)]).toEqual(free)
    for (const handle of free) {
      this.cameBack(handle)
      this.born(handle, kinds, values)
    }
  }

  /** A handle may be stale no longer. */
  private cameBack(handle: number): void {
    for (let at = this.stale.indexOf(handle); at >= 0; at = this.stale.indexOf(handle))
      this.stale.splice(at, 1)
  }

  private add(a: number, b: number, c: number): void {
    const handle = this.pick(a)
    if (handle === undefined) return
    const kinds = this.pickAny(b)
    const values = this.valuesFor(kinds, c)
    const told = this.target.add(handle, ...this.ingredients(kinds, values))
    const added = this.plain.add(handle, kinds, values)
    this.noteWaiting(handle, kinds, true)
    if (this.depth === 0 && told !== added) throw new Error(`add said ${told} and should have said ${added}`)
    this.compareEntity(handle)
  }

  private exchange(a: number, b: number, c: number): void {
    const handle = this.pick(a)
    if (handle === undefined) return
    const removed = this.pickAny(a)
    // Often the same components: what is in both lists starts over.
    const added = c % 3 ? this.pickAny(b) : removed.slice(0, 1 + (b % 2))
    const values = this.valuesFor(added, c)
    const told = this.target.exchange(handle, removed, this.ingredients(added, values))
    const gone = this.plain.remove(handle, removed)
    // What is in both lists starts over, at the end.
    this.noteWaiting(handle, removed, false)
    this.noteWaiting(handle, added, true)
    const changed = this.plain.add(handle, added, values) || gone
    if (this.depth === 0 && told !== changed)
      throw new Error(`exchange said ${told} and should have said ${changed}`)
    this.compareEntity(handle)
  }

  private remove(a: number, b: number): void {
    const handle = this.pick(a)
    if (handle === undefined) return
    const kinds = this.pickAny(b)
    const told = this.target.remove(handle, ...kinds)
    this.noteWaiting(handle, kinds, false)
    const removed = this.plain.remove(handle, kinds)
    if (this.depth === 0 && told !== removed)
      throw new Error(`remove said ${told} and should have said ${removed}`)
    this.compareEntity(handle)
  }

  private set(a: number, b: number, c: number): void {
    const handle = this.pick(a)
    const sorts = this.heard === undefined ? SORTS : [...SORTS, ...OBJECT_SORTS]
    const { kind, make } = sorts[b % sorts.length] as Sort
    if (handle === undefined || kind.kind === 'tag') return
    this.target.set(handle, kind, make(c))
    this.plain.add(handle, [kind], [make(c)])
    this.compareEntity(handle)
  }

  private destroy(a: number): void {
    const handle = this.pick(a)
    if (handle === undefined) return
    const told = this.target.destroy(handle)
    if (this.buffer === undefined) expect(told).toBe(true)
    this.died(handle)
  }

  private died(handle: number): void {
    this.noteWaiting(handle, [Waiting], false)
    this.plain.destroy(handle)
    this.stale.push(handle)
    if (this.depth > 0) this.leaving.add(indexOf(handle))
    if (this.depth === 0 && this.world.isAlive(handle))
      throw new Error(`handle ${handle} is alive after destroy`)
  }

  /** Some of the living, each once, and the same with dead ones and repeats. */
  private pickMany(a: number, b: number): { living: number[]; listed: number[] } {
    const living = [...this.plain.entities.keys()].filter((_, i) => mix(a, i) % 3 === 0).slice(0, b % 60)
    // In a block who died in it is alive.
    const dead = this.depth === 0 ? [NULL_ENTITY, ...this.stale.slice(0, 3)] : [NULL_ENTITY]
    return { living, listed: [...living.slice(0, 2), ...dead, ...living] }
  }

  private addMany(a: number, b: number, c: number): void {
    const { living, listed } = this.pickMany(a, b)
    const kinds = pickKinds(b)
    const values = this.valuesFor(kinds, c)
    expect(this.world.addMany(listed, ...this.ingredients(kinds, values))).toBe(living.length)
    for (const handle of living) {
      this.plain.add(handle, kinds, values)
      this.noteWaiting(handle, kinds, true)
    }
  }

  private removeMany(a: number, b: number): void {
    const { living, listed } = this.pickMany(a, b)
    const kinds = pickKinds(b)
    expect(this.world.removeMany(Uint32Array.from(listed), ...kinds)).toBe(living.length)
    for (const handle of living) {
      this.plain.remove(handle, kinds)
      this.noteWaiting(handle, kinds, false)
    }
  }

  private setMany(a: number, b: number, c: number): void {
    const { living } = this.pickMany(a, b)
    const listed = [NULL_ENTITY, ...living]
    this.world.setMany(listed, Slot, { number: listed.map((_, i) => (c + i) >>> 0) })
    living.forEach((handle, i) => this.plain.add(handle, [Slot], [{ number: (c + i + 1) >>> 0 }]))
  }

  private destroyMany(a: number, b: number): void {
    const handles = [...this.plain.entities.keys()].filter((_, i) => mix(a, i) % 4 === 0).slice(0, b % 40)
    // Dead ones and repeats are passed over. Inside a block the dead of this block are still alive.
    const noise = this.depth === 0 ? this.stale.slice(-3) : []
    const told = this.world.destroyMany([...noise, ...handles, ...handles.slice(0, 2), NULL_ENTITY])
    if (this.depth === 0) expect(told).toBe(handles.length)
    for (const handle of handles) this.died(handle)
  }

  private clear(a: number): void {
    if (a % (3 * this.growth) !== 0) return
    this.world.clear()
    for (const handle of [...this.plain.entities.keys()]) this.died(handle)
  }

  /** Texts that nobody holds go, and no value changes: whoever compares later would see it. */
  private sweepTexts(): void {
    if (this.depth > 0) return
    const before = this.world.stats().texts
    expect(this.world.sweepTexts()).toBe(before - this.world.stats().texts)
    expect(this.world.sweepTexts()).toBe(0)
  }

  /** A copy gets everything but objects that cannot be copied. */
  private copied(source: number, copy: number): void {
    const components = this.plain.componentsOf(source)
    const kinds = [...components.keys()].filter((kind) => (kind as unknown) !== Socket)
    this.born(
      copy,
      kinds,
      kinds.map((kind) => components.get(kind)),
    )
    for (const kind of this.plain.off.get(source) ?? []) this.plain.switch(copy, kind, true)
    if (this.plain.discarded.has(source)) this.plain.discarded.add(copy)
    this.compareEntity(copy)
  }

  private clone(a: number): void {
    const source = this.pick(a)
    if (source === undefined || this.free === 0) return
    this.copied(source, this.world.clone(source))
  }

  private spawnFrom(a: number, b: number): void {
    const source = this.pick(a)
    if (source === undefined) return
    const copies = this.world.spawnFrom(source, Math.min((b % 9) * this.growth, this.free))
    for (const copy of copies) this.copied(source, copy)
  }

  private discard(a: number): void {
    const handle = this.pick(a)
    if (handle === undefined) return
    const told = this.world.discard(handle)
    if (this.depth === 0) expect(told).toBe(!this.plain.discarded.has(handle))
    this.plain.discarded.add(handle)
  }

  private endFrame(): void {
    if (this.loops > 0 && this.frameWaits) {
      // A loop that is open at the end of two frames was left open by mistake: the world says so, and changes nothing.
      expect(() => this.world.endFrame()).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
      return
    }
    this.frameWaits = this.depth > 0
    this.world.endFrame()
    for (const handle of [...this.plain.discarded]) if (this.plain.entities.has(handle)) this.died(handle)
    this.plain.discarded.clear()
    for (const handle of this.plain.entities.keys()) this.plain.remove(handle, [Brief, Spark])
  }

  /** The order of the insertion becomes that of a field; who lacks the component comes last. */
  private sortTag(): void {
    this.world.sort(Waiting, Slot, 'number')
    const keyOf = (handle: number) =>
      (this.plain.componentsOf(handle).get(Slot)?.['number'] as number | undefined) ?? Infinity
    this.waiting?.sort((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) - keyOf(b)))
  }

  private sortPool(a: number): void {
    this.world.sort(Health, 'hp')
    if (a % 2 === 0) this.world.sortAs(Score, Health)
    if (this.depth > 0) return
    const hps = Array.from(this.world.query(Health).entities(), (e) => this.world.get(e, Health)?.hp ?? 0)
    // Those of the group come first, in order.
    const grouped = this.querySeed % 4 < 2 ? this.world.query(Health, Weight).count : 0
    expect(hps.slice(0, grouped)).toEqual(hps.slice(0, grouped).sort((x, y) => x - y))
    expect(hps.slice(grouped)).toEqual(hps.slice(grouped).sort((x, y) => x - y))
  }

  // ── queries ──────────────────────────────────────────────────────────────────────────────────────────────

  private termsOf(n: number): PlainTerms {
    return pickTerms(mix(this.querySeed, n % this.queryCount))
  }

  private queryAdd(a: number, b: number, c: number): void {
    const terms = this.termsOf(a)
    const kinds = pickKinds(b)
    const values = c % 3 === 0 ? this.valuesFor(kinds, c) : kinds.map(() => undefined)
    if (kinds.includes(Waiting)) this.waiting = undefined
    const told = this.world.query(...queryTermsOf(terms)).add(...this.ingredients(kinds, values))
    const matching = this.plain.matching(terms)
    if (this.depth === 0) expect(told).toBe(matching.length)
    for (const handle of matching) this.plain.add(handle, kinds, values)
  }

  private queryRemove(a: number, b: number): void {
    const terms = this.termsOf(a)
    const kinds = pickKinds(b)
    const told = this.world.query(...queryTermsOf(terms)).remove(...kinds)
    const matching = this.plain.matching(terms)
    if (this.depth === 0) expect(told).toBe(matching.length)
    for (const handle of matching) {
      this.plain.remove(handle, kinds)
      this.noteWaiting(handle, kinds, false)
    }
  }

  private queryDestroy(a: number): void {
    const terms = this.termsOf(a)
    const told = this.world.query(...queryTermsOf(terms)).destroy()
    const matching = this.plain.matching(terms)
    if (this.depth === 0) expect(told).toBe(matching.length)
    for (const handle of matching) this.died(handle)
  }

  private toggle(a: number, b: number): void {
    const handle = this.pick(a)
    if (handle === undefined) return
    const kind = SWITCHES[b % SWITCHES.length] as Kind
    const off = b % 3 !== 0
    const told = off ? this.world.disable(handle, kind) : this.world.enable(handle, kind)
    const switched = this.plain.switch(handle, kind, off)
    this.switches++
    if (this.depth === 0 && told !== switched) throw new Error(`the switch said ${told}, not ${switched}`)
    this.compareEntity(handle)
  }

  private queryToggle(a: number, b: number): void {
    const kind = SWITCHES[b % SWITCHES.length] as Kind
    const off = b % 3 !== 0
    const terms = this.termsOf(a)
    const query = this.world.query(...queryTermsOf(terms))
    const told = off ? query.disable(kind) : query.enable(kind)
    const matching = this.plain.matchingSwitch(terms, kind)
    if (this.depth === 0) expect(told).toBe(matching.length)
    for (const handle of matching) this.plain.switch(handle, kind, off)
    this.switches++
  }

  private compareQuery(a: number): void {
    if (this.depth === 0) this.compareTerms(this.termsOf(a))
  }

  /** Handles found in every way a query has are those that the plain world finds. */
  compareTerms(terms: PlainTerms): void {
    const query = this.world.query(...queryTermsOf(terms))
    const expected = this.plain.matching(terms).sort((x, y) => x - y)
    const found = [...query.entities()].sort((x, y) => x - y)
    expect(found).toEqual(expected)
    expect(query.count).toBe(expected.length)
    expect(query.isEmpty).toBe(expected.length === 0)
    const first = query.first()
    expect(first === undefined ? expected.length === 0 : expected.includes(first)).toBe(true)
    this.compareEach(query as unknown as Eachable, terms, expected)
    this.compareWhere(query, terms, expected)
  }

  /** The same, asked for the first time while memory must not grow, and once more afterwards. */
  compareProbed(terms: PlainTerms): void {
    this.world.defer(() => this.compareTerms(terms))
    this.compareTerms(terms)
  }

  /** A condition on the first number that the query reaches, with a value that some entity has. */
  private compareWhere(query: Query, terms: PlainTerms, expected: readonly number[]): void {
    const kinds = [...terms.required, ...terms.optional, ...reachedByAny(terms)]
    const asked = NUMBERS.find(([kind]) => kinds.includes(kind))
    if (asked === undefined) return
    const [kind, field] = asked
    const valueOf = (handle: number) =>
      this.plain.componentsOf(handle).get(kind)?.[field] as number | undefined
    const values = expected.map(valueOf).filter((value) => value !== undefined)
    const value = values[values.length >> 1] ?? 0
    const found = query.where(kind as never, field as never, '<=', value as never).entities()
    const kept = expected.filter((handle) => (valueOf(handle) ?? NaN) <= value)
    expect([...found].sort((x, y) => x - y)).toEqual(kept)
  }

  /** `each` gives a cursor for every component with data, in the order of the terms. */
  private compareEach(query: Eachable, terms: PlainTerms, expected: readonly number[]): void {
    const named = [...terms.required, ...reachedByAny(terms), ...terms.optional].filter(
      ({ kind }) => kind !== 'tag',
    )
    const visited: number[] = []
    query.each((handle, ...cursors) => {
      visited.push(handle)
      named.forEach((kind, i) => {
        const values = this.plain.componentsOf(handle).get(kind)
        const cursor = cursors[i]
        if ((cursor === undefined) !== (values === undefined))
          throw new Error(`each gives the wrong cursor for ${kind.componentName}`)
        if (cursor === undefined || values === undefined) return
        const seen = Object.fromEntries(Object.keys(values).map((name) => [name, cursor[name]]))
        if (!sameValues(seen, values)) throw new Error(`each shows wrong values of ${kind.componentName}`)
      })
    })
    expect(visited.sort((x, y) => x - y)).toEqual(expected)
  }

  // ── blocks ───────────────────────────────────────────────────────────────────────────────────────────────

  /** Carries out the next few steps inside a defer block or inside a query's loop. */
  private block(
    operation: 'defer' | 'loop',
    script: readonly Step[],
    at: number,
    a: number,
    b: number,
  ): number {
    const end = Math.min(at + 1 + (b % 12), script.length)
    if (this.depth >= 3) return at + 1
    if (operation === 'defer') return this.inBlock((inside) => this.world.defer(inside), script, at + 1, end)
    const terms = this.termsOf(a)
    const expected = this.depth === 0 ? this.plain.matching(terms).sort((x, y) => x - y) : undefined
    const visited: number[] = []
    const { switches } = this
    const query = this.world.query(...queryTermsOf(terms))
    const loop = (inside: () => void) => {
      this.loops++
      try {
        visitAll(query, visited, inside, b)
      } finally {
        this.loops--
      }
    }
    const next = this.inBlock(loop, script, at + 1, end)
    const comparable = expected !== undefined && this.switches === switches
    if (comparable && b % 5 !== 0) expect(visited.sort((x, y) => x - y)).toEqual(expected)
    return next
  }

  private inBlock(
    open: (inside: () => void) => void,
    script: readonly Step[],
    at: number,
    end: number,
  ): number {
    if (this.depth === 0) {
      this.room = this.limit - this.plain.entities.size
      this.frameWaits = false
      this.leaving.clear()
    }
    let next = at
    this.depth++
    try {
      open(() => {
        while (next < end) next = this.perform(script, next)
      })
    } finally {
      this.depth--
    }
    return next
  }

  // ── comparing ────────────────────────────────────────────────────────────────────────────────────────────

  private askStale(a: number): void {
    if (this.depth > 0 || this.stale.length === 0) return
    const handle = this.stale[a % this.stale.length] as number
    expect(this.world.isAlive(handle)).toBe(false)
    expect(this.world.has(handle, Position)).toBe(false)
    expect(this.world.get(handle, Health)).toBe(undefined)
    expect(this.world.destroy(handle)).toBe(false)
    expect(this.world.remove(handle, Position)).toBe(false)
    expect(() => this.world.add(handle, Red)).toThrow('is not alive')
    expect(() => this.world.set(handle, Slot, { number: 1 })).toThrow('is not alive')
  }

  private compareEntity(handle: number): void {
    if (this.depth > 0) return
    const components = this.plain.componentsOf(handle)
    for (const { kind } of this.heard === undefined ? SORTS : [...SORTS, ...OBJECT_SORTS]) {
      const expected = components.get(kind)
      if (this.world.has(handle, kind) !== (expected !== undefined))
        throw new Error(`has(${handle}, ${kind.componentName}) is wrong`)
      if (this.world.isEnabled(handle, kind) !== (expected !== undefined && !this.plain.isOff(handle, kind)))
        throw new Error(`isEnabled(${handle}, ${kind.componentName}) is wrong`)
      if (kind.kind === 'tag') continue
      const found = this.world.get(handle, kind) as Values | undefined
      if (!sameValues(found, expected)) {
        throw new Error(
          `get(${handle}, ${kind.componentName}) gives ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
        )
      }
    }
  }

  /** Ordered tags are visited in their order. */
  private compareOrders(): void {
    const indexOf = (handle: number) => handle & 0xffffff
    const picked = this.plain.matching({ ...ANY, required: [Picked] })
    expect([...this.world.query(Picked).entities()]).toEqual(picked.sort((a, b) => indexOf(a) - indexOf(b)))
    const waiting = [...this.world.query(Waiting).entities()]
    const members = this.plain.matching({ ...ANY, required: [Waiting] })
    expect([...waiting].sort((a, b) => a - b)).toEqual(members.sort((a, b) => a - b))
    if (this.waiting !== undefined) expect(waiting).toEqual(this.waiting)
    this.waiting = waiting
  }

  /** Every entity with every value, and every handle that died. */
  compareAll(): void {
    expect(this.world.stats().entities).toBe(this.plain.entities.size)
    for (const handle of this.plain.entities.keys()) {
      if (!this.world.isAlive(handle)) throw new Error(`handle ${handle} should be alive`)
      this.compareEntity(handle)
    }
    this.compareOrders()
    this.heard?.compare(this.plain)
    for (const handle of this.stale)
      if (this.world.isAlive(handle)) throw new Error(`handle ${handle} died and is alive again`)
  }
}

/** What handlers have heard of, for every component and for some queries. */
interface Heard {
  compare(plain: PlainWorld): void
  /** What was heard of is no more: this is what there is now. */
  rebuild(plain: PlainWorld): void
}

/** Everyone who has a component was heard of once, and nobody else; the same for queries. */
function listen(world: World): Heard {
  const byKind = new Map<Kind, Set<number>>()
  for (const { kind } of [...SORTS, ...OBJECT_SORTS]) {
    const members = new Set<number>()
    byKind.set(kind, members)
    world.onAdd(kind, (handle) => {
      if (members.has(handle)) throw new Error(`${kind.componentName} was told to come twice`)
      if (!world.has(handle, kind)) throw new Error(`${kind.componentName} came and is not there`)
      members.add(handle)
    })
    world.onRemove(kind, (handle) => {
      if (!world.has(handle, kind)) throw new Error(`${kind.componentName} goes and is not there`)
      if (!members.delete(handle)) throw new Error(`${kind.componentName} goes and never came`)
    })
  }
  const byTerms = [1, 2, 3, 4].map((n) => {
    const terms = pickTerms(n)
    const query = world.query(...queryTermsOf(terms))
    const members = new Set<number>()
    world.onEnter(query as Query, (handle) => {
      if (members.has(handle)) throw new Error(`${JSON.stringify(n)} was entered twice`)
      members.add(handle)
    })
    world.onExit(query as Query, (handle) => {
      if (!members.delete(handle)) throw new Error(`${JSON.stringify(n)} was left and never entered`)
    })
    return { terms, members }
  })
  const sorted = (handles: Iterable<number>) => [...handles].sort((a, b) => a - b)
  const refill = (members: Set<number>, handles: Iterable<number>) => {
    members.clear()
    for (const handle of handles) members.add(handle)
  }
  return {
    rebuild(plain) {
      for (const [kind, members] of byKind)
        refill(members, plain.matchingSwitch({ ...ANY, required: [kind] }, kind))
      for (const { terms, members } of byTerms) refill(members, plain.matching(terms))
    },
    compare(plain) {
      for (const [kind, members] of byKind) {
        const expected = plain.matchingSwitch({ ...ANY, required: [kind] }, kind)
        expect(sorted(members), kind.componentName).toEqual(sorted(expected))
      }
      for (const { terms, members } of byTerms) {
        expect(sorted(members), 'a query that is watched').toEqual(sorted(plain.matching(terms)))
      }
      const objects = [...plain.entities.values()].flatMap((components) =>
        OBJECT_SORTS.filter(({ kind }) => components.has(kind)),
      )
      expect(living.get(world) ?? 0).toBe(objects.length)
    },
  }
}

const ANY: PlainTerms = { required: [], excluded: [], anyOf: [], optional: [] }

interface Eachable {
  each(callback: (handle: number, ...cursors: (Values | undefined)[]) => void): void
}

interface Loopable {
  [Symbol.iterator](): Iterator<{
    readonly entities: Uint32Array
    readonly start: number
    readonly end: number
  }>
}

/** Loops over all that matches, and does `inside` in the first step (or behind the loop, if there is none). */
function visitAll(query: unknown, visited: number[], inside: () => void, choice: number): void {
  let done = false
  for (const chunk of query as Loopable) {
    for (let row = chunk.start; row < chunk.end; row++) visited.push(chunk.entities[row] as number)
    if (!done) inside()
    done = true
    if (choice % 5 === 0) break
  }
}
