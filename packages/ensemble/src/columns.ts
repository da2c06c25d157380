// Owns the columns of results: their Arrow types, rows while they are collected and checked, and rows as a record batch.

import { inspect } from 'node:util'
import {
  Bool,
  type Data,
  type DataType,
  Field,
  Float32,
  Float64,
  Int16,
  Int32,
  Int8,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Uint16,
  Uint32,
  Uint8,
  Utf8,
  makeData,
  vectorFromArray,
} from 'apache-arrow'
import type { ColumnKind, Kinds, ParameterValue, ParameterValues } from './definition.js'
import { EnsembleError } from './errors.js'
import type { Type } from './limits.js'

/** How the values of a kind are stored. */
interface Storage {
  type: DataType
  array?: { from(values: readonly number[]): ArrayBufferView }
  range?: readonly [number, number]
}

/** The Arrow type and the array of each kind; of whole numbers also the least and the greatest. */
const TYPES: Record<ColumnKind, Storage> = {
  i8: { type: new Int8(), array: Int8Array, range: [-128, 127] },
  u8: { type: new Uint8(), array: Uint8Array, range: [0, 255] },
  i16: { type: new Int16(), array: Int16Array, range: [-32768, 32767] },
  u16: { type: new Uint16(), array: Uint16Array, range: [0, 65535] },
  i32: { type: new Int32(), array: Int32Array, range: [-2147483648, 2147483647] },
  u32: { type: new Uint32(), array: Uint32Array, range: [0, 4294967295] },
  f32: { type: new Float32(), array: Float32Array },
  f64: { type: new Float64(), array: Float64Array },
  bool: { type: new Bool() },
  text: { type: new Utf8() },
}

/** The kind in which the values of a parameter are stored. */
export const PARAMETER_KINDS: Record<Type, ColumnKind> = { number: 'f64', string: 'text', boolean: 'bool' }

export function schemaOf(kinds: Kinds): Schema {
  return new Schema(Object.entries(kinds).map(([name, kind]) => new Field(name, TYPES[kind].type, false)))
}

/** The kinds of all columns of a row: what every row has, the parameters, and what the run returns. */
export function allKinds(parameters: ParameterValues, columns: Kinds): Kinds {
  const ofParameters = Object.entries(parameters).map(([name, value]) => [
    name,
    PARAMETER_KINDS[typeof value as Type],
  ])
  return {
    key: 'text',
    index: 'u32',
    seed: 'u32',
    ...(Object.fromEntries(ofParameters) as Kinds),
    ...columns,
  }
}

/** Rows that are being collected: a list of values for each column. */
export class Rows {
  readonly kinds: Kinds
  readonly names: string[]
  readonly values: Record<string, ParameterValue[]>
  length = 0

  constructor(kinds: Kinds) {
    this.kinds = kinds
    this.names = Object.keys(kinds)
    this.values = Object.fromEntries(this.names.map((name) => [name, []]))
  }

  /**
   * Adds what a run returned or yielded.
   *
   * @throws EnsembleError BAD_ROW, and nothing is added
   */
  add(row: unknown): void {
    if (typeof row !== 'object' || row === null) {
      throw new EnsembleError(
        'BAD_ROW',
        `A row must be an object with ${this.names.join(', ')}, not ${shown(row)}.`,
      )
    }
    // Read once: what was checked is what is kept, even if a getter answers differently each time.
    const values = this.names.map((name) => (row as Record<string, unknown>)[name])
    this.names.forEach((name, i) => this.#check(name, values[i]))
    for (const name of Object.keys(row)) {
      if (!Object.hasOwn(this.kinds, name)) {
        throw new EnsembleError(
          'BAD_ROW',
          `The row has '${name}', which is no column: declare it in columns.`,
        )
      }
    }
    this.names.forEach((name, i) => this.values[name]!.push(values[i] as ParameterValue))
    this.length++
  }

  #check(name: string, value: unknown): void {
    const kind = this.kinds[name]!
    if (canHold(kind, value)) return
    throw new EnsembleError('BAD_ROW', `The column '${name}' is ${kind}, which cannot hold ${shown(value)}.`)
  }

  /**
   * Adds rows that were checked before, with values for the columns that they do not have.
   *
   * @param common the same for all of them
   */
  append(common: ParameterValues, rows: Pick<Rows, 'values' | 'length'>): void {
    for (const name of this.names) {
      const column = this.values[name]!
      const values = Object.hasOwn(rows.values, name) ? rows.values[name] : undefined
      for (let i = 0; i < rows.length; i++) column.push(values ? values[i]! : common[name]!)
    }
    this.length += rows.length
  }
}

/** Half of a pair of UTF-16 units without its other half, for which UTF-8 has no bytes; and a mark that readers take away. */
const LOST_IN_UTF_8 = /\p{Surrogate}|^\uFEFF/u

/** Whether a text comes back as it is from the bytes of an Arrow table. */
export const isLasting = (text: string): boolean => !LOST_IN_UTF_8.test(text)

/** Whether a column of a kind gives a value back as it is, or as near as its precision allows. */
function canHold(kind: ColumnKind, value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string' && isLasting(value)
  if (kind === 'bool') return typeof value === 'boolean'
  if (typeof value !== 'number') return false
  if (kind === 'f32') return !Number.isFinite(value) || Number.isFinite(Math.fround(value))
  const { range } = TYPES[kind]
  return !range || (Number.isInteger(value) && value >= range[0] && value <= range[1])
}

const SHOWN_LETTERS = 80

/** A value of any kind, in a sentence. */
export function shown(value: unknown): string {
  const text = inspect(value, { depth: 0, breakLength: Infinity, maxStringLength: SHOWN_LETTERS })
  return text.length <= SHOWN_LETTERS ? text : `${text.slice(0, SHOWN_LETTERS)}…`
}

function dataOf(kind: ColumnKind, values: readonly ParameterValue[]): Data {
  const { type, array } = TYPES[kind]
  if (!array) return vectorFromArray(values, type).data[0]!
  const data = array.from(values as number[]) as Float64['TArray']
  return makeData({ type: type as Float64, length: values.length, nullCount: 0, data })
}

export function recordBatchOf(schema: Schema, rows: Rows): RecordBatch {
  const children = rows.names.map((name) => dataOf(rows.kinds[name]!, rows.values[name]!))
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children }),
  )
}

/** The eight bytes with which a stream ends. */
const END_BYTES = 8

/** A record batch as bytes, and the bytes that a stream of such batches begins with. */
export function encodeBatch(batch: RecordBatch): { head: Uint8Array; body: Uint8Array } {
  const bytes = RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true)
  const head = 8 + new DataView(bytes.buffer, bytes.byteOffset).getInt32(4, true)
  return { head: bytes.subarray(0, head), body: bytes.subarray(head, bytes.length - END_BYTES) }
}
