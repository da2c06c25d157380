// The choices of the script of what is heard: which call is made, for whom, with what. What is refused is not chosen.

import type { Entity, World } from '../../../bindings/index'
import type { Call, Ear, Event } from './calls'
import type { HeardWorld } from './heardWorld'
import { type Kind, RESOURCES, type Values } from './kinds'
import type { Ingredient } from './plain'
import { INSIDE, MOST, QUERIES, REACTING, type Random, TOP } from './shares'

export abstract class Choosing {
  abstract readonly real: HeardWorld
  protected reactions = 0
  /** Whether this step has ended a frame. */
  protected ended = false
  private ids = 0

  constructor(
    readonly world: World,
    /** Whether copies get more than their model has. */
    private readonly overrides: boolean,
  ) {}

  // ── choices ────────────────────────────────────────────────────────────────────────────────────────────

  protected kind(random: Random, from: readonly Kind[] = this.real.kinds): Kind {
    return from[random(from.length)] as Kind
  }

  private alive(random: Random): number | undefined {
    const { handles } = this.real
    const first = random(handles.length || 1)
    for (let i = 0; i < handles.length; i++) {
      const handle = handles[(first + i) % handles.length] as number
      if (this.real.isAlive(handle)) return handle
    }
    return undefined
  }

  /** Some handles, with repeats and dead ones among them. */
  private several(random: Random): number[] {
    const { handles } = this.real
    return Array.from({ length: 1 + random(6) }, () =>
      random(5) === 0 ? (handles[random(handles.length)] as number) : (this.alive(random) ?? -1),
    ).filter((handle) => handle >= 0)
  }

  /** A component with values, or without. `source` is who gets it: what it depends on must be older. */
  protected giving(random: Random, kind: Kind, isNew: boolean, source?: number): Ingredient {
    const n = random(0x7fffffff)
    if (kind.sort === 'object')
      return kind.makes && random(2) === 0 ? { kind } : { kind, thing: this.real.thing() }
    if (kind.sort === 'relation') {
      const target = this.targetFor(random, kind, isNew ? undefined : source)
      if (target === undefined) return { kind: this.real.kinds[0] as Kind }
      return Object.keys(kind.defaults).length > 0 && random(2) === 0
        ? { kind, target, values: kind.make(n) }
        : { kind, target }
    }
    return kind.sort === 'component' && random(3) > 0 ? { kind, values: kind.make(n) } : { kind }
  }

  private targetFor(random: Random, kind: Kind, source: number | undefined): number | undefined {
    const target = this.alive(random)
    if (target === undefined || target === source) return undefined
    const { ages } = this.real
    const isOlder = source === undefined || (ages.get(target) as number) < (ages.get(source) as number)
    return kind.policy === 'destroy' && !isOlder ? undefined : target
  }

  protected some(random: Random, most: number, from: readonly Kind[], source?: number): Ingredient[] {
    const found = new Map<Kind, Ingredient>()
    for (let n = random(most); n >= 0; n--) {
      const given = this.giving(random, this.kind(random, from), source === undefined, source)
      if (!found.has(given.kind)) found.set(given.kind, given)
    }
    return [...found.values()]
  }

  private bare(random: Random, most: number, from = this.real.kinds): Kind[] {
    return [...new Set(Array.from({ length: 1 + random(most) }, () => this.kind(random, from)))]
  }

  /** One of those that an entity has, more often than not. */
  private own(random: Random, entity: number, most = 2): Kind[] {
    const had = this.real.kinds.filter(({ declared }) => this.world.has(entity, declared as never))
    return had.length === 0 || random(4) === 0 ? this.bare(random, most) : this.bare(random, most, had)
  }

  private freeHandle(random: Random): number | undefined {
    const { handles } = this.real
    const handle = handles[random(handles.length)]
    if (handle === undefined) return undefined
    const isTaken = handles.some((other) => ((other ^ handle) & 0xffffff) === 0 && this.real.isAlive(other))
    return isTaken ? undefined : handle
  }

  // ── what is done ───────────────────────────────────────────────────────────────────────────────────────

