// Owns the keyboard: which key does what, and the list of them. It must never act while somebody types.

import { element, make } from './element.ts'

export interface Shortcut {
  /** As KeyboardEvent.key has them; a letter for both its cases. */
  readonly keys: readonly string[]
  /** How the list shows them. */
  readonly shown: string
  readonly does: string
  readonly act: (key: string) => void
}

/** Listens from now on. */
export function followKeys(shortcuts: readonly Shortcut[]): void {
  const list = element('keys', HTMLDialogElement)
  const show = () => (list.open ? list.close() : list.showModal())
  const all: Shortcut[] = [...shortcuts, { keys: ['?'], shown: '?', does: 'this list', act: show }]
  const byKey = new Map(all.flatMap((shortcut) => shortcut.keys.map((key) => [key, shortcut] as const)))

  element('key-list', HTMLDListElement).append(
    ...all.flatMap(({ shown, does }) => [
      make('dt', {}, ...shown.split(' ').map((key) => make('kbd', {}, key))),
      make('dd', {}, does),
    ]),
  )
  element('show-keys', HTMLButtonElement).addEventListener('click', show)
  // A click beside the list closes it: inside, it hits something in it.
  list.addEventListener('click', (event) => event.target === list && list.close())

  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const shortcut = byKey.get(key)
    if (shortcut === undefined || isTaken(event.target, key)) return
    // An open list has Escape for itself.
    if (list.open && key !== '?') return
    event.preventDefault()
    shortcut.act(key)
  })
}

const TEXT_FIELDS =
  'input:not([type=radio], [type=range], [type=checkbox]), textarea, select, [contenteditable]'
/** What has its own use for Space and the arrows. */
const CONTROLS = 'button, a[href], input, summary, dialog'

/** Whether what has the focus wants the key for itself. Only Escape leaves a field as well as whatever it does. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element) || key === 'Escape') return false
  if (target.matches(TEXT_FIELDS)) return true
  return (key === ' ' || key.startsWith('Arrow')) && target.matches(CONTROLS)
}
