// Owns the case of garbage: what a frame of a game in steady state leaves on the heap, over many frames. Ways differ in
// what a frame does beside its loop. Adapters must never make a frame lighter than its name says.

export const STEP = 0.5
/** What comes and goes lies in a ring of so many. */
export const RING = 1_000

export default {
  name: 'garbage',
  title: 'Garbage: what a frame leaves on the heap in steady state, 10,000 frames',
  unit: 'frame',
  units: 'entities',
  sizes: [10_000],
  quantity: 'garbage',
  frames: 10_000,
  /** The young generation is larger than anything these frames could leave: no collection hides a part of it. */
  flags: ['--max-semi-space-size=256', '--min-semi-space-size=256'],
  /** How many of those that stay are there, and where the first of them is. */
  reference: (size, runs) => [size, runs * STEP],
}
