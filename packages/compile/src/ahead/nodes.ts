// Owns how a tree of ESTree is walked: its nodes, their children, and the names that each scope binds.

/** A node, as every bundler's `this.parse` makes it. Which of the properties it has, its type says. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly name: string
  readonly operator: string
  readonly kind: string
  readonly raw: string | undefined
  readonly computed: boolean
  readonly method: boolean
  /** Of a literal anything, of a property a node. */
  readonly value: unknown
  /** One node, or a list of statements. */
  readonly body: unknown
  readonly id: Node | null
  readonly init: Node | null
  readonly param: Node | null
  readonly source: Node | null
  readonly declaration: Node | null
  readonly exported: Node | null
  readonly imported: Node
  readonly local: Node
  readonly argument: Node
  readonly callee: Node
  readonly expression: Node
  readonly key: Node
  readonly left: Node
  readonly object: Node
  readonly property: Node
  readonly right: Node
  readonly arguments: readonly Node[]
  readonly cases: readonly Node[]
  readonly consequent: readonly Node[]
  readonly declarations: readonly Node[]
  readonly elements: readonly (Node | null)[]
  readonly expressions: readonly Node[]
  readonly params: readonly Node[]
  readonly properties: readonly Node[]
  readonly quasis: readonly { readonly value: { readonly cooked: string } }[]
  readonly specifiers: readonly Node[]
}

/** The nodes directly below a node, in the order of the source. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

export function isFunction(node: Node): boolean {
  return FUNCTIONS.has(node.type)
}

/** What stands in parentheses, where a parser says so. */
export function bare(node: Node): Node {
  return node.type === 'ParenthesizedExpression' ? bare(node.expression) : node
}

/** The names that a pattern binds. */
export function namesIn(pattern: Node | null): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ObjectPattern':
      return pattern.properties.flatMap(({ type, value, argument }) =>
        namesIn(type === 'RestElement' ? argument : (value as Node)),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn)
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'RestElement':
      return namesIn(pattern.argument)
    default:
      return []
  }
}

/** The names that a node binds for what is inside of it; of a whole module none, since those are declared at its top. */
export function boundIn(node: Node): string[] {
  if (isFunction(node)) {
    const own = node.type === 'FunctionExpression' ? namesIn(node.id) : []
    return [...own, 'arguments', ...node.params.flatMap(namesIn), ...variablesIn(node.body as Node)]
  }
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      return lexicalIn(node.body as Node[])
    case 'SwitchStatement':
      return node.cases.flatMap((each) => lexicalIn(each.consequent))
    case 'ForStatement':
      return node.init ? lexicalIn([node.init]) : []
    case 'ForInStatement':
    case 'ForOfStatement':
      return lexicalIn([node.left])
    case 'CatchClause':
      return namesIn(node.param)
    case 'ClassExpression':
    case 'ClassDeclaration':
      return namesIn(node.id)
    default:
      return []
  }
}

/** What `let`, `const`, `class` and `function` bind in a list of statements. */
function lexicalIn(statements: readonly Node[]): string[] {
  return statements.flatMap((statement) => {
    if (statement.type === 'VariableDeclaration')
      return statement.declarations.flatMap(({ id }) => namesIn(id))
    const declares = statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration'
    return declares ? namesIn(statement.id) : []
  })
}

/** What `var` binds in a function or a module, however deep it stands; each as often as it is declared. */
export function variablesIn(node: Node): string[] {
  if (isFunction(node)) return []
  const own = node.type === 'VariableDeclaration' && node.kind === 'var' ? lexicalIn([node]) : []
  return [...own, ...childrenOf(node).flatMap(variablesIn)]
}

/** Whether a child is a key or the name of a property: it stands for nothing. */
export function isNameAlone(node: Node, child: Node): boolean {
  if (node.computed === true) return false
  if (node.type === 'MemberExpression') return child === node.property
  return (
    /^(?:Property|MethodDefinition|PropertyDefinition)$/.test(node.type) &&
    child === node.key &&
    child !== node.value
  )
}
