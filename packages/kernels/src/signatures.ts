// Owns the signatures of the functions that a kernel's file exports: their columns, resources, scalars and results.

import type {
  DeclarationStatement,
  ExportStatement,
  FunctionDeclaration,
  FunctionTypeNode,
  ImportStatement,
  NamedTypeNode,
  Node,
  ParameterNode,
  TypeNode,
} from 'assemblyscript'
import type { ColumnKind, KernelParameter, Reduction, ScalarKind } from '../../../bindings/kernels/kernel'
import { LIBRARY_KINDS, RESULT_KINDS, SCALAR_KINDS, WRITTEN_KINDS, kindWritten } from './kinds'
import { KernelSourceError, problemAt, type KernelSourceProblem } from '../../compile/src/ahead/sourceError'
import { LIBRARY } from './sources'
import {
  CommonFlags,
  NodeKind,
  ParameterKind,
  docCommentOf,
  placeOf,
  textOf,
  type ParsedSource,
} from './syntax'

/** One exported function, read. */
export interface KernelSignature {
  readonly name: string
  /** Whether its first parameter is the rows; else it takes resources and scalars alone. */
  readonly rows: boolean
  /** Whether its loops are to run four rows at a time. */
  readonly lanes: boolean
  /** Behind the rows, in the order of the source. */
  readonly parameters: readonly KernelParameter[]
  readonly result: Reduction
  /** What is reduced: the type that the function returns; undefined for void. */
  readonly resultKind: ScalarKind | undefined
  /** The documentation comment, as written. */
  readonly doc: string | undefined
  readonly declaration: FunctionDeclaration
}

