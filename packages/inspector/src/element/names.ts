// Owns what an entity is called on the page: the text of a component that looks like a name.

import type { AnyComponent } from '../../../../bindings/index'
import { handleText, shownName } from './format'
import { cut } from './preview'
import type { Session } from './session'

const NAMING = /^(?:name|label|title)$/i

/** The name of an entity: undefined where it has none, or none that can be found. */
export function nameOf(session: Session, entity: number): string | undefined {
  const { world } = session
  if (!world.isAlive(entity as never)) return undefined
  let known = namings.get(session)
  if (known?.turn !== session.turn) {
    known = { turn: session.turn, naming: namingOf(session) }
    namings.set(session, known)
  }
  if (known.naming === undefined) return undefined
  const values = session.valuesOf(entity, known.naming.component)
  const text = values?.[known.naming.field]
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** An entity with its name, as far as a page has room for it: 'Ann #1'. */
export function calledText(session: Session, entity: number): string {
  const name = nameOf(session, entity)
  return name === undefined ? handleText(entity) : `${shownName(name)} ${handleText(entity)}`
}

/** Characters of a name that are shown when a person points at it. */
export const MOST_OF_A_TITLE = 1000

/** An entity with its name in full, for those who point at it. */
export function titleText(session: Session, entity: number): string {
  const name = nameOf(session, entity)
  return name === undefined ? handleText(entity) : `${cut(name, MOST_OF_A_TITLE)} ${handleText(entity)}`
}

interface Naming {
  readonly component: AnyComponent
  readonly field: string
}

/** Looked for again at each refresh: after a reset a world meets other components. */
const namings = new WeakMap<Session, { readonly turn: number; readonly naming: Naming | undefined }>()

function namingOf({ world, view }: Session): Naming | undefined {
  for (const { name, kind, fields } of view.components()) {
    if (kind !== 'component') continue
    const field = fields.find(
      (field) =>
        field.type === 'text' && field.length === 1 && (NAMING.test(name) || NAMING.test(field.name)),
    )
    const component = field && world.componentByName(name)
    if (field && component) return { component: component as unknown as AnyComponent, field: field.name }
  }
  return undefined
}
