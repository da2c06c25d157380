// Owns the random access case: read one field of every entity by its handle, in a shuffled order. It must never
// visit in order of creation: that would measure the prefetcher, and a loop over a query is made for that.
import { PIECS_ADD_REMOVE } from './add-remove.js'

export default {
  name: 'get',
  title: 'Get: one field by handle, shuffled order',
  sizes: [1_000, 100_000],
  runsPerSample: (size) => Math.max(1, Math.floor(64_000 / size)),
  beside: [PIECS_ADD_REMOVE],
  /** The sum that every run returns; the values are those of add-remove. */
  reference: (size) => [(size * size) / 2],
}

/** 0..size-1 in an order that looks random and is the same in every run and process. */
export function shuffledOrder(size) {
  const order = Uint32Array.from({ length: size }, (_, i) => i)
  let state = 0x2545f491
  for (let i = size - 1; i > 0; i--) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    const j = (state >>> 0) % (i + 1)
    const swapped = order[i]
    order[i] = order[j]
    order[j] = swapped
  }
  return order
}
