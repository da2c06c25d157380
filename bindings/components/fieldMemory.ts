// Owns reading and writing the value of a field at an address. Values were checked when they were taken.

import type { EntityArray } from '../memory/entity'
import type { Heap } from '../memory/heap'
import { isList } from '../memory/givenLists'
import { type Field, type FieldDefinition, LONG_LIST, isVec } from './fields'
import type { ColumnOf, Kind, KindIn } from './fieldKinds'

/** Writes a checked value at a byte address. */
export function storeField(heap: Heap, field: Field, address: number, value: unknown): void {
  if (field.kind === 'text') {
    // Interning may replace the arrays: the id first.
    const id = heap.texts.intern(value as string)
    heap.u32[address >> 2] = id
    return
  }
  if (!isVec(field)) {
    storeScalar(heap, field.kind, address, value as number)
    return
  }
  const array = arrayOf(heap, field.kind)
  const first = address >> field.shift
  const list = value as ArrayLike<number>
  // Where the loop does nothing set would throw: the arrays of a world that is gone are empty, as lists over it are.
  if (field.length >= LONG_LIST && array.length > 0 && list.length > 0) array.set(list, first)
  else for (let k = 0; k < field.length; k++) array[first + k] = list[k] as number
}

/** Writes the default value at a byte address. */
export function storeDefault(heap: Heap, field: Field, address: number): void {
  const { kind, length, shift, given } = field as FieldDefinition
  if (!isVec(field) || isList(given)) {
    storeField(heap, field, address, given)
    return
  }
  const first = address >> shift
  arrayOf(heap, kind).fill(Number(given), first, first + length)
}

/** Whether the default of a vec is zeros because it was given no other: then there is nothing to write. */
export function isZeroByDefault(field: Field): boolean {
  const { given } = field as FieldDefinition
  return given === false || Object.is(given, 0)
}

/** Written out: one store for all kinds would see every kind of array, and be several times slower. */
export function storeScalar(
  heap: Heap,
  kind: Exclude<Kind, KindIn<'text'>>,
  address: number,
  value: number,
): void {
  switch (kind) {
    case 'f32':
      heap.f32[address >> 2] = value
      break
    case 'f64':
      heap.f64[address >> 3] = value
      break
    case 'i32':
      heap.i32[address >> 2] = value
      break
    case 'u32':
    case 'entity':
      heap.u32[address >> 2] = value
      break
    case 'i16':
      heap.i16[address >> 1] = value
      break
    case 'u16':
      heap.u16[address >> 1] = value
      break
    case 'i8':
      heap.i8[address] = value
      break
    case 'u8':
      heap.u8[address] = value
      break
    default:
      kind satisfies 'bool'
      heap.u8[address] = value ? 1 : 0
  }
}

/** Reads a value from a byte address; a vec is a fresh copy. */
export function loadField(heap: Heap, field: Field, address: number): number | boolean | string | HeapArray {
  const { kind, shift, length } = field
  if (!isVec(field)) return loadScalar(heap, kind, address)
  const first = address >> shift
  return arrayOf(heap, kind).slice(first, first + length)
}

/** Written out, as storeScalar. */
function loadScalar(heap: Heap, kind: Kind, address: number): number | boolean | string {
  switch (kind) {
    case 'f32':
      return heap.f32[address >> 2] as number
    case 'f64':
      return heap.f64[address >> 3] as number
    case 'i32':
      return heap.i32[address >> 2] as number
    case 'u32':
    case 'entity':
      return heap.u32[address >> 2] as number
    case 'i16':
      return heap.i16[address >> 1] as number
    case 'u16':
      return heap.u16[address >> 1] as number
    case 'i8':
      return heap.i8[address] as number
    case 'u8':
      return heap.u8[address] as number
    case 'text':
      return heap.texts.at(heap.u32[address >> 2] as number)
    default:
      kind satisfies 'bool'
      return heap.u8[address] !== 0
  }
}

/** An array over all of memory. */
type HeapArray = Exclude<ColumnOf<Kind>, EntityArray>

/** The heap-wide array that holds columns of this kind. */
export function arrayOf(heap: Heap, kind: Kind): HeapArray {
  switch (kind) {
    case 'bool':
      return heap.u8
    case 'entity':
    case 'text':
      return heap.u32
    default:
      return heap[kind]
  }
}
