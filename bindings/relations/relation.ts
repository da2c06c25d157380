// Owns the declaration of relations. It brings the machinery that keeps their links in order: a program that declares none does
// not carry it. One declaration serves any number of worlds.

import { FLAG_UPKEEP, STORAGE_SPARSE } from '../../build/layout'
import type { ManyRelation, Migrations, OnTargetDestroy, Relation } from '../components/component'
import { type Definition, checkFields, checkName, checkVersions, define } from '../components/definition'
import { type Field, entity, isField, u32 } from '../components/fields'
import { givePair } from '../components/pair'
import type { Schema } from '../components/schema'
import { type HasEach, checkOptions } from '../memory/arguments'
import { describe } from '../memory/describe'
import { NULL_ENTITY } from '../memory/entity'
import { StrataTypeError } from '../memory/errors'
import { makeUpkeep } from '../changes/apply'
import { RelationType } from './relationType'
import { Segments } from './linkMemory'

/** Options of relation() for an entity with one target at most: adding the relation with another one replaces the link. */
export interface RelationOptions {
  readonly exclusive: true
  /**
   * What happens to the sources of an entity that is destroyed: 'remove' (default) removes their links to it,
   * 'destroy' destroys them, too, and whatever depends on them in turn; 'keep' leaves them a link to a stale handle.
   */
  readonly onTargetDestroy?: OnTargetDestroy | undefined
  /** 'insertion' (default): the sources of a target are in the order in which they were linked, until world.reorder. */
  readonly order?: 'insertion' | undefined
  /** The version of the fields, which saves note: see ComponentOptions. */
  readonly version?: number | undefined
  /** How the values of earlier versions become those of the next one, for saves; the target stays. */
  readonly migrate?: Migrations | undefined
}

/** Options of relation() for an entity with any number of targets: those of an exclusive relation, but for that. */
export interface ManyRelationOptions extends Omit<RelationOptions, 'exclusive'> {
  readonly exclusive?: false | undefined
}

const OPTIONS = ['exclusive', 'onTargetDestroy', 'order', 'version', 'migrate'] as const
true satisfies HasEach<RelationOptions, typeof OPTIONS>
const POLICIES: readonly unknown[] = ['remove', 'destroy', 'keep']

/**
 * Declares a relation: links from entities, the sources, to others, their targets. An entity has any number of targets, or
 * one with `{ exclusive: true }`. A link moves no row of an archetype, and makes none; it is found, made and removed in time
 * that does not depend on how many there are. An exclusive one takes 24 bytes, and 24 more for each target; any other 32 to
 * 64, and 24 more for each source and each target.
 *
 * @param name shown in errors; in one world it must stand for one declaration
 * @param schema fields that each link has, by name; leave it out for a link without values
 * @param options exclusive, onTargetDestroy, order, version and migrate: see RelationOptions and ManyRelationOptions
 * @throws StrataTypeError INVALID_SCHEMA, INVALID_OPTION
 * @example const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
 * @example const Likes = relation('Likes', { weight: f32 })
 */
