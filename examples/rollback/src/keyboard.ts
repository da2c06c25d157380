// What two people press: one half of the keyboard each, or the buttons on a touch screen.

import { DOWN, FIRE, LEFT, RIGHT, UP } from './game/components.ts'

/** By KeyboardEvent.code, so that the keys lie the same on every keyboard. */
const KEYS: readonly Readonly<Record<string, number>>[] = [
  { KeyA: LEFT, KeyW: UP, KeyS: DOWN, KeyD: RIGHT, Space: FIRE },
  { ArrowLeft: LEFT, ArrowUp: UP, ArrowDown: DOWN, ArrowRight: RIGHT, Enter: FIRE },
]
const BUTTONS = [
  ['←', 'Left', LEFT],
  ['↑', 'Up', UP],
  ['↓', 'Down', DOWN],
  ['→', 'Right', RIGHT],
  ['●', 'Fire', FIRE],
] as const

/**
 * Follows the keys from now on.
 *
 * @param pads an element for the buttons of each player
 * @param pressed called when a player presses something
 * @returns what each player holds down
 */
export function followKeys(pads: readonly Element[], pressed: (player: number) => void): [number, number] {
  const held: [number, number] = [0, 0]

  function hold(player: number, bit: number, isDown: boolean): void {
    held[player] = isDown ? held[player] | bit : held[player] & ~bit
    if (isDown) pressed(player)
  }

  function follow(event: KeyboardEvent, isDown: boolean): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const player = KEYS.findIndex((keys) => event.code in keys)
    if (player === -1 || (isDown && isTaken(event))) return
    if (isDown) event.preventDefault()
    hold(player, KEYS[player][event.code], isDown)
  }

  addEventListener('keydown', (event) => follow(event, true))
  addEventListener('keyup', (event) => follow(event, false))
  // The page does not hear of keys that are released elsewhere.
  addEventListener('blur', () => held.fill(0))
  pads.forEach((pad, player) => {
    for (const [shown, name, bit] of BUTTONS) {
      const button = document.createElement('button')
      Object.assign(button, { type: 'button', textContent: shown, ariaLabel: name })
      button.addEventListener('pointerdown', () => hold(player, bit, true))
      for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
        button.addEventListener(end, () => hold(player, bit, false))
      pad.append(button)
    }
  })
  return held
}

/** Whether the control that has the focus wants the key for itself: a slider the arrows, anything else Space and Enter. */
function isTaken({ target, code }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  if (code.startsWith('Arrow')) return target.matches('input[type=range]')
  return (code === 'Space' || code === 'Enter') && target.matches('input, button, a[href]')
}
