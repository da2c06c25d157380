// The controls of the population, of time and of the inner loops. They keep no setting: the swarm and the frames have them,
// whoever changed them.

import { StrataError } from 'strata-ecs'
import type { Frames } from '../frames.ts'
import type { Swarm } from '../simulation/swarm.ts'
import { choice, element, grouped, say } from './element.ts'

/** Milliseconds over which it is seen whether a machine keeps up. */
const RECENT = 1500

/** The slider's stops: round numbers, each 5 to 12 % above the one before, from a thousand to a million. */
const DIGITS =
  '10 11 12 13 14 15 16 17 18 19 20 22 24 26 28 30 32 34 36 38 40 42 45 50 55 60 65 70 75 80 85 90 95'
    .split(' ')
    .map(Number)
export const LAST_STOP = DIGITS.length * 3
const STOPS = Array.from({ length: LAST_STOP + 1 }, (_, stop) => populationAt(stop))

export function populationAt(stop: number): number {
  return 100 * DIGITS[stop % DIGITS.length] * 10 ** Math.floor(stop / DIGITS.length)
}

/** The stop that is nearest to a population, as ratios go. */
export function stopOf(population: number): number {
  const ratios = STOPS.map((stop) => Math.abs(Math.log(Math.max(population, 1) / stop)))
  return ratios.indexOf(Math.min(...ratios))
}

export function createControls(swarm: Swarm, frames: Frames, tell: (news: string) => void) {
  const range = element('population', HTMLInputElement)
  const prey = element('prey', HTMLOutputElement)
  const present = element('present', HTMLSpanElement)
  const slow = element('slow', HTMLParagraphElement)
  const pauses = [element('pause', HTMLButtonElement), element('bar-pause', HTMLButtonElement)]
  const speed = choice('speed', (value) => (frames.speed = Number(value)))
  const loops = choice('loops', (value) => (swarm.kernels = value === 'kernels'))
  let wish: number | undefined
  let shownPrey = -1
  let shownPaused: boolean | undefined

  range.max = String(LAST_STOP)
  range.addEventListener('input', () => {
    wish = populationAt(Number(range.value))
    showPrey(wish)
  })
  for (const pause of pauses)
    pause.addEventListener('click', () => {
      frames.paused = !frames.paused
      showPaused()
    })
  element('step', HTMLButtonElement).addEventListener('click', () => frames.stepOnce())

  function showPrey(count: number) {
    if (count === shownPrey) return
    shownPrey = count
    say(prey, grouped(count))
    range.setAttribute('aria-valuetext', `${grouped(count)} prey`)
    // A number between two stops stays as it is until somebody moves the thumb.
    if (populationAt(Number(range.value)) !== count) range.value = String(stopOf(count))
    range.style.setProperty('--filled', String(Number(range.value) / LAST_STOP))
  }

  function showPaused() {
    if (frames.paused === shownPaused) return
    shownPaused = frames.paused
    const does = shownPaused ? 'Play' : 'Pause'
    for (const pause of pauses) {
      pause.querySelector('use')?.setAttribute('href', `#icon-${does.toLowerCase()}`)
      const label = pause.querySelector('span')
      if (label) say(label, does)
      else pause.setAttribute('aria-label', does)
    }
  }

  return {
    /** Does what waits for a frame; to be called at the start of each. */
    apply() {
      if (wish === undefined) return
      const count = wish
      wish = undefined
      try {
        swarm.prey = count
      } catch (error) {
        if (!(error instanceof StrataError)) throw error
        swarm.prey = swarm.population
        tell(`There is no memory for ${grouped(count)} prey here.`)
      }
    },
    /** Shows how things stand; to be called some times a second. */
    show() {
      showPrey(wish ?? swarm.prey)
      const { population } = swarm
      say(present, population === swarm.prey ? '' : `${grouped(population)} at present`)
      showPaused()
      speed.show(String(frames.speed))
      loops.show(swarm.kernels ? 'kernels' : 'loops')
      const kept = frames.times.kept(frames.times.within(RECENT))
      slow.hidden = frames.paused || kept > 0.97
      if (!slow.hidden) say(slow, `This machine keeps ${Math.round(kept * 100)} % of that speed.`)
    },
    /** Wishes for so many prey, from the next frame on. */
    populate: (count: number) => void (wish = count),
  }
}
