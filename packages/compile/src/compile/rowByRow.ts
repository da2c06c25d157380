// Owns running a body as it is, as JavaScript, row by row: for a debugger, for coverage, and where nothing can be compiled. It
// marks the same changes as the compiled form.

import { MASK_ADDRESS_WORD } from '../../../../build/layout'
import type { Definition } from '../../../../bindings/components/definition'
import type { KernelConsumer } from '../../../../bindings/kernels/parentParameters'
import type { Reduction } from '../../../../bindings/kernels/kernel'
import type { ChunkView } from '../../../../bindings/iteration/chunkView'
import type { GroupView } from '../../../../bindings/iteration/groupView'
import type { WorldState } from '../../../../bindings/state/worldState'
import { vecLength } from '../loopCompiler/shapes'

interface BodyCursor {
  at(row: number): unknown
}

/** What a chunk and a group have in common. */
interface BodyRows {
  readonly start: number
  readonly end: number
  readonly entities: ArrayLike<number>
  cursor(component: Definition): BodyCursor
  read(component: Definition): unknown
  markChanged(component: Definition, row?: number): void
}

/** A body with what it is given. */
export interface Body {
  /** By parameter; undefined for the handle. */
  readonly components: readonly (Definition | undefined)[]
  /** Numbers of the parameters that some entities lack. */
  readonly optional: readonly number[]
  /** By the optional ones that are absent, as the variants of the compiled form are. */
  readonly written: readonly (readonly Definition[])[]
  readonly call: (...given: unknown[]) => unknown
  readonly result: Reduction
}

export class RowByRow implements KernelConsumer {
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

  private take(rows: BodyRows, mask?: Uint32Array): void {
    const { components, optional } = this.body
    const { start, end } = rows
    const cursors = components.map((component) => component && rows.cursor(component))
    let absent = 0
    optional.forEach((part, k) => {
      if (cursors[part]?.at(start) === undefined) absent |= 1 << k
    })
    const written = this.body.written[absent] ?? []
    const parameters = components.map((component, part) =>
      component === undefined || written.includes(component) ? cursors[part] : readerOf(rows, component),
    )
    if (mask === undefined) for (const component of written) rows.markChanged(component)
    // One list for all rows: what the body is given after the parameters stays.
    const given = [...parameters, ...this.given]
    const handles = rows.entities
    for (let row = start; row < end; row++) {
      if (mask !== undefined) {
        if ((((mask[row >> 5] as number) >>> (row & 31)) & 1) === 0) continue
        for (const component of written) rows.markChanged(component, row)
      }
      for (let k = 0; k < parameters.length; k++) {
        const cursor = parameters[k]
        given[k] = cursor === undefined ? handles[row] : cursor.at(row)
      }
      this.add(given)
    }
  }

  private add(given: readonly unknown[]): void {
    const { call, result } = this.body
    const returned: unknown = Reflect.apply(call, undefined, given)
    if (result === 'none') return
    const counted = result === 'count' ? Boolean(returned) : returned
    if (counted === undefined) return
    const value = Number(counted)
    this.total = result === 'min' || result === 'max' ? Math[result](this.total, value) : this.total + value
  }
}

/** What the body sees of a component that it only reads. The array of a vec that a cursor gives counts as a change. */
function readerOf(rows: BodyRows, component: Definition): BodyCursor {
  const cursor = rows.cursor(component)
  if (!component.fields.some(vecLength)) return cursor
  const columns = rows.read(component) as Readonly<Record<string, Float64Array>> | undefined
  let current = 0
  const seen = Object.create(null) as object
  component.fields.forEach((field, k) => {
    const name = component.fieldNames[k] as string
    const length = vecLength(field)
    const get = (): unknown => {
      if (length === 0) return (cursor.at(current) as Readonly<Record<string, unknown>>)[name]
      return columns?.[name]?.subarray(current * length, (current + 1) * length)
    }
    Object.defineProperty(seen, name, { get })
  })
  return {
    at(row) {
      current = row
      return columns && seen
    },
  }
}
