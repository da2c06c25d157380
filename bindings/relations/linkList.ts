// Owns what stands in place of pairs where a change concerns several links of an entity: all the links that it is to have, some
// more, or some to end while others stay.

import { ComponentValue } from '../components/componentValues'
import type { CopiedValues } from '../components/copiedValues'
import type { Definition } from '../components/definition'
import { targetIn } from '../components/pair'
import { type ListedColumn, valuesAt } from '../components/valueLists'
import type { RowRef } from '../cursors/rowRef'
import { StrataTypeError } from '../memory/errors'
import { namedTwice } from '../state/bundle'
import type { Registry } from '../state/registry'
import type { TextSource } from '../state/textSource'
import { writeListed } from '../values/bulkValues'
import { writeRow } from '../values/rowValues'

/** Its values are by link. */
const BY_LINK: CopiedValues = []

/** In place of a pair: links to several targets, each named once. */
export class LinkList extends ComponentValue {
  constructor(
    private readonly definition: Definition,
    readonly targets: ArrayLike<number>,
    /** What has the fields of a link. */
    private readonly fields: Definition,
    /** The values of each link, by column or by link; undefined without any. */
    private readonly columns: readonly ListedColumn[] | undefined,
    readonly rows: readonly (CopiedValues | undefined)[] | undefined,
    /** Whether the entity is to have no others. */
    readonly isWhole: boolean,
  ) {
    super(definition as never, (columns ?? rows?.find((values) => values)) ? BY_LINK : undefined)
  }

  get hasValues(): boolean {
    return this.values !== undefined
  }

  /** The targets of an entity that had these, in their order. */
  targetsAfter(before: readonly number[]): readonly number[] {
    const targets = Array.from(this.targets)
    return this.isWhole ? targets : [...new Set([...before, ...targets])]
  }

  /** The values of one link; undefined without any. */
  valuesAt(place: number): CopiedValues | undefined {
    return this.columns === undefined ? this.rows?.[place] : valuesAt(this.fields, this.columns, place)
  }

  /** Interns the texts of all links. Returns the new ones. */
  prepareTexts(texts: TextSource): readonly number[] {
    let made: readonly number[] = []
    for (let i = 0; this.fields.hasTexts && i < this.targets.length; i++)
      made = texts.prepare(this.fields, this.valuesAt(i), made)
    return made
  }

  /** Writes the values of one link to its row. */
  writeValues(ref: RowRef, place: number): void {
    if (this.columns !== undefined && !this.fields.hasTexts) return writeListed(ref, 1, this.columns, place)
    const values = this.valuesAt(place)
    if (values !== undefined) writeRow(ref, values)
  }

  /** Those links whose targets pass a test: itself if all do. */
  only(test: (target: number) => boolean): LinkList {
    const places = Array.from(this.targets, (_, i) => i).filter((i) => test(this.targets[i] as number))
    if (places.length === this.targets.length) return this
    const targets = places.map((i) => this.targets[i] as number)
    const rows = this.hasValues ? places.map((i) => this.valuesAt(i)) : undefined
    return new LinkList(this.definition, targets, this.fields, undefined, rows, this.isWhole)
  }
}

/** The targets in what was given for a relation. */
export function targetsIn(ingredient: unknown): ArrayLike<number> {
  if (ingredient instanceof LinkList) return ingredient.targets
  const target = targetIn(ingredient)
  return target === undefined ? [] : [target]
}

/** What is left of what was given for a relation when some targets are dead; undefined if none of them is alive. */
export function livingIn(state: Registry, ingredient: unknown): unknown {
  if (ingredient instanceof LinkList) {
    const left = ingredient.only((target) => state.isAlive(target))
    return left.targets.length === 0 ? undefined : left
  }
  const target = targetIn(ingredient)
  return target === undefined || state.isAlive(target) ? ingredient : undefined
}

/**
 * Joins a pair at a place of a call's list with an earlier one of the same relation, which stands for both from then on.
 *
 * @throws StrataTypeError DUPLICATE_COMPONENT for a target that is named twice, and for a relation without one
 */
export function joinLinks(
  definition: Definition,
  fields: Definition,
  ingredients: unknown[],
  place: number,
  operation: string,
): void {
  const [pair] = ingredients.splice(place, 1)
  const first = ingredients.findIndex(
    (one) => one instanceof ComponentValue && one.component === (definition as unknown),
  )
  const earlier = ingredients[first]
  const known = earlier instanceof LinkList ? earlier : undefined
  const targets = known === undefined ? [targetIn(earlier)] : Array.from(known.targets)
  const target = targetIn(pair)
  if (target === undefined || targets[0] === undefined) throw namedTwice(definition, operation)
  if (targets.includes(target)) throw linkedTwice(definition, target, operation)
  const rows = known?.rows ?? [(earlier as ComponentValue).values as CopiedValues | undefined]
  ingredients[first] = new LinkList(
    definition,
    [...(targets as number[]), target],
    fields,
    undefined,
    [...rows, (pair as ComponentValue).values as CopiedValues | undefined],
    false,
  )
}

/** The error for a link that a call names twice. */
export function linkedTwice(
  { componentName: name }: Definition,
  target: number,
  operation: string,
): StrataTypeError {
  return new StrataTypeError(
    'DUPLICATE_COMPONENT',
    `${operation} names ${name}(${target}) twice: an entity has one link of a relation to another one. Name each target once.`,
  )
}

/** In place of a pair: the entity has the relation, and keeps it, but for the links to these targets. */
export class PartialUnlink extends ComponentValue {
  constructor(
    definition: Definition,
    readonly targets: readonly number[],
  ) {
    super(definition as never, undefined)
  }
}
