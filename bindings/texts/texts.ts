// Owns the way from strings to the ids that `text` columns hold, and back: caches over the table in linear memory, and the ids
// promised while memory must not grow; and the field `text`, which brings them. After a loop, linear memory must know every text
// that is known here.

import {
  EMPTY_TEXT,
  MAX_TEXT_LENGTH,
  SCRATCH_ADDRESS,
  STATUS_OUT_OF_MEMORY,
  TEXTS_COUNT,
  TEXTS_FREE_FIRST,
  TEXTS_FRESH,
  TEXTS_RECORDS,
  TEXT_BYTES,
  TEXT_LENGTH,
  TEXT_LIVE,
  TEXT_NEXT,
  TEXT_STATE,
  TEXT_UNITS,
  TEXT_WIDE,
} from '../../build/layout'
import type { Definition } from '../components/definition'
import { accepts, FieldDefinition, invalidValue, type ScalarField } from '../components/fields'
import { ComponentValue, type ValuesByComponent } from '../components/componentValues'
import type { CopiedValues } from '../components/copiedValues'
import { textsOf } from '../memory/coreParts'
import { limitError } from '../memory/errors'
import type { Bundle } from '../state/bundle'
import type { Session } from '../state/session'
import { NO_IDS, type TextSource } from '../state/textSource'

/** Arguments that String.fromCharCode takes at once without risk to the stack. */
const UNITS_A_CALL = 4096
const NARROW_UNITS = 0x100

export class Texts implements TextSource {
  /** Strings whose ids were given away while memory must not grow, in the order of interning. */
  private promised: string[] = []
  /** Where the next promised id comes from. */
  private nextFree = 0
  private nextFresh = 0
  private readonly ids = new Map<string, number>()
  /** By id; filled without gaps. */
  private strings: (string | undefined)[] = ['']

  constructor(private readonly state: Session) {}

  get promisedCount(): number {
    return this.promised.length
  }

  forget(): void {
    // In a world without texts every restore comes here: it allocates nothing then.
    if (this.ids.size > 0) this.ids.clear()
    if (this.strings.length > 1) this.strings = ['']
    if (this.promised.length > 0) this.promised = []
  }

  at(id: number): string {
    return this.strings[id] ?? this.find(id) ?? ''
  }

  /** The string of an id, or undefined when it names no text. */
  find(id: number): string | undefined {
    if (!Number.isInteger(id)) return undefined
    const known = this.strings[id]
    if (known !== undefined || !(id > EMPTY_TEXT && id < this.state.heap.word(TEXTS_FRESH))) return known
    const string = this.read(id)
    if (string !== undefined) this.remember(id, string)
    return string
  }

  idOf(string: string): number | undefined {
    const known = this.ids.get(string)
    if (known !== undefined) return known
    if (string === '') return EMPTY_TEXT
    if (string.length > MAX_TEXT_LENGTH) return undefined
    const id = textsOf(this.state).textFind(string.length, this.write(string))
    if (id < 0) return undefined
    this.remember(id, string)
    return id
  }

  intern(string: string): number {
    const known = this.ids.get(string)
    if (known !== undefined) return known
    if (string === '') return EMPTY_TEXT
    const { state } = this
    const mayGrow = state.locks === 0
    if (mayGrow) this.keepPromised()
    // From the first promise on other new ones follow it, or ids would depend on how much memory there is.
    if (this.promised.length > 0) return this.idOf(string) ?? this.promise(string)
    const id = textsOf(state).textIntern(string.length, this.write(string), mayGrow)
    // Also where no memory was found: some of it may have been.
    if (mayGrow) state.heap.check()
    if (id < 0) {
      if (mayGrow) throw limitError(STATUS_OUT_OF_MEMORY, '')
      return this.promise(string)
    }
    this.remember(id, string)
    return id
  }

  /** The id that interning would give, were there memory. It stays the string's own: keepPromised stores it. */
  private promise(string: string): number {
    const { heap } = this.state
    if (this.promised.length === 0) {
      this.nextFree = heap.word(TEXTS_FREE_FIRST)
      this.nextFresh = heap.word(TEXTS_FRESH)
    }
    const id = this.nextFree !== 0 ? this.nextFree : this.nextFresh++
    if (this.nextFree !== 0) this.nextFree = heap.word(this.recordOf(id) + TEXT_NEXT)
    this.promised.push(string)
    this.state.owed = true
    this.remember(id, string)
    return id
  }

  keepPromised(): void {
    if (this.promised.length === 0) return
    const { heap } = this.state
    const core = textsOf(this.state)
    const strings = this.promised
    this.promised = []
    for (const string of strings) {
      const id = core.textIntern(string.length, this.write(string), true)
      heap.check()
      if (id >= 0) continue
      core.textsClearUnknown()
      this.forget()
      throw limitError(STATUS_OUT_OF_MEMORY, '')
    }
  }

