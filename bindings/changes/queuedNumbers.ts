// Owns the values of queued changes that are numbers: they are copied side by side into one array, so that nothing of such a
// change lives on the JavaScript heap while it waits. A hundred thousand small objects that live long cost several times what it
// takes to make them.
//
// For each component of a change, in the order of its bundle:
//
//   ┌─────────┬─────────────────┐
//   │ listed  │ one for a field │      listed: a bit for each field that was given; NO_VALUES alone where nothing was
//   └─────────┴─────────────────┘

import type { Component } from '../components/component'
import { ComponentValue, type ValuesByComponent, type Ingredient } from '../components/componentValues'
import type { CopiedValues, CopiedValue } from '../components/copiedValues'
import type { Bundle } from '../state/bundle'
import type { Registration } from '../state/registration'
import { writeNumbers } from '../values/rowValues'

const FIRST_LENGTH = 256
/** Place 0 is left out: as a start it stands for no values. */
const FIRST = 1
const NO_VALUES = -1
/** As many bits as `listed` has. */
const MOST_FIELDS = 31

export class QueuedNumbers {
  private numbers = new Float64Array(FIRST_LENGTH)
  private used = FIRST

  /** Whether nothing is queued. */
  get isEmpty(): boolean {
    return this.used === FIRST
  }

  /**
   * Copies what a change gives, an entry for each component of its bundle. Returns where it begins, or 0 when something in it
   * is no number: then nothing is copied.
   */
  take(bundle: Bundle, given: NonNullable<ValuesByComponent>): number {
    if (bundle.hasTexts || bundle.needsUpkeep || given.length === 0) return 0
    const start = this.used
    const most = start + given.length * (1 + MOST_FIELDS)
    if (most > this.numbers.length) this.grow(most)
    const { numbers } = this
    let at = start
    for (let i = 0; i < given.length; i++) {
      const ingredient: unknown = given[i]
      // What is no function was found to be a component with values when the bundle was.
      const value = typeof ingredient === 'object' ? (ingredient as ComponentValue) : undefined
      if (value?.floats !== undefined) {
        const { floats } = value
        const { length } = floats
        numbers[at] = (1 << length) - 1
        numbers[at + 1] = floats[0] as number
        if (length > 1) numbers[at + 2] = floats[1] as number
        if (length > 2) numbers[at + 3] = floats[2] as number
        if (length > 3) numbers[at + 4] = floats[3] as number
        at += 1 + length
      } else if (value?.values !== undefined) {
        at = copyNumbers(value.values as CopiedValues, numbers, at)
        if (at === 0) return 0
      } else numbers[at++] = NO_VALUES
    }
    this.used = at
    return start
  }

  /** Copies what a change gives from others. */
  copy(others: QueuedNumbers, from: number, bundle: Bundle): number {
    const length = others.endOf(bundle, from) - from
    const start = this.used
    if (start + length > this.numbers.length) this.grow(start + length)
    this.used = start + length
    for (let i = 0; i < length; i++) this.numbers[start + i] = others.numbers[from + i] as number
    return start
  }

  private endOf({ definitions }: Bundle, start: number): number {
    let at = start
    for (const { fieldNames } of definitions) at += this.numbers[at] === NO_VALUES ? 1 : 1 + fieldNames.length
    return at
  }

  /** Writes the values into the rows of an entity that has all components of the bundle. */
  write({ registrations }: Bundle, entity: number, start: number): void {
    const { numbers } = this
    let at = start
    for (let i = 0; i < registrations.length; i++) {
      const listed = numbers[at++] as number
      if (listed === NO_VALUES) continue
      const registration = registrations[i] as Registration
      const ref = registration.locate(entity)
      if (ref !== undefined) writeNumbers(ref, listed, numbers, at)
      at += registration.definition.fieldNames.length
    }
  }

  /** What was given, made again for what takes it as objects. */
  given({ definitions }: Bundle, start: number): ValuesByComponent {
    const given: (Ingredient | undefined)[] = []
    let at = start
    for (const definition of definitions) {
      const listed = this.numbers[at++] as number
      if (listed === NO_VALUES) {
        given.push(undefined)
        continue
      }
      const values: CopiedValue[] = []
      for (let k = 0; k < definition.fieldNames.length; k++)
        values.push(((listed >> k) & 1) !== 0 ? this.numbers[at + k] : undefined)
      at += values.length
      given.push(new ComponentValue(definition as unknown as Component, values))
    }
    return given
  }

  /** Adds what a fold has come to for the next component of a change, the first of which begins at firstAdded. */
  add(folded: FoldedNumbers, place: number, length: number): void {
    if (this.used + length >= this.numbers.length) this.grow(this.used + length + 1)
    this.used = folded.copyTo(this.numbers, this.used, place, length)
  }

  /** Where what was added since empty() begins. */
  get firstAdded(): number {
    return FIRST
  }

  /** Hands what a change gives for a component over to a fold. Returns where the next component's values begin. */
  fold(at: number, length: number, folded: FoldedNumbers, place: number): number {
    if (this.numbers[at] === NO_VALUES) return at + 1
    folded.merge(place, this.numbers, at, length)
    return at + 1 + length
  }

  empty(): void {
    this.used = FIRST
  }

  private grow(least: number): void {
    const longer = new Float64Array(Math.max(least, this.numbers.length * 2))
    longer.set(this.numbers)
    this.numbers = longer
  }
}

/** The numbers that several changes of an entity give for a component at a place: those of the later ones, where both list some. */
export class FoldedNumbers {
  private readonly listed: number[] = []
  private numbers = new Float64Array(MOST_FIELDS)

  /** Nothing is given for the component. */
  none(place: number): void {
    this.listed[place] = NO_VALUES
  }

  merge(place: number, from: Float64Array, at: number, length: number): void {
    const listed = from[at] as number
    const first = place * MOST_FIELDS
    if (first >= this.numbers.length) this.grow(first + MOST_FIELDS)
    const { numbers } = this
    for (let k = 0; k < length; k++)
      if (((listed >> k) & 1) !== 0) numbers[first + k] = from[at + 1 + k] as number
    this.listed[place] = Math.max(this.listed[place] as number, 0) | listed
  }

  /** Copies what is given for a component. Returns where that ends. */
  copyTo(to: Float64Array, at: number, place: number, length: number): number {
    const listed = this.listed[place] as number
    to[at] = listed
    if (listed === NO_VALUES) return at + 1
    for (let k = 0; k < length; k++) to[at + 1 + k] = this.numbers[place * MOST_FIELDS + k] as number
    return at + 1 + length
  }

  private grow(least: number): void {
    const longer = new Float64Array(Math.max(least, this.numbers.length * 2))
    longer.set(this.numbers)
    this.numbers = longer
  }
}

/** Copies values to a place. Returns where they end; 0 if one of them is no number, or they are too many. */
function copyNumbers(values: CopiedValues, numbers: Float64Array, at: number): number {
  const { length } = values
  if (length > MOST_FIELDS) return 0
  let listed = 0
  for (let k = 0; k < length; k++) {
    const value = values[k]
    if (typeof value === 'number') {
      numbers[at + 1 + k] = value
      listed |= 1 << k
    } else if (value !== undefined) return 0
  }
  numbers[at] = listed
  return at + 1 + length
}
