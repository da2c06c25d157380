// Owns the text that is being generated: indented lines, unique names, and what a loop needs computed once before it.

/** Names of one kernel's twin. They end in two underscores and a number, as no sensible name does. */
export class Names {
  private count = 0

  fresh(stem: string): string {
    return `${stem}__${this.count++}`
  }
}

/** Lines of code. */
export class Lines {
  private readonly lines: string[] = []
  private depth: number

  constructor(depth: number) {
    this.depth = depth
  }

  get indent(): number {
    return this.depth
  }

  add(line: string): void {
    this.lines.push('  '.repeat(this.depth) + line)
  }

  /** Adds `head {`, what `write` adds, and `}`. */
  block(head: string, write: () => void): void {
    this.add(head === '' ? '{' : `${head} {`)
    this.depth++
    write()
    this.depth--
    this.add('}')
  }

  /** Adds lines that were written apart. */
  append(other: Lines): void {
    this.lines.push(...other.lines)
  }

  text(): string {
    return this.lines.map((line) => `${line}\n`).join('')
  }
}

/** Values that are the same in every iteration: each is computed once, before the loop. */
export class Preamble {
  readonly lines: Lines
  private readonly known = new Map<string, string>()
  private readonly names: Names

  constructor(names: Names, depth: number) {
    this.names = names
    this.lines = new Lines(depth)
  }

  /** The name of the value that `text` computes. */
  hoist(text: string, stem: string): string {
    const known = this.known.get(text)
    if (known !== undefined) return known
    const name = this.names.fresh(stem)
    this.lines.add(`const ${name} = ${text}`)
    this.known.set(text, name)
    return name
  }
}
