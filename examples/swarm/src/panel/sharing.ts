// Owns the address of the page while it is used: it follows what is set, and what is set follows it.
// It must never keep a setting.

import type { Frames } from '../frames.ts'
import type { Swarm } from '../simulation/swarm.ts'
import { readAddress, type Shared, writeAddress } from './address.ts'
import { readMoment } from './moment.ts'
import type { Timeline } from './timeline.ts'
import type { Touch } from './touch.ts'

/** Milliseconds. Browsers allow an address to change some hundred times in half a minute. */
const KEEP_EVERY = 500

export interface SharingOptions {
  readonly swarm: Swarm
  readonly frames: Frames
  readonly touch: Touch
  readonly timeline: Timeline
  /** What an empty address stands for. */
  readonly usual: Shared
  readonly seed: number
  /** Wishes for so many prey. */
  readonly populate: (prey: number) => void
}

export function shareByAddress({
  swarm,
  frames,
  touch,
  timeline,
  usual,
  seed,
  populate,
}: SharingOptions): void {
  let address = location.hash

  function keep() {
    const { prey, kernels } = swarm
    const { paused, speed } = frames
    const now =
      timeline.address ?? writeAddress({ prey, loops: !kernels, speed, paused, tap: touch.mode, seed }, usual)
    if (now === address) return
    address = now
    history.replaceState(null, '', now === '' ? location.pathname + location.search : now)
  }

  // What `keep` does is not told to it. By the time it is told, `keep` may have written something else.
  function follow({ newURL }: HashChangeEvent) {
    const { hash } = new URL(newURL)
    history.replaceState(null, '', newURL)
    // Another moment needs another beginning.
    if (readMoment(hash) !== undefined) return location.reload()
    const said = readAddress(hash, usual)
    address = hash
    populate(said.prey)
    swarm.kernels = !said.loops
    frames.speed = said.speed
    frames.paused = said.paused
    touch.mode = said.tap
  }

  setInterval(keep, KEEP_EVERY)
  addEventListener('hashchange', follow)
}
