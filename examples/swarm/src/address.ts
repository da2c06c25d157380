// The address of the page: the settings that differ from the usual ones, or the moment that a link leads to. An address is not to be
// trusted: what cannot be is left out.

import { hex } from '../../page/page.ts'
import { decodeInputs, encodeInputs, type Entry } from './simulation/inputs.ts'
import { MOST_PREY } from './simulation/settings.ts'

export const SPEEDS = [0.25, 0.5, 1, 2, 4]
/** A link to a later step would take minutes to come to. */
const MOST_TICKS = 100_000
const MOST_SEED = 0xffffffff

export type Tap = 'pick' | 'fire'

/** What can be shared. */
export interface Shared {
  readonly prey: number
  /** TypeScript loops in place of kernels. */
  readonly loops: boolean
  /** One thread in place of all processors: the world begins with it, too. */
  readonly single: boolean
  readonly speed: number
  readonly paused: boolean
  readonly tap: Tap
  /** The world begins with it: later changes of the address do not matter. */
  readonly seed: number
}

/** A moment of a swarm: what it began with, what people did, the steps made, and the digest that they come to. */
export interface Moment {
  readonly seed: number
  readonly prey: number
  readonly tick: number
  readonly inputs: readonly Entry[]
  readonly digest: number
}

const wordsOf = (hash: string) => new URLSearchParams(hash.replace(/^#/, ''))

/** NaN for what is no whole number of up to ten digits. */
const wholeNumber = (text: string | null) => (/^\d{1,10}$/.test(text ?? '') ? Number(text) : NaN)

/** Reads `#prey=200000&loops`; what is not there or cannot be is as in `usual`. */
export function readAddress(hash: string, usual: Shared): Shared {
  const said = wordsOf(hash)
  const speed = Number(said.get('speed'))
  const upTo = (name: 'prey' | 'seed', most: number) => {
    const number = wholeNumber(said.get(name))
    return Number.isNaN(number) ? usual[name] : Math.min(number, most)
  }
  return {
    prey: upTo('prey', MOST_PREY),
    loops: said.has('loops') || usual.loops,
    single: said.has('single') || usual.single,
    speed: SPEEDS.includes(speed) ? speed : usual.speed,
    paused: said.has('paused') || usual.paused,
    tap: said.has('fire') ? 'fire' : usual.tap,
    seed: upTo('seed', MOST_SEED),
  }
}

/** The other way round, as short as it can be: '' when all is as in `usual`. */
export function writeAddress(shared: Shared, usual: Shared): string {
  const words = []
  if (shared.prey !== usual.prey) words.push(`prey=${shared.prey}`)
  if (shared.loops) words.push('loops')
  if (shared.single) words.push('single')
  if (shared.speed !== usual.speed) words.push(`speed=${shared.speed}`)
  if (shared.paused) words.push('paused')
  if (shared.tap === 'fire') words.push('fire')
  if (shared.seed !== usual.seed) words.push(`seed=${shared.seed}`)
  return words.length === 0 ? '' : `#${words.join('&')}`
}

export function writeMoment({ seed, prey, tick, inputs, digest }: Moment): string {
  const did = inputs.length === 0 ? '' : `&inputs=${encodeInputs(inputs)}`
  return `#prey=${prey}&seed=${seed}&paused&tick=${tick}&digest=${hex(digest)}${did}`
}

/** Undefined where the address tells of no moment; 'damaged' where it tells of one that cannot be. */
export function readMoment(hash: string): Moment | 'damaged' | undefined {
  const said = wordsOf(hash)
  if (!said.has('tick')) return undefined
  const [tick, prey, seed] = ['tick', 'prey', 'seed'].map((name) => wholeNumber(said.get(name)))
  const digest = said.get('digest') ?? ''
  const inputs = decodeInputs(said.get('inputs') ?? encodeInputs([]))
  const isWhole = tick <= MOST_TICKS && prey <= MOST_PREY && seed <= MOST_SEED && /^[0-9a-f]{8}$/.test(digest)
  if (!isWhole || inputs === undefined || inputs.some((entry) => entry.tick > tick)) return 'damaged'
  return { seed, prey, tick, inputs, digest: Number.parseInt(digest, 16) }
}
