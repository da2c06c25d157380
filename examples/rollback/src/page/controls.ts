// Owns the sliders and buttons below the players. They read and write the match that is being played.

import type { Match } from '../match.ts'
import { MOST_AHEAD } from '../net/session.ts'
import { element, say } from './element.ts'

export interface Settings {
  latency: number
  jitter: number
  loss: number
  inputDelay: number
  predict: boolean
}

export const USUAL: Settings = { latency: 100, jitter: 20, loss: 0.1, inputDelay: 2, predict: true }

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
  function slider(
    id: string,
    read: () => number,
    write: (value: number) => void,
    shown: (value: number) => string,
  ) {
    const input = element(`#${id}`, HTMLInputElement)
    const output = element(`output[for=${id}]`, HTMLOutputElement)
    const show = () => {
      say(output, shown(Number(input.value)))
      input.setAttribute('aria-valuetext', shown(Number(input.value)))
    }
    input.value = String(read())
    show()
    input.addEventListener('input', () => {
      write(Number(input.value))
      show()
      changed()
    })
  }

  slider('latency', () => settings.latency, (value) => (settings.latency = value), (value) => `${value} ms`) // prettier-ignore
  slider('jitter', () => settings.jitter, (value) => (settings.jitter = value), (value) => `0 to ${value} ms`) // prettier-ignore
  slider('loss', () => settings.loss * 100, (value) => (settings.loss = value / 100), (value) => `${value} %`) // prettier-ignore
  slider(
    'input-delay',
    () => settings.inputDelay,
    (value) => (settings.inputDelay = value),
    (value) => (value === 1 ? '1 frame' : `${value} frames`),
  )
  const predict = element('#predict', HTMLInputElement)
  predict.checked = settings.predict
  predict.addEventListener('change', () => {
    settings.predict = predict.checked
    changed()
  })
}
