// Owns what an entity is called on the page: the text of a component that looks like a name.

import type { AnyComponent } from '../bindings/index'
import type { Session } from './session'

const NAMING = /^(?:name|label|title)$/i

/** The name of an entity: undefined where it has none, or none that can be found. */
export function nameOf(session: Session, entity: number): string | undefined {
  const { world, view } = session
  if (!world.isAlive(entity as never)) return undefined
  const known = namings.get(session) ?? { met: -1, naming: undefined }
  const met = view.stats().components
  if (known.met !== met) {
    known.met = met
    known.naming = namingOf(session)
    namings.set(session, known)
  }
  if (known.naming === undefined) return undefined
  const values = session.valuesOf(entity, known.naming.component)
  const text = values?.[known.naming.field]
  return typeof text === 'string' && text !== '' ? text : undefined
}

interface Naming {
  readonly component: AnyComponent
  readonly field: string
}

/** Looked for again when the world has met other components. */
const namings = new WeakMap<Session, { met: number; naming: Naming | undefined }>()

function namingOf({ world, view }: Session): Naming | undefined {
  for (const { name, kind, fields } of view.components()) {
    if (kind !== 'component') continue
    const field = fields.find(
      (field) =>
        field.type === 'text' && field.length === 1 && (NAMING.test(name) || NAMING.test(field.name)),
    )
    const component = field && world.componentNamed(name)
    if (field && component) return { component: component as unknown as AnyComponent, field: field.name }
  }
  return undefined
}
