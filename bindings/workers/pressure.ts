// Owns how the memory of worlds that have ended is collected in time.

/** More than so many bytes at once press no harder. */
const MOST_BYTES = 2 ** 26
/** What is held presses until it is so much: V8 collects all garbage before. */
const ENOUGH_BYTES = 2 ** 27

let held: ArrayBuffer[] = []
let bytesHeld = 0

/**
 * Makes the host collect garbage as soon as it would if a memory of so many bytes that is garbage now had not been shared. V8 counts
 * plain memories, and forgets shared ones: hundreds of worlds can end before it looks for any. What is allocated is held for a while, since
 * V8 would come by what is young without looking at the memories, which are old. It is never touched, so the system gives no memory
 * for it.
 */
export function pressForMemory(bytes: number): void {
  const size = Math.min(bytes, MOST_BYTES)
  held.push(new ArrayBuffer(size))
  bytesHeld += size
  if (bytesHeld < ENOUGH_BYTES) return
  held = []
  bytesHeld = 0
}
