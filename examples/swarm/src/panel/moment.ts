// Owns the link to a moment: the seed, what people did, how many steps were made, and the digest that they come to.
// It trusts no address: what cannot be a moment is none.

import { decodeInputs, encodeInputs, type Entry } from '../simulation/inputs.ts'
import { MOST_PREY } from '../simulation/settings.ts'

/** More than this would take minutes to come to. */
export const MOST_TICKS = 100_000

export interface Moment {
  readonly seed: number
  /** How many prey the swarm began with. */
  readonly prey: number
  /** Steps made. */
  readonly tick: number
  readonly inputs: readonly Entry[]
  readonly digest: number
}

/** What follows the # of an address. */
export function writeMoment({ seed, prey, tick, inputs, digest }: Moment): string {
  const did = inputs.length === 0 ? '' : `&inputs=${encodeInputs(inputs)}`
  return `#prey=${prey}&seed=${seed}&paused&tick=${tick}&digest=${digest.toString(16).padStart(8, '0')}${did}`
}

/** Undefined where the address tells of no moment; 'damaged' where it tells of one that cannot be. */
export function readMoment(hash: string): Moment | 'damaged' | undefined {
  const said = new URLSearchParams(hash.replace(/^#/, ''))
  const ticks = said.get('tick')
  if (ticks === null) return undefined
  const tick = wholeNumber(ticks, MOST_TICKS)
  const prey = wholeNumber(said.get('prey'), MOST_PREY)
  const seed = wholeNumber(said.get('seed'), 0xffffffff)
  const digest = said.get('digest') ?? ''
  const inputs = decodeInputs(said.get('inputs') ?? encodeInputs([]))
  if (tick === undefined || prey === undefined || seed === undefined || inputs === undefined) return 'damaged'
  if (!/^[0-9a-f]{8}$/.test(digest) || inputs.some((entry) => entry.tick > tick)) return 'damaged'
  return { seed, prey, tick, inputs, digest: Number.parseInt(digest, 16) }
}

function wholeNumber(text: string | null, most: number): number | undefined {
  if (text === null || !/^\d{1,10}$/.test(text)) return undefined
  return Number(text) <= most ? Number(text) : undefined
}
