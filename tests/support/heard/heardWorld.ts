// The real side of a script of what is heard: makes calls on a world, notes them with the handles that they gave, and keeps the log of
// all that listeners were told.

import {
  addMany,
  clearWorld,
  disableMany,
  enableMany,
  cloneEntity,
  createCommands,
  createSpawner,
  destroyMany,
  endFrame,
  mergeWorld,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onResource,
  onSet,
  removeMany,
  saveWorld,
  setMany,
  spawnAt,
  cloneMany,
  spawnMany,
  spawnManyAt,
  onChange,
  omit,
  type Commands,
  type Query,
  type World,
} from '../../../bindings/index'
import { type Call, type Ear, type Entry, nameOf } from './calls'
import { type Kind, RESOURCES, type Thing, lives } from './kinds'
import type { Ingredient } from './plain'
import { Seeing, wordOf } from './seeing'

/** The world with calls of any form: the script makes what no compiler can know. */
type Loose = Record<string, (...given: never[]) => unknown>
type Declared = (...given: unknown[]) => unknown

/** Outside of blocks a call that throws gives no handles, though what it makes is there. */
const GIVING: ReadonlySet<Call['call']> = new Set([
  'spawn',
  'spawnMany',
  'spawnAt',
  'spawnManyAt',
  'clone',
  'spawnFrom',
  'merge',
  'listen',
])

export class HeardWorld extends Seeing {
  readonly log: Entry[] = []
  readonly queries: Query[] = []
  /** Every handle that a call gave, and how many were given before it. */
  readonly handles: number[] = []
  readonly ages = new Map<number, number>()
  readonly ears = new Map<Ear, () => void>()
  readonly buffers = new Map<number, Commands>()
  /** How many loops, blocks and listeners are open. */
  depth = 0
  /** Whether listeners may throw, and what the first one threw since the script has asked. */
  private mayThrow = true
  private thrown: unknown
  /** Where calls are noted. */
  private noted: Call[] = []
  private things = 0
  private readonly prepared = new Map<string, (...values: unknown[]) => number>()
  /** What a listener does when it is called: it may call back. */
  react: (ear: Ear) => void = () => {}

  constructor(world: World, kinds: readonly Kind[]) {
    super(world, kinds)
    const entryOf = (by: string, entity: number, seen: string, thing?: Thing) => {
      const entry: Entry = { by, entity, seen, calls: [], ...(thing && { thing }) }
      this.log.push(entry)
      return entry
    }
    lives.begins = (name, { n }, handle) => void entryOf(`init ${name}`, handle, `${n}`)
    lives.ends = (name, { n }, handle) => void entryOf(`dispose ${name}`, handle, `${n}`)
    lives.made = (name) => entryOf(`make ${name}`, -1, '', this.thing()).thing as Thing
    lives.cloned = (name, { n }) => entryOf(`clone ${name}`, -1, `${n}`, this.thing()).thing as Thing
  }

  thing(): Thing {
    return { n: ++this.things }
  }

  /** Notes the calls of an action. */
  noting(action: () => void, calls: Call[] = []): Call[] {
    const before = this.noted
    this.noted = calls
    try {
      action()
    } finally {
      this.noted = before
    }
    return calls
  }

  // ── listeners ──────────────────────────────────────────────────────────────────────────────────────────

  private heard(ear: Ear, entity: number, seen: string): void {
    const entry: Entry = { by: nameOf(ear), entity, seen, calls: [] }
    this.log.push(entry)
    this.depth++
    try {
      this.noting(() => this.react(ear), entry.calls)
    } finally {
      this.depth--
    }
    if (ear.throws !== true || !this.mayThrow) return
    const error = new Error(`thrown by ${nameOf(ear)}`)
    this.thrown ??= error
    throw error
  }

  /** What the first listener threw since this was asked: the call that was made must have thrown it at its end. */
  takeThrown(): unknown {
    const { thrown } = this
    this.thrown = undefined
    return thrown
  }

