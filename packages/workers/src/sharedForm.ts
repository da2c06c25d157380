// Owns the form of a compiled module that runs over a shared memory: the same code, which imports another type of memory. It must
// never change an instruction: those of a plain module mean the same over a shared memory.

import { DATA, IMPORTS, MEMORY, ModuleBytes, PASSIVE } from './moduleBytes'

/** Pages that the memory of a world may have at most. */
const MOST_PAGES = 32768
/** Limits of a shared memory, which always has a maximum. */
const SHARED = 3

/**
 * The bytes of a module with the import of a shared memory in place of a plain one.
 *
 * @param bytes of a module that has been checked: it imports functions and one memory
 * @param hasData false: nothing is written into memory when it is instantiated
 */
export function sharedForm(bytes: Uint8Array, hasData = true): Uint8Array<ArrayBuffer> {
  const reader = new ModuleBytes(bytes)
  const form: number[] = [...bytes.subarray(0, reader.at)]
  reader.sections((id, end) => {
    let content = bytes.subarray(reader.at, end) as ArrayLike<number>
    if (id === IMPORTS) content = sharedImports(reader, end)
    else if (id === DATA && !hasData) content = silentData(reader)
    form.push(id, ...leb(content.length))
    append(form, content)
  })
  return Uint8Array.from(form)
}

function sharedImports(reader: ModuleBytes, end: number): number[] {
  const { bytes, at: start } = reader
  for (let left = reader.unsigned(); left > 0; left--) {
    reader.skip(reader.unsigned())
    reader.skip(reader.unsigned())
    const kind = reader.byte()
    if (kind === MEMORY) {
      const form = [...bytes.subarray(start, reader.at), SHARED]
      const hasMaximum = (reader.byte() & 1) !== 0
      form.push(...leb(reader.unsigned()))
      const maximum = hasMaximum ? reader.unsigned() : MOST_PAGES
      form.push(...leb(Math.min(maximum, MOST_PAGES)), ...bytes.subarray(reader.at, end))
      return form
    }
    skipImport(reader, kind)
  }
  return [...bytes.subarray(start, end)]
}

/** A function, or a global. */
function skipImport(reader: ModuleBytes, kind: number): void {
  if (kind === 0) reader.unsigned()
  else reader.skip(2)
}

/** Segments that write themselves become empty ones that do not: all segments keep their numbers. */
function silentData(reader: ModuleBytes): number[] {
  const { bytes } = reader
  const count = reader.unsigned()
  const form = [...leb(count)]
  for (let left = count; left > 0; left--) {
    const start = reader.at
    const flags = reader.segmentHead()
    reader.skip(reader.unsigned())
    if (flags === PASSIVE) append(form, bytes.subarray(start, reader.at))
    else form.push(PASSIVE, 0)
  }
  return form
}

/** Without spreading: a module may be long. */
function append(form: number[], more: ArrayLike<number>): void {
  for (let i = 0; i < more.length; i++) form.push(more[i] as number)
}

function leb(value: number): number[] {
  const bytes: number[] = []
  do {
    const rest = value >>> 7
    bytes.push((value & 0x7f) | (rest === 0 ? 0 : 0x80))
    value = rest
  } while (value !== 0)
  return bytes
}
