// Owns the tab of resources: their values, which can be edited where they have fields.

import type { ResourceInfo } from '../../inspect/inspect'
import { make, say } from '../dom'
import { FieldEditor } from '../fieldEditor'
import { shownName } from '../format'
import { preview } from '../preview'
import { type Section, Sections } from '../sections'
import type { Panel, Session } from '../session'

export class ResourcesPanel implements Panel {
  readonly root = make('div')
  private readonly none = make('p', { class: 'hint' }, 'This world has no resources.')
  private readonly sections: Sections<ResourceInfo>

  constructor(private readonly session: Session) {
    const list = make('div', { class: 'sections' })
    // After a reset, a resource may have the name of another one.
    const keyOf = ({ name, fields }: ResourceInfo) => JSON.stringify([name, fields])
    this.sections = new Sections(list, keyOf, (resource) => this.createSection(resource))
    this.root.append(this.none, list)
  }

  refresh(): void {
    const resources = this.session.view.resources()
    this.none.hidden = resources.length > 0
    this.sections.show(resources)
  }

  private createSection({ name, fields }: ResourceInfo): Section<ResourceInfo> {
    const { session } = this
    const value = make('pre', { class: 'value' })
    const now = () => session.view.resources().find((resource) => resource.name === name)?.values
    const editors = (fields ?? []).map(
      (field) =>
        new FieldEditor({
          owner: name,
          field,
          read: () => now()?.[field.name],
          write: (value) => session.write({ resource: name, field: field.name, value }),
          isOpen: () => session.isOpen,
          jump: (entity) => session.show(entity as never),
        }),
    )
    const kind = make('span', { class: 'quiet' }, fields === undefined ? 'JavaScript value' : '')
    const body = fields === undefined ? [value] : editors.map(({ root }) => root)
    return {
      root: make(
        'div',
        { class: 'component', role: 'group', 'aria-label': name },
        make('h2', { class: 'small' }, shownName(name), ' ', kind),
        ...body,
      ),
      close: () => editors.forEach((editor) => editor.close()),
      show: (resource) => {
        if (fields === undefined) say(value, preview(resource.value))
        else editors.forEach((editor, i) => editor.show(resource.values?.[fields[i]?.name ?? '']))
      },
    }
  }
}
