// Owns how a source is read: AssemblyScript's own parser, the nodes of its tree, and walking them.
// It must never know what a kernel is.

import * as assemblyscript from 'assemblyscript'
import { Parser, type Node, type Source } from 'assemblyscript'
import { KernelSourceError, problemAt, type KernelSourceProblem, type Place } from './sourceError'

// The package declares these as constants of its compiler, which one file alone cannot read; they exist at run time.
type Members<Enum> = { readonly [Name in keyof Enum]: Enum[Name] }
const enums = assemblyscript as unknown as Record<string, unknown>

/** Kinds of nodes. */
export const NodeKind = enums.NodeKind as Members<typeof assemblyscript.NodeKind>
/** Bits of `flags` of a declaration. */
export const CommonFlags = enums.CommonFlags as Members<typeof assemblyscript.CommonFlags>
/** Whether a parameter is given, optional or the rest. */
export const ParameterKind = enums.ParameterKind as Members<typeof assemblyscript.ParameterKind>
/** Kinds of literals. */
export const LiteralKind = enums.LiteralKind as Members<typeof assemblyscript.LiteralKind>

/** A comment, by its offsets. */
export interface CommentRange {
  readonly start: number
  readonly end: number
}

/** A file as the parser sees it. */
export interface ParsedSource {
  /** Absolute path. */
  readonly file: string
  readonly text: string
  readonly tree: Source
  readonly comments: readonly CommentRange[]
}

/**
 * Parses one file.
 *
 * @throws KernelSourceError where it is no AssemblyScript
 */
export function parseSource(file: string, text: string): ParsedSource {
  const parser = new Parser()
  const comments = new Map<number, CommentRange>()
  // The parser looks ahead and goes back: it meets a comment several times.
  parser.onComment = (_kind, _text, range) =>
    comments.set(range.start, { start: range.start, end: range.end })
  parser.parseFile(text, 'source.ts', true)
  const tree = parser.sources[0]
  const problems: KernelSourceProblem[] = []
  for (const { message, range } of parser.diagnostics) {
    const place = { file, text, start: range?.start ?? 0, end: range?.end ?? 0 }
    if (isTypeOfImport(place)) {
      problems.push(problemAt(place, TYPE_IMPORT))
      // What follows is misunderstood.
      break
    }
    problems.push(problemAt(place, message))
  }
  if (problems.length > 0 || tree === undefined) throw new KernelSourceError(problems)
  return { file, text, tree, comments: [...comments.values()] }
}

const TYPE_IMPORT =
  "AssemblyScript has no `import type`. Remove the word `type`: all names of 'strata-ecs/kernel' are values, too."

/** Whether the parser stumbled over `import type { … }` or `import { type … }`, as editors like to write them. */
function isTypeOfImport({ text, start, end }: Place): boolean {
  return text.slice(start, end) === 'type' && /\bimport\s*(?:\{[^}]*)?$/.test(text.slice(0, start))
}

/** Where a node stands. */
export function placeOf(source: ParsedSource, node: Node): Place {
  return { file: source.file, text: source.text, start: node.range.start, end: node.range.end }
}

/** A node as it is written. */
export function textOf(source: ParsedSource, node: Node): string {
  return source.text.slice(node.range.start, node.range.end)
}

/** The documentation comment that ends before a node, without its marks; undefined where there is none. */
export function docCommentOf(source: ParsedSource, node: Node): string | undefined {
  for (const { start, end } of source.comments) {
    if (end > node.range.start || source.text.slice(end, node.range.start).trim() !== '') continue
    const comment = source.text.slice(start, end)
    if (comment.startsWith('/**')) return comment
  }
  return undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'kind' in value && 'range' in value
}

/** Visits a node and all below it, in the order of the source. */
export function visit(node: Node, visitor: (node: Node) => void): void {
  visitor(node)
  for (const value of Object.values(node) as unknown[]) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child)) visit(child, visitor)
  }
}
