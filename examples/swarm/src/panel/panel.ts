// Owns the panel as a whole: puts its parts together and looks at how things stand, ten times a second.
// It must never simulate, draw the swarm or measure by itself.

import { NULL_ENTITY, type Entity } from 'strata-ecs'
import type { Frames } from '../frames.ts'
import type { Past } from '../simulation/past.ts'
import type { Swarm } from '../simulation/swarm.ts'
import type { View } from '../view/view.ts'
import type { Shared, Tap } from './address.ts'
import { createControls } from './controls.ts'
import { Choice, element, grouped, say } from './element.ts'
import { createFold } from './fold.ts'
import { createGraph } from './graph.ts'
import { createInspector } from './inspector.ts'
import { followKeys } from './keys.ts'
import type { Moment } from './moment.ts'
import { shareByAddress } from './sharing.ts'
import { createShortcuts } from './shortcuts.ts'
import { followTheme } from './theme.ts'
import { createTimeline } from './timeline.ts'
import { Touch } from './touch.ts'
import { createWorldInspector } from './worldInspector.ts'

/** Milliseconds between two looks at how things stand, and how long news can be read. */
const LOOK_EVERY = 100
const NEWS_LAST = 3000
/** Milliseconds that the rate of frames is a mean of. */
const RECENT = 1000

export interface PanelOptions {
  readonly swarm: Swarm
  readonly past: Past
  readonly frames: Frames
  /** Undefined where nothing can be drawn: all else works. */
  readonly view: View | undefined
  /** What is seen when the address says nothing. */
  readonly usual: Shared
  /** What is seen now. */
  readonly shared: Shared
  /** Where the address leads to: a moment, nowhere, or to what cannot be one. */
  readonly moment: Moment | 'damaged' | undefined
}

export interface Panel {
  /** A tap on the swarm, in units of the square. */
  tap(x: number, y: number, radius: number): void
}

/** Brings the page to life. It follows the frames from now on. */
export function createPanel({ swarm, past, frames, view, usual, shared, moment }: PanelOptions): Panel {
  const count = element('count', HTMLElement)
  const pulse = element('pulse', HTMLParagraphElement)
  const status = element('status', HTMLParagraphElement)
  const fold = createFold()
  const inspector = createInspector(swarm, mark)
  const touch = new Touch(swarm, pick, tell)
  const tap = new Choice('tap', (value) => (touch.mode = value as Tap))
  const controls = createControls(swarm, frames, tell)
  const timeline = createTimeline({
    swarm,
    past,
    frames,
    prey: shared.prey,
    tell,
    moment: moment === 'damaged' ? undefined : moment,
  })
  const graph = createGraph(frames.times)
  const inspect = createWorldInspector({ swarm, past, frames, pick, tell })
  let lookedAt = -Infinity
  let news = 0

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
    if (entity !== NULL_ENTITY) fold.giveWay()
  }

  function show() {
    const every = frames.times.meanInterval(frames.times.within(RECENT))
    say(count, grouped(swarm.population))
    say(pulse, frames.paused ? 'Paused' : every > 0 ? rateOf(every) : '')
    controls.show()
    timeline.show()
    tap.show(touch.mode)
    inspector.show()
    if (!fold.isFolded) graph.draw()
  }

  touch.mode = shared.tap
  frames.begin = () => {
    controls.apply()
    timeline.apply()
  }
  frames.end = (time) => {
    if (time - lookedAt < LOOK_EVERY) return
    lookedAt = time
    show()
  }
  followTheme((theme) => {
    if (view) view.theme = theme
    graph.recolour()
  })
  followKeys(createShortcuts({ swarm, frames, view, touch, fold, timeline, pick, tell, inspect }))
  shareByAddress({
    swarm,
    frames,
    touch,
    timeline,
    usual,
    seed: shared.seed,
    populate: (prey) => controls.populate(prey),
  })
  element('strike', HTMLButtonElement).addEventListener('click', () => touch.strike())
  element('show-inspector', HTMLButtonElement).addEventListener('click', inspect)
  element('centre', HTMLButtonElement).addEventListener('click', () => view?.camera.reset())
  show()
  if (moment === 'damaged') tell('The link to a moment is damaged: here is a new swarm.')

  return { tap: (x, y, radius) => touch.tap(x, y, radius) }
}

/** @param every milliseconds from frame to frame */
function rateOf(every: number): string {
  const rate = Math.round(1000 / every)
  return rate === 1 ? '1 frame a second' : `${rate} frames a second`
}
