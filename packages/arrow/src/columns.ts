// Owns the columns of a table while it is made: values, nulls, and the Arrow type that a kind of field becomes.

import {
  Bool,
  type Data,
  type DataType,
  Dictionary,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int16,
  Int32,
  Int8,
  Uint16,
  Uint32,
  Uint8,
  Utf8,
  Vector,
  makeData,
} from 'apache-arrow'
import type { Kind, KindIn } from '../../../bindings/components/fieldKinds'
import { utf8 } from '../../../bindings/memory/encodings'
import type { ArrowComponent, ArrowField, ArrowSource, NumberColumn, ArrowRun } from './source'

/** A record batch while it is made. */
export interface ArrowBatch {
  rows: number
  /** Rows that there will be, as far as is known. */
  readonly capacity: number
  /** Whether it is of one run, whose columns need not be copied. */
  readonly isView: boolean
}

export interface ArrowColumn {
  /** Begins another batch. */
  begin(batch: ArrowBatch): void
  /** Takes the rows of a run in, as those from `at` on of the last batch. */
  take(run: ArrowRun, at: number): void
  /** After all batches are complete. */
  field(): Field
  data(batch: number, rows: number): Data
}

const ARRAYS: Readonly<Record<Kind, new (length: number) => NumberColumn>> = {
  f32: Float32Array,
  f64: Float64Array,
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  bool: Uint8Array,
  entity: Uint32Array,
  // Places in the dictionary.
  text: Int32Array,
}

const TYPES: Readonly<Record<Exclude<Kind, KindIn<'text'>>, () => DataType>> = {
  f32: () => new Float32(),
  f64: () => new Float64(),
  i8: () => new Int8(),
  u8: () => new Uint8(),
  i16: () => new Int16(),
  u16: () => new Uint16(),
  i32: () => new Int32(),
  u32: () => new Uint32(),
  bool: () => new Bool(),
  entity: () => new Uint32(),
}

export const entityColumn = (): ArrowColumn =>
  new ColumnBuilder('entity', 'entity', 1, false, (run, column, at) =>
    column.takeColumn(run.entities as NumberColumn, run, at),
  )

/** A column of one handle a row, which `read` gives; undefined for none. */
export function handleColumn(
  title: string,
  mayLack: boolean,
  read: (entity: number) => number | undefined,
): ArrowColumn {
  return new ColumnBuilder(title, 'entity', 1, mayLack, ({ entities, start, end }, column, at) => {
    for (let row = start; row < end; row++) column.takeRow(read(entities[row] as number), at++)
  })
}

export function fieldColumn(component: ArrowComponent, field: ArrowField, source: ArrowSource): ArrowColumn {
  const { definition, isColumn, mayLack } = component
  const { name, kind, length } = field
  const takeColumn = (run: ArrowRun, column: ColumnBuilder, at: number) =>
    column.takeColumn(run.read(definition)?.[name], run, at)
  const takeRows = (run: ArrowRun, column: ColumnBuilder, at: number) => {
    const cursor = run.cursor(definition)
    for (let row = run.start; row < run.end; row++) column.takeRow(cursor.at(row)?.[name], at++)
  }
  const Kinded = kind === 'text' ? TextColumn : ColumnBuilder
  const title = `${definition.componentName}.${name}`
  return new Kinded(title, kind, length, mayLack, isColumn ? takeColumn : takeRows, source.textOf)
}

/** What a batch has of a column. */
class ColumnPiece {
  values: NumberColumn
  /** 1 for a row without a value, by rows; undefined while all have one. */
  lacks: Uint8Array | undefined
  nulls = 0

  constructor(
    private readonly Values: new (length: number) => NumberColumn,
    private readonly width: number,
    readonly capacity: number,
    readonly isView: boolean,
  ) {
    // Views need no room; those that turn out not to be views make it then.
    this.values = new Values(isView ? 0 : capacity * width)
  }

  /** Room for so many rows. */
  reserve(rows: number): NumberColumn {
    const { values, width, capacity } = this
    if (values.length >= rows * width) return values
    this.values = new this.Values(Math.max(capacity, rows) * width)
    this.values.set(values)
    return this.values
  }

  lack(from: number, to: number): void {
    this.reserve(to)
    if (this.lacks === undefined || this.lacks.length < to) {
      const longer = new Uint8Array(Math.max(this.capacity, to))
      longer.set(this.lacks ?? [])
      this.lacks = longer
    }
    this.lacks.fill(1, from, to)
    this.nulls += to - from
  }
}

type Take = (run: ArrowRun, column: ColumnBuilder, at: number) => void

class ColumnBuilder implements ArrowColumn {
  private readonly pieces: ColumnPiece[] = []
  private type: DataType | undefined

  constructor(
    private readonly title: string,
    private readonly kind: Kind,
    private readonly length: number,
    private readonly mayLack: boolean,
    private readonly from: Take,
    protected readonly textOf: (id: number) => string = String,
  ) {}

