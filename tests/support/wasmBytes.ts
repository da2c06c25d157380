// Writes wasm modules byte by byte: sections, numbers, names. Whether a module is valid, WebAssembly decides.

export type Bytes = number[]

export const I32 = 0x7f
export const I64 = 0x7e
export const F32 = 0x7d
export const F64 = 0x7c
export const V128 = 0x7b
export const FUNCREF = 0x70
export const EXTERNREF = 0x6f

export function unsigned(value: number): Bytes {
  const bytes: Bytes = []
  do {
    const rest = Math.floor(value / 128)
    bytes.push((value % 128) + (rest > 0 ? 128 : 0))
    value = rest
  } while (value > 0)
  return bytes
}

export function signed(value: number): Bytes {
  const bytes: Bytes = []
  for (;;) {
    const byte = value & 0x7f
    value >>= 7
    if ((value === 0 && byte < 0x40) || (value === -1 && byte >= 0x40)) return [...bytes, byte]
    bytes.push(byte | 0x80)
  }
}

export function name(text: string): Bytes {
  const bytes = new TextEncoder().encode(text)
  return [...unsigned(bytes.length), ...bytes]
}

export function list(items: readonly Bytes[]): Bytes {
  return [...unsigned(items.length), ...items.flat()]
}

export const functionType = (parameters: Bytes, results: Bytes): Bytes => [
  0x60,
  ...unsigned(parameters.length),
  ...parameters,
  ...unsigned(results.length),
  ...results,
]

/** What an import, or an export, is. */
export const FUNCTION = 0
export const TABLE = 1
export const MEMORY = 2
export const GLOBAL = 3

export const imported = (module: string, field: string, kind: number, ...description: Bytes): Bytes => [
  ...name(module),
  ...name(field),
  kind,
  ...description,
]
export const exported = (field: string, kind: number, index: number): Bytes => [
  ...name(field),
  kind,
  ...unsigned(index),
]

/** A body from its local variables, pairs of a count and a type, and its instructions without the last `end`. */
export function body(locals: readonly (readonly [number, number])[], code: Bytes): Bytes {
  const content = [...list(locals.map(([count, type]) => [...unsigned(count), type])), ...code, 0x0b]
  return [...unsigned(content.length), ...content]
}

/** An active data segment at a constant address. */
export const data = (address: number, bytes: Bytes): Bytes => [
  0,
  0x41,
  ...signed(address),
  0x0b,
  ...unsigned(bytes.length),
  ...bytes,
]

export interface Sections {
  types?: Bytes[]
  imports?: Bytes[]
  /** Numbers of types. */
  functions?: Bytes[]
  tables?: Bytes[]
  memories?: Bytes[]
  tags?: Bytes[]
  globals?: Bytes[]
  exports?: Bytes[]
  start?: number
  elements?: Bytes[]
  /** Whether the number of data segments is said before the code, which may name them then. */
  countsData?: boolean
  code?: Bytes[]
  data?: Bytes[]
  /** Content of a custom section that stands before each of the others. */
  custom?: Bytes
}

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

export function moduleOf(sections: Sections): Uint8Array<ArrayBuffer> {
  const { types, imports, functions, tables, memories, tags, globals, exports, start, elements } = sections
  const bytes = [...HEADER]
  const add = (id: number, content: Bytes | undefined) => {
    if (content === undefined) return
    if (sections.custom !== undefined) {
      bytes.push(0, ...unsigned(sections.custom.length + 2), ...name('x'), ...sections.custom)
    }
    bytes.push(id, ...unsigned(content.length), ...content)
  }
  const listed = (items: Bytes[] | undefined) => items && list(items)
  add(1, listed(types))
  add(2, listed(imports))
  add(3, listed(functions))
  add(4, listed(tables))
  add(5, listed(memories))
  add(13, listed(tags))
  add(6, listed(globals))
  add(7, listed(exports))
  add(8, start === undefined ? undefined : unsigned(start))
  add(9, listed(elements))
  add(12, sections.countsData ? unsigned(sections.data?.length ?? 0) : undefined)
  add(10, listed(sections.code))
  add(11, listed(sections.data))
  return Uint8Array.from(bytes)
}
