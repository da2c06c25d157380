// What waits until nothing is open, and how it is applied: in rounds, the changes of one entity folded into one. This is
// docs/in-a-loop.md, "How queued changes are applied", in code.

import { type Ear, nameOf } from './calls'
import type { Kind, Thing, Values } from './kinds'
import type { Ingredient } from './plain'
import { Telling } from './telling'

/** A change of one entity that waits. */
export interface Command {
  readonly entity: number
  readonly losses: readonly Kind[]
  readonly gains: readonly Ingredient[]
  readonly spawns?: boolean
  readonly destroys?: boolean
  /** What is made in its turn and by itself: a change of many, a copy, a switch. */
  readonly other?: () => void
  /** Whether `other` decides nothing about the changes around it: those of one entity are folded across it. */
  readonly isBeside?: boolean
}

/** What some changes of one entity come to. */
export interface Net {
  readonly losses: readonly Kind[]
  readonly gains: readonly Ingredient[]
  readonly spawns: boolean
  readonly destroys: boolean
  /** Values of JavaScript that come to nothing. */
  readonly unused: readonly (readonly [Kind, Thing])[]
}

interface Fate {
  readonly kind: Kind
  lost: boolean
  gained: boolean
  values: Values | undefined
  thing: Thing | undefined
}

/** Folds changes of one entity: for each component, what is there in the end counts, and whether it was gone in between. */
export function folded(commands: readonly Command[]): Net {
  const fates = new Map<Kind, Fate>()
  const unused: [Kind, Thing][] = []
  let [spawns, destroys] = [false, false]
  const fateOf = (kind: Kind): Fate => {
    const fate = fates.get(kind) ?? { kind, lost: false, gained: false, values: undefined, thing: undefined }
    fates.set(kind, fate)
    return fate
  }
  const waste = (fate: Fate) => {
    if (fate.thing !== undefined) unused.push([fate.kind, fate.thing])
    fate.thing = undefined
  }
  for (const command of commands) {
    if (command.destroys === true) for (const fate of fates.values()) waste(fate)
    destroys ||= command.destroys === true
    if (destroys) {
      for (const { kind, thing } of command.gains) if (thing !== undefined) unused.push([kind, thing])
      continue
    }
    spawns ||= command.spawns === true
    for (const kind of command.losses) {
      const fate = fateOf(kind)
      waste(fate)
      fate.lost = true
      fate.gained = false
      fate.values = undefined
    }
    for (const { kind, values, thing } of command.gains) {
      const fate = fateOf(kind)
      fate.gained = true
      if (values !== undefined) fate.values = { ...fate.values, ...values }
      if (thing !== undefined) waste(fate)
      if (thing !== undefined) fate.thing = thing
    }
  }
  const all = [...fates.values()]
  return {
    losses: all.filter(({ lost }) => lost).map(({ kind }) => kind),
    gains: all.filter(({ gained }) => gained).map(({ kind, values, thing }) => ({ kind, values, thing })),
    spawns,
    destroys,
    unused,
  }
}

export abstract class Waiting extends Telling {
  protected queue: Command[] = []
  /** How many changes waited since nothing was open: applied or not. */
  private count = 0
  /** Whether a change of many waited since, or a round has begun. */
  private isBroken = false
  private flushing = false
  /** Values that listeners have set, and of which nobody has been told yet. */
  private readonly sets: { entity: number; kind: Kind; before: unknown; ears: readonly Ear[] }[] = []
  /** How many changes are being made, one inside the other, that consist of several. */
  private changing = 0
  readonly written: number[] = []

  protected abstract applyOne(command: Command): void
  protected abstract applyNet(entity: number, net: Net): void

  /** Whether changes are being applied that waited. */
  get isApplying(): boolean {
    return this.flushing
  }

  later(command: Command): void {
    this.queue.push(command)
    this.count++
    if (isApart(command)) this.isBroken = true
    if (this.returning.has(command.entity)) this.laterOther(() => this.tellReturned(), true)
  }

  /** Kept links to those of these handles that have their rows by now lead somewhere again. */
  protected tellReturned(): void {
    const targets = [...this.returning].filter((handle) => this.entities.get(handle)?.hasRow === true)
    for (const handle of targets) this.returning.delete(handle)
    if (targets.length > 0) this.tell({ effects: [], order: [], targets })
  }

  laterOther(other: () => void, isBeside = false): void {
    this.later({ entity: -1, losses: [], gains: [], other, isBeside })
  }

  /** Whether something that waits decides about a component of an entity, or might. */
  concerns(entity: number, kind: Kind): boolean {
    if (this.locks === 0 || this.count === 0) return false
    if (this.isBroken) return true
    return this.queue.some(
      (command) =>
        command.entity === entity &&
        (command.destroys === true ||
          command.losses.includes(kind) ||
          command.gains.some((given) => given.kind === kind)),
    )
  }

  settle(): void {
    if (this.locks === 0 && this.changing === 0) this.flush()
  }

