// Owns the text in which a compiled core is embedded in JavaScript: bindings/memory/coreText.ts reads it.

/** `local.get`, `local.set` and `local.tee`: the number of a local follows. */
const takesLocal = (byte) => byte >= 0x20 && byte <= 0x22

/**
 * The bytes in two lists, each by its place: those after the opcode of a local, and all others. Two functions that do much the same
 * differ in the numbers of their locals above all: without those gzip finds longer repetitions, and saves an eighth. A byte that
 * only looks like such an opcode does no harm.
 */
function placesOf(bytes) {
  if (takesLocal(bytes.at(-1))) throw new Error('The core ends with what looks like the opcode of a local.')
  const others = []
  const locals = []
  for (let i = 0; i < bytes.length; i++) {
    others.push(i)
    if (takesLocal(bytes[i]) && i + 1 < bytes.length) locals.push(++i)
  }
  return { others, locals }
}

/**
 * A core as plain ASCII. There are 86 characters, from '(' to '~' without the backslash. The 84 bytes that are met most
 * take one character each; the last two characters announce one of the other 172. Which bytes are the frequent ones
 * is said first: 64 hexadecimal digits, a bit for each byte. Then come the bytes, and after a space the numbers of locals. Unlike
 * in base64, equal bytes are equal text wherever they stand, and gzip makes it smaller than the file itself.
 *
 * @returns the text, and the same with another byte at a place
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
  const { others, locals } = placesOf(bytes)
  const textAt = (places) => places.map((place) => texts[bytes[place]]).join('')
  const text = `${digits}${textAt(others)} ${textAt(locals)}`
  /** In three parts: what is before the byte at a place, the text of another one in its place, and where the rest begins. */
  const replaced = (place, byte) => {
    const before = digits + textAt(others.slice(0, others.indexOf(place)))
    return { start: before.length, text: texts[byte], rest: before.length + texts[bytes[place]].length }
  }
  return { text, replaced }
}
