// Owns the question whether this core is a stress core: a checked core in which whatever may move does so at every occasion,
// and memory grows by the least. An address that is kept for too long is then wrong at once, and not after hours in a large
// world. It must never be asked in release: every use is under ASC_NO_ASSERT.

const YES: u8 = 0x31
const MARK_LENGTH: usize = 7

/** Whether this core is a stress core: scripts/build-core.js finds these bytes and writes a 1 at their end. */
export function isStressed(): bool {
  // In release the bytes must not be there at all.
  if (ASC_NO_ASSERT) return false
  else {
    const mark = memory.data<u8>([0x73, 0x74, 0x72, 0x65, 0x73, 0x73, 0x3d, 0x30])
    return load<u8>(mark + MARK_LENGTH) == YES
  }
}
