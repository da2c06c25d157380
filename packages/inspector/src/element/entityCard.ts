// Owns the card of the chosen entity: its components and their values, which can be edited, and its links to others. Only this
// entity and the links that are unfolded are read.

import type { ComponentLike } from '../../../../bindings/index'
import type { ComponentInfo, EntityComponent } from '../inspect/inspect'
import { make, mark, say } from './dom'
import { FieldEditor } from './fieldEditor'
import { grouped, handleParts, handleText, shownName } from './format'
import { LinkTree } from './linkTree'
import { calledText, titleText } from './names'
import { preview } from './preview'
import { type Section, Sections } from './sections'
import type { Session } from './session'

/** A component that the entity has, and what the world knows under its name. */
interface Held {
  readonly component: EntityComponent
  readonly declaration: ComponentLike | undefined
}

interface ComponentSection extends Section<Held> {
  lock(isLocked: boolean): void
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
  private readonly sections: Sections<Held>
  /** The entity that the sections are for. */
  private shown: number | undefined
  /** What the sections that are there are for, by name: another world after a reset may call other things the same. */
  private declarations = new Map<string, ComponentLike | undefined>()
  private infos: ReadonlyMap<string, ComponentInfo> = new Map()
  private isLocked = false

  constructor(private readonly session: Session) {
    this.follow = make(
      'button',
      { type: 'button', 'aria-pressed': 'false', onclick: () => session.follow(!session.isFollowing) },
      'Follow',
    )
    this.tree = new LinkTree(session)
    this.sections = new Sections(
      this.list,
      ({ component }) => component.component,
      (held) => this.createSection(held),
    )
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
    say(this.title, calledText(session, chosen))
    mark(this.title, 'title', titleText(session, chosen))
    say(this.parts, handleParts(chosen))
    this.showComponents(components)
    this.tree.refresh(chosen)
  }

  private showDead(): void {
    const chosen = this.session.chosen as number
    const isKnown = this.shown === chosen
    if (!isKnown) {
      this.forget()
      say(this.title, handleText(chosen))
      mark(this.title, 'title', undefined)
      say(this.parts, handleParts(chosen))
    }
    const history = this.session.history
    const isPast = history !== undefined && history.frame < history.newest
    const sentence = isPast
      ? 'It is not alive at this moment.'
      : isKnown
        ? 'It died.'
        : 'No living entity has this handle.'
    say(this.fate, isKnown ? `${sentence} These were its last values.` : sentence)
    this.tree.root.hidden = true
  }

  private forget(): void {
    this.sections.clear()
    this.declarations.clear()
    this.shown = undefined
  }

  /** Values of what is dead are there to be read. */
  private lock(isLocked: boolean): void {
    if (isLocked === this.isLocked) return
    this.isLocked = isLocked
    for (const section of this.sections.all) (section as ComponentSection).lock(isLocked)
  }

  private showComponents(components: readonly EntityComponent[]): void {
    const { session } = this
    const { chosen } = session
    const known = new Map(session.world.components().map((one) => [one.componentName, one]))
    const isSame = ({ component }: EntityComponent) =>
      !this.declarations.has(component) || this.declarations.get(component) === known.get(component)
    if (chosen !== this.shown || !components.every(isSame)) this.forget()
    this.shown = chosen
    const isKnown = ({ component }: EntityComponent) => this.declarations.has(component)
    if (!components.every(isKnown))
      this.infos = new Map(session.view.components().map((info) => [info.name, info]))
    this.declarations = new Map(components.map(({ component }) => [component, known.get(component)]))
    this.sections.show(
      components.map((component) => ({ component, declaration: known.get(component.component) })),
    )
  }

  private createSection({ component, declaration }: Held): ComponentSection {
    const { session } = this
    const entity = session.chosen as never
    const name = component.component
    const info = this.infos.get(name)
    const editors = (component.kind === 'component' ? (info?.fields ?? []) : []).map(
      (field) =>
        new FieldEditor({
          owner: `${name} of ${handleText(entity)}`,
          field,
          read: () => declaration && session.valuesOf(entity, declaration)?.[field.name],
          write: (value) => session.write({ entity, component: name, field: field.name, value }),
          isOpen: () => session.isOpen,
          jump: (target) => session.choose(target as never),
        }),
    )
    for (const editor of editors) editor.lock(this.isLocked)
    const when = make('span', { class: 'quiet' })
    const value = make('pre', { class: 'value' })
    const links = make('ul', { class: 'links' })
    const rest = make('p', { class: 'quiet help' })
    const root = make(
      'div',
      { class: `component ${component.kind}`, role: 'group', 'aria-label': name },
      make('h3', {}, shownName(name), ' ', when),
      ...editors.map(({ root }) => root),
    )
    if (component.kind === 'object') root.append(value)
    if (component.kind === 'relation') root.append(links, rest)
    return {
      root,
      lock: (isLocked) => editors.forEach((editor) => editor.lock(isLocked)),
      close: () => editors.forEach((editor) => editor.close()),
      show: ({ component: now }) => {
        say(when, remarkOn(now, session.world.tick))
        if (now.kind === 'object') say(value, preview(now.value))
        else if (now.kind === 'relation') this.showLinks(links, rest, now)
        else editors.forEach((editor, k) => editor.show(now.values?.[info?.fields[k]?.name ?? '']))
      },
    }
  }

  private showLinks(list: Element, rest: Element, { links }: EntityComponent): void {
    const shown = links.slice(0, MOST_LINKS)
    say(rest, links.length > MOST_LINKS ? `The first ${MOST_LINKS} of ${grouped(links.length)}.` : '')
    while (list.children.length > shown.length) list.lastElementChild?.remove()
    shown.forEach(({ target, values }, i) => {
      const item = (list.children[i] ??
        list.appendChild(
          make('li', {}, make('button', { type: 'button', class: 'link' }), make('span')),
        )) as HTMLElement
      const [button, text] = item.children as unknown as [HTMLButtonElement, HTMLElement]
      say(button, `Go to ${calledText(this.session, target)}`)
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
