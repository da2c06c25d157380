// Owns the calls in expressions: of AssemblyScript's own functions, of the library's, of the file's, and casts. What has no form
// for four lanes is refused, unless its arguments are the same for all rows.

import type {
  CallExpression,
  Expression,
  IdentifierExpression,
  PropertyAccessExpression,
} from 'assemblyscript'
import { NodeKind } from '../syntax'
import { LIBRARY_FUNCTIONS, MATHF, UNARY } from './builtins'
import type { Conversions, Value } from './conversions'
import { bare } from './nodes'
import { laneExtreme } from './operations'
import type { Operators } from './operators'
import { PLAIN_LOOP } from './refusal'
import { bitsOf, isFloat, isValueType, type ValueType } from './valueTypes'

export class Calls {
  private readonly values: Conversions
  private readonly operators: Operators

  constructor(values: Conversions, operators: Operators) {
    this.values = values
    this.operators = operators
  }

  /** The value of a call. */
  value(node: CallExpression): Value {
    const callee = bare(node.expression)
    if (callee.kind === NodeKind.PropertyAccess) {
      const { expression, property } = callee as PropertyAccessExpression
      const owner = this.values.written(expression)
      const known = this.values.file.libraryName(property.text, owner)
      if (known !== undefined && LIBRARY_FUNCTIONS.has(known)) return this.libraryCall(node, known)
      if (owner === 'Mathf' && MATHF.has(property.text)) return this.builtinCall(node, property.text, 'f32')
      return this.values.refuse(callee, this.unknownCall(this.values.written(callee)))
    }
    if (callee.kind !== NodeKind.Identifier)
      return this.values.refuse(callee, this.unknownCall(this.values.written(callee)))
    const name = (callee as IdentifierExpression).text
    if (this.values.file.functions.has(name)) return this.helperCall(node, name)
    const known = this.values.file.libraryName(name)
    if (known !== undefined && LIBRARY_FUNCTIONS.has(known)) return this.libraryCall(node, known)
    if (this.values.file.foreign.has(name))
      return this.values.refuse(
        callee,
        `'${name}' is of another file. Functions that loops in lanes call are declared in this file.`,
      )
    if (isValueType(name))
      return this.values.cast(this.values.value(this.operand(node, 0, 1), name), name, node)
    const [argument] = node.typeArguments ?? []
    return this.builtinCall(node, name, argument && this.values.typeOf(argument))
  }

  private unknownCall(name: string): string {
    return `'${name}' cannot be called in lanes. There are sqrt, abs, min, max, floor, ceil, trunc, nearest, select and copysign; ${[...LIBRARY_FUNCTIONS.keys()].join(', ')} of 'strata-ecs/kernel'; and functions of this file. ${PLAIN_LOOP}`
  }

  private operand(node: CallExpression, index: number, count: number): Expression {
    if (node.args.length !== count)
      this.values.refuse(
        node,
        `'${this.values.written(node.expression)}' takes ${count} argument${count === 1 ? '' : 's'}.`,
      )
    return node.args[index]!
  }

  private builtinCall(node: CallExpression, name: string, type: ValueType | undefined): Value {
    const unary = UNARY.get(name)
    if (unary !== undefined) {
      const operand = this.operand(node, 0, 1)
      const value =
        type === undefined ? this.values.value(operand, unary.wanted) : this.values.converted(operand, type)
      if (value.uniform) return { ...value, text: `${name}<${value.type}>(${value.text})` }
      const text = unary.lanes(value.type, value.text)
      return text === undefined ? this.values.refuse(node, this.noForm(name, value.type)) : { ...value, text }
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
        return this.values.refuse(node.expression, this.unknownCall(name))
    }
  }

  private noForm(name: string, type: ValueType): string {
    return `Lanes have no '${name}' of ${type}. Cast its argument, as in \`${isFloat(type) || name === 'sqrt' ? 'f32' : 'i32'}(x)\`.`
  }

