// Owns the check of what a save says: nothing in it is believed before. Every way to load passes here, and what passes can be
// built without another look. It must never allocate by a number that it has not compared with what is there.

import { MAX_ENTITIES, MAX_TEXT_LENGTH } from '../../build/layout'
import { MAX_COMPONENT_VEC, MAX_VEC } from '../components/fields'
import { FAMILIES, type Kind, isKind } from '../components/fieldKinds'
import type { Storage } from '../components/schema'
import { STORAGE_KINDS } from '../components/storages'
import { INDEX_MASK, NULL_ENTITY } from '../memory/entity'
import { checkMaking } from './creationOrder'
import {
  NO_NUMBER,
  type SavedRows,
  type SavedField,
  type SavedLinks,
  type SavedWorld,
  refused,
  words,
} from './savedWorld'

const STORAGES = Object.keys(STORAGE_KINDS) as readonly Storage[]

type Shape = Readonly<Record<string, unknown>>

/** Throws unless a part of a save is an object. */
export function objectIn(value: unknown, what: string): Shape {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Shape
  throw refused(`${what} is no object`)
}

export function listIn(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw refused(`${what} is no list`)
}

export function stringIn(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  throw refused(`${what} is no string`)
}

/** A whole number from `least` to `most`. */
export function wholeIn(value: unknown, what: string, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most)
    return value as number
  throw refused(`${what} is no whole number from ${least} to ${most}`)
}

/** Fields as a save writes them: `{ "x": "f32", "m": "f32*16" }`. */
export function fieldsIn(value: unknown, what: string, mostValues = MAX_COMPONENT_VEC): SavedField[] {
  return Object.entries(objectIn(value, what)).map(([name, type]) => {
    const [, kind = '', length = '1'] = /^([a-z0-9]+)(?:\*([1-9]\d*))?$/.exec(stringIn(type, what)) ?? []
    if (!isKind(kind) || (kind === 'text' && length !== '1') || name === '__proto__')
      throw refused(`${what}.${name} is no field`)
    return { name, kind, length: wholeIn(+length, `${what}.${name}`, 1, mostValues) }
  })
}

/** What files call the fields. */
export function writeFields(fields: readonly SavedField[]): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name, kind, length }) => [name, length === 1 ? kind : `${kind}*${length}`]),
  )
}

function storageIn(value: unknown, name: string): Storage {
  if (STORAGES.includes(value as Storage)) return value as Storage
  throw refused(`the storage of ${name} is none of ${STORAGES.join(', ')}`)
}

/** The parts of a save that both forms write alike; columns are left to them. */
export function headIn(head: Shape) {
  const texts = listIn(head['texts'] ?? [''], 'texts').map((text) => stringIn(text, 'a text'))
  if (texts[0] !== '' || texts.some(({ length }) => length > MAX_TEXT_LENGTH))
    throw refused('a text is too long, or the first one is not empty')
  if (new Set(texts).size < texts.length) throw refused('a text is there twice')
  const components = listIn(head['components'], 'components').map((one) => {
    const { name, version = 1, storage = 'table', fields = {} } = objectIn(one, 'a component')
    const known = stringIn(name, 'the name of a component')
    return {
      name: known,
      version: wholeIn(version, `the version of ${known}`, 1, 0x7fffffff),
      storage: storageIn(storage, known),
      fields: fieldsIn(fields, known),
    }
  })
  const resources = listIn(head['resources'], 'resources').map((one) => {
    const { name, fields, value } = objectIn(one, 'a resource')
    const known = stringIn(name, 'the name of a resource')
    if (fields !== undefined && value !== undefined) throw refused(`${known} has both fields and a value`)
    return { name: known, value, fields: fields === undefined ? undefined : fieldsIn(fields, known, MAX_VEC) }
  })
  for (const named of [components, resources])
    if (new Set(named.map(({ name }) => name)).size < named.length) throw refused('a name is there twice')
  return { tick: wholeIn(head['tick'], 'tick', 0, 0xffffffff), texts, components, resources }
}

/**
 * Throws unless all rows are what a world could have: every entity once, a component once on each, a link once between two,
 * values in range, an order of making with all entities.
 *
 * @returns the numbers of the entities by their old indices, ascending
 */
