// Owns what the expressions of a body mean: numbers and booleans become values of the graph, and names of components, fields
// and values become what they stand for. Calls are in traceCalls.ts.

import { powerOf } from './constants'
import { type BinaryOp, type GraphValue, isConst } from './graph'
import { LATER, type Meaning, Scope, UNDEFINED, UNSET, type Variable } from './paths'
import { type Place, type Source, refuse, refuseToShow } from './refusal'
import type { ComponentShape, FieldShape } from './shapes'
import type { Node } from './tokens'
import { callOf } from './traceCalls'
import { MemoryTracer } from './traceMemory'

/** What becomes of a value: then `a && b` may be a number or a boolean. */
type WantedResult = 'any' | 'number' | 'boolean' | 'nothing'

/** The types of nodes that are expressions. */
type Expression =
  | 'literal'
  | 'name'
  | 'member'
  | 'sequence'
  | 'unary'
  | 'binary'
  | 'logical'
  | 'conditional'
  | 'assignment'
  | 'update'
  | 'call'

/** What an assignment reads and writes. */
interface Target {
  readonly get: () => Meaning
  /** @param from where that is written */
  readonly set: (meaning: Meaning, from: Node) => void
}

/** What it takes to carry out an expression or a statement, beside what it makes. */
export const STEPS_OF_NODE = 4
const EQUALITY = /^([!=])==?$/
const RELATION = /^[<>]=?$/
const LOGICAL = /^(?:&&|\|\||\?\?)$/

export abstract class ExpressionTracer extends MemoryTracer {
  protected scope = new Scope(undefined)
  /** Helpers within each other at this point. */
  protected calls = 0

  /** Carries out both sides of a condition, and joins what they left. */
  protected abstract fork(
    condition: GraphValue,
    place: Place,
    whenTrue: () => void,
    whenFalse: () => void,
  ): void

  /** What a helper returns for these arguments; UNSET where it does not return on each path. */
  abstract inline(source: Source, given: readonly Meaning[]): Meaning

  // ── values ──

  protected effect(node: Node): void {
    this.meaning(node, 'nothing')
  }

  protected condition(node: Node): GraphValue {
    return this.truth(node, this.meaning(node, 'boolean'))
  }

  /** Whether a meaning is true as a condition: components and vecs are, nothing is not. */
  private truth(node: Node, meaning: Meaning): GraphValue {
    if (isNothing(meaning)) return this.graph.constant(false)
    if (/^(?:part|vec|values|resource|function)$/.test(meaning.is)) return this.graph.constant(true)
    return this.graph.truth(this.numberOrBoolean(node, meaning))
  }

  private valueFor(wanted: WantedResult, node: Node, meaning: Meaning): GraphValue {
    return wanted === 'boolean' ? this.truth(node, meaning) : this.numberOrBoolean(node, meaning)
  }

  numeric(node: Node): GraphValue {
    return this.graph.number(this.value(node, 'number'))
  }

  protected value(node: Node, wanted: WantedResult = 'any'): GraphValue {
    return this.numberOrBoolean(node, this.meaning(node, wanted))
  }

  protected numberOrBoolean(node: Node, meaning: Meaning): GraphValue {
    if (meaning.is === 'value') return meaning.value
    if (meaning.is === 'globalFunction') {
      const { of, name } = meaning
      refuse(node, of === 'Math' ? `Math.${name} must be called.` : `Number.${name} is not supported.`)
    }
    return refuse(node, NO_VALUE[meaning.is])
  }

  /** What an expression is. */
  meaning(node: Node, wanted: WantedResult = 'any'): Meaning {
    this.work.spend(STEPS_OF_NODE)
    return this[node.type as Expression](node, wanted)
  }

  protected literal({ value }: Node): Meaning {
    return value === null ? { is: 'null' } : this.of(this.graph.constant(value as number | boolean))
  }

  protected sequence({ expressions }: Node, wanted: WantedResult): Meaning {
    const list = expressions as Node[]
    for (const each of list.slice(0, -1)) this.effect(each)
    return this.meaning(list.at(-1) as Node, wanted)
  }

  protected call(node: Node): Meaning {
    return callOf(this, node)
  }

  // ── names ──

