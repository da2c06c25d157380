// Owns taking the text of a filter apart into words.

import { InspectError } from './filterError'

/** A word of a filter, and where it stands. */
export type Token =
  | { readonly kind: 'name'; readonly name: string; readonly quoted: boolean; readonly column: number }
  | { readonly kind: 'number'; readonly value: number; readonly column: number }
  | { readonly kind: 'text'; readonly value: string; readonly column: number }
  | { readonly kind: 'entity'; readonly value: number; readonly column: number }
  | { readonly kind: 'symbol'; readonly symbol: string; readonly column: number }
  | { readonly kind: 'end'; readonly column: number }

const SPACE = /\s+/y
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy
/** Two backticks inside stand for one. */
const QUOTED_NAME = /`((?:[^`]|``)+)`(?!`)/y
const ENTITY = /#(\d+)/y
// What follows a number at once must not be a letter: 10px is no number.
const NUMBER = /-?(?:0x[\da-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|Infinity)(?![\p{L}\p{N}_$])/iuy
/** Longer ones first: what may be misread is found by its whole. */
const SYMBOL = /&&|\|\||<=|>=|==|!=|[&|!()<>.*[\]=]/y
const SYNONYMS: Readonly<Record<string, string>> = { '&&': '&', '||': '|' }
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
const LARGEST_HANDLE = 0xffffffff

/** @throws InspectError */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (let column = 0; ;) {
    column += match(SPACE, text, column)?.[0].length ?? 0
    if (column >= text.length) {
      tokens.push({ kind: 'end', column: text.length })
      return tokens
    }
    const [token, end] = tokenAt(text, column)
    tokens.push(token)
    column = end
  }
}

function match(pattern: RegExp, text: string, column: number): RegExpExecArray | null {
  pattern.lastIndex = column
  return pattern.exec(text)
}

/** The word at a column, and the column after it. */
function tokenAt(text: string, column: number): [Token, number] {
  const first = text[column] as string
  if (first === '"' || first === "'") return quotedAt(text, column, first)
  const number = match(NUMBER, text, column)?.[0]
  if (number !== undefined && !/^infinity$/i.test(number))
    return [{ kind: 'number', value: numberOf(number), column }, column + number.length]
  const name = match(NAME, text, column)?.[0]
  if (name !== undefined) return [{ kind: 'name', name, quoted: false, column }, column + name.length]
  const quoted = match(QUOTED_NAME, text, column)
  if (quoted !== null)
    return [
      { kind: 'name', name: (quoted[1] as string).replaceAll('``', '`'), quoted: true, column },
      column + quoted[0].length,
    ]
  if (first === '`')
    throw new InspectError(
      text,
      column,
      'the name in backticks has no end: write `My name`, and `` for a backtick in it.',
    )
  if (first === '#') return entityAt(text, column)
  const symbol = match(SYMBOL, text, column)?.[0]
  if (symbol === '=') throw new InspectError(text, column, "values are compared with '==', not '='.")
  if (symbol !== undefined)
    return [{ kind: 'symbol', symbol: SYNONYMS[symbol] ?? symbol, column }, column + symbol.length]
  if (/[\d-]/.test(first))
    throw new InspectError(text, column, 'this is no number: write one such as 10, -0.5 or 1e6.')
  if (first === ',')
    throw new InspectError(text, column, 'two conditions are joined by & or |, not by a comma.')
  const character = String.fromCodePoint(text.codePointAt(column) as number)
  throw new InspectError(text, column, `the character ${character} means nothing here.`)
}

function numberOf(digits: string): number {
  if (/infinity/i.test(digits)) return -Infinity
  return digits.startsWith('-') ? -Number(digits.slice(1)) : Number(digits)
}

function entityAt(text: string, column: number): [Token, number] {
  const digits = match(ENTITY, text, column)
  const value = Number(digits?.[1])
  if (digits === null || value > LARGEST_HANDLE)
    throw new InspectError(text, column, 'an entity is written as # and its handle, such as #1234.')
  return [{ kind: 'entity', value, column }, column + digits[0].length]
}

function quotedAt(text: string, column: number, quote: string): [Token, number] {
  let value = ''
  for (let at = column + 1; at < text.length; at++) {
    const unit = text[at] as string
    if (unit === quote) return [{ kind: 'text', value, column }, at + 1]
    if (unit !== '\\') value += unit
    else {
      const escaped = text[++at] ?? ''
      value += ESCAPES[escaped] ?? escaped
    }
  }
  throw new InspectError(text, column, `the text has no end: close it with ${quote}.`)
}
