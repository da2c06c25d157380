// Owns the tab of entities: the filter, the list of what it finds, and the card of the chosen one. Entities that are not on the
// screen are only counted.

import type { AnyComponent } from '../../../../../bindings/index'
import { type Found, type FoundRow, InspectError } from '../../inspect/inspect'
import { make, mark, say } from '../dom'
import { EntityCard } from '../entityCard'
import type { FieldType } from '../fieldTypes'
import { grouped, handleText, shownName } from '../format'
import { MOST_OF_A_TITLE, nameOf } from '../names'
import { cut, fieldText, messageOf } from '../preview'
import type { Panel, Session } from '../session'
import { VirtualRows } from '../virtualRows'

/** Milliseconds that a person has stopped typing for before the filter is read: each filter becomes a query. */
const PAUSE_IN_TYPING = 250
/** A find that takes long is asked again after so many times what it took, so it takes a small part of the time. */
const REST_AFTER_FIND = 30
/** Below this many milliseconds a find is asked at each refresh. */
const QUICK_FIND = 1

/** A field that the filter names: its values are shown in the list. */
interface ShownField {
  readonly component: AnyComponent
  readonly field: string
  readonly type: FieldType
  readonly label: string
}

/** Components of an entity that its row names. */
const MOST_PARTS = 24
/** Characters of a filter that are shown before and after a mistake. */
const AROUND_A_MISTAKE = 200

export class EntitiesPanel implements Panel {
  readonly root: HTMLElement
  private readonly input: HTMLInputElement
  private readonly error = make('div', { class: 'error', role: 'alert', id: 'filter-error', hidden: true })
  private readonly count = make('output', { class: 'quiet', for: 'filter' })
  private readonly none = make('p', { class: 'hint', hidden: true }, 'No entity matches.')
  private readonly list: VirtualRows<FoundRow>
  private readonly card: EntityCard
  private found: Found
  private fields: readonly ShownField[] = []
  private typing: ReturnType<typeof setTimeout> | undefined
  private total = 0
  private askAgainAt = 0
  private rows: readonly FoundRow[] = []
  private rowsAt = -1
  /** A filter as another tab gave it, and as the box has it: a box has no line breaks, which a name may have. */
  private given = { text: '', shown: '' }

  constructor(private readonly session: Session) {
    this.found = session.view.find('')
    this.card = new EntityCard(session)
    this.input = make('input', {
      id: 'filter',
      type: 'search',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      placeholder: 'Position & !Frozen & Health.hp < 10',
      'aria-describedby': 'filter-error filter-help',
      oninput: () => {
        clearTimeout(this.typing)
        this.typing = setTimeout(() => session.channel.attempt(() => this.apply()), PAUSE_IN_TYPING)
      },
      onchange: () => session.channel.attempt(() => this.apply()),
    })
    this.list = new VirtualRows<FoundRow>({
      label: 'Entities',
      attempt: session.channel.attempt,
      read: (offset, limit) => this.read(offset, limit),
      create: createRow,
      fill: (element, row) => this.fill(element, row),
      keyOf: ({ entity }) => entity,
      choose: ({ entity }) => {
        if (!session.isFollowing) session.choose(entity)
        else
          session.channel.tell(
            `Still following ${handleText(session.chosen as number)}: stop that to choose another one.`,
          )
      },
    })
    this.root = make(
      'div',
      { class: 'entities' },
      make(
        'div',
        { class: 'finder' },
        make('div', { class: 'line' }, make('label', { for: 'filter' }, 'Filter'), this.count),
        this.input,
        make(
          'p',
          { class: 'quiet help', id: 'filter-help' },
          'Names, & | ! ( ), comparisons, links: ChildOf(#12), an entity: #12. Then: order by Health.hp desc.',
        ),
        this.error,
        this.list.root,
        this.none,
      ),
      this.card.root,
    )
  }

  /** Puts a filter into the box, and finds what it names. */
  filter(text: string): void {
    this.input.value = text
    this.given = { text, shown: this.input.value }
    this.apply()
  }

  refresh(): void {
    const began = performance.now()
    if (began >= this.askAgainAt) {
      this.rowsAt = -1
      this.total = this.found.count
      this.list.chosen = this.session.chosen
      this.list.refresh(this.total)
      const took = performance.now() - began
      this.askAgainAt = took < QUICK_FIND ? 0 : began + took * REST_AFTER_FIND
    } else {
      // The same rows, with the values that they have now.
      this.list.chosen = this.session.chosen
      this.list.refresh(this.total)
    }
    const found = this.total === 1 ? '1 entity' : `${grouped(this.total)} entities`
    say(this.count, this.error.hidden ? found : `${found}, by the filter before`)
    this.list.root.hidden = this.total === 0
    this.none.hidden = this.total !== 0 || !this.error.hidden
    this.card.refresh()
  }

