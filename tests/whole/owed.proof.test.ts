// Shows with random scripts that change detection owes its readers nothing. The plain model has no tick in it: for each query
// with changed or added it keeps the entities that the query still owes its reader. A look must find them all, whatever moved in
// between; where rows are tracked, it must find no others.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  added,
  addMany,
  cascade,
  changed,
  cloneEntity,
  component,
  createAccessor,
  createCommands,
  destroyMany,
  entity,
  f32,
  not,
  object,
  onAdd,
  onSet,
  relation,
  createRemovalReader,
  removeMany,
  restoreWorld,
  setMany,
  snapshotWorld,
  sortRows,
  cloneMany,
  sparse,
  spawnMany,
  stable,
  sweepReferences,
  tag,
  u32,
  vec,
  type Component,
  type Entity,
  type Query,
  type Snapshot,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { testWorld } from '../support/world'

type Numbered = Component<{ n: typeof u32 }>

/** Long rows, so that some hundred entities fill several chunks; without lists, so that they move along plans. */
const LONG = Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`f${i}`, f32])) as { f0: typeof f32 }
const Plain = component('Plain', { n: u32, ...LONG }) as unknown as Numbered
const Beside = component('Beside', { n: u32 })
const Pooled = component('Pooled', { n: u32, pad: vec(f32, 60) }, { storage: sparse }) as unknown as Numbered
const Rowed = component('Rowed', { n: u32 }, { trackChanges: 'row' })
const PooledRowed = component('PooledRowed', { n: u32 }, { storage: sparse, trackChanges: 'row' })
const Fixed = component('Fixed', { n: u32 }, { storage: stable })
const Ref = component('Ref', { who: entity }, { storage: sparse, trackChanges: 'row' })
const ChildOf = relation('ChildOf', { exclusive: true })
const Seen = tag('Seen')
const Label = object<string>('Label')
const KINDS = [Plain, Beside, Pooled, Rowed, PooledRowed, Fixed] as unknown as Numbered[]
const ROWED = new Set<unknown>([Rowed, PooledRowed, Ref])

type Mode = 'changed' | 'added' | 'changed, not added'

/** A query with a memory, and what it owes. */
class Reader {
  owed = new Set<Entity>()
  /** Those that are new since the last look. */
  fresh = new Set<Entity>()

  constructor(
    readonly query: Query,
    readonly component: unknown,
    readonly mode: Mode,
    /** What else the query asks, as plain code. */
    readonly matches: (entity: Entity) => boolean = () => true,
  ) {}

  gained(one: Entity): void {
    if (this.mode === 'changed, not added') {
      this.fresh.add(one)
      this.owed.delete(one)
    } else this.owed.add(one)
  }

  wrote(one: Entity): void {
    if (this.mode === 'changed' || (this.mode === 'changed, not added' && !this.fresh.has(one)))
      this.owed.add(one)
  }

  lost(one: Entity): void {
    this.owed.delete(one)
    this.fresh.delete(one)
  }

  looked(): void {
    this.owed.clear()
    this.fresh.clear()
  }

  check(found: readonly Entity[], what: string): void {
    const where = `${what} of ${this.mode}: ${String(this.query)}`
    const list = new Set(found)
    if (list.size !== found.length) expect.unreachable(`${where} finds one twice`)
    for (const one of this.owed)
      if (this.matches(one) && !list.has(one)) expect.unreachable(`${where} misses ${one}`)
    for (const one of list) {
      if (!this.matches(one)) expect.unreachable(`${where} finds ${one}, which does not match`)
      if (ROWED.has(this.component) && !this.owed.has(one))
        expect.unreachable(`${where} finds ${one} in vain`)
    }
  }
}

/** Each way to look, which uses up what it finds. */
const LOOKS: ((query: Query) => Entity[])[] = [
  (query) => Array.from(query.entities()),
  (query) => {
    const found: Entity[] = []
    query.each((one) => void found.push(one))
    return found
  },
  (query) => {
    const found: Entity[] = []
    for (const chunk of query)
      for (let i = chunk.start; i < chunk.end; i++) found.push(chunk.entities[i] as Entity)
    return found
  },
]

interface Saved {
  readonly snapshot: Snapshot
  readonly alive: readonly Entity[]
  readonly sets: readonly (readonly [Set<Entity>, Set<Entity>])[]
}

class Twin {
  readonly world: World = testWorld()
  private alive: Entity[] = []
  readonly readers: Reader[] = []
  private readonly versions: { query: Query; version: number; members: string }[] = []
  private saved: Saved | undefined

