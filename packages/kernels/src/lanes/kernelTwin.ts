// Owns the twin of one kernel, which runs its loops over groups of four rows, and the function that calls the twin for whole
// groups and the kernel itself for the remaining rows. Code outside the loops stays as it is.

import type {
  BlockStatement,
  ForStatement,
  IfStatement,
  Node,
  ParameterNode,
  Statement,
  VariableDeclaration,
  VariableStatement,
} from 'assemblyscript'
import type { KernelParameter, ParentParameter, ResourceParameter } from '../../../../bindings/kernels/kernel'
import { KERNEL_KINDS } from '../kinds'
import type { KernelSignature } from '../signatures'
import { NodeKind, textOf } from '../syntax'
import { canAccumulate } from './accumulation'
import { Expressions } from './expressions'
import type { Helpers } from './helpers'
import type { KernelFile } from './kernelFile'
import { statementsOf } from './nodes'
import { Lines, Names, Preamble } from './output'
import { ROW } from './places'
import { refuse } from './refusal'
import { firstUse, holdsRowLoop, rowOf } from './rowLoop'
import { Scope, type Accumulator, type Meaning } from './scope'
import { LaneStatements, assignedNames } from './statements'
import type { ValueType } from './valueTypes'

/** Rows in a group. */
const LANES = 4

export class KernelTwin {
  private readonly file: KernelFile
  private readonly helpers: Helpers
  private readonly signature: KernelSignature
  private readonly names = new Names()
  private readonly rows: string
  private lines = new Lines(1)

  constructor(file: KernelFile, helpers: Helpers, signature: KernelSignature) {
    this.file = file
    this.helpers = helpers
    this.signature = signature
    this.rows = signature.declaration.signature.parameters[0]!.name.text
  }

  /** The name of the function that the entry calls. */
  get callee(): string {
    return `__lanes_${this.signature.name}`
  }

  /** Both functions. */
  text(): string {
    const { declaration } = this.signature
    const { parameters, returnType } = declaration.signature
    const head = parameters.map((parameter) => this.written(parameter)).join(', ')
    const scope = new Scope()
    scope.declare(this.rows, { is: 'rows' })
    this.signature.parameters.forEach((parameter, k) => {
      if (parameter.role === 'resource') this.refuseResource(parameters[k + 1]!)
      if (parameter.role === 'parent') this.refuseParent(parameters[k + 1]!)
      scope.declare(parameter.name, meaningOf(parameter))
    })
    const statements = declaration.body === null ? [] : statementsOf(declaration.body)
    if (!statements.some((statement) => holdsRowLoop(statement, this.rows)))
      this.refuseLoop(declaration.name, statements)
    this.sequence(statements, new Scope(scope))
    const returned = this.written(returnType)
    return (
      `\nfunction ${this.groups}(${head}): ${returned} {\n${this.lines.text()}}\n` +
      `\nexport function ${this.callee}(${head}): ${returned} {\n${this.dispatch()}}\n`
    )
  }

  private get groups(): string {
    return `__groups_${this.signature.name}`
  }

  private written(node: Node): string {
    return textOf(this.file.source, node)
  }

  private refuse(node: Node, message: string): never {
    return refuse(this.file.source, node, message)
  }

  private refuseResource(parameter: ParameterNode): never {
    return this.refuse(
      parameter,
      `'${parameter.name.text}' is a resource, whose values any row may read and write, and in lanes four rows are computed at the same time. Take \`Rows\` instead of \`Lanes\`, or pass a single value as a scalar.`,
    )
  }

  private refuseParent(parameter: ParameterNode): never {
    return this.refuse(
      parameter,
      `'${parameter.name.text}' reads the rows of parents, which lie anywhere, and lanes are four rows that follow each other. Take \`Rows\` instead of \`Lanes\`.`,
    )
  }

