// Owns how deep a kernel's source may nest. Parser, compiler and optimiser call themselves for each level, and a stack ends
// somewhere: a limit that is known comes before, at a place. So nothing here calls itself for a level.

import type { Node } from 'assemblyscript'
import { childrenOf } from './walk'

/** Levels of the syntax tree. A sum of so many terms has as many. */
export const MOST_LEVELS = 1000

export const TOO_DEEP = `This nests more than ${MOST_LEVELS.toLocaleString('en-US')} levels deep, and each term of a sum is a level. Split it into several statements or functions, or write a loop.`

/** The first node that lies too deep; undefined if none does. */
export function tooDeep(root: Node): Node | undefined {
  const waiting: { node: Node; level: number }[] = [{ node: root, level: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, level } = next
    if (level > MOST_LEVELS) return node
    const children = childrenOf(node)
    for (let i = children.length - 1; i >= 0; i--)
      waiting.push({ node: children[i] as Node, level: level + 1 })
  }
  return undefined
}
