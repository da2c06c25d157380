// Owns the grammar of filters: from words to a tree. Names are looked up in filterMeaning.ts.
//
//   filter      = [ or ] [ 'order' 'by' field [ 'asc' | 'desc' ] ]
//   or          = and { '|' and }
//   and         = part { '&' part }
//   part        = '!' part | '(' or ')' | '*' | entity | link | field comparison value | name
//   link        = name '(' ( entity | name | '*' ) ')'
//   field       = name '.' name [ '[' number ']' ]
//   comparison  = '<' | '<=' | '>' | '>=' | '==' | '!='
//   value       = number | text | entity | 'true' | 'false' | 'null' | 'Infinity'

import type { Comparison } from '../../../../bindings/components/queryTypes'
import { InspectError } from './filterError'
import { type Token, tokensOf } from './filterTokens'

/** A name, and where it stands. */
export interface Named {
  readonly name: string
  readonly column: number
}

/** A field of a component, or one value of a vec. */
export interface FieldNode {
  readonly component: Named
  readonly field: Named
  /** Which value of a vec. */
  readonly place: { readonly index: number; readonly column: number } | undefined
}

/** What a field is compared with: null stands for NULL_ENTITY, an entity is its handle. */
export interface ValueNode {
  readonly kind: 'number' | 'text' | 'bool' | 'entity' | 'null'
  readonly value: number | string | boolean
  readonly column: number
}

export type FilterNode =
  | { readonly kind: 'all' }
  | { readonly kind: 'is'; readonly entity: number }
  | { readonly kind: 'has'; readonly component: Named }
  | { readonly kind: 'link'; readonly relation: Named; readonly target: Named | number | undefined }
  | {
      readonly kind: 'compare'
      readonly subject: FieldNode
      readonly comparison: Comparison
      readonly value: ValueNode
    }
  | { readonly kind: 'not'; readonly part: FilterNode }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly FilterNode[] }

export interface OrderNode {
  readonly subject: FieldNode
  readonly descending: boolean
}

export interface Filter {
  readonly text: string
  readonly condition: FilterNode
  readonly order: OrderNode | undefined
}

/** What to write in place of words of other languages; a component may have such a name. */
export const WORDS = {
  not: "write ! for 'not': !Frozen.",
  and: "write & for 'and': Position & Velocity.",
  or: "write | for 'or': Sword | Bow.",
} as const

const COMPARISONS: readonly string[] = ['<', '<=', '>', '>=', '==', '!=']
const LARGEST_DEPTH = 100
const DIRECTIONS: Readonly<Record<string, boolean>> = {
  asc: false,
  ascending: false,
  desc: true,
  descending: true,
}

/** @throws InspectError */
export function parseFilter(text: string): Filter {
  return new FilterParser(text).filter()
}

class FilterParser {
  private readonly tokens: readonly Token[]
  private at = 0
  private depth = 0

  constructor(private readonly text: string) {
    this.tokens = tokensOf(text)
  }

  filter(): Filter {
    const isEmpty = this.token.kind === 'end' || this.isOrder()
    const condition: FilterNode = isEmpty ? { kind: 'all' } : this.or()
    const order = this.isOrder() ? this.order() : undefined
    if (this.token.kind !== 'end') this.refuseRest()
    return { text: this.text, condition, order }
  }

  private get token(): Token {
    return this.tokens[this.at] as Token
  }

  private isSymbol(symbol: string): boolean {
    const { token } = this
    return token.kind === 'symbol' && token.symbol === symbol
  }

  /** Goes past a symbol, if it is the next word. */
  private takes(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false
    this.at++
    return true
  }

  private isWord(word: string, token = this.token): boolean {
    return token.kind === 'name' && !token.quoted && token.name.toLowerCase() === word
  }

  /** Two names never follow each other elsewhere: a component may be called order. */
  private isOrder(): boolean {
    const next = this.tokens[this.at + 1]
    return this.isWord('order') && next !== undefined && this.isWord('by', next)
  }

  private or(): FilterNode {
    return this.several('or', '|', () => this.several('and', '&', () => this.part()))
  }

  private several(kind: 'and' | 'or', symbol: string, read: () => FilterNode): FilterNode {
    const parts = [read()]
    while (this.takes(symbol)) parts.push(read())
    return parts.length === 1 ? (parts[0] as FilterNode) : { kind, parts }
  }

  private part(): FilterNode {
    const { column } = this.token
    if (++this.depth > LARGEST_DEPTH)
      this.refuse(`the filter is nested more than ${LARGEST_DEPTH} levels deep.`, column)
    const node = this.shallowPart()
    this.depth--
    return node
  }

