// Owns the names of what the parser's tree consists of, as far as loops in lanes know it.
// It must never be asked about nodes outside of functions: ../syntax has those.

import * as assemblyscript from 'assemblyscript'
import type {
  BinaryExpression,
  BlockStatement,
  Expression,
  Node,
  ParenthesizedExpression,
  Statement,
} from 'assemblyscript'

// See ../syntax: constants of the compiler, which exist at run time.
const enums = assemblyscript as unknown as Record<string, Record<string, number>>

/** Kinds of nodes. */
export const Kind = enums.NodeKind as Readonly<
  Record<
    | 'NamedType'
    | 'Identifier'
    | 'Assertion'
    | 'Binary'
    | 'Call'
    | 'ElementAccess'
    | 'False'
    | 'Literal'
    | 'Parenthesized'
    | 'PropertyAccess'
    | 'Ternary'
    | 'True'
    | 'UnaryPostfix'
    | 'UnaryPrefix'
    | 'Block'
    | 'Break'
    | 'Continue'
    | 'Do'
    | 'Empty'
    | 'Expression'
    | 'For'
    | 'ForOf'
    | 'If'
    | 'Return'
    | 'Switch'
    | 'Variable'
    | 'While'
    | 'FunctionDeclaration'
    | 'TypeDeclaration',
    number
  >
>

/** Kinds of literals. */
export const Literal = enums.LiteralKind as Readonly<Record<'Float' | 'Integer', number>>

/** Operators. */
const Token = enums.Token as Readonly<Record<string, number>>

const SPELLINGS: Readonly<Record<string, string>> = {
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

const operators = new Map(Object.entries(SPELLINGS).map(([name, text]) => [Token[name]!, text]))

/** How an operator is written; `===` and `!==` are `==` and `!=` to AssemblyScript. Undefined for those not known. */
export function operatorText(token: number): string | undefined {
  return operators.get(token)
}

/** The operator of an assignment without its `=`; '' for a plain one, undefined where it is none. */
export function assignmentOperator(node: Node): string | undefined {
  if (node.kind !== Kind.Binary) return undefined
  const text = operatorText((node as BinaryExpression).operator)
  return text !== undefined && /^(?:|\+|-|\*\*?|\/|%|<<|>>>?|&|\||\^)=$/.test(text)
    ? text.slice(0, -1)
    : undefined
}

/** The expression inside of parentheses. */
export function bare(node: Expression): Expression {
  let inner = node
  while (inner.kind === Kind.Parenthesized) inner = (inner as ParenthesizedExpression).expression
  return inner
}

/** The statements of a block, or the one statement that stands in its place. */
export function statementsOf(statement: Statement): readonly Statement[] {
  return statement.kind === Kind.Block ? (statement as BlockStatement).statements : [statement]
}
