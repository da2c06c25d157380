// Owns what the address of the page says behind its #: what somebody sees, for others to see it, too.
// It must never trust it: what cannot be is left out.

import { MOST_PREY } from '../simulation/settings.ts'

export const SPEEDS = [0.25, 0.5, 1, 2, 4]

/** What a tap on the swarm does. */
export type Tap = 'pick' | 'fire'

/** What can be shared. */
export interface Shared {
  /** How many prey there should be. */
  readonly prey: number
  /** TypeScript loops in place of kernels. */
  readonly loops: boolean
  readonly speed: number
  readonly paused: boolean
  readonly tap: Tap
  /** The world begins with it: later changes of the address do not matter. */
  readonly seed: number
}

/** Reads `#prey=200000&loops`; what is not there or cannot be is as in `usual`. */
export function readAddress(hash: string, usual: Shared): Shared {
  const said = new URLSearchParams(hash.replace(/^#/, ''))
  const speed = Number(said.get('speed'))
  return {
    prey: wholeNumber(said.get('prey'), MOST_PREY) ?? usual.prey,
    loops: said.has('loops') || usual.loops,
    speed: SPEEDS.includes(speed) ? speed : usual.speed,
    paused: said.has('paused') || usual.paused,
    tap: said.has('fire') ? 'fire' : usual.tap,
    seed: wholeNumber(said.get('seed'), 0xffffffff) ?? usual.seed,
  }
}

/** The other way round, as short as it can be: nothing that is as in `usual`; '' when all of it is. */
export function writeAddress(shared: Shared, usual: Shared): string {
  const words = []
  if (shared.prey !== usual.prey) words.push(`prey=${shared.prey}`)
  if (shared.loops) words.push('loops')
  if (shared.speed !== usual.speed) words.push(`speed=${shared.speed}`)
  if (shared.paused) words.push('paused')
  if (shared.tap === 'fire') words.push('fire')
  if (shared.seed !== usual.seed) words.push(`seed=${shared.seed}`)
  return words.length === 0 ? '' : `#${words.join('&')}`
}

function wholeNumber(text: string | null, most: number): number | undefined {
  if (text === null || !/^\d{1,10}$/.test(text)) return undefined
  return Math.min(Number(text), most)
}
