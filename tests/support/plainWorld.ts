// Owns the world as one would write it in an afternoon: a Map from handle to plain values, queries by asking
// every entity. It must never borrow anything from the engine but the declarations of components.

import { type Component, type Tag, type Term, any, not, optional } from '../../bindings/index'

export type Kind = Component<any, any> | Tag
export type Values = Record<string, unknown>

/** A component as the plain world knows it: how to make up values, what each field starts with. */
export interface Sort {
  readonly kind: Kind
  /** Every field's default; empty for a tag. */
  readonly defaults: Values
  /** Some or all fields, made from a number. The same number gives the same values. */
  readonly make: (number: number) => Values
}

/** A component that is there, or one that is not. */
export interface Alternative {
  readonly kind: Kind
  readonly absent: boolean
}

/** Terms by component: what a query asks of an entity. Groups of alternatives may share components. */
export interface PlainTerms {
  readonly required: readonly Kind[]
  readonly excluded: readonly Kind[]
  readonly anyOf: readonly (readonly Alternative[])[]
  readonly optional: readonly Kind[]
}

/** The terms as a query takes them. Several excluded components are one term, as are several optional ones. */
export function queryTermsOf(terms: PlainTerms): Term[] {
  const { required, excluded, anyOf, optional: optionals } = terms
  return [
    ...required,
    ...(excluded.length > 0 ? [not(...(excluded as Several))] : []),
    ...anyOf.map((alternatives) =>
      any(...(alternatives.map(({ kind, absent }) => (absent ? not(kind) : kind)) as Several)),
    ),
    ...(optionals.length > 0 ? [optional(...(optionals as Several))] : []),
  ]
}

type Several = [Kind, ...Kind[]]

export class PlainWorld {
  readonly entities = new Map<number, Map<Kind, Values>>()
  /** What is switched off, by entity. */
  readonly off = new Map<number, Set<Kind>>()
  /** What the end of the frame destroys. */
  readonly discarded = new Set<number>()

  constructor(private readonly defaultsOf: (kind: Kind) => Values) {}

  /** A world of its own with the same entities, in the same order. */
  copy(): PlainWorld {
    const copy = new PlainWorld(this.defaultsOf)
    for (const [handle, components] of this.entities) copy.entities.set(handle, new Map(components))
    for (const [handle, kinds] of this.off) copy.off.set(handle, new Set(kinds))
    for (const handle of this.discarded) copy.discarded.add(handle)
    return copy
  }

  spawn(handle: number, kinds: readonly Kind[], values: readonly (Values | undefined)[]): void {
    this.entities.set(handle, new Map())
    this.off.set(handle, new Set())
    this.add(handle, kinds, values)
  }

  add(handle: number, kinds: readonly Kind[], values: readonly (Values | undefined)[]): boolean {
    const components = this.componentsOf(handle)
    let added = false
    kinds.forEach((kind, i) => {
      if (!components.has(kind)) added = true
      components.set(kind, { ...(components.get(kind) ?? this.defaultsOf(kind)), ...values[i] })
    })
    return added
  }

  remove(handle: number, kinds: readonly Kind[]): boolean {
    const components = this.componentsOf(handle)
    for (const kind of kinds) this.off.get(handle)?.delete(kind)
    return kinds.filter((kind) => components.delete(kind)).length > 0
  }

  /** Switches what is there; whether that was a change. */
  switch(handle: number, kind: Kind, off: boolean): boolean {
    if (!this.componentsOf(handle).has(kind) || this.isOff(handle, kind) === off) return false
    if (off) this.off.get(handle)?.add(kind)
    else this.off.get(handle)?.delete(kind)
    return true
  }

  isOff(handle: number, kind: Kind): boolean {
    return this.off.get(handle)?.has(kind) === true
  }

  destroy(handle: number): boolean {
    this.off.delete(handle)
    this.discarded.delete(handle)
    return this.entities.delete(handle)
  }

  matching(terms: PlainTerms): number[] {
    const found: number[] = []
    for (const [handle, components] of this.entities) {
      const isOn = (kind: Kind) => components.has(kind) && !this.isOff(handle, kind)
      if (!terms.required.every(isOn) || terms.excluded.some(isOn)) continue
      const holds = ({ kind, absent }: Alternative) => isOn(kind) !== absent
      if (terms.anyOf.every((alternatives) => alternatives.some(holds))) found.push(handle)
    }
    return found
  }

  /** Those that have the component and match when the terms ask only whether it is there. */
  matchingSwitch(terms: PlainTerms, kind: Kind): number[] {
    const off = [...this.off].filter(([, kinds]) => kinds.delete(kind)).map(([handle]) => handle)
    const found = this.matching(terms).filter((handle) => this.componentsOf(handle).has(kind))
    for (const handle of off) this.off.get(handle)?.add(kind)
    return found
  }

  componentsOf(handle: number): Map<Kind, Values> {
    const components = this.entities.get(handle)
    if (components === undefined) throw new Error(`the plain world has no entity ${handle}`)
    return components
  }
}

/** Whether two values of a component are the same, lists by their items. */
export function sameValues(a: Values | undefined, b: Values | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => sameValue(a[name], b[name]))
}

function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return Object.is(a, b)
  const [left, right] = [Array.from(a as ArrayLike<number>), Array.from(b as ArrayLike<number>)]
  return left.length === right.length && left.every((value, i) => Object.is(value, right[i]))
}