  private listen(ear: Ear): void {
    const { world } = this
    const declared = ear.kind?.declared as never
    const query = this.queries[ear.query ?? 0] as never
    const existing = ear.existing === true ? { existing: true } : undefined
    const tell = (entity: number) => this.heard(ear, entity, this.described(entity))
    let stop: () => void
    if (ear.event === 'onAdd') stop = onAdd(world, declared, tell, existing)
    else if (ear.event === 'onRemove') stop = onRemove(world, declared, tell)
    else if (ear.event === 'onEnter') stop = onEnter(query, tell as never, existing)
    else if (ear.event === 'onExit') stop = onExit(query, tell as never)
    else if (ear.event === 'onResource')
      stop = onResource(world, RESOURCES[ear.resource as number] as never, () =>
        this.heard(ear, -1, `${ear.resource}`),
      )
    else if (ear.event === 'subscribe')
      stop = onChange(query, () => {
        const found = [...(query as Query).entities()].sort((a, b) => a - b)
        this.heard(ear, -1, `${found.join()} in ${this.all()}`)
      })
    else if (ear.before !== true) stop = onSet(world, declared, tell)
    else
      stop = onSet(
        world,
        declared,
        ((entity: number, before: unknown) => {
          const told = before === undefined ? 'nothing' : wordOf(before)
          this.heard(ear, entity, `${told} → ${this.described(entity)}`)
        }) as never,
        { before: true },
      )
    this.ears.set(ear, stop)
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Makes a call and notes it. */
  make(call: Call): void {
    this.noted.push(call)
    this.calmly(GIVING.has(call.call), () => this.call(call, this.world as unknown as Loose))
  }

  /** Makes a call; if it gives handles, and outside of blocks, no listener throws. */
  private calmly(gives: boolean, action: () => void): void {
    const { mayThrow } = this
    if (gives && this.depth === 0) this.mayThrow = false
    try {
      action()
    } finally {
      this.mayThrow = mayThrow
    }
  }

  /** Disposes of the world, of which listeners are told once more. */
  end(): void {
    this.react = () => {}
    this.mayThrow = false
    this.world.dispose()
  }

  private born(handles: ArrayLike<number>): readonly number[] {
    for (const handle of Array.from(handles)) {
      this.ages.set(handle, this.handles.length)
      this.handles.push(handle)
    }
    return Array.from(handles)
  }

  /** Copies in the order in which what they are copies of was born: so what depends on another one is always the younger. */
  private byAge(copies: ReadonlyMap<number, number>): readonly number[] {
    const ageOf = (entity: number) => this.ages.get(entity) as number
    return [...copies].sort(([a], [b]) => ageOf(a) - ageOf(b)).map(([, copy]) => copy)
  }

  private given(gains: readonly Ingredient[]): never[] {
    return gains.map(({ kind, values, thing, target }) => {
      if (kind.sort === 'relation')
        return (kind.declared as unknown as Declared)(target, ...(values === undefined ? [] : [values]))
      const value = kind.sort === 'object' ? thing : values
      return value === undefined ? kind.declared : (kind.declared as unknown as Declared)(value)
    }) as never[]
  }

  private call(call: Call, on: Loose): void {
    const { world } = this
    const bare = (kinds: readonly Kind[]) => kinds.map(({ declared }) => declared) as never[]
    switch (call.call) {
      case 'spawn':
        call.handles = this.born([on['spawn']?.(...this.given(call.gains)) as number])
        return
      case 'spawnAt': {
        const [handle] = call.handles as [number]
        const given = this.given(call.gains)
        if (on === (world as unknown as Loose)) spawnAt(world, handle, ...given)
        else (on['spawnAt'] as Declared)(handle, ...given)
        this.born([handle])
        return
      }
      case 'spawnMany': {
        const given = this.given(call.gains)
        const count = call.handles.length
        if (on !== (world as unknown as Loose)) {
          call.handles = this.born((on['spawnMany'] as Declared)(count, given) as number[])
          return
        }
        const fill = call.fill.splice(0)
        call.handles = this.born(spawnMany(world, count, given, ...this.filling(fill, call.fill)))
        return
      }
      case 'spawnManyAt': {
        const fill = call.fill.splice(0)
        spawnManyAt(
          world,
          call.handles as number[],
          this.given(call.gains),
          ...(this.filling(fill, call.fill) as []),
        )
        this.born(call.handles)
        return
      }
      case 'clone':
        call.handles = this.born([cloneEntity(world, call.source as never, ...this.overrides(call))])
        return
      case 'spawnFrom':
        call.handles = this.born(
          cloneMany(world, call.source as never, call.handles.length, ...this.overrides(call)),
        )
        return
      case 'merge':
        call.handles = mergeWorld(world, saveWorld(world)).handles as ReadonlyMap<number, number>
        this.born(this.byAge(call.handles))
        return
      case 'add':
        return void on['add']?.(call.entity as never, ...this.given(call.gains))
      case 'remove':
        return void on['remove']?.(call.entity as never, ...bare(call.losses))
      case 'exchange':
        return void on['exchange']?.(
          call.entity as never,
          bare(call.losses) as never,
          this.given(call.gains) as never,
        )
      case 'set':
      case 'setIfDifferent': {
        const value = call.kind.sort === 'object' ? call.thing : call.values
        return void on[call.call]?.(call.entity as never, call.kind.declared as never, value as never)
      }
      case 'setSeveral':
        return void on['set']?.(call.entity as never, ...this.given(call.gains))
      case 'switch':
        return void on[call.on ? 'enable' : 'disable']?.(call.entity as never, call.kind.declared as never)
      case 'destroy':
        return void on['destroy']?.(call.entity as never)
      case 'addMany':
        return void addMany(world, call.entities, ...this.given(call.gains))
      case 'removeMany':
        return void removeMany(world, call.entities, ...bare(call.losses))
      case 'destroyMany':
        return void destroyMany(world, call.entities)
      case 'setMany': {
        const names = Object.keys(call.values[0] ?? {})
        const lists = Object.fromEntries(
          names.map((name) => [name, call.values.map((values) => values[name])]),
        )
        return void setMany(world, call.entities, call.kind.declared as never, lists as never)
      }
      case 'setTargets': {
        const name = Object.keys(call.kind.defaults)[0]
        const values = call.values?.map((each) => each[name as string])
        const options = values === undefined ? [] : [{ values: { [name as string]: values } }]
        return void on['setTargets']?.(
          call.entity as never,
          call.kind.declared as never,
          call.targets as never,
          ...(options as never[]),
        )
      }
      case 'unlink': {
        const relation = call.kind.declared as unknown as Declared
        return void on['remove']?.(
          call.entity as never,
          ...(call.targets.map((to) => relation(to)) as never[]),
        )
      }
      case 'queryAdd':
      case 'queryRemove':
      case 'queryDestroy':
      case 'queryEnable':
      case 'queryDisable':
        return this.callQuery(call)
      case 'endFrame':
        return endFrame(world)
      case 'clear':
        return clearWorld(world)
      case 'setResource':
        return void world.setResource(
          RESOURCES[call.resource] as never,
          (call.resource === 0 ? { wind: 1 } : { level: 1 }) as never,
        )
      case 'removeResource':
        return void world.removeResource(RESOURCES[call.resource] as never)
      case 'listen':
        return this.listen(call.ear)
      case 'stop':
        this.ears.get(call.ear)?.()
        return void this.ears.delete(call.ear)
      case 'record':
        return this.call(call.recorded, this.bufferOf(call.buffer) as unknown as Loose)
      case 'apply':
        return this.bufferOf(call.buffer).apply()
      case 'forget':
        return this.bufferOf(call.buffer).clear()
      default:
        throw new Error('a block is opened by the script')
    }
  }

  private bufferOf(n: number): Commands {
    const buffer = this.buffers.get(n) ?? createCommands(this.world)
    this.buffers.set(n, buffer)
    return buffer
  }

  /** The callback of spawnMany, if it does anything: it makes the calls at its first run of rows. */
  private filling(planned: readonly Call[], made: Call[]): [((chunk: unknown) => void)?] {
    if (planned.length === 0) return []
    let done = false
    return [
      () => {
        if (done) return
        done = true
        this.depth++
        const isPossible = (call: Call) => !('entity' in call) || this.isAlive(call.entity)
        const leadsToLiving = (call: Call) =>
          !('gains' in call) || call.gains.every(({ target }) => target === undefined || this.isAlive(target))
        for (const call of planned)
          if (isPossible(call) && leadsToLiving(call)) this.noting(() => this.make(call), made)
        this.depth--
      },
    ]
  }

  private overrides(call: {
    readonly gains: readonly Ingredient[]
    readonly losses: readonly Kind[]
  }): never[] {
    const left = call.losses.length === 0 ? [] : [omit(...call.losses.map(({ declared }) => declared))]
    return [...this.given(call.gains), ...left] as never[]
  }

  private callQuery(call: Extract<Call, { query: number }>): void {
    const query = this.queries[call.query] as Query
    const [first] = call.found ?? []
    const all = [...query.entities()]
    const one = call.isPage
      ? query.slice(
          all.indexOf(first as never),
          all.indexOf(first as never) + (call.found as number[]).length,
        )
      : query
    if (call.call === 'queryAdd') addMany(one, ...this.given(call.gains))
    else if (call.call === 'queryRemove')
      removeMany(one, ...(call.losses.map(({ declared }) => declared) as never[]))
    else if (call.call === 'queryDestroy') destroyMany(one)
    else (call.call === 'queryEnable' ? enableMany : disableMany)(one, call.losses[0]?.declared as never)
  }

  /** Opens a loop or block, in which an action is done once. */
  block(form: 'defer' | 'each' | 'loop', action: () => void): void {
    const calls: Call[] = []
    this.noted.push({ call: 'block', form, calls })
    let done = false
    const inside = () => {
      if (done) return
      done = true
      this.depth++
      try {
        this.noting(action, calls)
      } finally {
        this.depth--
      }
    }
    const query = this.world.query()
    if (form === 'defer') this.world.batch(inside)
    else if (form === 'each') query.each(inside)
    else for (const chunk of query) inside.call(chunk)
  }

  /** Spawns by a prepared spawner, which is made at its first use. */
  spawnPrepared(kinds: readonly Kind[], gains: readonly Ingredient[]): void {
    const call: Call = { call: 'spawn', handles: [], gains }
    this.noted.push(call)
    const key = kinds.map(({ name }) => name).join()
    const parts = kinds.map(({ declared, sort, defaults }) =>
      sort === 'tag' ? declared : [declared, ...(sort === 'object' ? ['value'] : Object.keys(defaults))],
    )
    const spawn =
      this.prepared.get(key) ??
      (createSpawner(this.world, ...(parts as never[])) as (...values: unknown[]) => number)
    this.prepared.set(key, spawn)
    const values = gains.flatMap(({ thing, values: of = {} }) =>
      thing === undefined ? Object.values(of) : [thing],
    )
    this.calmly(true, () => void (call.handles = this.born([spawn(...values)])))
  }
}
