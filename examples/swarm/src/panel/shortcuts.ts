// Owns what each key does. It must never listen to the keyboard: keys.ts does.

import { NULL_ENTITY, type Entity } from 'strata-ecs'
import type { Frames } from '../frames.ts'
import { SIZE } from '../simulation/settings.ts'
import type { Swarm } from '../simulation/swarm.ts'
import type { View } from '../view/view.ts'
import { SPEEDS } from './address.ts'
import type { Fold } from './fold.ts'
import type { Shortcut } from './keys.ts'
import type { Timeline } from './timeline.ts'
import type { Touch } from './touch.ts'

/** The part of the view that an arrow moves it by. */
const PAN = 0.1
const ZOOM = 1.25
/** Of fire in the middle, in units, where the whole square is seen. */
const FIRE_RADIUS = 24

export interface Handled {
  readonly swarm: Swarm
  readonly frames: Frames
  readonly view: View | undefined
  readonly touch: Touch
  readonly fold: Fold
  readonly timeline: Timeline
  readonly pick: (entity: Entity) => void
  readonly tell: (news: string) => void
  /** Opens or closes the inspector of the world. */
  readonly inspect: () => void
}

export function createShortcuts({
  swarm,
  frames,
  view,
  touch,
  fold,
  timeline,
  pick,
  tell,
  inspect,
}: Handled): Shortcut[] {
  /** The middle of what is seen. */
  const middle = () => view?.camera ?? { x: SIZE / 2, y: SIZE / 2, zoom: 1 }

  function pause() {
    frames.paused = !frames.paused
    tell(frames.paused ? 'Paused' : 'Playing')
  }

  function hurry(key: string) {
    const next = SPEEDS[SPEEDS.indexOf(frames.speed) + (key === '>' ? 1 : -1)]
    if (next !== undefined) frames.speed = next
    tell(`Speed ${frames.speed}`)
  }

  function switchLoops() {
    swarm.kernels = !swarm.kernels
    tell(swarm.kernels ? 'Kernels' : 'JavaScript loops')
  }

  function pickMiddle() {
    const { x, y } = middle()
    touch.pickNearest(x, y)
  }

  function setFire() {
    const { x, y, zoom } = middle()
    touch.ignite(x, y, FIRE_RADIUS / zoom)
    tell('Fire in the middle')
  }

  function zoom(key: string) {
    view?.camera.zoomBy(key === '-' ? 1 / ZOOM : ZOOM)
  }

  function pan(key: string) {
    const right = key === 'ArrowRight' ? PAN : key === 'ArrowLeft' ? -PAN : 0
    const down = key === 'ArrowDown' ? PAN : key === 'ArrowUp' ? -PAN : 0
    view?.camera.panBy(right, down)
  }

  return [
    { keys: [' '], shown: 'Space', does: 'pause, play', act: pause },
    { keys: ['.'], shown: '.', does: 'one step', act: () => frames.stepOnce() },
    { keys: ['<', '>'], shown: '< >', does: 'slower, faster', act: hurry },
    {
      keys: ['[', ']'],
      shown: '[ ]',
      does: 'half a second back, forward',
      act: (key) => timeline.stride(key === '[' ? -1 : 1),
    },
    { keys: ['g'], shown: 'G', does: 'go on from here', act: () => timeline.goOn() },
    { keys: ['k'], shown: 'K', does: 'kernels, JavaScript loops', act: switchLoops },
    { keys: ['n'], shown: 'N', does: 'pick the agent nearest the middle', act: pickMiddle },
    { keys: ['Escape'], shown: 'Esc', does: 'drop the picked agent', act: () => pick(NULL_ENTITY) },
    { keys: ['f'], shown: 'F', does: 'fire in the middle', act: setFire },
    { keys: ['l'], shown: 'L', does: 'lightning', act: () => touch.strike() },
    { keys: ['+', '=', '-'], shown: '+ −', does: 'zoom', act: zoom },
    { keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], shown: '← ↑ ↓ →', does: 'move', act: pan },
    { keys: ['0'], shown: '0', does: 'the whole square again', act: () => view?.camera.reset() },
    { keys: ['i', 'F2'], shown: 'I', does: 'the inspector of the world', act: inspect },
    { keys: ['h'], shown: 'H', does: 'hide or show the panel', act: () => fold.turn() },
  ]
}
