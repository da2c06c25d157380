// Owns the tab of archetypes: which there are, how full their chunks are, what lies in pools of its own, and how much memory the
// world uses.

import type { ArchetypeInfo } from '../../inspect/inspect'
import { make, makeTable, mark, say } from '../dom'
import { bytes, grouped, nameText, percent, shownName } from '../format'
import type { Panel, Session } from '../session'
import { ROW_HEIGHT, VirtualRows } from '../virtualRows'

/** Refreshes from one look at all archetypes to the next: each look visits every chunk. */
const LOOK_EVERY = 5
/** Rows of the list without scrolling. */
const MOST_ROWS = 8

export class ArchetypesPanel implements Panel {
  readonly root: HTMLElement
  private readonly list: VirtualRows<ArchetypeInfo>
  private readonly isEmptyShown = make('input', { type: 'checkbox', id: 'empty-archetypes' })
  private readonly count = make('span', { class: 'quiet' })
  private readonly detail = make('section', { class: 'detail', 'aria-label': 'Chosen archetype' })
  private readonly title = make('h2', { class: 'small' })
  private readonly find = make('button', { type: 'button', class: 'link' }, 'Find its entities')
  private readonly cells = make('div', { class: 'cells', 'aria-hidden': 'true' })
  private readonly summary = make('p', { class: 'quiet' })
  private readonly pools = makeTable('Pools: sparse and stable components', [
    'component',
    '#entities',
    '#bytes',
  ])
  private readonly relations = makeTable('Relations', ['relation', '#sources', '#links', 'target destroyed'])
  private shown: readonly ArchetypeInfo[] = []
  private chosen: ArchetypeInfo | undefined
  private looks = 0

  constructor(private readonly session: Session) {
    this.list = new VirtualRows<ArchetypeInfo>({
      label: 'Archetypes, the fullest first',
      attempt: session.channel.attempt,
      read: (offset, limit) => this.shown.slice(offset, offset + limit),
      create: createRow,
      fill: fillRow,
      keyOf: ({ id }) => id,
      choose: (archetype) => {
        this.chosen = archetype
        this.showChosen()
      },
    })
    this.list.root.classList.add('short')
    this.isEmptyShown.addEventListener('change', () => session.channel.attempt(() => this.look()))
    this.find.addEventListener('click', () => {
      if (this.chosen !== undefined) session.channel.filter(filterOf(this.chosen))
    })
    this.detail.append(this.title, this.summary, this.cells, this.find)
    this.detail.hidden = true
    this.root = make(
      'div',
      {},
      make(
        'div',
        { class: 'line' },
        this.count,
        make('label', { class: 'check', for: 'empty-archetypes' }, this.isEmptyShown, 'empty ones, too'),
      ),
      this.list.root,
      this.detail,
      this.pools.root,
      this.relations.root,
    )
  }

  refresh(): void {
    if (this.looks++ % LOOK_EVERY === 0) this.look()
  }

  private look(): void {
    const { view } = this.session
    const all = view.archetypes()
    const inhabited = all.filter(({ entities }) => entities > 0)
    this.shown = (this.isEmptyShown.checked ? all : inhabited).sort(
      (a, b) => b.entities - a.entities || a.id - b.id,
    )
    const { bytesUsed, bytesReserved } = view.stats()
    say(
      this.count,
      `${grouped(inhabited.length)} with entities, of ${grouped(all.length)} · ${bytes(bytesUsed)} of ${bytes(bytesReserved)} in use`,
    )
    this.chosen = all.find(({ id }) => id === this.chosen?.id)
    this.list.root.style.setProperty(
      '--height',
      `${Math.min(this.shown.length, MOST_ROWS) * ROW_HEIGHT + 2}px`,
    )
    this.list.refresh(this.shown.length)
    this.showChosen()
    this.pools.fill(view.pools(), ({ component, entities, bytes: size }) => [
      shownName(component),
      grouped(entities),
      bytes(size),
    ])
    this.relations.fill(view.relations(), ({ name, exclusive, sources, links, onTargetDestroy }) => [
      exclusive ? `${shownName(name)} (exclusive)` : shownName(name),
      grouped(sources),
      grouped(links),
      onTargetDestroy,
    ])
  }

  /** The chunks of the chosen archetype, a cell each. */
  private showChosen(): void {
    const { chosen } = this
    this.detail.hidden = chosen === undefined
    if (chosen === undefined) return
    say(this.title, namesOf(chosen, ', '))
    const chunks = this.session.view.chunks(chosen.id)
    const full = chunks.filter(({ fill }) => fill === 1).length
    const room = chosen.capacity - chosen.entities
    say(
      this.summary,
      `${grouped(chunks.length)} chunks, ${grouped(full)} of them full; ${bytes(chosen.bytes)} with room for ${grouped(room)} more`,
    )
    const seen = chunks.slice(0, MOST_CELLS)
    while (this.cells.children.length > seen.length) this.cells.lastElementChild?.remove()
    while (this.cells.children.length < seen.length) this.cells.append(make('i'))
    seen.forEach(({ fill, entities, capacity }, i) => {
      const cell = this.cells.children[i] as HTMLElement
      const height = percent(fill)
      if (cell.title === `${entities} of ${capacity}`) return
      cell.title = `${entities} of ${capacity}`
      cell.style.setProperty('--fill', height.replace(' ', ''))
    })
    this.find.hidden = chosen.entities === 0 || chosen.components.length === 0
  }
}

/** Chunks that are drawn; an archetype with more has full ones mostly. */
const MOST_CELLS = 400

/** Components of an archetype that are named. */
const MOST_NAMED = 24

function namesOf({ components }: Pick<ArchetypeInfo, 'components'>, between: string): string {
  if (components.length === 0) return 'no table components'
  const named = components.slice(0, MOST_NAMED).map(shownName).join(between)
  return components.length > MOST_NAMED ? `${named}${between}… (${grouped(components.length)})` : named
}

/** The filter for what has all of an archetype's components: others may have more. */
function filterOf({ components }: ArchetypeInfo): string {
  return components.map(nameText).join(' & ')
}

function createRow(): HTMLElement {
  return make(
    'div',
    { class: 'row' },
    make('span', { class: 'handle number' }),
    make('span', { class: 'meter' }, make('i')),
    make('span', { class: 'values number' }),
    make('span', { class: 'parts' }),
  )
}

function fillRow(row: HTMLElement, { entities, chunks, fill, components }: ArchetypeInfo): void {
  const [count, meter, size, parts] = row.children as unknown as [Element, HTMLElement, Element, Element]
  say(count, grouped(entities))
  mark(meter, 'title', `${percent(fill)} full`)
  const bar = meter.firstElementChild as HTMLElement
  const width = `${(fill * 100).toFixed(1)}%`
  if (bar.style.width !== width) bar.style.width = width
  say(size, `${percent(fill)} of ${grouped(chunks)} ${chunks === 1 ? 'chunk' : 'chunks'}`)
  say(parts, namesOf({ components }, ' · '))
}
