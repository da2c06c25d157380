// Owns the parsing of functions and statements: the source of one function becomes a tree.

import { Expressions } from './expressions'
import { type Place, isSourceless, refuse } from './refusal'
import type { Node } from './tokens'
import { TooLarge, type Work } from './work'

/**
 * The tree of an arrow function, a function or a method.
 *
 * @throws Refusal
 */
export function parse(text: string, work: Work): Node {
  if (text.length > MOST_CHARACTERS) throw new TooLarge()
  if (isSourceless(text))
    refuse(FIRST, 'this function is bound or built in, and shows no source: give one that is written out.')
  return new Parser(text, work).function()
}

/** Of one function: far more than a loop over rows has. */
const MOST_CHARACTERS = 200_000
const FIRST: Place = { start: 0, end: 1 }
/** What begins a statement with a method of its own. */
const STATEMENT = /^(?:if|for|switch|return|break|continue)$/
type Keyword = 'if' | 'for' | 'switch' | 'return' | 'break' | 'continue'
const DECLARATION = /^(?:let|const|var)$/

class Parser extends Expressions {
  /** What `var` declares anywhere in the function. */
  private readonly vars: Node[] = []

  function(): Node {
    const { start } = this
    const keyword = this.eat('function')
    if (this.is('*')) refuse(this, 'a compiled function cannot be a generator.')
    const first = { start: this.start, end: this.end, word: keyword ? '' : this.value }
    const name = this.ownName()
    // These words are names of methods and parameters as well.
    if (first.word === 'class' && !this.is('(')) refuse(first, 'a class is no function over a row.')
    const isOnly = name !== undefined && !keyword && this.is('=>')
    const params = isOnly ? [name] : first.word === 'async' && !this.is('(') ? undefined : this.parameters()
    if (params === undefined || (first.word === 'async' && !isOnly && this.is('=>')))
      refuse(first, 'a compiled function cannot be async.')
    if (!keyword) this.eat('=>')
    const body = this.is('{') ? this.block() : this.result()
    if (this.kind !== 'end') refuse(this, `${this.value} is not expected here.`)
    return this.node('function', start, { params, body, vars: this.vars })
  }

  /**
   * The only parameter of an arrow function, or the name of a function or a method. A method may have one that is quoted, a number or
   * computed, which says nothing of what it does.
   */
  private ownName(): Node | undefined {
    if (this.kind === 'name') return this.name()
    if (this.kind === 'string' || this.kind === 'number') this.next()
    else if (this.is('[')) this.passBrackets()
    return undefined
  }

  private passBrackets(): void {
    let depth = 0
    do {
      if (this.kind === 'end') refuse(this, "']' is missing.")
      if (this.is('[')) depth++
      if (this.is(']')) depth--
      this.next()
    } while (depth > 0)
  }

  /** The body of an arrow function that is an expression. */
  private result(): Node {
    const { start } = this
    return this.node('return', start, { argument: this.expression(false) })
  }

  private parameters(): Node[] {
    return this.list('(', ')', () => {
      const target = this.target()
      if (this.is('=')) refuse(this, 'a parameter cannot have a default.')
      return target
    })
  }

  /** What a declaration or a parameter gives a value to. */
  private target(): Node {
    if (this.is('[')) refuse(this, 'a list cannot be taken apart: write const x = v[0].')
    return this.is('{') ? this.pattern() : this.name()
  }

  private pattern(): Node {
    const { start } = this
    const properties = this.list('{', '}', () => {
      if (this.is('...')) refuse(this, 'only names can be taken out of this.')
      const first = this.start
      const key = this.name()
      const value = this.eat(':') ? this.target() : key
      if (this.is('=')) refuse(this, 'a property cannot have a default.')
      return this.node('property', first, { key, value })
    })
    return this.node('pattern', start, { properties })
  }

