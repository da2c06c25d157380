// Owns the tab of memory: a picture of linear memory, each piece in the colour of its kind, and the same as a table.

import type { MemoryRegion } from '../../inspect/inspect'
import { make, makeTable, say } from '../dom'
import { bytes, grouped, percent } from '../format'
import { cut } from '../preview'
import type { Panel, Session } from '../session'

type Kind = MemoryRegion['kind']

/** Told apart on light and on dark, also by people who see fewer colours: neighbours differ in lightness. */
const COLOURS: Readonly<Record<Kind, string>> = {
  chunk: '#2f7de1',
  pool: '#e08a1e',
  table: '#8a5cd1',
  records: '#1fa187',
  texts: '#d1477a',
  objects: '#b5a11c',
  state: '#5b6b7f',
  kernels: '#96a3b3',
  scratch: '#7a5a44',
  free: '#00000000',
  reserved: '#80808022',
}

const MEANINGS: Readonly<Record<Kind, string>> = {
  chunk: 'rows of entities, resources',
  pool: 'from entities to sparse rows',
  table: 'lists and tables of the core',
  records: 'entity records',
  texts: 'strings',
  objects: 'small structures',
  state: 'state of the core',
  kernels: 'statics of kernels',
  scratch: 'arguments and results',
  free: 'free',
  reserved: 'reserved',
}

/** Pixels of a cell; bytes of a cell follow from the memory's size. */
const CELL = 4
const ROWS = 64
/** Refreshes from one look to the next: each look visits every chunk. */
const LOOK_EVERY = 10

/** Characters of an owner: an archetype is named by its components. */
const MOST_OF_AN_OWNER = 200

export class MemoryPanel implements Panel {
  readonly root: HTMLElement
  private readonly canvas = make('canvas', { role: 'img', tabindex: 0, 'aria-describedby': 'memory-under' })
  private readonly caption = make('p', { class: 'quiet' })
  private readonly under = make('p', { class: 'quiet under', id: 'memory-under', role: 'status' })
  private readonly legend = make('ul', { class: 'legend' })
  private readonly table = makeTable('By owner, the largest first', [
    'owner',
    'kind',
    '#pieces',
    '#bytes',
    '#used',
  ])
  private regions: readonly MemoryRegion[] = []
  private total = 0
  /** Bytes that the picture shows: those up to the last piece in use. */
  private drawn = 0
  private columns = 1
  private looks = 0
  /** The cell that the keyboard is at. */
  private cursor = 0

  constructor(private readonly session: Session) {
    this.root = make('div', {}, this.caption, this.canvas, this.under, this.legend, this.table.root)
    this.canvas.addEventListener('pointermove', (event) => this.point(event))
    this.canvas.addEventListener('keydown', (event) => this.press(event))
    say(this.under, 'Point at the picture to see what lies where. Arrow keys move through it.')
  }

  refresh(): void {
    if (this.looks++ % LOOK_EVERY !== 0) return
    this.regions = this.session.view.memory()
    const last = this.regions.at(-1)
    this.total = last === undefined ? 0 : last.start + last.bytes
    const used = this.regions.filter(({ kind }) => kind !== 'free' && kind !== 'reserved').at(-1)
    this.drawn = used === undefined ? this.total : used.start + used.bytes
    const rest = this.total - this.drawn
    say(
      this.caption,
      `${bytes(this.drawn)} from the first to the last piece in use${rest > 0 ? `, then ${bytes(rest)} free` : ''}`,
    )
    this.draw()
    this.list()
  }

  private get perCell(): number {
    return Math.max(1, this.drawn / (this.columns * ROWS))
  }

  private draw(): void {
    const { canvas, regions } = this
    this.columns = Math.max(16, Math.floor((canvas.clientWidth || 440) / CELL))
    canvas.width = this.columns * CELL
    canvas.height = ROWS * CELL
    const context = canvas.getContext('2d')
    if (context === null) return
    const { perCell, columns } = this
    for (const { start, bytes: size, kind, fill } of regions) {
      if (kind === 'free' || start >= this.drawn) continue
      const first = Math.floor(start / perCell)
      // A piece that is smaller than a cell is seen where no larger one covers it.
      const end = Math.max(first + 1, Math.round((start + size) / perCell))
      context.fillStyle = COLOURS[kind]
      context.globalAlpha = kind === 'reserved' ? 1 : 0.45 + 0.55 * fill
      for (let cell = first; cell < end;) {
        const row = Math.floor(cell / columns)
        const to = Math.min(end, (row + 1) * columns)
        context.fillRect((cell - row * columns) * CELL, row * CELL, (to - cell) * CELL, CELL - 1)
        cell = to
      }
    }
  }

  private list(): void {
    const kinds = new Map<Kind, number>()
    const owners = new Map<
      string,
      { owner: string; kind: Kind; pieces: number; bytes: number; used: number }
    >()
    for (const { kind, owner, bytes: size, fill } of this.regions) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + size)
      const key = `${kind} ${owner}`
      const known = owners.get(key) ?? { owner, kind, pieces: 0, bytes: 0, used: 0 }
      known.pieces++
      known.bytes += size
      known.used += size * fill
      owners.set(key, known)
    }
    const shown = (Object.keys(COLOURS) as Kind[]).filter((kind) => kinds.has(kind))
    const texts = shown.map((kind) => `${kind}: ${MEANINGS[kind]}, ${bytes(kinds.get(kind) ?? 0)}`)
    while (this.legend.children.length > shown.length) this.legend.lastElementChild?.remove()
    shown.forEach((kind, i) => {
      const item =
        this.legend.children[i] ??
        this.legend.appendChild(make('li', {}, make('span', { class: 'swatch' }), make('span')))
      const [swatch, text] = item.children as unknown as [HTMLElement, HTMLElement]
      swatch.style.background = COLOURS[kind]
      say(text, texts[i] as string)
    })
    this.canvas.setAttribute('aria-label', `${bytes(this.total)} of memory. ${texts.join('. ')}.`)
    const largest = [...owners.values()].sort((a, b) => b.bytes - a.bytes)
    this.table.fill(largest, ({ owner, kind, pieces, bytes: size, used }) => [
      cut(owner, MOST_OF_AN_OWNER),
      kind,
      grouped(pieces),
      bytes(size),
      kind === 'free' || kind === 'reserved' ? '' : percent(used / size),
    ])
  }

  private point({ offsetX, offsetY }: PointerEvent): void {
    const scale = this.canvas.width / this.canvas.clientWidth
    const column = Math.min(this.columns - 1, Math.floor((offsetX * scale) / CELL))
    this.tell(Math.floor((offsetY * scale) / CELL) * this.columns + column)
  }

  private press(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns }[event.key]
    if (by === undefined) return
    event.preventDefault()
    this.tell(this.cursor + by)
  }

  private tell(cell: number): void {
    this.cursor = Math.min(Math.max(0, cell), this.columns * ROWS - 1)
    const from = this.cursor * this.perCell
    const inside = this.regions.filter(
      ({ start, bytes: size }) => start < from + this.perCell && start + size > from,
    )
    const region = inside.sort((a, b) => b.bytes - a.bytes)[0]
    if (region === undefined) return
    const more = inside.length > 1 ? `, and ${grouped(inside.length - 1)} smaller` : ''
    const used = region.kind === 'free' || region.kind === 'reserved' ? '' : `, ${percent(region.fill)} used`
    say(
      this.under,
      `0x${region.start.toString(16).padStart(5, '0')}: ${cut(region.owner, MOST_OF_AN_OWNER)} (${region.kind}), ${bytes(region.bytes)}${used}${more}`,
    )
  }
}
