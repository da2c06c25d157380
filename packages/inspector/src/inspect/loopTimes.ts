// Owns the time that loops over each query take while a world is measured. It wraps the world's list of open loops, which still knows
// what is open: so measuring may begin and end inside a loop, and loops cost nothing extra when no one is measuring.
// It must never change what a loop does, or leave one open, whatever fails while a time is noted.

import { type ParsedTerm, describeTerms } from '../../../../bindings/components/terms'
import type { Named, OpenLoops } from '../../../../bindings/rows/openLoops'
import { Cost } from './cost'

/** In place of the time when a loop began: it is not measured. */
const UNMEASURED = NaN

/** Is open in no loop. */
const NO_QUERY: Named = { describe: () => '' }

/** What was found of the loops over queries with the same terms. */
export interface MeasuredLoops {
  readonly terms: string
  readonly cost: Cost
  /** The query of the core, in that generation of the world; 0 where there is none. */
  address: number
  generation: number
}

/** How a query is carried out, as far as loops are told apart by it. */
interface Walked extends Named {
  readonly terms: readonly ParsedTerm[]
  readonly address: number
  readonly generation: number
}

export class LoopTimes implements Pick<OpenLoops, keyof OpenLoops> {
  /** By the terms: a query gets another plan after a reset and with a new group. */
  readonly byTerms = new Map<string, MeasuredLoops>()
  private readonly byPlan = new WeakMap<Named, MeasuredLoops>()
  /** When each open loop began, outermost first. Entries past the last open loop are left over. */
  private readonly begun: number[] = []
  /** How many looks of the inspection itself are under way. Their loops are not counted. */
  private looks = 0

  /** @param plain the world's own; the loops that are open in it already are not measured */
  constructor(readonly plain: OpenLoops) {
    while (this.begun.length < plain.count) this.begun.push(UNMEASURED)
    // Compiled now: see Session.warmUp.
    this.open(NO_QUERY)
    this.close(NO_QUERY)
  }

  open(query: Named): void {
    const { plain, begun } = this
    begun[plain.count] = this.looks > 0 ? UNMEASURED : performance.now()
    // Last: where it fails, nothing is open, and the next loop writes its time over this one's.
    plain.open(query)
  }

  close(query: Named): void {
    const { plain, begun } = this
    const place = plain['queries'].lastIndexOf(query)
    const last = plain.count - 1
    plain.close(query)
    if (place < 0) return
    const began = begun[place] as number
    // Iterators that are taken by hand need not close in the order of opening.
    for (let i = place; i < last; i++) begun[i] = begun[i + 1] as number
    if (Number.isNaN(began)) return
    try {
      this.loopsOver(query as Walked)?.cost.note(performance.now() - began)
    } catch {
      // The end of the stack: the world must get its lock back, so this loop is not counted.
    }
  }

  private loopsOver(query: Walked): MeasuredLoops | undefined {
    const known = this.byPlan.get(query)
    // NO_QUERY has none.
    if (known !== undefined || query.terms === undefined) return known
    const terms = describeTerms(query.terms)
    let loops = this.byTerms.get(terms)
    if (loops === undefined) {
      loops = { terms, cost: new Cost(), address: 0, generation: 0 }
      this.byTerms.set(terms, loops)
    }
    loops.address = query.address
    loops.generation = query.generation
    this.byPlan.set(query, loops)
    return loops
  }

  /** Looks without being counted: what the inspection reads is not what the program does. */
  uncounted<R>(look: () => R): R {
    this.looks++
    try {
      return look()
    } finally {
      this.looks--
    }
  }

  // ── what it knows no better than the world's own ───────────────────────────────────────────────────────

  get count(): number {
    return this.plain.count
  }

  get names(): string | undefined {
    return this.plain.names
  }

  abandon(): void {
    this.plain.abandon()
  }

  refusal(operation: string): ReturnType<OpenLoops['refusal']> {
    return this.plain.refusal(operation)
  }
}
