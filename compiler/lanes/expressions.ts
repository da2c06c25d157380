// Owns the translation of an expression to code for four lanes: its type, as AssemblyScript would find it, whether it is the
// same for all rows, and its text.
// It must never write a statement, and no text that traps or has an effect: all four lanes compute everything.

import type {
  AssertionExpression,
  BinaryExpression,
  CallExpression,
  ElementAccessExpression,
  Expression,
  IdentifierExpression,
  LiteralExpression,
  Node,
  PropertyAccessExpression,
  TernaryExpression,
  TypeNode,
  UnaryPrefixExpression,
} from 'assemblyscript'
import { LiteralKind, NodeKind, textOf } from '../syntax'
import { LIBRARY_FUNCTIONS, MATHF, MATHF_CONSTANTS, TYPE_CONSTANTS, UNARY } from './builtins'
import type { KernelFile } from './kernelFile'
import {
  laneBinary,
  laneComparison,
  laneComplement,
  laneConversion,
  laneExtreme,
  laneNegation,
  laneShift,
  laneShiftEach,
} from './operations'
import { assignmentOperator, bare, operatorText } from './nodes'
import { PLAIN_LOOP, refuse } from './refusal'
import { Scope, type Column } from './scope'
import {
  bitsOf,
  commonType,
  fitsLanes,
  integerLiteralType,
  integerWanted,
  isAssignable,
  isFloat,
  isValueType,
  type ValueType,
  type Wanted,
} from './valueTypes'

/** An expression, compiled. */
export interface Value {
  readonly type: ValueType
  /** Whether it is one number for all rows. Then the text is plain AssemblyScript of this type, else a v128. */
  readonly uniform: boolean
  readonly text: string
}

/** A function of the user's file, of which there is a form for lanes. */
export interface HelperSignature {
  readonly parameters: readonly ValueType[]
  readonly result: ValueType
  /** The name of its form for lanes. */
  readonly lanes: string
}

/** What an expression needs of where it stands. */
export interface Surroundings {
  readonly file: KernelFile
  /** Names the value of an expression that is the same in all iterations. */
  hoist(text: string): string
  /** Names a value of this iteration. */
  keep(text: string): string
  /** Names the four row numbers. */
  rowNumbers(): string
  /** The form for lanes of a function of the file. */
  helper(name: string, call: Node): HelperSignature
}

/** The column and, in a column of vecs, the index that an element access means. */
export interface Place {
  readonly column: Column
  readonly name: string
  /** Index of the value in a row of a column of vecs: AssemblyScript text; undefined for other columns. */
  readonly element: string | undefined
}

const DIVISION =
  'Lanes have no division of integers. Divide as f32, shift by a power of two, divide before the loop where both sides are the same for all rows, or take `Rows` instead of `Lanes` for a plain loop.'

export class Expressions {
  private readonly around: Surroundings
  scope: Scope

  constructor(around: Surroundings, scope: Scope) {
    this.around = around
    this.scope = scope
  }

  private get file(): KernelFile {
    return this.around.file
  }

  refuse(node: Node, message: string): never {
    return refuse(this.file.source, node, message)
  }

  private written(node: Node): string {
    return textOf(this.file.source, node)
  }

  /** The value of an expression where a type is wanted, without any conversion to it. */
  value(expression: Expression, wanted: Wanted): Value {
    const node = bare(expression)
    switch (node.kind) {
      case NodeKind.Literal:
        return this.literal(node as LiteralExpression, wanted, false)
      case NodeKind.True:
      case NodeKind.False:
        return { type: 'bool', uniform: true, text: node.kind === NodeKind.True ? 'true' : 'false' }
      case NodeKind.Identifier:
        return this.identifier(node as IdentifierExpression, wanted)
      case NodeKind.ElementAccess:
        return this.load(this.place(node as ElementAccessExpression))
      case NodeKind.PropertyAccess:
        return this.property(node as PropertyAccessExpression)
      case NodeKind.Assertion:
        return this.assertion(node as AssertionExpression)
      case NodeKind.UnaryPrefix:
        return this.unary(node as UnaryPrefixExpression, wanted)
      case NodeKind.Binary:
        return this.binary(node as BinaryExpression, wanted)
      case NodeKind.Ternary:
        return this.ternary(node as TernaryExpression, wanted)
      case NodeKind.Call:
        return this.call(node as CallExpression)
      case NodeKind.UnaryPostfix:
        return this.refuse(node, `Write \`${this.written(node)}\` as a statement of its own.`)
      default:
        return this.refuse(node, `This expression cannot run in lanes. ${PLAIN_LOOP}`)
    }
  }

