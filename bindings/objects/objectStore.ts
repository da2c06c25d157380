// Owns the values of one object component in one world, by entity index. It must never call user code while a change is half
// done: the code that makes the change says when.

import type { Definition } from '../components/definition'
import { type ObjectBox, hold } from '../components/componentValues'
import { INDEX_MASK, type Entity } from '../memory/entity'
import type { AnyOptions } from '../components/objectOptions'
import type { ObjectValues } from '../state/registration'

/** How many entity indices a page is for, and log2 of that. */
const PAGE_BITS = 10
const PAGE_PLACES = 1024
const NOWHERE = -1

/**
 * The values of one object component in one world. Entity indices are divided into pages of 1,024, and only those with
 * values take up places, so memory follows the entities that have one. All pages lie in one array, from the first on in
 * order as long as none is missing: the place of such an index is the index itself.
 */
export class ObjectStore implements ObjectValues {
  /** The values of all pages, one page after the other; undefined where an entity has no value. */
  private readonly values: unknown[] = []
  /** The handle that each value was given to. */
  private readonly owners: number[] = []
  /** Entity indices below lie at the place of the same number. */
  private inOrder = 0
  /** By the number of a page, without gaps: where it begins in `values`, or NOWHERE. */
  private readonly starts: number[] = []
  /** For each page in `values` its number, and how many values it has. */
  private readonly numbers: number[] = []
  private readonly counts: number[] = []
  /** How many of these pages are empty: some are kept, for values that come and go. */
  private vacant = 0

  constructor(
    readonly definition: Definition,
    readonly options: AnyOptions,
  ) {}

  get(entity: number): unknown {
    const index = entity & INDEX_MASK
    return this.values[index < this.inOrder ? index : this.placeOf(index)]
  }

  /** Keeps a value; returns the one it replaces, or undefined. */
  put(entity: number, held: ObjectBox): unknown {
    const index = entity & INDEX_MASK
    if (index >= this.inOrder && this.placeOf(index) < 0) this.addPage(index >>> PAGE_BITS)
    const place = this.placeOf(index)
    const old = this.values[place]
    if (old === undefined && (this.counts[place >>> PAGE_BITS] as number)++ === 0) this.vacant--
    this.values[place] = held.value
    this.owners[place] = entity
    return old
  }

  /** Lets a value go and returns it. */
  take(entity: number): unknown {
    const value = this.get(entity)
    if (value === undefined) return undefined
    const place = this.placeOf(entity & INDEX_MASK)
    this.values[place] = undefined
    if (--(this.counts[place >>> PAGE_BITS] as number) > 0) return value
    // Rarely, so that values that come and go in thousands do not make and drop pages all the time.
    if (++this.vacant > 1 + (this.counts.length >> 1)) this.dropVacant()
    return value
  }

  /** The place of an entity index; below 0 when its page has no values. */
  private placeOf(index: number): number {
    if (index < this.inOrder) return index
    const start = this.starts[index >>> PAGE_BITS] ?? NOWHERE
    return start < 0 ? NOWHERE : start + (index & (PAGE_PLACES - 1))
  }

  private addPage(number: number): void {
    const { starts, values, owners } = this
    const start = values.length
    while (starts.length <= number) starts.push(NOWHERE)
    starts[number] = start
    this.numbers.push(number)
    this.counts.push(0)
    this.vacant++
    for (let i = 0; i < PAGE_PLACES; i++) {
      values.push(undefined)
      owners.push(0)
    }
    if (this.inOrder === start && number << PAGE_BITS === start) this.inOrder = values.length
  }

  /** Frees the pages without values: the last page moves into the place of each. */
  private dropVacant(): void {
    const { starts, values, owners, numbers, counts } = this
    for (let page = counts.length - 1; page >= 0; page--) {
      if (counts[page] !== 0) continue
      const start = page << PAGE_BITS
      const end = values.length - PAGE_PLACES
      starts[numbers[page] as number] = NOWHERE
      numbers[page] = numbers.at(-1) as number
      counts[page] = counts.at(-1) as number
      if (start !== end) starts[numbers[page] as number] = start
      for (let i = 0; start !== end && i < PAGE_PLACES; i++) {
        values[start + i] = values[end + i]
        owners[start + i] = owners[end + i] as number
      }
      numbers.pop()
      counts.pop()
      values.length = owners.length = end
      this.inOrder = Math.min(this.inOrder, start)
    }
    while (starts.at(-1) === NOWHERE) starts.pop()
    this.vacant = 0
  }

  /** Those of the handles that values were given to for which `isGone` holds, by index. Looks at all pages. */
  ownersThat(isGone: (entity: number) => boolean): number[] {
    const { values, owners } = this
    const gone: number[] = []
    for (const start of this.starts)
      for (let i = start; start >= 0 && i < start + PAGE_PLACES; i++)
        if (values[i] !== undefined && isGone(owners[i] as number)) gone.push(owners[i] as number)
    return gone
  }

  /** Whether copies of an entity get the component, too. */
  get clones(): boolean {
    return this.options.clone !== undefined
  }

  /** Gives a copy of an entity its own value, where copies get one. Report.born tells of it. */
  cloneTo(source: number, copy: number): void {
    const { clone } = this.options
    const value = this.get(source)
    if (clone === undefined || value === undefined) return
    this.put(copy, hold(this.definition.componentName, clone(value, copy as Entity)))
  }

  /** Puts the values of some rows into an array, at the numbers of the rows. */
  fill(array: unknown[], entities: Uint32Array, firstEntity: number, start: number, end: number): void {
    array.length = end
    for (let row = start; row < end; row++) {
      array[row] = this.get(entities[firstEntity + row] as number)
    }
  }
}
