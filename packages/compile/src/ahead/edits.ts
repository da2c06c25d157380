// Owns the changes of a text, and the source map that leads from the new text to the old one. It must never change a line
// number: what is put in has no line breaks, except at the end.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A source map of version 3, of one source. */
export interface SourceMap {
  readonly version: 3
  readonly names: string[]
  readonly sources: string[]
  readonly sourcesContent: string[]
  readonly mappings: string
}

export class Edits {
  private readonly edits: Edit[] = []
  private appended = ''

  constructor(private readonly text: string) {}

  /** Puts a text, without line breaks, in place of a stretch that has none. */
  replace(start: number, end: number, text: string): void {
    this.edits.push({ start, end, text })
    this.edits.sort((a, b) => a.start - b.start)
  }

  append(line: string): void {
    this.appended += `\n${line}`
  }

  toString(): string {
    let text = ''
    let from = 0
    for (const edit of this.edits) {
      text += this.text.slice(from, edit.start) + edit.text
      from = edit.end
    }
    return text + this.text.slice(from) + this.appended
  }

  /** The map, with a segment for each word and sign: bundlers lead on from segments alone. */
  map(source: string): SourceMap {
    let mappings = ''
    let lineStart = 0
    let next = 0
    let [lastLine, lastColumn] = [0, 0]
    this.text.split('\n').forEach((line, number) => {
      let shift = 0
      let lastGenerated = 0
      const segments: string[] = []
      for (const { index } of line.matchAll(/[\p{ID_Continue}$]+|[^\s\p{ID_Continue}$]/gu)) {
        const offset = lineStart + index
        for (let edit = this.edits[next]; edit !== undefined && edit.end <= offset; edit = this.edits[++next])
          shift += edit.text.length - (edit.end - edit.start)
        const generated = index + shift
        segments.push(
          vlq(generated - lastGenerated) + vlq(0) + vlq(number - lastLine) + vlq(index - lastColumn),
        )
        ;[lastGenerated, lastLine, lastColumn] = [generated, number, index]
      }
      mappings += (number === 0 ? '' : ';') + segments.join(',')
      lineStart += line.length + 1
      // What ends with the line shifts nothing on the next one.
      while ((this.edits[next]?.end ?? Infinity) <= lineStart) next++
    })
    return { version: 3, names: [], sources: [source], sourcesContent: [this.text], mappings }
  }
}

/** A number as source maps write it. */
function vlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ''
  do {
    const digit = rest & 31
    rest >>>= 5
    text += DIGITS[rest > 0 ? digit | 32 : digit]
  } while (rest > 0)
  return text
}
