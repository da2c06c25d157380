// Owns the way from strings to UTF-8 and back, in every host: engines inside of other programs, audio worklets and Jest's jsdom have no
// TextEncoder.

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
