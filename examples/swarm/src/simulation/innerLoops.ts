// Owns what the inner loops of the simulation do, whoever does it: loops.ts in TypeScript, kernels.ts in WebAssembly.
// It must never hold code.

/** The work that is done for every agent, or every cell, in every step. Both ways come to the same bits. */
export interface InnerLoops {
  /** Every agent adds itself to the cell that it is in. */
  gather(): void
  /** Every cell makes up its mind: what to tell those who look at it. */
  settle(): void
  /** Everyone of the flock looks at a cell near itself, and does as it says. */
  look(): void
  /** Everyone of the flock flies on. */
  fly(): void
  /** Whatever burns goes on blindly, and burns down. */
  burn(): void
}
