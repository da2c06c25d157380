// Owns the text in which a compiled core is embedded in JavaScript: bindings/memory/core.ts reads it.

/**
 * A core as plain ASCII: `digits`, then the parts, one for each byte; and what stands for any byte.
 * There are 86 characters, from '(' to '~' without the backslash. The 84 bytes that are met most
 * take one character each; the last two characters announce one of the other 172. Which bytes are the frequent ones
 * is said first: 64 hexadecimal digits, a bit for each byte. Unlike in base64, equal bytes are equal text wherever they
 * stand, and gzip makes it as small as the file itself.
 */
export function coreText(bytes) {
  const counts = new Array(256).fill(0)
  for (const byte of bytes) counts[byte]++
  const byCount = Array.from(counts.keys()).sort((a, b) => counts[b] - counts[a] || a - b)
  const frequent = new Set(byCount.slice(0, 84))
  let digits = ''
  for (let byte = 0; byte < 256; byte += 4) {
    digits += [0, 1, 2, 3].reduce((sum, k) => sum | (frequent.has(byte + k) ? 1 << k : 0), 0).toString(16)
  }
  const symbols = [...frequent].sort((a, b) => a - b).concat(byCount.slice(84).sort((a, b) => a - b))
  const character = (symbol) => String.fromCharCode(symbol < 52 ? 40 + symbol : 41 + symbol)
  const texts = new Array(256)
  symbols.forEach((byte, i) => {
    const rest = i - 84
    texts[byte] = i < 84 ? character(i) : character(84 + Math.floor(rest / 86)) + character(rest % 86)
  })
  return { digits, parts: Array.from(bytes, (byte) => texts[byte]), texts }
}
