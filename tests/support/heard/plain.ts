// The entities of the model of what is heard: which components an entity has, with which values, what is switched off, where its
// links lead, and which queries it matches. It must never know of listeners.

import type { Kind, Thing, Values } from './kinds'

/** What a call gives: a component, with values or without, or a link to a target. */
export interface Ingredient {
  readonly kind: Kind
  readonly values?: Values | undefined
  /** Of an object component. */
  readonly thing?: Thing | undefined
  /** Of a relation. */
  readonly target?: number | undefined
  /** Of a relation: all its links become these, in this order. */
  readonly list?: readonly { readonly target: number; readonly values?: Values | undefined }[] | undefined
}

/** What a query asks. */
export interface Terms {
  readonly required: readonly Kind[]
  readonly excluded: readonly Kind[]
  readonly anyOf: readonly (readonly Kind[])[]
  readonly optional: readonly Kind[]
  /** It is there, switched on or off. */
  readonly present: readonly Kind[]
  readonly links: readonly { readonly kind: Kind; readonly target: number; readonly absent: boolean }[]
}

export class PlainEntity {
  readonly components = new Map<Kind, Values | Thing>()
  readonly off = new Set<Kind>()
  readonly links = new Map<Kind, Map<number, Values>>()
  /** A handle that is only reserved is in no query. */
  hasRow = false

  copy(): PlainEntity {
    const copy = new PlainEntity()
    for (const [kind, values] of this.components) copy.components.set(kind, values)
    for (const kind of this.off) copy.off.add(kind)
    for (const [kind, links] of this.links) copy.links.set(kind, new Map(links))
    copy.hasRow = this.hasRow
    return copy
  }

  has(kind: Kind): boolean {
    return this.components.has(kind)
  }

  isOn(kind: Kind): boolean {
    return this.components.has(kind) && !this.off.has(kind)
  }

  targetsOf(kind: Kind): readonly number[] {
    return [...(this.links.get(kind)?.keys() ?? [])]
  }

  lose(kind: Kind): void {
    this.components.delete(kind)
    this.off.delete(kind)
    this.links.delete(kind)
  }

  gain(given: Ingredient): void {
    const { kind, values, thing } = given
    if (kind.sort === 'relation') return this.link(given)
    if (kind.sort === 'object') {
      if (thing !== undefined) this.components.set(kind, thing)
      return
    }
    this.components.set(kind, { ...kind.defaults, ...this.components.get(kind), ...values })
  }

  private link({ kind, target, values, list }: Ingredient): void {
    const before = this.links.get(kind) ?? new Map<number, Values>()
    const valuesOf = (to: number, more: Values | undefined) => ({
      ...kind.defaults,
      ...before.get(to),
      ...more,
    })
    const after =
      list === undefined
        ? new Map(before)
        : new Map(list.map((one) => [one.target, valuesOf(one.target, one.values)] as const))
    if (list === undefined && target !== undefined) after.set(target, valuesOf(target, values))
    this.components.set(kind, {})
    this.links.set(kind, after)
  }

  /** Links to some targets end, and others stay. */
  sever(kind: Kind, targets: readonly number[]): void {
    const left = new Map(this.links.get(kind))
    for (const target of targets) left.delete(target)
    this.links.set(kind, left)
  }
}

/** Whether an entity is in the result of a query. */
export function matches(
  entity: PlainEntity,
  terms: Terms,
  kinds: readonly Kind[],
  isAlive: (handle: number) => boolean,
): boolean {
  if (!entity.hasRow) return false
  const isNamed = (kind: Kind) =>
    [terms.required, terms.excluded, terms.optional, terms.present, ...terms.anyOf].some((named) =>
      named.includes(kind),
    )
  return (
    terms.required.every((kind) => entity.isOn(kind)) &&
    !terms.excluded.some((kind) => entity.isOn(kind)) &&
    terms.anyOf.every((some) => some.some((kind) => entity.isOn(kind))) &&
    terms.present.every((kind) => entity.has(kind)) &&
    terms.links.every(
      ({ kind, target, absent }) =>
        (isAlive(target) && entity.links.get(kind)?.has(target) === true) !== absent,
    ) &&
    !kinds.some((kind) => kind.hides && entity.isOn(kind) && !isNamed(kind))
  )
}

/** All that a program can read of an entity, in a word for each component. */
export function described(entity: PlainEntity, kinds: readonly Kind[]): string {
  const words: string[] = []
  for (const kind of kinds) {
    const values = entity.components.get(kind)
    if (values === undefined) continue
    const mark = entity.off.has(kind) ? '(off)' : ''
    if (kind.sort === 'tag') words.push(kind.name + mark)
    else if (kind.sort !== 'relation') words.push(`${kind.name}${mark}${JSON.stringify(values)}`)
    else {
      const links = [...(entity.links.get(kind) ?? [])].map(
        ([target, of]) => `${target}${isEmpty(kind.defaults) ? '' : JSON.stringify(of)}`,
      )
      words.push(`${kind.name}>${links.join('+')}`)
    }
  }
  return words.join(' ')
}

/** What all entities have, in a word: where only the same or not the same counts. */
export function wordOfAll(entities: Iterable<readonly [number, string]>): string {
  let hash = 0
  for (const [entity, has] of [...entities].sort(([a], [b]) => a - b)) {
    hash = Math.imul(hash ^ entity, 0x01000193)
    for (let i = 0; i < has.length; i++) hash = Math.imul(hash ^ has.charCodeAt(i), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}

export function isEmpty(values: Values): boolean {
  return Object.keys(values).length === 0
}
