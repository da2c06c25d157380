// Owns the ways from strings to UTF-8 and from bytes to base64, and back, in every host: TextEncoder, atob and btoa are not part
// of the language, and audio worklets, Jest's jsdom and engines inside other programs do without.

/** The UTF-8 of a string; a lone surrogate is U+FFFD. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  if (typeof TextEncoder === 'function') return new TextEncoder().encode(text)
  // Percent-encoding is UTF-8, in the language itself. Several times slower.
  const bytes = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).match(/%..|./g) ?? []
  return Uint8Array.from(bytes, (byte) => (byte[1] ? parseInt(byte.slice(1), 16) : byte.charCodeAt(0)))
}

/**
 * The string that these bytes are the UTF-8 of, without a mark of the byte order at its beginning.
 *
 * @throws TypeError or URIError where they are no UTF-8
 */
export function fromUtf8(bytes: Uint8Array): string {
  if (typeof TextDecoder === 'function') return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const hexadecimal = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`)
  return decodeURIComponent(hexadecimal.join('')).replace(/^\ufeff/, '')
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Bytes as base64. */
export function toBase64(bytes: ArrayLike<number>): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const three = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    for (let k = 18; k >= 0; k -= 6) text += DIGITS.charAt((three >> k) & 63)
  }
  const left = (3 - (bytes.length % 3)) % 3
  return text.slice(0, text.length - left) + '='.repeat(left)
}

/**
 * The bytes of a base64 text.
 *
 * @throws SyntaxError for text that is not base64; a DOMException in a host with atob
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  if (typeof atob === 'function') return Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
  const digits = text.replace(/={0,2}$/, '')
  const bytes = new Uint8Array((digits.length * 3) >> 2)
  let bits = 0
  for (let i = 0, at = 0; i < digits.length; i++) {
    const digit = DIGITS.indexOf(digits.charAt(i))
    if (digit < 0) throw new SyntaxError(`${digits.charAt(i)} is no digit of base64`)
    bits = (bits << 6) | digit
    if ((i & 3) !== 0) bytes[at++] = bits >> (6 - 2 * (i & 3))
  }
  return bytes
}