  protected name(node: Node): Meaning {
    const name = node.name as string
    const variable = this.variable(node)
    if (variable !== undefined) return this.path.variables.get(variable) ?? UNSET
    if (name === 'undefined') return UNDEFINED
    if (name === 'NaN') return this.of(this.graph.constant(NaN))
    if (name === 'Infinity') return this.of(this.graph.constant(Infinity))
    if (name === 'Math' || name === 'Number') return { is: 'global', of: name }
    if (name === 'console') refuseToShow(node, name)
    if (name === 'world')
      return refuse(
        node,
        'a compiled function cannot reach a world, nor make or change entities: find them with query.where(…), and change what it finds by addMany, removeMany or destroyMany.',
      )
    return refuse(
      node,
      `'${name}' is not known here: a compiled function sees no variables from around it. Give it among the values, compile([…], { ${name} }, (…, { ${name} }) => …).`,
    )
  }

  private variable(node: Node): Variable | undefined {
    const name = node.name as string
    const variable = this.scope.find(name, this.work)
    return variable === LATER ? refuse(node, `'${name}' is used before it is declared.`) : variable
  }

  protected member(node: Node): Meaning {
    const object = node.object as Node
    const property = node.property as Node
    const meaning = this.settled(object)
    if (node.optional === true && isNothing(meaning)) return UNDEFINED
    if (!(node.computed as boolean)) return this.memberOf(property, meaning, property.name as string)
    if (isNothing(meaning)) this.memberOf(property, meaning, '')
    if (meaning.is !== 'vec') refuse(node, 'only the values of a vec are reached by number.')
    return this.of(meaning.read(this.index(property, meaning.field)))
  }

  /** What an expression is, the same for all rows that come here. */
  private settled(node: Node): Meaning {
    const meaning = this.meaning(node)
    return meaning.is === 'unset' || meaning.is === 'mixed' ? refuse(node, NO_VALUE[meaning.is]) : meaning
  }

  private index(node: Node, { name, vec }: FieldShape): number {
    const value = this.value(node)
    if (!isConst(value))
      refuse(
        node,
        'the index of a vec must be known when the function is compiled: a number, or the counter of a loop.',
      )
    const index = value.data as number
    if (!Number.isInteger(index) || index < 0 || index >= vec)
      refuse(node, `the indices of ${name} are 0 to ${vec - 1}, not ${String(index)}.`)
    return index
  }

  // ── assignments ──

  /** What is assigned to. An index is computed once, and before what is assigned. */
  private target(node: Node): Target {
    if (node.type === 'name')
      return { get: () => this.name(node), set: (meaning) => this.assignVariable(node, meaning) }
    const object = this.settled(node.object as Node)
    const property = node.property as Node
    const cell = (part: number, field: FieldShape, element: number): Target => ({
      get: () => this.of(this.read(part, field, element)),
      set: (meaning, from) => this.store(node, part, field, element, this.numberOrBoolean(from, meaning)),
    })
    const isComputed = node.computed as boolean
    if (object.is === 'resource' || (object.is === 'vec' && object.part === undefined))
      refuse(node, 'a resource is only read in a compiled function.')
    if (object.is === 'vec' && object.part !== undefined && isComputed)
      return cell(object.part, object.field, this.index(property, object.field))
    if (object.is === 'part' && !isComputed) {
      const { name, fields } = this.shape.parts[object.part] as ComponentShape
      const field = this.fieldNamed(property, name, fields, property.name as string)
      if (field.vec > 0) refuse(node, 'set the values of a vec one by one, by their index.')
      return cell(object.part, field, 0)
    }
    if (object.is === 'undefined') this.memberOf(property, object, property.name as string)
    return refuse(node, 'only variables and the fields of components can be assigned to.')
  }

  private assignVariable(target: Node, meaning: Meaning): void {
    const variable = this.variable(target)
    if (variable === undefined) {
      this.name(target)
      refuse(target, `'${target.name as string}' cannot be assigned to.`)
    }
    if (variable.isConst) refuse(target, `'${variable.name}' is a constant.`)
    if (!this.path.variables.has(variable))
      refuse(target, `'${variable.name}' is used before it is declared, on some path that leads here.`)
    this.path.variables.set(variable, meaning)
  }

