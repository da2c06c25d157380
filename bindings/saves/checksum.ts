// Owns the checksum of save files: CRC-32, as zip and PNG compute it.
// It must never be taken for a seal: who changes a file can change the sum.

/** How many bytes a step takes. */
const SLICE = 4
const POLYNOMIAL = 0xedb88320
let tables: readonly Int32Array[] | undefined

/** For each value of a byte what it comes to, with 0 to 3 bytes behind it. */
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

/** The CRC-32 of bytes, from 0 to 2^32 - 1. */
export function checksum(bytes: Uint8Array): number {
  const [a, b, c, d] = (tables ??= makeTables()) as [Int32Array, Int32Array, Int32Array, Int32Array]
  let sum = -1
  let i = 0
  for (const end = bytes.length - (bytes.length % SLICE); i < end; i += SLICE) {
    sum ^=
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24)
    sum =
      (d[sum & 0xff] as number) ^
      (c[(sum >>> 8) & 0xff] as number) ^
      (b[(sum >>> 16) & 0xff] as number) ^
      (a[sum >>> 24] as number)
  }
  for (; i < bytes.length; i++) sum = (sum >>> 8) ^ (a[(sum ^ (bytes[i] as number)) & 0xff] as number)
  return ~sum >>> 0
}