  private read(offset: number, limit: number): readonly FoundRow[] {
    if (this.rowsAt !== offset || this.rows.length < limit) {
      this.rows = this.found.rows(offset, limit)
      this.rowsAt = offset
    }
    return this.rows.length > limit ? this.rows.slice(0, limit) : this.rows
  }

  private apply(): void {
    clearTimeout(this.typing)
    const { given } = this
    const text = this.input.value === given.shown ? given.text : this.input.value
    if (text === this.found.text && this.error.hidden) return
    try {
      this.found = this.session.view.find(text)
    } catch (error) {
      return this.complain(text, error)
    }
    this.complain(text, undefined)
    this.fields = this.fieldsIn(text)
    this.askAgainAt = 0
    this.refresh()
  }

  private complain(text: string, error: unknown): void {
    mark(this.input, 'aria-invalid', error === undefined ? undefined : 'true')
    this.error.hidden = error === undefined
    this.error.replaceChildren()
    if (error === undefined) return
    this.error.append(make('p', {}, cut(sentenceOf(messageOf(error)))))
    if (error instanceof InspectError) this.error.append(pointAt(text, error.column))
  }

  /** The fields that a filter names, in its order. */
  private fieldsIn(text: string): ShownField[] {
    const { world, view } = this.session
    const infos = new Map(view.components().map((info) => [info.name, info]))
    const named = new Map<string, ShownField>()
    for (const [label, first = '', second = ''] of text.matchAll(FIELD)) {
      const [name, field] = [plainName(first), plainName(second)]
      const info = infos.get(name)
      const type = info?.fields.find((known) => known.name === field)?.type
      if (info?.kind !== 'component' || type === undefined) continue
      const component = world.componentByName(name) as unknown as AnyComponent
      named.set(label, { component, field, type, label })
    }
    return [...named.values()]
  }

  private fill(row: HTMLElement, { entity, components }: FoundRow): void {
    const { session, fields } = this
    const [handle, name, values, parts] = row.children as unknown as [Element, Element, Element, Element]
    say(handle, handleText(entity))
    const called = nameOf(session, entity)
    say(name, called === undefined ? '' : shownName(called))
    // A long one is cut.
    mark(name, 'title', called && cut(called, MOST_OF_A_TITLE))
    const isAlive = session.world.isAlive(entity)
    row.classList.toggle('dead', !isAlive)
    const shown = !isAlive
      ? []
      : fields.map(({ component, field, type, label }) => {
          const all = session.valuesOf(entity, component)
          return all === undefined ? '' : `${cut(label)} ${fieldText(all[field], type)}`
        })
    say(values, shown.filter((text) => text !== '').join('  '))
    const names = components.slice(0, MOST_PARTS).map(shownName).join(' · ')
    const more = components.length > MOST_PARTS ? ` · … (${grouped(components.length)})` : ''
    say(parts, names + more)
  }
}

/** A component and a field of it in a filter, either of them in backticks or not. */
const FIELD = /(`(?:[^`]|``)+`|[\p{L}_$][\p{L}\p{N}_$]*)\.(`(?:[^`]|``)+`|[\p{L}_$][\p{L}\p{N}_$]*)/gu

const plainName = (written: string) =>
  written.startsWith('`') ? written.slice(1, -1).replaceAll('``', '`') : written

function createRow(): HTMLElement {
  return make(
    'div',
    { class: 'row' },
    make('span', { class: 'handle' }),
    make('span', { class: 'called' }),
    make('span', { class: 'values' }),
    make('span', { class: 'parts' }),
  )
}

/** The sentence alone: the error repeats the filter below it, which is drawn here. */
const sentenceOf = (message: string) => (message.split('\n')[0] as string).replace(/^find: /, '')

/** The filter with a mark where the trouble begins. */
function pointAt(text: string, column: number): HTMLElement {
  const first = Math.max(0, column - AROUND_A_MISTAKE)
  const end = column + 1 + AROUND_A_MISTAKE
  return make(
    'code',
    { class: 'pointer' },
    `${first > 0 ? '…' : ''}${text.slice(first, column)}`,
    make('mark', { title: `column ${column + 1}` }, text.slice(column, column + 1) || ' '),
    `${text.slice(column + 1, end)}${end < text.length ? '…' : ''}`,
  )
}
