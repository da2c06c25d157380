// Owns the keys that open inspectors: one listener for each key of a window. Inspectors with the same key take turns, so that
// each of them can be opened. It must never act on a key while a person is typing it.

/** What a key opens and closes. */
export interface Opened {
  readonly isOpen: boolean
  open(): void
  close(): void
}

interface Turns {
  readonly all: Opened[]
  readonly press: (event: KeyboardEvent) => void
}

const windows = new WeakMap<Window, Map<string, Turns>>()

/**
 * Has a key of a window open and close something. With others of that key: the first press opens the first, the next one closes it
 * and opens the second; after the last all are closed.
 *
 * @param key as KeyboardEvent.key names it
 * @returns a function that ends it
 */
export function listenForKey(view: Window, key: string, opened: Opened): () => void {
  const keys = windows.get(view) ?? new Map<string, Turns>()
  windows.set(view, keys)
  const turns = keys.get(key) ?? createTurns(key)
  keys.set(key, turns)
  if (turns.all.length === 0) view.addEventListener('keydown', turns.press)
  turns.all.push(opened)
  return () => {
    const at = turns.all.indexOf(opened)
    if (at < 0) return
    turns.all.splice(at, 1)
    if (turns.all.length > 0) return
    view.removeEventListener('keydown', turns.press)
    keys.delete(key)
  }
}

function createTurns(key: string): Turns {
  const all: Opened[] = []
  return {
    all,
    press(event) {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return
      if (key.length === 1 && isTyping(event)) return
      event.preventDefault()
      if (event.repeat) return
      const last = all.map(({ isOpen }) => isOpen).lastIndexOf(true)
      for (const one of all) if (one.isOpen) one.close()
      all[last + 1]?.open()
    },
  }
}

const TEXT_FIELDS = 'input, textarea, select, [contenteditable]'

/** Whether the key goes into a field, also of a shadow tree. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath() as (EventTarget & { matches?: (selector: string) => boolean })[]
  return target?.matches?.(TEXT_FIELDS) === true
}
