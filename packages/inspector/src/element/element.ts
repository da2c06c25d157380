// Owns the element `<strata-inspector>`: attaching and detaching a world, when it runs, and what it does when a world is
// disposed of under it. It must never run while it is hidden, detached or out of the page, nor let an error escape.

import { type Entity, type World, isStrataError } from '../../../../bindings/index'
import { make, mark, say } from './dom'
import { bytes, grouped, milliseconds } from './format'
import { calledText, titleText } from './names'
import { ArchetypesPanel } from './panels/archetypes'
import { EntitiesPanel } from './panels/entities'
import { QueriesPanel } from './panels/queries'
import { ResourcesPanel } from './panels/resources'
import { SystemsPanel } from './panels/systems'
import { cut, messageOf } from './preview'
import { type AttachOptions, type Panel, Session } from './session'
import { sheetOf } from './styles'
import { Tabs } from './tabs'
import { TimeBar } from './timeBar'
import { measureSystems } from './timing'

/** Milliseconds from one refresh to the next. */
const REFRESH_EVERY = 100
const NEWS_LAST = 5000
/** Characters of a sentence: a cycle of 10,000 systems is told with all their names. */
const MOST_SAID = 1000

/** In Node there are no elements; the module can be imported there all the same. */
const Base = globalThis.HTMLElement ?? class {}

/**
 * The inspector of a world, as an element of a page. It runs while it is in the page, not `hidden`, and attached; otherwise
 * nothing of it runs. The attribute `theme` is `light` or `dark`; without it, the system decides.
 *
 * Events: `follow` when another entity is followed or none is (`detail.entity`, a handle or undefined), `close` when a person
 * closes it.
 *
 * @example document.querySelector('strata-inspector').attach(world, { schedule, history })
 */
export class StrataInspector extends Base {
  static readonly observedAttributes = ['hidden']

  private session: Session | undefined
  private tabs: Tabs | undefined
  private panels: readonly Panel[] = []
  private timeBar: TimeBar | undefined
  private request = 0
  private running = false
  private refreshedAt = -Infinity
  /** The window that it is in: a frame or a pop-up may be another one than that of the program. */
  private view: Window | undefined
  /** Whether that window was left, and nothing of it is seen any longer. */
  private isLeft = false
  /** Ends the measuring of the schedule. */
  private stopMeasuring = () => {}
  private followed: number | undefined
  private mean = 0
  private refreshes = 0
  /** Until when the status line says what it says. Frames ask: a page may have put timers of its own in place of the browser's. */
  private newsUntil = Infinity
  private readonly figures = make('p', { class: 'quiet figures' })
  private readonly status = make('p', { class: 'status', role: 'status' })
  private readonly banner = make('p', { class: 'banner', role: 'alert', hidden: true })
  private readonly strip = make('div', { class: 'strip', hidden: true })
  private readonly main = make('div', { class: 'main' })

  constructor() {
    super()
    const shadow = this.attachShadow({ mode: 'open' })
    shadow.adoptedStyleSheets = [sheetOf(this.ownerDocument)]
    const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close the inspector' }, '✕')
    close.addEventListener('click', () => {
      this.hidden = true
      this.dispatchEvent(new CustomEvent('close'))
    })
    shadow.append(
      make(
        'section',
        { class: 'frame', 'aria-label': 'Inspector' },
        make('header', { class: 'top' }, make('h1', {}, 'Inspector'), this.figures, close),
        this.banner,
        this.main,
        this.status,
      ),
    )
    this.figures.textContent = 'No world is attached.'
  }

