// Owns what the statements of a body do: it is carried out once with unknown values, and what every cell holds in the end is a
// value of the graph. Of an `if` both sides are carried out, and what they assign is chosen between; loops are unrolled.

import { errorName } from '../../../../bindings/memory/realms'
import { alwaysHolds } from './always'
import { type GraphValue, isConst } from './graph'
import { parse } from './parse'
import { Joint, type Meaning, Scope, UNDEFINED, UNSET } from './paths'
import { type Place, type Source, refuse, within } from './refusal'
import type { LoopShape } from './shapes'
import type { Node } from './tokens'
import { ExpressionTracer, STEPS_OF_NODE } from './traceExpressions'
import type { TracedStore, Traced } from './traced'
import type { Work } from './work'

/** Rounds of loops within each other that some rows may leave: each is a choice for all that follows. */
const MOST_OPEN_ROUNDS = 128
/** Rounds of all loops together. */
const MOST_ROUNDS = 4096

/** The types of nodes that are statements. */
type Statement =
  'block' | 'expression' | 'variables' | 'if' | 'for' | 'switch' | 'return' | 'break' | 'continue' | 'empty'

const WHOLE: Place = { start: 0, end: 1 }
export const TOO_LARGE =
  'this is too large once its loops are unrolled and its calls are inlined: make it smaller, or write a kernel.'

/** What a row adds to the result that it returns nothing for: x + -0 is x, whatever x is. */
const NEUTRAL = { none: undefined, sum: -0, min: Infinity, max: -Infinity, count: false } as const

/**
 * What a body does with each row.
 *
 * @param absent the optional parts that the rows lack
 * @throws Refusal
 */
export function trace(shape: LoopShape, absent: ReadonlySet<number>, work: Work): Traced {
  return within(shape.body, () => {
    try {
      return new Tracer(shape, absent, work).run(parse(shape.body.text, work))
    } catch (error) {
      if (errorName(error) === 'RangeError') refuse(WHOLE, TOO_LARGE)
      throw error
    }
  })
}

class Tracer extends ExpressionTracer {
  private functionScope = this.scope
  private rounds = 0
  private openRounds = 0
  /** Loops, and loops and switches, around the statement at hand. */
  private loops = 0
  private breakables = 0
  private readonly trees = new Map<Source, Node>()

  constructor(
    shape: LoopShape,
    private readonly absent: ReadonlySet<number>,
    work: Work,
  ) {
    super(shape, work)
    const neutral = NEUTRAL[shape.result]
    if (neutral !== undefined) this.path.result = this.of(this.graph.constant(neutral))
  }

  run(tree: Node): Traced {
    const { shape, graph } = this
    const { parts, values, result } = shape
    const params = tree.params as Node[]
    params.forEach((param, k) => {
      if (k < parts.length) this.bind(param, this.absent.has(k) ? UNDEFINED : this.partMeaning(k), 'let')
      else if (k === parts.length && values !== undefined) this.bind(param, { is: 'values' }, 'let')
      else refuse(param, unknownParameter(k, parts.length, values !== undefined))
    })
    this.body(tree)
    const stores = this.stores()
    const returned = this.path.result
    const total = result === 'none' || returned.is !== 'value' ? undefined : returned.value
    return { graph, columns: this.columns, held: this.held, scalars: this.scalars, stores, total }
  }

  /** Carries out the body of a function: this one's, or a helper's. */
  private body({ vars, body }: Node): void {
    // It exists from the beginning, without a value: so NaN may be a variable.
    for (const each of vars as Node[]) this.announceVar(each)
    this.statement(body as Node)
  }

  /** What cells hold in the end that have changed. */
  private stores(): TracedStore[] {
    const stores: TracedStore[] = []
    for (const [key, value] of this.path.cells) {
      const { column, element } = this.cellOf(key)
      if (value !== this.loaded(key)) stores.push({ column, element, value })
    }
    return stores.sort((a, b) => a.column - b.column || a.element - b.element)
  }

  // ── statements ──

  protected block(node: Node): void {
    const body = node.body as Node[]
    this.inScope(body, () => this.statements(body, 0))
  }

  /** @param list the statements of a scope: what they declare is not there before they do */
  private inScope(list: readonly (Node | null)[], go: () => void): void {
    const outer = this.scope
    this.work.spend(list.length)
    this.scope = new Scope(outer)
    for (const node of list)
      if (node?.type === 'variables' && node.kind !== 'var')
        for (const { id } of node.declarations as Node[]) this.announce(id as Node)
    go()
    this.scope = outer
  }

  private announceVar({ type, name, properties }: Node): void {
    this.work.spend(1)
    if (type !== 'name') for (const { value } of properties as Node[]) this.announceVar(value as Node)
    else if (!this.scope.own(name as string))
      this.path.variables.set(this.scope.declare(name as string, false), UNSET)
  }

