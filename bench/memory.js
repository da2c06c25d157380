// Owns what a process holds in memory. It must never be asked inside of timed work: it collects the garbage first.

/**
 * Bytes held after a collection: `heap` by JavaScript objects, `external` outside of the heap, which is wasm memory and
 * the contents of array buffers; the latter alone are `arrayBuffers`. Reserved address space that no page was written
 * to counts as well. Needs `--expose-gc`. Costs a full collection.
 */
export function heldMemory() {
  gc()
  gc()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed, external, arrayBuffers }
}
