// The keyboard: what each key does, and the list of them. Nothing is done while somebody types.

import { NULL_ENTITY } from 'strata-ecs'
import { SIZE } from '../simulation/settings.ts'
import { SPEEDS } from './address.ts'
import { element, make } from './element.ts'
import type { Fold } from './fold.ts'
import type { Page } from './panel.ts'
import type { Timeline } from './timeline.ts'
import type { Touch } from './touch.ts'

/** The part of the view that an arrow moves it by. */
const PAN = 0.1
const ZOOM = 1.25
/** Of fire in the middle, in units, where the whole square is seen. */
const FIRE_RADIUS = 24

export interface Handled extends Page {
  readonly touch: Touch
  readonly fold: Fold
  readonly timeline: Timeline
  /** Opens or closes the inspector. */
  readonly inspect: () => void
}

/** Keys as KeyboardEvent.key has them, in lower case; as the list shows them; what they do, in words and in fact. */
type Shortcut = readonly [keys: readonly string[], shown: string, does: string, act: (key: string) => unknown]

function createShortcuts(page: Handled): Shortcut[] {
  const { swarm, frames, view, touch, fold, timeline, pick, tell, inspect } = page
  /** The middle of what is seen. */
  const middle = () => view?.camera ?? { x: SIZE / 2, y: SIZE / 2, zoom: 1 }

  function pause() {
    frames.paused = !frames.paused
    tell(frames.paused ? 'Paused' : 'Playing')
  }
  function hurry(key: string) {
    frames.speed = SPEEDS[SPEEDS.indexOf(frames.speed) + (key === '>' ? 1 : -1)] ?? frames.speed
    tell(`Speed ${frames.speed}`)
  }
  function switchLoops() {
    swarm.kernels = !swarm.kernels
    tell(swarm.kernels ? 'Kernels' : 'JavaScript loops')
  }
  function setFire() {
    const { x, y, zoom } = middle()
    swarm.ignite(x, y, FIRE_RADIUS / zoom)
    tell('Fire in the middle')
  }
  function pan(key: string) {
    const right = key === 'ArrowRight' ? PAN : key === 'ArrowLeft' ? -PAN : 0
    const down = key === 'ArrowDown' ? PAN : key === 'ArrowUp' ? -PAN : 0
    view?.camera.panBy(right, down)
  }

  return [
    [[' '], 'Space', 'pause, play', pause],
    [['.'], '.', 'one step', () => frames.stepOnce()],
    [['<', '>'], '< >', 'slower, faster', hurry],
    [['[', ']'], '[ ]', 'half a second back, forward', (key) => timeline.stride(key === '[' ? -1 : 1)],
    [['g'], 'G', 'go on from here', () => timeline.goOn()],
    [['k'], 'K', 'kernels, JavaScript loops', switchLoops],
    [['n'], 'N', 'pick the agent nearest the middle', () => touch.pickNearest(middle().x, middle().y)],
    [['Escape'], 'Esc', 'drop the picked agent', () => pick(NULL_ENTITY)],
    [['f'], 'F', 'fire in the middle', setFire],
    [['l'], 'L', 'lightning', () => touch.strike()],
    [['+', '=', '-'], '+ −', 'zoom', (key) => view?.camera.zoomBy(key === '-' ? 1 / ZOOM : ZOOM)],
    [['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], '← ↑ ↓ →', 'move', pan],
    [['0'], '0', 'the whole square again', () => view?.camera.reset()],
    [['i', 'F2'], 'I', 'the inspector of the world', inspect],
    [['h'], 'H', 'hide or show the panel', () => fold.turn()],
  ]
}

/** Listens from now on. */
export function followKeys(page: Handled): void {
  const list = element('keys', HTMLDialogElement)
  const showList = () => (list.open ? list.close() : list.showModal())
  const shortcuts: Shortcut[] = [...createShortcuts(page), [['?'], '?', 'this list', showList]]
  const byKey = new Map(shortcuts.flatMap(([keys, , , act]) => keys.map((key) => [key, act] as const)))

  for (const [, shown, does] of shortcuts)
    element('key-list', HTMLDListElement).append(
      make('dt', ...shown.split(' ').map((key) => make('kbd', key))),
      make('dd', does),
    )
  element('show-keys', HTMLButtonElement).addEventListener('click', showList)
  // A click beside the list closes it: inside, it hits something in it.
  list.addEventListener('click', (event) => event.target === list && list.close())

  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const act = byKey.get(key)
    // An open list has Escape for itself.
    if (act === undefined || isTaken(event, key) || (list.open && key !== '?')) return
    event.preventDefault()
    act(key)
  })
}

const TEXT_FIELDS =
  'input:not([type=radio], [type=range], [type=checkbox]), textarea, select, [contenteditable]'
/** What has its own use for Space and the arrows. */
const CONTROLS = 'button, a[href], input, summary, dialog'

/** Whether what has the focus, in the inspector too, wants the key for itself. Only Escape leaves a field as well. */
function isTaken(event: KeyboardEvent, key: string): boolean {
  const [target] = event.composedPath()
  if (!(target instanceof Element) || key === 'Escape') return false
  if (target.matches(TEXT_FIELDS)) return true
  const isInside = target.getRootNode() !== document
  return (key === ' ' || key.startsWith('Arrow')) && (isInside || target.matches(CONTROLS))
}
