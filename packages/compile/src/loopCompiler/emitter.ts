// Owns the code for the rows of a run: each value is computed once in each form in which it is wanted, for four rows at a
// time and for single ones. How a value is computed in a form is in wholeForm.ts, floatForms.ts and maskForms.ts.
//
//   form   of four rows   of one
//   i      i32x4          i32       its lowest 32 bits, as ToInt32 gives them
//   f      f32x4          f32       rounded to f32, as Math.fround does
//   d      2 f64x2        f64       itself; of four rows in two halves
//   m      i32x4          i32       of a boolean: all bits set or none; of one row 1 or 0
//   w      2 i64x2                  of a boolean, for choosing between halves

import { Bytes } from './bytes'
import { type GraphValue, isConst } from './graph'
import {
  type Form,
  HIGH_HALF,
  LANES,
  LOW_HALVES,
  type Layout,
  type NumberForm,
  layoutOf,
  layoutOfKind,
  loadOf,
} from './layout'
import * as op from './opcodes'
import type { NumberKind } from './shapes'
import { type CostlySides, costlySides, sideOf } from './sides'
import type { Traced } from './traced'
import { TooLarge } from './work'

/** Engines take 50,000, parameters among them. */
const MOST_LOCALS = 49_000

/** What it takes to write the code of a value in a form, and how many of its bytes are copied in a step. */
const [STEPS_OF_USE, BYTES_OF_STEP] = [3, 16]

/** A value in a form. */
interface Wanted {
  readonly value: GraphValue
  readonly form: Form
  readonly half: number
}

/** Of each costly side that has been computed the locals of what is wanted of it. */
type Done = Map<string, ReadonlyMap<string, number>>

/** The code of a costly side, and what is around it. */
interface Branch {
  /** What is computed here alone. */
  readonly own: ReadonlySet<GraphValue>
  readonly code: Bytes
  readonly locals: Map<string, number>
  readonly done: Done
  readonly outer: Branch | undefined
}

/** What is reused while one row, or four, are computed. The code is written twice: the first time wants are counted. */
class Sink {
  readonly counts = new Map<string, number>()
  /** Locals by what they hold. */
  locals = new Map<string, number>()
  counting = true
  /** Of each costly side of a choice what is computed there. */
  readonly sides = new Map<string, Map<string, Wanted>>()
  done: Done = new Map()
  readonly begun = new Set<string>()
  /** The branch that is written. */
  branch: Branch | undefined

  constructor(readonly lanes: boolean) {}
}

export abstract class Emitter {
  code = new Bytes()
  /** What is computed once, before all rows. */
  readonly prologue = new Bytes()
  readonly columns: readonly Layout[]
  /** Types of the locals after the parameters. */
  readonly locals: number[] = []
  /** Whether the function for ToInt32 is called. */
  usesToInt32 = false
  /** Local of the row at hand, and of the first column's address. */
  row = 0
  firstColumn = 0
  /** Local of the result so far. */
  total = 0
  private sink = new Sink(false)
  private readonly costly: CostlySides
  /** Locals of what is the same for all rows. */
  private readonly same = new Map<string, number>()
  /** Loads by the key of their form, as they are met. */
  private readonly loads = new Map<string, GraphValue>()
  private scratchLocal: number | undefined

  /** @param parameters of the function, whose locals come first */
  constructor(
    readonly traced: Traced,
    private readonly parameters: number,
  ) {
    const { stores, total, columns } = traced
    const roots = stores.map(({ value }) => value)
    this.costly = costlySides(total === undefined ? roots : [...roots, total], traced.graph.work)
    this.columns = columns.map(layoutOf)
  }

  /** A local of its own. */
  local(type: number): number {
    if (this.locals.length >= MOST_LOCALS) throw new TooLarge()
    return this.parameters + this.locals.push(type) - 1
  }

  /** A local for a vector that is read at once. */
  scratch(): number {
    this.scratchLocal ??= this.local(op.V128)
    return this.scratchLocal
  }

  /** The code for four rows, or for one. */
  body(lanes: boolean): Bytes {
    this.sink = new Sink(lanes)
    this.rows()
    this.sink.counting = false
    return this.rows()
  }

  private rows(): Bytes {
    this.code = new Bytes()
    if (!this.sink.counting) this.readOverwritten()
    this.write()
    return this.code
  }

