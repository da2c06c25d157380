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
  PropertyAccessExpression,
  TernaryExpression,
  UnaryPrefixExpression,
} from 'assemblyscript'
import { NodeKind } from '../syntax'
import { MATHF_CONSTANTS, TYPE_CONSTANTS } from './builtins'
import { Calls } from './calls'
import { Conversions, type Value } from './conversions'
import { literalValue } from './literals'
import { bare } from './nodes'
import { Operators } from './operators'
import { loaded, placeOf } from './places'
import { PLAIN_LOOP } from './refusal'
import { Scope } from './scope'
import { isValueType, type Wanted } from './valueTypes'

export class Expressions extends Conversions {
  readonly operators = new Operators(this)
  private readonly calls = new Calls(this, this.operators)

  value(expression: Expression, wanted: Wanted): Value {
    const node = bare(expression)
    switch (node.kind) {
      case NodeKind.Literal:
        return literalValue(this, node as LiteralExpression, wanted, false)
      case NodeKind.True:
      case NodeKind.False:
        return { type: 'bool', uniform: true, text: node.kind === NodeKind.True ? 'true' : 'false' }
      case NodeKind.Identifier:
        return this.identifier(node as IdentifierExpression, wanted)
      case NodeKind.ElementAccess:
        return loaded(placeOf(this, node as ElementAccessExpression))
      case NodeKind.PropertyAccess:
        return this.property(node as PropertyAccessExpression)
      case NodeKind.Assertion:
        return this.assertion(node as AssertionExpression)
      case NodeKind.UnaryPrefix:
        return this.operators.unary(node as UnaryPrefixExpression, wanted)
      case NodeKind.Binary:
        return this.operators.binary(node as BinaryExpression, wanted)
      case NodeKind.Ternary:
        return this.operators.ternary(node as TernaryExpression, wanted)
      case NodeKind.Call:
        return this.calls.value(node as CallExpression)
      case NodeKind.UnaryPostfix:
        return this.refuse(node, `Write \`${this.written(node)}\` as a statement of its own.`)
      default:
        return this.refuse(node, `This expression cannot run in lanes. ${PLAIN_LOOP}`)
    }
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

  private assertion(node: AssertionExpression): Value {
    if (node.toType === null) return this.refuse(node, 'This says nothing about a number. Remove it.')
    const type = this.typeOf(node.toType)
    return this.cast(this.value(node.expression, type), type, node)
  }
}