  protected assignment(node: Node, wanted: WantedResult): Meaning {
    const operator = (node.operator as string).slice(0, -1)
    const right = node.right as Node
    const target = this.target(node.left as Node)
    const set = (meaning: Meaning): Meaning => {
      target.set(meaning, right)
      return meaning
    }
    if (operator === '') return set(this.meaning(right))
    const before = target.get()
    if (LOGICAL.test(operator))
      return this.shortCircuit(node, operator, before, wanted, () => set(this.meaning(right)))
    const value = this.numberOrBoolean(node.left as Node, before)
    return set(this.of(this.operation(node, operator, value, this.value(right))))
  }

  protected update(node: Node): Meaning {
    const { graph } = this
    const argument = node.argument as Node
    if (argument.type !== 'name' && argument.type !== 'member')
      refuse(argument, 'only variables and fields can be assigned to.')
    const target = this.target(argument)
    const before = graph.number(this.numberOrBoolean(argument, target.get()))
    const after = graph.arithmetic(node.operator === '++' ? 'add' : 'sub', before, graph.constant(1))
    target.set(this.of(after), argument)
    return this.of((node.prefix as boolean) ? after : before)
  }

  // ── operators ──

  protected unary(node: Node): Meaning {
    const { graph } = this
    const argument = node.argument as Node
    switch (node.operator) {
      case '-':
        return this.of(graph.neg(this.numeric(argument)))
      case '+':
        return this.of(this.numeric(argument))
      case '!':
        return this.of(graph.not(this.condition(argument)))
      case '~':
        return this.of(graph.bits('xor', this.numeric(argument), graph.constant(-1)))
      case 'void':
        this.effect(argument)
        return UNDEFINED
    }
    return refuse(node, `${node.operator as string} is not supported.`)
  }

  protected binary(node: Node): Meaning {
    const operator = node.operator as string
    const left = node.left as Node
    const right = node.right as Node
    const equality = EQUALITY.exec(operator)
    if (equality === null) {
      const operand = (side: Node): GraphValue =>
        RELATION.test(operator) ? this.compared(side) : this.value(side, 'number')
      return this.of(this.operation(node, operator, operand(left), operand(right)))
    }
    const strictly = operator.length === 3
    const [a, b] = [this.meaning(left), this.meaning(right)]
    const equal =
      isNothing(a) || isNothing(b)
        ? this.graph.constant(areSameNothing(node, a, b, strictly))
        : this.equal(this.numberOrBoolean(left, a), this.numberOrBoolean(right, b), strictly)
    return this.of(equality[1] === '=' ? equal : this.graph.not(equal))
  }

  /** A side of < or >: what is missing is neither less nor greater, as in JavaScript. */
  private compared(node: Node): GraphValue {
    const meaning = this.meaning(node, 'number')
    if (isNothing(meaning)) return this.graph.constant(meaning.is === 'null' ? 0 : NaN)
    return this.numberOrBoolean(node, meaning)
  }

  /** a === b, or a == b. */
  protected equal(a: GraphValue, b: GraphValue, strictly: boolean): GraphValue {
    const { graph } = this
    if (a.isBoolean && b.isBoolean) return graph.not(graph.differ(a, b))
    if (a.isBoolean !== b.isBoolean && strictly) return graph.constant(false)
    return graph.compare('eq', graph.number(a), graph.number(b))
  }

  private operation(node: Node, operator: string, left: GraphValue, right: GraphValue): GraphValue {
    const { graph } = this
    const [a, b] = [graph.number(left), graph.number(right)]
    const operation = OPERATIONS[operator]
    if (operation !== undefined) return graph.binary(operation, a, b)
    if (operator === '>') return graph.compare('lt', b, a)
    if (operator === '>=') return graph.compare('le', b, a)
    if (operator === '%') return graph.remainder(a, b) ?? refuse(node, NO_REMAINDER)
    const power = operator === '**' ? powerOf(a, b) : undefined
    if (power !== undefined) return graph.constant(power)
    return refuse(
      node,
      operator === '**'
        ? 'the bits of ** differ between engines: write x * x, or Math.sqrt(x).'
        : `${operator} is not supported.`,
    )
  }

