// Owns the tabs: a tablist with one tab stop, arrows between tabs, and the panel of the chosen one.

import { make, mark } from './dom'
import type { Panel } from './session'

export interface Tab {
  readonly name: string
  readonly panel: Panel
}

export class Tabs {
  readonly root: HTMLElement
  private readonly buttons: HTMLButtonElement[]
  private readonly holders: HTMLElement[]
  private at = 0

  /** @param changed called when another tab is shown */
  constructor(
    private readonly tabs: readonly Tab[],
    private readonly changed: () => void,
  ) {
    this.buttons = tabs.map(({ name }, i) =>
      make(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${i}`,
          'aria-controls': `panel-${i}`,
          onclick: () => this.show(i),
        },
        name,
      ),
    )
    this.holders = tabs.map(({ panel }, i) =>
      make(
        'div',
        { role: 'tabpanel', id: `panel-${i}`, 'aria-labelledby': `tab-${i}`, class: 'panel' },
        panel.root,
      ),
    )
    const list = make('div', { role: 'tablist', 'aria-label': 'Views', class: 'tabs' }, ...this.buttons)
    list.addEventListener('keydown', (event) => this.press(event))
    this.root = make('div', { class: 'body' }, list, ...this.holders)
    this.mark()
  }

  get shown(): Panel {
    return (this.tabs[this.at] as Tab).panel
  }

  show(index: number): void {
    this.at = index
    this.mark()
    this.changed()
  }

  private mark(): void {
    this.buttons.forEach((button, i) => {
      mark(button, 'aria-selected', String(i === this.at))
      button.tabIndex = i === this.at ? 0 : -1
    })
    this.holders.forEach((holder, i) => (holder.hidden = i !== this.at))
  }

  private press(event: KeyboardEvent): void {
    const last = this.tabs.length - 1
    const to = {
      ArrowLeft: this.at === 0 ? last : this.at - 1,
      ArrowRight: this.at === last ? 0 : this.at + 1,
      Home: 0,
      End: last,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    this.show(to)
    this.buttons[to]?.focus()
  }
}
