// Owns what a module may change after it was declared: names that are assigned to, and the contents of objects and lists.

import { type Node, bare, boundIn, childrenOf, isNameAlone, namesIn, variablesIn } from './nodes'

/** What can be something else than its declaration says. */
export interface Changes {
  /** Whether a name at the top of the module may come to stand for something else. */
  ofName(name: string): boolean
  /** Whether the object or list that a name stands for may come to hold something else, if it is not frozen. */
  insideOf(name: string): boolean
}

/** Whether a callee is a function of the library, which changes nothing that it is given; not if the name is one of the locals. */
type IsLibrary = (callee: Node, locals: ReadonlySet<string>) => boolean

export function changesIn(tree: Node, isLibrary: IsLibrary): Changes {
  const assigned = assignedIn(tree)
  const variables = variablesIn(tree)
  const repeated = new Set(variables.filter((name, k) => variables.indexOf(name) !== k))
  const handedOn = handedOnIn(tree, isLibrary)
  const evaluates = hasEval(tree)
  return {
    ofName: (name) => evaluates || assigned.has(name) || repeated.has(name),
    insideOf: (name) => evaluates || handedOn.has(name),
  }
}

/** Every name that something is assigned to after its declaration, wherever it stands. */
function assignedIn(node: Node, into = new Set<string>()): Set<string> {
  if (node.type === 'AssignmentExpression') namesIn(node.left).forEach((name) => into.add(name))
  else if (node.type === 'UpdateExpression') namesIn(node.argument).forEach((name) => into.add(name))
  else if (/^For(?:In|Of)Statement$/.test(node.type)) namesIn(node.left).forEach((name) => into.add(name))
  for (const child of childrenOf(node)) assignedIn(child, into)
  return into
}

/** Whether code that is found when the program runs sees the names of the module. */
function hasEval(node: Node): boolean {
  if (node.type === 'CallExpression' && bare(node.callee).name === 'eval') return true
  return childrenOf(node).some(hasEval)
}

/**
 * Names of the module that are more than read: what they hold is assigned to, called as a method, or goes elsewhere as a whole.
 * A member that is read, a spread, destructuring and an argument of the library leave it as it is.
 */
function handedOnIn(tree: Node, isLibrary: IsLibrary): Set<string> {
  const handedOn = new Set<string>()
  /** @param isRead whether a member at this place is only read */
  const visit = (node: Node, locals: ReadonlySet<string>, isRead: boolean): void => {
    if (node.type === 'ImportDeclaration' || (/^Export/.test(node.type) && node.source)) return
    // Other modules may change what they see.
    if (node.type === 'ExportNamedDeclaration')
      namesOf(node.declaration).forEach((name) => handedOn.add(name))
    if (node.type === 'Identifier' && !locals.has(node.name)) handedOn.add(node.name)
    const bound = boundIn(node)
    const inside = bound.length === 0 ? locals : new Set([...locals, ...bound])
    const isHarmless = (callee: Node): boolean => isLibrary(callee, locals)
    for (const child of childrenOf(node)) {
      if (isNameAlone(node, child)) continue
      if (child.type === 'Identifier' && leavesAsItIs(node, child, isRead, isHarmless)) continue
      visit(child, inside, isReadBelow(node, child, isRead))
    }
  }
  visit(tree, new Set(), true)
  return handedOn
}

/** Whether a node leaves what the name below it holds as it is. */
function leavesAsItIs(
  node: Node,
  name: Node,
  isRead: boolean,
  isLibrary: (callee: Node) => boolean,
): boolean {
  switch (node.type) {
    case 'MemberExpression':
      return isRead && name === node.object
    case 'SpreadElement':
      return true
    case 'VariableDeclarator':
      return name === node.id || node.id?.type === 'ObjectPattern'
    case 'CallExpression':
      return name !== node.callee && isLibrary(bare(node.callee))
    default:
      return false
  }
}

/** Whether a member below a node is only read; one that is called is given what it is a member of. */
function isReadBelow(node: Node, child: Node, isRead: boolean): boolean {
  switch (node.type) {
    case 'AssignmentExpression':
    case 'AssignmentPattern':
    case 'ForInStatement':
    case 'ForOfStatement':
      return child !== node.left
    case 'CallExpression':
    case 'NewExpression':
      return child !== node.callee
    case 'UnaryExpression':
      return node.operator !== 'delete'
    case 'UpdateExpression':
    case 'ArrayPattern':
    case 'ObjectPattern':
    case 'RestElement':
    case 'TaggedTemplateExpression':
      return false
    // What stands around them decides.
    case 'Property':
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return isRead
    default:
      return true
  }
}

/** The names that a declaration of variables binds. */
function namesOf(declaration: Node | null): string[] {
  return declaration?.type === 'VariableDeclaration'
    ? declaration.declarations.flatMap(({ id }) => namesIn(id))
    : []
}
