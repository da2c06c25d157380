// Random scripts: steps of four numbers, carried out on a world and on the plain world side by side, at once, inside of blocks
// and loops, or recorded in buffers. What is not allowed is not generated; everything else is.

import fc from 'fast-check'
import { expect } from 'vitest'
import { createCommands, type World } from '../../../bindings/index'
import { ascending, mix } from './numbers'
import { State } from './state'
import { queryAdd, queryDestroy, queryRemove, queryToggle } from './steps/bulk'
import { askStale, compareAll, compareProbed, compareQuery, compareTerms } from './steps/comparing'
import {
  addMany,
  clear,
  destroyMany,
  removeMany,
  setMany,
  spawnFrom,
  spawnMany,
  spawnManyAt,
  switchMany,
} from './steps/lists'
import { advance, ask, askAll, changeFound, look, lookAround, readerOf } from './steps/looks'
import { askTargets, link, place, setLink, setTargets, sweepReferences, unlink, watch } from './steps/links'
import { sortPool, sortTag, sweepTexts, trim, versionsAround } from './steps/order'
import {
  add,
  clone,
  destroy,
  discard,
  endFrame,
  exchange,
  remove,
  set,
  setAll,
  spawn,
  spawnAt,
  toggle,
} from './steps/single'
import { spawnPrepared } from './steps/spawners'
import { setResource, write, writeColumn } from './steps/views'
import { type PlainTerms, queryTermsOf } from './terms'

/** One step: what to do, and three numbers from which its arguments are made. */
export type Step = readonly [operation: number, a: number, b: number, c: number]

type Perform = (session: State, a: number, b: number, c: number) => void

/** Steps that carry out the next few inside of them. */
type Block = 'defer' | 'loop'

/** Each operation and how often it comes. */
const OPERATIONS: readonly (readonly [Perform | Block, number])[] = [
  [spawn, 12],
  [spawnMany, 2],
  [spawnPrepared, 2],
  [spawnAt, 2],
  [spawnManyAt, 1],
  [add, 11],
  [exchange, 3],
  [remove, 10],
  [set, 8],
  [destroy, 8],
  [destroyMany, 2],
  [addMany, 1],
  [removeMany, 1],
  [setMany, 1],
  [switchMany, 2],
  [setAll, 3],
  [queryAdd, 3],
  [queryRemove, 4],
  [queryDestroy, 1],
  [toggle, 4],
  [queryToggle, 2],
  [compareQuery, 5],
  [askStale, 2],
  ['defer', 3],
  ['loop', 4],
  [clear, 1],
  [sweepTexts, 1],
  [trim, 1],
  [clone, 2],
  [spawnFrom, 1],
  [discard, 1],
  [endFrame, 1],
  [sortTag, 1],
  [sortPool, 1],
  [versionsAround, 2],
  [write, 6],
  [writeColumn, 2],
  [look, 10],
  [lookAround, 6],
  [changeFound, 1],
  [ask, 7],
  [advance, 1],
  [setResource, 2],
  [link, 10],
  [setLink, 2],
  [setTargets, 4],
  [unlink, 6],
  [place, 3],
  [askTargets, 2],
  [watch, 3],
  [sweepReferences, 1],
]

const OPERATION_OF = OPERATIONS.flatMap(([operation, share]) =>
  new Array<Perform | Block>(share).fill(operation),
)

const number = fc.nat(0x7fffffff)
const stepsOf = (code: fc.Arbitrary<number>, minLength: number, maxLength: number) =>
  fc.array(fc.tuple(code, number, number, number), { minLength, maxLength, size: 'max' })

export const steps = (minLength: number, maxLength: number) =>
  stepsOf(fc.nat(OPERATION_OF.length - 1), minLength, maxLength)

/** Steps of which some come more often than others: half of them are of the few, the others of the many. */
function stepsAmong(many: ReadonlySet<Perform | Block>, few: ReadonlySet<Perform | Block>) {
  const codes = (among: ReadonlySet<Perform | Block>) =>
    fc.constantFrom(...[...OPERATION_OF.keys()].filter((code) => among.has(OPERATION_OF[code] as Perform)))
  const code = fc.oneof(codes(many), codes(few))
  return (minLength: number, maxLength: number) => stepsOf(code, minLength, maxLength)
}