  /** The value of an expression as AssemblyScript converts it without a cast. */
  converted(expression: Expression, type: ValueType): Value {
    const value = this.value(expression, type)
    if (!isAssignable(value.type, type)) {
      const advice =
        type === 'f32' && value.type === 'f64'
          ? 'Give its numbers the type f32, as in `f32(0.5)`, or cast it'
          : 'Cast it'
      this.refuse(
        expression,
        `This is ${an(value.type)}, and ${an(type)} is wanted. ${advice}: \`${type}(x)\`.`,
      )
    }
    return this.cast(value, type, expression)
  }

  /** The value of an expression as a condition. */
  condition(expression: Expression): Value {
    return this.truth(this.value(expression, 'bool'))
  }

  /** The value in four lanes. */
  lanes(value: Value, node: Node): string {
    if (!fitsLanes(value.type)) this.refuseWide(value.type, node)
    if (!value.uniform) return value.text
    return this.around.hoist(`__library.splatLanes<${value.type}>(${value.text})`)
  }

  /** A conversion, whether it needs a cast or not. */
  cast(value: Value, type: ValueType, node: Node): Value {
    if (value.type === type) return value
    if (value.uniform) return { type, uniform: true, text: `<${type}>(${value.text})` }
    if (!fitsLanes(type)) this.refuseWide(type, node)
    if (type === 'bool' && !isFloat(value.type))
      // AssemblyScript leaves all bits of the integer in the bool, and what they do depends on what follows.
      this.refuse(node, `An integer cast to bool is not the same everywhere. Compare it: \`x != 0\`.`)
    return { type, uniform: false, text: laneConversion(value.type, type, value.text) }
  }

  private refuseWide(type: ValueType, node: Node): never {
    const number =
      type === 'f64' ? ' Numbers such as 0.5 are f64 unless an f32 stands before them: write `f32(0.5)`.' : ''
    return this.refuse(
      node,
      `This is ${an(type)}, and lanes hold 32 bits.${number} Compute in ${type === 'f64' ? 'f32' : '32 bits'}, or take \`Rows\` instead of \`Lanes\` for a plain loop.`,
    )
  }

  /** Whether a value counts as true: not 0 and not NaN. */
  private truth(value: Value): Value {
    if (value.type === 'bool') return value
    if (value.uniform) return { type: 'bool', uniform: true, text: `!!(${value.text})` }
    return { type: 'bool', uniform: false, text: laneConversion(value.type, 'bool', value.text) }
  }

  private literal(node: LiteralExpression, wanted: Wanted, negative: boolean): Value {
    const sign = negative ? '-' : ''
    if (node.literalKind === LiteralKind.Float) {
      const type = wanted === 'f32' ? 'f32' : 'f64'
      return {
        type,
        uniform: true,
        text: `<${type}>(${sign}${this.written(node)})`,
      }
    }
    if (node.literalKind !== LiteralKind.Integer)
      return this.refuse(node, 'A kernel computes with numbers alone.')
    const { value } = node as unknown as { value: { toString(): string } }
    const type = integerLiteralType(BigInt.asUintN(64, BigInt(value.toString())), negative, wanted)
    const written = this.written(node)
    return { type, uniform: true, text: `<${type}>(${sign}${written})` }
  }

