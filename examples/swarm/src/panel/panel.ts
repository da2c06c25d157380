// Owns the panel as a whole: puts its parts together, gives them the keys, keeps the address of the page.
// It must never simulate, draw or measure by itself.

import { NULL_ENTITY, type Entity } from 'strata-ecs'
import type { Frames } from '../frames.ts'
import { SIZE } from '../simulation/settings.ts'
import type { Swarm } from '../simulation/swarm.ts'
import type { View } from '../view/view.ts'
import { readAddress, SPEEDS, type Shared, type Tap, writeAddress } from './address.ts'
import { createControls } from './controls.ts'
import { Choice, element, grouped, say } from './element.ts'
import { createGraph } from './graph.ts'
import { createInspector } from './inspector.ts'
import { followKeys, type Shortcut } from './keys.ts'
import { followTheme } from './theme.ts'
import { Touch } from './touch.ts'

/** Milliseconds between two looks at how things stand. */
const LOOK_EVERY = 100
const NEWS_LAST = 3000
const PAN = 0.1
const ZOOM = 1.25
/** Of fire by keyboard, in units where the whole square is seen. */
const FIRE_RADIUS = 24

/** Where the panel covers the lower part of the swarm. */
const narrow = matchMedia('(max-width: 719px)')

export interface PanelOptions {
  readonly swarm: Swarm
  readonly frames: Frames
  /** Undefined where nothing can be drawn: all else works. */
  readonly view: View | undefined
  /** What is seen when the address says nothing. */
  readonly usual: Shared
  /** What is seen now. */
  readonly shared: Shared
}

export interface Panel {
  /** A tap on the swarm, in units of the square. */
  tap(x: number, y: number, radius: number): void
}

