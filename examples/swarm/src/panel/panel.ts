// The panel as a whole: puts its parts together, and looks at how things stand ten times a second.

import { NULL_ENTITY, type Entity } from 'strata-ecs'
import type { Frames } from '../frames.ts'
import type { Past } from '../simulation/past.ts'
import type { Swarm } from '../simulation/swarm.ts'
import type { View } from '../view/view.ts'
import { shareByAddress, type Moment, type Shared, type Tap } from './address.ts'
import { createControls } from './controls.ts'
import { choice, element, grouped, say } from './element.ts'
import { createFold } from './fold.ts'
import { createGraph } from './graph.ts'
import { createInspector } from './inspector.ts'
import { followKeys } from './keys.ts'
import { followTheme } from './theme.ts'
import { createTimeline } from './timeline.ts'
import { createTouch } from './touch.ts'

/** Milliseconds: between two looks at how things stand, that news can be read, that the rate of frames is a mean of. */
const LOOK_EVERY = 100
const NEWS_LAST = 3000
const RECENT = 1000

/** What the parts of the panel work on. */
export interface Page {
  readonly swarm: Swarm
  readonly past: Past
  readonly frames: Frames
  /** Undefined where nothing can be drawn: all else works. */
  readonly view: View | undefined
  /** Says something for some seconds. */
  readonly tell: (news: string) => void
  /** Picks an agent in place of the one before; NULL_ENTITY for none. */
  readonly pick: (entity: Entity) => void
}

export interface PanelOptions extends Pick<Page, 'swarm' | 'past' | 'frames' | 'view'> {
  /** What is seen when the address says nothing, and what is seen now. */
  readonly usual: Shared
  readonly shared: Shared
  /** Where the address leads to: a moment, nowhere, or to what cannot be one. */
  readonly moment: Moment | 'damaged' | undefined
}

/** Brings the page to life. It follows the frames from now on. Returns what a tap does, in units of the square. */
export function createPanel({ swarm, past, frames, view, usual, shared, moment }: PanelOptions) {
  const count = element('count', HTMLElement)
  const pulse = element('pulse', HTMLParagraphElement)
  const status = element('status', HTMLParagraphElement)
  const page: Page = { swarm, past, frames, view, tell, pick }
  const fold = createFold()
  const inspector = createInspector(page)
  const touch = createTouch(page)
  const tap = choice('tap', (value) => (touch.mode = value as Tap))
  const controls = createControls(swarm, frames, tell)
  const timeline = createTimeline(page, shared.prey, moment === 'damaged' ? undefined : moment)
  const graph = createGraph(frames.times)
  let lookedAt = -Infinity
  let news = 0
  let picked: Entity = NULL_ENTITY

  function tell(text: string) {
    clearTimeout(news)
    say(status, text)
    news = setTimeout(() => say(status, ''), NEWS_LAST)
  }

  function pick(entity: Entity) {
    if (entity === NULL_ENTITY && picked === NULL_ENTITY) return
    if (entity !== picked) {
      picked = entity
      mark()
    }
    inspector.show(entity)
    if (entity !== NULL_ENTITY) fold.giveWay()
  }

  function mark() {
    swarm.pick(picked)
    if (view) view.marked = swarm.world.isAlive(picked) ? picked : NULL_ENTITY
  }

  function show() {
    const every = frames.times.meanInterval(frames.times.within(RECENT))
    const rate = Math.round(1000 / every)
    const pace = rate === 1 ? '1 frame a second' : `${rate} frames a second`
    say(count, grouped(swarm.population))
    say(pulse, frames.paused ? 'Paused' : every > 0 ? pace : '')
    controls.show()
    timeline.show()
    tap.show(touch.mode)
    if (!fold.isFolded) graph.draw()
  }

  // The pick is a person's, not the moment's: it survives a way through time, and comes alive again with its agent.
  swarm.world.onRestore(() => {
    if (picked !== NULL_ENTITY) mark()
  })
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
  followKeys({ ...page, touch, fold, timeline, inspect: inspector.toggle })
  shareByAddress({ swarm, frames, touch, timeline, usual, seed: shared.seed, populate: controls.populate })
  element('strike', HTMLButtonElement).addEventListener('click', touch.strike)
  element('show-inspector', HTMLButtonElement).addEventListener('click', inspector.toggle)
  element('centre', HTMLButtonElement).addEventListener('click', () => view?.camera.reset())
  show()
  if (moment === 'damaged') tell('The link to a moment is damaged: here is a new swarm.')
  return touch.tap
}