  /** Adds what rows return to the result, and writes what they assigned. */
  protected abstract write(): void

  /** Leaves a value on the stack, wherever it was computed before. */
  protected abstract compute(value: GraphValue, form: Form, half: number): void

  /** Reads what a store overwrites before another one, or the result, wants it. */
  private readOverwritten(): void {
    const { stores } = this.traced
    if (stores.length < 2) return
    const written = new Set(stores.map(({ column, element }) => `${column} ${element}`))
    for (const [key] of this.sink.counts) {
      const load = this.loads.get(key)
      if (load === undefined || !written.has(`${load.data as number} ${load.element}`)) continue
      const [, form, half] = key.split(' ')
      this.sink.counts.set(key, 2)
      this.use(load, form as Form, Number(half))
      this.code.byte(op.DROP)
    }
  }

  // ── values ──

  /** Whether four rows are computed together. */
  get lanes(): boolean {
    return this.sink.lanes
  }

  /** Leaves a value on the stack. */
  use(value: GraphValue, form: Form, half = 0): void {
    this.traced.graph.work.spend(STEPS_OF_USE)
    if (value.uniform) return this.useSame(value, form)
    const key = `${value.id} ${form} ${half}`
    const { sink } = this
    if (value.op === 'load') this.loads.set(key, value)
    const count = sink.counts.get(key) ?? 0
    if (sink.counting) {
      sink.counts.set(key, count + 1)
      if (count === 0) this.compute(value, form, half)
      return
    }
    const known = sink.locals.get(key)
    if (known !== undefined) return void this.code.get(known)
    if (sink.branch?.own.has(value) === false) return this.useAround(sink.branch, key, { value, form, half })
    this.compute(value, form, half)
    if (count < 2) return
    const local = this.local(this.typeOf(form))
    sink.locals.set(key, local)
    this.code.tee(local)
  }

  /** Leaves a value on the stack that is used again inside a branch: it has to be in a local before. */
  useTwice(value: GraphValue, form: Form, half = 0): void {
    const { sink } = this
    this.use(value, form, half)
    if (!sink.counting || value.uniform) return
    const key = `${value.id} ${form} ${half}`
    sink.counts.set(key, (sink.counts.get(key) ?? 0) + 1)
  }

  /** Of four values of a vec, from `first` on, the ones that are wanted in a form and not there yet. */
  wantedOf({ data, kind }: GraphValue, first: number, form: Form): GraphValue[] {
    const { counting, counts, locals } = this.sink
    if (counting) return []
    const four = Array.from({ length: LANES }, (_, k) =>
      this.traced.graph.load(data as number, kind as NumberKind, first + k),
    )
    return four.filter(({ id }) => counts.has(`${id} ${form} 0`) && !locals.has(`${id} ${form} 0`))
  }

  /** Says where a value is that was computed beside another one. */
  keep({ id }: GraphValue, form: Form, local: number): void {
    this.sink.locals.set(`${id} ${form} 0`, local)
  }

  /** What a branch shares with others is computed before it, or each of them would hold the code. */
  private useAround({ code, locals, done, outer }: Branch, key: string, { value, form, half }: Wanted): void {
    const { sink } = this
    const inside = { code: this.code, locals: sink.locals, done: sink.done, branch: sink.branch }
    this.code = code
    Object.assign(sink, { locals, done, branch: outer })
    this.use(value, form, half)
    const local = locals.get(key) ?? this.local(this.typeOf(form))
    code.set(local)
    locals.set(key, local)
    this.code = inside.code
    Object.assign(sink, { locals: inside.locals, done: inside.done, branch: inside.branch })
    sink.locals.set(key, local)
    this.code.get(local)
  }

  private typeOf(form: Form): number {
    return this.sink.lanes ? op.V128 : typeOfOne(form)
  }

  /** What is the same for all rows is computed before the loops, once for one row, and copied to all lanes. */
  private useSame(value: GraphValue, form: Form): void {
    if (!this.sink.lanes) return this.useOne(value, form)
    this.useBefore(`${value.id} ${form} lanes`, op.V128, () => this.splatOne(value, form))
  }

