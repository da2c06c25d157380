// Owns what the names at the top level of a kernel's file mean: constants, functions, aliases of types, imports.

import type {
  FunctionDeclaration,
  ImportStatement,
  NamedTypeNode,
  TypeDeclaration,
  TypeNode,
  VariableDeclaration,
  VariableStatement,
} from 'assemblyscript'
import { LIBRARY } from '../sources'
import { NodeKind, type ParsedSource } from '../syntax'
import { isValueType, type ValueType } from './valueTypes'

/** Types of the library that are names for numbers. */
const LIBRARY_TYPES: Readonly<Record<string, ValueType>> = { Entity: 'u32', Text: 'u32', Count: 'u32' }
const REDUCTIONS = ['Sum', 'Min', 'Max']

export class KernelFile {
  readonly source: ParsedSource
  readonly functions = new Map<string, FunctionDeclaration>()
  readonly constants = new Map<string, VariableDeclaration>()
  /** Names that come from other files of the user. */
  readonly foreign = new Set<string>()
  private readonly aliases = new Map<string, TypeNode>()
  /** Names of the library by the name that the file gives them. */
  private readonly library = new Map<string, string>()
  /** Names that stand for the whole library. */
  private readonly namespaces = new Set<string>()

  constructor(source: ParsedSource) {
    this.source = source
    for (const statement of source.tree.statements) {
      if (statement.kind === NodeKind.Import) this.readImport(statement as ImportStatement)
      else if (statement.kind === NodeKind.FunctionDeclaration)
        this.functions.set((statement as FunctionDeclaration).name.text, statement as FunctionDeclaration)
      else if (statement.kind === NodeKind.Variable)
        for (const declaration of (statement as VariableStatement).declarations)
          this.constants.set(declaration.name.text, declaration)
      else if (statement.kind === NodeKind.TypeDeclaration)
        this.aliases.set((statement as TypeDeclaration).name.text, (statement as TypeDeclaration).type)
    }
  }

  private readImport(statement: ImportStatement): void {
    const own = statement.path.value === LIBRARY
    if (statement.namespaceName && own) this.namespaces.add(statement.namespaceName.text)
    else if (statement.namespaceName) this.foreign.add(statement.namespaceName.text)
    for (const { name, foreignName } of statement.declarations ?? []) {
      if (own) this.library.set(name.text, foreignName.text)
      else this.foreign.add(name.text)
    }
  }

  /** The library's name for `name`, or for `space.name`; undefined where it is none of the library. */
  libraryName(name: string, space?: string): string | undefined {
    if (space === undefined) return this.library.get(name)
    return this.namespaces.has(space) ? name : undefined
  }

  /** The type of numbers that a type node means; undefined for any other type. */
  valueType(type: TypeNode): ValueType | undefined {
    if (type.kind !== NodeKind.NamedType || type.isNullable) return undefined
    const { name, typeArguments } = type as NamedTypeNode
    const [first, second] = [name.identifier.text, name.next?.identifier.text]
    if (second !== undefined && name.next!.next !== null) return undefined
    const alias = second === undefined ? this.aliases.get(first) : undefined
    if (alias !== undefined) return this.valueType(alias)
    const known = second === undefined ? this.libraryName(first) : this.libraryName(second, first)
    const [argument] = typeArguments ?? []
    if (known !== undefined && REDUCTIONS.includes(known)) return argument && this.valueType(argument)
    if (argument !== undefined) return undefined
    if (known !== undefined) return LIBRARY_TYPES[known]
    return second === undefined && isValueType(first) ? first : undefined
  }
}
