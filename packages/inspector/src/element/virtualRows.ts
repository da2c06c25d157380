// Owns a list of any length of which the rows on the screen alone exist: scrolling, keyboard, the chosen row.
// It must never hold or read more rows than can be seen.
//
// Rows have one height, so the first one on the screen is a division. Browsers cap the height of elements near 16 million
// pixels; a longer list has a spacer of MOST_HEIGHT, and the scroll is scaled. @tanstack/virtual-core measures every row
// again when their number changes: 30 ms at a million, where a whole refresh has 3.

import { make, mark } from './dom'
import { grouped } from './format'

export const ROW_HEIGHT = 28
const MOST_HEIGHT = 8_000_000

export interface VirtualRowsOptions<T> {
  readonly label: string
  /** The rows from `offset` on, at most `limit`. */
  readonly read: (offset: number, limit: number) => readonly T[]
  readonly create: () => HTMLElement
  readonly fill: (element: HTMLElement, row: T) => void
  /** What a row is chosen by: it stays chosen wherever it moves to. */
  readonly keyOf: (row: T) => number
  readonly choose: (row: T) => void
  /** Does what a person asked for, and lets no error escape. */
  readonly attempt: (action: () => void) => void
}

export class VirtualRows<T> {
  readonly root: HTMLElement
  /** The key of the chosen row. */
  chosen: number | undefined
  private readonly spacer = make('div', { role: 'presentation' })
  private readonly layer = make('div', { class: 'rows', role: 'presentation' })
  private count = 0
  /** Pixels from the first row to the top edge, as if the list had its whole height. */
  private top = 0
  private scrolledTo = 0
  /** The row that the keyboard is at. */
  private active = 0
  private first = 0
  private rows: readonly T[] = []
  private readonly id = `rows-${Math.random().toString(36).slice(2)}`

  constructor(private readonly options: VirtualRowsOptions<T>) {
    this.root = make(
      'div',
      {
        class: 'virtual',
        role: 'listbox',
        tabindex: 0,
        'aria-label': options.label,
        onscroll: () => options.attempt(() => this.followScroll()),
        onkeydown: (event) => options.attempt(() => this.press(event as KeyboardEvent)),
        onclick: (event) => options.attempt(() => this.click(event)),
      },
      this.spacer,
      this.layer,
    )
  }

  /** Reads the rows on the screen and shows them. */
  refresh(count: number): void {
    this.count = count
    const height = Math.min(count * ROW_HEIGHT, MOST_HEIGHT)
    if (this.spacer.style.height !== `${height}px`) this.spacer.style.height = `${height}px`
    this.top = Math.min(this.top, this.furthest)
    this.show()
  }

  /** Moves a row onto the screen. */
  reveal(index: number): void {
    const start = index * ROW_HEIGHT
    const room = this.root.clientHeight - ROW_HEIGHT
    if (start < this.top) this.scrollTo(start)
    else if (start > this.top + room) this.scrollTo(start - room)
  }

  private get furthest(): number {
    return Math.max(0, this.count * ROW_HEIGHT - this.root.clientHeight)
  }

  /** Pixels of the whole list for each that the browser scrolls. */
  private get scale(): number {
    const scrollable = this.spacer.offsetHeight - this.root.clientHeight
    return scrollable <= 0 ? 1 : this.furthest / scrollable
  }

  private scrollTo(top: number): void {
    this.top = Math.min(Math.max(0, top), this.furthest)
    this.root.scrollTop = this.scrolledTo = this.top / this.scale
    this.show()
  }

  private followScroll(): void {
    const { scrollTop } = this.root
    // What was set comes back rounded: the exact place is known already.
    if (Math.abs(scrollTop - this.scrolledTo) < 1) return
    this.scrolledTo = scrollTop
    this.top = Math.min(scrollTop * this.scale, this.furthest)
    this.show()
  }

  private show(): void {
    const { options, root, layer, id } = this
    this.first = Math.floor(this.top / ROW_HEIGHT)
    const limit = Math.min(Math.ceil(root.clientHeight / ROW_HEIGHT) + 1, this.count - this.first)
    this.rows = limit > 0 ? options.read(this.first, limit) : []
    while (layer.children.length > this.rows.length) layer.lastElementChild?.remove()
    while (layer.children.length < this.rows.length) {
      const row = options.create()
      row.setAttribute('role', 'option')
      layer.append(row)
    }
    layer.style.transform = `translateY(${root.scrollTop + this.first * ROW_HEIGHT - this.top}px)`
    this.rows.forEach((data, i) => {
      const row = layer.children[i] as HTMLElement
      const index = this.first + i
      options.fill(row, data)
      mark(row, 'id', `${id}-${index}`)
      mark(row, 'aria-posinset', String(index + 1))
      mark(row, 'aria-setsize', String(this.count))
      mark(row, 'aria-selected', String(options.keyOf(data) === this.chosen))
      row.classList.toggle('active', index === this.active)
    })
    const isSeen = this.active >= this.first && this.active < this.first + this.rows.length
    mark(root, 'aria-activedescendant', isSeen ? `${id}-${this.active}` : undefined)
    mark(root, 'aria-description', `${grouped(this.count)} rows`)
  }

  private press(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.root.clientHeight / ROW_HEIGHT) - 1)
    const moves: Record<string, number> = {
      ArrowUp: this.active - 1,
      ArrowDown: this.active + 1,
      PageUp: this.active - page,
      PageDown: this.active + page,
      Home: 0,
      End: this.count - 1,
    }
    const to = event.key === 'Enter' || event.key === ' ' ? this.active : moves[event.key]
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    this.chooseAt(Math.min(Math.max(0, to), this.count - 1))
  }

  private click(event: Event): void {
    const row = (event.target as Element).closest('[role=option]')
    const at = row === null ? -1 : [...this.layer.children].indexOf(row)
    if (at >= 0) this.chooseAt(this.first + at)
  }

  private chooseAt(index: number): void {
    if (this.count === 0) return
    this.active = index
    this.reveal(index)
    this.show()
    const row = this.rows[index - this.first]
    if (row === undefined) return
    this.chosen = this.options.keyOf(row)
    this.options.choose(row)
    // What shows the chosen row may have taken a part of the height.
    this.reveal(index)
    this.show()
  }
}
