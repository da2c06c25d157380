// The panel and the keyboard: what people do goes to the swarm, and ten times a second the panel shows how things stand. It keeps no
// setting: the swarm and the frames have them, whoever changed them.

import { NULL_ENTITY, onRestore, StrataError, type Entity, type Workers } from 'strata-ecs'
import { element, followTheme, say } from '../../page/page.ts'
import { type Moment, type Shared, type Tap, writeAddress } from './address.ts'
import type { Frames } from './frames.ts'
import { createInspector } from './inspector.ts'
import { Position } from './simulation/components.ts'
import type { Past } from './simulation/past.ts'
import { LIGHTNING_RADIUS, SIZE } from './simulation/settings.ts'
import type { Swarm } from './simulation/swarm.ts'
import { createTimeline } from './timeline.ts'
import type { View } from './view/view.ts'

/** Milliseconds: between two looks at how things stand, that news can be read, between two changes of the address. */
const LOOK_EVERY = 100
const NEWS_LAST = 3000
const KEEP_EVERY = 500
/** What a finger sets on fire at least, in units, and a key where the whole square is seen. */
const FINGER_RADIUS = 6
const KEY_RADIUS = 24
/** The part of the view that an arrow moves it by; what a key zooms by. */
const PAN = 0.1
const ZOOM = 1.25

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
  /** The threads beside the page's own. */
  readonly pool: Workers
  /** Where the address leads to: a moment, nowhere, or to what cannot be one. */
  readonly moment: Moment | 'damaged' | undefined
}

/** The slider of the population goes from a thousand to a million, in round numbers at nearly equal ratios. */
export const LAST_STOP = 72
export const populationAt = (stop: number) => Number((1000 * 10 ** (stop / 24)).toPrecision(2))
/** The stop that is nearest to a population, as ratios go. */
export const stopOf = (population: number) =>
  Math.min(Math.max(Math.round(24 * Math.log10(population / 1000)), 0), LAST_STOP)

const grouped = (number: number) => number.toLocaleString('en-GB')
const button = (id: string) => element(`#${id}`, HTMLButtonElement)

/** A list of choices: `show` chooses a value, `turn` the next one or the one before. */
function choice(id: string, chosen: (value: string) => void) {
  const select = element(`#${id}`, HTMLSelectElement)
  select.addEventListener('change', () => chosen(select.value))
  return {
    show: (value: string) => (select.value = value),
    turn(by: number) {
      if (select.options[select.selectedIndex + by] === undefined) return
      select.selectedIndex += by
      chosen(select.value)
    },
  }
}