  /**
   * Shows a world from now on, in place of the one before.
   *
   * @param options its schedule, its history, and how the page pauses: see AttachOptions
   * @throws StrataTypeError INVALID_OPTION for what is no world of this copy of strata-ecs, for a schedule or history of another
   *   world, and for options that do not exist or are of the wrong kind; StrataError WORLD_DISPOSED. What was attached stays
   *   attached then.
   * @example inspector.attach(world, { schedule, history })
   */
  attach(world: World, options: AttachOptions = {}): void {
    const attempt = (action: () => void) => this.attempt(action, (news) => this.tell(news))
    const session = new Session(world, options, {
      attempt,
      tell: (news) => this.tell(news),
      chose: () => this.showChoice(),
      showEntities: () => this.tabs?.show(0),
      filter: (text) =>
        attempt(() => {
          this.tabs?.show(0)
          entities.filter(text)
        }),
    })
    const wasFollowed = this.release()
    this.session = session
    const entities = new EntitiesPanel(session)
    const all = [
      { name: 'Entities', panel: entities },
      { name: 'Archetypes', panel: new ArchetypesPanel(session) },
      { name: 'Systems', panel: new SystemsPanel(session) },
      { name: 'Resources', panel: new ResourcesPanel(session) },
      { name: 'Queries', panel: new QueriesPanel(session) },
    ]
    this.panels = all.map(({ panel }) => panel)
    this.tabs = new Tabs(all, () => {
      this.refreshNow()
      this.makeRoom()
    })
    this.timeBar = new TimeBar(session)
    this.main.replaceChildren(this.timeBar.root, this.strip, this.tabs.root)
    this.banner.hidden = true
    this.mean = 0
    this.refreshes = 0
    this.followState()
    if (wasFollowed) this.sayFollowed()
  }

  /** Lets the world go: nothing of it is read or held any longer. A world that the inspector paused goes on. */
  detach(): void {
    if (this.release()) this.sayFollowed()
  }

  /** Detaches without a word; returns whether an entity was followed. */
  private release(): boolean {
    this.stop()
    const { clock } = this.session ?? {}
    if (clock !== undefined && this.timeBar?.hasPaused === true) clock.paused = false
    this.session = undefined
    this.tabs = undefined
    this.timeBar = undefined
    this.panels = []
    const wasFollowed = this.followed !== undefined
    this.followed = undefined
    this.strip.hidden = true
    this.main.replaceChildren()
    say(this.figures, 'No world is attached.')
    return wasFollowed
  }

  private sayFollowed(): void {
    this.dispatchEvent(new CustomEvent('follow', { detail: { entity: this.followed } }))
  }

  /**
   * Shows an entity and follows it, as a press on Follow does; undefined: none any longer. Nothing happens without a world.
   *
   * @example inspector.follow(player)
   */
  follow(entity: Entity | undefined): void {
    const { session } = this
    if (session === undefined) return
    if (entity !== undefined) session.show(entity)
    session.follow(entity !== undefined)
  }

  /** The world that is attached. */
  get world(): World | undefined {
    return this.session?.world
  }

  /** Milliseconds that a refresh takes, as a mean of the last ones. There are ten refreshes a second. */
  get refreshMs(): number {
    return this.mean
  }

  /** @internal */
  connectedCallback(): void {
    // Another document takes the sheets of an element away: they must be its own.
    if (this.shadowRoot !== null) this.shadowRoot.adoptedStyleSheets = [sheetOf(this.ownerDocument)]
    this.view = this.ownerDocument.defaultView ?? undefined
    this.isLeft = false
    for (const type of ['pagehide', 'pageshow']) this.view?.addEventListener(type, this.followWindow)
    this.followState()
  }

  /** @internal */
  disconnectedCallback(): void {
    for (const type of ['pagehide', 'pageshow']) this.view?.removeEventListener(type, this.followWindow)
    this.followState()
    this.view = undefined
  }

  /** A pop-up that is closed, and a frame that is removed, take the inspector along without a word to it. */
  private readonly followWindow = ({ type }: Event): void => {
    this.isLeft = type === 'pagehide'
    this.followState()
  }

  /** @internal */
  attributeChangedCallback(): void {
    this.followState()
  }

  private followState(): void {
    const shall = this.session !== undefined && this.isConnected && !this.hidden && !this.isLeft
    if (shall && !this.running) this.start()
    if (!shall) this.stop()
  }

