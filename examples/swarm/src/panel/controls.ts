// Owns the controls of the population, of time and of the inner loops: what a person sets, and how it stands.
// It must never keep a setting: the swarm and the frames have them, whoever changed them.

import { StrataError } from 'strata-ecs'
import type { Frames } from '../frames.ts'
import type { Swarm } from '../simulation/swarm.ts'
import { Choice, element, grouped, say } from './element.ts'
import { LAST_STOP, populationAt, stopOf } from './populationScale.ts'

/** Milliseconds over which it is seen whether a machine keeps up. */
const RECENT = 1500

export interface Controls {
  /** Does what waits for a frame; to be called at the start of each. */
  apply(): void
  /** Shows how things stand; to be called some times a second. */
  show(): void
  /** Wishes for so many prey, from the next frame on. */
  populate(prey: number): void
}

export function createControls(swarm: Swarm, frames: Frames, tell: (news: string) => void): Controls {
  const range = element('population', HTMLInputElement)
  const prey = element('prey', HTMLOutputElement)
  const present = element('present', HTMLSpanElement)
  const slow = element('slow', HTMLParagraphElement)
  const pauses = [element('pause', HTMLButtonElement), element('bar-pause', HTMLButtonElement)]
  const speed = new Choice('speed', (value) => (frames.speed = Number(value)))
  const loops = new Choice('loops', (value) => (swarm.kernels = value === 'kernels'))
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
    for (const pause of pauses) {
      const does = shownPaused ? 'Play' : 'Pause'
      pause.querySelector('use')?.setAttribute('href', shownPaused ? '#icon-play' : '#icon-pause')
      const label = pause.querySelector('span')
      if (label) say(label, does)
      else pause.setAttribute('aria-label', does)
    }
  }

  return {
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

    populate(count) {
      wish = count
    },
  }
}
