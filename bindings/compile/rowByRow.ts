// Owns the run of a body as what it is, JavaScript, row by row: for a debugger, for coverage, and where nothing can be compiled.
// It marks the same changes as the compiled form.

import { MASK_ADDRESS_WORD } from '../../build/layout'
import type { Definition } from '../components/definition'
import type { Run } from '../kernels/parents'
import type { Reduction } from '../kernels/kernel'
import type { ChunkView } from '../loops/chunk'
import type { GroupView } from '../loops/groupView'
import type { WorldState } from '../rows/worldState'

/** What a chunk and a group have in common. */
interface Rows {
  readonly start: number
  readonly end: number
  readonly entities: ArrayLike<number>
  cursor(component: Definition): { at(row: number): unknown }
  touch(component: Definition, row?: number): void
}

/** A body with what it is given. */
export interface Body {
  /** By parameter; undefined for the handle. */
  readonly components: readonly (Definition | undefined)[]
  readonly written: readonly Definition[]
  readonly call: (...given: unknown[]) => unknown
  readonly result: Reduction
}

export class RowByRow implements Run {
  private total: number

  constructor(
    private readonly state: WorldState,
    private readonly body: Body,
    /** The last argument of the body, in a list; nothing where it takes none. */
    private readonly given: readonly unknown[],
  ) {
    const { result } = body
    this.total = result === 'min' ? Infinity : result === 'max' ? -Infinity : 0
  }

  get result(): number | undefined {
    return this.body.result === 'none' ? undefined : this.total
  }

  begin(): void {}

  repeat(): boolean {
    return false
  }

  takeWhole(chunk: ChunkView): void {
    this.take(chunk)
  }

  takeChunk(chunk: ChunkView, masked: boolean): void {
    // A copy: the body may loop over other queries, and there is one mask.
    const end = MASK_ADDRESS_WORD + ((chunk.end + 31) >> 5)
    this.take(chunk, masked ? this.state.heap.u32.slice(MASK_ADDRESS_WORD, end) : undefined)
  }

  takeGroup(view: GroupView): void {
    this.take(view)
  }

  end(): void {}

  private take(rows: Rows, mask?: Uint32Array): void {
    const { components, written } = this.body
    const { start, end } = rows
    const cursors = components.map((component) => component && rows.cursor(component))
    if (mask === undefined) for (const component of written) rows.touch(component)
    for (let row = start; row < end; row++) {
      if (mask !== undefined) {
        if ((((mask[row >> 5] as number) >>> (row & 31)) & 1) === 0) continue
        for (const component of written) rows.touch(component, row)
      }
      this.add(cursors.map((cursor) => (cursor === undefined ? rows.entities[row] : cursor.at(row))))
    }
  }

  private add(parameters: readonly unknown[]): void {
    const { call, result } = this.body
    const returned = call(...parameters, ...this.given)
    if (result === 'none') return
    const counted = result === 'count' ? Boolean(returned) : returned
    if (counted === undefined) return
    const value = Number(counted)
    this.total = result === 'min' || result === 'max' ? Math[result](this.total, value) : this.total + value
  }
}
