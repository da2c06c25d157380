// The slider of the last seconds, and what can be done in the past: go on from there, or send a link to it.

import { element, hex, say } from '../../page/page.ts'
import { type Moment, writeMoment } from './address.ts'
import { MOST_MS } from './frames.ts'
import type { Page } from './panel.ts'
import { SPAN } from './simulation/past.ts'
import { STEP } from './simulation/settings.ts'

/** Steps by which the keyboard moves: half a second. */
const STRIDE = 0.5 / STEP

/**
 * @param prey how many the swarm began with
 * @param moment where a link led to: it is replayed at once
 */
export function createTimeline({ swarm, past, frames, tell }: Page, prey: number, moment?: Moment) {
  const range = element('#time', HTMLInputElement)
  const ago = element('#ago', HTMLOutputElement)
  const goOn = element('#go-on', HTMLButtonElement)
  const link = element('#copy-link', HTMLButtonElement)
  let isReplay = moment !== undefined
  /** The moment that the address holds. */
  let kept: { tick: number; here: string } | undefined

  range.max = String(SPAN)
  range.addEventListener('input', () => goTo(past.newest - SPAN + Number(range.value)))
  link.addEventListener('click', () => void copyLink())
  goOn.addEventListener('click', () => {
    isReplay = false
    past.cut()
    frames.paused = false
    tell('Another future begins.')
  })

  function goTo(tick: number) {
    frames.paused = true
    isReplay = false
    past.goTo(tick)
  }

  async function copyLink() {
    const { seed, tick, journal } = swarm
    if (!journal.isWhole) return tell('So much was done that no link can hold it.')
    // Those that are done: in the past, others wait for their moments.
    const inputs = journal.entries.slice(0, journal.next)
    const here = writeMoment({ seed, prey, tick, inputs, digest: swarm.digest() })
    // The address is the link, also where the clipboard may not be used.
    history.replaceState(null, '', here)
    frames.paused = true
    kept = { tick, here }
    const copied = navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error('no clipboard'))
    await copied.then(
      () => tell('The link to this moment is copied.'),
      () => tell('The link to this moment is in the address bar.'),
    )
  }

  past.arrived = () => {
    if (!isReplay || !moment) return
    isReplay = false
    const digest = swarm.digest()
    kept = { tick: swarm.tick, here: writeMoment(moment) }
    tell(
      digest === moment.digest
        ? `Replayed ${moment.tick} steps: the same digest as in the link, ${hex(digest)}.`
        : `Replayed, but the digest is ${hex(digest)} and not ${hex(moment.digest)}: the link is of another version.`,
    )
  }
  if (moment) {
    swarm.journal.entries.push(...moment.inputs)
    frames.paused = true
    past.replayTo(moment.tick)
  }

  return {
    /** Comes nearer to the wanted moment; to be called at the start of each frame. */
    apply() {
      // Whoever presses play has seen enough of the way.
      if (!frames.paused && past.isUnderway) past.stop()
      past.approach(performance.now() + MOST_MS)
      // Who does something on the way has another future.
      isReplay &&= past.isUnderway
    },

    /** Shows how things stand; to be called some times a second. */
    show() {
      const back = past.newest - swarm.tick
      // The thumb stays where it was dragged to: on its way, it shows where to.
      if (!past.isUnderway) range.value = String(Math.max(0, SPAN - back))
      const moment = back === 0 ? 'now' : `${(back * STEP).toFixed(1)} s ago`
      say(ago, isReplay ? `replaying step ${swarm.tick} of ${past.newest}` : moment)
      range.setAttribute('aria-valuetext', ago.textContent)
      goOn.disabled = !past.isBehind || isReplay
      link.disabled = isReplay
    },

    /** Goes half a second back (-1) or forward (1). */
    stride(direction: -1 | 1) {
      goTo(swarm.tick + direction * STRIDE)
    },

    /** The address of what is shown, while the page shows what a link led to. */
    get address() {
      if (isReplay) return location.hash
      return kept && frames.paused && kept.tick === swarm.tick ? kept.here : undefined
    },
  }
}
