// The page: a match, what shows it, what controls it, and the clock that moves it on.

import { element, followTheme, hex, say } from '../../page/page.ts'
import { drawArena, readColours } from './arena.ts'
import { botInput } from './bot.ts'
import { Figures } from './figures.ts'
import { followKeys } from './keyboard.ts'
import { FRAME_MS, Match } from './match.ts'
import { MOST_AHEAD } from './net/session.ts'

/** Frames of the clock that are made up for at most: after a longer pause, the match goes on from where it was. */
const MOST_DUE = 15
/** Frames of the clock between two looks at the figures. */
const LOOK_EVERY = 10

const settings = { latency: 100, jitter: 20, loss: 0.1, inputDelay: 2, predict: true }
let seed = 1
let match = createMatch()

const sections = [element('#first', HTMLElement), element('#second', HTMLElement)]
const verdict = element('#verdict', HTMLParagraphElement)
const arenas = sections.map((section) => element('canvas', HTMLCanvasElement, section))
const bots = sections.map((section) => element('.bot', HTMLInputElement, section))
let figures = sections.map((section) => new Figures(section))
let colours = readColours()
const pads = sections.map((section) => element('.pad', HTMLElement, section))
/** Who presses a key plays. */
const held = followKeys(pads, (player) => (bots[player].checked = false))

function createMatch(): Match {
  const created = new Match({ seed, now: () => performance.now() })
  apply(created)
  return created
}

/** Settings hold for a match that goes on, too. */
function apply({ network, players }: Match): void {
  const { latency, jitter, loss, inputDelay, predict } = settings
  Object.assign(network, { latency, jitter, loss })
  for (const { session } of players)
    Object.assign(session, { inputDelay, mostAhead: predict ? MOST_AHEAD : 0 })
}

function tick(): void {
  const [first, second] = [0, 1].map((player) =>
    bots[player].checked ? botInput(seed * 2 + player, match.ticks) : held[player],
  )
  match.tick([first, second])
  match.players.forEach((player, at) => figures[at].note(player))
  if (match.ticks % LOOK_EVERY === 0) showFigures()
}

function draw(): void {
  match.players.forEach(({ game }, player) => {
    drawArena(arenas[player], game, colours)
    figures[player].draw(colours, player)
  })
}

function showFigures(): void {
  match.players.forEach((player, at) => figures[at].show(player))
  const mismatch = match.players.map(({ session }) => session.mismatch).find((found) => found !== undefined)
  verdict.classList.toggle('warning', mismatch !== undefined)
  const inStep = match.players.every(({ session }) => session.verified > 0)
    ? 'In step: every state that both players confirmed has the same digest.'
    : 'The players wait for each other.'
  const differ = (at: typeof mismatch & object) =>
    `The worlds differ at state ${at.state}: ${hex(at.here)} and ${hex(at.there)}.`
  say(verdict, mismatch ? differ(mismatch) : inStep)
}

/** A slider counts in `unit`s of the setting. */
function slider(id: string, key: Exclude<keyof typeof settings, 'predict'>, shown: string, unit = 1) {
  const input = element(`#${id}`, HTMLInputElement)
  const show = () => {
    const text = shown.replace('#', input.value).replace(/^1 frames/, '1 frame')
    say(element(`output[for=${id}]`, HTMLOutputElement), text)
    input.setAttribute('aria-valuetext', text)
  }
  input.value = String(settings[key] / unit)
  show()
  input.addEventListener('input', () => {
    settings[key] = Number(input.value) * unit
    show()
    apply(match)
  })
}
slider('latency', 'latency', '# ms')
slider('jitter', 'jitter', '0 to # ms')
slider('loss', 'loss', '# %', 0.01)
slider('input-delay', 'inputDelay', '# frames')
const predict = element('#predict', HTMLInputElement)
predict.addEventListener('change', () => {
  settings.predict = predict.checked
  apply(match)
})

const pause = element('#pause', HTMLButtonElement)
pause.addEventListener('click', () => {
  demo.paused = !demo.paused
  pause.setAttribute('aria-pressed', String(demo.paused))
})
element('#again', HTMLButtonElement).addEventListener('click', () => {
  match.dispose()
  seed++
  match = createMatch()
  figures = sections.map((section) => new Figures(section))
  showFigures()
})

const demo = {
  get match() {
    return match
  },
  Match,
  botInput,
  paused: false,
  /** Plays so many frames at once, and shows the last one. */
  play(frames: number) {
    for (let k = 0; k < frames; k++) tick()
    showFigures()
    draw()
  },
}
/** For the console, and for tests. */
Object.assign(globalThis, { demo })

let before = performance.now()
let due = 0
function frame(now: number): void {
  due = Math.min(due + (now - before) / FRAME_MS, MOST_DUE)
  before = now
  if (demo.paused) due = 0
  for (; due >= 1; due--) tick()
  draw()
  requestAnimationFrame(frame)
}
followTheme(() => (colours = readColours()))
showFigures()
requestAnimationFrame(frame)
