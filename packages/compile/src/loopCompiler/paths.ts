// Owns what is known on one path through a body: what names mean, what variables and fields hold, and which rows have left
// by return, break or continue. Paths that part at a condition are joined again, value by value.

import type { Graph, GraphValue } from './graph'
import { type Place, Refusal } from './refusal'
import type { FieldShape, FunctionShape } from './shapes'
import type { Work } from './work'

/** The objects of the language that a body may use. */
export type Global = 'Math' | 'Number'

/** What an expression is. */
export type Meaning =
  | { readonly is: 'value'; readonly value: GraphValue }
  | { readonly is: 'part'; readonly part: number }
  | Vec
  | { readonly is: 'values' }
  | { readonly is: 'resource'; readonly name: string }
  | { readonly is: 'function'; readonly shape: FunctionShape }
  /** Math or Number, and one of its functions. */
  | { readonly is: 'global'; readonly of: Global }
  | { readonly is: 'globalFunction'; readonly of: Global; readonly name: string }
  | { readonly is: 'builtIn'; readonly name: 'bitsOf' | 'floatOf' }
  /** The value undefined, such as an optional component of an entity without it. */
  | { readonly is: 'undefined' }
  | { readonly is: 'null' }
  /** Declared, and without a value on some path that leads here. */
  | { readonly is: 'unset' }
  /** A number, a component or nothing: one on some path that leads here, and another one on another. */
  | { readonly is: 'mixed' }

/** A vec of a component or of a resource. */
export interface Vec {
  readonly is: 'vec'
  /** Undefined for a resource. */
  readonly part: number | undefined
  readonly field: FieldShape
  readonly read: (element: number) => GraphValue
}

export const UNDEFINED: Meaning = { is: 'undefined' }
export const UNSET: Meaning = { is: 'unset' }
const MIXED: Meaning = { is: 'mixed' }

export interface Variable {
  readonly name: string
  readonly isConst: boolean
}

/** What is declared further down: until then it cannot be used, nor what has its name further out. */
export const LATER: Variable = { name: '', isConst: true }

export class Scope {
  private readonly names = new Map<string, Variable>()

  constructor(private readonly parent: Scope | undefined) {}

  find(name: string, work: Work): Variable | undefined {
    work.spend(1)
    return this.names.get(name) ?? this.parent?.find(name, work)
  }

  declare(name: string, isConst: boolean): Variable {
    const variable = { name, isConst }
    this.names.set(name, variable)
    return variable
  }

  /** Says that a name is declared here, and not yet. */
  announce(name: string): void {
    this.names.set(name, LATER)
  }

  own(name: string): Variable | undefined {
    return this.names.get(name)
  }
}

/** A value in the memory of the row at hand. */
export interface Cell {
  readonly column: number
  readonly element: number
}

export class Path {
  constructor(
    readonly variables: Map<Variable, Meaning>,
    /** What was assigned to cells, by their keys. */
    readonly cells: Map<string, GraphValue>,
    /** Whether the row has left the function, the loop or switch, or the round. */
    public returned: GraphValue,
    public broken: GraphValue,
    public continued: GraphValue,
    /** What was returned. */
    public result: Meaning,
  ) {}

  copy(work: Work): Path {
    const { variables, cells, returned, broken, continued, result } = this
    work.spend(variables.size + cells.size)
    return new Path(new Map(variables), new Map(cells), returned, broken, continued, result)
  }

  /** Whether every row has returned. */
  get isOver(): boolean {
    return this.returned.data === true
  }
}

/** Joins two paths that parted at a condition. */
export class Joint {
  constructor(
    private readonly graph: Graph,
    private readonly condition: GraphValue,
    /** For what is refused. */
    private readonly place: Place,
    /** What a cell holds that was not assigned to. */
    private readonly held: (key: string) => GraphValue,
  ) {}

  /** The path on which rows go `one` way where the condition holds, and the `other` way elsewhere. */
  of(one: Path, other: Path): Path {
    const { graph, condition } = this
    const variables = this.joinedMaps(one.variables, other.variables, ({ name }, a, b) =>
      this.meaning(name, a, b, one, other),
    )
    const cells = this.joinedMaps(one.cells, other.cells, (key, a = this.held(key), b = this.held(key)) =>
      graph.select(condition, a, b),
    )
    return new Path(
      variables,
      cells,
      graph.select(condition, one.returned, other.returned),
      graph.select(condition, one.broken, other.broken),
      graph.select(condition, one.continued, other.continued),
      this.result(one, other),
    )
  }

  /** What holds for each name that one of two paths knows; those for which `join` gives undefined are left out. */
  private joinedMaps<K, V>(
    one: ReadonlyMap<K, V>,
    other: ReadonlyMap<K, V>,
    join: (key: K, a: V | undefined, b: V | undefined) => V | undefined,
  ): Map<K, V> {
    this.graph.work.spend(one.size + other.size)
    const joined = new Map<K, V>()
    const add = (key: K, value: V | undefined) => value !== undefined && joined.set(key, value)
    for (const [key, value] of one) add(key, join(key, value, other.get(key)))
    for (const [key, value] of other) if (!one.has(key)) add(key, join(key, undefined, value))
    return joined
  }

  /** @param a undefined where the variable is not declared on that path: after the joint, it is not declared at all */
  private meaning(
    name: string,
    a: Meaning | undefined,
    b: Meaning | undefined,
    one: Path,
    other: Path,
  ): Meaning | undefined {
    // Nothing reads what a path assigned that has returned.
    if (one.isOver) return b
    if (other.isOver) return a
    return a && b && this.joined(`'${name}'`, a, b)
  }

  private result(one: Path, other: Path): Meaning {
    const [a, b] = [one.result, other.result]
    // A row that has not returned has no result yet.
    if (a.is === 'unset') return b
    if (b.is === 'unset') return a
    return this.joined('what is returned', a, b)
  }

  private joined(what: string, a: Meaning, b: Meaning): Meaning {
    if (areSame(a, b)) return a
    if (a.is === 'value' && b.is === 'value') return this.value(what, a.value, b.value)
    return a.is === 'unset' || b.is === 'unset' ? UNSET : MIXED
  }

  private value(what: string, a: GraphValue, b: GraphValue): Meaning {
    if (a.isBoolean !== b.isBoolean)
      throw new Refusal(this.place, `${what} would be a number on one path and a boolean on the other.`)
    return { is: 'value', value: this.graph.select(this.condition, a, b) }
  }
}

/** Whether two meanings are of the same thing. How a vec is read follows from what it belongs to. */
function areSame(a: Meaning, b: Meaning): boolean {
  if (a === b || a.is !== b.is) return a === b
  const others = b as unknown as Readonly<Record<string, unknown>>
  return Object.entries(a).every(([name, value]) => name === 'read' || value === others[name])
}
