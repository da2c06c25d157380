// Owns what a process holds in memory. It must never be asked inside of timed work.

/**
 * Bytes in use, garbage that was not collected yet included: `heap` by JavaScript objects, `external` outside of the heap,
 * which is wasm memory and the contents of array buffers; the latter alone are `arrayBuffers`. Reserved address space that
 * no page was written to counts there as well, and not in `resident`: what the system backs with memory, for the whole
 * process, garbage that was collected and not given back included.
 */
export function usedMemory() {
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  return { heap: heapUsed, external, arrayBuffers, resident: rss }
}

/** The same after a collection. Needs `--expose-gc`. Costs a full collection. */
export function heldMemory() {
  // Twice: the first collection runs what waits for a collection, the second takes what that left.
  gc()
  gc()
  return usedMemory()
}
