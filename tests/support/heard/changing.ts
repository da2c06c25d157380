// What changes do to entities, and which changes one change brings along: makers, rows for targets, links that are replaced, and what
// depends on those that die.

import type { Kind, Thing } from './kinds'
import { type Ingredient, PlainEntity } from './plain'
import type { Effect } from './telling'
import { type Command, type Net, Waiting } from './waiting'

export const NONE: ReadonlySet<Kind> = new Set()
const same = (now: PlainEntity): PlainEntity => now

export abstract class Changing extends Waiting {
  // ── what a change does to an entity ────────────────────────────────────────────────────────────────────

  private effect(entity: number, losses: readonly Kind[], gains: readonly Ingredient[]): Effect {
    const before = this.entities.get(entity) as PlainEntity
    const lost = new Set(losses.filter((kind) => before.has(kind)))
    const stays = (kind: Kind) => before.has(kind) && !lost.has(kind)
    const gained = new Set(gains.filter(({ kind }) => !stays(kind)).map(({ kind }) => kind))
    const given = new Set(gains.filter(isGiven).map(({ kind }) => kind))
    const make = (now: PlainEntity) => {
      const after = now.copy()
      for (const kind of lost) after.lose(kind)
      for (const ingredient of gains) after.gain(ingredient)
      after.hasRow = true
      return after
    }
    return { entity, before, after: make(before), lost, gained, given, make }
  }

  /** Entities keep their components, and something about these changes. */
  protected turn(
    entities: readonly number[],
    order: readonly Kind[],
    change: (after: PlainEntity) => void,
    isLoose = false,
  ): void {
    const make = (now: PlainEntity) => {
      const after = now.copy()
      change(after)
      return after
    }
    const effects = entities.map((entity) => {
      const before = this.entities.get(entity) as PlainEntity
      return { entity, before, after: make(before), lost: NONE, gained: NONE, given: NONE, make }
    })
    this.tell({ effects, order, isLoose })
  }

  /** Many lose and get the same. */
  protected changeAll(
    entities: readonly number[],
    losses: readonly Kind[],
    gains: readonly Ingredient[],
    isLoose = false,
  ): void {
    const order = [...new Set([...losses, ...gains.map(({ kind }) => kind)])]
    this.tell({ effects: entities.map((entity) => this.effect(entity, losses, gains)), order, isLoose })
  }

  /** Entities are there with all that they have, as copies are. */
  protected bear(
    born: readonly (readonly [number, PlainEntity, ReadonlySet<Kind>])[],
    isLoose: boolean,
  ): void {
    const effects = born.map(([entity, after, given]) => {
      after.hasRow = true
      const gained = new Set(after.components.keys())
      return {
        entity,
        before: this.entities.get(entity),
        after,
        lost: NONE,
        gained,
        given,
        make: () => after,
      }
    })
    this.tell({ effects, order: this.kinds, isLoose })
  }

  private die(entities: readonly number[], isLoose: boolean): void {
    const effects = entities.map((entity) => {
      const before = this.entities.get(entity) as PlainEntity
      const lost = new Set(before.components.keys())
      return { entity, before, after: undefined, lost, gained: NONE, given: NONE, make: same }
    })
    this.tell({ effects, order: this.kinds, isLoose, targets: entities })
  }

  // ── changes of one entity ──────────────────────────────────────────────────────────────────────────────

  protected applyOne(command: Command): void {
    const { entity, losses, gains } = command
    const unused = gains.flatMap(({ kind, thing }) => (thing === undefined ? [] : [[kind, thing] as const]))
    const { destroys = false, spawns = false } = command
    this.applyNet(entity, { losses, gains, destroys, spawns, unused: this.isAlive(entity) ? [] : unused })
  }

  protected applyNet(entity: number, net: Net): void {
    const { losses, gains, spawns, destroys, unused } = net
    let wasted = unused
    if (!this.isAlive(entity))
      wasted = [...unused, ...gains.flatMap(({ kind, thing }) => (thing ? [[kind, thing] as const] : []))]
    else if (destroys) this.destroyAll([entity], false)
    else this.change(entity, losses, gains, spawns)
    const all = wasted.filter(
      ([kind, thing], i) => wasted.findIndex((one) => one[0] === kind && one[1] === thing) === i,
    )
    this.meetAll(all.map(([kind, { n }]) => ({ by: `dispose ${kind.name}`, entity, seen: `${n}` })))
  }

  protected change(
    entity: number,
    losses: readonly Kind[],
    given: readonly Ingredient[],
    spawns = false,
  ): void {
    const { hasRow } = this.entities.get(entity) as PlainEntity
    let gains = given
    if (!hasRow && gains.length === 0 && !spawns) return
    if (this.isApplying) {
      const left = this.withLivingTargets(gains)
      if (left === undefined) {
        this.destroyAll([entity], false)
        const unused = gains.filter(({ thing }) => thing !== undefined)
        this.meetAll(
          unused.map(({ kind, thing }) => ({
            by: `dispose ${kind.name}`,
            entity,
            seen: `${(thing as Thing).n}`,
          })),
        )
        return
      }
      gains = left
    }
    gains = this.made(this.entities.get(entity) as PlainEntity, losses, gains)
    this.giveRows(gains)
    this.changeAll([entity], hasRow ? this.withReplaced(entity, losses, gains) : [], gains)
  }

