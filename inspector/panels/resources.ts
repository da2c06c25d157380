// Owns the tab of resources: their values, which can be edited where they have fields.

import type { ResourceInfo } from '../../bindings/inspect/inspect'
import { make, say } from '../dom'
import { FieldEditor } from '../fieldEditor'
import { preview } from '../format'
import type { Panel, Session } from '../session'

export class ResourcesPanel implements Panel {
  readonly root = make('div')
  private readonly none = make('p', { class: 'hint' }, 'This world has no resources.')
  private sections: ((resource: ResourceInfo) => void)[] = []
  private shape = ''

  constructor(private readonly session: Session) {}

  refresh(): void {
    const resources = this.session.view.resources()
    const shape = resources.map(({ name }) => name).join(' ')
    if (shape !== this.shape || this.root.children.length === 0) {
      this.shape = shape
      this.root.replaceChildren()
      this.sections = resources.map((resource) => this.createSection(resource))
      if (resources.length === 0) this.root.append(this.none)
    }
    resources.forEach((resource, i) => this.sections[i]?.(resource))
  }

  private createSection({ name, fields }: ResourceInfo): (resource: ResourceInfo) => void {
    const { session } = this
    const value = make('pre', { class: 'value' })
    const editors = (fields ?? []).map(
      (field) =>
        new FieldEditor({
          owner: name,
          field,
          write: (value) => session.write({ resource: name, field: field.name, value }),
          jump: (entity) => session.show(entity as never),
        }),
    )
    const kind = make('span', { class: 'quiet' }, fields === undefined ? 'JavaScript value' : '')
    const body = fields === undefined ? [value] : editors.map(({ root }) => root)
    this.root.append(
      make(
        'div',
        { class: 'component', role: 'group', 'aria-label': name },
        make('h2', { class: 'small' }, name, ' ', kind),
        ...body,
      ),
    )
    return (resource) => {
      if (fields === undefined) say(value, preview(resource.value))
      else editors.forEach((editor, i) => editor.show(resource.values?.[fields[i]?.name ?? '']))
    }
  }
}