/** Brings the page to life. It follows the frames from now on. Returns what a tap does, in units of the square. */
export function createPanel({ swarm, pool, past, frames, view, usual, shared, moment }: PanelOptions) {
  const page: Page = { swarm, past, frames, view, tell, pick }
  const giveWay = createFold()
  const inspector = createInspector(page)
  const timeline = createTimeline(page, shared.prey, moment === 'damaged' ? undefined : moment)
  const speed = choice('speed', (value) => (frames.speed = Number(value)))
  const loops = choice('loops', (value) => (swarm.kernels = value === 'kernels'))
  const threads = choice('threads', (value) => anotherPage({ single: value === 'one' }))
  const taps = choice('tap', (value) => (mode = value as Tap))
  const range = element('#population', HTMLInputElement)
  const count = element('#count', HTMLElement)
  const [prey, present, slow] = ['#prey', '#present', '#slow'].map((id) => element(id, HTMLElement))
  const [pulse, status] = ['#pulse', '#status'].map((id) => element(id, HTMLElement))
  let mode = shared.tap
  let picked: Entity = NULL_ENTITY
  /** So many prey are wished for, from the next frame on. */
  let wish: number | undefined
  let lookedAt = -Infinity
  let news: ReturnType<typeof setTimeout> | undefined

  function tell(text: string) {
    clearTimeout(news)
    say(status, text)
    news = setTimeout(() => say(status, ''), NEWS_LAST)
  }

  function populate(wished: number) {
    try {
      swarm.prey = wished
    } catch (error) {
      if (!(error instanceof StrataError)) throw error
      swarm.prey = swarm.population
      tell(`There is no memory for ${grouped(wished)} prey here.`)
    }
  }

  function pick(entity: Entity) {
    if (entity === NULL_ENTITY && picked === NULL_ENTITY) return
    picked = entity
    mark()
    inspector.show(entity)
    if (entity !== NULL_ENTITY) giveWay()
  }

  function mark() {
    swarm.pick(picked)
    if (view) view.marked = swarm.world.isAlive(picked) ? picked : NULL_ENTITY
  }

  function tap(x: number, y: number, radius: number) {
    if (mode === 'fire') swarm.ignite(x, y, Math.max(radius, FINGER_RADIUS))
    else pick(swarm.nearest(x, y, radius))
  }

  /** Lightning strikes where somebody is. */
  function strike() {
    const target = swarm.flock.at(Math.floor(Math.random() * swarm.flock.count))
    const place = target === undefined ? undefined : swarm.world.get(target, Position)
    if (place === undefined) return tell('Nobody is left for lightning to strike.')
    swarm.ignite(place.x, place.y, LIGHTNING_RADIUS)
    tell('Lightning struck.')
  }

  /** What keys do that click no button, at the middle of what is seen. */
  function press(key: string) {
    const { x, y, zoom } = view?.camera ?? { x: SIZE / 2, y: SIZE / 2, zoom: 1 }
    if (key === '<' || key === '>') speed.turn(key === '>' ? 1 : -1)
    else if (key === 'k') loops.turn(swarm.kernels ? 1 : -1)
    else if (key === 't') threads.turn(shared.single ? -1 : 1)
    else if (key === '[' || key === ']') timeline.stride(key === ']' ? 1 : -1)
    else if (key === 'n') pick(swarm.nearest(x, y, SIZE / 2))
    else if (key === 'Escape') pick(NULL_ENTITY)
    else if (key === 'f') swarm.ignite(x, y, KEY_RADIUS / zoom)
    else if (key === '+' || key === '=') view?.camera.zoomBy(ZOOM)
    else if (key === '-') view?.camera.zoomBy(1 / ZOOM)
    else if (key === 'ArrowLeft' || key === 'ArrowRight')
      view?.camera.panBy(key === 'ArrowRight' ? PAN : -PAN, 0)
    else if (key === 'ArrowUp' || key === 'ArrowDown') view?.camera.panBy(0, key === 'ArrowDown' ? PAN : -PAN)
    else if (key === '?') element('#keys', HTMLDetailsElement).toggleAttribute('open')
    else return false
    return true
  }

  function show() {
    const { pace, paused } = frames
    const rate = Math.round(1000 / pace.interval)
    const frame = `${rate} frames/s, ${pace.work.toFixed(1)} ms each`
    const wished = wish ?? swarm.prey
    say(pulse, paused ? 'Paused' : pace.interval > 0 ? frame : '')
    say(button('pause'), paused ? 'Play' : 'Pause')
    say(count, grouped(swarm.population))
    say(prey, grouped(wished))
    range.setAttribute('aria-valuetext', `${grouped(wished)} prey`)
    // A number between two stops stays as it is until somebody moves the thumb.
    if (populationAt(Number(range.value)) !== wished) range.value = String(stopOf(wished))
    say(present, swarm.population === swarm.prey ? '' : `· ${grouped(swarm.population)} at present`)
    speed.show(String(frames.speed))
    loops.show(swarm.kernels ? 'kernels' : 'loops')
    showThreads()
    taps.show(mode)
    timeline.show()
    slow.hidden = paused || pace.kept > 0.97
    say(slow, `This machine keeps ${Math.round(pace.kept * 100)} % of that speed.`)
  }

  function showThreads() {
    const { workers, why } = pool.stats()
    threads.show(workers === 0 ? 'one' : 'all')
    const all = element('#all', HTMLOptionElement)
    say(all, workers === 0 ? 'All' : `All, ${workers + 1}`)
    const alone = element('#alone', HTMLElement)
    const isRefused = !shared.single && why !== undefined
    // Choosing it would change nothing.
    all.disabled = isRefused
    alone.hidden = !isRefused
    say(alone, isRefused ? `One thread: ${why}.` : '')
  }

  /** What is set now, as the address says it. */
  function settings(): Shared {
    const { seed, single } = shared
    const { speed, paused } = frames
    return { prey: swarm.prey, loops: !swarm.kernels, single, speed, paused, tap: mode, seed }
  }

  /** What the world begins with takes a new one: the same swarm, from its first step. */
  function anotherPage(changed: Partial<Shared>) {
    location.hash = writeAddress({ ...settings(), ...changed }, usual)
  }

  /** The address follows what is set. Another one is another page. */
  function shareByAddress() {
    let address = location.hash
    setInterval(() => {
      const now = timeline.address ?? writeAddress(settings(), usual)
      if (now === address) return
      address = now
      history.replaceState(null, '', now === '' ? location.pathname + location.search : now)
    }, KEEP_EVERY)
    // By the time a person's change is told of, it may have been written over.
    addEventListener('hashchange', ({ newURL }) => {
      history.replaceState(null, '', newURL)
      location.reload()
    })
  }

  range.max = String(LAST_STOP)
  range.addEventListener('input', () => {
    wish = populationAt(Number(range.value))
    show()
  })
  button('pause').addEventListener('click', () => {
    frames.paused = !frames.paused
    show()
  })
  button('step').addEventListener('click', () => frames.stepOnce())
  button('strike').addEventListener('click', strike)
  button('centre').addEventListener('click', () => view?.camera.reset())
  button('inspect').addEventListener('click', inspector.toggle)
  // The pick is a person's, not the moment's: it survives a way through time, and comes alive again with its agent.
  onRestore(swarm.world, () => {
    if (picked !== NULL_ENTITY) mark()
  })
  frames.begin = () => {
    if (wish !== undefined) populate(wish)
    wish = undefined
    timeline.apply()
  }
  frames.end = (time) => {
    if (time - lookedAt < LOOK_EVERY) return
    lookedAt = time
    show()
  }
  followTheme((theme) => {
    if (view) view.theme = theme
  })
  followKeys(press)
  shareByAddress()
  show()
  if (moment === 'damaged') tell('The link to a moment is damaged: here is a new swarm.')
  return tap
}

