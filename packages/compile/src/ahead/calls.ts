// Owns the calls of `compile` in a module: where they stand, and what else the module does with that name.

import { type Module, isLibrary } from './module'
import { type Node, bare, boundIn, childrenOf, isNameAlone } from './nodes'

/** A call of `compile`. */
export interface Call {
  readonly node: Node
  /** The names that are bound between the top of the module and the call. */
  readonly locals: ReadonlySet<string>
}

/** What a module does with `compile`. */
export interface Uses {
  readonly calls: readonly Call[]
  /** Places where the function itself goes somewhere: what is compiled there is not known. */
  readonly others: readonly Node[]
}

/** The module specifier that `compile` comes from: the name of the entry. */
const ENTRY = 'strata-ecs/compile'

/** Whether a text may call `compile`: most do not, and need not be parsed. */
export function mayCompile(code: string): boolean {
  return code.includes(ENTRY)
}

export function usesOf({ tree, imports }: Module): Uses {
  const names = new Set<string>()
  const namespaces = new Set<string>()
  for (const [local, { from, name }] of imports) {
    if (from !== ENTRY || !isLibrary(from)) continue
    if (name === 'compile') names.add(local)
    else if (name === '*') namespaces.add(local)
  }
  const calls: Call[] = []
  const others: Node[] = []
  if (names.size === 0 && namespaces.size === 0) return { calls, others }

  const isCompile = (node: Node, locals: ReadonlySet<string>): boolean => {
    if (node.type === 'Identifier') return names.has(node.name) && !locals.has(node.name)
    return (
      node.type === 'MemberExpression' &&
      !node.computed &&
      node.property.name === 'compile' &&
      node.object.type === 'Identifier' &&
      namespaces.has(node.object.name) &&
      !locals.has(node.object.name)
    )
  }
  const visit = (node: Node, locals: ReadonlySet<string>): void => {
    if (node.type === 'ImportDeclaration') return
    const bound = boundIn(node)
    const inside = bound.length === 0 ? locals : new Set([...locals, ...bound])
    if (node.type === 'CallExpression' && isCompile(bare(node.callee), locals)) {
      calls.push({ node, locals })
      node.arguments.forEach((argument) => visit(argument, locals))
    } else if (isCompile(node, locals)) others.push(node)
    else for (const child of childrenOf(node)) if (!isNameAlone(node, child)) visit(child, inside)
  }
  visit(tree, new Set())
  return { calls, others }
}