  private announce({ type, name, properties }: Node): void {
    this.work.spend(1)
    if (type === 'name') this.scope.announce(name as string)
    else for (const { value } of properties as Node[]) this.announce(value as Node)
  }

  private statements(list: readonly Node[], from: number): void {
    for (let i = from; i < list.length; i++) {
      const left = this.left()
      if (left.data === true) return
      if (!isConst(left)) {
        this.others(left, list[i] as Node, () => this.statements(list, i))
        return
      }
      this.statement(list[i] as Node)
    }
  }

  /** Which rows do not come to the next statement. */
  private left(): GraphValue {
    const { returned, broken, continued } = this.path
    return this.graph.either(this.graph.either(returned, broken), continued)
  }

  /** Some rows have left: what follows is for the others. */
  private others(left: GraphValue, place: Place, go: () => void): void {
    const no = this.graph.constant(false)
    const stay = (): void => {
      this.path.returned = this.path.broken = this.path.continued = no
      go()
    }
    this.fork(left, place, () => {}, stay)
  }

  private statement(node: Node): void {
    this.work.spend(STEPS_OF_NODE)
    this[node.type as Statement](node)
  }

  protected empty(): void {}

  protected expression({ expression }: Node): void {
    this.effect(expression as Node)
  }

  protected break(node: Node): void {
    if (this.breakables === 0) refuse(node, 'there is no loop around this.')
    this.path.broken = this.graph.constant(true)
  }

  protected continue(node: Node): void {
    if (this.loops === 0) refuse(node, 'there is no loop around this.')
    this.path.continued = this.graph.constant(true)
  }

  protected return({ argument }: Node): void {
    if (argument !== null) return this.returnOf(argument as Node)
    this.path.returned = this.graph.constant(true)
  }

  /** Minifiers make `return a ? b : void 0` of `if (a) return b`. */
  private returnOf(node: Node): void {
    if (node.type === 'conditional')
      return this.fork(
        this.condition(node.test as Node),
        node,
        () => this.returnOf(node.consequent as Node),
        () => this.returnOf(node.alternate as Node),
      )
    if (node.type === 'sequence') {
      const expressions = node.expressions as Node[]
      for (const each of expressions.slice(0, -1)) this.effect(each)
      return this.returnOf(expressions.at(-1) as Node)
    }
    // Finding it may part the paths.
    const result = this.returned(node)
    this.path.result = result
    this.path.returned = this.graph.constant(true)
  }

  private returned(argument: Node): Meaning {
    const { result } = this.shape
    if (this.calls > 0) return this.meaning(argument)
    if (result === 'count') return this.of(this.condition(argument))
    const meaning = this.meaning(argument, result === 'none' ? 'nothing' : 'number')
    // A row that returns undefined counts for nothing.
    if (result === 'none' || meaning.is === 'undefined') return this.path.result
    return this.of(this.graph.number(this.numberOrBoolean(argument, meaning)))
  }

  protected variables({ kind, declarations }: Node): void {
    for (const { id, init } of declarations as Node[]) {
      const meaning = init === null ? UNSET : this.meaning(init as Node)
      this.bind(id as Node, meaning, kind as string, init === null)
    }
  }

  /** @param keeps whether a variable that was declared before keeps what it holds */
  private bind(target: Node, meaning: Meaning, kind: string, keeps = false): void {
    this.work.spend(STEPS_OF_NODE)
    if (target.type === 'pattern') {
      for (const { key, value } of target.properties as Node[])
        this.bind(value as Node, this.memberOf(key as Node, meaning, (key as Node).name as string), kind)
      return
    }
    const name = target.name as string
    const scope = kind === 'var' ? this.functionScope : this.scope
    const before = kind === 'var' ? scope.own(name) : undefined
    if (before !== undefined && keeps) return
    this.path.variables.set(before ?? scope.declare(name, kind === 'const'), meaning)
  }

  protected if(node: Node): void {
    const { consequent, alternate } = node
    this.fork(
      this.condition(node.test as Node),
      node,
      () => this.statement(consequent as Node),
      () => alternate !== null && this.statement(alternate as Node),
    )
  }

  protected fork(condition: GraphValue, place: Place, whenTrue: () => void, whenFalse: () => void): void {
    if (isConst(condition)) return condition.data === true ? whenTrue() : whenFalse()
    const before = this.path
    this.path = before.copy(this.work)
    whenTrue()
    const one = this.path
    this.path = before.copy(this.work)
    whenFalse()
    this.path = new Joint(this.graph, condition, place, (key) => this.loaded(key)).of(one, this.path)
  }

