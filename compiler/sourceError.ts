// Owns the error for a kernel's source: where it is wrong, what to write instead, and the lines around the place.
// It must never decide what is wrong.

/** One problem in a kernel's source, and its place. */
export interface KernelSourceProblem {
  /** Absolute path of the file. */
  readonly file: string
  /** Line, counted from 1. */
  readonly line: number
  /** Column, counted from 1. */
  readonly column: number
  /** What is wrong and what to write instead. */
  readonly message: string
  /** The lines around the place, with a mark under it. */
  readonly frame: string
}

/** A kernel's source cannot be compiled. `problems` lists everything that is wrong; nothing was written. */
export class KernelSourceError extends Error {
  override readonly name = 'KernelSourceError'
  readonly code = 'KERNEL_SOURCE'
  /** At least one, in the order in which they were found. */
  readonly problems: readonly KernelSourceProblem[]
  constructor(problems: readonly KernelSourceProblem[]) {
    super(problems.map(describeProblem).join('\n\n'))
    this.problems = problems
  }
}

/** A stretch of a source: offsets into its text. */
export interface Place {
  readonly file: string
  readonly text: string
  readonly start: number
  readonly end: number
}

/** What is wrong at a place, with its line, column and frame. */
export function problemAt(place: Place, message: string): KernelSourceProblem {
  const start = Math.min(place.start, place.text.length)
  const before = place.text.slice(0, start)
  const line = before.split('\n').length
  const column = start - before.lastIndexOf('\n')
  return { file: place.file, line, column, message, frame: frameOf(place, line, column) }
}

/** The line with the place, one before and one behind it. */
function frameOf(place: Place, line: number, column: number): string {
  const lines = place.text.split('\n').map((text) => text.replace(/\r$/, ''))
  const width = String(line + 1).length
  const marked = (number: number, text: string): string =>
    `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text}`.trimEnd()
  const shown: string[] = []
  if (line > 1) shown.push(marked(line - 1, lines[line - 2] ?? ''))
  const text = lines[line - 1] ?? ''
  shown.push(marked(line, text))
  const length = Math.max(1, Math.min(place.end - place.start, text.length - column + 1))
  // Tabs stay tabs, so that the mark stands under its place however wide they are shown.
  const indent = text.slice(0, column - 1).replace(/[^\t]/g, ' ')
  shown.push(`  ${' '.repeat(width)} | ${indent}${'^'.repeat(length)}`)
  if (line < lines.length && lines[line] !== '') shown.push(marked(line + 1, lines[line] ?? ''))
  return shown.join('\n')
}

/** A problem as a terminal shows it. */
export function describeProblem(problem: KernelSourceProblem): string {
  return `${problem.file}:${problem.line}:${problem.column}: ${problem.message}\n${problem.frame}`
}