const MAX_PARAMETERS = 127
const COLUMN = /^(Readonly)?(?:Vec([2-9]|1[0-6]))?Column$/
const PARENT = /^ParentColumn$/
const RESOURCE = /^(Readonly)?Resource$/
/** Words that JavaScript keeps for itself and AssemblyScript does not. */
const RESERVED =
  /^(?:arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/

/**
 * The kernels of a file.
 *
 * @throws KernelSourceError with every place that is no kernel's
 */
export function readSignatures(source: ParsedSource): KernelSignature[] {
  const reader = new SignatureReader(source)
  const signatures = reader.read()
  if (reader.problems.length > 0) throw new KernelSourceError(reader.problems)
  return signatures
}

class SignatureReader {
  readonly problems: KernelSourceProblem[] = []
  readonly source: ParsedSource
  /** Names of the library by the name that the file gives them. */
  private readonly names = new Map<string, string>()
  /** Names that stand for the whole library. */
  private readonly namespaces = new Set<string>()

  constructor(source: ParsedSource) {
    this.source = source
  }

  read(): KernelSignature[] {
    const { statements } = this.source.tree
    for (const statement of statements)
      if (statement.kind === NodeKind.Import) this.readImport(statement as ImportStatement)
    const signatures: KernelSignature[] = []
    for (const statement of statements) {
      if (statement.kind === NodeKind.Export) this.refuseExport(statement as ExportStatement)
      else if (statement.kind === NodeKind.Variable)
        for (const declaration of (statement as unknown as { declarations: DeclarationStatement[] })
          .declarations)
          this.refuseExported(declaration)
      else if (statement.kind !== NodeKind.FunctionDeclaration)
        this.refuseExported(statement as DeclarationStatement)
      else if (isExported(statement as FunctionDeclaration))
        signatures.push(this.readFunction(statement as FunctionDeclaration))
    }
    this.refuseTwins(signatures)
    if (signatures.length === 0 && this.problems.length === 0)
      this.problem(
        this.source.tree,
        'There is no kernel in this file. Export a function whose first parameter is `rows: Rows` or `rows: Lanes`, or one that takes resources and scalars alone.',
      )
    return signatures
  }

  private refuseTwins(signatures: readonly KernelSignature[]): void {
    const seen = new Set<string>()
    for (const { name, declaration } of signatures) {
      if (seen.has(name))
        this.problem(
          declaration.name,
          `There is another kernel '${name}' in this file. Give one of them another name.`,
        )
      seen.add(name)
    }
  }

  private problem(node: Node, message: string): void {
    this.problems.push(problemAt(placeOf(this.source, node), message))
  }

  private readImport(statement: ImportStatement): void {
    if (statement.path.value !== LIBRARY) return
    if (statement.namespaceName) this.namespaces.add(statement.namespaceName.text)
    for (const declaration of statement.declarations ?? [])
      this.names.set(declaration.name.text, declaration.foreignName.text)
  }

  private refuseExport(statement: ExportStatement): void {
    this.problem(statement, 'Kernels are exported where they are declared: write `export function`.')
  }

  private refuseExported(statement: DeclarationStatement): void {
    if (!isExported(statement)) return
    this.problem(
      statement.name,
      `Only kernels can be exported from this file. Remove \`export\` from '${statement.name.text}', or move it to a file that kernels import.`,
    )
  }

  private readFunction(declaration: FunctionDeclaration): KernelSignature {
    const name = declaration.name.text
    if (RESERVED.test(name) || name.startsWith('__'))
      this.problem(declaration.name, `A kernel cannot be called '${name}'. Give it another name.`)
    if ((declaration.typeParameters?.length ?? 0) > 0)
      this.problem(
        declaration.name,
        `'${name}' is generic, and a kernel has one module. Export a function for each type that calls a generic one.`,
      )
    const given = declaration.signature.parameters
    const rows = !this.isWithoutRows(given)
    const lanes = rows && this.readRows(declaration, given[0])
    const others = rows ? given.slice(1) : given
    if (others.length > MAX_PARAMETERS)
      this.problem(
        declaration.name,
        `'${name}' has ${others.length} parameters; ${MAX_PARAMETERS} is the most.`,
      )
    const parameters: KernelParameter[] = []
    for (const other of others) {
      const parameter = this.readParameter(other)
      if (parameter !== undefined) parameters.push(parameter)
    }
    return {
      name,
      rows,
      lanes,
      parameters,
      ...this.readResult(declaration.signature),
      doc: docCommentOf(this.source, declaration),
      declaration,
    }
  }

  /** Whether there are resources, and nothing that goes by rows. */
  private isWithoutRows(parameters: readonly ParameterNode[]): boolean {
    const types = parameters.map(({ type }) => this.libraryType(type) ?? this.nameOf(type))
    const byRows = (type: string): boolean =>
      /^(?:Rows|Lanes|Entities)$/.test(type) || COLUMN.test(type) || PARENT.test(type)
    return types.some((type) => RESOURCE.test(type)) && !types.some(byRows)
  }

  private readRows(declaration: FunctionDeclaration, rows: ParameterNode | undefined): boolean {
    const type = rows && this.libraryType(rows.type)
    if (rows !== undefined && (type === 'Rows' || type === 'Lanes')) {
      this.checkPlain(rows)
      return type === 'Lanes'
    }
    this.problem(
      rows ?? declaration.name,
      rows === undefined
        ? `'${declaration.name.text}' has no parameters. The first parameter of a kernel is \`rows: Rows\` or \`rows: Lanes\`, of 'strata-ecs/kernel'.`
        : `The first parameter of a kernel is \`rows: Rows\` or \`rows: Lanes\`, of 'strata-ecs/kernel', not '${this.text(rows.type)}'; only one that takes nothing but resources and scalars has no rows. If '${declaration.name.text}' is no kernel, remove its \`export\`.`,
    )
    return false
  }

  /** A parameter of a kernel is always given. */
  private checkPlain(parameter: ParameterNode): void {
    if (parameter.parameterKind === ParameterKind.Default) return
    this.problem(
      parameter,
      `'${parameter.name.text}' is always handed over: remove its default value, \`?\` or \`...\`.`,
    )
  }

  private readParameter(parameter: ParameterNode): KernelParameter | undefined {
    this.checkPlain(parameter)
    const name = parameter.name.text
    const { type } = parameter
    const scalar = SCALAR_KINDS.find((kind) => kind === builtin(type))
    if (scalar !== undefined) return { name, role: 'scalar', kind: scalar }
    const written = this.libraryType(type)
    if (written === 'Entities') return { name, role: 'entities' }
    const column = written === undefined ? null : COLUMN.exec(written)
    if (column !== null) {
      const kind = this.elementKind(parameter, 'a column')
      if (kind === undefined) return undefined
      return { name, role: 'column', kind, length: Number(column[2] ?? 1), writes: column[1] === undefined }
    }
    if (written !== undefined && PARENT.test(written)) {
      const kind = this.elementKind(parameter, 'a column')
      return kind && { name, role: 'parent', kind }
    }
    const resource = written === undefined ? null : RESOURCE.exec(written)
    if (resource !== null) {
      const kind = this.elementKind(parameter, 'a resource')
      return kind && { name, role: 'resource', kind, writes: resource[1] === undefined }
    }
    this.problem(type, this.refuseType(parameter, written))
    return undefined
  }

  private refuseType(parameter: ParameterNode, written: string | undefined): string {
    const text = this.text(parameter.type)
    if (text === '') return `'${parameter.name.text}' needs a type, such as \`f32\` or \`Column<f32>\`.`
    if (written === 'Rows' || written === 'Lanes')
      return `'${parameter.name.text}': only the first parameter is the rows.`
    const name = this.nameOf(parameter.type)
    if (COLUMN.test(name) || PARENT.test(name) || RESOURCE.test(name) || text === 'Entities')
      return `'${parameter.name.text}': import ${name} from 'strata-ecs/kernel'.`
    return `'${parameter.name.text}' cannot be of type '${text}'. A kernel takes columns (\`Column<f32>\`, \`ReadonlyColumn<f32>\`, \`Vec3Column<f32>\`, …), parents' columns (\`ParentColumn<f32>\`), \`Entities\`, resources (\`Resource<f32>\`, \`ReadonlyResource<f32>\`), and scalars (${SCALAR_KINDS.join(', ')}).`
  }

  /** What a column or a resource holds. */
  private elementKind(parameter: ParameterNode, holder: string): ColumnKind | undefined {
    const type = parameter.type as NamedTypeNode
    const [element] = type.typeArguments ?? []
    const own = element && this.libraryType(element)
    const written = own ?? (element && builtin(element))
    const isImported = LIBRARY_KINDS.includes(written ?? '')
    const kind = kindWritten(written)
    if (kind !== undefined && type.typeArguments?.length === 1 && isImported === (own !== undefined))
      return kind
    this.problem(
      element ?? type,
      element !== undefined && LIBRARY_KINDS.includes(this.text(element))
        ? `'${parameter.name.text}': import ${this.text(element)} from 'strata-ecs/kernel'.`
        : `'${parameter.name.text}': ${holder} holds one of ${WRITTEN_KINDS.join(', ')}${element === undefined ? '' : `, not '${this.text(element)}'`}. Write \`${this.nameOf(type)}<f32>\`, for example.`,
    )
    return undefined
  }

  private readResult(signature: FunctionTypeNode): { result: Reduction; resultKind: ScalarKind | undefined } {
    const type = signature.returnType
    const none = { result: 'none', resultKind: undefined } as const
    if (builtin(type) === 'void') return none
    const written = this.libraryType(type)
    if (written === 'Count') return { result: 'count', resultKind: 'u32' }
    if (written === 'Sum' || written === 'Min' || written === 'Max') {
      const [element, ...more] = (type as NamedTypeNode).typeArguments ?? []
      const kind = element && RESULT_KINDS.find((kind) => kind === builtin(element))
      if (kind !== undefined && more.length === 0)
        return { result: written.toLowerCase() as Reduction, resultKind: kind }
    }
    const missing = type.range.start === type.range.end
    this.problem(
      type,
      `A kernel returns \`void\`, \`Count\`, or \`Sum<T>\`, \`Min<T>\`, \`Max<T>\` with T one of ${RESULT_KINDS.join(', ')}${missing ? '' : `, not '${this.text(type)}'`}: it says how the results of several runs of rows become one.`,
    )
    return none
  }

  /** The library's own name of a type; undefined where it is none of the library. */
  private libraryType(type: TypeNode): string | undefined {
    if (type.kind !== NodeKind.NamedType || type.isNullable) return undefined
    const { name } = type as NamedTypeNode
    if (name.next === null) return this.names.get(name.identifier.text)
    return this.namespaces.has(name.identifier.text) && name.next.next === null
      ? name.next.identifier.text
      : undefined
  }

  /** A type as it is written, without its arguments. */
  private nameOf(type: TypeNode): string {
    return this.text(type).replace(/<.*/s, '')
  }

  private text(node: Node): string {
    return textOf(this.source, node)
  }
}

function isExported(statement: DeclarationStatement): boolean {
  return ((statement.flags ?? 0) & CommonFlags.Export) !== 0
}

/** The name of a type without arguments, as it is written. */
function builtin(type: TypeNode): string | undefined {
  if (type.kind !== NodeKind.NamedType || type.isNullable) return undefined
  const { name, typeArguments } = type as NamedTypeNode
  return name.next === null && (typeArguments?.length ?? 0) === 0 ? name.identifier.text : undefined
}
