// Owns the proof that a frame leaves no garbage: frames in steady state, heap growth counted in bytes. It must never let a
// collection hide what was allocated: those in the frames are counted, too.

/** V8 has compiled for good by then what a frame does. */
const WARM_UP_FRAMES = 4_000
/** Of so many rounds the one that left least counts: what V8 compiles late falls into one, garbage of frames into all. */
const ROUNDS = 3

/**
 * Runs frames and counts what they leave. Needs `--expose-gc`.
 *
 * @param run a frame
 * @param frames how many there are in a round
 * @param place `heldMemory` and `usedMemory`, see memory.js, and `collectionCounter`, see collections.js
 * @returns `runs`, how many frames there were; `nanoseconds` of one; and `garbage`: what one leaves, in `bytes` of the heap
 *   and `outside` of it, and how many `collections` there were in the best round
 */
export async function measureGarbage(run, frames, { heldMemory, usedMemory, collectionCounter }) {
  for (let frame = 0; frame < WARM_UP_FRAMES; frame++) run()
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const counter = collectionCounter()
    const before = heldMemory()
    const start = performance.now()
    for (let frame = 0; frame < frames; frame++) run()
    const took = performance.now() - start
    const after = usedMemory()
    rounds.push({
      bytes: (after.heap - before.heap) / frames,
      outside: (after.arrayBuffers - before.arrayBuffers) / frames,
      collections: await counter.count(),
      took,
    })
  }
  const least = (figure) => Math.min(...rounds.map((round) => round[figure]))
  return {
    runs: WARM_UP_FRAMES + ROUNDS * frames,
    nanoseconds: (least('took') * 1e6) / frames,
    garbage: { bytes: least('bytes'), outside: least('outside'), collections: least('collections') },
  }
}