  private identifier(node: IdentifierExpression, wanted: Wanted): Value {
    const name = node.text
    const meaning = this.scope.lookUp(name)
    switch (meaning?.is) {
      case 'uniform':
        return { type: meaning.type, uniform: true, text: meaning.text }
      case 'lanes':
        return { type: meaning.type, uniform: false, text: meaning.text }
      case 'row':
        return { type: 'i32', uniform: false, text: this.around.rowNumbers() }
      case 'accumulator':
        return this.refuse(
          node,
          `'${name}' is not known while the loop runs: each lane adds up for itself. Inside of the loop use it only as in \`${name} += x\`, \`${name}++\` or \`${name} = min(${name}, x)\`, always the same one. ${PLAIN_LOOP}`,
        )
      case 'accumulated':
        return this.refuse(
          node,
          `'${name}' holds what an earlier loop accumulated over a part of the rows. Return it, and use it in another kernel.`,
        )
      case 'column':
        return this.refuse(node, `'${name}' is a column. Write \`${name}[i]\`, with the row of the loop.`)
      case 'rows':
        return this.refuse(
          node,
          `'${name}' is used by the head of a loop alone: \`for (let i = ${name}.start; i < ${name}.end; i++)\`.`,
        )
      case 'unknown':
        return this.refuse(
          node,
          `The type of '${name}' is not plain to see. Declare it, as in \`const ${name}: f32 = …\`.`,
        )
    }
    if (name === 'NaN' || name === 'Infinity') {
      const type = wanted === 'f32' ? 'f32' : 'f64'
      return { type, uniform: true, text: `<${type}>(${name})` }
    }
    return this.constant(node)
  }

  /** A constant of the file's top level. */
  private constant(node: IdentifierExpression): Value {
    const name = node.text
    const declaration = this.file.constants.get(name)
    if (declaration === undefined)
      return this.refuse(
        node,
        this.file.foreign.has(name)
          ? `'${name}' is of another file. Declare what loops in lanes use in this file.`
          : `There is no '${name}' here.`,
      )
    const type = declaration.type
      ? this.file.valueType(declaration.type)
      : declaration.initializer &&
        new Expressions(this.around, new Scope()).value(declaration.initializer, 'auto').type
    if (!type) return this.refuse(node, `'${name}' is no number, and loops in lanes know nothing else.`)
    return { type, uniform: true, text: name }
  }

  /** What an element access means: `column[i]` or `column[i][k]`. */
  place(node: ElementAccessExpression): Place {
    const outer = bare(node.expression)
    if (outer.kind === NodeKind.ElementAccess) {
      const inner = outer as ElementAccessExpression
      const { name, column } = this.columnAt(inner)
      const { length } = column.parameter
      if (length === 1) return this.refuse(node, `'${name}' holds one value a row: write \`${name}[i]\`.`)
      const index = this.value(node.elementExpression, 'i32')
      const literal = bare(node.elementExpression)
      if (!index.uniform || isFloat(index.type) || !isAssignable(index.type, 'i32'))
        return this.refuse(
          node.elementExpression,
          `The second index is an i32 that is the same for all rows. ${PLAIN_LOOP}`,
        )
      if (literal.kind === NodeKind.Literal && Number(this.written(literal)) >= length)
        return this.refuse(
          literal,
          `'${name}' has ${length} values a row: the second index is at most ${length - 1}.`,
        )
      return { column, name, element: this.cast(index, 'i32', node).text }
    }
    const { name, column } = this.columnAt(node)
    if (column.parameter.length > 1)
      return this.refuse(
        node,
        `'${name}' holds ${column.parameter.length} values a row: write \`${name}[i][0]\` and so on.`,
      )
    return { column, name, element: undefined }
  }

  private columnAt(node: ElementAccessExpression): { name: string; column: Column } {
    const target = bare(node.expression)
    const name = target.kind === NodeKind.Identifier ? (target as IdentifierExpression).text : undefined
    const column = name === undefined ? undefined : this.scope.lookUp(name)
    if (name === undefined || column?.is !== 'column')
      return this.refuse(target, `Only columns can be indexed in lanes. ${PLAIN_LOOP}`)
    if (column.type === 'f64')
      return this.refuse(
        target,
        `'${name}' holds f64, and lanes hold 32 bits. Declare the field as f32, or take \`Rows\` instead of \`Lanes\` for a plain loop.`,
      )
    const index = bare(node.elementExpression)
    if (
      index.kind === NodeKind.Identifier &&
      this.scope.lookUp((index as IdentifierExpression).text)?.is === 'row'
    )
      return { name, column }
    return this.refuse(
      node.elementExpression,
      `In lanes a column is read and written at the row of the loop alone, as its neighbours are computed at the same time. ${PLAIN_LOOP}`,
    )
  }

