// The page: a match, what shows it, what controls it, and the clock that moves it on.

import { botInput } from './bot.ts'
import { FRAME_MS, Match } from './match.ts'
import { drawArena, readColours } from './page/arena.ts'
import { apply, createControls, USUAL } from './page/controls.ts'
import { element, say } from './page/element.ts'
import { Figures, hex } from './page/figures.ts'
import { Keyboard } from './page/keyboard.ts'
import { followTheme } from './page/theme.ts'

declare global {
  /** For whoever tries things in the console, and for tests. */
  var demo: {
    readonly match: Match
    readonly Match: typeof Match
    readonly botInput: typeof botInput
    /** Plays so many frames at once, and shows the last one. */
    readonly play: (frames: number) => void
    paused: boolean
  }
}

/** Frames of the clock that are made up for at most: after a longer pause, the match goes on from where it was. */
const MOST_DUE = 15
/** Frames of the clock between two looks at the figures. */
const LOOK_EVERY = 10

const settings = { ...USUAL }
let seed = 1
let match = createMatch()
let paused = false

const sections = [element('#first', HTMLElement), element('#second', HTMLElement)]
const verdict = element('#verdict', HTMLParagraphElement)
const arenas = sections.map((section) => element('canvas', HTMLCanvasElement, section))
const bots = sections.map((section) => element('.bot', HTMLInputElement, section))
let figures = createFigures()
let colours = readColours()
/** Who presses a key plays. */
const keyboard = new Keyboard((player) => (bots[player].checked = false))
sections.forEach((section, player) => keyboard.addPad(element('.pad', HTMLElement, section), player))

function createMatch(): Match {
  const created = new Match({ seed, now: () => performance.now() })
  apply(settings, created)
  return created
}

function createFigures(): Figures[] {
  for (const section of sections) element('.figures', HTMLDListElement, section).replaceChildren()
  return sections.map((section) => new Figures(section))
}

function inputOf(player: number): number {
  return bots[player].checked ? botInput(seed * 2 + player, match.ticks) : keyboard.held[player]
}

function tick(): void {
  match.tick([inputOf(0), inputOf(1)])
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
  verdict.classList.toggle('differs', mismatch !== undefined)
  const [first, second] = match.players
  say(
    verdict,
    mismatch
      ? `The worlds differ at state ${mismatch.state}: ${hex(mismatch.here)} and ${hex(mismatch.there)}.`
      : first.session.verified > 0 && second.session.verified > 0
        ? 'In step: every state that both players confirmed has the same digest.'
        : 'The players wait for each other.',
  )
}

let before = performance.now()
let due = 0
function frame(now: number): void {
  due = Math.min(due + (now - before) / FRAME_MS, MOST_DUE)
  before = now
  if (paused) due = 0
  for (; due >= 1; due--) tick()
  draw()
  requestAnimationFrame(frame)
}

const pause = element('#pause', HTMLButtonElement)
pause.addEventListener('click', () => {
  paused = !paused
  pause.setAttribute('aria-pressed', String(paused))
})
element('#again', HTMLButtonElement).addEventListener('click', () => {
  match.dispose()
  seed++
  match = createMatch()
  figures = createFigures()
  showFigures()
})
createControls(settings, () => apply(settings, match))
followTheme(() => (colours = readColours()))
showFigures()
requestAnimationFrame(frame)

globalThis.demo = {
  get match() {
    return match
  },
  Match,
  botInput,
  play(frames) {
    for (let k = 0; k < frames; k++) tick()
    showFigures()
    draw()
  },
  get paused() {
    return paused
  },
  set paused(on) {
    paused = on
  },
}
