// Owns the way over a source's tree: what lies below a node, and visits of all of it.

import type { Node } from 'assemblyscript'

/** The nodes below a node, in the order of the source. */
export function childrenOf(node: Node): Node[] {
  return (Object.values(node) as unknown[]).flat().filter(isNode)
}

/** Visits a node and all below it, in the order of the source. */
export function visit(node: Node, visitor: (node: Node) => void): void {
  visitor(node)
  for (const child of childrenOf(node)) visit(child, visitor)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'kind' in value && 'range' in value
}
