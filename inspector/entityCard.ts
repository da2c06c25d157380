// Owns the card of the chosen entity: its components and their values, which can be edited, and its links to others.
// It must never read more than this one entity and the links that are unfolded.

import type { ComponentInfo, EntityComponent } from '../bindings/inspect/inspect'
import { make, mark, say } from './dom'
import { FieldEditor } from './fieldEditor'
import { handleParts, handleText, preview } from './format'
import { LinkTree } from './linkTree'
import { nameOf } from './names'
import type { Session } from './session'

/** One component on the card. */
interface Section {
  readonly root: HTMLElement
  show(component: EntityComponent): void
}

export class EntityCard {
  readonly root: HTMLElement
  private readonly title = make('h2')
  private readonly parts = make('p', { class: 'quiet' })
  private readonly fate = make('p', { class: 'fate', role: 'status' })
  private readonly follow: HTMLButtonElement
  private readonly list = make('div', { class: 'sections' })
  private readonly hint = make('p', { class: 'hint' }, 'Choose an entity to see what it has.')
  private readonly content: HTMLElement
  private readonly tree: LinkTree
  private sections: Section[] = []
  /** The entity and the components that the sections are for. */
  private shape = ''

  constructor(private readonly session: Session) {
    this.follow = make(
      'button',
      { type: 'button', 'aria-pressed': 'false', onclick: () => session.follow(!session.isFollowing) },
      'Follow',
    )
    this.tree = new LinkTree(session)
    this.content = make(
      'div',
      { hidden: true },
      make('header', { class: 'card-head' }, make('div', {}, this.title, this.parts), this.follow),
      this.fate,
      this.list,
      this.tree.root,
    )
    this.root = make('section', { class: 'card', 'aria-label': 'Chosen entity' }, this.hint, this.content)
  }

  refresh(): void {
    const { session } = this
    const { chosen } = session
    this.content.hidden = chosen === undefined
    this.hint.hidden = chosen !== undefined
    this.root.classList.toggle('idle', chosen === undefined)
    if (chosen === undefined) return
    mark(this.follow, 'aria-pressed', String(session.isFollowing))
    say(this.follow, session.isFollowing ? 'Following' : 'Follow')
    const components = session.view.entity(chosen)
    this.root.classList.toggle('dead', components === undefined)
    this.lock(components === undefined)
    if (components === undefined) return this.showDead()
    say(this.fate, '')
    const name = nameOf(session, chosen)
    const title = name === undefined ? handleText(chosen) : `${name} ${handleText(chosen)}`
    say(this.title, title)
    mark(this.title, 'title', title)
    say(this.parts, handleParts(chosen))
    this.showComponents(components)
    this.tree.refresh(chosen)
  }

  private showDead(): void {
    const chosen = this.session.chosen as number
    const isKnown = this.shape.startsWith(`${chosen} `)
    if (!isKnown) {
      this.list.replaceChildren()
      this.shape = ''
      say(this.title, handleText(chosen))
      mark(this.title, 'title', undefined)
      say(this.parts, handleParts(chosen))
    }
    const history = this.session.history
    const isPast = history !== undefined && history.frame < history.newest
    const sentence = isPast ? 'It is not alive at this moment.' : 'It died.'
    say(this.fate, isKnown ? `${sentence} These were its last values.` : sentence)
    this.tree.root.hidden = true
  }

  /** Values of what is dead are there to be read. */
  private lock(isLocked: boolean): void {
    for (const input of this.list.querySelectorAll('input')) {
      if (input.type === 'checkbox') input.disabled = isLocked
      else input.readOnly = isLocked
    }
  }

  private showComponents(components: readonly EntityComponent[]): void {
    const shape = `${this.session.chosen} ${components.map(({ component }) => component).join(' ')}`
    if (shape !== this.shape) {
      const infos = new Map(this.session.view.components().map((info) => [info.name, info]))
      this.sections = components.map((component) =>
        this.createSection(component, infos.get(component.component)),
      )
      this.list.replaceChildren(...this.sections.map(({ root }) => root))
      this.shape = shape
    }
    components.forEach((component, i) => this.sections[i]?.show(component))
  }

  private createSection(component: EntityComponent, info: ComponentInfo | undefined): Section {
    const { session } = this
    const entity = session.chosen as never
    const name = component.component
    const editors = (info?.fields ?? []).map(
      (field) =>
        new FieldEditor({
          owner: `${name} of ${handleText(session.chosen as number)}`,
          field,
          write: (value) => session.write({ entity, component: name, field: field.name, value }),
          jump: (target) => session.choose(target as never),
        }),
    )
    const when = make('span', { class: 'quiet' })
    const value = make('pre', { class: 'value' })
    const links = make('ul', { class: 'links' })
    const body = component.kind === 'component' ? editors.map(({ root }) => root) : []
    const root = make(
      'div',
      { class: `component ${component.kind}`, role: 'group', 'aria-label': name },
      make('h3', {}, name, ' ', when),
      ...body,
    )
    if (component.kind === 'object') root.append(value)
    if (component.kind === 'relation') root.append(links)
    return {
      root,
      show: (now) => {
        say(when, remarkOn(now, session.world.tick))
        if (now.kind === 'object') say(value, preview(now.value))
        else if (now.kind === 'relation') this.showLinks(links, now)
        else editors.forEach((editor, k) => editor.show(now.values?.[info?.fields[k]?.name ?? '']))
      },
    }
  }

  private showLinks(list: Element, { links }: EntityComponent): void {
    const shown = links.slice(0, MOST_LINKS)
    while (list.children.length > shown.length) list.lastElementChild?.remove()
    shown.forEach(({ target, values }, i) => {
      const item = (list.children[i] ??
        list.appendChild(
          make('li', {}, make('button', { type: 'button', class: 'link' }), make('span')),
        )) as HTMLElement
      const [button, text] = item.children as unknown as [HTMLButtonElement, HTMLElement]
      const name = nameOf(this.session, target)
      say(button, `Go to ${name === undefined ? '' : `${name} `}${handleText(target)}`)
      button.onclick = () => this.session.choose(target)
      say(text, values === undefined ? '' : preview(values))
    })
  }
}

/** Links that are listed of one relation. */
const MOST_LINKS = 100

/** @param tick that of the world now: while it is the first one, the ticks of changes say nothing */
function remarkOn({ kind, changedAt, enabled }: EntityComponent, tick: number): string {
  const said = kind === 'component' ? [] : [kind as string]
  if (!enabled) said.push('switched off')
  if (changedAt !== undefined && tick > 1) said.push(`changed at tick ${changedAt} of ${tick}`)
  return said.join(' · ')
}