  private extreme(node: CallExpression, name: 'min' | 'max', type: ValueType | undefined): Value {
    const first = this.operand(node, 0, 2)
    const second = this.operand(node, 1, 2)
    let a = type === undefined ? this.values.value(first, 'auto') : this.values.converted(first, type)
    let b: Value
    if (type === undefined && first.kind === NodeKind.Literal) {
      b = this.values.value(second, a.type)
      if (b.type !== a.type) a = this.values.converted(first, b.type)
    } else {
      b = this.values.converted(second, a.type)
    }
    if (a.uniform && b.uniform) return { ...a, text: `${name}<${a.type}>(${a.text}, ${b.text})` }
    const text = laneExtreme(name, a.type, this.values.lanes(a, first), this.values.lanes(b, second))
    return text === undefined
      ? this.values.refuse(node, this.noForm(name, a.type))
      : { ...a, uniform: false, text }
  }

  private copysign(node: CallExpression, type: ValueType | undefined): Value {
    const first = this.operand(node, 0, 2)
    const a = type === undefined ? this.values.value(first, 'f64') : this.values.converted(first, type)
    const b = this.values.converted(this.operand(node, 1, 2), a.type)
    if (!isFloat(a.type)) return this.values.refuse(node, this.noForm('copysign', a.type))
    if (a.uniform && b.uniform) return { ...a, text: `copysign<${a.type}>(${a.text}, ${b.text})` }
    const sign = this.values.around.hoist('f32x4.splat(-0.0)')
    return {
      type: a.type,
      uniform: false,
      text: `v128.bitselect(${this.values.lanes(b, node)}, ${this.values.lanes(a, node)}, ${sign})`,
    }
  }

  private select(node: CallExpression, type: ValueType | undefined): Value {
    const first = this.operand(node, 0, 3)
    const a = type === undefined ? this.values.value(first, 'auto') : this.values.converted(first, type)
    const b = this.values.converted(this.operand(node, 1, 3), a.type)
    return this.operators.choice(this.values.condition(this.operand(node, 2, 3)), a, b, node)
  }

  private reinterpret(node: CallExpression, type: ValueType | undefined): Value {
    const value = this.values.value(this.operand(node, 0, 1), 'auto')
    if (type === undefined || bitsOf(type) !== 32 || bitsOf(value.type) !== 32)
      return this.values.refuse(node, `In lanes \`reinterpret<T>(x)\` is between f32, i32 and u32.`)
    return {
      type,
      uniform: value.uniform,
      text: value.uniform ? `reinterpret<${type}>(${value.text})` : value.text,
    }
  }

  private isNaN(node: CallExpression, type: ValueType | undefined): Value {
    const operand = this.operand(node, 0, 1)
    const value =
      type === undefined ? this.values.value(operand, 'auto') : this.values.converted(operand, type)
    if (!isFloat(value.type)) return this.values.refuse(node, 'Integers are never NaN.')
    if (value.uniform) return { type: 'bool', uniform: true, text: `isNaN<${value.type}>(${value.text})` }
    const kept = this.values.around.keep(value.text)
    return { type: 'bool', uniform: false, text: `f32x4.ne(${kept}, ${kept})` }
  }

  private libraryCall(node: CallExpression, known: string): Value {
    const { parameters, result, lanes } = LIBRARY_FUNCTIONS.get(known)!
    return this.callWith(node, `__library.${known}`, `__library.${lanes}`, parameters, result)
  }

  private helperCall(node: CallExpression, name: string): Value {
    const { parameters, result, lanes } = this.values.around.helper(name, node)
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
      this.values.converted(this.operand(node, k, parameters.length), parameter),
    )
    const uniform = values.length > 0 && values.every((value) => value.uniform)
    if (uniform) return { type, uniform, text: `${scalar}(${values.map(({ text }) => text).join(', ')})` }
    const texts = values.map((value, k) => this.values.lanes(value, node.args[k]!))
    return { type, uniform: false, text: `${lanes}(${texts.join(', ')})` }
  }
}
