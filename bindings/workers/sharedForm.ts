// Owns the form of a compiled module that runs over a shared memory: the same code, which imports another type of memory. It must
// never change an instruction: those of a plain module mean the same over a shared memory.

/** Pages that the memory of a world may have at most. */
const MOST_PAGES = 32768
const HEAD_BYTES = 8
const IMPORTS = 2
const DATA = 11
const MEMORY = 2
/** Limits of a shared memory, which always has a maximum. */
const SHARED = 3
const PASSIVE = 1

/**
 * The bytes of a module with the import of a shared memory in place of a plain one.
 *
 * @param bytes of a module that has been checked: it imports functions and one memory
 * @param hasData false: nothing is written into memory when it is instantiated
 */
export function sharedForm(bytes: Uint8Array, hasData = true): Uint8Array<ArrayBuffer> {
  const reader = new Reader(bytes)
  const form: number[] = [...bytes.subarray(0, HEAD_BYTES)]
  reader.at = HEAD_BYTES
  while (reader.at < bytes.length) {
    const id = reader.byte()
    const size = reader.unsigned()
    const start = reader.at
    const end = start + size
    let content = bytes.subarray(start, end) as ArrayLike<number>
    if (id === IMPORTS) content = sharedImports(reader, end)
    else if (id === DATA && !hasData) content = silentData(reader)
    form.push(id, ...leb(content.length))
    append(form, content)
    reader.at = end
  }
  return Uint8Array.from(form)
}

/** Reads a module that was compiled and checked: nothing ends too early. */
class Reader {
  at = 0

  constructor(readonly bytes: Uint8Array) {}

  byte(): number {
    return this.bytes[this.at++] as number
  }

  unsigned(): number {
    let result = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      result |= (byte & 0x7f) << shift
      if (byte < 0x80) return result >>> 0
    }
  }

  skip(bytes: number): void {
    this.at += bytes
  }
}

function sharedImports(reader: Reader, end: number): number[] {
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
function skipImport(reader: Reader, kind: number): void {
  if (kind === 0) reader.unsigned()
  else reader.skip(2)
}

/** Segments that write themselves become empty ones that do not: all segments keep their numbers. */
function silentData(reader: Reader): number[] {
  const { bytes } = reader
  const count = reader.unsigned()
  const form = [...leb(count)]
  for (let left = count; left > 0; left--) {
    const start = reader.at
    const flags = reader.unsigned()
    if (flags !== PASSIVE) {
      if (flags === 2) reader.unsigned()
      // Checked: a constant address, in an instruction of two parts, and an end.
      reader.skip(1)
      reader.unsigned()
      reader.skip(1)
    }
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