  private shallowPart(): FilterNode {
    const { token } = this
    if (this.takes('!')) return { kind: 'not', part: this.part() }
    if (this.takes('*')) return { kind: 'all' }
    if (this.takes('(')) {
      const inner = this.or()
      if (!this.takes(')')) this.refuse('a parenthesis is not closed: there is a ) missing.', token.column)
      return inner
    }
    if (token.kind === 'entity') {
      this.at++
      return { kind: 'is', entity: token.value }
    }
    if (token.kind === 'number' && this.tokens[this.at + 1]?.kind === 'end')
      this.refuse(`an entity is written as # and its handle: #${token.value}.`, token.column)
    if (token.kind !== 'name') this.refuseToken('a component, such as Position or Health.hp < 10')
    const component = this.name('a component')
    if (this.isSymbol('.')) return this.comparison(this.field(component))
    const { column } = this.token
    if (this.takes('(')) return this.link(component, column)
    if (this.isComparison())
      this.refuse(`say which field is compared: ${component.name}.field.`, component.column)
    return { kind: 'has', component }
  }

  private link(relation: Named, opened: number): FilterNode {
    const { token } = this
    let target: Named | number | undefined
    if (token.kind === 'entity') {
      target = token.value
      this.at++
    } else if (!this.takes('*')) {
      if (token.kind === 'number')
        this.refuse(`an entity is written as # and its handle: #${token.value}.`, token.column)
      if (token.kind !== 'name')
        this.refuseToken('the target of the link: an entity such as #1234, a component, or *')
      target = this.name('a component')
    }
    if (!this.takes(')')) this.refuse('a parenthesis is not closed: there is a ) missing.', opened)
    return { kind: 'link', relation, target }
  }

  private name(what: string): Named {
    const { token } = this
    if (token.kind !== 'name') return this.refuseToken(what)
    this.at++
    return { name: token.name, column: token.column }
  }

  /** The rest of a field, from the dot on. */
  private field(component: Named): FieldNode {
    this.at++
    const field = this.name(`a field of ${component.name}`)
    const { column } = this.token
    if (!this.takes('[')) return { component, field, place: undefined }
    const { token } = this
    if (token.kind !== 'number' || !Number.isInteger(token.value) || token.value < 0)
      return this.refuse('which value of the list is meant is a whole number from 0.', token.column)
    this.at++
    if (!this.takes(']')) this.refuse('a bracket is not closed: there is a ] missing.', column)
    return { component, field, place: { index: token.value, column: token.column } }
  }

  private isComparison(): boolean {
    const { token } = this
    return token.kind === 'symbol' && COMPARISONS.includes(token.symbol)
  }

  private comparison(subject: FieldNode): FilterNode {
    const { token } = this
    if (token.kind !== 'symbol' || !this.isComparison()) {
      const { component, field } = subject
      return this.refuseToken(
        `a comparison, such as ${component.name}.${field.name} > 0: one of ${COMPARISONS.join(' ')}`,
      )
    }
    this.at++
    return { kind: 'compare', subject, comparison: token.symbol as Comparison, value: this.value() }
  }

  private value(): ValueNode {
    const { token } = this
    const { column } = token
    this.at++
    if (token.kind === 'number' || token.kind === 'text' || token.kind === 'entity')
      return { kind: token.kind, value: token.value, column }
    if (this.isWord('true', token)) return { kind: 'bool', value: true, column }
    if (this.isWord('false', token)) return { kind: 'bool', value: false, column }
    if (this.isWord('null', token)) return { kind: 'null', value: 0, column }
    if (this.isWord('infinity', token)) return { kind: 'number', value: Infinity, column }
    this.at--
    if (token.kind === 'name')
      this.refuse(`a text to compare with stands in quotes: "${token.name}".`, column)
    return this.refuseToken(
      'a value: a number, a text in quotes, true, false, null or an entity such as #1234',
    )
  }

  private order(): OrderNode {
    this.at += 2
    if (this.token.kind !== 'name') this.refuseToken('the field to order by, such as Heat.value')
    const component = this.name('a component')
    if (!this.isSymbol('.'))
      this.refuse(`say by which field to order: ${component.name}.field.`, component.column)
    const subject = this.field(component)
    const { token } = this
    const direction =
      token.kind === 'name' && !token.quoted ? DIRECTIONS[token.name.toLowerCase()] : undefined
    if (direction !== undefined) this.at++
    return { subject, descending: direction ?? false }
  }

  private refuseRest(): never {
    const { token } = this
    if (token.kind === 'symbol' && token.symbol === ')')
      this.refuse('there is no parenthesis to close here.', token.column)
    const before = this.tokens[this.at - 1]
    if (before !== undefined && this.isWord('not', before)) this.refuse(WORDS.not, before.column)
    if (this.isWord('and')) this.refuse(WORDS.and, token.column)
    if (this.isWord('or')) this.refuse(WORDS.or, token.column)
    if (token.kind === 'name' || token.kind === 'entity' || this.isSymbol('(') || this.isSymbol('!'))
      this.refuse('two conditions are joined by & or |.', token.column)
    this.refuseToken('the end, & or |')
  }

  private refuseToken(expected: string): never {
    const { token } = this
    const found = token.kind === 'end' ? 'the filter ends' : `there is ${this.shown(token)}`
    this.refuse(`${found} where there should be ${expected}.`, token.column)
  }

  private shown(token: Token): string {
    const next = this.tokens[this.tokens.indexOf(token) + 1] as Token
    return this.text.slice(token.column, next.column).trim()
  }

  private refuse(sentence: string, column: number): never {
    throw new InspectError(this.text, column, sentence)
  }
}