  constructor(listens: boolean) {
    const { world } = this
    if (listens) {
      onAdd(world, Beside, () => {})
      onSet(world, Plain, () => {})
      createRemovalReader(world, Rowed)
      world.spawn(Label('x'))
    }
    const has = (C: unknown) => (one: Entity) => world.has(one, C as typeof Plain)
    const read = (C: unknown, mode: Mode, terms: unknown[] = [], matches?: (one: Entity) => boolean) => {
      const term =
        mode === 'added' ? added(C as never) : mode === 'changed' ? changed(C as never) : changed(C as never, { added: false }) // prettier-ignore
      const query = world.query(...([term, ...terms] as never[])) as unknown as Query
      this.readers.push(new Reader(query, C, mode, matches))
      return query
    }
    for (const C of [...KINDS, Ref, ChildOf]) {
      read(C, 'changed')
      read(C, 'added')
      if (ROWED.has(C)) read(C, 'changed, not added')
    }
    read(Plain, 'changed', [not(Beside)], (one) => !has(Beside)(one))
    read(PooledRowed, 'changed', [Plain], has(Plain))
    read(Rowed, 'changed', [cascade(ChildOf)])
    read(Plain, 'added', [cascade(ChildOf)])
    const isLow = (one: Entity) => (world.get(one, Rowed)?.n as number) < 500
    const narrowed = world.query(changed(Rowed)).where(Rowed, 'n', '<', 500) as unknown as Query
    this.readers.push(new Reader(narrowed, Rowed, 'changed', isLow))
    const watched = [
      [Plain, not(Beside)],
      [Beside, not(Plain)],
      [Pooled, not(PooledRowed)],
      [Beside, PooledRowed],
    ]
    for (const terms of watched) {
      const query = world.query(...(terms as never[])) as unknown as Query
      this.versions.push({ query, version: -1, members: '' })
    }
    for (let i = 0; i < 300; i++) this.spawn(i * 7 + (i >> 3))
  }

  private each(C: unknown, tell: (reader: Reader) => void): void {
    for (const reader of this.readers) if (reader.component === C) tell(reader)
  }

  private gained = (C: unknown, one: Entity) => this.each(C, (reader) => reader.gained(one))
  private wrote = (C: unknown, one: Entity) => this.each(C, (reader) => reader.wrote(one))

  /** What is gone is owed no more. */
  private forget(): void {
    for (const reader of this.readers)
      for (const one of [...reader.owed, ...reader.fresh])
        if (!this.world.has(one, reader.component as typeof Plain)) reader.lost(one)
  }

  private kindsBy(bits: number): Numbered[] {
    return KINDS.filter((C, k) => (C === Plain ? (bits & 7) !== 0 : (bits >> (k + 3)) & 1))
  }

  private spawn(bits: number): void {
    const kinds = this.kindsBy(bits)
    const [one] = bits % 3 === 0 ? spawnMany(this.world, 1, kinds) : [this.world.spawn(...kinds)]
    for (const C of kinds) this.gained(C, one as Entity)
    this.alive.push(one as Entity)
  }

  private some(a: number): Entity[] {
    const { alive } = this
    return [
      ...new Set(Array.from({ length: 1 + (a % 5) }, (_, i) => alive[(a + i * 31) % alive.length] as Entity)),
    ]
  }

  /** Gives a component, with or without a value: by single calls, a list, a block, a buffer, or in bulk. */
  private give(list: readonly Entity[], C: Numbered, way: number, value: number | undefined): void {
    const { world } = this
    const what = value === undefined ? C : C({ n: value })
    const had = new Set(list.filter((one) => world.has(one, C)))
    if (way === 0) for (const one of list) world.add(one, what)
    else if (way === 1) addMany(world, list, what)
    else if (way === 2) world.batch(() => list.forEach((one) => world.add(one, what)))
    else if (way === 3) {
      const commands = createCommands(world)
      for (const one of list) commands.add(one, what)
      commands.apply()
    } else {
      addMany(world, list, Seen)
      addMany(world.query(Seen) as unknown as Query, what as never)
      removeMany(world, list, Seen)
    }
    for (const one of list)
      if (!had.has(one)) this.gained(C, one)
      else if (value !== undefined) this.wrote(C, one)
  }

  private take(list: readonly Entity[], C: Numbered, way: number): void {
    const { world } = this
    if (way === 0) for (const one of list) world.remove(one, C)
    else if (way === 1) removeMany(world, list, C)
    else if (way === 2) world.batch(() => list.forEach((one) => world.remove(one, C)))
    else {
      addMany(world, list, Seen)
      removeMany(world.query(Seen), C)
      removeMany(world, list, Seen)
    }
    for (const one of list) this.each(C, (reader) => reader.lost(one))
  }

  private write(list: readonly Entity[], C: Numbered, way: number, n: number): void {
    const { world } = this
    const having = list.filter((one) => world.has(one, C))
    if (way === 0) for (const one of having) world.set(one, C, { n })
    else if (way === 1) setMany(world, having, C, { n: having.map(() => n) })
    else if (way === 2) for (const one of having) createAccessor(world, C).of(one).n = n
    else if (way === 3) world.batch(() => having.forEach((one) => world.set(one, C, { n })))
    else {
      const wanted = new Set(having)
      world.query(C).each((one, cursor) => {
        if (wanted.has(one)) cursor.n = n
      })
    }
    for (const one of having) this.wrote(C, one)
  }