  protected switch(node: Node): void {
    const { graph } = this
    const cases = node.cases as Node[]
    const outer = this.path.broken
    const value = this.value(node.discriminant as Node)
    this.inScope(
      cases.flatMap(({ consequent }) => consequent as Node[]),
      () => {
        // At which case a row enters: the first that equals, or else the default.
        let none: GraphValue = graph.constant(true)
        const entries = cases.map(({ test }) => {
          if (test === null) return undefined
          let tested = value
          // A row that has found its case does not ask for the next.
          this.fork(
            none,
            test as Node,
            () => (tested = this.value(test as Node)),
            () => {},
          )
          const hit = graph.both(none, this.equal(value, tested, true))
          none = graph.both(none, graph.not(hit))
          return hit
        })
        this.breakables++
        let entered: GraphValue = graph.constant(false)
        cases.forEach(({ consequent }, k) => {
          entered = graph.either(entered, entries[k] ?? none)
          const outside = graph.either(graph.not(entered), this.left())
          this.others(outside, node, () => this.statements(consequent as Node[], 0))
        })
        this.breakables--
      },
    )
    // Leaving the switch is not leaving what is around it.
    this.path.broken = outer
  }

  protected for(node: Node): void {
    const init = node.init as Node | null
    this.inScope([init], () => {
      if (init?.type === 'variables') this.variables(init)
      else if (init !== null) this.effect(init)
      this.loops++
      this.breakables++
      const { broken } = this.path
      this.loop(node)
      this.loops--
      this.breakables--
      // Leaving this loop is not leaving the one around it.
      this.path.broken = broken
    })
  }

  /** The rounds of a loop from here on. */
  private loop(node: Node): void {
    for (;;) {
      if (++this.rounds > MOST_ROUNDS)
        refuse(
          node,
          `loops are unrolled, and these have more than ${MOST_ROUNDS} rounds: give them a bound that is known when the function is compiled, for (let k = 0; k < 8 && …; k++).`,
        )
      const test = node.test === null ? this.graph.constant(true) : this.condition(node.test as Node)
      if (!isConst(test)) return this.openRound(node, test)
      if (test.data !== true || !this.round(node)) return
    }
  }

  /** A round that some rows do not take, and all later ones. */
  private openRound(node: Node, test: GraphValue): void {
    if (++this.openRounds > MOST_OPEN_ROUNDS)
      refuse(
        node.test as Node,
        `the number of rounds depends on values that are not known when the function is compiled: bound it by a number up to ${MOST_OPEN_ROUNDS}, for (let k = 0; k < 8 && …; k++).`,
      )
    this.others(this.graph.not(test), node, () => {
      if (this.round(node)) this.loop(node)
    })
    this.openRounds--
  }

  /** One round. Returns whether all rows go on to the next one; where only some do, they have done so. */
  private round(node: Node): boolean {
    const { continued } = this.path
    this.path.continued = this.graph.constant(false)
    this.inScope([], () => this.statement(node.body as Node))
    this.path.continued = continued
    const left = this.graph.either(this.path.returned, this.path.broken)
    const update = node.update as Node | null
    if (isConst(left)) {
      if (left.data === true) return false
      if (update !== null) this.effect(update)
      return true
    }
    this.others(left, node, () => {
      if (update !== null) this.effect(update)
      this.loop(node)
    })
    return false
  }

  // ── helpers ──

  /** Carries out a helper in place of its call. */
  inline(source: Source, given: readonly Meaning[]): Meaning {
    const { scope, functionScope, loops, breakables, graph } = this
    const { returned, broken, continued, result } = this.path
    const no = graph.constant(false)
    this.scope = this.functionScope = new Scope(undefined)
    this.loops = this.breakables = 0
    this.calls++
    Object.assign(this.path, { returned: no, broken: no, continued: no, result: UNSET })
    within(source, () => {
      if (source.isLibrary === true) this.declareBuiltIns()
      const tree = this.treeOf(source)
      ;(tree.params as Node[]).forEach((param, k) => this.bind(param, given[k] ?? UNDEFINED, 'let'))
      this.body(tree)
    })
    const meaning = alwaysHolds(this.path.returned, this.work) ? this.path.result : UNSET
    Object.assign(this.path, { returned, broken, continued, result })
    Object.assign(this, { scope, functionScope, loops, breakables })
    this.calls--
    return meaning
  }

  private treeOf(source: Source): Node {
    const tree = this.trees.get(source) ?? parse(source.text, this.work)
    this.trees.set(source, tree)
    return tree
  }

  private declareBuiltIns(): void {
    for (const name of ['bitsOf', 'floatOf'] as const)
      this.path.variables.set(this.scope.declare(name, true), { is: 'builtIn', name })
  }
}

function unknownParameter(k: number, parts: number, hasValues: boolean): string {
  if (k > parts || hasValues) return `nothing is given for parameter ${k + 1}.`
  return `nothing is given for parameter ${k + 1}: compile was given ${parts} ${parts === 1 ? 'component' : 'components'} and no values. The parameters are the components, without the entity of each: for the handle name entity first, compile([entity, …], (self, …) => …). Name the values, compile([…], { dt: f32 }, (…, { dt }) => …).`
}
