// Owns what is known of one module by its tree alone: what it imports, exports and declares at its top level.

import { type Node, assignedIn, namesIn } from './nodes'

/** A name of another module; '*' stands for all of them. */
export interface Imported {
  readonly from: string
  readonly name: string
}

/** What a name at the top level of a module is declared as. */
export type Declaration =
  | { readonly is: 'value'; readonly init: Node }
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

export function moduleOf(id: string, code: string, tree: Node): Module {
  const imports = new Map<string, Imported>()
  const exports = new Map<string, string | Imported | Node>()
  const stars: string[] = []
  const declarations = new Map<string, Declaration>()
  const assigned = assignedIn(tree)

  const declare = (statement: Node): string[] => {
    if (statement.type === 'FunctionDeclaration') {
      const names = namesIn(statement.id)
      for (const name of names)
        declarations.set(name, assigned.has(name) ? changing(name) : { is: 'function', node: statement })
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
            : declarations.has(name) || assigned.has(name) || init === null
              ? changing(name)
              : { is: 'value', init },
        )
      return names
    })
  }

  for (const statement of tree.body as Node[]) {
    const from = statement.source?.value as string
    switch (statement.type) {
      case 'ImportDeclaration':
        for (const { type, local, imported } of statement.specifiers)
          imports.set(local.name, {
            from,
            name:
              type === 'ImportNamespaceSpecifier'
                ? '*'
                : type === 'ImportDefaultSpecifier'
                  ? 'default'
                  : nameOf(imported),
          })
        break
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
  return { id, code, tree, imports, exports, stars, declarations }
}

/** An import or export may be named by a string. */
function nameOf(node: Node): string {
  return node.name ?? node.value
}

function changing(name: string): Declaration {
  return { is: 'other', why: `'${name}' can change: declare it with const` }
}
