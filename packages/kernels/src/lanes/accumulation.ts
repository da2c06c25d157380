// Owns what a statement puts into a variable that all rows share: a sum, or the least or greatest value.

import type { BinaryExpression, Expression, IdentifierExpression, Node } from 'assemblyscript'
import { NodeKind } from '../syntax'
import type { Conversions, Value } from './conversions'
import { bare, operatorText } from './nodes'
import type { Accumulation, Accumulator } from './scope'
import { fitsLanes, type ValueType } from './valueTypes'

/** Whether an accumulator of the type has lanes. */
export function canAccumulate(type: ValueType): boolean {
  return fitsLanes(type) && (type === 'f32' || type === 'i32' || type === 'u32')
}

/** What a statement puts into an accumulator, and how. */
export function accumulated(
  values: Conversions,
  { name, type }: Accumulator,
  operator: string,
  right: Expression | undefined,
  node: Node,
): { by: Accumulation; added: Value } {
  if (right === undefined) return { by: 'sum', added: { type, uniform: true, text: `<${type}>(1)` } }
  if (operator === '+' || operator === '-') return { by: 'sum', added: values.converted(right, type) }
  const inner = bare(right)
  if (operator === '') {
    const call = extremeOf(inner, name)
    if (call !== undefined) return { by: call.by, added: values.converted(call.other, type) }
    if (inner.kind === NodeKind.Binary && operatorText((inner as BinaryExpression).operator) === '+') {
      const { left, right: second } = inner as BinaryExpression
      const other = isName(left, name) ? second : isName(second, name) ? left : undefined
      if (other !== undefined) return { by: 'sum', added: values.converted(other, type) }
    }
  }
  return values.refuse(
    node,
    `'${name}' is declared before the loop, so all rows share it: lanes can add to it (\`${name} += x\`, \`${name}++\`) or take \`${name} = min(${name}, x)\` and max. Declare it inside of the loop, or take \`Rows\` instead of \`Lanes\`.`,
  )
}

function isName(node: Expression, name: string): boolean {
  const inner = bare(node)
  return inner.kind === NodeKind.Identifier && (inner as IdentifierExpression).text === name
}

/** `min(name, other)`, `max(other, name)`. */
function extremeOf(node: Expression, name: string): { by: 'min' | 'max'; other: Expression } | undefined {
  if (node.kind !== NodeKind.Call) return undefined
  const { expression, args } = node as unknown as { expression: Expression; args: Expression[] }
  const by = (['min', 'max'] as const).find((known) => isName(expression, known))
  if (by === undefined || args.length !== 2) return undefined
  const [first, second] = args as [Expression, Expression]
  if (isName(first, name)) return { by, other: second }
  return isName(second, name) ? { by, other: first } : undefined
}
