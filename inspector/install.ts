// Owns putting the inspector on a page of any kind: docked at its side, opened and closed by a key.
// It must never act on the key while somebody types.

import { StrataTypeError, type World } from '../bindings/index'
import { type StrataInspector, define } from './element'
import type { AttachOptions } from './session'

/** Options of installInspector: those of attach, and these. */
export interface InstallOptions extends AttachOptions {
  /** Opens and closes it, as KeyboardEvent.key names it; '' for no key. Default 'F2'. */
  readonly key?: string | undefined
  /** Whether it is open at once. Default false. */
  readonly open?: boolean | undefined
  /** Light or dark; default as the system has it. */
  readonly theme?: 'light' | 'dark' | undefined
  /** At which side of the page it is docked; a narrow page has it at the bottom. Default 'right'. */
  readonly side?: 'left' | 'right' | undefined
  /** What it becomes a child of; default the body. */
  readonly parent?: Element | undefined
}

/** What installInspector returns. */
export interface InstalledInspector {
  readonly element: StrataInspector
  open(): void
  close(): void
  /** Opens it if it is closed, else closes it. */
  toggle(): void
  /** Takes it off the page, with its key. */
  remove(): void
}

/**
 * Adds an inspector to the page, docked at its right side, or at the bottom of a narrow page, and closed until its key is
 * pressed: F2 unless you name another one. While it is closed nothing of it runs.
 *
 * @throws StrataTypeError INVALID_OPTION for what is no world of this copy of strata-ecs, and for a key that is no text; StrataError
 *   WORLD_DISPOSED
 * @example installInspector(world, { schedule, history, key: 'F2' })
 */
export function installInspector(world: World, options: InstallOptions = {}): InstalledInspector {
  const { key = 'F2', open = false, theme, side = 'right', parent = document.body, ...attached } = options
  if (typeof key !== 'string') {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `installInspector: key must be a text as KeyboardEvent.key has it, such as 'F2', or '' for none.`,
    )
  }
  define()
  const element = document.createElement('strata-inspector')
  element.hidden = !open
  element.setAttribute('docked', side)
  if (theme !== undefined) element.setAttribute('theme', theme)
  element.attach(world, attached)
  parent.append(element)

  const isClosed = () => element.hidden !== false

  /** What had the focus before it was opened. */
  let before: Element | null = null
  function show(isOpen: boolean) {
    if (isOpen !== isClosed()) return
    element.hidden = !isOpen
    if (isOpen) {
      before = document.activeElement
      element.shadowRoot?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus()
    } else giveBack()
  }
  function giveBack() {
    if (before instanceof HTMLElement && before.isConnected) before.focus()
  }
  function press(event: KeyboardEvent) {
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (key.length === 1 && isTyping(event)) return
    event.preventDefault()
    show(isClosed())
  }
  if (key !== '') addEventListener('keydown', press)
  element.addEventListener('close', giveBack)

  return {
    element,
    open: () => show(true),
    close: () => show(false),
    toggle: () => show(isClosed()),
    remove() {
      removeEventListener('keydown', press)
      element.detach()
      element.remove()
    },
  }
}

const TEXT_FIELDS = 'input, textarea, select, [contenteditable]'

/** Whether the key goes into a field, also of a shadow tree. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  return target instanceof Element && target.matches(TEXT_FIELDS)
}