  protected act(random: Random, where: Event | 'top', code = random(1000)): void {
    const { real } = this
    const table = real.depth === 0 ? TOP : where === 'top' ? INSIDE : REACTING
    const choice = table[code % table.length] as string
    const count = real.handles.filter((handle) => real.isAlive(handle)).length
    const isFull = count > MOST && /spawn|clone|merge/.test(choice)
    const call = isFull ? this.callOf(random, 'destroyMany', where) : this.callOf(random, choice, where)
    if (call !== undefined) real.make(call)
  }

  private callOf(random: Random, choice: string, where: Event | 'top'): Call | undefined {
    const { real } = this
    const { kinds } = real
    const entity = this.alive(random)
    const shared = kinds.filter(
      ({ sort, policy }) => sort !== 'object' && !(sort === 'relation' && policy === 'destroy'),
    )
    switch (choice) {
      case 'spawn':
        return { call: 'spawn', handles: [], gains: this.some(random, 4, kinds) }
      case 'prepared': {
        const from = kinds.filter(
          ({ sort, name }) => isNoRelation({ sort }) && name !== 'Aim' && name !== 'Moves',
        )
        const some = this.bare(random, 3, from).filter(
          (kind) => kind.sort !== 'component' || !('m' in kind.defaults && kind.name === 'Grid'),
        )
        const gains = some.map((kind): Ingredient => {
          if (kind.sort === 'tag') return { kind }
          if (kind.sort === 'object') return { kind, thing: real.thing() }
          return { kind, values: { ...kind.defaults, ...kind.make(random(1000)) } }
        })
        if (some.length > 0) real.spawnPrepared(some, gains)
        return undefined
      }
      case 'spawnAt': {
        const handle = this.freeHandle(random)
        return handle === undefined
          ? undefined
          : { call: 'spawnAt', handles: [handle], gains: this.some(random, 3, kinds) }
      }
      case 'spawnMany': {
        const handles = Array.from({ length: 1 + random(4) }, () => 0)
        const fill =
          random(3) === 0 ? [this.callOf(random, 'add', where), this.callOf(random, 'destroy', where)] : []
        const planned = fill.filter((call) => call !== undefined).slice(random(2))
        return { call: 'spawnMany', handles, gains: this.some(random, 3, shared), fill: planned }
      }
      case 'spawnManyAt': {
        const free = [this.freeHandle(random), this.freeHandle(random)].filter((one) => one !== undefined)
        const handles = free.filter(
          (one, i) => free.findIndex((other) => ((other ^ one) & 0xffffff) === 0) === i,
        )
        if (handles.length === 0) return undefined
        return { call: 'spawnManyAt', handles, gains: this.some(random, 3, shared), fill: [] }
      }
      case 'endFrame':
        if (this.ended) return undefined
        this.ended = true
        return { call: 'endFrame' }
      case 'clear':
        return random(4) === 0 ? { call: 'clear' } : undefined
      case 'merge':
        return this.merging()
      case 'setResource':
      case 'removeResource':
        return { call: 'setResource', resource: random(RESOURCES.length) }
      case 'listen':
        this.listen(random, where)
        return undefined
      case 'stop': {
        const ear = [...real.ears.keys()][random(real.ears.size || 1)]
        return ear === undefined ? undefined : { call: 'stop', ear }
      }
      case 'block':
        this.block(random, where)
        return undefined
      case 'apply':
      case 'forget':
        return { call: choice, buffer: random(2) }
      case 'record': {
        const choices = [
          'spawn',
          'spawnMany',
          'spawnAt',
          'add',
          'add',
          'remove',
          'remove',
          'exchange',
          'set',
          'destroy',
        ]
        const recorded = this.callOf(random, choices[random(choices.length)] as string, where)
        if (recorded === undefined) return undefined
        if ('fill' in recorded) recorded.fill.length = 0
        return { call: 'record', buffer: random(2), recorded }
      }
      case 'query':
        return this.ofQuery(random, shared)
      default:
        // When a subscriber's set is told depends on what was applied before it was called: not compared yet.
        if (entity === undefined || (where === 'subscribe' && choice.startsWith('set'))) return undefined
        return this.ofEntity(random, choice, entity, shared)
    }
  }

