// Owns the decoder of a core, which bundles hold as text: a module of its own, run before a core can be compiled.
// bindings/memory/coreText.ts writes its tables.
//
//   0      the byte of each character that stands for one by itself
//   128    the byte of each pair of characters that begins with 125, by the second one; from 256 on, with 126
//   384    the text, and after it the bytes

/** The first character that begins a pair. */
const FIRST_OF_PAIR: u32 = 125
/** The first of three opcodes that the number of a local follows. */
const LOCAL_GET: u32 = 0x20

/**
 * Writes the bytes of the characters from `at` to `end` from `to` on, each number of a local from the characters that follow after
 * one at `end`. Returns the end of the bytes.
 */
export function decode(at: usize, end: usize, to: usize): usize {
  let locals = end + 1
  let isLocal = false
  while (isLocal || at < end) {
    const from = isLocal ? locals : at
    let code: u32 = load<u8>(from)
    let next = from + 1
    if (code >= FIRST_OF_PAIR) {
      code = 128 + ((code - FIRST_OF_PAIR) << 7) + load<u8>(next)
      next++
    }
    const byte: u32 = load<u8>(code)
    store<u8>(to++, byte)
    if (isLocal) {
      locals = next
      isLocal = false
    } else {
      at = next
      isLocal = byte - LOCAL_GET < 3
    }
  }
  return to
}
