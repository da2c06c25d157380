// Owns putting the inspector on a page of any kind: docked at its side, opened and closed by a key, with the focus given back.

import type { World } from '../../../../bindings/index'
import { type StrataInspector, define } from './element'
import { listenForKey } from './keys'
import { checkInstallOptions } from './options'
import type { AttachOptions } from './session'

/** Options of installInspector: those of attach, and these. */
export interface InstallOptions extends AttachOptions {
  /** Opens and closes it, as KeyboardEvent.key names it; '' for no key. Inspectors with one key take turns. Default 'F2'. */
  readonly key?: string | undefined
  /** Whether it is open at once. Default false. */
  readonly open?: boolean | undefined
  /** Light or dark; default as the system has it. */
  readonly theme?: 'light' | 'dark' | undefined
  /** At which side of the page it is docked; a narrow page has it at the bottom. Default 'right'. */
  readonly side?: 'left' | 'right' | undefined
  /** What it becomes a child of, also in a frame or a pop-up of this page, whose keys it then listens to; default the body. */
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
 * pressed: F2 unless you name another one. While it is closed nothing of it runs. Inspectors with the same key take turns.
 *
 * @throws StrataTypeError INVALID_OPTION for what is no world of this copy of strata-ecs, for a schedule or history of another world, for
 *   options that do not exist, and for values of the wrong kind; StrataError WORLD_DISPOSED. Nothing is added then
 * @example installInspector(world, { schedule, history, key: 'F2' })
 */
export function installInspector(world: World, options: InstallOptions = {}): InstalledInspector {
  checkInstallOptions(options)
  const { key = 'F2', open = false, theme, side = 'right', parent = document.body, ...attached } = options
  define()
  const element = document.createElement('strata-inspector')
  element.hidden = !open
  element.setAttribute('docked', side)
  if (theme !== undefined) element.setAttribute('theme', theme)
  element.attach(world, attached)
  parent.append(element)

  /** What had the focus before it was opened. */
  let before: Element | null = null
  function giveBack() {
    if (before?.isConnected === true) (before as Partial<HTMLElement>).focus?.()
  }
  const opened = {
    get isOpen() {
      return element.hidden === false
    },
    open() {
      if (opened.isOpen) return
      element.hidden = false
      before = element.ownerDocument.activeElement
      element.shadowRoot?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus()
    },
    close() {
      if (!opened.isOpen) return
      element.hidden = true
      giveBack()
    },
  }
  // The window that shows it: that of a frame or a pop-up is another one than this.
  const view = element.ownerDocument.defaultView
  const stopListening = key === '' || view === null ? () => {} : listenForKey(view, key, opened)
  element.addEventListener('close', giveBack)

  return {
    element,
    open: () => opened.open(),
    close: () => opened.close(),
    toggle: () => (opened.isOpen ? opened.close() : opened.open()),
    remove() {
      stopListening()
      element.detach()
      element.remove()
    },
  }
}