  private splatOne(value: GraphValue, form: Form): void {
    const { code } = this
    const isMask = form === 'm' || form === 'w'
    // 0 - 1 is a word of ones.
    if (isMask) code.i32(0)
    this.useOne(value, isMask ? 'm' : form)
    if (isMask) code.byte(op.I32_SUB)
    if (form === 'w') code.byte(op.I64_EXTEND_I32_S)
    code.simd(VECTORS[form].splat)
  }

  /** Leaves a value that is the same for all rows on the stack, for one row. A constant is written where it is used. */
  useOne(value: GraphValue, form: Form): void {
    const compute = (): void => this.alone(() => this.compute(value, form, 0))
    if (isConst(value)) compute()
    else this.useBefore(`${value.id} ${form} one`, typeOfOne(form), compute)
  }

  /** Leaves on the stack what `go` computes before the loops. */
  private useBefore(key: string, type: number, go: () => void): void {
    let local = this.same.get(key)
    if (local === undefined) {
      local = this.local(type)
      this.same.set(key, local)
      this.prologue.append(this.apart(go).set(local))
    }
    this.code.get(local)
  }

  /** Code of its own. */
  private apart(go: () => void): Bytes {
    const { code } = this
    const made = (this.code = new Bytes())
    go()
    this.code = code
    return made
  }

  /** Computes for one row, whatever is computed around it. */
  private alone(go: () => void): void {
    const { sink } = this
    this.sink = new Sink(false)
    go()
    this.sink = sink
  }

  // ── memory ──

  /** The address of the row at hand in a column. */
  address(column: number): void {
    const { code } = this
    const { rowBytes } = this.columns[column] as Layout
    code.get(this.firstColumn + column).get(this.row)
    if (rowBytes > 1) {
      const shift = Math.log2(rowBytes)
      if (Number.isInteger(shift)) code.i32(shift).byte(op.I32_SHL)
      else code.i32(rowBytes).byte(op.I32_MUL)
    }
    code.byte(op.I32_ADD)
  }

  /** A number among the arguments of a run, which begin at the address in local 0. */
  scalar({ data, kind }: GraphValue): void {
    this.code.get(0).memory(kind === 'bool' ? op.I32_LOAD : loadOf(kind as NumberKind), 8 * (data as number))
  }

  /** A field of a resource, whose address is among the arguments after the scalars. */
  held({ data, kind, element }: GraphValue): void {
    const place = this.traced.scalars.length + (data as number)
    const { itemBytes } = layoutOfKind(kind as NumberKind, 1)
    this.code.word(0, 8 * place).memory(loadOf(kind as NumberKind), element * itemBytes)
    if (kind === 'bool') this.code.byte(op.I32_EQZ, op.I32_EQZ)
  }

  // ── rows and vectors of rows ──

  /** An instruction: for one row, or that of SIMD for four. */
  op(one: number, four: number): void {
    if (this.lanes) this.code.simd(four)
    else this.code.byte(one)
  }

  /** Leaves a number on the stack, of four rows for each; a boolean of one row as 1 or 0. */
  number(value: number, form: Form): void {
    const { code } = this
    if (form === 'f') code.f32(value)
    else if (form === 'd') code.f64(value)
    else code.i32(value)
    if (this.lanes) code.simd(VECTORS[form].splat)
  }

  /** Leaves the value of one row on the stack: of four rows, that of a lane. */
  useLane(value: GraphValue, form: NumberForm, lane: number): void {
    this.use(value, form, form === 'd' ? lane >> 1 : 0)
    if (this.lanes) this.code.simd(VECTORS[form].extract).byte(form === 'd' ? lane & 1 : lane)
  }

  /** A vector of what `go` computes for each lane: the first is copied to all, the others replaced. */
  laneByLane(form: NumberForm, go: (lane: number) => void): void {
    const { splat, replace } = VECTORS[form]
    for (let lane = 0; lane < (form === 'd' ? LANES / 2 : LANES); lane++) {
      go(lane)
      if (lane === 0) this.code.simd(splat)
      else this.code.simd(replace).byte(lane)
    }
  }

  /** Both halves of an f64, each made two words by an instruction. */
  joinHalves(value: GraphValue, opcode: number): void {
    for (const half of [0, 1]) {
      this.use(value, 'd', half)
      this.code.simd(opcode)
    }
    this.shuffle(LOW_HALVES)
  }