/** On a phone the panel lies over a part of the swarm, whose middle moves up. Returns what folds it there. */
function createFold() {
  const narrow = matchMedia('(max-width: 719px)')
  const [panel, details] = [element('#panel', HTMLElement), element('#panel details', HTMLDetailsElement)]
  const giveWay = () => {
    if (narrow.matches) details.open = false
  }
  new ResizeObserver(() => {
    const covered = narrow.matches ? panel.offsetHeight : 0
    document.documentElement.style.setProperty('--covered', `${covered}px`)
  }).observe(panel)
  giveWay()
  return giveWay
}

const TEXT_FIELDS =
  'input:not([type=radio], [type=range], [type=checkbox]), textarea, select, [contenteditable]'
/** What has its own use for Space and the arrows. */
const CONTROLS = 'button, a[href], input, summary'

/** Keys click the button that names them, or do what `press` does. Nothing is done while somebody types. */
function followKeys(press: (key: string) => boolean): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const key = event.key === 'F2' ? 'i' : event.key.length === 1 ? event.key.toLowerCase() : event.key
    if (isTaken(event, key)) return
    const named = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
    named?.click()
    if (named || press(key)) event.preventDefault()
  })
}

/** Whether what has the focus, in the inspector too, wants the key for itself. Only Escape leaves a field as well. */
function isTaken(event: KeyboardEvent, key: string): boolean {
  const [target] = event.composedPath()
  if (!(target instanceof Element) || key === 'Escape') return false
  if (target.matches(TEXT_FIELDS)) return true
  const isInside = target.getRootNode() !== document
  return (key === ' ' || key.startsWith('Arrow')) && (isInside || target.matches(CONTROLS))
}
