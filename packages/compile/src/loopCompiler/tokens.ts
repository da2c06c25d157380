// Owns the tokens of a source: names, numbers, strings and signs, one at a time, and nodes that say where they stand.

import { type Place, refuse } from './refusal'
import type { Work } from './work'

/**
 * A node of a tree. Its properties are those of ESTree, as far as the subset goes; the type of an expression or a statement is the
 * name of the method that carries it out.
 */
export interface Node extends Place {
  readonly type: string
  end: number
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each type has a shape of its own
  readonly [property: string]: any
}

const LINE_END = /[\n\r\u2028\u2029]/
const TOKEN = /* @__PURE__ */ pattern()

/** What it takes to read a token, and to make a node of it. */
const STEPS_OF_TOKEN = 3

const KINDS = ['number', 'name', 'string', 'sign'] as const

/**
 * In a call, which bundlers leave out where nothing is parsed. An engine has read the source already: what is in no other token and
 * not ASCII belongs to a name.
 */
function pattern(): RegExp {
  const SPACE = String.raw`\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/`
  const NUMBER = String.raw`(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)n?`
  const NAME = String.raw`#?(?:[\w$]|[^\0-\x7f\s])+`
  const STRING = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`
  // `<!--` begins a comment in a script, and is three signs in a module.
  const SIGN = String.raw`<!--|\.\.\.|\?\.(?!\d)|=>|(?:\*\*|<<|>>>?|&&|\|\||\?\?)=?|\+\+|--|[=!]==?|[+\-*\/%&|^<>]=?|[{}()[\];,~?:.=!]`
  return new RegExp(`${SPACE}|(${NUMBER})|(${NAME})|(${STRING})|(${SIGN})`, 'uy')
}

export class Tokens implements Place {
  /** The token at hand, and where it stands. */
  protected kind: (typeof KINDS)[number] | 'end' = 'end'
  protected value = ''
  start = 0
  end = 0
  /** Whether a line ends before it. */
  protected newline = false
  /** Where the token before it ends. */
  private before = 0

  constructor(
    private readonly text: string,
    private readonly work: Work,
  ) {
    this.next()
  }

  protected next(): void {
    const { text } = this
    this.before = this.end
    this.newline = false
    for (;;) {
      this.work.spend(STEPS_OF_TOKEN)
      this.start = this.end
      if (this.end >= text.length) {
        this.kind = 'end'
        this.value = 'the end'
        return
      }
      TOKEN.lastIndex = this.start
      const found = TOKEN.exec(text)
      if (found === null) this.refuseCharacter()
      this.end = TOKEN.lastIndex
      this.value = found[0]
      const kind = KINDS.find((_, k) => found[k + 1])
      if (kind !== undefined) {
        this.kind = kind
        return
      }
      if (LINE_END.test(this.value)) this.newline = true
    }
  }

  private refuseCharacter(): never {
    const { start, text } = this
    const character = String.fromCodePoint(text.codePointAt(start) as number)
    const isString = character === '`' || character === "'" || character === '"'
    refuse(
      { start, end: start + character.length },
      isString ? NO_STRINGS : `'${character}' is not expected here.`,
    )
  }

  protected is(value: string): boolean {
    return this.value === value && this.kind !== 'string'
  }

  /** Whether the token is this one; then it is passed. */
  protected eat(value: string): boolean {
    if (!this.is(value)) return false
    this.next()
    return true
  }

  protected expect(value: string): void {
    if (!this.eat(value)) refuse(this, `'${value}' is expected here, not ${this.value}.`)
  }

  /** What stands between two signs, with commas in between. */
  protected list(open: string, close: string, item: () => Node): Node[] {
    const list: Node[] = []
    this.expect(open)
    while (!this.is(close)) {
      list.push(item())
      if (!this.eat(',')) break
    }
    this.expect(close)
    return list
  }

  /** A node from a place to the token before the one at hand. */
  protected node(type: string, start: number, properties: object): Node {
    return { type, start, end: this.before, ...properties }
  }

  protected name(): Node {
    if (this.kind !== 'name') refuse(this, `a name is expected here, not ${this.value}.`)
    const { start, value } = this
    this.next()
    return this.node('name', start, { name: value })
  }
}

export const NO_STRINGS = 'a compiled function has no strings.'
