// Owns the translation of statements, of a loop or of a function that it calls, to code for four lanes: which lanes a
// statement is for, and what leaves them out.
// It must never write to a lane that the source would not have written to.
//
// An `if` becomes a mask: its block runs when the mask has a lane, an assignment in it keeps the other lanes' values.
// `continue`, and `return` in a function, take lanes out of `live`, and what follows runs under the mask of the rest.

import type {
  BinaryExpression,
  BlockStatement,
  ContinueStatement,
  ElementAccessExpression,
  Expression,
  ExpressionStatement,
  IdentifierExpression,
  IfStatement,
  Node,
  ReturnStatement,
  Statement,
  UnaryPrefixExpression,
  VariableDeclaration,
  VariableStatement,
} from 'assemblyscript'
import { NodeKind } from '../syntax'
import { visit } from '../walk'
import { accumulated, canAccumulate } from './accumulation'
import type { Surroundings, Value } from './conversions'
import { Expressions } from './expressions'
import { laneBinary, laneExtreme } from './operations'
import { assignmentOperator, bare, operatorText, statementsOf } from './nodes'
import { type Lines, type Names, type Preamble } from './output'
import { type Place, loaded, placeOf, stored } from './places'
import { PLAIN_LOOP } from './refusal'
import { Scope, type Accumulator, type LaneVariable } from './scope'
import { LANE_TYPES, isFloat, type ValueType } from './valueTypes'

/** Where statements stand, and what they may do there. */
export interface Body {
  readonly around: Omit<Surroundings, 'hoist' | 'keep'>
  readonly names: Names
  readonly preamble: Preamble
  readonly lines: Lines
  readonly scope: Scope
  /** What a `return` gives; undefined in a loop, which has none. */
  readonly result: ValueType | undefined
}

export class LaneStatements {
  private readonly body: Body
  private readonly expressions: Expressions
  private lines: Lines
  private scope: Scope
  /** The lanes for which statements run; undefined for all. */
  private mask: string | undefined
  /** The lanes that were not left by `continue` or `return`; undefined when no statement leaves any. */
  private live: string | undefined
  /** What the lanes return, when they do so at different places. */
  private returned: string | undefined
  private readonly assigned: ReadonlySet<string>

  constructor(body: Body, statements: readonly Statement[]) {
    this.body = body
    this.lines = body.lines
    this.scope = body.scope
    this.assigned = assignedNames(statements)
    this.expressions = new Expressions(
      {
        ...body.around,
        hoist: (text) => body.preamble.hoist(text, '__same'),
        keep: (text) => {
          const name = body.names.fresh('__kept')
          this.lines.add(`const ${name} = ${text}`)
          return name
        },
      },
      this.scope,
    )
  }

  /** Writes the statements of the loop or function. */
  write(statements: readonly Statement[]): void {
    const { result, names } = this.body
    const last = statements.at(-1)
    const early = statements.some((statement) =>
      result === undefined ? leaves(statement) : statement !== last && leaves(statement),
    )
    const split = result !== undefined && (early || last?.kind !== NodeKind.Return)
    if (early || split) {
      this.live = names.fresh('__live')
      this.lines.add(`let ${this.live} = i32x4.splat(-1)`)
    }
    if (split) {
      this.returned = names.fresh('__returned')
      this.lines.add(`let ${this.returned} = i32x4.splat(0)`)
    }
    this.sequence(statements)
    if (this.returned !== undefined) this.lines.add(`return ${this.returned}`)
  }

  private refuse(node: Node, message: string): never {
    return this.expressions.refuse(node, message)
  }

  private sequence(statements: readonly Statement[]): void {
    for (const [k, statement] of statements.entries()) {
      this.statement(statement)
      if (this.live === undefined || !leaves(statement)) continue
      const rest = statements.slice(k + 1)
      if (rest.length === 0 || leavesAlways(statement)) return
      const left = this.mask === undefined ? this.live : `v128.and(${this.mask}, ${this.live})`
      this.under(left, () => this.sequence(rest))
      return
    }
  }

