// Owns a buffer attribute that follows columns: its array, the parts of it that three.js must upload, and its growth. feed.ts
// knows which entity a row belongs to.

import type { BufferAttribute } from 'three'
import type { AnyComponent } from '../../../bindings/index'
import type { BufferRun, CheckedSource } from './source'

/** More parts than that are uploaded as one: a page that is not drawn for a while would collect them without end. */
const MOST_RANGES = 256

/** What writes rows into an attribute. */
export interface Buffer {
  /** The components that its values come from. */
  readonly components: readonly AnyComponent[]
  readonly attribute: BufferAttribute
  /** Looks at a run before rows of it are written. Returns bits: which of its components the run's entities have. */
  look(run: BufferRun): number
  /** Writes rows of the run that was looked at, from the first instance on; returns how many, without those of this pass. */
  write(start: number, end: number, first: number, pass: number): number
  /** Makes room for more rows; the values of old ones are kept. */
  grow(capacity: number): void
}

/** Makes an attribute with room for some rows. */
export type MakeAttribute = (array: Float32Array, itemSize: number) => BufferAttribute

/** An attribute of another size with the same values. Parts that wait to be uploaded are not carried: all of it is new. */
export function grown(old: BufferAttribute, capacity: number, make: MakeAttribute): BufferAttribute {
  const array = new Float32Array(capacity * old.itemSize)
  array.set(old.array)
  return prepared(make(array, old.itemSize)).setUsage(old.usage)
}

/** An attribute whose first upload, which is of all of it, counts for every part. */
export function prepared(attribute: BufferAttribute): BufferAttribute {
  return attribute.onUpload(() => attribute.clearUpdateRanges())
}

/** Has rows uploaded the next time that three.js draws. */
export function upload(attribute: BufferAttribute, first: number, count: number): void {
  const { itemSize, updateRanges } = attribute
  const [start, end] = [first * itemSize, (first + count) * itemSize]
  attribute.needsUpdate = true
  const last = updateRanges.at(-1)
  if (last !== undefined && start <= last.start + last.count && last.start <= start) {
    last.count = Math.max(last.count, end - last.start)
    return
  }
  attribute.addUpdateRange(start, end - start)
  if (updateRanges.length <= MOST_RANGES) return
  const from = Math.min(...updateRanges.map((range) => range.start))
  const to = Math.max(...updateRanges.map((range) => range.start + range.count))
  attribute.clearUpdateRanges()
  attribute.addUpdateRange(from, to - from)
}

/** An attribute whose values are those of the columns, one for one. */
export class ColumnBuffer implements Buffer {
  readonly components: readonly AnyComponent[]
  attribute: BufferAttribute
  private present = false

  /**
   * @param fallback what rows without the component have
   * @param take called with the attribute, now and whenever it is replaced
   */
  constructor(
    private readonly source: CheckedSource,
    private readonly itemSize: number,
    private readonly fallback: number,
    private readonly make: MakeAttribute,
    private readonly take: (attribute: BufferAttribute) => void,
  ) {
    this.components = [source.component]
    this.attribute = prepared(make(new Float32Array(0), itemSize))
  }

  look(run: BufferRun): number {
    this.present = this.source.look(run)
    return this.present ? 1 : 0
  }

  write(start: number, end: number, first: number): number {
    const { source, itemSize } = this
    const array = this.attribute.array as Float32Array
    const { whole } = source
    const count = end - start
    if (!this.present) array.fill(this.fallback, first * itemSize, (first + count) * itemSize)
    else if (whole !== undefined && source.length === itemSize)
      array.set(whole.subarray(start * itemSize, end * itemSize), first * itemSize)
    else {
      for (let k = 0; k < itemSize; k++) {
        // A position of two numbers lies in the plane.
        if (k >= source.length) for (let i = 0; i < count; i++) array[(first + i) * itemSize + k] = 0
        else for (let i = 0; i < count; i++) array[(first + i) * itemSize + k] = source.at(start + i, k)
      }
    }
    upload(this.attribute, first, count)
    return count
  }

  grow(capacity: number): void {
    this.attribute = grown(this.attribute, capacity, this.make)
    this.take(this.attribute)
  }
}
