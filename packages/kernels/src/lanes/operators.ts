// Owns the operators of expressions: with one side, with two, and `? :`. The four lanes compute all sides.

import type {
  BinaryExpression,
  Expression,
  LiteralExpression,
  Node,
  TernaryExpression,
  UnaryPrefixExpression,
} from 'assemblyscript'
import { NodeKind } from '../syntax'
import { an, type Conversions, type Value } from './conversions'
import { literalValue } from './literals'
import { assignmentOperator, bare, operatorText } from './nodes'
import {
  laneBinary,
  laneComparison,
  laneComplement,
  laneNegation,
  laneShift,
  laneShiftEach,
} from './operations'
import { PLAIN_LOOP } from './refusal'
import { bitsOf, commonType, integerWanted, isFloat, type Wanted } from './valueTypes'

const DIVISION =
  'Lanes have no division of integers. Divide as f32, shift by a power of two, divide before the loop where both sides are the same for all rows, or take `Rows` instead of `Lanes` for a plain loop.'

export class Operators {
  private readonly values: Conversions

  constructor(values: Conversions) {
    this.values = values
  }

  unary(node: UnaryPrefixExpression, wanted: Wanted): Value {
    const operator = operatorText(node.operator)
    const operand = bare(node.operand)
    if (operator === '-' && node.operand.kind === NodeKind.Literal)
      return literalValue(this.values, operand as LiteralExpression, wanted, true)
    if (operator === '+') return this.values.value(operand, wanted)
    if (operator === '!') {
      const value = this.values.truth(this.values.value(operand, wanted))
      return {
        type: 'bool',
        uniform: value.uniform,
        text: value.uniform ? `!(${value.text})` : `v128.not(${value.text})`,
      }
    }
    if (operator !== '-' && operator !== '~')
      return this.values.refuse(node, `Write \`${this.values.written(node)}\` as a statement of its own.`)
    const value = this.values.value(operand, operator === '~' ? integerWanted(wanted) : wanted)
    const { type } = value
    if (operator === '~' && isFloat(type))
      return this.values.refuse(node, `\`~\` is for integers, and this is ${an(type)}.`)
    if (type === 'bool')
      return this.values.refuse(node, `\`${operator}\` of a bool: write \`${operator}i32(x)\`, or \`!x\`.`)
    if (value.uniform) return { type, uniform: true, text: `<${type}>(${operator}(${value.text}))` }
    const text = operator === '-' ? laneNegation(type, value.text) : laneComplement(type, value.text)
    return { type, uniform: false, text: text! }
  }

  binary(node: BinaryExpression, wanted: Wanted): Value {
    const operator = operatorText(node.operator)
    if (assignmentOperator(node) !== undefined)
      return this.values.refuse(
        node,
        'An assignment is a statement of its own in lanes, not part of an expression.',
      )
    switch (operator) {
      case '&&':
      case '||':
        return this.logical(node, operator, wanted)
      case '<<':
      case '>>':
      case '>>>': {
        const left = this.values.value(node.left, integerWanted(wanted))
        return this.shift(operator, left, node.right, node)
      }
      case undefined:
      case '**':
        return this.values.refuse(
          node,
          `Lanes do not have this operator. Multiply, or take \`Rows\` instead of \`Lanes\`.`,
        )
    }
    const bitwise = operator === '&' || operator === '|' || operator === '^'
    const left = this.values.value(node.left, bitwise ? integerWanted(wanted) : wanted)
    const right = this.values.value(node.right, left.type)
    const comparing = /^[<>=!]=?$|^==$/.test(operator)
    const ordering = comparing && operator !== '==' && operator !== '!='
    const type = commonType(left.type, right.type, ordering)
    if (type === undefined || (bitwise && isFloat(type)))
      return this.values.refuse(
        node,
        `\`${operator}\` between ${an(left.type)} and ${an(right.type)}: cast one of them.`,
      )
    const a = this.values.cast(left, type, node.left)
    const b = this.values.cast(right, type, node.right)
    return comparing ? this.compared(operator, a, b, node) : this.operated(operator, a, b, node)
  }

