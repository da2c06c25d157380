// Owns small lookups in the parser's tree: how an operator is written, what is inside parentheses.

import * as assemblyscript from 'assemblyscript'
import type {
  BinaryExpression,
  BlockStatement,
  Expression,
  Node,
  ParenthesizedExpression,
  Statement,
} from 'assemblyscript'
import { NodeKind } from '../syntax'

// See ../syntax: constants of the compiler, which exist at run time.
const enums = assemblyscript as unknown as Record<string, unknown>

/** Operators. */
const Token = enums.Token as {
  readonly [Name in keyof typeof assemblyscript.Token]: (typeof assemblyscript.Token)[Name]
}

const SPELLINGS: Partial<Record<keyof typeof assemblyscript.Token, string>> = {
  Plus: '+',
  Minus: '-',
  Asterisk: '*',
  Asterisk_Asterisk: '**',
  Slash: '/',
  Percent: '%',
  LessThan_LessThan: '<<',
  GreaterThan_GreaterThan: '>>',
  GreaterThan_GreaterThan_GreaterThan: '>>>',
  Ampersand: '&',
  Bar: '|',
  Caret: '^',
  LessThan: '<',
  GreaterThan: '>',
  LessThan_Equals: '<=',
  GreaterThan_Equals: '>=',
  Equals_Equals: '==',
  Equals_Equals_Equals: '==',
  Exclamation_Equals: '!=',
  Exclamation_Equals_Equals: '!=',
  Ampersand_Ampersand: '&&',
  Bar_Bar: '||',
  Exclamation: '!',
  Tilde: '~',
  Plus_Plus: '++',
  Minus_Minus: '--',
  Equals: '=',
  Plus_Equals: '+=',
  Minus_Equals: '-=',
  Asterisk_Equals: '*=',
  Asterisk_Asterisk_Equals: '**=',
  Slash_Equals: '/=',
  Percent_Equals: '%=',
  LessThan_LessThan_Equals: '<<=',
  GreaterThan_GreaterThan_Equals: '>>=',
  GreaterThan_GreaterThan_GreaterThan_Equals: '>>>=',
  Ampersand_Equals: '&=',
  Bar_Equals: '|=',
  Caret_Equals: '^=',
}

const operators = new Map<number, string>(
  Object.entries(SPELLINGS).map(([name, text]) => [Token[name as keyof typeof Token], text]),
)

/** How an operator is written; `===` and `!==` are `==` and `!=` to AssemblyScript. Undefined for those not known. */
export function operatorText(token: number): string | undefined {
  return operators.get(token)
}

/** The operator of an assignment without its `=`; '' for a plain one, undefined where it is none. */
export function assignmentOperator(node: Node): string | undefined {
  if (node.kind !== NodeKind.Binary) return undefined
  const text = operatorText((node as BinaryExpression).operator)
  return text !== undefined && /^(?:|\+|-|\*\*?|\/|%|<<|>>>?|&|\||\^)=$/.test(text)
    ? text.slice(0, -1)
    : undefined
}

/** The expression inside of parentheses. */
export function bare(node: Expression): Expression {
  let inner = node
  while (inner.kind === NodeKind.Parenthesized) inner = (inner as ParenthesizedExpression).expression
  return inner
}

/** The statements of a block, or the one statement that stands in its place. */
export function statementsOf(statement: Statement): readonly Statement[] {
  return statement.kind === NodeKind.Block ? (statement as BlockStatement).statements : [statement]
}