  /** Makers are called before anything else, of what dead targets have left of the change. */
  protected made(
    plain: PlainEntity,
    losses: readonly Kind[],
    gains: readonly Ingredient[],
  ): readonly Ingredient[] {
    return gains.map((ingredient) => {
      const { kind, thing } = ingredient
      if (!kind.makes || thing !== undefined || (plain.has(kind) && !losses.includes(kind))) return ingredient
      const entry = this.meet(`make ${kind.name}`, -1, '')
      return { kind, thing: entry.thing as Thing }
    })
  }

  /** A link that waited, to a target that has died meanwhile, is left out; or it takes its source along: then undefined. */
  protected withLivingTargets(gains: readonly Ingredient[]): readonly Ingredient[] | undefined {
    const left: Ingredient[] = []
    for (const ingredient of gains) {
      const { kind, target, list } = ingredient
      const targets = list?.map((one) => one.target) ?? (target === undefined ? [] : [target])
      const dead = targets.filter((one) => !this.isAlive(one))
      if (dead.length > 0 && kind.policy === 'destroy') return undefined
      if (dead.length === 0) left.push(ingredient)
      else if (dead.length < targets.length)
        left.push({ ...ingredient, list: list?.filter((one) => !dead.includes(one.target)) })
    }
    return left
  }

  /** A link gives its target a row. */
  protected giveRows(gains: readonly Ingredient[]): void {
    for (const { target, list } of gains)
      for (const one of list?.map((each) => each.target) ?? (target === undefined ? [] : [target])) {
        const plain = this.entities.get(one)
        if (plain?.hasRow === false) {
          // It is a part of the change: what waits is applied when that is made.
          this.locks++
          this.bear([[one, plain.copy(), NONE]], false)
          this.locks--
        }
        if (this.isAlive(one)) this.holdAgain(one)
      }
  }

  /** Links to a handle that is back come before new ones. */
  private holdAgain(target: number): void {
    if (!this.returning.delete(target)) return
    const tell = () => this.tell({ effects: [], order: [], targets: [target] })
    if (this.isApplying) tell()
    else this.laterOther(tell, true)
  }

  /** In an exclusive relation another target ends the link that is there: the relation starts over. */
  private withReplaced(
    entity: number,
    losses: readonly Kind[],
    gains: readonly Ingredient[],
  ): readonly Kind[] {
    const plain = this.entities.get(entity) as PlainEntity
    const replaced = gains.filter(
      ({ kind, target }) =>
        kind.isExclusive &&
        target !== undefined &&
        plain.has(kind) &&
        plain.links.get(kind)?.has(target) !== true,
    )
    return [...new Set([...losses, ...replaced.map(({ kind }) => kind)])]
  }

  // ── deaths ─────────────────────────────────────────────────────────────────────────────────────────────

  protected sources(policy: string, targets: ReadonlySet<number>): [number, Kind, number[]][] {
    const found: [number, Kind, number[]][] = []
    for (const kind of this.kinds)
      for (const [entity, plain] of kind.sort === 'relation' && kind.policy === policy ? this.entities : []) {
        const some = plain.targetsOf(kind).filter((target) => targets.has(target))
        if (some.length > 0) found.push([entity, kind, some])
      }
    return found
  }

  protected destroyAll(named: readonly number[], isLoose: boolean): void {
    const dying = new Set(named)
    for (let before = 0; before < dying.size;) {
      before = dying.size
      for (const [source] of this.sources('destroy', dying)) dying.add(source)
    }
    const orphans = this.sources('remove', dying).filter(([source]) => !dying.has(source))
    if (dying.size === named.length && orphans.length === 0) return this.die(named, isLoose)
    this.block(() => {
      for (const kind of this.kinds) {
        const some = orphans.filter((orphan) => orphan[1] === kind)
        const losesAll = (entity: number, targets: readonly number[]) =>
          targets.length === this.entities.get(entity)?.targetsOf(kind).length
        const all = some.filter(([entity, , targets]) => losesAll(entity, targets)).map(([entity]) => entity)
        const others = some.filter(([entity]) => !all.includes(entity))
        if (all.length > 0) this.changeAll(all, [kind], [], true)
        for (const entity of this.inLog(others.map(([one]) => one)))
          this.sever(entity, kind, (others.find(([one]) => one === entity) as [number, Kind, number[]])[2])
      }
      this.die([...dying], true)
    })
  }

  /** An entity loses some of its links in a relation, and keeps others. */
  protected sever(entity: number, kind: Kind, targets: readonly number[]): void {
    this.turn([entity], [kind], (after) => after.sever(kind, targets))
  }
}

export function isGiven({ values, thing, list }: Ingredient): boolean {
  return values !== undefined || thing !== undefined || list?.some((one) => one.values !== undefined) === true
}
