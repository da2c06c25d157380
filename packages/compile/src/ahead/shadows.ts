// Owns the check that a function which is compiled means the same by Math, NaN and their like as the module that it stands in.
// Other names need no check: the compiler refuses a compiled function that uses one.

import type { FunctionText } from './declarations'
import { type Node, boundIn, childrenOf, isNameAlone } from './nodes'

/** What a compiled function takes from the language. */
const LANGUAGE = /^(?:Math|Number|NaN|Infinity|undefined)$/

/** The first place where a function uses a name of the language that its module declares itself; undefined without one. */
export function shadowIn({ node, module, locals }: FunctionText): Node | undefined {
  if (node === undefined || module === undefined) return undefined
  const isShadowed = (name: string): boolean =>
    LANGUAGE.test(name) && (locals?.has(name) || module.declarations.has(name) || module.imports.has(name))
  const find = (at: Node, own: ReadonlySet<string>): Node | undefined => {
    if (at.type === 'Identifier') return !own.has(at.name) && isShadowed(at.name) ? at : undefined
    const inside = new Set([...own, ...boundIn(at)])
    for (const child of childrenOf(at)) {
      const found = isNameAlone(at, child) ? undefined : find(child, inside)
      if (found !== undefined) return found
    }
    return undefined
  }
  return find(node, new Set())
}