  /** Writes statements that run for the lanes of a mask, if there are any. */
  private under(mask: string, write: () => void): void {
    const outer = this.mask
    this.mask = this.body.names.fresh('__mask')
    this.lines.add(`const ${this.mask} = ${mask}`)
    this.lines.block(`if (v128.any_true(${this.mask}))`, write)
    this.mask = outer
  }

  private inner(write: () => void): void {
    const outer = this.scope
    this.scope = this.expressions.scope = new Scope(outer)
    write()
    this.scope = this.expressions.scope = outer
  }

  private statement(statement: Statement): void {
    switch (statement.kind) {
      case NodeKind.Empty:
        return
      case NodeKind.Block:
        return this.inner(() => this.sequence((statement as BlockStatement).statements))
      case NodeKind.Variable:
        for (const declaration of (statement as VariableStatement).declarations) this.declare(declaration)
        return
      case NodeKind.If:
        return this.branch(statement as IfStatement)
      case NodeKind.Continue:
        return this.leave(statement as ContinueStatement)
      case NodeKind.Return:
        return this.giveBack(statement as ReturnStatement)
      case NodeKind.Expression:
        return this.effect((statement as ExpressionStatement).expression)
      case NodeKind.For:
      case NodeKind.ForOf:
      case NodeKind.While:
      case NodeKind.Do:
        return this.refuse(
          statement,
          `A loop inside cannot run in lanes, as each row may take another number of turns. Write its turns out, or take \`Rows\` instead of \`Lanes\` for a plain loop.`,
        )
      case NodeKind.Switch:
        return this.refuse(statement, `\`switch\` cannot run in lanes. Write \`if\` and \`else\`.`)
      case NodeKind.Break:
        return this.refuse(
          statement,
          `Rows in lanes run together: none can end the loop for the others. Use \`continue\` under an \`if\`, or take \`Rows\` instead of \`Lanes\` for a plain loop.`,
        )
      default:
        return this.refuse(statement, `This statement cannot run in lanes. ${PLAIN_LOOP}`)
    }
  }

  private declare(declaration: VariableDeclaration): void {
    const name = declaration.name.text
    const { file } = this.body.around
    const { initializer } = declaration
    const type = declaration.type ? file.valueType(declaration.type) : undefined
    if (declaration.type && type === undefined)
      return this.refuse(declaration.type, `A variable of a loop in lanes is a number: ${TYPES}.`)
    if (initializer === null && type === undefined)
      return this.refuse(declaration.name, `Give '${name}' a type or a value.`)
    const value =
      initializer === null
        ? { type: type!, uniform: true, text: `<${type!}>(0)` }
        : type === undefined
          ? this.expressions.value(initializer, 'auto')
          : this.expressions.converted(initializer, type)
    const text = this.body.names.fresh(name)
    if (value.uniform && !this.assigned.has(name)) {
      this.body.preamble.lines.add(`const ${text}: ${value.type} = ${value.text}`)
      this.scope.declare(name, { is: 'uniform', type: value.type, text })
      return
    }
    const lanes = this.expressions.lanes(value, initializer ?? declaration.name)
    this.lines.add(`${this.assigned.has(name) ? 'let' : 'const'} ${text} = ${lanes}`)
    this.scope.declare(name, { is: 'lanes', type: value.type, text, mask: this.mask })
  }

  private branch(statement: IfStatement): void {
    const condition = this.expressions.condition(statement.condition)
    const write = (branch: Statement) => () => this.inner(() => this.sequence(statementsOf(branch)))
    const { ifTrue, ifFalse } = statement
    if (condition.uniform) {
      this.lines.block(`if (${condition.text})`, write(ifTrue))
      if (ifFalse !== null) this.lines.block(`else`, write(ifFalse))
      return
    }
    const outer = this.mask
    if (ifFalse === null) {
      this.under(
        outer === undefined ? condition.text : `v128.and(${outer}, ${condition.text})`,
        write(ifTrue),
      )
      return
    }
    const met = this.body.names.fresh('__met')
    this.lines.add(`const ${met} = ${condition.text}`)
    this.under(outer === undefined ? met : `v128.and(${outer}, ${met})`, write(ifTrue))
    this.under(outer === undefined ? `v128.not(${met})` : `v128.andnot(${outer}, ${met})`, write(ifFalse))
  }

