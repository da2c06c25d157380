// The calls of a script of what is heard, as they were made on the world, with the handles that they gave; and the log of all that
// listeners heard. The model repeats the calls, and says what must have been heard.

import type { Kind, Thing, Values } from './kinds'
import type { Ingredient, Terms } from './plain'

export type Event = 'onAdd' | 'onRemove' | 'onSet' | 'onEnter' | 'onExit' | 'subscribe' | 'onResource'

/** What a listener listens to. */
export interface Ear {
  readonly id: number
  readonly event: Event
  readonly kind?: Kind
  /** Which query of the world. */
  readonly query?: number
  readonly resource?: number
  /** Whether it asks for what is there, or for values before. */
  readonly existing?: boolean
  readonly before?: boolean
  /** Whether it throws whenever it is called, after all else that it does. */
  readonly throws?: boolean
}

/** One time that a listener, or a function of a declaration, was called. */
export interface Entry {
  /** Who was called. */
  readonly by: string
  readonly entity: number
  /** What it saw. */
  readonly seen: string
  /** What it called. */
  readonly calls: Call[]
  /** What a maker or clone function made. */
  readonly thing?: Thing
}

export type Call =
  | { readonly call: 'spawn' | 'spawnAt'; handles: readonly number[]; readonly gains: readonly Ingredient[] }
  | {
      readonly call: 'spawnMany' | 'spawnManyAt'
      handles: readonly number[]
      readonly gains: readonly Ingredient[]
      /** What the callback called that fills the rows. */
      readonly fill: Call[]
    }
  | {
      readonly call: 'clone' | 'spawnFrom'
      readonly source: number
      handles: readonly number[]
      readonly gains: readonly Ingredient[]
      readonly losses: readonly Kind[]
    }
  | { readonly call: 'merge'; handles: ReadonlyMap<number, number> }
  | {
      readonly call: 'add' | 'remove' | 'exchange'
      readonly entity: number
      readonly losses: readonly Kind[]
      readonly gains: readonly Ingredient[]
    }
  | {
      readonly call: 'set' | 'setIfDifferent'
      readonly entity: number
      readonly kind: Kind
      readonly values: Values
      readonly thing?: Thing | undefined
    }
  | { readonly call: 'setSeveral'; readonly entity: number; readonly gains: readonly Ingredient[] }
  | { readonly call: 'switch'; readonly entity: number; readonly kind: Kind; readonly on: boolean }
  | { readonly call: 'destroy'; readonly entity: number }
  | { readonly call: 'addMany'; readonly entities: readonly number[]; readonly gains: readonly Ingredient[] }
  | { readonly call: 'removeMany'; readonly entities: readonly number[]; readonly losses: readonly Kind[] }
  | {
      readonly call: 'setMany'
      readonly entities: readonly number[]
      readonly kind: Kind
      readonly values: readonly Values[]
    }
  | { readonly call: 'destroyMany'; readonly entities: readonly number[] }
  | {
      readonly call: 'setTargets'
      readonly entity: number
      readonly kind: Kind
      readonly targets: readonly number[]
      readonly values?: readonly Values[] | undefined
    }
  | {
      readonly call: 'unlink'
      readonly entity: number
      readonly kind: Kind
      readonly targets: readonly number[]
    }
  | {
      readonly call: 'queryAdd' | 'queryRemove' | 'queryDestroy' | 'queryEnable' | 'queryDisable'
      readonly query: number
      readonly gains: readonly Ingredient[]
      readonly losses: readonly Kind[]
      /** The entities in the order of their rows, where the change was made at once. */
      readonly found?: readonly number[] | undefined
      /** Whether only a page of the query was meant: `found` are its entities. */
      readonly isPage: boolean
    }
  | { readonly call: 'endFrame' | 'clear' }
  | { readonly call: 'setResource' | 'removeResource'; readonly resource: number }
  | { readonly call: 'listen'; readonly ear: Ear }
  | { readonly call: 'stop'; readonly ear: Ear }
  /** Calls in a loop, an each or a batch, or into a buffer that is applied at its end. */
  | { readonly call: 'block'; readonly form: 'defer' | 'each' | 'loop'; readonly calls: Call[] }
  | { readonly call: 'record'; readonly buffer: number; readonly recorded: Call }
  | { readonly call: 'apply' | 'forget'; readonly buffer: number }

export type Queries = readonly Terms[]

/** How a listener is called in the log. */
export function nameOf({ id, event, kind, query, resource }: Ear): string {
  return `${event}(${kind?.name ?? (query === undefined ? `resource ${resource}` : `query ${query}`)}) #${id}`
}

/** A call in a few words, for the report of a difference. */
export function sentenceOf(call: Call): string {
  const given = ({ kind, values, thing, target, list }: Ingredient) => {
    const to = list === undefined ? target : list.map((one) => one.target).join('+')
    return (
      kind.name +
      (to === undefined ? '' : `>${to}`) +
      ((values ?? thing) ? JSON.stringify(values ?? thing) : '')
    )
  }
  const parts = Object.entries(call).map(([key, value]): string => {
    if (key === 'call') return String(value)
    if (key === 'gains') return `+[${(value as Ingredient[]).map(given).join(' ')}]`
    if (key === 'losses') return `-[${(value as Kind[]).map(({ name }) => name).join(' ')}]`
    if (key === 'kind') return (value as Kind).name
    if (key === 'ear') return nameOf(value as Ear)
    if (key === 'recorded') return sentenceOf(value as Call)
    if (key === 'calls' || key === 'fill')
      return `{ ${(value as Call[]).map((each) => sentenceOf(each)).join('; ')} }`
    if (value instanceof Map) return `${key} ${[...value.values()].join()}`
    return Array.isArray(value) && typeof value[0] === 'number'
      ? `${key} ${value.join()}`
      : `${key} ${JSON.stringify(value)}`
  })
  return parts.join(' ')
}
