// What two people press: one half of the keyboard each, or the buttons on a touch screen.

import { DOWN, FIRE, LEFT, RIGHT, UP } from '../game/inputs.ts'

/** By KeyboardEvent.code, so that the keys lie the same on every keyboard. */
const KEYS: readonly ReadonlyMap<string, number>[] = [
  new Map([
    ['KeyA', LEFT],
    ['KeyD', RIGHT],
    ['KeyW', UP],
    ['KeyS', DOWN],
    ['Space', FIRE],
  ]),
  new Map([
    ['ArrowLeft', LEFT],
    ['ArrowRight', RIGHT],
    ['ArrowUp', UP],
    ['ArrowDown', DOWN],
    ['Enter', FIRE],
  ]),
]
const BUTTONS = [
  ['←', 'Left', LEFT],
  ['↑', 'Up', UP],
  ['↓', 'Down', DOWN],
  ['→', 'Right', RIGHT],
  ['●', 'Fire', FIRE],
] as const

/** What has its own use for the arrows, and for Space and Enter. */
const SLIDERS = 'input[type=range]'
const CONTROLS = 'input, button, a[href]'

export class Keyboard {
  /** What each player holds down. */
  readonly held: [first: number, second: number] = [0, 0]

  /** @param pressed called when a player presses something */
  constructor(private readonly pressed: (player: number) => void) {
    addEventListener('keydown', (event) => this.follow(event, true))
    addEventListener('keyup', (event) => this.follow(event, false))
    // Keys that are released elsewhere are not heard of.
    addEventListener('blur', () => this.held.fill(0))
  }

  /** Makes buttons for a player that do what the keys do. */
  addPad(pad: Element, player: number): void {
    for (const [shown, name, bit] of BUTTONS) {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = shown
      button.setAttribute('aria-label', name)
      button.addEventListener('pointerdown', () => this.hold(player, bit, true))
      for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
        button.addEventListener(end, () => this.hold(player, bit, false))
      pad.append(button)
    }
  }

  private follow(event: KeyboardEvent, isDown: boolean): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const player = KEYS.findIndex((keys) => keys.has(event.code))
    if (player === -1) return
    if (isDown && isTaken(event)) return
    if (isDown) event.preventDefault()
    this.hold(player, KEYS[player].get(event.code) as number, isDown)
  }

  private hold(player: number, bit: number, isDown: boolean): void {
    if (!isDown) {
      this.held[player] &= ~bit
      return
    }
    this.held[player] |= bit
    this.pressed(player)
  }
}

/** Whether the control that has the focus wants the key for itself. */
function isTaken({ target, code }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  if (code.startsWith('Arrow')) return target.matches(SLIDERS)
  return (code === 'Space' || code === 'Enter') && target.matches(CONTROLS)
}
