// Owns how a source is read: AssemblyScript's own parser, and what nodes of its tree are.

import * as assemblyscript from 'assemblyscript'
import {
  Parser,
  type NamespaceDeclaration,
  type Node,
  type Source,
  type Statement,
  type Tokenizer,
} from 'assemblyscript'
import { errorName } from '../../../bindings/memory/realms'
import { TOO_DEEP, tooDeep } from './nesting'
import {
  KernelSourceError,
  problemAt,
  type KernelSourceProblem,
  type Place,
} from '../../compile/src/ahead/sourceError'

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
  const parser = new PlacedParser()
  const comments = new Map<number, CommentRange>()
  // The parser looks ahead and goes back: it meets a comment several times.
  parser.onComment = (_kind, _text, range) =>
    comments.set(range.start, { start: range.start, end: range.end })
  try {
    parser.parseFile(text, 'source.ts', true)
  } catch (error) {
    // It calls itself for each level, until the stack ends.
    const message =
      errorName(error) === 'RangeError' ? TOO_DEEP : `The AssemblyScript parser failed: ${String(error)}.`
    const end = parser.position
    throw new KernelSourceError([problemAt({ file, text, start: end, end }, message)])
  }
  const tree = parser.sources[0]
  const problems: KernelSourceProblem[] = []
  for (const { message, range } of parser.diagnostics) {
    const place = { file, text, start: range?.start ?? 0, end: range?.end ?? 0 }
    const misread = isTypeOfImport(place) ? TYPE_IMPORT : misreadAs(message, place)
    problems.push(problemAt(place, misread ?? message))
    // What follows is misunderstood.
    if (misread !== undefined) break
  }
  if (problems.length > 0 || tree === undefined) throw new KernelSourceError(problems)
  const deep = tooDeep(tree)
  if (deep !== undefined) throw new KernelSourceError([problemAt(placeOf({ file, text }, deep), TOO_DEEP)])
  return { file, text, tree, comments: [...comments.values()] }
}

/** A parser that can say how far it has read: what else it knows is lost when it throws. */
class PlacedParser extends Parser {
  private tokens: Tokenizer | undefined

  get position(): number {
    return this.tokens?.pos ?? 0
  }

  override parseTopLevelStatement(
    tokens: Tokenizer,
    namespace?: NamespaceDeclaration | null,
  ): Statement | null {
    this.tokens = tokens
    return super.parseTopLevelStatement(tokens, namespace)
  }
}

const TYPE_IMPORT =
  "AssemblyScript has no `import type`. Remove the word `type`: all names of 'strata-ecs/kernel' are values, too."

/** Whether the parser stumbled over `import type { … }` or `import { type … }`, as editors like to write them. */
function isTypeOfImport({ text, start, end }: Place): boolean {
  return text.slice(start, end) === 'type' && /\bimport\s*(?:\{[^}]*)?$/.test(text.slice(0, start))
}

const MISREAD = [
  {
    message: 'Type expected.',
    before: /[\w$]\s*<\s*\([^;{}]{0,200}$/,
    sentence:
      "AssemblyScript's parser takes what follows `name < (` for types here. Put the name in parentheses, too: `(name) < (…)`.",
  },
  {
    message: "']' expected.",
    before: /\?[^;{}]{0,200}\(\s*[\w$]+\s*\)\s*:[^;{}]{0,200}$/,
    sentence:
      "AssemblyScript's parser takes `(name) : …` for a function here. Remove the parentheses around the name: `? name : …`.",
  },
]

/** What to say where the parser takes a comparison or a condition for something else, and names only what it misses of that. */
function misreadAs(message: string, { text, start }: Place): string | undefined {
  const before = text.slice(0, start)
  return MISREAD.find((one) => one.message === message && one.before.test(before))?.sentence
}

/** Where a node stands. */
export function placeOf({ file, text }: Pick<ParsedSource, 'file' | 'text'>, { range }: Node): Place {
  return { file, text, start: range.start, end: range.end }
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