  /** Reads four rows. */
  load({ column, name, element }: Place): Value {
    const text =
      element === undefined
        ? `__library.loadLanes<${column.type}>(${name}, ${ROW})`
        : `__library.gatherLanes<${column.type}>(${name}[${ROW}], ${column.parameter.length}, ${element})`
    return { type: column.type, uniform: false, text }
  }

  /** Code that writes four rows. */
  store({ column, name, element }: Place, lanes: string, mask: string | undefined): string {
    const where = mask === undefined ? '' : 'Where'
    const value = mask === undefined ? lanes : `${mask}, ${lanes}`
    return element === undefined
      ? `__library.storeLanes${where}<${column.type}>(${name}, ${ROW}, ${value})`
      : `__library.scatterLanes${where}<${column.type}>(${name}[${ROW}], ${column.parameter.length}, ${element}, ${value})`
  }

  private property(node: PropertyAccessExpression): Value {
    const target = bare(node.expression)
    const name = node.property.text
    if (target.kind === NodeKind.Identifier) {
      const owner = (target as IdentifierExpression).text
      if (this.scope.lookUp(owner)?.is === 'rows') {
        return this.refuse(
          node,
          `Only the head of a loop knows \`${owner}.${name}\`: a kernel in lanes is called for parts of a run. ${PLAIN_LOOP}`,
        )
      }
      if (owner === 'Mathf' && MATHF_CONSTANTS.has(name))
        return { type: 'f32', uniform: true, text: `Mathf.${name}` }
      if (owner === 'Math' && MATHF_CONSTANTS.has(name))
        return { type: 'f64', uniform: true, text: `Math.${name}` }
      if (isValueType(owner) && TYPE_CONSTANTS.has(name))
        return { type: owner, uniform: true, text: `${owner}.${name}` }
    }
    return this.refuse(node, `\`${this.written(node)}\` is nothing that lanes know. ${PLAIN_LOOP}`)
  }

  private typeOf(node: TypeNode): ValueType {
    return (
      this.file.valueType(node) ??
      this.refuse(node, `Loops in lanes know numbers alone, not '${this.written(node)}'.`)
    )
  }

  private assertion(node: AssertionExpression): Value {
    if (node.toType === null) return this.refuse(node, 'This says nothing about a number. Remove it.')
    const type = this.typeOf(node.toType)
    return this.cast(this.value(node.expression, type), type, node)
  }

  private unary(node: UnaryPrefixExpression, wanted: Wanted): Value {
    const operator = operatorText(node.operator)
    const operand = bare(node.operand)
    if (operator === '-' && node.operand.kind === NodeKind.Literal)
      return this.literal(operand as LiteralExpression, wanted, true)
    if (operator === '+') return this.value(operand, wanted)
    if (operator === '!') {
      const value = this.truth(this.value(operand, wanted))
      return {
        type: 'bool',
        uniform: value.uniform,
        text: value.uniform ? `!(${value.text})` : `v128.not(${value.text})`,
      }
    }
    if (operator !== '-' && operator !== '~')
      return this.refuse(node, `Write \`${this.written(node)}\` as a statement of its own.`)
    const value = this.value(operand, operator === '~' ? integerWanted(wanted) : wanted)
    const { type } = value
    if (operator === '~' && isFloat(type))
      return this.refuse(node, `\`~\` is for integers, and this is ${an(type)}.`)
    if (type === 'bool')
      return this.refuse(node, `\`${operator}\` of a bool: write \`${operator}i32(x)\`, or \`!x\`.`)
    if (value.uniform) return { type, uniform: true, text: `<${type}>(${operator}(${value.text}))` }
    const text = operator === '-' ? laneNegation(type, value.text) : laneComplement(type, value.text)
    return { type, uniform: false, text: text! }
  }