  private start(): void {
    const { session } = this
    this.running = true
    if (session?.schedule !== undefined) this.stopMeasuring = measureSystems(session.schedule)
    if (session !== undefined) session.isOpen = true
    this.refreshedAt = -Infinity
    this.refreshNow()
    this.requestFrame()
  }

  private requestFrame(): void {
    if (this.running) this.request = this.view?.requestAnimationFrame(this.frame) ?? 0
  }

  /** Where all of the inspector scrolls, because the page is low: brings the tab that was asked for to the top. */
  private makeRoom(): void {
    const frame = this.shadowRoot?.firstElementChild
    if (frame && this.tabs) frame.scrollTop = this.tabs.root.offsetTop
  }

  private stop(): void {
    if (!this.running) return
    this.running = false
    this.view?.cancelAnimationFrame(this.request)
    if (this.session !== undefined) this.session.isOpen = false
    this.stopMeasuring()
    this.stopMeasuring = () => {}
  }

  private readonly frame = (time: number): void => {
    this.attempt(() => {
      for (const panel of this.panels) panel.frame?.()
    }, this.warn)
    if (time - this.refreshedAt >= REFRESH_EVERY) {
      this.refreshedAt = time
      if (performance.now() >= this.newsUntil) this.tell('')
      this.refreshNow()
    }
    this.requestFrame()
  }

  private refreshNow(): void {
    if (!this.running) return
    const began = performance.now()
    this.attempt(() => {
      this.refresh()
      this.banner.hidden = true
    }, this.warn)
    const took = performance.now() - began
    // The first ones build what later ones change.
    if (++this.refreshes > 3) this.mean += (took - this.mean) / (this.mean === 0 ? 1 : 20)
  }

  private refresh(): void {
    const { session, tabs, timeBar } = this
    if (session === undefined || tabs === undefined || timeBar === undefined) return
    session.turn++
    const { entities, bytesUsed } = session.view.stats()
    const took = this.mean === 0 ? '' : ` · looking takes ${milliseconds(this.mean)}`
    say(this.figures, `${grouped(entities)} entities · ${bytes(bytesUsed)}${took}`)
    timeBar.refresh()
    this.showStrip(session)
    tabs.shown.refresh()
  }

  /** What fails is said on the page: an inspector must not break what it looks at. */
  private attempt(action: () => void, complain: (sentence: string) => void): void {
    try {
      action()
    } catch (error) {
      if (isStrataError(error) && error.code === 'WORLD_DISPOSED') {
        this.detach()
        this.warn('This world was disposed of. The inspector has stopped.')
      } else complain(cut(messageOf(error), MOST_SAID))
    }
  }

  /** Says what stays wrong, until a refresh succeeds. */
  private readonly warn = (sentence: string): void => {
    this.banner.hidden = false
    say(this.banner, sentence)
  }

  private tell(news: string): void {
    say(this.status, news)
    this.newsUntil = news === '' ? Infinity : performance.now() + NEWS_LAST
  }

  private showChoice(): void {
    const { session } = this
    const followed = session?.isFollowing === true ? session.chosen : undefined
    if (followed !== this.followed) {
      this.followed = followed
      this.sayFollowed()
    }
    this.refreshNow()
  }

  /** Whom the inspector follows, above all tabs. */
  private showStrip(session: Session): void {
    const { chosen, isFollowing, world } = session
    this.strip.hidden = !isFollowing
    if (!isFollowing || chosen === undefined) return
    const alive = world.isAlive(chosen) ? '' : ': not alive'
    say(this.strip, `Following ${calledText(session, chosen)}${alive}`)
    mark(this.strip, 'title', `Following ${titleText(session, chosen)}${alive}`)
  }
}

/** Makes the element known to the page; a second copy of this module leaves the first one's alone. */
export function define(): void {
  const registry = globalThis.customElements as CustomElementRegistry | undefined
  if (registry !== undefined && registry.get('strata-inspector') === undefined)
    registry.define('strata-inspector', StrataInspector)
}

declare global {
  interface HTMLElementTagNameMap {
    'strata-inspector': StrataInspector
  }
}
