// The model of what is heard, and the specification of events: it repeats the calls of a script, and says for each one what every
// listener, subscriber and reader must be told, in which order, and what it sees meanwhile. It is derived from docs/events.md,
// docs/in-a-loop.md and docs/relations.md. Where these leave an order open, the order of the log is taken.
//
//   rule                                                                                                     | where
//   ---------------------------------------------------------------------------------------------------------|------------------
//   One change: onExit, onRemove; the change; dispose, init, onAdd, onSet, onEnter; then what waits.         | telling.ts tell
//   Components come in the order of the call: what is lost, then what comes. A component on both sides       | changing.ts
//   stands where it is lost. Deaths, copies and merged saves: in the order of their declarations.            |   changeAll, bear
//   Queries come in the order of their first listeners, listeners of one in the order of subscription.       | telling.ts
//   Many entities: the steps once for all, component by component, entities in the order of the list.        | tell
//   Before the change listeners see all as it was, after it all as it is.                                    | tell, described
//   onSet: for every component that was given values, also a new one; `before` is undefined for a new one.   | isGiven
//   A component that is there and gets no values tells nothing. A write of a listener stays.                 | effect
//   A component starts over if it is lost and gained in one change: onRemove and onAdd, and onExit and       | restarts
//   onEnter of the queries that the entity would not match without it, before or after.                      |
//   A query is left and entered by what matches before and after. Off counts as missing; an excluded tag     | plain.ts matches
//   hides; a handle that is only reserved matches nothing, and a link to it gives it a row.                  | giveRows
//   Another target of an exclusive relation: the relation starts over. A link more or less: queries alone.   | withReplaced, sever
//   A death: all that depends on it is found; per relation those that lose their last link, as one change,   | destroyAll
//   then those that lose some, then all deaths as one change. Kept links: their sources leave queries with   | turns
//   the target in the same change, and enter when the target is back, in a change of its own.                | returned
//   A copy, with overrides, is one change: all that it has comes, and onSet is told of the overrides.        | copyNow
//   Makers run before all, clone functions before the copies are told of.                                    | made
//   What waits is applied in rounds: all that waited when the round began, then what came meanwhile.         | waiting.ts flush
//   In a round the changes of one entity are folded, where the first stands; links, switches, copies and     | applyRound, folded
//   changes of many are made in their turn, and nothing is folded across them. Destroy wins.                 |
//   A value is set at once if the component is there and nothing that waits concerns it; a listener's set    | set, wrote
//   is told after the round, before what listeners have queued. In a round every set of a listener waits.    | concerns
//   A switch is told at once, also in a block; of a listener it waits.                                       | switch
//   Links that waited: a dead target is left out, or takes the source along ('destroy').                     | withLivingTargets
//   Several copies that waited are told one after the other. Lists with links are one change, made in steps. | copies, replayMany
//   Subscribers come when nothing waits any more, once: surely if other entities match, never if one change  | tellSubscribers
//   of one entity left its match as it was, perhaps otherwise. Listeners of resources come after them.       |
//   Readers of removals get what onRemove is told, in the order of the changes, and whether it died.         | tell
//   A listener is called from the change after its subscription on, and never after it was ended; with       | listen, stop
//   `existing` at once, but in the first half of a change when that is made.                                 |
//   A listener that throws keeps no other from being called, nor the change from being made. The first error | script.ts step
//   is thrown at the end of the outermost call.                                                              |

import type { Call, Entry } from './calls'
import type { Kind, Thing, Values } from './kinds'
import { Changing, NONE, isGiven } from './changing'
import { type Ingredient, PlainEntity, wordOfAll } from './plain'
import type { Command } from './waiting'

export class HeardModel extends Changing {
  private readonly buffers = new Map<number, Command[]>()
  readonly resources: (number | undefined)[] = []

