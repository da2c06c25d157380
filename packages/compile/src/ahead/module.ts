// Owns what is known of one module by its tree alone: what it imports, exports and declares at its top level.

import { changesIn } from './changes'
import { type Node, namesIn, variablesIn } from './nodes'

/** A name of another module; '*' stands for all of them. */
export interface Imported {
  readonly from: string
  readonly name: string
}

/** What a name at the top level of a module is declared as. */
export type Declaration =
  | {
      readonly is: 'value'
      readonly init: Node
      /** Whether something may change what is in it, if it is an object or a list. */
      readonly changesInside: boolean
    }
  | { readonly is: 'function'; readonly node: Node }
  | { readonly is: 'other'; readonly why: string }

/** A module, as far as its text tells. */
export interface Module {
  readonly id: string
  readonly code: string
  readonly tree: Node
  readonly imports: ReadonlyMap<string, Imported>
  /** By the exported name: a name of this module's top level, of another module, or an expression. */
  readonly exports: ReadonlyMap<string, string | Imported | Node>
  /** The modules of `export * from`. */
  readonly stars: readonly string[]
  readonly declarations: ReadonlyMap<string, Declaration>
}

const ENTRIES = /^strata-ecs(?:\/(?:slim|checked|kernel|compile))?$/

/** Whether a module is imported from the library. */
export function isLibrary(specifier: string): boolean {
  return ENTRIES.test(specifier)
}

export function moduleOf(id: string, code: string, tree: Node): Module {
  const imports = new Map<string, Imported>()
  const exports = new Map<string, string | Imported | Node>()
  const stars: string[] = []
  const declarations = new Map<string, Declaration>()
  for (const { type, source, specifiers } of tree.body as Node[])
    if (type === 'ImportDeclaration')
      for (const { type: kind, local, imported } of specifiers)
        imports.set(local.name, {
          from: source?.value as string,
          name:
            kind === 'ImportNamespaceSpecifier'
              ? '*'
              : kind === 'ImportDefaultSpecifier'
                ? 'default'
                : nameOf(imported),
        })
  const changes = changesIn(tree, (callee, locals) => isOfLibrary(callee, locals, imports))

  const declare = (statement: Node): string[] => {
    if (statement.type === 'FunctionDeclaration') {
      const names = namesIn(statement.id)
      for (const name of names)
        declarations.set(name, changes.ofName(name) ? changing(name) : { is: 'function', node: statement })
      return names
    }
    if (statement.type !== 'VariableDeclaration') {
      const names = namesIn(statement.id)
      for (const name of names) declarations.set(name, { is: 'other', why: `'${name}' is a class` })
      return names
    }
    return statement.declarations.flatMap(({ id: target, init }) => {
      const names = namesIn(target)
      for (const name of names)
        declarations.set(
          name,
          target?.type !== 'Identifier'
            ? { is: 'other', why: `'${name}' is taken out of an object or a list` }
            : changes.ofName(name) || init === null
              ? changing(name)
              : { is: 'value', init, changesInside: changes.insideOf(name) },
        )
      return names
    })
  }

  for (const statement of tree.body as Node[]) {
    const from = statement.source?.value as string
    switch (statement.type) {
      case 'ExportAllDeclaration':
        if (statement.exported === null) stars.push(from)
        else exports.set(nameOf(statement.exported), { from, name: '*' })
        break
      case 'ExportDefaultDeclaration': {
        const declaration = statement.declaration as Node
        const names = /Declaration$/.test(declaration.type) ? declare(declaration) : []
        exports.set('default', names[0] ?? declaration)
        break
      }
      case 'ExportNamedDeclaration':
        if (statement.declaration) for (const name of declare(statement.declaration)) exports.set(name, name)
        for (const { local, exported } of statement.specifiers)
          exports.set(
            nameOf(exported as Node),
            statement.source === null ? nameOf(local) : { from, name: nameOf(local) },
          )
        break
      default:
        if (/Declaration$/.test(statement.type)) declare(statement)
    }
  }
  // A `var` of a block or loop is one of the module, and its value is found when the program runs.
  for (const name of variablesIn(tree)) if (!declarations.has(name)) declarations.set(name, changing(name))
  return { id, code, tree, imports, exports, stars, declarations }
}

/** Whether an expression is a name that is imported from the library. */
function isOfLibrary(
  callee: Node,
  locals: ReadonlySet<string>,
  imports: ReadonlyMap<string, Imported>,
): boolean {
  const { name } = callee.type === 'MemberExpression' ? callee.object : callee
  const imported = locals.has(name) ? undefined : imports.get(name)
  return imported !== undefined && isLibrary(imported.from) && (callee.name === name || imported.name === '*')
}

/** An import or export may be named by a string. */
function nameOf(node: Node): string {
  return node.name ?? node.value
}

function changing(name: string): Declaration {
  return { is: 'other', why: `'${name}' can change: declare it with const` }
}
