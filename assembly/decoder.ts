// Owns the decoding of a core that is kept as text: a module of its own, which runs once before there is a core.
// It must never need the tables to be made here: bindings/memory/core.ts lays them out.
//
//   0      for each character that stands for a byte by itself: that byte
//   128    for each character behind the first of the two that announce another one: the byte; then behind the second
//   384    the text, which becomes the bytes where it lies: they are never more than the characters

/** The first of the two characters that announce another one. */
const SECOND: u32 = 125

/** Turns the characters from `at` to `end` into bytes, from `at` on. Returns the end of the bytes. */
export function decode(at: usize, end: usize): usize {
  let to = at
  while (at < end) {
    let code: u32 = load<u8>(at++)
    if (code >= SECOND) code = 128 + ((code - SECOND) << 7) + load<u8>(at++)
    store<u8>(to++, load<u8>(code))
  }
  return to
}