  /** A kernel without a loop over its rows, or with one that is written in another way. */
  private refuseLoop(place: Node, statements: readonly Statement[]): never {
    const loop = statements.find(
      (statement) => statement.kind === NodeKind.For || statement.kind === NodeKind.While,
    )
    return this.refuse(
      loop ?? place,
      `A kernel over Lanes has a loop over all rows, written \`for (let i = ${this.rows}.start; i < ${this.rows}.end; i++)\`. For any other loop take \`Rows\`.`,
    )
  }

  private dispatch(): string {
    const { name, parameters, result, resultKind } = this.signature
    const rest = parameters.map((parameter) => `, ${parameter.name}`).join('')
    const part = (from: string, to: string): string =>
      `changetype<__library.Lanes>(__rows.packRows(${from}, ${to}))${rest}`
    const groups = `${this.groups}(${part('__start', '__stop')})`
    const tail = `${name}(${part('__stop', '__end')})`
    const head = `  const __start = ${this.rows}.start
  const __end = ${this.rows}.end
  const __stop = __start + ((__end - __start) & -${LANES})
`
    if (result === 'none') return `${head}  if (__stop > __start) ${groups}\n  if (__end > __stop) ${tail}\n`
    const join =
      result === 'min' || result === 'max'
        ? `${result}<${resultKind}>(__groups, __tail)`
        : '__groups + __tail'
    return `${head}  if (__stop == __start) return ${tail}
  const __groups: ${resultKind} = ${groups}
  if (__stop == __end) return __groups
  const __tail: ${resultKind} = ${tail}
  return ${join}
`
  }

  private sequence(statements: readonly Statement[], scope: Scope): void {
    for (const statement of statements) this.statement(statement, scope)
  }

  private statement(statement: Statement, scope: Scope): void {
    if (statement.kind === NodeKind.For) {
      const row = rowOf(statement as ForStatement, this.rows)
      if (row !== undefined) return this.loop(statement as ForStatement, row, scope)
    }
    if (!holdsRowLoop(statement, this.rows)) return this.outside(statement, scope)
    if (statement.kind === NodeKind.Block) {
      this.lines.block('', () => this.sequence((statement as BlockStatement).statements, new Scope(scope)))
      return
    }
    if (statement.kind !== NodeKind.If)
      return this.refuse(
        statement,
        `The loop over the rows cannot stand inside of another loop in lanes. Take \`Rows\` instead of \`Lanes\`.`,
      )
    const { condition, ifTrue, ifFalse } = statement as IfStatement
    this.refuseColumns(condition, scope)
    const write = (branch: Statement) => () => this.sequence(statementsOf(branch), new Scope(scope))
    this.lines.block(`if (${this.written(condition)})`, write(ifTrue))
    if (ifFalse !== null) this.lines.block('else', write(ifFalse))
  }

  /** A statement outside of the loops stays as it is. */
  private outside(statement: Statement, scope: Scope): void {
    this.refuseColumns(statement, scope)
    if (statement.kind === NodeKind.Variable)
      for (const declaration of (statement as VariableStatement).declarations)
        scope.declare(declaration.name.text, this.meaning(declaration, scope))
    // A line break inside of a statement does not matter to AssemblyScript, but its end does.
    this.lines.add(`${this.written(statement)};`)
  }

  private refuseColumns(node: Node, scope: Scope): void {
    const use = firstUse(node, (name) => {
      const meaning = scope.lookUp(name)?.is
      return meaning === 'column' || meaning === 'rows'
    })
    if (use === undefined) return
    if (scope.lookUp(use.text)?.is === 'column')
      return this.refuse(
        use,
        `Columns are read and written in loops over the rows, and '${use.text}' is used outside of one. Take \`Rows\` instead of \`Lanes\`.`,
      )
    return this.refuse(
      use,
      `'${use.text}' is used by the heads of loops alone: \`for (let i = ${use.text}.start; i < ${use.text}.end; i++)\`. For any other loop take \`Rows\` instead of \`Lanes\`.`,
    )
  }

  /** A variable of the function: what loops may know of it. */
  private meaning(declaration: VariableDeclaration, scope: Scope): Meaning {
    const text = declaration.name.text
    const type = declaration.type
      ? this.file.valueType(declaration.type)
      : declaration.initializer && this.inferred(declaration, scope)
    return type ? { is: 'uniform', type, text } : { is: 'unknown' }
  }

