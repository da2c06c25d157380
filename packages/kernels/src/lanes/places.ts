// Owns the places of values in columns: what `column[i]` and `column[i][k]` mean, and how four rows are read and written.
// It must never reach another row than the one of the loop: its neighbours are computed at the same time.

import type { ElementAccessExpression, IdentifierExpression } from 'assemblyscript'
import { NodeKind } from '../syntax'
import type { Conversions, Value } from './conversions'
import { bare } from './nodes'
import { PLAIN_LOOP } from './refusal'
import type { Column } from './scope'
import { isAssignable, isFloat } from './valueTypes'

/** The first row of a group, in the code for a loop. */
export const ROW = '__row'

/** The column and, in a column of vecs, the index that an element access means. */
export interface Place {
  readonly column: Column
  readonly name: string
  /** Index of the value in a row of a column of vecs: AssemblyScript text; undefined for other columns. */
  readonly element: string | undefined
}

/** What an element access means: `column[i]` or `column[i][k]`. */
export function placeOf(values: Conversions, node: ElementAccessExpression): Place {
  const outer = bare(node.expression)
  if (outer.kind === NodeKind.ElementAccess) {
    const inner = outer as ElementAccessExpression
    const { name, column } = columnAt(values, inner)
    const { length } = column.parameter
    if (length === 1) return values.refuse(node, `'${name}' holds one value a row: write \`${name}[i]\`.`)
    const index = values.value(node.elementExpression, 'i32')
    const literal = bare(node.elementExpression)
    if (!index.uniform || isFloat(index.type) || !isAssignable(index.type, 'i32'))
      return values.refuse(
        node.elementExpression,
        `The second index is an i32 that is the same for all rows. ${PLAIN_LOOP}`,
      )
    if (literal.kind === NodeKind.Literal && Number(values.written(literal)) >= length)
      return values.refuse(
        literal,
        `'${name}' has ${length} values a row: the second index is at most ${length - 1}.`,
      )
    return { column, name, element: values.cast(index, 'i32', node).text }
  }
  const { name, column } = columnAt(values, node)
  if (column.parameter.length > 1)
    return values.refuse(
      node,
      `'${name}' holds ${column.parameter.length} values a row: write \`${name}[i][0]\` and so on.`,
    )
  return { column, name, element: undefined }
}

function columnAt(values: Conversions, node: ElementAccessExpression): { name: string; column: Column } {
  const target = bare(node.expression)
  const name = target.kind === NodeKind.Identifier ? (target as IdentifierExpression).text : undefined
  const column = name === undefined ? undefined : values.scope.lookUp(name)
  if (name === undefined || column?.is !== 'column')
    return values.refuse(target, `Only columns can be indexed in lanes. ${PLAIN_LOOP}`)
  if (column.type === 'f64')
    return values.refuse(
      target,
      `'${name}' holds f64, and lanes hold 32 bits. Declare the field as f32, or take \`Rows\` instead of \`Lanes\` for a plain loop.`,
    )
  const index = bare(node.elementExpression)
  if (
    index.kind === NodeKind.Identifier &&
    values.scope.lookUp((index as IdentifierExpression).text)?.is === 'row'
  )
    return { name, column }
  return values.refuse(
    node.elementExpression,
    `In lanes a column is read and written at the row of the loop alone, as its neighbours are computed at the same time. ${PLAIN_LOOP}`,
  )
}

/** Reads four rows. */
export function loaded({ column, name, element }: Place): Value {
  const text =
    element === undefined
      ? `__library.loadLanes<${column.type}>(${name}, ${ROW})`
      : `__library.gatherLanes<${column.type}>(${name}[${ROW}], ${column.parameter.length}, ${element})`
  return { type: column.type, uniform: false, text }
}

/** Code that writes four rows. */
export function stored({ column, name, element }: Place, lanes: string, mask: string | undefined): string {
  const where = mask === undefined ? '' : 'Where'
  const value = mask === undefined ? lanes : `${mask}, ${lanes}`
  return element === undefined
    ? `__library.storeLanes${where}<${column.type}>(${name}, ${ROW}, ${value})`
    : `__library.scatterLanes${where}<${column.type}>(${name}[${ROW}], ${column.parameter.length}, ${element}, ${value})`
}
