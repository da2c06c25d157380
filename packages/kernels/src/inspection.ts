// Owns the inspection of a compiled module: whether a world would accept it, and if not, what in the source causes that; and
// whether it keeps state of its own. It must never accept what the bindings refuse: they are asked.

import type {
  LiteralExpression,
  NewExpression,
  Node,
  PropertyAccessExpression,
  VariableDeclaration,
} from 'assemblyscript'
import { checkKernelExport, checkKernelModule } from '../../../bindings/kernels/kernelModule'
import type { Assembled } from './assemble'
import { STATE } from './forbidden'
import type { KernelSignature } from './signatures'
import { KernelSourceError, problemAt, type KernelSourceProblem } from '../../compile/src/ahead/sourceError'
import { LiteralKind, NodeKind, placeOf, textOf, type ParsedSource } from './syntax'
import { visit } from './walk'
import type { Window } from './windows'

/** What can be a global of the module. */
const DECLARATIONS = [NodeKind.VariableDeclaration, NodeKind.EnumValueDeclaration, NodeKind.FieldDeclaration]
const HEAP_LITERALS = [LiteralKind.Array, LiteralKind.Object, LiteralKind.String, LiteralKind.Template]
const HEAP =
  'There is no heap inside a kernel: no arrays, strings, `new` or closures. Use numbers, columns, or a `StaticArray` of constants at the top level.'

/**
 * Where the data of a module lies.
 *
 * @throws KernelSourceError for a module that no world accepts, or that keeps state
 */
export function inspect(
  { bytes, text }: Assembled,
  base: number,
  signatures: readonly KernelSignature[],
  sources: ReadonlyMap<string, ParsedSource>,
): Window {
  const needs = needsOf(text)
  const problems = causes(needs, sources)
  if (problems.length > 0) throw new KernelSourceError(problems)
  const [source] = sources.values()
  const [file] = sources.keys()
  try {
    const module = checkKernelModule(bytes, 'this file')
    for (const { name, result } of signatures) checkKernelExport(module, name, result !== 'none')
    return { start: base, end: Math.max(base, module.window.end) }
  } catch (error) {
    const message = (error as Error).message
    throw new KernelSourceError([
      problemAt(
        { file: file!, text: source!.text, start: 0, end: 0 },
        needs.heap
          ? HEAP
          : needs.starts
            ? 'Something has to be computed when the module starts, and a kernel has no start. Move it into a function.'
            : message,
      ),
    ])
  }
}

/** What a module needs and does not get. */
interface Needs {
  readonly imports: boolean
  readonly heap: boolean
  readonly starts: boolean
  /** Names of the user's variables that are set when the module runs, as paths. */
  readonly set: readonly string[]
}

/** The text has each instruction and each declaration on a line of its own: what a line begins with is no name of the user. */
function needsOf(text: string): Needs {
  return {
    imports: /^ *\(import (?!"env" "memory")/m.test(text),
    heap: /^ *\(?(?:memory\.grow|global \$~lib\/rt\/)/m.test(text),
    starts: /^ *\(start /m.test(text),
    set: [...text.matchAll(/^ *\(?global\.set \$([^~\s]\S*)/gm)].map(([, name]) => name as string),
  }
}

function causes(needs: Needs, sources: ReadonlyMap<string, ParsedSource>): KernelSourceProblem[] {
  const problems: KernelSourceProblem[] = []
  for (const source of sources.values()) {
    const found = (node: Node, message: string): void => {
      problems.push(problemAt(placeOf(source, node), message))
    }
    for (const statement of source.tree.statements) {
      if (statement.kind === NodeKind.Import || statement.kind === NodeKind.Export) continue
      visit(statement, (node) => {
        if (needs.imports) findForeign(node, source, found)
        if (needs.heap) findHeap(node, source, found)
        if (needs.set.length > 0) findSet(node, needs, found)
      })
    }
  }
  return problems
}

/** Constants that the start function sets; and what functions set, were it no variable. */
function findSet(node: Node, { set, starts }: Needs, found: (node: Node, message: string) => void): void {
  if (!DECLARATIONS.includes(node.kind)) return
  const { name, initializer } = node as VariableDeclaration
  if (!set.some((path) => path.endsWith(`/${name.text}`) || path.endsWith(`.${name.text}`))) return
  found(
    initializer ?? node,
    starts
      ? `'${name.text}' has to be computed when the module starts, and a kernel has no start. Write its value, or compute it in the function.`
      : `'${name.text}' is ${STATE}.`,
  )
}

function findForeign(node: Node, source: ParsedSource, found: (node: Node, message: string) => void): void {
  if (node.kind !== NodeKind.PropertyAccess) return
  const { expression, property } = node as PropertyAccessExpression
  const text = textOf(source, expression)
  if (property.text === 'random' && /^(?:Native)?Mathf?$/.test(text))
    found(
      node,
      `${text}.random needs a seed of JavaScript. Use \`randomFloat(key, counter)\` of 'strata-ecs/kernel': the same numbers in every run.`,
    )
  else if (text === 'Date' || text === 'performance' || text === 'console' || text === 'process')
    found(node, `A kernel cannot reach '${text}'. Pass what it gives as a scalar.`)
}

function findHeap(node: Node, source: ParsedSource, found: (node: Node, message: string) => void): void {
  if (node.kind === NodeKind.PropertyAccess && textOf(source, node) === 'memory.grow')
    found(
      node,
      'A kernel cannot grow the memory: it belongs to the world. Spawn entities, or enlarge a component.',
    )
  if (node.kind === NodeKind.New) {
    found((node as NewExpression).typeName ?? node, HEAP)
    return
  }
  if (node.kind === NodeKind.Function) found(node, HEAP)
  if (node.kind !== NodeKind.Literal) return
  const { literalKind } = node as LiteralExpression
  if (HEAP_LITERALS.includes(literalKind)) found(node, HEAP)
}