  private binary(node: BinaryExpression, wanted: Wanted): Value {
    const operator = operatorText(node.operator)
    if (assignmentOperator(node) !== undefined)
      return this.refuse(node, 'An assignment is a statement of its own in lanes, not part of an expression.')
    switch (operator) {
      case '&&':
      case '||':
        return this.logical(node, operator, wanted)
      case '<<':
      case '>>':
      case '>>>': {
        const left = this.value(node.left, integerWanted(wanted))
        return this.shift(operator, left, node.right, node)
      }
      case undefined:
      case '**':
        return this.refuse(
          node,
          `Lanes do not have this operator. Multiply, or take \`Rows\` instead of \`Lanes\`.`,
        )
    }
    const bitwise = operator === '&' || operator === '|' || operator === '^'
    const left = this.value(node.left, bitwise ? integerWanted(wanted) : wanted)
    const right = this.value(node.right, left.type)
    const comparing = /^[<>=!]=?$|^==$/.test(operator)
    const ordering = comparing && operator !== '==' && operator !== '!='
    const type = commonType(left.type, right.type, ordering)
    if (type === undefined || (bitwise && isFloat(type)))
      return this.refuse(
        node,
        `\`${operator}\` between ${an(left.type)} and ${an(right.type)}: cast one of them.`,
      )
    const a = this.cast(left, type, node.left)
    const b = this.cast(right, type, node.right)
    return comparing ? this.compared(operator, a, b, node) : this.operated(operator, a, b, node)
  }

  /** An operation, but no shift, on two values of one type. */
  operated(operator: string, a: Value, b: Value, node: Node): Value {
    const { type } = a
    if ((operator === '/' || operator === '%') && !isFloat(type)) return this.refuse(node, DIVISION)
    if (type === 'bool' && '+-*'.includes(operator))
      return this.refuse(node, `\`${operator}\` between bools: cast them, as in \`i32(x)\`.`)
    if (a.uniform && b.uniform)
      return { type, uniform: true, text: `<${type}>(${a.text} ${operator} ${b.text})` }
    const text = laneBinary(operator, type, this.lanes(a, node), this.lanes(b, node))
    if (text === undefined)
      return this.refuse(node, `Lanes have no \`${operator}\` of ${type}. ${PLAIN_LOOP}`)
    return { type, uniform: false, text }
  }

  private compared(operator: string, a: Value, b: Value, node: Node): Value {
    if (a.uniform && b.uniform)
      return { type: 'bool', uniform: true, text: `(${a.text} ${operator} ${b.text})` }
    const text = laneComparison(operator, a.type, this.lanes(a, node), this.lanes(b, node))
    if (text === undefined)
      return this.refuse(node, `Lanes have no \`${operator}\` of bools. Cast them, as in \`i32(x)\`.`)
    return { type: 'bool', uniform: false, text }
  }

  /** A shift by an amount that is converted to the left side's type. */
  shift(operator: string, left: Value, right: Expression, node: Node): Value {
    const { type } = left
    if (isFloat(type)) return this.refuse(node, `\`${operator}\` is for integers, and this is ${an(type)}.`)
    if (type === 'bool') return this.refuse(node, `\`${operator}\` of a bool: cast it, as in \`i32(x)\`.`)
    const amount = this.converted(right, type)
    if (left.uniform && amount.uniform)
      return { type, uniform: true, text: `<${type}>(${left.text} ${operator} ${amount.text})` }
    if (!amount.uniform)
      return {
        type,
        uniform: false,
        text: laneShiftEach(operator, type, this.lanes(left, node), amount.text),
      }
    const bits = bitsOf(type)
    const count = `<i32>(${amount.text})${bits < 32 ? ` & ${bits - 1}` : ''}`
    return { type, uniform: false, text: laneShift(operator, type, this.lanes(left, node), count) }
  }

  private logical(node: BinaryExpression, operator: '&&' | '||', wanted: Wanted): Value {
    const left = this.value(node.left, wanted)
    const right = this.value(node.right, left.type)
    if (wanted !== 'bool' && (left.type !== 'bool' || right.type !== 'bool'))
      return this.refuse(node, `\`${operator}\` of numbers: compare them with 0, or write \`x ? a : b\`.`)
    const [a, b] = [this.truth(left), this.truth(right)]
    if (a.uniform && b.uniform)
      return { type: 'bool', uniform: true, text: `(${a.text} ${operator} ${b.text})` }
    const name = operator === '&&' ? 'and' : 'or'
    return {
      type: 'bool',
      uniform: false,
      text: `v128.${name}(${this.lanes(a, node.left)}, ${this.lanes(b, node.right)})`,
    }
  }