/** Steps of which most are about links: what they come and go by, and what asks about them. */
export const linkSteps = stepsAmong(
  new Set([
    spawn,
    spawnPrepared,
    spawnMany,
    spawnAt,
    spawnManyAt,
    add,
    exchange,
    remove,
    destroy,
    destroyMany,
    addMany,
    queryAdd,
    clone,
    spawnFrom,
    askTargets,
    link,
    setLink,
    setTargets,
    unlink,
    place,
    watch,
    'defer',
  ]),
  new Set([link, setTargets, unlink, place, watch]),
)

/** Steps of which half look for what has changed, and the others change it. */
export const lookSteps = stepsAmong(
  new Set([
    spawn,
    spawnPrepared,
    spawnMany,
    clone,
    spawnFrom,
    destroy,
    destroyMany,
    add,
    exchange,
    remove,
    set,
    setAll,
    addMany,
    removeMany,
    setMany,
    queryAdd,
    queryRemove,
    write,
    writeColumn,
    sortPool,
    advance,
    link,
    unlink,
    sweepReferences,
    versionsAround,
    'defer',
  ]),
  new Set([look, lookAround]),
)

/** What a buffer of commands can record. */
const RECORDED: ReadonlySet<Perform | Block> = new Set([
  spawn,
  spawnAt,
  add,
  exchange,
  remove,
  set,
  destroy,
  link,
  setLink,
  unlink,
])

function operationOf([code]: Step): Perform | Block {
  return OPERATION_OF[code] as Perform | Block
}

/** What a step does, in a word. */
export function nameOf(step: Step): string {
  const operation = operationOf(step)
  return typeof operation === 'string' ? operation : operation.name
}

/** What does something else in a block: until its end handles of the dead are taken, and what is found does not change. */
const APART: readonly unknown[] = [
  spawnAt,
  spawnManyAt,
  changeFound,
  lookAround,
  versionsAround,
  write,
  writeColumn,
  sweepReferences,
]

/** Whether a step does the same outside of a block, inside of one, and recorded. */
export function isSameInBlock(step: Step): boolean {
  return !APART.includes(operationOf(step))
}

/** A world and the plain world, kept in step. */
export class Session extends State {
  /** A session with a world of its own in which the same holds. Its readers have seen nothing yet. */
  in(world: World): Session {
    // Listeners and groups are there already, or stay behind.
    const session = new Session(world, this.limit, this.querySeed | 2, this.queryCount, this.growth)
    session.isGrouped = this.isGrouped
    session.goBack(
      { ...this.mark(), seen: session.readers.map(() => -1), conditions: [-1, -1, -1] },
      () => {},
    )
    return session
  }

  /** Carries out all steps; calls back after each one that ends outside of any block. */
  run(script: readonly Step[], afterStep: (session: Session) => void): void {
    let next = 0
    while (next < script.length) {
      next = this.perform(script, next)
      afterStep(this)
    }
  }

  /** Carries out the whole script with every structural change deferred to its end. */
  runDeferred(script: readonly Step[]): void {
    this.inBlock((inside) => this.world.batch(inside), script, 0, script.length)
  }

  /** The same with every change of one entity recorded in a buffer, which is applied before anything else is done. */
  runBuffered(script: readonly Step[]): void {
    let next = 0
    while (next < script.length) {
      if (!RECORDED.has(operationOf(script[next] as Step))) this.applyBuffer()
      else if (this.buffer === undefined) {
        this.buffer = createCommands(this.world)
        this.openBlock()
        this.depth = 1
      }
      next = this.perform(script, next)
    }
    this.applyBuffer()
  }

  private applyBuffer(): void {
    const { buffer } = this
    if (buffer === undefined) return
    this.buffer = undefined
    this.depth = 0
    buffer.apply()
    this.plain.closeBlock()
    this.takeOrders()
  }

  /** Carries out one step, with those it swallows; returns where the next one is. */
  private perform(script: readonly Step[], at: number): number {
    const step = script[at] as Step
    const [, a, b, c] = step
    const operation = operationOf(step)
    this.performed++
    this.plain.tick()
    if (operation === 'defer' || operation === 'loop') return this.block(operation, script, at, a, b)
    // Deferred changes of one entity are made where its first one stands.
    if (this.depth > 0) this.waiting = undefined
    operation(this, a, b, c)
    this.takeOrders()
    return at + 1
  }

