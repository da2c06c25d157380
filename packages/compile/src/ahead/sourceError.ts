// Owns the error for a kernel's source: where it is wrong, what to write instead, and the lines around the place.

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
  override get name(): string {
    return 'KernelSourceError'
  }
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

/** Of longer lines a frame shows the part around the place. */
const SHOWN_COLUMNS = 160
const CUT = '…'

/** The line with the place, one before and one behind it. */
function frameOf(place: Place, line: number, column: number): string {
  const lines = place.text.split('\n').map((text) => text.replace(/\r$/, ''))
  const width = String(line + 1).length
  const text = lines[line - 1] ?? ''
  const first = text.length <= SHOWN_COLUMNS ? 0 : Math.max(0, column - 1 - SHOWN_COLUMNS / 2)
  const cut = (whole: string): string => {
    const part = whole.slice(first, first + SHOWN_COLUMNS)
    return `${first > 0 && whole !== '' ? CUT : ''}${part}${first + SHOWN_COLUMNS < whole.length ? CUT : ''}`
  }
  const marked = (number: number, whole: string): string =>
    `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${cut(whole)}`.trimEnd()
  const shown: string[] = []
  if (line > 1) shown.push(marked(line - 1, lines[line - 2] ?? ''))
  shown.push(marked(line, text))
  const shownText = cut(text)
  const at = column - 1 - first + (first > 0 ? CUT.length : 0)
  const length = Math.max(1, Math.min(place.end - place.start, shownText.length - at))
  // Tabs stay tabs, so that the mark stands under its place however wide they are shown.
  const indent = shownText.slice(0, at).replace(/[^\t]/g, ' ')
  shown.push(`  ${' '.repeat(width)} | ${indent}${'^'.repeat(length)}`)
  if (line < lines.length && lines[line] !== '') shown.push(marked(line + 1, lines[line] ?? ''))
  return shown.join('\n')
}

/** A problem as a terminal shows it. */
export function describeProblem(problem: KernelSourceProblem): string {
  return `${problem.file}:${problem.line}:${problem.column}: ${problem.message}\n${problem.frame}`
}