/** Brings the page to life. It follows the frames from now on. */
export function createPanel({ swarm, frames, view, usual, shared }: PanelOptions): Panel {
  const count = element('count', HTMLElement)
  const pulse = element('pulse', HTMLParagraphElement)
  const status = element('status', HTMLParagraphElement)
  const fold = element('fold', HTMLButtonElement)
  const inspector = createInspector(swarm, mark)
  const touch = new Touch(swarm, pick, tell)
  const tap = new Choice('tap', (value) => (touch.mode = value as Tap))
  const controls = createControls(swarm, frames, tell)
  const graph = createGraph(frames.times)
  let lookedAt = -Infinity
  let news = 0
  let address = location.hash

  touch.mode = shared.tap

  function tell(text: string) {
    clearTimeout(news)
    say(status, text)
    news = setTimeout(() => say(status, ''), NEWS_LAST)
  }

  function mark(living: Entity) {
    if (view) view.marked = living
  }

  function pick(entity: Entity) {
    inspector.pick(entity)
    // On a phone there is room for one of them beside the swarm.
    if (entity !== NULL_ENTITY && narrow.matches) setFolded(true)
  }

  function setFolded(folded: boolean) {
    element('body', HTMLDivElement).hidden = folded
    document.body.classList.toggle('folded', folded)
    fold.setAttribute('aria-expanded', String(!folded))
    fold.setAttribute('aria-label', folded ? 'Show panel' : 'Hide panel')
  }
  const turnFold = () => setFolded(!document.body.classList.contains('folded'))

  function keepAddress() {
    const { prey, kernels } = swarm
    const { paused, speed } = frames
    const now = writeAddress(
      { prey, loops: !kernels, speed, paused, tap: touch.mode, seed: shared.seed },
      usual,
    )
    if (now === address) return
    address = now
    history.replaceState(null, '', now === '' ? location.pathname + location.search : now)
  }

  function followAddress() {
    // Our own changes do not come here: replaceState tells nobody.
    const said = readAddress(location.hash, usual)
    address = location.hash
    controls.populate(said.prey)
    swarm.kernels = !said.loops
    frames.speed = said.speed
    frames.paused = said.paused
    touch.mode = said.tap
  }

  function show() {
    const { population } = swarm
    const every = frames.times.meanInterval(frames.times.within(1000))
    say(count, grouped(population))
    say(pulse, frames.paused ? 'Paused' : every > 0 ? `${Math.round(1000 / every)} frames a second` : '')
    controls.show()
    tap.show(touch.mode)
    inspector.show()
    if (!document.body.classList.contains('folded')) graph.draw()
  }

  // A canvas keeps its size, and so the swarm its scale, whatever lies over it.
  const dock = element('dock', HTMLDivElement)
  new ResizeObserver(() => {
    const covered = narrow.matches ? dock.offsetHeight : 0
    document.documentElement.style.setProperty('--covered', `${covered}px`)
  }).observe(dock)

  frames.begin = () => controls.apply()
  frames.end = (time) => {
    if (time - lookedAt < LOOK_EVERY) return
    lookedAt = time
    show()
  }
  // Browsers allow an address to change some hundred times in half a minute.
  setInterval(keepAddress, 500)
  addEventListener('hashchange', followAddress)

  element('strike', HTMLButtonElement).addEventListener('click', () => touch.strike())
  element('centre', HTMLButtonElement).addEventListener('click', () => view?.camera.reset())
  fold.addEventListener('click', turnFold)
  followTheme((theme) => {
    if (view) view.theme = theme
    graph.recolour()
  })
  followKeys(shortcuts())
  setFolded(narrow.matches)
  show()

  function shortcuts(): Shortcut[] {
    const middle = () => view?.camera ?? { x: SIZE / 2, y: SIZE / 2, zoom: 1 }
    return [
      { keys: [' '], shown: 'Space', does: 'pause, play', act: pause },
      { keys: ['.'], shown: '.', does: 'one step', act: () => frames.stepOnce() },
      { keys: ['<', '>'], shown: '< >', does: 'slower, faster', act: (key) => hurry(key === '>' ? 1 : -1) },
      { keys: ['k'], shown: 'K', does: 'kernels, JavaScript loops', act: switchLoops },
      { keys: ['n'], shown: 'N', does: 'pick the agent nearest the middle', act: () => touch.pickNearest(middle().x, middle().y) }, // prettier-ignore
      { keys: ['Escape'], shown: 'Esc', does: 'drop the picked agent', act: () => pick(NULL_ENTITY) },
      { keys: ['f'], shown: 'F', does: 'fire in the middle', act: () => touch.ignite(middle().x, middle().y, FIRE_RADIUS / middle().zoom) }, // prettier-ignore
      { keys: ['l'], shown: 'L', does: 'lightning', act: () => touch.strike() },
      { keys: ['+', '=', '-'], shown: '+ −', does: 'zoom', act: (key) => view?.camera.zoomBy(key === '-' ? 1 / ZOOM : ZOOM) }, // prettier-ignore
      { keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], shown: '← ↑ ↓ →', does: 'move', act: pan },
      { keys: ['0'], shown: '0', does: 'the whole square again', act: () => view?.camera.reset() },
      { keys: ['h'], shown: 'H', does: 'hide or show the panel', act: turnFold },
    ]
  }

  function pause() {
    frames.paused = !frames.paused
    tell(frames.paused ? 'Paused' : 'Playing')
  }

  function hurry(by: number) {
    const next = SPEEDS[SPEEDS.indexOf(frames.speed) + by]
    if (next !== undefined) frames.speed = next
    tell(`Speed ${frames.speed}`)
  }

  function switchLoops() {
    swarm.kernels = !swarm.kernels
    tell(swarm.kernels ? 'Kernels' : 'JavaScript loops')
  }

  function pan(key: string) {
    const right = key === 'ArrowRight' ? PAN : key === 'ArrowLeft' ? -PAN : 0
    const down = key === 'ArrowDown' ? PAN : key === 'ArrowUp' ? -PAN : 0
    view?.camera.panBy(right, down)
  }

  return { tap: (x, y, radius) => touch.tap(x, y, radius) }
}
