// Owns the list of systems in the order in which they run: what each took, and a switch for each. It must never write a name more
// often than it changes.

import type { SystemStats } from '../bindings/index'
import { fillList, make, mark, say } from './dom'
import { grouped, milliseconds, shownName } from './format'
import { OnScreen } from './onScreen'

/** Others that a warning names. */
const MOST_NAMED = 5

/** What the list shows of one system. */
export interface ListedSystem {
  readonly stats: SystemStats
  readonly colour: string
  /** Names of those whose order with it nothing decides. */
  readonly contested: readonly string[]
}

export class SystemList {
  readonly root = make('ol', {
    class: 'systems',
    'aria-label': 'Systems in the order in which they run',
  })
  private readonly onScreen = new OnScreen()
  private filled: readonly ListedSystem[] = []

  /** @param turn switches a system on or off */
  constructor(private readonly turn: (name: string, on: boolean) => void) {}

  /** @param isNew whether the order, or what is undecided, may be another one than before */
  show(systems: readonly ListedSystem[], isNew: boolean): void {
    const isOther = isNew || systems.length !== this.filled.length
    this.filled = systems
    this.onScreen.next()
    fillList(
      this.root,
      systems,
      () => this.createItem(),
      (item, system, i) => {
        if (!isOther && !this.onScreen.isDue(item)) return
        const { phase } = system.stats
        this.fill(item, system, systems[i - 1]?.stats.phase === phase ? '' : `phase ${shownName(phase)}`)
      },
    )
  }

  /** The name of the system that an element of the list is about. */
  nameAt(target: Element): string | undefined {
    return target.closest('li')?.querySelector('input')?.dataset.system
  }

  private createItem(): HTMLElement {
    const toggle = make('input', { type: 'checkbox' })
    toggle.addEventListener('change', () => {
      this.turn(toggle.dataset.system as string, toggle.checked)
    })
    const item = make(
      'li',
      {},
      make('span', { class: 'phase quiet' }),
      make('label', {}, toggle, make('span', { class: 'swatch' }), make('span', { class: 'name' })),
      make('span', { class: 'warn' }),
      make('span', { class: 'took' }),
    )
    this.onScreen.watch(item)
    return item
  }

  private fill(item: HTMLElement, { stats, colour, contested }: ListedSystem, phase: string): void {
    const [head, label, warning, took] = item.children as unknown as [Element, Element, Element, Element]
    const [toggle, swatch, name] = label.children as unknown as [HTMLInputElement, HTMLElement, Element]
    say(head, phase)
    if (toggle.dataset.system !== stats.name) toggle.dataset.system = stats.name
    if (toggle.checked !== stats.enabled) toggle.checked = stats.enabled
    if (swatch.dataset.colour !== colour) swatch.style.background = swatch.dataset.colour = colour
    say(name, shownName(stats.name))
    say(warning, warningOf(contested))
    const skipped = stats.skipped > 0 ? ` · ${grouped(stats.skipped)} skipped` : ''
    say(
      took,
      `${milliseconds(stats.lastMs)} · ø ${milliseconds(stats.meanMs)} · ${grouped(stats.runs)} runs${skipped}`,
    )
    mark(item, 'class', stats.enabled ? '' : 'off')
  }
}

function warningOf(contested: readonly string[]): string {
  if (contested.length === 0) return ''
  const named = contested.slice(0, MOST_NAMED).map(shownName).join(', ')
  const rest = contested.length - MOST_NAMED
  return `⚠ undecided with ${named}${rest > 0 ? ` and ${grouped(rest)} more` : ''}`
}
