// The sliders below the players. They read and write the match that is being played.

import type { Match } from '../match.ts'
import { MOST_AHEAD } from '../net/session.ts'
import { element, say } from './element.ts'

export const USUAL = { latency: 100, jitter: 20, loss: 0.1, inputDelay: 2, predict: true }
export type Settings = typeof USUAL

/** Applies settings to a match that goes on. */
export function apply({ latency, jitter, loss, inputDelay, predict }: Settings, match: Match): void {
  Object.assign(match.network, { latency, jitter, loss })
  for (const { session } of match.players) {
    session.inputDelay = inputDelay
    session.mostAhead = predict ? MOST_AHEAD : 0
  }
}

/** @param changed called after a person has changed something in `settings` */
export function createControls(settings: Settings, changed: () => void): void {
  /** A slider counts in `unit`s of the setting. */
  function slider(id: string, key: Exclude<keyof Settings, 'predict'>, shown: string, unit = 1) {
    const input = element(`#${id}`, HTMLInputElement)
    const show = () => {
      const text =
        input.value === '1' ? shown.replace('# frames', '1 frame') : shown.replace('#', input.value)
      say(element(`output[for=${id}]`, HTMLOutputElement), text)
      input.setAttribute('aria-valuetext', text)
    }
    input.value = String(settings[key] / unit)
    show()
    input.addEventListener('input', () => {
      settings[key] = Number(input.value) * unit
      show()
      changed()
    })
  }

  slider('latency', 'latency', '# ms')
  slider('jitter', 'jitter', '0 to # ms')
  slider('loss', 'loss', '# %', 0.01)
  slider('input-delay', 'inputDelay', '# frames')
  const predict = element('#predict', HTMLInputElement)
  predict.checked = settings.predict
  predict.addEventListener('change', () => {
    settings.predict = predict.checked
    changed()
  })
}