  private ternary(node: TernaryExpression, wanted: Wanted): Value {
    const condition = this.condition(node.condition)
    const first = this.value(node.ifThen, wanted)
    const second = this.value(node.ifElse, wanted === 'auto' ? first.type : wanted)
    const type = commonType(first.type, second.type)
    if (type === undefined)
      return this.refuse(
        node.ifElse,
        `This is ${an(second.type)}, and the other side ${an(first.type)}: cast one of them.`,
      )
    return this.choice(condition, this.cast(first, type, node), this.cast(second, type, node), node)
  }

  private choice(condition: Value, a: Value, b: Value, node: Node): Value {
    const { type } = a
    if (condition.uniform && a.uniform && b.uniform)
      return { type, uniform: true, text: `(${condition.text} ? ${a.text} : ${b.text})` }
    return {
      type,
      uniform: false,
      text: `v128.bitselect(${this.lanes(a, node)}, ${this.lanes(b, node)}, ${this.lanes(condition, node)})`,
    }
  }

  private call(node: CallExpression): Value {
    const callee = bare(node.expression)
    if (callee.kind === NodeKind.PropertyAccess) {
      const { expression, property } = callee as PropertyAccessExpression
      const owner = this.written(expression)
      const known = this.file.libraryName(property.text, owner)
      if (known !== undefined && LIBRARY_FUNCTIONS.has(known)) return this.libraryCall(node, known)
      if (owner === 'Mathf' && MATHF.has(property.text)) return this.builtinCall(node, property.text, 'f32')
      return this.refuse(callee, this.unknownCall(this.written(callee)))
    }
    if (callee.kind !== NodeKind.Identifier)
      return this.refuse(callee, this.unknownCall(this.written(callee)))
    const name = (callee as IdentifierExpression).text
    if (this.file.functions.has(name)) return this.helperCall(node, name)
    const known = this.file.libraryName(name)
    if (known !== undefined && LIBRARY_FUNCTIONS.has(known)) return this.libraryCall(node, known)
    if (this.file.foreign.has(name))
      return this.refuse(
        callee,
        `'${name}' is of another file. Functions that loops in lanes call are declared in this file.`,
      )
    if (isValueType(name)) return this.cast(this.value(this.operand(node, 0, 1), name), name, node)
    const [argument] = node.typeArguments ?? []
    return this.builtinCall(node, name, argument && this.typeOf(argument))
  }

  private unknownCall(name: string): string {
    return `'${name}' cannot be called in lanes. There are sqrt, abs, min, max, floor, ceil, trunc, nearest, select and copysign; ${[...LIBRARY_FUNCTIONS.keys()].join(', ')} of 'strata-ecs/kernel'; and functions of this file. ${PLAIN_LOOP}`
  }

  private operand(node: CallExpression, index: number, count: number): Expression {
    if (node.args.length !== count)
      this.refuse(
        node,
        `'${this.written(node.expression)}' takes ${count} argument${count === 1 ? '' : 's'}.`,
      )
    return node.args[index]!
  }

  private builtinCall(node: CallExpression, name: string, type: ValueType | undefined): Value {
    const unary = UNARY.get(name)
    if (unary !== undefined) {
      const operand = this.operand(node, 0, 1)
      const value = type === undefined ? this.value(operand, unary.wanted) : this.converted(operand, type)
      if (value.uniform) return { ...value, text: `${name}<${value.type}>(${value.text})` }
      const text = unary.lanes(value.type, value.text)
      return text === undefined ? this.refuse(node, this.noForm(name, value.type)) : { ...value, text }
    }
    switch (name) {
      case 'min':
      case 'max':
        return this.extreme(node, name, type)
      case 'copysign':
        return this.copysign(node, type)
      case 'select':
        return this.select(node, type)
      case 'reinterpret':
        return this.reinterpret(node, type)
      case 'isNaN':
        return this.isNaN(node, type)
      default:
        return this.refuse(node.expression, this.unknownCall(name))
    }
  }

  private noForm(name: string, type: ValueType): string {
    return `Lanes have no '${name}' of ${type}. Cast its argument, as in \`${isFloat(type) || name === 'sqrt' ? 'f32' : 'i32'}(x)\`.`
  }

