// Owns what a loop over the rows looks like, `for (let i = rows.start; i < rows.end; i++)`, and finding such loops.

import type {
  BinaryExpression,
  Expression,
  ForStatement,
  IdentifierExpression,
  Node,
  PropertyAccessExpression,
  Statement,
  UnaryPrefixExpression,
  VariableStatement,
} from 'assemblyscript'
import { NodeKind } from '../syntax'
import { visit } from '../walk'
import { bare, operatorText } from './nodes'

/** The name of the row in a loop over all rows; undefined where the loop is another one. */
export function rowOf(loop: ForStatement, rows: string): string | undefined {
  const { initializer, condition, incrementor } = loop
  if (initializer?.kind !== NodeKind.Variable || condition === null || incrementor === null) return undefined
  const [declaration, ...more] = (initializer as VariableStatement).declarations
  if (!declaration?.initializer || more.length > 0) return undefined
  const row = declaration.name.text
  if (!isMember(declaration.initializer, rows, 'start')) return undefined
  const test = bare(condition)
  if (test.kind !== NodeKind.Binary) return undefined
  const { operator, left, right } = test as BinaryExpression
  const known =
    ['<', '!='].includes(operatorText(operator)!) && isName(left, row) && isMember(right, rows, 'end')
  return known && isStep(bare(incrementor), row) ? row : undefined
}

/** Whether the statement is a loop over the rows, or holds one. */
export function holdsRowLoop(statement: Statement, rows: string): boolean {
  let found = false
  visit(statement, (node) => {
    if (node.kind === NodeKind.For && rowOf(node as ForStatement, rows) !== undefined) found = true
  })
  return found
}

/** The first place below a node where one of the names is used; undefined where there is none. */
export function firstUse(node: Node, names: (name: string) => boolean): IdentifierExpression | undefined {
  let found: IdentifierExpression | undefined
  visit(node, (below) => {
    if (
      found === undefined &&
      below.kind === NodeKind.Identifier &&
      names((below as IdentifierExpression).text)
    )
      found = below as IdentifierExpression
  })
  return found
}

function isName(node: Expression, name: string): boolean {
  const inner = bare(node)
  return inner.kind === NodeKind.Identifier && (inner as IdentifierExpression).text === name
}

function isMember(node: Expression, owner: string, name: string): boolean {
  const inner = bare(node)
  if (inner.kind !== NodeKind.PropertyAccess) return false
  const { expression, property } = inner as PropertyAccessExpression
  return property.text === name && isName(expression, owner)
}

/** `i++`, `++i` or `i += 1`. */
function isStep(node: Expression, row: string): boolean {
  if (node.kind === NodeKind.UnaryPostfix || node.kind === NodeKind.UnaryPrefix) {
    const { operator, operand } = node as UnaryPrefixExpression
    return operatorText(operator) === '++' && isName(operand, row)
  }
  if (node.kind !== NodeKind.Binary) return false
  const { operator, left, right } = node as BinaryExpression
  const one = right as unknown as { value?: { toString(): string } }
  return (
    operatorText(operator) === '+=' &&
    isName(left, row) &&
    right.kind === NodeKind.Literal &&
    one.value?.toString() === '1'
  )
}
