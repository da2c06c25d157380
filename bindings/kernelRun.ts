// Owns a kernel's run over a query: for each chunk the addresses of its columns, the ticks of what is written, the
// call, and the results of all calls as one. It must never choose rows: the walk of the loop hands them over.
//
//   KERNEL_ARGUMENTS  ┌───────────────┬──────┬────────┬────────┬─ ─
//                     │ start | end<<16 │ mask │ slot 0 │ slot 1 │      a slot for each parameter: a column's address in
//                     └───────────────┴──────┴────────┴────────┴─ ─    this chunk, or a scalar, written once a run

import { KERNEL_ARGUMENTS_ADDRESS, MASK_ADDRESS } from '../build/layout'
import type { ChunkView } from './chunk'
import type { Definition } from './component'
import { StrataError, StrataTypeError, messageOf } from './errors'
import type { GroupPool, GroupView } from './groupView'
import type { Guard, GuardedColumn } from './guarding'
import { CHANGED_WORD, type Heap, TICK } from './heap'
import { type Reduction, nameOf } from './kernel'
import type { BoundColumn, BoundKernel } from './kernelBinding'
import { slotAddress } from './kernelScalars'
import type { KernelEntry } from './kernels'
import type { Plan } from './plan'
import type { Placement, Registration } from './registration'

/** Indices in Heap.u32 of the run of rows and of the mask's address. */
const ROWS = KERNEL_ARGUMENTS_ADDRESS >> 2
const MASK = ROWS + 1
const END_SHIFT = 16
const MASK_WORDS = MASK_ADDRESS >> 2
const HANDLE_BYTES = 4

/** The result of no call. */
const EMPTY: Record<Reduction, number> = { none: 0, sum: 0, count: 0, min: Infinity, max: -Infinity }

/** Where things lie in chunks of one layout and size, in bytes from the chunk's start. */
class Addresses {
  constructor(
    /** For each column slot. */
    readonly columns: Int32Array,
    /** For each written component: its ChunkTicks. */
    readonly ticks: Int32Array,
    /** For each written component whose rows are tracked: the column of their last changes. */
    readonly rowTicks: Int32Array,
  ) {}
}

/** A parameter that is a column: the component and the field, or the handles of the rows. */
interface Slot {
  /** Index of the slot in Heap.u32. */
  readonly word: number
  readonly column: BoundColumn | undefined
  /** Which of the query's components with data; the first one for handles. */
  readonly component: number
}

/** One kernel over one query, as it is carried out now. */
export class KernelRun {
  private readonly heap: Heap
  private readonly entry: KernelEntry
  private readonly slots: readonly Slot[]
  /** Slots as indices in Heap.u32. */
  private readonly words: Int32Array
  /** Components that are written, by their numbers in the plan. */
  private readonly written: readonly number[]
  /** The query's components with data, and for each which of its group's pools it is in. */
  private readonly registrations: readonly (Registration | undefined)[]
  private readonly definitions: readonly Definition[]
  private readonly pools: readonly number[]
  /** By layout key; holes are layouts not met yet. */
  private readonly known: (Addresses | undefined)[] = []
  private addresses = new Addresses(new Int32Array(0), new Int32Array(0), new Int32Array(0))
  private layoutKey = -1
  private readonly reduction: Reduction
  /** The results so far: an array, since a number in a field would be a new object each time. */
  private readonly total = new Float64Array(1)

  constructor(
    private readonly bound: BoundKernel<unknown, unknown>,
    plan: Plan,
  ) {
    this.heap = bound.state.heap
    this.entry = bound.entry
    this.registrations = plan.registrations
    this.definitions = plan.definitions
    this.pools = plan.registrations.map((registration) =>
      plan.requiredPools.indexOf(registration as Registration),
    )
    this.reduction = bound.kernel.result
    this.slots = slotsOf(bound, plan)
    this.words = Int32Array.from(this.slots, ({ word }) => word)
    const written = this.slots.filter(({ column }) => column?.parameter.writes === true)
    this.written = [...new Set(written.map(({ component }) => component))]
  }

  /** Begins a run: scalars into their slots. */
  begin(scalars: Record<string, number> | undefined): void {
    this.bound.scalars.write(this.heap, scalars)
    this.total[0] = EMPTY[this.reduction]
  }

  /** Calls the kernel with a run of a chunk's rows; with a mask, only for those whose bits are set. */
  callChunk(chunk: ChunkView, masked: boolean): void {
    const { words, heap } = this
    const { u32 } = heap
    const { data, start, end } = chunk
    if (chunk.layoutKey !== this.layoutKey) this.enterLayout(chunk.layoutKey)
    const { columns, ticks, rowTicks } = this.addresses
    for (let i = 0; i < words.length; i++) u32[words[i] as number] = data + (columns[i] as number)
    u32[ROWS] = start | (end << END_SHIFT)
    u32[MASK] = masked ? MASK_ADDRESS : 0
    if (ticks.length > 0) {
      const now = u32[TICK] as number
      for (let i = 0; i < ticks.length; i++) u32[(data + (ticks[i] as number)) >> 2] = now
      u32[chunk.descriptor + CHANGED_WORD] = now
      for (let i = 0; i < rowTicks.length; i++) {
        const first = (data + (rowTicks[i] as number)) >> 2
        if (masked) this.markMasked(first, end, now)
        else u32.fill(now, first + start, first + end)
      }
    }
    if (this.entry.guard !== undefined) this.watchChunk(this.entry.guard, chunk.descriptor)
    this.call()
  }