export function checkSaved({
  texts,
  components,
  tables,
  pools,
  links,
  making,
  resources,
}: SavedWorld): Float64Array {
  let count = 0
  for (const { count: rows } of tables) count += rows
  if (count > MAX_ENTITIES) throw refused('it has more entities than a world')
  checkMaking(making, count)
  const pooled = new Set<number>()
  const last = new Int32Array(count)
  const claim = ([component = -1]: readonly number[]) => {
    if (pooled.has(component)) throw refused(`${components[component]?.name} is in two pools`)
    pooled.add(component)
  }
  pools.forEach(({ components: named, entities }, pool) => {
    claim(named)
    for (let row = 0; row < entities.length; row++) {
      const number = entities[row] as number
      if (number >= count || last[number] === pool + 1)
        throw refused('a pool names an entity that is not there')
      last[number] = pool + 1
    }
  })
  for (const rows of links) {
    claim(rows.components)
    checkLinks(rows, count)
  }
  for (const { components: named } of tables)
    if (named.some((component) => pooled.has(component)))
      throw refused('a component is in a table and in a pool')
  const checkRows = ({ components: named, columns, values }: SavedRows) =>
    named.forEach((component, i) => {
      if (values?.[i] !== undefined && components[component]?.fields.length !== 0)
        throw refused(`${components[component]?.name} has both fields and values`)
      components[component]?.fields.forEach(({ kind }, k) => checkColumn(kind, columns[i]?.[k], count, texts))
    })
  tables.forEach(checkRows)
  pools.forEach(checkRows)
  links.forEach(checkRows)
  for (const { fields, columns } of resources)
    fields?.forEach(({ kind }, k) => checkColumn(kind, columns[k], count, texts))
  return orderOfHandles(tables, count)
}

/**
 * Throws unless links lead from and to entities that are there, each between two of them once, and each has a turn. Of those
 * whose target is gone, a source may have several.
 */
function checkLinks({ entities, targets, turns, off }: SavedLinks, count: number): void {
  if (off.some((bits) => bits !== undefined)) throw refused('a relation is switched off')
  const taken = new Uint8Array(turns.length)
  const sources = new Uint8Array(count)
  let areSingle = true
  for (let row = 0; row < turns.length; row++) {
    const source = entities[row] as number
    const target = targets[row] as number
    const turn = turns[row] as number
    if (source >= count || (target >= count && target !== NO_NUMBER))
      throw refused('a link names an entity that is not there')
    if (turn >= turns.length || taken[turn] === 1) throw refused('the turns of links are in disorder')
    taken[turn] = 1
    areSingle &&= sources[source] === 0
    sources[source] = 1
  }
  if (areSingle) return
  // Both numbers fit into a float; a target that is gone is 0.
  const SPAN = 2 * (INDEX_MASK + 1)
  const keys = Float64Array.from(
    entities,
    (source, row) => source * SPAN + (((targets[row] as number) + 1) >>> 0),
  ).sort()
  if (keys.some((key, i) => i > 0 && key === keys[i - 1] && key % SPAN !== 0))
    throw refused('a link is there twice')
}

function checkColumn(
  kind: Kind,
  column: Uint8Array | undefined,
  count: number,
  { length }: readonly string[],
): void {
  if (column === undefined) return
  const refuseAbove = (values: Uint8Array | Uint32Array, count: number, none = -1) => {
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number
      if (value >= count && value !== none)
        throw refused(`a value is outside of the kind ${kind} of its field`)
    }
  }
  const family = FAMILIES[kind]
  switch (family) {
    case 'integer':
    case 'float':
      return
    case 'bool':
      return refuseAbove(column, 2)
    case 'text':
      return refuseAbove(words(column), length)
    case 'entity':
      return refuseAbove(words(column), count, NO_NUMBER)
    default:
      family satisfies never
  }
}

/** The numbers of the entities in the order of their old indices, of which each may be there once. */
function orderOfHandles(tables: readonly SavedRows[], count: number): Float64Array {
  // The index above the number: both fit into a float, and sorting floats takes no function.
  const keys = new Float64Array(count)
  const BELOW = INDEX_MASK + 1
  let number = 0
  let ascending = true
  for (const { entities } of tables)
    for (let row = 0; row < entities.length; row++) {
      const handle = entities[row] as number
      if (handle === NULL_ENTITY) throw refused('an entity has no handle')
      keys[number] = (handle & INDEX_MASK) * BELOW + number
      if (number > 0 && (keys[number] as number) < (keys[number - 1] as number)) ascending = false
      number++
    }
  if (!ascending) keys.sort()
  let before = -1
  for (let i = 0; i < count; i++) {
    const key = keys[i] as number
    const index = Math.trunc(key / BELOW)
    if (index === before) throw refused('two entities have handles of the same index')
    before = index
    keys[i] = key - index * BELOW
  }
  return keys
}