  block(action: () => void): void {
    this.locks++
    action()
    this.locks--
    this.settle()
  }

  together(action: () => void): void {
    this.changing++
    action()
    this.changing--
    this.settle()
  }

  private flush(): void {
    if (this.flushing) return
    this.flushing = true
    do {
      this.tellSets()
      // What is set by a listener of a set that waited is told of after the next round.
      do this.applyRound(this.queue.splice(0))
      while (this.queue.length > 0 && this.sets.length === 0)
    } while (this.queue.length > 0 || this.sets.length > 0 || this.tellSubscribers())
    this.flushing = false
    this.count = 0
    this.isBroken = false
  }

  /** All that waited when the round began. What listeners queue meanwhile is the next round. */
  private applyRound(round: readonly Command[]): void {
    if (round.length > 0) this.isBroken = true
    const units: Command[][] = []
    const open = new Map<number, Command[]>()
    for (const command of round) {
      const isAlone = isApart(command) || command.other !== undefined
      const known = isAlone ? undefined : open.get(command.entity)
      if (isApart(command)) open.clear()
      if (known !== undefined) known.push(command)
      else {
        const unit = [command]
        units.push(unit)
        if (!isAlone) open.set(command.entity, unit)
      }
    }
    for (const unit of units) {
      const [first] = unit as [Command]
      if (first.other !== undefined) first.other()
      else if (unit.length === 1) this.applyOne(first)
      else this.applyNet(first.entity, folded(unit))
    }
  }

  // ── sets ───────────────────────────────────────────────────────────────────────────────────────────────

  /** Values of a component that is there were written. */
  wrote(entity: number, kind: Kind, before: unknown): void {
    if (this.emitting) {
      if (this.listeners.some((ear) => ear.event === 'onSet' && ear.kind === kind))
        this.sets.push({ entity, kind, before, ears: this.listeners.slice() })
      return
    }
    this.tellSet(entity, kind, before)
    this.settle()
  }

  private tellSet(entity: number, kind: Kind, before: unknown, ears?: readonly Ear[]): void {
    if (!this.listeners.some((ear) => ear.event === 'onSet' && ear.kind === kind)) return
    const number = ++this.emission
    this.calling(() => this.tellOne('onSet', kind, entity, number, before, ears))
  }

  private tellSets(): void {
    // Those who listened when it was set, and still do.
    for (const { entity, kind, before, ears } of this.sets.splice(0))
      if (this.entities.get(entity)?.has(kind) === true) this.tellSet(entity, kind, before, ears)
  }

  /** Subscribers that were called at the end although the same entities match: allowed unless one change of one entity was made. */
  meetSpare(): void {
    for (
      let entry = this.log[this.at];
      entry?.by.startsWith('subscribe(') === true;
      entry = this.log[this.at]
    ) {
      const ear = this.listeners.find((one) => nameOf(one) === entry?.by)
      if (ear === undefined || (this.changes < 2 && !this.isOfMany)) return
      this.block(() => this.calling(() => void this.meet(nameOf(ear), -1, this.lookOf(ear))))
    }
  }

  // ── subscribers ────────────────────────────────────────────────────────────────────────────────────────

  /** Calls the subscribers whose result is another one, and listeners of resources. Returns whether there were any. */
  private tellSubscribers(): boolean {
    // The rows of one entity may move, and with links the order of the result counts.
    const isAny = this.changes > 0
    const several = this.changes > 1 || this.isOfMany
    const turns: { ear: Ear; isSure: boolean }[] = []
    for (const [query, before] of this.subscribed) {
      const now = new Set(this.result(query))
      const isSure = now.size !== before.size || [...now].some((entity) => !before.has(entity))
      this.subscribed.set(query, now)
      if (!isSure && !several && !(isAny && this.queries[query]?.links.length !== 0)) continue
      for (const ear of this.listeners)
        if (ear.event === 'subscribe' && ear.query === query) turns.push({ ear, isSure })
    }
    for (const resource of this.written.splice(0))
      for (const ear of this.listeners) if (ear.resource === resource) turns.push({ ear, isSure: true })
    // After a change of several, subscribers may be called although the same entities match.
    const isNext = (ear: Ear) =>
      this.log[this.at]?.by === nameOf(ear) && this.log[this.at]?.seen === this.lookOf(ear)
    if (!turns.some(({ ear, isSure }) => isSure || isNext(ear))) return false
    const number = ++this.emission
    this.calling(() => {
      for (const { ear, isSure } of turns)
        if (this.isCalled(ear as never, number) && (isSure || isNext(ear)))
          this.meet(nameOf(ear), -1, this.lookOf(ear))
    })
    this.settle()
    return true
  }

  protected abstract lookOf(ear: { query?: number; resource?: number }): string
}

function isApart({ other, isBeside, losses, gains }: Command): boolean {
  return (
    (other !== undefined && isBeside !== true) ||
    [...losses, ...gains.map(({ kind }) => kind)].some(({ sort }) => sort === 'relation')
  )
}
