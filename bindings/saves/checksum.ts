// Owns the checksum of save files: CRC-32, as zip and PNG compute it.
// It must never be taken for a seal: who changes a file can change the sum.

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