  private ofEntity(
    random: Random,
    choice: string,
    entity: number,
    shared: readonly Kind[],
  ): Call | undefined {
    const { real } = this
    const { kinds } = real
    const n = random(0x7fffffff)
    switch (choice) {
      case 'add':
        return { call: 'add', entity, losses: [], gains: this.some(random, 3, kinds, entity) }
      case 'remove':
        return { call: 'remove', entity, losses: this.own(random, entity, 3), gains: [] }
      case 'exchange':
        return {
          call: 'exchange',
          entity,
          losses: this.own(random, entity),
          gains: this.some(random, 2, kinds, entity),
        }
      case 'discard':
        return {
          call: 'add',
          entity,
          losses: [],
          gains: [{ kind: kinds.find(({ name }) => name === 'Discarded') as Kind }],
        }
      case 'set':
      case 'setIfDifferent': {
        const own = this.own(random, entity, 1).filter(
          ({ sort }) => sort === 'component' || sort === 'object',
        )
        const kind =
          own[0] ??
          this.kind(
            random,
            kinds.filter(({ sort }) => sort === 'component'),
          )
        if (choice === 'setIfDifferent' && kind.sort === 'object') return undefined
        const isObject = kind.sort === 'object'
        return {
          call: choice,
          entity,
          kind,
          values: isObject ? {} : kind.make(n),
          thing: isObject ? real.thing() : undefined,
        }
      }
      case 'setSeveral': {
        const from = kinds.filter(({ sort }) => sort === 'component' || sort === 'object')
        const gains = this.some(random, 3, from).filter(
          ({ values, thing }) => values !== undefined || thing !== undefined,
        )
        return gains.length < 2 ? undefined : { call: 'setSeveral', entity, gains }
      }
      case 'switch': {
        const own = this.own(random, entity, 4).filter(({ toggles }) => toggles)
        const kind =
          own[0] ??
          this.kind(
            random,
            kinds.filter(({ toggles }) => toggles),
          )
        return { call: 'switch', entity, kind, on: random(2) === 0 }
      }
      case 'destroy':
        return { call: 'destroy', entity }
      case 'addMany':
        return { call: 'addMany', entities: this.several(random), gains: this.some(random, 2, shared) }
      case 'removeMany':
        return { call: 'removeMany', entities: this.several(random), losses: this.own(random, entity) }
      case 'destroyMany':
        return { call: 'destroyMany', entities: this.several(random) }
      case 'setMany': {
        const kind = this.kind(
          random,
          kinds.filter(({ sort, name }) => sort === 'component' && name !== 'Grid'),
        )
        const names = Object.keys(kind.make(n))
        const entities = this.several(random)
        const values = entities.map((_, i): Values => {
          const all = { ...kind.defaults, ...kind.make(n + i * 2) }
          return Object.fromEntries(names.map((name) => [name, all[name]]))
        })
        return { call: 'setMany', entities, kind, values }
      }
      case 'clone':
      case 'spawnFrom': {
        const handles = choice === 'clone' ? [0] : Array.from({ length: 1 + random(3) }, () => 0)
        const losses = random(3) === 0 ? this.own(random, entity) : []
        const from = choice === 'clone' ? kinds : shared
        const gains = this.overrides && random(2) === 0 ? this.some(random, 3, from) : []
        return {
          call: choice,
          source: entity,
          handles,
          losses: losses.filter((kind) => !gains.some((one) => one.kind === kind)),
          gains,
        }
      }
      default:
        return this.ofLinks(random, choice, entity)
    }
  }

  private ofLinks(random: Random, choice: string, entity: number): Call | undefined {
    const relations = this.real.kinds.filter((kind) => !isNoRelation(kind))
    if (relations.length === 0) return undefined
    const linked = relations.filter(({ declared }) => this.world.has(entity, declared as never))
    const kind = this.kind(random, linked.length > 0 && random(3) > 0 ? linked : relations)
    if (choice === 'link')
      return { call: 'add', entity, losses: [], gains: [this.giving(random, kind, false, entity)] }
    if (choice === 'unlink') {
      const targets = this.real.targetsOf(entity, kind).filter((target) => this.real.isAlive(target))
      const some = targets.filter(() => random(2) === 0)
      return some.length === 0 ? undefined : { call: 'unlink', entity, kind, targets: some }
    }
    const wanted = Array.from({ length: random(kind.isExclusive ? 2 : 4) }, () =>
      this.targetFor(random, kind, entity),
    )
    const targets = [...new Set(wanted)].filter((target) => target !== undefined)
    const hasValues = Object.keys(kind.defaults).length > 0 && targets.length > 0 && random(2) === 0
    const values = hasValues ? targets.map(() => kind.make(random(100))) : undefined
    return { call: 'setTargets', entity, kind, targets, values }
  }

