// Owns the decoder of a core, which bundles hold as text: a module of its own, run before a core can be compiled.
// It must never make its tables: bindings/memory/core.ts writes them.
//
//   0      the byte of each character that stands for one by itself
//   128    the byte of each pair of characters that begins with 125, by the second one; from 256 on, with 126
//   384    the text, which its bytes overwrite from the start: they are never more than its characters

/** The first character that begins a pair. */
const FIRST_OF_PAIR: u32 = 125

/** Turns the characters from `at` to `end` into bytes, from `at` on. Returns the end of the bytes. */
export function decode(at: usize, end: usize): usize {
  let to = at
  while (at < end) {
    let code: u32 = load<u8>(at++)
    if (code >= FIRST_OF_PAIR) code = 128 + ((code - FIRST_OF_PAIR) << 7) + load<u8>(at++)
    store<u8>(to++, load<u8>(code))
  }
  return to
}
