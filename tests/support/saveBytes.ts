// Changes save files by hand, as an attacker could: their description, their bytes, and the checksum that makes them pass.

const HEAD = 24

/** The CRC-32 of bytes, bit by bit. */
export function crc32(bytes: Uint8Array): number {
  let sum = -1
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return ~sum >>> 0
}

/** Writes the length and the checksum that a file must have. */
export function sealed(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  view.setUint32(16, file.length, true)
  view.setUint32(12, crc32(file.subarray(16)), true)
  return file
}

export interface Description {
  tick: unknown
  texts: unknown[]
  components: Record<string, unknown>[]
  tables: Record<string, unknown>[]
  pools: Record<string, unknown>[]
  links: Record<string, unknown>[]
  making?: unknown
  resources: Record<string, unknown>[]
}

export function descriptionOf(file: Uint8Array): Description {
  const length = new DataView(file.buffer, file.byteOffset).getUint32(20, true)
  return JSON.parse(new TextDecoder().decode(file.subarray(HEAD, HEAD + length))) as Description
}

/** The file with another description; columns stay where they begin, as far as it is not longer. */
export function described(file: Uint8Array, change: (description: Description) => unknown): Uint8Array {
  const description = descriptionOf(file)
  const replaced = change(description)
  const text = typeof replaced === 'string' ? replaced : JSON.stringify(description)
  const old = new DataView(file.buffer, file.byteOffset).getUint32(20, true)
  const bytes = new TextEncoder().encode(text)
  // Blanks let columns begin where they began, modulo 8.
  const blanks = (((old - bytes.length) % 8) + 8) % 8
  const changed = new Uint8Array(file.length - old + bytes.length + blanks)
  changed.set(file.subarray(0, HEAD))
  changed.set(bytes, HEAD)
  changed.fill(0x20, HEAD + bytes.length, HEAD + bytes.length + blanks)
  changed.set(file.subarray(HEAD + old), HEAD + bytes.length + blanks)
  new DataView(changed.buffer).setUint32(20, bytes.length + blanks, true)
  return sealed(changed)
}