  /** An operation, but no shift, on two values of one type. */
  operated(operator: string, a: Value, b: Value, node: Node): Value {
    const { type } = a
    if ((operator === '/' || operator === '%') && !isFloat(type)) return this.values.refuse(node, DIVISION)
    if (type === 'bool' && '+-*'.includes(operator))
      return this.values.refuse(node, `\`${operator}\` between bools: cast them, as in \`i32(x)\`.`)
    if (a.uniform && b.uniform)
      return { type, uniform: true, text: `<${type}>(${a.text} ${operator} ${b.text})` }
    const text = laneBinary(operator, type, this.values.lanes(a, node), this.values.lanes(b, node))
    if (text === undefined)
      return this.values.refuse(node, `Lanes have no \`${operator}\` of ${type}. ${PLAIN_LOOP}`)
    return { type, uniform: false, text }
  }

  private compared(operator: string, a: Value, b: Value, node: Node): Value {
    if (a.uniform && b.uniform)
      return { type: 'bool', uniform: true, text: `(${a.text} ${operator} ${b.text})` }
    const text = laneComparison(operator, a.type, this.values.lanes(a, node), this.values.lanes(b, node))
    if (text === undefined)
      return this.values.refuse(node, `Lanes have no \`${operator}\` of bools. Cast them, as in \`i32(x)\`.`)
    return { type: 'bool', uniform: false, text }
  }

  /** A shift by an amount that is converted to the left side's type. */
  shift(operator: string, left: Value, right: Expression, node: Node): Value {
    const { type } = left
    if (isFloat(type))
      return this.values.refuse(node, `\`${operator}\` is for integers, and this is ${an(type)}.`)
    if (type === 'bool')
      return this.values.refuse(node, `\`${operator}\` of a bool: cast it, as in \`i32(x)\`.`)
    const amount = this.values.converted(right, type)
    if (left.uniform && amount.uniform)
      return { type, uniform: true, text: `<${type}>(${left.text} ${operator} ${amount.text})` }
    if (!amount.uniform)
      return {
        type,
        uniform: false,
        text: laneShiftEach(operator, type, this.values.lanes(left, node), amount.text),
      }
    const bits = bitsOf(type)
    const count = `<i32>(${amount.text})${bits < 32 ? ` & ${bits - 1}` : ''}`
    return { type, uniform: false, text: laneShift(operator, type, this.values.lanes(left, node), count) }
  }

  private logical(node: BinaryExpression, operator: '&&' | '||', wanted: Wanted): Value {
    const left = this.values.value(node.left, wanted)
    const right = this.values.value(node.right, left.type)
    if (wanted !== 'bool' && (left.type !== 'bool' || right.type !== 'bool'))
      return this.values.refuse(
        node,
        `\`${operator}\` of numbers: compare them with 0, or write \`x ? a : b\`.`,
      )
    const [a, b] = [this.values.truth(left), this.values.truth(right)]
    if (a.uniform && b.uniform)
      return { type: 'bool', uniform: true, text: `(${a.text} ${operator} ${b.text})` }
    const name = operator === '&&' ? 'and' : 'or'
    return {
      type: 'bool',
      uniform: false,
      text: `v128.${name}(${this.values.lanes(a, node.left)}, ${this.values.lanes(b, node.right)})`,
    }
  }

  ternary(node: TernaryExpression, wanted: Wanted): Value {
    const condition = this.values.condition(node.condition)
    const first = this.values.value(node.ifThen, wanted)
    const second = this.values.value(node.ifElse, wanted === 'auto' ? first.type : wanted)
    const type = commonType(first.type, second.type)
    if (type === undefined)
      return this.values.refuse(
        node.ifElse,
        `This is ${an(second.type)}, and the other side ${an(first.type)}: cast one of them.`,
      )
    return this.choice(
      condition,
      this.values.cast(first, type, node),
      this.values.cast(second, type, node),
      node,
    )
  }

  /** One of two values of one type, by a condition. */
  choice(condition: Value, a: Value, b: Value, node: Node): Value {
    const { type } = a
    if (condition.uniform && a.uniform && b.uniform)
      return { type, uniform: true, text: `(${condition.text} ? ${a.text} : ${b.text})` }
    return {
      type,
      uniform: false,
      text: `v128.bitselect(${this.values.lanes(a, node)}, ${this.values.lanes(b, node)}, ${this.values.lanes(condition, node)})`,
    }
  }
}