export function relation<const Name extends string = string>(
  name: Name,
  options: RelationOptions,
): Relation<Readonly<Record<never, never>>, Name>
export function relation<const Name extends string = string>(
  name: Name,
  options?: ManyRelationOptions,
): ManyRelation<Readonly<Record<never, never>>, Name>
export function relation<const S extends Schema, const Name extends string = string>(
  name: Name,
  schema: S,
  options: RelationOptions,
): Relation<S, Name>
export function relation<const S extends Schema, const Name extends string = string>(
  name: Name,
  schema: S,
  options?: ManyRelationOptions,
): ManyRelation<S, Name>
export function relation(name: string, first?: unknown, second?: unknown): unknown {
  checkName(name, 'relation')
  const what = `relation '${name}'`
  const hasSchema = second !== undefined || isSchema(first)
  const schema = (hasSchema ? first : {}) as Schema
  const options = (hasSchema ? second : first) as Omit<RelationOptions, 'exclusive'> & {
    readonly exclusive?: unknown
  }
  checkOptions(what, options, OPTIONS)
  if (typeof schema !== 'object' || schema === null) {
    throw new StrataTypeError('INVALID_SCHEMA', `${what}: the schema must be an object of fields.`)
  }
  checkFields(what, schema)
  const {
    exclusive = false,
    onTargetDestroy = 'remove',
    order = 'insertion',
    version,
    migrate,
  } = options ?? {}
  checkVersions(what, version, migrate)
  if (typeof exclusive !== 'boolean') {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `${what}: exclusive must be true or false, not ${describe(exclusive)}.`,
    )
  }
  if (!POLICIES.includes(onTargetDestroy)) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `${what}: onTargetDestroy must be 'remove', 'destroy' or 'keep', not ${describe(onTargetDestroy)}.`,
    )
  }
  if (order !== 'insertion') {
    throw new StrataTypeError('INVALID_OPTION', `${what}: order must be 'insertion', not ${describe(order)}.`)
  }
  const declared = { name, schema, version, migrate }
  const definition = exclusive
    ? declareExclusive(declared, onTargetDestroy)
    : declareMany(declared, onTargetDestroy)
  return Object.assign(definition, { onTargetDestroy, schema })
}

/** What the declarations of both kinds have in common, and those of what they bring with them. */
const HIDDEN = { storage: 'sparse', storageCode: STORAGE_SPARSE, flags: 0, tracksRows: false } as const

/** What the user has said of the links themselves. */
interface DeclaredLinks {
  readonly name: string
  readonly schema: Schema
  readonly version: number | undefined
  readonly migrate: Migrations | undefined
}

function declareExclusive(declared: DeclaredLinks, onTargetDestroy: OnTargetDestroy): Definition {
  const { name } = declared
  // A target has its first and last source, and how many there are.
  const kind = new RelationType(onTargetDestroy, listOfSources(name, [entity, entity, u32]), undefined)
  // A handle, which sweepReferences leaves alone: a link that is kept leads to its target until it is removed.
  const handle = u32.default(NULL_ENTITY)
  const definition: Definition = define({
    ...HIDDEN,
    ...declared,
    kind: 'relation',
    // The target, and the next and previous source of the same target.
    flags: FLAG_UPKEEP,
    hidden: [handle, handle, handle],
    relating: kind,
    upkeep: makeUpkeep,
    called: { [name]: (target, values) => givePair(definition, target, values) },
  })
  kind.definition = definition
  return definition
}

/** An entity's row leads to its links, which have the values. */
function declareMany(declared: DeclaredLinks, onTargetDestroy: OnTargetDestroy): Definition {
  const { name, version, migrate } = declared
  const values = define({ ...HIDDEN, ...declared, kind: 'component' })
  const ends = [u32, u32, u32]
  const kind = new RelationType(onTargetDestroy, listOfSources(name, ends), new Segments(name, values))
  const definition: Definition = define({
    ...HIDDEN,
    name,
    kind: 'relation',
    schema: {},
    version,
    migrate,
    // The first and the last link, and how many there are.
    flags: FLAG_UPKEEP,
    hidden: ends,
    relating: kind,
    upkeep: makeUpkeep,
    called: { [name]: (target, given) => givePair(definition, target, given, values) },
  })
  kind.definition = definition
  return definition
}

/** The component that targets have. */
function listOfSources(name: string, hidden: readonly Field[]): Definition {
  return define({
    ...HIDDEN,
    flags: FLAG_UPKEEP,
    name: `sources of ${name}`,
    kind: 'component',
    schema: {},
    hidden,
  })
}

/** Whether every entry is a field; options have none. */
function isSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const entries = Object.values(value)
  return entries.length > 0 && entries.every(isField)
}