  /** A shuffle by words. */
  shuffle(words: readonly number[]): void {
    this.code.simd(op.I8X16_SHUFFLE)
    for (const word of words) for (const byte of [0, 1, 2, 3]) this.code.byte(4 * word + byte)
  }

  /** The upper two lanes of what is on the stack become the lower ones. */
  highHalf(): void {
    const local = this.scratch()
    this.code.tee(local).get(local)
    this.shuffle(HIGH_HALF)
  }

  /** Of four words a mask that says which are not 0. */
  notZero(): void {
    this.number(0, 'i')
    this.code.simd(op.I32X4_NE)
  }

  /** Of four masks 1 or 0. */
  lowestBit(): void {
    this.number(1, 'i')
    this.code.simd(op.V128_AND)
  }

  // ── choices ──

  /** One of two values. */
  chosen(choice: GraphValue, form: Form, half: number): void {
    const [condition, a, b] = choice.inputs as [GraphValue, GraphValue, GraphValue]
    this.side(condition, true, a, form, half)
    this.side(condition, false, b, form, half)
    if (this.lanes) {
      this.use(condition, form === 'd' || form === 'w' ? 'w' : 'm', half)
      this.code.simd(op.V128_BITSELECT)
    } else {
      this.use(condition, 'm')
      this.code.byte(op.SELECT)
    }
  }

  /**
   * One of the two that are chosen between. A costly one is computed only if one of the rows takes it; elsewhere its local
   * holds anything, which is not chosen.
   */
  private side(condition: GraphValue, taken: boolean, value: GraphValue, form: Form, half: number): void {
    const side = sideOf(condition, taken)
    const { sink, code } = this
    if (value.uniform || !this.costly.has(side) || sink.begun.has(side)) return this.use(value, form, half)
    const key = `${value.id} ${form} ${half}`
    if (sink.counting) {
      const wanted = sink.sides.get(side) ?? new Map<string, Wanted>()
      sink.sides.set(side, wanted.set(key, { value, form, half }))
      this.use(condition, 'm')
      return this.use(value, form, half)
    }
    if (!sink.done.has(side)) this.computeSide(side, condition, taken)
    code.get(sink.done.get(side)?.get(key) as number)
  }

  private computeSide(side: string, condition: GraphValue, taken: boolean): void {
    const { sink, code } = this
    sink.begun.add(side)
    // What is computed in here is not there afterwards.
    const { locals, done, branch } = sink
    const own = this.costly.get(side) as ReadonlySet<GraphValue>
    sink.branch = { own, code, locals, done, outer: branch }
    sink.locals = new Map(locals)
    sink.done = new Map(done)
    const results = new Map<string, number>()
    const inside = this.apart(() => {
      for (const [key, { value, form, half }] of sink.sides.get(side) as Map<string, Wanted>) {
        const local = this.local(this.typeOf(form))
        this.use(value, form, half)
        this.code.set(local)
        results.set(key, local)
      }
    })
    Object.assign(sink, { locals, done, branch })
    this.use(condition, 'm')
    if (this.lanes) code.simd(taken ? op.V128_ANY_TRUE : op.I32X4_ALL_TRUE)
    if (!taken) code.byte(op.I32_EQZ)
    this.traced.graph.work.spend(locals.size + done.size + inside.list.length / BYTES_OF_STEP)
    code.byte(op.IF, op.VOID).append(inside).byte(op.END)
    sink.begun.delete(side)
    done.set(side, results)
  }
}

function typeOfOne(form: Form): number {
  return form === 'f' ? op.F32 : form === 'd' ? op.F64 : op.I32
}

/** Instructions that make a vector of one number, and that take out a lane and replace it. */
const VECTORS = {
  i: { splat: op.I32X4_SPLAT, extract: op.I32X4_EXTRACT_LANE, replace: op.I32X4_REPLACE_LANE },
  f: { splat: op.F32X4_SPLAT, extract: op.F32X4_EXTRACT_LANE, replace: op.F32X4_REPLACE_LANE },
  d: { splat: op.F64X2_SPLAT, extract: op.F64X2_EXTRACT_LANE, replace: op.F64X2_REPLACE_LANE },
  m: { splat: op.I32X4_SPLAT },
  w: { splat: op.I64X2_SPLAT },
} as const