  prepareGiven(bundle: Bundle, given: ValuesByComponent): readonly number[] {
    if (given === undefined || !bundle.hasTexts) return NO_IDS
    let made = NO_IDS
    for (const ingredient of given) {
      if (!(ingredient instanceof ComponentValue)) continue
      made = this.prepare(
        ingredient.component as unknown as Definition,
        ingredient.values as CopiedValues,
        made,
      )
    }
    return made
  }

  prepare(
    definition: Definition,
    values: CopiedValues | undefined,
    made: readonly number[] = NO_IDS,
  ): readonly number[] {
    if (!definition.hasTexts || values === undefined) return made
    const { fields } = definition
    for (let k = 0; k < fields.length; k++) {
      const value = values[k]
      if (fields[k]?.kind !== 'text' || value === undefined) continue
      made = this.prepareText(value as string, made)
    }
    return made
  }

  prepareDefaults(definition: Definition): readonly number[] {
    let made = NO_IDS
    for (const field of definition.fields) {
      if (field.kind === 'text') made = this.prepareText(field.defaultValue as string, made)
    }
    return made
  }

  private prepareText(string: string, made: readonly number[]): readonly number[] {
    const { heap, locks } = this.state
    if (this.ids.has(string)) return made
    try {
      if (locks === 0) this.keepPromised()
      const before = heap.word(TEXTS_COUNT)
      const id = this.intern(string)
      return heap.word(TEXTS_COUNT) === before ? made : [...made, id]
    } catch (error) {
      this.takeBack(made)
      throw error
    }
  }

  takeBack(made: readonly number[]): void {
    for (let i = made.length - 1; i >= 0; i--) {
      const id = made[i] as number
      textsOf(this.state).textRelease(id)
      this.ids.delete(this.strings[id] as string)
      this.strings[id] = undefined
    }
  }

  /** Frees what no row and no default holds; how many texts. Not inside a loop. */
  sweep(): number {
    this.keepPromised()
    const freed = textsOf(this.state).textsSweep()
    if (freed > 0) this.forget()
    return freed
  }

  /** @throws StrataTypeError INVALID_VALUE */
  check(value: unknown, operation: string): asserts value is string {
    if (!accepts(text, value)) throw invalidValue(text, value, operation)
  }

  /** @throws StrataTypeError INVALID_VALUE for what is no string */
  checkString(value: unknown, operation: string): asserts value is string {
    if (typeof value !== 'string') throw invalidValue(text, value, operation)
  }

  private remember(id: number, string: string): void {
    this.ids.set(string, id)
    while (this.strings.length < id) this.strings.push(undefined)
    this.strings[id] = string
  }

  private recordOf(id: number): number {
    return this.state.heap.word(TEXTS_RECORDS) + id * TEXT_BYTES
  }

  /** Leaves the string's units in scratch; whether they take two bytes each. */
  private write(string: string): boolean {
    const { u8, u16 } = this.state.heap
    let wide = false
    for (let i = 0; i < string.length && !wide; i++) {
      const unit = string.charCodeAt(i)
      wide = unit >= NARROW_UNITS
      u8[SCRATCH_ADDRESS + i] = unit
    }
    if (!wide) return false
    for (let i = 0; i < string.length; i++) u16[(SCRATCH_ADDRESS >> 1) + i] = string.charCodeAt(i)
    return true
  }

  /** The string as memory has it; undefined for a free id. */
  private read(id: number): string | undefined {
    const { heap } = this.state
    const record = this.recordOf(id)
    const state = heap.word(record + TEXT_STATE)
    if ((state & TEXT_LIVE) === 0) return undefined
    const length = heap.word(record + TEXT_LENGTH)
    const units = heap.word(record + TEXT_UNITS)
    const wide = (state & TEXT_WIDE) !== 0
    const from = wide
      ? heap.u16.subarray(units >> 1, (units >> 1) + length)
      : heap.u8.subarray(units, units + length)
    let string = ''
    for (let i = 0; i < length; i += UNITS_A_CALL) {
      string += String.fromCharCode(...from.subarray(i, i + UNITS_A_CALL))
    }
    return string
  }
}

/** The texts of a world, which begin with its first component that has one, or the first call about an id. */
export function makeTexts(state: Session): Texts {
  return new Texts(state)
}

/**
 * A string of at most 32,767 UTF-16 units. Default ''. Each different string is stored once in linear memory, however
 * many rows have it; the column is a Uint32Array of ids, equal for equal strings: see textId.
 */
export const text = /* @__PURE__ */ new FieldDefinition(
  'text',
  1,
  '',
  makeTexts,
) as unknown as ScalarField<'text'>