  private leave(statement: ContinueStatement): void {
    if (statement.label !== null) this.refuse(statement, 'Lanes know no labels.')
    if (this.body.result !== undefined) this.refuse(statement, 'There is no loop here to continue.')
    this.takeOut()
  }

  private takeOut(): void {
    if (this.live === undefined) return
    this.lines.add(
      `${this.live} = ${this.mask === undefined ? 'i32x4.splat(0)' : `v128.andnot(${this.live}, ${this.mask})`}`,
    )
  }

  private giveBack(statement: ReturnStatement): void {
    const { result } = this.body
    if (result === undefined)
      return this.refuse(
        statement,
        `Rows in lanes run together: none can end the function for the others. Use \`continue\`, or take \`Rows\` instead of \`Lanes\` for a plain loop.`,
      )
    if (statement.value === null) return this.refuse(statement, `Return a value.`)
    const value = this.expressions.converted(statement.value, result)
    const lanes = this.expressions.lanes(value, statement.value)
    if (this.returned === undefined) {
      this.lines.add(`return ${lanes}`)
      return
    }
    this.lines.add(`${this.returned} = ${this.blended(lanes, this.returned, undefined)}`)
    this.takeOut()
  }

  /** The lanes of the mask from `lanes`, the others from the variable, which was declared under the mask `declared`. */
  private blended(lanes: string, variable: string, declared: string | undefined): string {
    return this.mask === declared ? lanes : `v128.bitselect(${lanes}, ${variable}, ${this.mask!})`
  }

  private effect(expression: Expression): void {
    const node = bare(expression)
    const operator = assignmentOperator(node)
    if (operator !== undefined) {
      const { left, right } = node as BinaryExpression
      this.assign(bare(left), operator, right, node)
      return
    }
    if (node.kind === NodeKind.UnaryPostfix || node.kind === NodeKind.UnaryPrefix) {
      const { operator: token, operand } = node as UnaryPrefixExpression
      const text = operatorText(token)
      if (text === '++' || text === '--') {
        this.assign(bare(operand), text === '++' ? '+' : '-', undefined, node)
        return
      }
    }
    if (node.kind === NodeKind.Comma)
      this.refuse(node, 'Lanes know no comma between expressions. Make each a statement of its own.')
    this.refuse(node, 'This statement has no effect in lanes. Assign its value, or remove it.')
  }

  /** An assignment; without a right side that is 1. */
  private assign(target: Expression, operator: string, right: Expression | undefined, node: Node): void {
    if (target.kind === NodeKind.ElementAccess) {
      this.assignColumn(target as ElementAccessExpression, operator, right, node)
      return
    }
    if (target.kind !== NodeKind.Identifier)
      return this.refuse(target, `Only variables and columns can be assigned in lanes. ${PLAIN_LOOP}`)
    const name = (target as IdentifierExpression).text
    const meaning = this.scope.lookUp(name)
    if (meaning?.is === 'lanes') return this.assignVariable(meaning, operator, right, node)
    if (meaning?.is === 'accumulator') return this.accumulate(meaning, operator, right, node)
    if (meaning?.is === 'row')
      return this.refuse(node, `The loop itself counts '${name}': it cannot be changed inside. ${PLAIN_LOOP}`)
    if (meaning?.is === 'uniform' && !canAccumulate(meaning.type))
      return this.refuse(
        node,
        `'${name}' is of type ${meaning.type}, and lanes accumulate into f32, i32 and u32. Give it one of these, or take \`Rows\` instead of \`Lanes\`.`,
      )
    // Says what is wrong with reading the name.
    this.expressions.value(target, 'auto')
    return this.refuse(node, `'${name}' cannot be assigned here. Declare a variable inside of the loop.`)
  }

  private assignVariable(
    variable: LaneVariable,
    operator: string,
    right: Expression | undefined,
    node: Node,
  ): void {
    const old: Value = { type: variable.type, uniform: false, text: variable.text }
    const value = this.changed(old, operator, right, node)
    const lanes = this.expressions.lanes(value, node)
    this.lines.add(`${variable.text} = ${this.blended(lanes, variable.text, variable.mask)}`)
  }

