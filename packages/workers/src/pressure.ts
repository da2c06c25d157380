// Owns how the memory of worlds that have ended is collected in time.

/** V8 looks for garbage after so many bytes. The C library zeroes smaller pieces by touching them, which larger ones never are. */
const STEP_BYTES = 2 ** 26
/** So many of them at once, and V8 has collected all garbage before. */
const STEPS_HELD = 2

/** The bytes of each memory that have pressed. */
const counted = /* @__PURE__ */ new WeakMap<WebAssembly.Memory, number>()

let held: ArrayBuffer[] = []
let owed = 0

/** Presses for what a memory has become larger by since it was counted last. */
export function countMemory(memory: WebAssembly.Memory): void {
  const bytes = memory.buffer.byteLength
  pressForMemory(bytes - (counted.get(memory) ?? 0))
  counted.set(memory, bytes)
}

/**
 * Makes the host collect garbage as soon as it would if so many bytes of shared memory had not been shared. V8 counts plain memories as
 * they are made and grow, and forgets shared ones: hundreds of worlds can end before it looks for any. What is allocated is held for
 * a while, since V8 would come by what is young without looking at the memories, which are old. It is never touched, so the system
 * gives no memory for it.
 */
export function pressForMemory(bytes: number): void {
  for (owed += bytes; owed >= STEP_BYTES; owed -= STEP_BYTES) {
    try {
      held.push(new ArrayBuffer(STEP_BYTES))
    } catch {
      // There is no room for it: what is held must go.
      held = []
    }
    if (held.length === STEPS_HELD) held = []
  }
}