  private inferred(declaration: VariableDeclaration, scope: Scope): ValueType | undefined {
    try {
      const nothing = (): string => ''
      const around = {
        file: this.file,
        hoist: nothing,
        keep: nothing,
        rowNumbers: nothing,
        helper: (name: string, call: Node) => this.helpers.signature(name, call),
      }
      return new Expressions(around, scope).value(declaration.initializer!, 'auto').type
    } catch {
      // What stands outside of loops may be anything. Where a loop needs it, it asks for a type.
      return undefined
    }
  }

  private loop(loop: ForStatement, row: string, scope: Scope): void {
    const statements = statementsOf(loop.body)
    const inner = new Scope(scope)
    inner.declare(row, { is: 'row' })
    const assigned = this.accumulators(statements, scope)
    for (const accumulator of assigned) inner.declare(accumulator.name, accumulator)

    const preamble = new Preamble(this.names, this.lines.indent + 1)
    const lines = new Lines(this.lines.indent + 2)
    let rowNumbers: string | undefined
    const body = {
      around: {
        file: this.file,
        rowNumbers: () => (rowNumbers ??= this.names.fresh('__rows')),
        helper: (name: string, call: Node) => this.helpers.signature(name, call),
      },
      names: this.names,
      preamble,
      lines,
      scope: new Scope(inner),
      result: undefined,
    }
    new LaneStatements(body, statements).write(statements)

    // One that is not used is hidden by a variable of the loop with the same name.
    const accumulators = assigned.filter(({ by }) => by !== undefined)
    const last = this.names.fresh('__last')
    this.lines.block('', () => {
      for (const { text, name, type, by } of accumulators)
        this.lines.add(`let ${text} = __library.splatLanes<${type}>(${by === 'sum' ? `<${type}>(0)` : name})`)
      this.lines.append(preamble.lines)
      this.lines.add(`const ${last} = ${this.rows}.end`)
      this.lines.block(`for (let ${ROW} = ${this.rows}.start; ${ROW} < ${last}; ${ROW} += ${LANES})`, () => {
        if (rowNumbers !== undefined) this.lines.add(`const ${rowNumbers} = __library.rampLanes(${ROW})`)
        this.lines.append(lines)
      })
      for (const accumulator of accumulators) this.lines.add(joined(accumulator))
    })
    for (const { name, type, by } of accumulators) scope.change(name, { is: 'accumulated', type, by })
  }

  /** The variables of the function that a loop assigns. */
  private accumulators(statements: readonly Statement[], scope: Scope): Accumulator[] {
    const found: Accumulator[] = []
    for (const name of assignedNames(statements)) {
      const meaning = scope.lookUp(name)
      if ((meaning?.is === 'uniform' || meaning?.is === 'accumulated') && canAccumulate(meaning.type))
        found.push({
          is: 'accumulator',
          type: meaning.type,
          name,
          text: this.names.fresh(name),
          by: meaning.is === 'accumulated' ? meaning.by : undefined,
        })
    }
    return found
  }
}

function meaningOf(parameter: Exclude<KernelParameter, ParentParameter | ResourceParameter>): Meaning {
  if (parameter.role === 'scalar') return { is: 'uniform', type: parameter.kind, text: parameter.name }
  if (parameter.role === 'entities') {
    const column = { name: parameter.name, role: 'column', kind: 'entity', length: 1, writes: false } as const
    return { is: 'column', type: KERNEL_KINDS.entity.element, parameter: column }
  }
  return { is: 'column', type: KERNEL_KINDS[parameter.kind].element, parameter }
}

/** Puts the lanes of an accumulator into its variable. */
function joined({ name, text, type, by }: Accumulator): string {
  const lanes = `__library.${by ?? 'sum'}Lanes<${type}>(${text})`
  return by === 'min' || by === 'max' ? `${name} = ${lanes}` : `${name} += ${lanes}`
}