  /** Calls the kernel with a run of a group's rows: its columns begin at the run's first row, each in its own pool. */
  callGroup(view: GroupView): void {
    const { slots, pools, written, definitions } = this
    const { u32 } = this.heap
    for (let i = 0; i < slots.length; i++) {
      const { word, column, component } = slots[i] as Slot
      const pool = view.pools[pools[component] as number] as GroupPool
      const offset = column === undefined ? 0 : (pool.placement.offsets[column.field] as number)
      u32[word] = pool.data + offset + pool.row * (column?.rowBytes ?? HANDLE_BYTES)
    }
    u32[ROWS] = view.start | (view.end << END_SHIFT)
    u32[MASK] = 0
    for (let i = 0; i < written.length; i++) view.touch(definitions[written[i] as number])
    if (this.entry.guard !== undefined) this.watchGroup(this.entry.guard, view)
    this.call()
  }

  /** What all calls came to; undefined for a kernel that returns nothing. */
  get result(): number | undefined {
    return this.reduction === 'none' ? undefined : this.total[0]
  }

  private watchChunk(guard: Guard, descriptor: number): void {
    const { registrations } = this
    this.watch(
      guard,
      this.slots.map(({ word, column, component }) => {
        return { word, column, registration: registrations[component], descriptor, row: 0 }
      }),
    )
  }

  private watchGroup(guard: Guard, view: GroupView): void {
    this.watch(
      guard,
      this.slots.map(({ word, column, component }) => {
        const pool = view.pools[this.pools[component] as number] as GroupPool
        const { registration, descriptor, row } = pool
        return { word, column, registration, descriptor, row }
      }),
    )
  }

  private watch(guard: Guard, columns: readonly GuardedColumn[]): void {
    const wrong = guard.before(nameOf(this.bound.kernel), columns)
    if (wrong !== undefined) throw new StrataError('CHECK_FAILED', wrong)
  }

  private call(): void {
    const { start, guard } = this.entry
    let result: number | undefined
    try {
      result = start(KERNEL_ARGUMENTS_ADDRESS)
    } catch (error) {
      throw this.failed(error, guard?.after())
    }
    const overwritten = guard?.after()
    if (overwritten !== undefined) throw new StrataError('KERNEL_FAILED', overwritten)
    // Arrays over a memory that grew are detached.
    if (this.heap.u32.length === 0) throw this.grew()
    if (result !== undefined) this.join(result)
  }

  private join(result: number): void {
    const { total, reduction } = this
    const sofar = total[0] as number
    if (reduction === 'min') total[0] = Math.min(sofar, result)
    else if (reduction === 'max') total[0] = Math.max(sofar, result)
    else total[0] = sofar + result
  }

  private failed(cause: unknown, overwritten: string | undefined): StrataError {
    // It may have grown the memory before.
    this.heap.check()
    return new StrataError(
      'KERNEL_FAILED',
      overwritten ??
        `query.run: ${nameOf(this.bound.kernel)} failed with "${messageOf(cause)}". The rows it was called for before are written. See the cause of this error.`,
      { cause },
    )
  }

  private grew(): StrataError {
    this.heap.check()
    return new StrataError(
      'KERNEL_FAILED',
      `query.run: ${nameOf(this.bound.kernel)} grew the memory, which a kernel must never do: take memory.grow, and what allocates, out of it.`,
    )
  }

  private enterLayout(layoutKey: number): void {
    while (this.known.length <= layoutKey) this.known.push(undefined)
    this.addresses = this.known[layoutKey] ??= this.findAddresses(layoutKey)
    this.layoutKey = layoutKey
  }

  private findAddresses(layoutKey: number): Addresses {
    const placements = this.registrations.map(
      (registration) => registration?.placement(layoutKey) as Placement,
    )
    const written = this.written.map((component) => placements[component] as Placement)
    return new Addresses(
      Int32Array.from(this.slots, ({ column, component }) =>
        column === undefined ? 0 : ((placements[component] as Placement).offsets[column.field] as number),
      ),
      Int32Array.from(written, ({ tickOffset }) => tickOffset),
      Int32Array.from(
        written.filter(({ rowTickOffset }) => rowTickOffset !== 0),
        ({ rowTickOffset }) => rowTickOffset,
      ),
    )
  }

  /** Marks the rows of the mask; `first` is the index in Heap.u32 of row 0 of their ticks. */
  private markMasked(first: number, rows: number, now: number): void {
    const { u32 } = this.heap
    for (let row = 0; row < rows; row++) {
      const bits = u32[MASK_WORDS + (row >> 5)] as number
      if (((bits >>> (row & 31)) & 1) !== 0) u32[first + row] = now
    }
  }
}

/** The slots that are columns; throws when one is bound to what is no column of every chunk of the query. */
function slotsOf({ kernel, columns }: BoundKernel<unknown, unknown>, plan: Plan): Slot[] {
  const slots: Slot[] = []
  kernel.parameters.forEach(({ role, name }, k) => {
    const word = slotAddress(k) >> 2
    if (role === 'entities') slots.push({ word, column: undefined, component: 0 })
    if (role !== 'column') return
    const column = columns[k] as BoundColumn
    const component = plan.requiredColumn(column.definition)
    if (component < 0) {
      const { componentName } = column.definition
      throw new StrataTypeError(
        'NOT_A_COLUMN',
        `query.run: ${nameOf(kernel)} has '${name}' bound to ${componentName}, which is no column of every chunk of ${plan.describe()}: run it over a query that requires ${componentName} and has it in columns, as a loop's chunk.write needs it.`,
      )
    }
    slots.push({ word, column, component })
  })
  return slots
}