  private assignColumn(
    target: ElementAccessExpression,
    operator: string,
    right: Expression | undefined,
    node: Node,
  ): void {
    const place: Place = placeOf(this.expressions, target)
    if (!place.column.parameter.writes)
      return this.refuse(
        target,
        `'${place.name}' is only read: declare it as a Column, not a ReadonlyColumn, to write to it.`,
      )
    const { type } = place.column
    if (operator === '') {
      const lanes = this.expressions.lanes(this.expressions.converted(right!, type), right!)
      this.lines.add(stored(place, lanes, this.mask))
      return
    }
    const read = loaded(place)
    // Under a mask the old value is needed twice.
    const old = this.mask === undefined ? read : { ...read, text: this.kept(read.text) }
    const lanes = this.expressions.lanes(this.changed(old, operator, right, node), node)
    const blended = this.mask === undefined ? lanes : `v128.bitselect(${lanes}, ${old.text}, ${this.mask})`
    this.lines.add(stored(place, blended, undefined))
  }

  private kept(text: string): string {
    const name = this.body.names.fresh('__old')
    this.lines.add(`const ${name} = ${text}`)
    return name
  }

  /** The value after `old operator= right`. */
  private changed(old: Value, operator: string, right: Expression | undefined, node: Node): Value {
    if (operator === '') return this.expressions.converted(right!, old.type)
    if (operator === '<<' || operator === '>>' || operator === '>>>')
      return this.expressions.operators.shift(operator, old, right!, node)
    const value: Value =
      right === undefined
        ? { type: old.type, uniform: true, text: `<${old.type}>(1)` }
        : this.expressions.converted(right, old.type)
    if (isFloat(old.type) && '&|^'.includes(operator))
      return this.refuse(node, `\`${operator}=\` is for integers, and this is an ${old.type}.`)
    return this.expressions.operators.operated(operator, old, value, node)
  }

  private accumulate(
    accumulator: Accumulator,
    operator: string,
    right: Expression | undefined,
    node: Node,
  ): void {
    const { by, added } = accumulated(this.expressions, accumulator, operator, right, node)
    if (accumulator.by !== undefined && accumulator.by !== by)
      return this.refuse(
        node,
        `'${accumulator.name}' accumulates in two ways, and lanes are joined in one: take two variables.`,
      )
    accumulator.by = by
    const { type, text } = accumulator
    const lanes = this.expressions.lanes(added, node)
    const next =
      by === 'sum'
        ? laneBinary(operator === '-' ? '-' : '+', type, text, lanes)
        : laneExtreme(by, type, text, lanes)
    this.lines.add(`${text} = ${this.blended(next!, text, undefined)}`)
  }
}

const TYPES = LANE_TYPES.join(', ').replace(/, (\w+)$/, ' or $1')

/** Whether a lane may skip what follows the statement. */
function leaves(statement: Statement): boolean {
  let found = false
  visit(statement, (node) => {
    if (node.kind === NodeKind.Continue || node.kind === NodeKind.Return) found = true
  })
  return found
}

function leavesAlways(statement: Statement): boolean {
  if (statement.kind === NodeKind.Block) return (statement as BlockStatement).statements.some(leavesAlways)
  return statement.kind === NodeKind.Continue || statement.kind === NodeKind.Return
}

/** The names of all variables that are assigned somewhere in the statements. */
export function assignedNames(statements: readonly Statement[]): Set<string> {
  const names = new Set<string>()
  const note = (target: Expression): void => {
    const inner = bare(target)
    if (inner.kind === NodeKind.Identifier) names.add((inner as IdentifierExpression).text)
  }
  for (const statement of statements)
    visit(statement, (node) => {
      if (assignmentOperator(node) !== undefined) note((node as BinaryExpression).left)
      if (node.kind !== NodeKind.UnaryPostfix && node.kind !== NodeKind.UnaryPrefix) return
      const operator = operatorText((node as UnaryPrefixExpression).operator)
      if (operator === '++' || operator === '--') note((node as UnaryPrefixExpression).operand)
    })
  return names
}
