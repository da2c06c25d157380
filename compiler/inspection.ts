// Owns the inspection of a compiled module: whether a world would accept it, and if not, what in the source causes that. It must never accept what the bindings refuse.

import type {
  LiteralExpression,
  NewExpression,
  Node,
  PropertyAccessExpression,
  VariableStatement,
} from 'assemblyscript'
import type { Assembled } from './assemble'
import { KernelSourceError, problemAt, type KernelSourceProblem } from './sourceError'
import { LiteralKind, NodeKind, placeOf, textOf, visit, type ParsedSource } from './syntax'
import type { Window } from './windows'

/** What the bindings hand to a module. */
const IMPORTS = new Set(['env.memory', 'env.abort', 'env.trace'])

const HEAP_LITERALS = [LiteralKind.Array, LiteralKind.Object, LiteralKind.String, LiteralKind.Template]
const HEAP =
  'There is no heap inside a kernel: no arrays, strings, `new` or closures. Use numbers, columns, or a `StaticArray` of constants at the top level.'

/**
 * Where the data of a module lies.
 *
 * @throws KernelSourceError for a module that needs more than the memory
 */
export function inspect(
  { bytes, text }: Assembled,
  base: number,
  file: string,
  sources: ReadonlyMap<string, ParsedSource>,
): Window {
  const foreign = foreignImports(bytes)
  const grows = text.includes('memory.grow')
  const starts = /^ \(start /m.test(text)
  if (foreign.length > 0 || grows || starts)
    throw new KernelSourceError(causes(file, sources, text, { foreign, grows, starts }))
  return { start: base, end: dataEnd(text, base) }
}

/** What a module needs and does not get. */
interface Needs {
  readonly foreign: readonly string[]
  readonly grows: boolean
  readonly starts: boolean
}

function foreignImports(bytes: Uint8Array): string[] {
  return WebAssembly.Module.imports(new WebAssembly.Module(bytes as BufferSource))
    .map(({ module, name }) => `${module}.${name}`)
    .filter((name) => !IMPORTS.has(name))
}

/** The end of the last data segment. One of zeros is there as well: the memory is imported and may hold anything. */
function dataEnd(text: string, base: number): number {
  let end = base
  for (const [, offset, contents] of text.matchAll(
    /^ \(data \S+ \(i32\.const (\d+)\) "((?:[^"\\]|\\.)*)"\)/gm,
  ))
    end = Math.max(end, Number(offset) + contents!.replace(/\\(?:[0-9a-f]{2}|.)/g, '.').length)
  return end
}

function causes(
  file: string,
  sources: ReadonlyMap<string, ParsedSource>,
  text: string,
  { foreign, grows, starts }: Needs,
): KernelSourceProblem[] {
  const problems: KernelSourceProblem[] = []
  for (const source of sources.values()) {
    const found = (node: Node, message: string): void => {
      problems.push(problemAt(placeOf(source, node), message))
    }
    for (const statement of source.tree.statements) {
      if (statement.kind === NodeKind.Import || statement.kind === NodeKind.Export) continue
      visit(statement, (node) => {
        if (foreign.length > 0) findForeign(node, source, found)
        if (grows) findHeap(node, source, found)
      })
      if (starts && statement.kind === NodeKind.Variable)
        findComputed(statement as VariableStatement, text, found)
    }
  }
  if (problems.length > 0) return problems
  const message =
    foreign.length > 0
      ? `The module would import ${foreign.join(', ')}; nothing but the memory is handed to a kernel.`
      : grows
        ? HEAP
        : 'Something has to be computed when the module starts, and a kernel has no start. Move it into a function.'
  return [problemAt({ file, text: sources.get(file)?.text ?? '', start: 0, end: 0 }, message)]
}

/** Constants that the start function sets. */
function findComputed(
  statement: VariableStatement,
  text: string,
  found: (node: Node, message: string) => void,
): void {
  for (const { name, initializer } of statement.declarations)
    if (initializer !== null && new RegExp(`global\\.set \\$(?!~lib)\\S*/${name.text}$`, 'm').test(text))
      found(
        initializer,
        `'${name.text}' has to be computed when the module starts, and a kernel has no start. Write its value, or compute it in the function.`,
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
