// Owns what no file of a kernel may hold: what would run when its module starts, what calls JavaScript, and what keeps state that
// is neither in the world nor in its snapshots. What is stored into a table is for the compiler to find.

import type {
  CallExpression,
  ClassDeclaration,
  DeclarationStatement,
  IdentifierExpression,
  LiteralExpression,
  NamespaceDeclaration,
  Node,
  PropertyAccessExpression,
  Statement,
  VariableDeclaration,
  VariableStatement,
} from 'assemblyscript'
import { problemAt, type KernelSourceProblem } from '../../compile/src/ahead/sourceError'
import { CommonFlags, LiteralKind, NodeKind, placeOf, textOf, type ParsedSource } from './syntax'
import { childrenOf, visit } from './walk'

/** What is wrong with what a module keeps; goes on from 'is'. */
export const STATE =
  'state that is neither in the world nor in its snapshots. Keep it in a component or a resource, or pass it as a scalar'
const JAVASCRIPT =
  'A kernel cannot call functions of JavaScript: nothing is handed to its module but the memory. Pass what they return as a scalar.'

/** Why a kernel must not write into memory of its module. */
export const TABLE_STATE = `What a kernel writes into a table, or into memory of its module, is ${STATE}.`

const MEMORY_DATA = `\`memory.data\` is memory of the module: ${STATE}. Constants belong in a \`StaticArray\` at the top level.`
/** Functions of AssemblyScript that write to the address that is their first argument. */
const WRITERS = /^(?:(?:\w+\.)?store\w*|memory\.(?:fill|copy|init))$/

type Found = (node: Node, message: string) => void

/** Everything in a file that no kernel may have, in the order of the source. */
export function forbiddenIn(source: ParsedSource): KernelSourceProblem[] {
  const problems: KernelSourceProblem[] = []
  const found: Found = (node, message) => {
    problems.push(problemAt(placeOf(source, node), message))
  }
  const names = namesOf(source)
  for (const statement of source.tree.statements) {
    findIn(statement, found)
    visit(statement, (node) => {
      if (isMemoryData(source, node)) found(node, MEMORY_DATA)
      else if (isStoreOf(names, source, node)) found(node, TABLE_STATE)
    })
  }
  return problems
}

/** What a statement at the top level, or in a namespace, must not be. */
function findIn(statement: Statement, found: Found): void {
  switch (statement.kind) {
    case NodeKind.Import:
    case NodeKind.Export:
    case NodeKind.Empty:
    case NodeKind.TypeDeclaration:
    case NodeKind.InterfaceDeclaration:
    case NodeKind.EnumDeclaration:
      return
    case NodeKind.ClassDeclaration:
      for (const member of (statement as ClassDeclaration).members) findInClass(member, found)
      return
    case NodeKind.NamespaceDeclaration:
      for (const member of (statement as NamespaceDeclaration).members) findIn(member, found)
      return
    case NodeKind.FunctionDeclaration:
      if (isOutside(statement as DeclarationStatement)) found(statement, JAVASCRIPT)
      return
    case NodeKind.Variable: {
      const [declaration] = (statement as VariableStatement).declarations
      if (declaration === undefined) return
      if (isOutside(declaration)) found(statement, JAVASCRIPT)
      else if ((declaration.flags & CommonFlags.Const) === 0)
        found(statement, `A variable at the top level is ${STATE}, or make it a \`const\`.`)
      return
    }
    case NodeKind.ExportDefault:
    case NodeKind.ExportImport:
      found(
        statement,
        'Kernels are exported by name: write `export function name(rows: Rows, …): void { … }`.',
      )
      return
    default:
      found(
        statement,
        'A statement at the top level would run when the module starts, and a kernel has no start. Move it into a function.',
      )
  }
}

function findInClass(member: DeclarationStatement, found: Found): void {
  if (member.kind === NodeKind.MethodDeclaration) {
    if (isOutside(member)) found(member, JAVASCRIPT)
    return
  }
  const { flags } = member
  if ((flags & CommonFlags.Static) !== 0 && (flags & CommonFlags.Readonly) === 0)
    found(member, `A static field is ${STATE}, or make it \`readonly\`.`)
}

/** Whether something is declared here and is to come from elsewhere. */
function isOutside({ flags }: DeclarationStatement): boolean {
  return (flags & (CommonFlags.Declare | CommonFlags.Ambient)) !== 0
}

function isMemoryData(source: ParsedSource, node: Node): boolean {
  if (node.kind !== NodeKind.PropertyAccess) return false
  const { expression, property } = node as PropertyAccessExpression
  return property.text === 'data' && textOf(source, expression) === 'memory'
}

/** The names that a file has at its top level. */
interface Names {
  /** All of them, imported ones too. */
  readonly all: ReadonlySet<string>
  /** Those of tables. */
  readonly tables: ReadonlySet<string>
}

function namesOf({ tree }: ParsedSource): Names {
  const all = new Set<string>()
  const tables = new Set<string>()
  for (const statement of tree.statements) {
    const { declarations, name } = statement as Partial<VariableStatement & DeclarationStatement>
    for (const declaration of declarations ?? []) {
      all.add(declaration.name.text)
      if (isTable(declaration)) tables.add(declaration.name.text)
    }
    if (name !== undefined) all.add(name.text)
  }
  return { all, tables }
}

function isTable({ initializer }: VariableDeclaration): boolean {
  return (
    initializer?.kind === NodeKind.Literal &&
    (initializer as LiteralExpression).literalKind === LiteralKind.Array
  )
}

/**
 * Whether a node writes into a table, or to an address that is the same in every call. Where an address comes from by way of a
 * variable cannot be seen here.
 */
function isStoreOf({ all, tables }: Names, source: ParsedSource, node: Node): boolean {
  if (node.kind !== NodeKind.Call) return false
  const { expression, args } = node as CallExpression
  const [address] = args
  if (address === undefined || !WRITERS.test(textOf(source, expression))) return false
  const used = namesIn(address)
  return used.some((name) => tables.has(name)) || used.every((name) => all.has(name))
}

/** Stands for a value that may be another one in every call. */
const UNKNOWN = '?'

/** The names of values in an expression. */
function namesIn(expression: Node): string[] {
  switch (expression.kind) {
    case NodeKind.Identifier:
      return [(expression as IdentifierExpression).text]
    case NodeKind.This:
    case NodeKind.Super:
      return [UNKNOWN]
    case NodeKind.TypeName:
      return []
    case NodeKind.PropertyAccess:
      return namesIn((expression as PropertyAccessExpression).expression)
    case NodeKind.Call: {
      const call = expression as CallExpression
      return [...(isCast(call) ? [] : [UNKNOWN]), ...call.args.flatMap(namesIn)]
    }
    default:
      return childrenOf(expression).flatMap(namesIn)
  }
}

/** Whether a call changes the type of its argument alone. */
function isCast({ expression }: CallExpression): boolean {
  const { text } = expression as IdentifierExpression
  return text === 'changetype' || text === 'usize' || text === 'i32' || text === 'u32'
}
