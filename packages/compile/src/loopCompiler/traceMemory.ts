// Owns the memory of the row at hand as a body sees it: which cells and values there are, what they hold on the path at hand,
// and which of them are read and written.

import { constantOf } from './constants'
import { Graph, type GraphValue } from './graph'
import { type Cell, type Meaning, Path, UNSET, type Variable, type Vec } from './paths'
import { type Place, refuse } from './refusal'
import {
  type ComponentShape,
  type FieldShape,
  type LoopShape,
  type ResourceShape,
  type ScalarShape,
  type ValueShape,
  heldKind,
} from './shapes'
import type { Node } from './tokens'
import type { ColumnUse, HeldUse } from './traced'
import type { Work } from './work'

export class MemoryTracer {
  readonly graph: Graph
  protected readonly columns: ColumnUse[] = []
  protected readonly held: HeldUse[] = []
  protected readonly scalars: string[]
  /** The path at hand. */
  protected path: Path
  private readonly cells = new Map<string, Cell>()

  constructor(
    protected readonly shape: LoopShape,
    protected readonly work: Work,
  ) {
    this.graph = new Graph(work)
    const no = this.graph.constant(false)
    this.path = new Path(new Map<Variable, Meaning>(), new Map(), no, no, no, UNSET)
    const values = Object.entries(shape.values ?? {})
    this.scalars = values.filter(([, value]) => isScalar(value)).map(([name]) => name)
  }

  readonly of = (value: GraphValue): Meaning => ({ is: 'value', value })

  /** What `name` of something is. */
  protected memberOf(node: Node, meaning: Meaning, name: string): Meaning {
    switch (meaning.is) {
      case 'part': {
        const { part } = meaning
        const { name: component, fields } = this.shape.parts[part] as ComponentShape
        const field = this.fieldNamed(node, component, fields, name)
        return this.heldIn(field, (element) => this.read(part, field, element), part)
      }
      case 'resource': {
        const { resource, fields } = (this.shape.values as ValueShapes)[meaning.name] as ResourceShape
        const field = this.fieldNamed(node, resource, fields, name)
        return this.heldIn(field, (element) => this.readHeld(meaning.name, field, element))
      }
      case 'vec':
        if (name === 'length') return this.of(this.graph.constant(meaning.field.vec))
        break
      case 'values':
        return this.given(node, name)
      case 'global': {
        const constant = constantOf(meaning.of, name)
        return constant === undefined
          ? { is: 'globalFunction', of: meaning.of, name }
          : this.of(this.graph.constant(constant))
      }
      case 'undefined':
      case 'null':
        refuse(node, `some entities have no such component: test it first, with if, or write ?.${name}.`)
    }
    return refuse(node, `there is no '${name}' here.`)
  }

  protected fieldNamed(node: Place, owner: string, fields: readonly FieldShape[], name: string): FieldShape {
    this.work.spend(fields.length)
    const field = fields.find((each) => each.name === name)
    if (field === undefined)
      refuse(
        node,
        `${owner} has no field '${name}': its fields are ${fields.map((each) => each.name).join(', ')}.`,
      )
    if (field.kind === 'text')
      refuse(
        node,
        `${owner}.${name} is a text, which a compiled function cannot read: keep a number beside it.`,
      )
    return field
  }

  /** What a field is. */
  private heldIn(field: FieldShape, read: Vec['read'], part?: number): Meaning {
    return field.vec > 0 ? { is: 'vec', part, field, read } : this.of(read(0))
  }

  /** One of the values. */
  private given(node: Node, name: string): Meaning {
    const values = this.shape.values as ValueShapes
    if (!Object.hasOwn(values, name))
      refuse(
        node,
        `'${name}' is not among the values that compile was given: ${Object.keys(values).join(', ')}.`,
      )
    const value = values[name] as ValueShape
    if (typeof value !== 'object') return this.of(this.graph.constant(value))
    this.work.spend(this.scalars.length)
    if (isScalar(value)) return this.of(this.graph.scalar(this.scalars.indexOf(name), value.scalar))
    if ('resource' in value) return { is: 'resource', name }
    return { is: 'function', shape: value }
  }

  /** What a parameter of the body is. */
  protected partMeaning(part: number): Meaning {
    const shape = this.shape.parts[part]
    if (shape !== 'entity') return { is: 'part', part }
    return this.of(this.graph.load(this.columnOf(part, undefined), 'entity', 0))
  }

  private columnOf(part: number, field: FieldShape | undefined): number {
    this.work.spend(this.columns.length)
    const known = this.columns.findIndex((use) => use.part === part && use.field === field)
    return known < 0 ? this.columns.push({ part, field, isWritten: false }) - 1 : known
  }

  private keyOf(part: number, field: FieldShape, element: number): string {
    const column = this.columnOf(part, field)
    const key = `${column} ${element}`
    this.cells.set(key, { column, element })
    return key
  }

  protected cellOf(key: string): Cell {
    return this.cells.get(key) as Cell
  }

  /** What a cell held before. */
  protected loaded(key: string): GraphValue {
    const { column, element } = this.cellOf(key)
    return this.graph.load(column, heldKind((this.columns[column] as ColumnUse).field as FieldShape), element)
  }

  protected read(part: number, field: FieldShape, element: number): GraphValue {
    const key = this.keyOf(part, field, element)
    return this.path.cells.get(key) ?? this.loaded(key)
  }

  protected readHeld(name: string, field: FieldShape, element: number): GraphValue {
    this.work.spend(this.held.length)
    let place = this.held.findIndex((use) => use.name === name && use.field === field)
    if (place < 0) place = this.held.push({ name, field }) - 1
    return this.graph.held(place, heldKind(field), element)
  }

  protected store(target: Node, part: number, field: FieldShape, element: number, value: GraphValue): void {
    const { name, isReadonly } = this.shape.parts[part] as ComponentShape
    if (isReadonly)
      refuse(target, `${name} is only read here: leave out read(${name}) to assign to its fields.`)
    const kind = heldKind(field)
    if (kind !== 'bool' && value.isBoolean)
      refuse(target, `${name}.${field.name} holds a number, not a boolean: write a ? 1 : 0.`)
    const key = this.keyOf(part, field, element)
    ;(this.columns[this.cellOf(key).column] as ColumnUse).isWritten = true
    const stored = kind === 'bool' ? this.graph.truth(value) : this.graph.stored(kind, value)
    this.path.cells.set(key, stored)
  }
}

type ValueShapes = Readonly<Record<string, ValueShape>>

function isScalar(value: ValueShape): value is ScalarShape {
  return typeof value === 'object' && 'scalar' in value
}