  private ofQuery(random: Random, shared: readonly Kind[]): Call | undefined {
    const query = random(QUERIES)
    const calls = [
      'queryAdd',
      'queryAdd',
      'queryRemove',
      'queryRemove',
      'queryDestroy',
      'queryEnable',
      'queryDisable',
    ] as const
    const call = calls[random(calls.length)] as (typeof calls)[number]
    if (call === 'queryDestroy' && random(3) > 0) return undefined
    const all = [...(this.real.queries[query] as unknown as { entities(): Iterable<number> }).entities()]
    const isNow = this.real.depth === 0
    const isPage = isNow && all.length > 0 && random(4) === 0
    const from = random(all.length || 1)
    const found = isPage ? all.slice(from, from + 1 + random(3)) : all
    const isSwitch = call === 'queryEnable' || call === 'queryDisable'
    const losses = isSwitch
      ? [
          this.kind(
            random,
            this.real.kinds.filter(({ toggles }) => toggles),
          ),
        ]
      : call === 'queryRemove'
        ? this.bare(random, 3)
        : []
    const gains = call === 'queryAdd' ? this.some(random, 2, shared) : []
    if (gains.some(({ target }) => target !== undefined && all.includes(target))) return undefined
    return { call, query, gains, losses, isPage, found: isNow ? found : undefined }
  }

  /** A save of the world that is merged into it; not where a link leads to one that is gone, or only reserved: no save has that. */
  private merging(): Call | undefined {
    const { real, world } = this
    // Whoever has no components has no tag that hides it.
    const seen = new Set<number>(world.query().entities())
    const isSaved = (one: number) =>
      real.isAlive(one) && (seen.has(one) || world.componentsOf(one as Entity).length > 0)
    const living = real.handles.filter((handle) => real.isAlive(handle))
    const isWhole = real.kinds.every(
      (kind) => isNoRelation(kind) || living.every((one) => real.targetsOf(one, kind).every(isSaved)),
    )
    return real.depth > 0 || living.length > MOST / 2 || !isWhole
      ? undefined
      : { call: 'merge', handles: new Map() }
  }

  private block(random: Random, where: Event | 'top'): void {
    if (this.real.depth > 2) return
    const isEmpty = this.world.query().isEmpty
    const form = isEmpty ? 'defer' : (['defer', 'each', 'loop'] as const)[random(3)]
    this.real.block(form as 'defer', () => {
      for (let n = 1 + random(9); n >= 0; n--) this.act(random, where)
    })
  }

  protected listen(random: Random, where: Event | 'top'): void {
    const { real } = this
    if (real.ears.size > 60) return
    const events: readonly Event[] = [
      'onAdd',
      'onAdd',
      'onRemove',
      'onRemove',
      'onSet',
      'onSet',
      'onEnter',
      'onExit',
      'subscribe',
      'onResource',
    ]
    const event = events[random(events.length)] as Event
    const id = ++this.ids
    const isOfQuery = event === 'onEnter' || event === 'onExit' || event === 'subscribe'
    const kind = this.kind(random, event === 'onSet' ? real.kinds.slice(26) : real.kinds)
    const mayExist = event === 'onEnter' || event === 'onAdd'
    const existing = mayExist && where !== 'subscribe' && random(4) === 0
    const before =
      event === 'onSet' && (kind.sort === 'component' || kind.sort === 'object') && random(2) === 0
    const of = isOfQuery
      ? { query: random(QUERIES) }
      : event === 'onResource'
        ? { resource: random(RESOURCES.length) }
        : { kind }
    // One that throws while it is called for what is there stops the call that made it.
    const throws = !existing && random(8) === 0
    const ear: Ear = { id, event, ...of, existing, before, throws }
    real.make({ call: 'listen', ear })
  }
}

export function isNoRelation({ sort }: Pick<Kind, 'sort'>): boolean {
  return sort !== 'relation'
}