  // ── blocks ───────────────────────────────────────────────────────────────────────────────────────────────

  /** Carries out the next few steps inside a batch or inside a query's loop. */
  private block(operation: Block, script: readonly Step[], at: number, a: number, b: number): number {
    const end = Math.min(at + 1 + (b % 12), script.length)
    if (this.depth >= 3) return at + 1
    if (operation === 'defer') return this.inBlock((inside) => this.world.batch(inside), script, at + 1, end)
    return mix(a, 1) % 3 === 0
      ? this.readersLoop(script, at + 1, end, a, b)
      : this.loop(script, at + 1, end, a, b)
  }

  private loop(script: readonly Step[], at: number, end: number, a: number, b: number): number {
    const terms = this.termsOf(a)
    const expected = this.depth === 0 ? ascending(this.plain.matching(terms)) : undefined
    const { switches } = this
    const query = this.world.query(...queryTermsOf(terms))
    const [next, visited] = this.inLoop(query, script, at, end, b)
    const comparable = expected !== undefined && this.switches === switches
    if (comparable && b % 5 !== 0) expect(ascending(visited)).toEqual(expected)
    return next
  }

  /** A loop over what has changed. It does not find again what it wrote itself; what it leaves to its end, it does. */
  private readersLoop(script: readonly Step[], at: number, end: number, a: number, b: number): number {
    const reader = readerOf(this, a)
    const { depth, switches } = this
    const before = this.plain.copy()
    const seen = reader.seen
    let isOver = false
    const [next, visited] = this.inLoop(reader.narrowed, script, at, end, b, (isEmpty) => {
      isOver = b % 5 !== 0 || isEmpty
      if (isOver) reader.sawAll(this.plain)
    })
    if (depth > 0 || this.switches !== switches || !isOver) return next
    // What was written inside of the loop may be visited or not, so all that was owed before must be.
    const { seen: after } = reader
    reader.seen = seen
    reader.checkComplete(before, new Set(visited), 'a loop with steps inside')
    reader.seen = after
    return next
  }

  private inLoop(
    query: unknown,
    script: readonly Step[],
    at: number,
    end: number,
    choice: number,
    atEnd: (isEmpty: boolean) => void = () => {},
  ): [next: number, visited: number[]] {
    const visited: number[] = []
    const loop = (inside: () => void) => {
      this.loops++
      try {
        visitAll(query, visited, inside, () => atEnd(visited.length === 0), choice)
      } finally {
        this.loops--
      }
    }
    return [this.inBlock(loop, script, at, end), visited]
  }

  private openBlock(): void {
    this.room = this.limit - this.plain.entities.size
    this.frameWaits = false
    this.leaving.clear()
    this.plain.openBlock()
  }

  private inBlock(
    open: (inside: () => void) => void,
    script: readonly Step[],
    at: number,
    end: number,
  ): number {
    if (this.depth === 0) this.openBlock()
    let next = at
    this.depth++
    try {
      open(() => {
        while (next < end) next = this.perform(script, next)
      })
    } finally {
      this.depth--
    }
    if (this.depth === 0) this.plain.closeBlock()
    this.takeOrders()
    return next
  }

  // ── comparing ────────────────────────────────────────────────────────────────────────────────────────────

  compareTerms(terms: PlainTerms): void {
    compareTerms(this, terms)
  }

  compareProbed(terms: PlainTerms): void {
    compareProbed(this, terms)
  }

  compareAll(): void {
    compareAll(this)
  }

  /** Asks everything that remembers: each finds what it is owed. */
  askAll(): void {
    this.plain.tick()
    askAll(this, this.querySeed)
  }
}

interface Loopable {
  [Symbol.iterator](): Iterator<{
    readonly entities: Uint32Array
    readonly start: number
    readonly end: number
  }>
}

/** Loops over all that matches, and does `inside` in the first step, if there is one. */
function visitAll(
  query: unknown,
  visited: number[],
  inside: () => void,
  atEnd: () => void,
  choice: number,
): void {
  let done = false
  for (const chunk of query as Loopable) {
    for (let row = chunk.start; row < chunk.end; row++) visited.push(chunk.entities[row] as number)
    if (!done) inside()
    done = true
    if (choice % 5 === 0) break
  }
  atEnd()
}
