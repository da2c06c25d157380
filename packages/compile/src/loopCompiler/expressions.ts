// Owns the parsing of expressions. What is JavaScript and not in the subset is refused here when a tree of it would mean
// nothing; what a name means is found by trace.ts.

import { refuse, refuseToShow } from './refusal'
import { NO_STRINGS, type Node, Tokens } from './tokens'

/** How tightly operators bind; `**` alone is joined from the right. */
const PRECEDENCES: Readonly<Record<string, number>> = /* @__PURE__ */ precedences(
  '??',
  '||',
  '&&',
  '|',
  '^',
  '&',
  '== != === !==',
  '< > <= >= in instanceof',
  '<< >> >>>',
  '+ -',
  '* / %',
  '**',
)
const LOGICAL = 3
const ASSIGNMENT = /^(?:[+\-*/%&|^]|<<|>>>?|\*\*|&&|\|\||\?\?)?=$/
const UNARY = /^(?:[+\-!~]|void|typeof|delete|await)$/
const OUTSIDE =
  /^(?:while|do|try|throw|class|function|await|yield|with|debugger|new|this|super|import|export)$/
const NO_FUNCTIONS =
  'a compiled function cannot contain another function: give it among the values, and call it from there.'

/** From the weakest. In a call, which bundlers leave out where nothing is parsed. */
function precedences(...levels: string[]): Record<string, number> {
  return Object.fromEntries(
    levels.flatMap((operators, k) => operators.split(' ').map((operator) => [operator, k + 1])),
  )
}

export class Expressions extends Tokens {
  /** @param sequence whether a comma continues it */
  protected expression(sequence: boolean): Node {
    const { start } = this
    const first = this.assignment()
    if (!sequence || !this.is(',')) return first
    const expressions = [first]
    while (this.eat(',')) expressions.push(this.assignment())
    return this.node('sequence', start, { expressions })
  }

  private assignment(): Node {
    const { start } = this
    const left = this.conditional()
    if (this.kind !== 'sign' || !ASSIGNMENT.test(this.value)) return left
    if (left.type !== 'name' && left.type !== 'member')
      refuse(left, 'only variables and fields can be assigned to.')
    const operator = this.value
    this.next()
    const right = this.assignment()
    return this.node('assignment', start, { operator, left, right })
  }

  private conditional(): Node {
    const { start } = this
    const test = this.binary(0)
    if (!this.eat('?')) return test
    const consequent = this.assignment()
    this.expect(':')
    const alternate = this.assignment()
    return this.node('conditional', start, { test, consequent, alternate })
  }

  private binary(least: number): Node {
    const { start } = this
    let left = this.unary()
    for (;;) {
      const operator = this.value
      const precedence =
        this.kind !== 'string' && Object.hasOwn(PRECEDENCES, operator) ? (PRECEDENCES[operator] as number) : 0
      if (precedence <= least) return left
      this.next()
      const right = this.binary(operator === '**' ? precedence - 1 : precedence)
      const type = precedence <= LOGICAL ? 'logical' : 'binary'
      left = this.node(type, start, { operator, left, right })
    }
  }

  private unary(): Node {
    const { start, value, kind } = this
    if (kind === 'string') refuse(this, NO_STRINGS)
    const isUpdate = value === '++' || value === '--'
    if (isUpdate || UNARY.test(value)) {
      this.next()
      const argument = this.unary()
      return this.node(isUpdate ? 'update' : 'unary', start, { operator: value, prefix: true, argument })
    }
    const argument = this.postfix()
    if ((!this.is('++') && !this.is('--')) || this.newline) return argument
    const operator = this.value
    this.next()
    return this.node('update', start, { operator, prefix: false, argument })
  }

  private postfix(): Node {
    const { start } = this
    let object = this.primary()
    // Of what is missing, all that follows `?.` is undefined.
    let optional = false
    for (;;) {
      const asks = this.eat('?.')
      optional ||= asks
      if (asks && this.is('(')) refuse(this, "'?.' can only be followed by the name of a field.")
      if ((asks && !this.is('[')) || this.eat('.')) {
        const property = this.name()
        object = this.node('member', start, { object, property, computed: false, optional })
      } else if (this.eat('[')) {
        const property = this.expression(true)
        this.expect(']')
        object = this.node('member', start, { object, property, computed: true, optional })
      } else if (this.is('(')) {
        object = this.node('call', start, {
          callee: object,
          arguments: this.list('(', ')', () => this.argument()),
        })
      } else return object
    }
  }

  private argument(): Node {
    if (this.is('...')) refuse(this, 'arguments cannot be spread.')
    return this.expression(false)
  }

  private primary(): Node {
    const { start, value, kind } = this
    if (kind === 'number') {
      if (value.endsWith('n')) refuse(this, 'a compiled function has no BigInt.')
      if (/^0\d/.test(value)) refuse(this, 'a number with a 0 before it may be octal: write 0o17, or 17.')
      this.next()
      return this.node('literal', start, { value: Number(value.replace(/_/g, '')) })
    }
    if (this.eat('(')) {
      const inner = this.expression(true)
      this.expect(')')
      if (this.is('=>')) refuse(this, NO_FUNCTIONS)
      return inner
    }
    if (kind === 'name') return this.word()
    if (value === '[' || value === '{')
      refuse(
        this,
        'a compiled function allocates nothing: use variables or a vec field instead of arrays and objects.',
      )
    if (value === '/') refuse(this, 'a compiled function has no regular expressions.')
    return refuse(this, `${value} is not expected here.`)
  }

  private word(): Node {
    const { start, value } = this
    this.refuseOutside()
    if (value === 'true' || value === 'false' || value === 'null') {
      this.next()
      return this.node('literal', start, { value: value === 'null' ? null : value === 'true' })
    }
    const name = this.name()
    if (this.is('=>')) refuse(this, NO_FUNCTIONS)
    return name
  }

  /** Refuses a word that begins what is not in the subset. */
  protected refuseOutside(): void {
    const { value } = this
    if (!OUTSIDE.test(value)) return
    if (value === 'while' || value === 'do')
      refuse(
        this,
        `${value} is not supported: count to a number that is known, for (let k = 0; k < 8 && …; k++).`,
      )
    if (value === 'function' || value === 'class') refuse(this, NO_FUNCTIONS)
    if (value === 'debugger') refuseToShow(this, value)
    if (value === 'this') refuse(this, "'this' is not supported: take what you need as a parameter.")
    refuse(this, `${value} is not supported.`)
  }
}