  private block(): Node {
    const { start } = this
    this.expect('{')
    const body = this.statementsUntil(/^\}$/)
    this.next()
    return this.node('block', start, { body })
  }

  private statementsUntil(end: RegExp): Node[] {
    const body: Node[] = []
    while (this.kind === 'string' || !end.test(this.value)) {
      if (this.kind === 'end') refuse(this, "'}' is missing.")
      body.push(this.statement())
    }
    return body
  }

  private semicolon(): void {
    if (this.eat(';') || this.newline || this.is('}') || this.kind === 'end') return
    refuse(this, `${this.value} is not expected here.`)
  }

  private statement(): Node {
    const { start, value, kind } = this
    if (kind === 'string') {
      // A directive.
      this.next()
      this.semicolon()
      return this.node('empty', start, {})
    }
    if (kind === 'name' && DECLARATION.test(value)) {
      const declaration = this.declaration()
      this.semicolon()
      return declaration
    }
    if (kind === 'name' && STATEMENT.test(value)) {
      this.next()
      return this[value as Keyword](start)
    }
    if (this.is('{')) return this.block()
    if (this.eat(';')) return this.node('empty', start, {})
    if (kind === 'name') this.refuseOutside()
    const expression = this.expression(true)
    if (this.is(':')) refuse(expression, 'labels are not supported.')
    this.semicolon()
    return this.node('expression', start, { expression })
  }

  protected break(start: number): Node {
    return this.leaving('break', start)
  }

  protected continue(start: number): Node {
    return this.leaving('continue', start)
  }

  private leaving(type: string, start: number): Node {
    if (this.kind === 'name' && !this.newline) refuse(this, 'labels are not supported.')
    this.semicolon()
    return this.node(type, start, {})
  }

  private declaration(): Node {
    const { start, value } = this
    this.next()
    const declarations: Node[] = []
    do {
      const first = this.start
      const id = this.target()
      if (value === 'var') this.vars.push(id)
      const init = this.eat('=') ? this.expression(false) : null
      if (init === null && id.type !== 'name') refuse(id, 'this needs a value.')
      declarations.push(this.node('variable', first, { id, init }))
    } while (this.eat(','))
    return this.node('variables', start, { kind: value, declarations })
  }

  private parenthesized(): Node {
    this.expect('(')
    const inner = this.expression(true)
    this.expect(')')
    return inner
  }

  protected if(start: number): Node {
    const test = this.parenthesized()
    const consequent = this.statement()
    const alternate = this.eat('else') ? this.statement() : null
    return this.node('if', start, { test, consequent, alternate })
  }

  protected for(start: number): Node {
    this.expect('(')
    let init: Node | null = null
    if (!this.is(';')) init = DECLARATION.test(this.value) ? this.declaration() : this.expression(true)
    if (this.is('of') || this.is('in'))
      refuse(this, `for … ${this.value} is not supported: count with for (let k = 0; k < 4; k++).`)
    this.expect(';')
    const test = this.is(';') ? null : this.expression(true)
    this.expect(';')
    const update = this.is(')') ? null : this.expression(true)
    this.expect(')')
    const body = this.statement()
    return this.node('for', start, { init, test, update, body })
  }

  protected switch(start: number): Node {
    const discriminant = this.parenthesized()
    const cases: Node[] = []
    this.expect('{')
    while (!this.eat('}')) {
      const first = this.start
      const isDefault = this.eat('default')
      if (!isDefault) this.expect('case')
      const test = isDefault ? null : this.expression(true)
      this.expect(':')
      const consequent = this.statementsUntil(/^(?:case|default|\})$/)
      cases.push(this.node('case', first, { test, consequent }))
    }
    if (cases.filter(({ test }) => test === null).length > 1)
      refuse({ start, end: start + 6 }, 'this switch has more than one default.')
    return this.node('switch', start, { discriminant, cases })
  }

  protected return(start: number): Node {
    const empty = this.newline || this.is(';') || this.is('}') || this.kind === 'end'
    const argument = empty ? null : this.expression(true)
    this.semicolon()
    return this.node('return', start, { argument })
  }
}