  protected logical(node: Node, wanted: WantedResult): Meaning {
    const first = this.meaning(node.left as Node, wanted === 'nothing' ? 'boolean' : wanted)
    const other = (): Meaning => this.meaning(node.right as Node, wanted)
    return this.shortCircuit(node, node.operator as string, first, wanted, other)
  }

  /** What `first && …`, `first || …` or `first ?? …` is; the other side is carried out where the first does not decide. */
  private shortCircuit(
    node: Node,
    operator: string,
    first: Meaning,
    wanted: WantedResult,
    other: () => Meaning,
  ): Meaning {
    const left = node.left as Node
    if (operator === '??') {
      if (first.is === 'unset' || first.is === 'mixed') refuse(left, NO_VALUE[first.is])
      return isNothing(first) ? other() : first
    }
    const and = operator === '&&'
    const condition = this.truth(left, first)
    // An optional component decides when the function is compiled.
    if (isConst(condition)) return (condition.data === true) === and ? other() : first
    let meaning = first
    const go = (): void => {
      meaning = other()
    }
    const skip = (): void => {}
    // Minifiers make `a && (b = c)` of `if (a) b = c`.
    this.fork(condition, node, and ? go : skip, and ? skip : go)
    if (wanted === 'nothing') return UNDEFINED
    const one = this.valueFor(wanted, left, first)
    const second = this.valueFor(wanted, node.right as Node, meaning)
    return this.of(
      and
        ? this.choose(node, condition, second, one, wanted)
        : this.choose(node, condition, one, second, wanted),
    )
  }

  protected conditional(node: Node, wanted: WantedResult): Meaning {
    const condition = this.condition(node.test as Node)
    const consequent = node.consequent as Node
    const alternate = node.alternate as Node
    if (isConst(condition)) return this.meaning(condition.data === true ? consequent : alternate, wanted)
    let one = UNSET
    let other = UNSET
    this.fork(
      condition,
      node,
      () => (one = this.meaning(consequent, wanted)),
      () => (other = this.meaning(alternate, wanted)),
    )
    if (wanted === 'nothing') return UNDEFINED
    return this.of(
      this.choose(
        node,
        condition,
        this.valueFor(wanted, consequent, one),
        this.valueFor(wanted, alternate, other),
        wanted,
      ),
    )
  }

  private choose(
    node: Node,
    condition: GraphValue,
    a: GraphValue,
    b: GraphValue,
    wanted: WantedResult,
  ): GraphValue {
    const { graph } = this
    if (wanted === 'number') return graph.select(condition, graph.number(a), graph.number(b))
    if (wanted === 'boolean') return graph.select(condition, graph.truth(a), graph.truth(b))
    if (a.isBoolean !== b.isBoolean)
      refuse(node, 'this would be a number for some rows and a boolean for others.')
    return graph.select(condition, a, b)
  }
}

const OPERATIONS: Readonly<Record<string, BinaryOp>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '<': 'lt',
  '<=': 'le',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'shl',
  '>>': 'shr',
  '>>>': 'ushr',
}

const NO_VALUE: Readonly<Record<Exclude<Meaning['is'], 'value' | 'globalFunction'>, string>> = {
  part: 'this is a component: name one of its fields.',
  vec: 'this is a vec: name one of its values, such as [0].',
  values: 'these are all values: name one of them.',
  resource: 'this is a resource: name one of its fields.',
  function: 'this is a function: call it.',
  global: 'name one of its functions, such as Math.sqrt(x).',
  builtIn: 'this is a function: call it.',
  undefined: 'this is undefined here.',
  null: 'null can only be compared with.',
  unset: 'this has no value on some path that leads here.',
  mixed:
    'this is not the same on all paths that lead here: a number, a component or nothing on some, and another on others.',
}

const NO_REMAINDER = '% takes whole numbers: make them whole by | 0, or write a - Math.trunc(a / b) * b.'

/** Whether it is undefined or null: an optional component is compared with these. */
const isNothing = ({ is }: Meaning): boolean => is === 'undefined' || is === 'null'

function areSameNothing(node: Node, a: Meaning, b: Meaning, strictly: boolean): boolean {
  for (const { is } of [a, b]) if (is === 'unset' || is === 'mixed') refuse(node, NO_VALUE[is])
  return strictly ? a.is === b.is : isNothing(a) && isNothing(b)
}