  begin({ capacity, isView }: ArrowBatch): void {
    this.pieces.push(new ColumnPiece(ARRAYS[this.kind], this.length, capacity, isView))
  }

  take(run: ArrowRun, at: number): void {
    this.from(run, this, at)
  }

  /** The rows of a run, of a column that has them from start to end; undefined where the run has none. */
  takeColumn(column: NumberColumn | undefined, { start, end }: ArrowRun, at: number): void {
    const { length, piece } = this
    const to = at + end - start
    if (column === undefined) return piece.lack(at, to)
    const values = column.subarray(start * length, end * length)
    if (piece.isView && this.kind !== 'text') piece.values = values
    else this.put(piece.reserve(to), values, at * length)
  }

  /** One row that was reached by itself; undefined where its entity lacks the component. */
  takeRow(value: unknown, at: number): void {
    const { length, piece } = this
    if (value === undefined) return piece.lack(at, at + 1)
    const values = piece.reserve(at + 1)
    if (length > 1) values.set(value as ArrayLike<number>, at * length)
    else values[at] = this.numberOf(value)
  }

  field(): Field {
    return new Field(this.title, this.arrowType(), this.mayLack)
  }

  data(batch: number, rows: number): Data {
    const { length } = this
    const { values, lacks, nulls } = this.pieces[batch] as ColumnPiece
    const type = this.arrowType()
    const common = {
      length: rows,
      nullCount: nulls,
      ...(lacks && { nullBitmap: packed(rows, (row) => lacks[row] === 0) }),
    }
    const item = (type: DataType, count: number) => ({
      type,
      data: this.kind === 'bool' ? packed(count, (k) => values[k] !== 0) : values.subarray(0, count),
    })
    if (length === 1) return makeData({ ...common, ...item(type, rows), ...this.dictionary() } as never)
    const { children } = type as FixedSizeList
    const child = makeData({
      ...item((children[0] as Field<DataType>).type, rows * length),
      length: rows * length,
      nullCount: 0,
    } as never)
    return makeData({ ...common, type, child } as never)
  }

  /** Writes values of rows, as the world has them. */
  protected put(target: NumberColumn, values: NumberColumn, at: number): void {
    target.set(values, at)
  }

  protected numberOf(value: unknown): number {
    return Number(value)
  }

  /** What makeData takes in addition. */
  protected dictionary(): object {
    return {}
  }

  protected makeType(): DataType {
    const item = TYPES[this.kind as Exclude<Kind, KindIn<'text'>>]()
    return this.length === 1 ? item : new FixedSizeList(this.length, new Field('item', item, false))
  }

  private arrowType(): DataType {
    return (this.type ??= this.makeType())
  }

  private get piece(): ColumnPiece {
    return this.pieces.at(-1) as ColumnPiece
  }
}

/** Texts: each string once for the whole table, and its place there in every row. */
class TextColumn extends ColumnBuilder {
  private readonly strings: string[] = []
  private readonly places = new Map<string, number>()
  /** By the ids of the world. */
  private readonly placesOfIds = new Map<number, number>()

  protected override put(target: NumberColumn, ids: NumberColumn, at: number): void {
    for (let k = 0; k < ids.length; k++) target[at + k] = this.placeOfId(ids[k] as number)
  }

  protected override numberOf(value: unknown): number {
    return this.placeOf(value as string)
  }

  protected override makeType(): DataType {
    return new Dictionary(new Utf8(), new Int32())
  }

  protected override dictionary(): object {
    return { dictionary: (this.words ??= textsAsVector(this.strings)) }
  }
  private words: unknown

  private placeOfId(id: number): number {
    let place = this.placesOfIds.get(id)
    if (place === undefined) this.placesOfIds.set(id, (place = this.placeOf(this.textOf(id))))
    return place
  }

  private placeOf(string: string): number {
    let place = this.places.get(string)
    if (place === undefined) {
      this.places.set(string, (place = this.strings.length))
      this.strings.push(string)
    }
    return place
  }
}

/**
 * A vector of texts. Arrow's own way, vectorFromArray, compiles a function from a text, which a page with a content
 * security policy refuses.
 */
function textsAsVector(texts: readonly string[]): Vector<Utf8> {
  const encoded = texts.map((text) => utf8(text))
  const valueOffsets = new Int32Array(texts.length + 1)
  encoded.forEach(({ length }, i) => (valueOffsets[i + 1] = (valueOffsets[i] as number) + length))
  const data = new Uint8Array(valueOffsets[texts.length] as number)
  encoded.forEach((bytes, i) => data.set(bytes, valueOffsets[i]))
  return new Vector([makeData({ type: new Utf8(), length: texts.length, nullCount: 0, valueOffsets, data })])
}

/** Bits, from the lowest of the first byte on. */
export function packed(count: number, isSet: (k: number) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(count / 8))
  for (let k = 0; k < count; k++) if (isSet(k)) bits[k >> 3] = (bits[k >> 3] as number) | (1 << (k & 7))
  return bits
}
