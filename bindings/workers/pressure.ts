// Owns how the memory of worlds that have ended is collected in time.

/** More than so many bytes at once press no harder. */
const MOST_BYTES = 2 ** 26

/**
 * Makes the host collect garbage as soon as it would if a memory of so many bytes that is garbage now had not been shared. V8 counts
 * plain memories, and forgets shared ones: hundreds of worlds can end before it looks for any. What is allocated is never touched, so
 * the system gives no memory for it.
 */
export function pressForMemory(bytes: number): number {
  return new ArrayBuffer(Math.min(bytes, MOST_BYTES)).byteLength
}
