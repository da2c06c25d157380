// Owns the bytes of a save: a head of 24 bytes, a description in JSON, then columns, and the checksum of them all: CRC-32, as zip
// and PNG compute it. docs/internals/save-format.md shows every byte. It must never read a length that it has not compared with
// the rest of the file, nor take the checksum for a seal.

import { fromUtf8, utf8 } from '../memory/encodings'
import { headIn, listIn, objectIn, wholeIn, writeFields } from './checkSaved'
import {
  type SavedComponent,
  type SavedField,
  type SavedLinks,
  type SavedRows,
  type SavedValues,
  type SavedWorld,
  checkFormat,
  refused,
  versionOf,
  widthOf,
  words,
} from './savedWorld'

const MAGIC = [0x89, 0x53, 0x54, 0x52, 0x41, 0x54, 0x41, 0x0a]
const VERSION_WORD = 2
const CHECKSUM_WORD = 3
const LENGTH_WORD = 4
const DESCRIPTION_WORD = 5
const HEAD_BYTES = 24
/** The checksum covers all bytes from this one on. */
const SUMMED = 16
const U32_FIELD: SavedField = { name: '', kind: 'u32', length: 1 }
const BITS_FIELD: SavedField = { name: '', kind: 'u8', length: 1 }
// One for all: a save of many small tables would make thousands of each.
const NO_WORDS = /* @__PURE__ */ new Uint32Array(0)
const NO_COLUMNS: readonly Uint8Array[] = []

/** A column, and what its values are multiples of. */
interface Piece {
  readonly bytes: Uint8Array
  readonly width: number
}

/** The bytes of a save. Equal saves have equal bytes. */
export function toBytes(saved: SavedWorld): Uint8Array<ArrayBuffer> {
  const { components, tables, pools, links, making, resources } = saved
  const pieces: Piece[] = []
  const addNumbers = ({ buffer, byteOffset, byteLength }: Uint32Array) =>
    pieces.push({ bytes: new Uint8Array(buffer, byteOffset, byteLength), width: 4 })
  const describe = (rows: SavedRows, ...more: Uint32Array[]) => {
    const { count, entities, columns, off } = rows
    for (const numbers of [entities, ...more]) addNumbers(numbers)
    const switched: number[] = []
    rows.components.forEach((component, i) => {
      addColumns(components[component]?.fields ?? [], columns[i] ?? [])
      const bytes = off[i]
      if (bytes === undefined) return
      pieces.push({ bytes, width: 1 })
      switched.push(component)
    })
    return {
      rows: count,
      components: rows.components,
      off: switched.length > 0 ? switched : undefined,
      values: rows.values && Object.fromEntries(rows.components.map((place, i) => [place, rows.values?.[i]])),
    }
  }
  const describeMaking = () => {
    if (making !== undefined) addNumbers(making)
    return making?.length
  }
  const addColumns = (fields: readonly SavedField[], columns: readonly Uint8Array[]) =>
    fields.forEach((field, k) =>
      pieces.push({ bytes: columns[k] as Uint8Array, width: widthOf({ ...field, length: 1 }) }),
    )
  const description = utf8(
    JSON.stringify({
      tick: saved.tick,
      texts: saved.texts,
      components: components.map((one) => ({ ...one, fields: writeFields(one.fields) })),
      tables: tables.map((rows) => describe(rows)),
      pools: pools.map((rows) => describe(rows)),
      links: links.length > 0 ? links.map((rows) => describe(rows, rows.targets, rows.turns)) : undefined,
      making: describeMaking(),
      resources: resources.map(({ name, fields, columns, value }) => {
        if (fields === undefined) return { name, value }
        addColumns(fields, columns)
        return { name, fields: writeFields(fields) }
      }),
    }),
  )
  let length = HEAD_BYTES + description.length
  for (const { bytes, width } of pieces) length = aligned(length, width) + bytes.length
  const file = new Uint8Array(length)
  const head = new Uint32Array(file.buffer, 0, HEAD_BYTES / 4)
  file.set(MAGIC)
  head[VERSION_WORD] = versionOf(saved)
  head[LENGTH_WORD] = length
  head[DESCRIPTION_WORD] = description.length
  file.set(description, HEAD_BYTES)
  let at = HEAD_BYTES + description.length
  for (const { bytes, width } of pieces) {
    at = aligned(at, width)
    file.set(bytes, at)
    at += bytes.length
  }
  head[CHECKSUM_WORD] = checksum(file.subarray(SUMMED))
  return file
}