  step([kind, a, b]: readonly [number, number, number]): void {
    const { world, alive } = this
    const C = KINDS[b % KINDS.length] as Numbered
    const D = KINDS[(b >> 3) % KINDS.length] as Numbered
    const one = alive[a % alive.length] as Entity
    switch (kind) {
      case 0:
        return this.spawn(a)
      case 1: {
        const copies = b % 2 === 0 ? [cloneEntity(world, one)] : Array.from(cloneMany(world, one, 2))
        for (const copy of copies)
          for (const K of [...KINDS, Ref, ChildOf]) if (world.has(copy, K as Numbered)) this.gained(K, copy)
        return void alive.push(...copies)
      }
      case 2: {
        if (alive.length < 40) return
        if (b % 3 === 0) world.batch(() => world.destroy(one))
        else destroyMany(world, [one])
        alive.splice(a % alive.length, 1)
        return this.forget()
      }
      case 3:
        return this.give(this.some(a), C, b % 5, undefined)
      case 4:
        return this.give(this.some(a), C, b % 5, a % 1000)
      case 5:
        return this.take(this.some(a), C, b % 4)
      case 6:
      case 7:
        return this.write(this.some(a), C, (b >> 4) % 5, a % 1000)
      case 8: {
        if (C === D || !world.has(one, C) || world.has(one, D)) return
        world.exchange(one, [C], [D])
        this.each(C, (reader) => reader.lost(one))
        return this.gained(D, one)
      }
      case 9:
        return b % 3 === 0
          ? sortRows(world, Pooled as unknown as Component<{ n: typeof u32 }, 'sparse'>, 'n')
          : world.advanceTick()
      case 10: {
        const to = alive[b % alive.length] as Entity
        if (b % 2 === 0) {
          const had = world.has(one, Ref)
          world.set(one, Ref, { who: to })
          return had ? this.wrote(Ref, one) : this.gained(Ref, one)
        }
        if (to === one || world.target(one, ChildOf) === to) return
        try {
          world.add(one, ChildOf(to))
        } catch {
          return // It would close a cycle.
        }
        return this.gained(ChildOf, one)
      }
      case 11: {
        const stale = alive.filter((each) => {
          const who = world.get(each, Ref)?.who
          return who !== undefined && who !== 0 && !world.isAlive(who)
        })
        sweepReferences(world)
        return stale.forEach((each) => this.wrote(Ref, each))
      }
      case 12:
        return this.saveOrRestore(b)
      case 13:
        return this.peek(this.readers[a % this.readers.length] as Reader, b)
      default:
        return this.look(this.readers[a % this.readers.length] as Reader, b)
    }
  }

  /** What a reader has seen goes back with the world. */
  private saveOrRestore(b: number): void {
    const { world, saved, readers } = this
    if (saved === undefined || b % 2 === 0) {
      const sets = readers.map(({ owed, fresh }) => [new Set(owed), new Set(fresh)] as const)
      this.saved = { snapshot: snapshotWorld(world), alive: [...this.alive], sets }
      return
    }
    restoreWorld(world, saved.snapshot)
    this.alive = [...saved.alive]
    readers.forEach((reader, k) => {
      const [owed, fresh] = saved.sets[k] as (typeof saved.sets)[number]
      reader.owed = new Set(owed)
      reader.fresh = new Set(fresh)
    })
    for (const watched of this.versions) watched.version = -1
  }

  /** Leaves everything to be found. */
  private peek(reader: Reader, b: number): void {
    const { query } = reader
    const found = Array.from(query.slice(0, 1e6).entities())
    reader.check(found, 'a page')
    expect([query.count, query.isEmpty]).toEqual([found.length, found.length === 0])
    if (b % 2 !== 0) return
    for (const _ of query) break
    // A loop over nothing has come to its end, and is a look.
    if (found.length === 0) reader.looked()
  }

  look(reader: Reader, b: number): void {
    const look = LOOKS[b % LOOKS.length] as (typeof LOOKS)[number]
    reader.check(look(reader.query), `look ${b % LOOKS.length}`)
    reader.looked()
    for (const watched of this.versions) {
      const members = String([...watched.query.entities()].sort((x, y) => x - y))
      const { version } = watched.query
      if (members !== watched.members && version === watched.version)
        expect.unreachable(`the version of ${String(watched.query)} stands still`)
      watched.members = members
      watched.version = version
    }
  }
}

const step = fc.tuple(fc.nat(17), fc.nat(4095), fc.nat(4095))
const seed = Number(globalThis.process?.env?.['STRATA_SEED'] ?? 20_261_125)

describe.each([false, true])('with listeners: %s', (listens) => {
  it('every reader finds what it should, and no tracked row in vain', () => {
    const property = fc.property(fc.array(step, { minLength: 100, maxLength: 400, size: 'max' }), (steps) => {
      const twin = new Twin(listens)
      steps.forEach((each, i) => {
        twin.step(each)
        if (i % 32 === 0) checkInvariants(twin.world)
      })
      twin.readers.forEach((reader, k) => twin.look(reader, k))
      checkInvariants(twin.world)
      twin.world.dispose()
    })
    fc.assert(property, { seed, numRuns: proofLength(100) })
  })
})