  private extreme(node: CallExpression, name: 'min' | 'max', type: ValueType | undefined): Value {
    const first = this.operand(node, 0, 2)
    const second = this.operand(node, 1, 2)
    let a = type === undefined ? this.value(first, 'auto') : this.converted(first, type)
    let b: Value
    if (type === undefined && first.kind === NodeKind.Literal) {
      b = this.value(second, a.type)
      if (b.type !== a.type) a = this.converted(first, b.type)
    } else {
      b = this.converted(second, a.type)
    }
    if (a.uniform && b.uniform) return { ...a, text: `${name}<${a.type}>(${a.text}, ${b.text})` }
    const text = laneExtreme(name, a.type, this.lanes(a, first), this.lanes(b, second))
    return text === undefined ? this.refuse(node, this.noForm(name, a.type)) : { ...a, uniform: false, text }
  }

  private copysign(node: CallExpression, type: ValueType | undefined): Value {
    const first = this.operand(node, 0, 2)
    const a = type === undefined ? this.value(first, 'f64') : this.converted(first, type)
    const b = this.converted(this.operand(node, 1, 2), a.type)
    if (!isFloat(a.type)) return this.refuse(node, this.noForm('copysign', a.type))
    if (a.uniform && b.uniform) return { ...a, text: `copysign<${a.type}>(${a.text}, ${b.text})` }
    const sign = this.around.hoist('f32x4.splat(-0.0)')
    return {
      type: a.type,
      uniform: false,
      text: `v128.bitselect(${this.lanes(b, node)}, ${this.lanes(a, node)}, ${sign})`,
    }
  }

  private select(node: CallExpression, type: ValueType | undefined): Value {
    const first = this.operand(node, 0, 3)
    const a = type === undefined ? this.value(first, 'auto') : this.converted(first, type)
    const b = this.converted(this.operand(node, 1, 3), a.type)
    return this.choice(this.condition(this.operand(node, 2, 3)), a, b, node)
  }

  private reinterpret(node: CallExpression, type: ValueType | undefined): Value {
    const value = this.value(this.operand(node, 0, 1), 'auto')
    if (type === undefined || bitsOf(type) !== 32 || bitsOf(value.type) !== 32)
      return this.refuse(node, `In lanes \`reinterpret<T>(x)\` is between f32, i32 and u32.`)
    return {
      type,
      uniform: value.uniform,
      text: value.uniform ? `reinterpret<${type}>(${value.text})` : value.text,
    }
  }

  private isNaN(node: CallExpression, type: ValueType | undefined): Value {
    const operand = this.operand(node, 0, 1)
    const value = type === undefined ? this.value(operand, 'auto') : this.converted(operand, type)
    if (!isFloat(value.type)) return this.refuse(node, 'Integers are never NaN.')
    if (value.uniform) return { type: 'bool', uniform: true, text: `isNaN<${value.type}>(${value.text})` }
    const kept = this.around.keep(value.text)
    return { type: 'bool', uniform: false, text: `f32x4.ne(${kept}, ${kept})` }
  }

  private libraryCall(node: CallExpression, known: string): Value {
    const { parameters, result, lanes } = LIBRARY_FUNCTIONS.get(known)!
    return this.callWith(node, `__library.${known}`, `__library.${lanes}`, parameters, result)
  }

  private helperCall(node: CallExpression, name: string): Value {
    const { parameters, result, lanes } = this.around.helper(name, node)
    return this.callWith(node, name, lanes, parameters, result)
  }

  private callWith(
    node: CallExpression,
    scalar: string,
    lanes: string,
    parameters: readonly ValueType[],
    type: ValueType,
  ): Value {
    const values = parameters.map((parameter, k) =>
      this.converted(this.operand(node, k, parameters.length), parameter),
    )
    const uniform = values.length > 0 && values.every((value) => value.uniform)
    if (uniform) return { type, uniform, text: `${scalar}(${values.map(({ text }) => text).join(', ')})` }
    const texts = values.map((value, k) => this.lanes(value, node.args[k]!))
    return { type, uniform: false, text: `${lanes}(${texts.join(', ')})` }
  }
}

/** The first row of a group, in the code for a loop. */
export const ROW = '__row'

function an(type: ValueType): string {
  return `${/^[if]/.test(type) ? 'an' : 'a'} ${type}`
}