function aligned(offset: number, width: number): number {
  return Math.ceil(offset / width) * width
}

/**
 * What the bytes of a save say, as far as it can be told without looking at values: see checkSaved.
 *
 * @param file must not be written to afterwards: the columns that are returned are views of it
 * @throws StrataError SAVE_REFUSED
 */
export function fromBytes(file: Uint8Array<ArrayBuffer>): SavedWorld {
  const description = describedIn(file)
  const head = objectIn(description, 'its description')
  const { components, resources, tick, texts } = headIn(head)
  let at = HEAD_BYTES + (wordsOf(file)[DESCRIPTION_WORD] as number)
  const take = (count: number, field: SavedField): Uint8Array => {
    const width = widthOf(field)
    const start = aligned(at, width / field.length)
    at = start + count * width
    if (at > file.length) throw refused('it ends too early')
    return file.subarray(start, at)
  }
  const rowsIn = (value: unknown, linked: boolean): SavedLinks => {
    const { rows, components: named, off = [], values: given } = objectIn(value, 'a table')
    const count = wholeIn(rows, 'a number of rows', 1, file.length)
    const places = placesIn(named, components.length)
    const switched = new Set(placesIn(off, components.length))
    const entities = words(take(count, U32_FIELD))
    const targets = linked ? words(take(count, U32_FIELD)) : NO_WORDS
    const turns = linked ? words(take(count, U32_FIELD)) : NO_WORDS
    const bits: (Uint8Array | undefined)[] = []
    const columns = places.map((place, i) => {
      const fields = (components[place] as SavedComponent).fields
      const taken = fields.length === 0 ? NO_COLUMNS : fields.map((field) => take(count, field))
      if (switched.size > 0 && switched.delete(place)) bits[i] = take((count + 7) >> 3, BITS_FIELD)
      return taken
    })
    if (switched.size > 0) throw refused('a component is switched off that is not there')
    const values = given === undefined ? undefined : objectsIn(given, places, linked ? -1 : count)
    return { count, components: places, entities, targets, turns, columns, off: bits, values }
  }
  const tables = listIn(head['tables'], 'tables').map((rows) => rowsIn(rows, false))
  const pools = listIn(head['pools'], 'pools').map((rows) => rowsIn(rows, false))
  const links = listIn(head['links'] ?? [], 'links').map((rows) => rowsIn(rows, true))
  if ([...pools, ...links].some((rows) => rows.components.length !== 1))
    throw refused('a pool is not of one component')
  const making =
    head['making'] === undefined
      ? undefined
      : words(take(wholeIn(head['making'], 'the length of the order of making', 1, file.length), U32_FIELD))
  const known = resources.map((resource) => ({
    ...resource,
    columns: (resource.fields ?? []).map((field) => take(1, field)),
  }))
  if (at !== file.length) throw refused('there is more in it than it says')
  const saved = { tick, texts, components, tables, pools, links, making, resources: known }
  // The checksum does not cover the version, and a wrong bit may make a known one of another.
  if (wordsOf(file)[VERSION_WORD] !== versionOf(saved))
    throw refused('its format has not the version that goes with what is in it')
  return saved
}

function wordsOf(file: Uint8Array<ArrayBuffer>): Uint32Array {
  return new Uint32Array(file.buffer, 0, HEAD_BYTES / 4)
}

