// Owns what a change asks of the texts of its world, and the answers of a world without texts.

import type { Definition } from '../components/definition'
import type { ValuesByComponent } from '../components/componentValues'
import type { CopiedValues } from '../components/copiedValues'
import type { Bundle } from './bundle'

/** Ids that are new: none. */
export const NO_IDS: readonly number[] = []

export interface TextSource {
  /** How many texts wait to be stored. */
  readonly promisedCount: number
  /** Forgets what it has seen: the core started over, texts were freed, or the world is gone. */
  forget(): void
  /** The string of an id in a column; an id that names no text reads as the empty string. */
  at(id: number): string
  /** The id of a string, or undefined when the world does not have it. */
  idOf(string: string): number | undefined
  /**
   * The id of a string that was checked, interned when it is new. Never grows memory while a loop is open.
   *
   * @throws LimitError MEMORY_LIMIT outside of loops
   */
  intern(string: string): number
  /**
   * Stores what was promised, now that memory may grow.
   *
   * @throws LimitError when memory ends: rows that hold one of the texts which found no room read as '' then
   */
  keepPromised(): void
  /**
   * Interns every text among the values given for a bundle, before anything changes.
   *
   * @returns the ids that are new, for takeBack
   * @throws LimitError, and nothing is interned
   */
  prepareGiven(bundle: Bundle, given: ValuesByComponent): readonly number[]
  /** Interns the texts among the values of one component; `made` are the new ids of those before it. */
  prepare(
    definition: Definition,
    values: CopiedValues | undefined,
    made?: readonly number[],
  ): readonly number[]
  prepareDefaults(definition: Definition): readonly number[]
  /** Forgets texts that were interned for a change that could not be made. */
  takeBack(made: readonly number[]): void
}

/** Begins the texts of a world with a component that has one. */
type BeginTexts = (definition: Definition) => TextSource

/** Of a world that has not met a component with a text: it begins its texts when one is given. */
export class NoTexts implements TextSource {
  readonly promisedCount = 0

  constructor(private readonly begin: BeginTexts) {}

  forget(): void {}

  at(): string {
    return ''
  }

  idOf(): undefined {
    return undefined
  }

  /** Never asked: a value of a text field is taken when its component has been met. */
  intern(): number {
    return 0
  }

  keepPromised(): void {}

  prepareGiven(bundle: Bundle, given: ValuesByComponent): readonly number[] {
    if (given === undefined || !bundle.hasTexts) return NO_IDS
    const first = bundle.definitions.find(({ hasTexts }) => hasTexts) as Definition
    return this.begin(first).prepareGiven(bundle, given)
  }

  prepare(
    definition: Definition,
    values: CopiedValues | undefined,
    made: readonly number[] = NO_IDS,
  ): readonly number[] {
    return definition.hasTexts ? this.begin(definition).prepare(definition, values, made) : made
  }

  prepareDefaults(definition: Definition): readonly number[] {
    return definition.hasTexts ? this.begin(definition).prepareDefaults(definition) : NO_IDS
  }

  takeBack(): void {}
}