  protected perform({ calls }: Entry): void {
    for (const call of calls) this.replay(call)
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────────────

  replay(call: Call): void {
    switch (call.call) {
      case 'spawn':
      case 'spawnAt':
        for (const handle of call.handles) {
          this.reserve(handle)
          if (this.locks > 0) this.returns([handle])
          if (this.locks > 0) this.later({ entity: handle, losses: [], gains: call.gains, spawns: true })
          else if (call.call === 'spawn') this.change(handle, [], call.gains, true)
          else this.spawnNamed([handle], () => this.change(handle, [], call.gains, true))
        }
        return
      case 'spawnMany':
      case 'spawnManyAt':
        return this.spawnMany(call)
      case 'clone':
      case 'spawnFrom':
        return this.copies(call)
      case 'merge':
        return this.merge(call.handles)
      case 'add':
      case 'remove':
      case 'exchange':
        if (!this.isAlive(call.entity)) return
        if (this.locks > 0) this.later(call)
        else this.change(call.entity, call.losses, call.gains)
        return
      case 'set':
        return this.set(call.entity, ingredientOf(call))
      case 'setIfDifferent': {
        const has = this.valuesOf(call.entity, call.kind)
        const isSame =
          has !== undefined &&
          Object.entries(call.values).every(([key, value]) => alike((has as Values)[key], value))
        if (isSame && !this.concerns(call.entity, call.kind)) return
        return this.set(call.entity, ingredientOf(call))
      }
      case 'setSeveral':
        if (this.locks === 0) return this.change(call.entity, [], call.gains)
        for (const ingredient of call.gains) this.set(call.entity, ingredient)
        return
      case 'switch':
        return this.switch(call.entity, call.kind, call.on)
      case 'destroy':
        if (!this.isAlive(call.entity)) return
        if (this.locks > 0) this.later({ entity: call.entity, losses: [], gains: [], destroys: true })
        else this.destroyAll([call.entity], false)
        return
      case 'setMany':
        return this.together(() => {
          call.entities.forEach((entity, i) => {
            if (this.isAlive(entity)) this.set(entity, { kind: call.kind, values: call.values[i] as Values })
          })
        })
      case 'setResource':
      case 'removeResource':
        return this.wroteResource(call.resource)
      case 'listen':
        return this.listen(call.ear)
      case 'stop':
        return this.stop(call.ear)
      case 'block':
        return this.block(() => call.calls.forEach((each) => this.replay(each)))
      case 'unlink':
        return this.unlink(call.entity, call.kind, call.targets)
      case 'setTargets':
        return this.setTargets(call)
      case 'record':
        return this.record(call.buffer, call.recorded)
      case 'apply':
      case 'forget':
        return this.endBuffer(call.buffer, call.call === 'apply')
      default:
        return this.replayMany(call)
    }
  }

  private reserve(handle: number): void {
    if (this.isAlive(handle)) throw new Error(`the handle ${handle} was given out while it is alive`)
    this.entities.set(handle, new PlainEntity())
    this.returning.delete(handle)
  }

  /** Notes to which of some handles kept links lead: they are told of once these have rows. */
  private returns(handles: readonly number[]): void {
    for (const handle of handles) {
      if (this.sources('keep', new Set([handle])).length === 0) continue
      this.returning.add(handle)
      this.isOfMany = true
    }
  }

  /** Gives handles their rows. Kept links hold again in a change of their own, before what listeners of the first one queue. */
  private spawnNamed(handles: readonly number[], spawn: () => void): void {
    this.together(() => {
      if (this.sources('keep', new Set(handles)).length > 0) {
        this.isOfMany = true
        this.laterOther(() => this.tell({ effects: [], order: [], targets: handles }), true)
      }
      spawn()
    })
  }

  private set(entity: number, ingredient: Ingredient): void {
    const { kind, values, thing } = ingredient
    const plain = this.entities.get(entity)
    if (plain === undefined) return
    if (this.concerns(entity, kind)) return this.later({ entity, losses: [], gains: [ingredient] })
    if (!plain.has(kind)) {
      if (this.locks > 0) this.later({ entity, losses: [], gains: [ingredient] })
      else this.change(entity, [], [ingredient])
      return
    }
    const before = plain.components.get(kind)
    plain.components.set(kind, kind.sort === 'object' ? (thing as Thing) : { ...before, ...values })
    if (kind.sort === 'object') {
      this.meet(`dispose ${kind.name}`, entity, `${(before as Thing).n}`)
      this.meet(`init ${kind.name}`, entity, `${(thing as Thing).n}`)
    }
    this.wrote(entity, kind, before)
  }

  private switch(entity: number, kind: Kind, on: boolean): void {
    if (!this.isAlive(entity)) return
    if (this.concerns(entity, kind)) return this.laterOther(() => this.switchNow([entity], kind, on))
    if (!this.canSwitch(entity, kind, on)) return
    if (this.emitting) this.laterOther(() => this.switchNow([entity], kind, on))
    else this.switchNow([entity], kind, on)
  }

  private canSwitch(entity: number, kind: Kind, on: boolean): boolean {
    const plain = this.entities.get(entity)
    return plain?.has(kind) === true && plain.off.has(kind) === on
  }

  private switchNow(entities: readonly number[], kind: Kind, on: boolean, isLoose = false): void {
    const some = entities.filter((entity) => this.canSwitch(entity, kind, on))
    const change = ({ off }: PlainEntity) => void (on ? off.delete(kind) : off.add(kind))
    if (some.length > 0) this.turn(some, [], change, isLoose)
  }

  private unlink(entity: number, kind: Kind, targets: readonly number[]): void {
    if (!this.isAlive(entity)) return
    if (this.locks > 0 && !this.isApplying)
      return this.laterOther(() => this.unlinkNow(entity, kind, targets))
    if (this.locks > 0) return this.laterOther(() => this.unlinkNow(entity, kind, targets))
    this.unlinkNow(entity, kind, targets)
  }

  private unlinkNow(entity: number, kind: Kind, targets: readonly number[]): void {
    const links = this.entities.get(entity)?.targetsOf(kind) ?? []
    const ended = targets.filter((target) => links.includes(target))
    if (ended.length === 0) return
    if (ended.length === links.length) this.change(entity, [kind], [])
    else this.sever(entity, kind, ended)
  }

  private setTargets({ entity, kind, targets, values }: Call & { call: 'setTargets' }): void {
    const list = targets.map((target, i) => ({ target, values: values?.[i] }))
    const now = (entries: typeof list) => {
      if (!this.isAlive(entity)) return
      if (entries.length === 0) return this.change(entity, [kind], [])
      const [first] = entries
      const ingredient = kind.isExclusive ? { kind, ...first } : { kind, list: entries }
      this.change(entity, [], [ingredient as Ingredient])
    }
    if (this.locks === 0) return now(list)
    this.laterOther(() => {
      const living = list.filter(({ target }) => this.isAlive(target))
      if (living.length < list.length && kind.policy === 'destroy' && this.isAlive(entity))
        this.destroyAll([entity], false)
      else now(living)
    })
  }

  // ── many ───────────────────────────────────────────────────────────────────────────────────────────────

  private spawnMany({ call, handles, gains, fill }: Call & { call: 'spawnMany' | 'spawnManyAt' }): void {
    for (const handle of handles) this.reserve(handle)
    const now = () => {
      const left = this.isApplying ? this.withLivingTargets(gains) : gains
      if (left === undefined) {
        for (const handle of handles) this.entities.delete(handle)
        return
      }
      // What has a row by now is changed by itself.
      const early = handles.filter((handle) => this.entities.get(handle)?.hasRow === true)
      for (const handle of early) this.change(handle, [], left)
      const living = handles.filter((handle) => this.isAlive(handle) && !early.includes(handle))
      this.giveRows(left)
      this.block(() => {
        for (const each of fill) this.replay(each)
        this.changeAll(living, [], left)
      })
    }
    if (this.locks > 0) {
      this.laterOther(now)
      this.returns(handles)
      if (handles.some((handle) => this.returning.has(handle)))
        this.laterOther(() => this.tellReturned(), true)
    } else if (call === 'spawnMany') now()
    else this.spawnNamed(handles, now)
  }

  private copies({ source, handles, gains, losses }: Call & { call: 'clone' | 'spawnFrom' }): void {
    for (const handle of handles) this.reserve(handle)
    if (this.locks === 0) return this.copyNow(source, handles, gains, losses)
    this.laterOther(() => {
      for (const handle of handles) this.copyNow(source, [handle], gains, losses)
    })
  }

  private copyNow(
    source: number,
    handles: readonly number[],
    given: readonly Ingredient[],
    losses: readonly Kind[],
  ): void {
    const model = this.entities.get(source)
    const living = handles.filter((handle) => this.isAlive(handle))
    const gains = this.isApplying ? this.withLivingTargets(given) : given
    if (model === undefined || gains === undefined) {
      for (const handle of living) this.entities.delete(handle)
      return
    }
    this.giveRows(gains)
    const copied = [...model.components.keys()].filter((kind) => !losses.includes(kind) && !kind.hides)
    // A value that the call gives is in place of a clone.
    const isReplaced = (kind: Kind) => gains.some((one) => one.kind === kind && one.thing !== undefined)
    const cloned = copied.filter((kind) => kind.clones && !isReplaced(kind))
    const things = this.meetAll(
      cloned.flatMap((kind) =>
        living.map(() => ({
          by: `clone ${kind.name}`,
          entity: -1,
          seen: `${(model.components.get(kind) as Thing).n}`,
        })),
      ),
    )
    const born = living.map((handle, i) => {
      const copy = model.copy()
      for (const kind of [...copy.components.keys()])
        if (!copied.includes(kind) || (kind.sort === 'object' && !cloned.includes(kind))) copy.lose(kind)
      cloned.forEach((kind, k) => copy.components.set(kind, things[k * living.length + i]?.thing as Thing))
      for (const { kind, target } of gains)
        if (kind.isExclusive && target !== copy.targetsOf(kind)[0]) copy.lose(kind)
      const whole = this.made(copy, [], gains)
      for (const ingredient of whole) copy.gain(ingredient)
      return [handle, copy, new Set(whole.filter(isGiven).map(({ kind }) => kind))] as const
    })
    this.bear(born, false)
  }

  private merge(handles: ReadonlyMap<number, number>): void {
    this.isOfMany = true
    const inner = (target: number) => handles.get(target) ?? target
    const born = [...handles].map(([old, handle]) => {
      const copy = (this.entities.get(old) as PlainEntity).copy()
      for (const [kind, links] of copy.links)
        copy.links.set(kind, new Map([...links].map(([target, values]) => [inner(target), values])))
      return [handle, copy, NONE] as const
    })
    this.bear(born, true)
  }

  private record(buffer: number, recorded: Call): void {
    const commands = this.buffers.get(buffer) ?? []
    this.buffers.set(buffer, commands)
    const command = { losses: [] as readonly Kind[], gains: [] as readonly Ingredient[] }
    if (recorded.call === 'spawn' || recorded.call === 'spawnMany' || recorded.call === 'spawnAt')
      for (const handle of recorded.handles) {
        this.reserve(handle)
        this.returns([handle])
        commands.push({ entity: handle, losses: [], gains: recorded.gains, spawns: true })
      }
    else if (recorded.call === 'add' || recorded.call === 'remove' || recorded.call === 'exchange') {
      if (this.isAlive(recorded.entity)) commands.push(recorded)
    } else if (recorded.call === 'set')
      commands.push({ ...command, entity: recorded.entity, gains: [ingredientOf(recorded)] })
    else if (recorded.call === 'destroy' && this.isAlive(recorded.entity))
      commands.push({ ...command, entity: recorded.entity, destroys: true })
  }

  private endBuffer(buffer: number, isApplied: boolean): void {
    const commands = this.buffers.get(buffer) ?? []
    this.buffers.delete(buffer)
    if (isApplied) return this.block(() => commands.forEach((command) => this.later(command)))
    for (const { entity, spawns } of commands)
      if (spawns === true && this.entities.get(entity)?.hasRow === false) {
        if (this.locks > 0) this.later({ entity, losses: [], gains: [], destroys: true })
        else this.entities.delete(entity)
      }
    // A direct change may have given a row to one that is back.
    if (this.returning.size > 0) this.laterOther(() => this.tellReturned(), true)
    this.settle()
  }

  private wroteResource(resource: number): void {
    if (!this.listeners.some((ear) => ear.resource === resource)) return
    if (!this.written.includes(resource)) this.written.push(resource)
    this.settle()
  }

  private replayMany(call: Call): void {
    if (call.call === 'addMany' || call.call === 'removeMany') {
      const living = [...new Set(call.entities)].filter((entity) => this.isAlive(entity))
      const [losses, gains] = call.call === 'addMany' ? [[], call.gains] : [call.losses, []]
      if (this.locks > 0) return living.forEach((entity) => this.later({ entity, losses, gains }))
      const isApart = [...losses, ...gains.map(({ kind }) => kind)].some(({ sort }) => sort === 'relation')
      const haveRows = living.every((entity) => this.entities.get(entity)?.hasRow === true)
      if (!isApart && haveRows) return living.length > 0 ? this.changeAll(living, losses, gains) : undefined
      return this.together(() => {
        for (const entity of living) if (this.isAlive(entity)) this.change(entity, losses, gains)
      })
    }
    if (call.call === 'destroyMany') {
      const living = [...new Set(call.entities)].filter((entity) => this.isAlive(entity))
      if (this.locks > 0)
        return living.forEach((entity) => this.later({ entity, losses: [], gains: [], destroys: true }))
      return living.length > 0 ? this.destroyAll(living, false) : undefined
    }
    if (call.call === 'clear') {
      const doomed = [...this.entities.keys()]
      const now = () => {
        const living = doomed.filter((entity) => this.isAlive(entity))
        if (living.length > 0) this.destroyAll(living, true)
      }
      return this.locks > 0 ? this.laterOther(now) : now()
    }
    if (call.call === 'endFrame')
      return this.locks > 0 ? this.laterOther(() => this.endFrame()) : this.together(() => this.endFrame())
    if ('query' in call) this.changeFound(call)
  }

  private endFrame(): void {
    this.isOfMany = true
    const having = (kind: Kind) =>
      [...this.entities].filter(([, plain]) => plain.has(kind)).map(([entity]) => entity)
    const discarded = this.kinds.filter(({ name }) => name === 'Discarded').flatMap(having)
    if (discarded.length > 0) this.destroyAll(discarded, true)
    for (const kind of this.kinds) {
      const all = kind.isBrief ? having(kind) : []
      if (all.length > 0) this.changeAll(all, [kind], [], true)
    }
  }

  private changeFound(call: Extract<Call, { query: number }>): void {
    const { query, losses, gains } = call
    const now = () => {
      this.isOfMany = true
      const isKnown = call.found !== undefined
      const found = call.found ?? this.result(query)
      const kinds = [...losses, ...gains.map(({ kind }) => kind)]
      if (call.call === 'queryEnable' || call.call === 'queryDisable') {
        const on = call.call === 'queryEnable'
        this.together(() => {
          for (const kind of losses)
            if (call.isPage || this.queries[query]?.links.length !== 0)
              for (const entity of isKnown ? found : this.byTurns(found, (one) => one))
                this.switchNow([entity], kind, on)
            else this.switchNow(this.foundAnyway(query, kind), kind, on, true)
        })
      } else if (found.length === 0) this.settle()
      else if (call.call === 'queryDestroy') this.destroyAll(found, !isKnown)
      else if (call.call === 'queryAdd' && kinds.some(({ sort }) => sort === 'relation'))
        this.together(() => {
          if (!isKnown) this.group = ++this.emission
          for (const entity of isKnown ? found : this.byTurns(found, (one) => one))
            if (this.isAlive(entity)) this.change(entity, losses, gains)
          this.group = undefined
        })
      else this.changeAll(found, losses, gains, !isKnown)
    }
    if (this.locks > 0) this.laterOther(now)
    else now()
  }

  /** Those that a query without links switches: they have the component, and match when it counts as there. */
  private foundAnyway(query: number, kind: Kind): number[] {
    return [...this.entities.keys()].filter((entity) => {
      const plain = this.entities.get(entity) as PlainEntity
      const copy = plain.copy()
      copy.off.delete(kind)
      return plain.has(kind) && this.matches(copy, query)
    })
  }

  protected lookOf({ query, resource }: { query?: number; resource?: number }): string {
    if (query === undefined) return `${resource}`
    const found = this.result(query).sort((a, b) => a - b)
    const all = [...this.entities].filter(([, { hasRow }]) => hasRow)
    return `${found.join()} in ${wordOfAll(all.map(([entity]) => [entity, this.described(entity)] as const))}`
  }
}

function ingredientOf({
  kind,
  values,
  thing,
}: {
  kind: Kind
  values: Values
  thing?: Thing | undefined
}): Ingredient {
  return kind.sort === 'object' ? { kind, thing } : { kind, values }
}

function alike(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
