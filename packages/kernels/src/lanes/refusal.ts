// Owns the error for code in a kernel that cannot run in lanes. The first such place of a kernel is the one that is reported.

import type { Node } from 'assemblyscript'
import { KernelSourceError, problemAt } from '../../../compile/src/ahead/sourceError'
import { placeOf, type ParsedSource } from '../syntax'

/** What to do where nothing nearer helps. */
export const PLAIN_LOOP = 'Take `Rows` instead of `Lanes` for a plain loop.'

/** @throws KernelSourceError at the node, always */
export function refuse(source: ParsedSource, node: Node, message: string): never {
  throw new KernelSourceError([problemAt(placeOf(source, node), message)])
}