function describedIn(file: Uint8Array<ArrayBuffer>): unknown {
  if (file.length < HEAD_BYTES || MAGIC.some((byte, i) => file[i] !== byte))
    throw refused('it is no save file')
  const head = wordsOf(file)
  checkFormat(head[VERSION_WORD])
  if (head[LENGTH_WORD] !== file.length)
    throw refused(`it has ${file.length} bytes, not ${head[LENGTH_WORD]}`)
  if (head[CHECKSUM_WORD] !== checksum(file.subarray(SUMMED)))
    throw refused('its checksum is wrong: load another copy')
  const end = HEAD_BYTES + (head[DESCRIPTION_WORD] as number)
  if (end > file.length) throw refused('it ends too early')
  try {
    return JSON.parse(fromUtf8(file.subarray(HEAD_BYTES, end)))
  } catch (cause) {
    throw refused('its description is not JSON', cause)
  }
}

/** The values of objects: for each component with some, one a row. */
function objectsIn(given: unknown, places: readonly number[], rows: number): SavedValues {
  const byPlace = objectIn(given, 'the values of objects')
  const named = Object.keys(byPlace)
  if (named.length === 0 || named.some((place) => !places.map(String).includes(place)))
    throw refused('an object has a value that is not there')
  return places.map((place) => {
    if (byPlace[place] === undefined) return undefined
    const list = listIn(byPlace[place], 'the values of an object component')
    if (list.length === rows) return list
    throw refused(`an object component has ${list.length} values in ${rows} rows`)
  })
}

/** Ascending places in a list of some length. */
function placesIn(value: unknown, length: number): number[] {
  let least = 0
  return listIn(value, 'components').map((place) => {
    const known = wholeIn(place, 'the place of a component', least, length - 1)
    least = known + 1
    return known
  })
}

/** How many bytes a step takes. */
const SLICE = 8
type CrcTable = Int32Array
type Tables = [CrcTable, CrcTable, CrcTable, CrcTable, CrcTable, CrcTable, CrcTable, CrcTable]
const POLYNOMIAL = 0xedb88320
let tables: readonly Int32Array[] | undefined

/** What each byte adds to the sum when 0 to 7 bytes follow it: slicing-by-8, by Kounavis and Berry (2005). */
function makeTables(): readonly Int32Array[] {
  const made = Array.from({ length: SLICE }, () => new Int32Array(256))
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? POLYNOMIAL : 0)
    ;(made[0] as Int32Array)[byte] = sum
  }
  for (let k = 1; k < SLICE; k++)
    for (let byte = 0; byte < 256; byte++) {
      const before = made[k - 1]?.[byte] as number
      ;(made[k] as Int32Array)[byte] = (before >>> 8) ^ (made[0]?.[before & 0xff] as number)
    }
  return made
}

/** The CRC-32 of bytes, which begin at a multiple of 4 in their buffer: from 0 to 2^32 - 1. */
export function checksum(bytes: Uint8Array): number {
  const [a, b, c, d, e, f, g, h] = (tables ??= makeTables()) as Tables
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  const end = words.length & ~1
  let sum = -1
  for (let i = 0; i < end; i += 2) {
    const one = sum ^ (words[i] as number)
    const two = words[i + 1] as number
    sum =
      (h[one & 0xff] as number) ^
      (g[(one >>> 8) & 0xff] as number) ^
      (f[(one >>> 16) & 0xff] as number) ^
      (e[one >>> 24] as number) ^
      (d[two & 0xff] as number) ^
      (c[(two >>> 8) & 0xff] as number) ^
      (b[(two >>> 16) & 0xff] as number) ^
      (a[two >>> 24] as number)
  }
  for (let i = end << 2; i < bytes.length; i++)
    sum = (sum >>> 8) ^ (a[(sum ^ (bytes[i] as number)) & 0xff] as number)
  return ~sum >>> 0
}
