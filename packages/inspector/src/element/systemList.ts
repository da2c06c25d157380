// Owns the list of systems, by phase and in the order in which they run: what each took, a switch for each, and below its name
// why it is at that place.

import type { SystemStats } from '../../../../bindings/index'
import { fillList, make, mark, say } from './dom'
import { grouped, milliseconds, shownName } from './format'
import { OnScreen } from './onScreen'
import { MOST_NAMED, type Place, orderText, warningText } from './systemOrder'

/** Rows that are made at one refresh: more than a screen has room for, and no more than a frame has time for. */
const MOST_AT_ONCE = 60

/** What the list shows of one system. */
export interface ListedSystem {
  readonly stats: SystemStats
  readonly colour: string
  readonly place: Place
}

/** The elements of one system: its phase, its switch and name, what it took, whom it comes after, a warning, and a button. */
type Parts = readonly [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement]

export class SystemList {
  readonly root = make('ol', {
    class: 'systems',
    'aria-label': 'Systems in the order in which they run',
  })
  private readonly onScreen = new OnScreen()
  private filled: readonly ListedSystem[] = []
  /** Names of the systems of which a person asked for all others. */
  private readonly unfolded = new Set<string>()

  /** @param turn switches a system on or off */
  constructor(private readonly turn: (name: string, on: boolean) => void) {}

  /** @param isNew whether the order, or what decides about it, may be another one than before */
  show(systems: readonly ListedSystem[], isNew: boolean): void {
    const isOther = isNew || systems.length !== this.filled.length
    const made = this.root.children.length
    this.filled = systems
    this.onScreen.next()
    fillList(
      this.root,
      systems.slice(0, made + MOST_AT_ONCE),
      () => this.createItem(),
      (item, system, i) => {
        const isStale = isOther || i >= made
        if (isStale) this.explain(item, i)
        if (isStale || this.onScreen.isDue(item)) this.fill(item, system)
      },
    )
  }

  private createItem(): HTMLElement {
    const toggle = make('input', { type: 'checkbox' })
    toggle.addEventListener('change', () => {
      this.turn(toggle.dataset.system as string, toggle.checked)
    })
    const all = make('button', { type: 'button', class: 'link' }, 'Name all')
    all.addEventListener('click', () => {
      const name = toggle.dataset.system as string
      if (!this.unfolded.delete(name)) this.unfolded.add(name)
      this.explain(item, [...this.root.children].indexOf(item))
    })
    const item = make(
      'li',
      {},
      make('span', { class: 'phase quiet' }),
      make('label', {}, toggle, make('span', { class: 'swatch' }), make('span', { class: 'name' })),
      make('span', { class: 'took' }),
      make('span', { class: 'why quiet' }),
      make('span', { class: 'warn' }),
      all,
    )
    this.onScreen.watch(item)
    return item
  }

  /** Writes what another order changes: the name, and why the system stands there. */
  private explain(item: HTMLElement, i: number): void {
    const { stats, colour, place } = this.filled[i] as ListedSystem
    const [head, label, , why, warning, all] = item.children as unknown as Parts
    const [toggle, swatch, name] = label.children as unknown as [HTMLElement, HTMLElement, HTMLElement]
    const isFirst = this.filled[i - 1]?.stats.phase !== stats.phase
    say(head, isFirst ? `phase ${shownName(stats.phase)}` : '')
    if (toggle.dataset.system !== stats.name) toggle.dataset.system = stats.name
    if (swatch.dataset.colour !== colour) swatch.style.background = swatch.dataset.colour = colour
    say(name, shownName(stats.name))
    const { after, before, undecided } = place
    const isUnfolded = this.unfolded.has(stats.name)
    const most = isUnfolded ? Infinity : MOST_NAMED
    say(why, orderText(place, most))
    say(warning, warningText(stats.name, place, most))
    all.hidden = Math.max(after.length, before.length, undecided.length) <= MOST_NAMED
    mark(all, 'aria-expanded', String(isUnfolded))
    mark(all, 'aria-label', `Name all that ${shownName(stats.name)} is ordered with`)
  }

  private fill(item: HTMLElement, { stats }: ListedSystem): void {
    const [, label, took] = item.children as unknown as Parts
    const toggle = label.firstElementChild as HTMLInputElement
    if (toggle.checked !== stats.enabled) toggle.checked = stats.enabled
    const skipped = stats.skipped > 0 ? ` · ${grouped(stats.skipped)} skipped` : ''
    say(
      took,
      `${milliseconds(stats.lastMs)} · ø ${milliseconds(stats.meanMs)} · ${grouped(stats.runs)} runs${skipped}`,
    )
    mark(item, 'class', stats.enabled ? '' : 'off')
  }
}
